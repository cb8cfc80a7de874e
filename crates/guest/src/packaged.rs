//! Libraries that the distribution packages and that have an interface of their own. Their drivers implement the part of EVP that the
//! kinds of operations use (`driver/packaged`), each with a table of what the library has.

use crate::companion::{self, Companion};
use crate::part::{self, Part};

/// A library of the distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packaged {
    /// GnuTLS, which computes with nettle.
    GnuTls,
    /// Go's crypto packages.
    GoCrypto,
    /// Java's JCA, by OpenJDK.
    JavaJca,
    /// libgcrypt, with which GnuPG computes.
    Libgcrypt,
    /// libsodium, which has no AES on RISC-V.
    Libsodium,
    /// Mbed TLS.
    MbedTls,
    /// nettle.
    Nettle,
    /// Node's module crypto.
    NodeCrypto,
}

/// What is known about a library.
struct Facts {
    name: &'static str,
    /// The packages with its headers, whose names do not change with the library's version; the library comes with them.
    headers: &'static [&'static str],
    /// The package of the library itself, in Debian 13.
    package: &'static str,
    /// Its file, by the name with which programs are linked; for Go, the file that states its version; for Java, the virtual
    /// machine.
    file: &'static str,
    /// The argument of the link.
    link: &'static [&'static str],
    part: &'static Part,
    companion: Option<&'static Companion>,
    /// Flags for headers that are in a directory of their own.
    include: &'static [&'static str],
    /// The algorithms of its tables, by EVP's names.
    offers: &'static [&'static [&'static str]],
}

/// AES in ECB and CTR mode.
const BLOCKS: &[&str] =
    &["AES-128-ECB", "AES-192-ECB", "AES-256-ECB", "AES-128-CTR", "AES-192-CTR", "AES-256-CTR"];
/// AES in CBC mode and GCM.
const CBC_AND_GCM: &[&str] = &[
    "AES-128-CBC",
    "AES-192-CBC",
    "AES-256-CBC",
    "AES-128-GCM",
    "AES-192-GCM",
    "AES-256-GCM",
    "GMAC",
];
/// What libraries with AES have in addition, except those of languages.
const XTS_GHASH_CHACHA20: &[&str] = &["AES-128-XTS", "AES-256-XTS", "ChaCha20", "GHASH"];
/// The hashes of FIPS 180 and 202.
const HASHES: &[&str] = &[
    "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512",
];
/// SHA-512 with shorter outputs.
const SHORTENED: &[&str] = &["SHA512-224", "SHA512-256"];
/// AES in CCM.
const CCM: &[&str] = &["AES-128-CCM", "AES-192-CCM", "AES-256-CCM"];
/// Extendable outputs.
const SHAKE: &[&str] = &["SHAKE128", "SHAKE256"];
/// HMAC, by the hash inside.
const HMAC: &[&str] = &["HMAC/SHA1", "HMAC/SHA224", "HMAC/SHA256", "HMAC/SHA384", "HMAC/SHA512"];
/// HMAC with SHA-512 of shorter outputs.
const HMAC_SHORTENED: &[&str] = &["HMAC/SHA512-224", "HMAC/SHA512-256"];
/// HMAC with SHA-3.
const HMAC_SHA3: &[&str] = &["HMAC/SHA3-224", "HMAC/SHA3-256", "HMAC/SHA3-512"];
/// CMAC, by the cipher inside.
const CMAC: &[&str] = &["CMAC/AES-128-CBC", "CMAC/AES-192-CBC", "CMAC/AES-256-CBC"];
/// ShangMi.
const SHANGMI: &[&str] = &["SM3", "SM4-ECB", "SM4-CBC", "SM4-CTR", "SM4-GCM"];

const GNUTLS: Facts = Facts {
    name: "gnutls",
    headers: &["libgnutls28-dev"],
    package: "libgnutls30t64",
    file: "libgnutls.so",
    link: &["-lgnutls"],
    part: &part::GNUTLS,
    companion: None,
    include: &[],
    offers: &[
        CBC_AND_GCM,
        XTS_GHASH_CHACHA20,
        HASHES,
        SHAKE,
        HMAC,
        &["CMAC/AES-128-CBC", "CMAC/AES-256-CBC"],
    ],
};

const GO_CRYPTO: Facts = Facts {
    name: "go:crypto",
    headers: &["golang-go", "gcc", "libc6-dev"],
    package: "golang-1.24-go",
    file: "VERSION",
    link: &[],
    part: &part::GOCRYPTO,
    companion: Some(&companion::GO),
    include: &[],
    offers: &[BLOCKS, CBC_AND_GCM, HASHES, SHORTENED],
};

const JAVA_JCA: Facts = Facts {
    name: "java:jca",
    headers: &["default-jdk-headless"],
    package: "openjdk-21-jre-headless",
    file: "default-java/lib/server/libjvm.so",
    link: &[],
    part: &part::JCA,
    companion: Some(&companion::JAVA),
    include: &[
        "-isystem/library/usr/lib/jvm/default-java/include",
        "-isystem/library/usr/lib/jvm/default-java/include/linux",
    ],
    offers: &[BLOCKS, CBC_AND_GCM, HASHES, SHORTENED, &["ChaCha20"]],
};

