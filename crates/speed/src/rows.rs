//! The rows of the tables.

/// What a run measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Megabytes per second, with messages of `BYTES`.
    Bulk,
    /// Operations per second, from the `+R` line with this number in the output of `openssl speed -mr`.
    Operations(u32),
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Its name in `openssl speed`.
    pub algorithm: &'static str,
    /// What is measured.
    pub kind: Kind,
    /// Required ratio to QEMU with every capability; with rv64gc alone it is 1.
    pub target: f64,
}

/// Required ratio to QEMU of rows without one of their own.
pub const TARGET: f64 = 1.0;

/// Bytes of a message.
pub const BYTES: u64 = 16384;

const fn bulk(name: &'static str, algorithm: &'static str, target: f64) -> Row {
    Row { name, algorithm, kind: Kind::Bulk, target }
}

const fn operations(name: &'static str, algorithm: &'static str, number: u32) -> Row {
    Row { name, algorithm, kind: Kind::Operations(number), target: TARGET }
}

/// Ciphers and hashes.
pub const SYMMETRIC: &[Row] = &[
    bulk("AES-128-ECB", "aes-128-ecb", 3.0),
    bulk("AES-128-CTR", "aes-128-ctr", 3.0),
    bulk("AES-128-GCM", "aes-128-gcm", 20.0),
    bulk("AES-128-XTS", "aes-128-xts", 2.0),
    bulk("SHA-256", "sha256", 3.0),
    bulk("SHA-512", "sha512", 3.0),
    bulk("SM3", "sm3", 3.0),
    bulk("SM4-ECB", "sm4-ecb", 3.0),
    bulk("ChaCha20", "chacha20", 2.0),
];

/// Public key.
pub const PUBLIC_KEY: &[Row] = &[
    operations("RSA-2048 sign", "rsa2048", 1),
    operations("RSA-2048 verify", "rsa2048", 2),
    operations("P-256 sign", "ecdsap256", 7),
    operations("P-256 verify", "ecdsap256", 8),
    operations("X25519 derive", "ecdhx25519", 9),
    operations("ML-KEM-768 encapsulate", "ML-KEM-768", 16),
    operations("ML-DSA-65 sign", "ML-DSA-65", 19),
];

/// A program of our own, which does a fixed amount of work.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name, which is also that of its file.
    pub name: &'static str,
    /// Its text.
    pub source: &'static str,
    /// Its argument: about a second of work.
    pub rounds: &'static str,
}

/// Programs with instructions that ciphers and hashes hardly use.
pub const PROGRAMS: &[Program] = &[
    Program { name: "branchy", source: include_str!("../programs/branchy.c"), rounds: "8000" },
    Program { name: "indirect", source: include_str!("../programs/indirect.c"), rounds: "8000" },
];
