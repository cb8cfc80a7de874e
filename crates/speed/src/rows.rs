//! What is measured.

/// What a run's figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Megabytes, of messages of `BYTES`.
    Bulk,
    /// Operations: those that `openssl speed -mr` counts in its `+R` line of this number.
    Operations(u32),
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// What `openssl speed` calls it.
    pub algorithm: &'static str,
    /// What its figure counts.
    pub kind: Kind,
}

/// Bytes of a message.
pub const BYTES: u64 = 16384;

const fn bulk(name: &'static str, algorithm: &'static str) -> Row {
    Row { name, algorithm, kind: Kind::Bulk }
}

const fn operations(name: &'static str, algorithm: &'static str, number: u32) -> Row {
    Row { name, algorithm, kind: Kind::Operations(number) }
}

/// Ciphers and hashes.
pub const SYMMETRIC: &[Row] = &[
    bulk("AES-128-ECB", "aes-128-ecb"),
    bulk("AES-128-CTR", "aes-128-ctr"),
    bulk("AES-128-GCM", "aes-128-gcm"),
    bulk("AES-128-XTS", "aes-128-xts"),
    bulk("SHA-256", "sha256"),
    bulk("SHA-512", "sha512"),
    bulk("SM3", "sm3"),
    bulk("SM4-ECB", "sm4-ecb"),
    bulk("ChaCha20", "chacha20"),
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

/// A program of our own, of fixed work.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name, and its file's.
    pub name: &'static str,
    /// Its text.
    pub source: &'static str,
    /// Its argument: about a second of work.
    pub rounds: &'static str,
}

/// What ciphers and hashes have little of.
pub const PROGRAMS: &[Program] = &[
    Program { name: "branchy", source: include_str!("../programs/branchy.c"), rounds: "8000" },
    Program { name: "indirect", source: include_str!("../programs/indirect.c"), rounds: "8000" },
];