const LIBGCRYPT: Facts = Facts {
    name: "libgcrypt",
    headers: &["libgcrypt20-dev"],
    package: "libgcrypt20",
    file: "libgcrypt.so",
    link: &["-lgcrypt"],
    part: &part::LIBGCRYPT,
    companion: None,
    include: &[],
    offers: &[
        BLOCKS,
        CBC_AND_GCM,
        XTS_GHASH_CHACHA20,
        HASHES,
        SHORTENED,
        SHANGMI,
        SHAKE,
        HMAC,
        HMAC_SHORTENED,
        HMAC_SHA3,
        CMAC,
        CCM,
        &["HMAC/SM3", "Poly1305", "SM4-CCM"],
    ],
};

const LIBSODIUM: Facts = Facts {
    name: "libsodium",
    headers: &["libsodium-dev"],
    package: "libsodium23",
    file: "libsodium.so",
    link: &["-lsodium"],
    part: &part::LIBSODIUM,
    companion: None,
    include: &[],
    offers: &[&["SHA256", "SHA512", "ChaCha20", "HMAC/SHA256", "HMAC/SHA512", "Poly1305"]],
};

const MBED_TLS: Facts = Facts {
    name: "mbedtls",
    headers: &["libmbedtls-dev"],
    package: "libmbedcrypto16",
    file: "libmbedcrypto.so",
    link: &["-lmbedcrypto"],
    part: &part::MBED,
    companion: None,
    include: &[],
    offers: &[
        BLOCKS,
        CBC_AND_GCM,
        XTS_GHASH_CHACHA20,
        HASHES,
        HMAC,
        HMAC_SHA3,
        CMAC,
        &["Poly1305"],
    ],
};

const NETTLE: Facts = Facts {
    name: "nettle",
    headers: &["nettle-dev"],
    package: "libnettle8t64",
    file: "libnettle.so",
    link: &["-lnettle"],
    part: &part::NETTLE,
    companion: None,
    include: &[],
    offers: &[
        BLOCKS,
        CBC_AND_GCM,
        XTS_GHASH_CHACHA20,
        HASHES,
        SHORTENED,
        SHANGMI,
        SHAKE,
        HMAC,
        HMAC_SHORTENED,
        HMAC_SHA3,
        CMAC,
        CCM,
        &["HMAC/SM3", "SM4-CCM"],
    ],
};

const NODE_CRYPTO: Facts = Facts {
    name: "node:crypto",
    headers: &["libnode-dev"],
    package: "libnode115",
    file: "libnode.so",
    link: &[],
    part: &part::NODE,
    companion: Some(&companion::NODE),
    include: &["-isystem/library/usr/include/nodejs/src"],
    offers: &[
        BLOCKS,
        CBC_AND_GCM,
        HASHES,
        SHORTENED,
        &["AES-128-XTS", "AES-256-XTS", "ChaCha20", "SM3", "SM4-ECB", "SM4-CBC", "SM4-CTR"],
    ],
};

impl Packaged {
    /// Every library.
    pub const ALL: [Packaged; 8] = [
        Packaged::Nettle,
        Packaged::GnuTls,
        Packaged::Libgcrypt,
        Packaged::Libsodium,
        Packaged::MbedTls,
        Packaged::GoCrypto,
        Packaged::JavaJca,
        Packaged::NodeCrypto,
    ];

    fn facts(self) -> &'static Facts {
        match self {
            Packaged::GnuTls => &GNUTLS,
            Packaged::GoCrypto => &GO_CRYPTO,
            Packaged::JavaJca => &JAVA_JCA,
            Packaged::Libgcrypt => &LIBGCRYPT,
            Packaged::Libsodium => &LIBSODIUM,
            Packaged::MbedTls => &MBED_TLS,
            Packaged::Nettle => &NETTLE,
            Packaged::NodeCrypto => &NODE_CRYPTO,
        }
    }

    /// The name in records and on the command line.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The packages that have the library and its headers.
    pub fn headers(self) -> &'static [&'static str] {
        self.facts().headers
    }

    /// The package of the library alone, in Debian 13.
    pub fn package(self) -> &'static str {
        self.facts().package
    }

    /// The library's file.
    pub fn file(self) -> &'static str {
        self.facts().file
    }

    /// Arguments of the link, after the object files.
    pub(crate) fn link(self) -> &'static [&'static str] {
        self.facts().link
    }

    /// Flags for its headers, besides those for the usual directories.
    pub(crate) fn include(self) -> &'static [&'static str] {
        self.facts().include
    }

    /// Its tables.
    pub(crate) fn part(self) -> &'static Part {
        self.facts().part
    }

    /// What its driver loads, if that is in another language.
    pub(crate) fn companion(self) -> Option<&'static Companion> {
        self.facts().companion
    }

    /// Whether it is that of a language with a runtime of its own.
    pub fn has_runtime(self) -> bool {
        self.companion().is_some()
    }

    /// Whether its driver has the algorithm; `inside` is the hash or cipher of a message authentication code, the length of an extendable
    /// output, or empty.
    pub fn offers(self, algorithm: &str, inside: &str) -> bool {
        let has = |name: &str| {
            self.facts().offers.iter().copied().flatten().any(|o| o.eq_ignore_ascii_case(name))
        };
        let is_gcm = ["GMAC", "GHASH"].contains(&algorithm) && has(inside);
        has(algorithm) && (inside.is_empty() || is_gcm) || has(&format!("{algorithm}/{inside}"))
    }
}
