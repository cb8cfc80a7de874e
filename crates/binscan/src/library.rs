//! Cryptographic libraries, recognised by traces of their code in a file.

use crate::elf::File;
use memchr::memmem;
use serde::Serialize;

/// The evidence that a library's code is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// The file defines symbols of the library.
    Symbols,
    /// Source paths or strings of the library, as in stripped and static copies.
    Strings,
    /// Go's build information and function names.
    GoBuild,
}

impl Evidence {
    /// Display text.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Symbols => "symbols",
            Evidence::Strings => "strings",
            Evidence::GoBuild => "Go build information",
        }
    }
}

/// A library whose code is in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Library {
    /// Name.
    pub name: String,
    /// Version, if the file has one.
    pub version: String,
    /// The evidence.
    pub evidence: Evidence,
}

/// The traces of a library.
struct Known {
    name: &'static str,
    /// Functions, any of which the file must define; `*` at the end matches anything.
    symbols: &'static [&'static str],
    /// Prefixes of C strings in its own sources, any of which suffices; not strings from headers that its users include.
    texts: &'static [&'static str],
    /// Texts before a version.
    versions: &'static [&'static str],
}

const KNOWN: [Known; 12] = [
    Known {
        name: "BoringSSL",
        symbols: &["BORINGSSL_self_test", "BORINGSSL_function_hit"],
        texts: &["boringssl/crypto/fipsmodule/", "boringssl/src/crypto/"],
        versions: &[],
    },
    Known {
        name: "AWS-LC",
        symbols: &["awslc_version_string", "aws_lc_*"],
        texts: &["aws-lc/crypto/"],
        versions: &["AWS-LC FIPS ", "AWS-LC "],
    },
    Known {
        name: "LibreSSL",
        symbols: &[],
        texts: &["LibreSSL 2.", "LibreSSL 3.", "LibreSSL 4."],
        versions: &["LibreSSL "],
    },
    Known {
        name: "OpenSSL",
        symbols: &["OPENSSL_cpuid_setup", "EVP_EncryptInit_ex", "EVP_CIPHER_fetch"],
        texts: &["crypto/evp/evp_enc.c", "crypto/evp/digest.c", "crypto/modes/gcm128.c"],
        versions: &["OpenSSL "],
    },
    Known { name: "ring", symbols: &["ring_core_*"], texts: &[], versions: &["/ring-"] },
    Known {
        name: "Libgcrypt",
        symbols: &["gcry_cipher_open"],
        texts: &["This is Libgcrypt "],
        versions: &["This is Libgcrypt "],
    },
    Known {
        name: "Nettle",
        symbols: &["nettle_aes128_encrypt", "nettle_sha256_init"],
        texts: &[],
        versions: &[],
    },
    Known {
        name: "Mbed TLS",
        symbols: &["mbedtls_aes_crypt_ecb", "mbedtls_sha256_starts"],
        texts: &[],
        versions: &["Mbed TLS "],
    },
    Known {
        name: "wolfSSL",
        symbols: &["wc_AesSetKey", "wc_InitSha256"],
        texts: &["wolfcrypt/src/aes.c"],
        versions: &[],
    },
    Known {
        name: "libsodium",
        symbols: &["crypto_aead_chacha20poly1305_encrypt", "sodium_init"],
        texts: &[],
        versions: &[],
    },
    Known { name: "Botan", symbols: &["botan_version_string"], texts: &[], versions: &["Botan "] },
    Known { name: "NSS", symbols: &["FREEBL_GetVector"], texts: &[], versions: &[] },
];

/// Rust crates with ciphers, hashes and MACs, and their display names.
const CRATES: [(&str, &str); 17] = [
    ("aws-lc-sys", "AWS-LC (aws-lc-sys)"),
    ("aws-lc-fips-sys", "AWS-LC (aws-lc-fips-sys)"),
    ("ring", "ring"),
    ("aes", "RustCrypto aes"),
    ("aes-gcm", "RustCrypto aes-gcm"),
    ("ctr", "RustCrypto ctr"),
    ("cbc", "RustCrypto cbc"),
    ("ghash", "RustCrypto ghash"),
    ("polyval", "RustCrypto polyval"),
    ("chacha20", "RustCrypto chacha20"),
    ("poly1305", "RustCrypto poly1305"),
    ("sha1", "RustCrypto sha1"),
    ("sha2", "RustCrypto sha2"),
    ("sha3", "RustCrypto sha3"),
    ("keccak", "RustCrypto keccak"),
    ("sm3", "RustCrypto sm3"),
    ("sm4", "RustCrypto sm4"),
];
/// Maximum length of a C string.
const STRING: usize = 256;
/// Maximum length of a version.
const LONGEST: usize = 24;

/// The version at the beginning of a text: digits and dots, and an optional suffix such as `f` or `-rc.1`.
fn version_at(text: &[u8]) -> Option<String> {
    if !text.first()?.is_ascii_digit() {
        return None;
    }
    let good = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'.' || **b == b'-';
    let end = text.iter().take(LONGEST).take_while(good).count();
    let version = std::str::from_utf8(text.get(..end)?).ok()?;
    // A single number is not a version.
    version.contains('.').then(|| version.trim_end_matches(['.', '-']).to_string())
}

/// The version after the first of these texts that is followed by one.
fn version(bytes: &[u8], before: &[&str]) -> String {
    let after = |text: &&str| {
        let mut places = memmem::find_iter(bytes, text.as_bytes());
        places.find_map(|at| version_at(bytes.get(at + text.len()..)?))
    };
    before.iter().find_map(after).unwrap_or_default()
}

fn has(bytes: &[u8], text: &str) -> bool {
    memmem::find(bytes, text.as_bytes()).is_some()
}

/// Whether a C string contains this text: printable up to NUL. Programs that search for such texts store them differently.
fn has_string(bytes: &[u8], text: &str) -> bool {
    memmem::find_iter(bytes, text.as_bytes()).any(|at| {
        let rest = bytes.get(at..).unwrap_or_default();
        let end = rest.iter().take(STRING).position(|b| !(b' '..=b'~').contains(b));
        end.and_then(|e| rest.get(e)) == Some(&0)
    })
}

/// Whether the file defines a symbol with this name or prefix.
fn defines(file: &File, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(front) => file.symbols.iter().any(|s| s.name.starts_with(front)),
        None => file.defines(pattern),
    }
}

/// `/NAME-VERSION/src/`: where cargo unpacks a crate, in messages of its panics.
fn crates(bytes: &[u8]) -> Vec<Library> {
    if !has(bytes, "/src/") {
        return Vec::new();
    }
    let of = |(name, shown): &(&str, &str)| {
        let front = format!("/{name}-");
        let mut places = memmem::find_iter(bytes, front.as_bytes());
        let version = places.find_map(|at| {
            let rest = bytes.get(at + front.len()..)?;
            let version = version_at(rest)?;
            rest.get(version.len()..)?.starts_with(b"/src/").then_some(version)
        })?;
        Some(Library { name: (*shown).into(), version, evidence: Evidence::Strings })
    };
    CRATES.iter().filter_map(of).collect()
}

/// Removes OpenSSL where one of its forks was found: those leave most of its traces, too.
pub fn without_ancestors(found: &mut Vec<Library>) {
    let descendant = |l: &Library| ["BoringSSL", "AWS-LC", "LibreSSL"].contains(&l.name.as_str());
    if found.iter().any(descendant) {
        found.retain(|l| l.name != "OpenSSL");
    }
}

/// The libraries whose code is in the file.
pub fn find(file: &File) -> Vec<Library> {
    let mut found: Vec<Library> = Vec::new();
    for known in &KNOWN {
        let evidence = if known.symbols.iter().any(|s| defines(file, s)) {
            Evidence::Symbols
        } else if known.texts.iter().any(|t| has_string(file.bytes, t)) {
            Evidence::Strings
        } else {
            continue;
        };
        let version = version(file.bytes, known.versions);
        found.push(Library { name: known.name.into(), version, evidence });
    }
    without_ancestors(&mut found);
    for own in crates(file.bytes) {
        if !found.iter().any(|l| own.name.starts_with(&l.name)) {
            found.push(own);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_text() {
        assert_eq!(version_at(b"3.5.7 1 Jul 2025").as_deref(), Some("3.5.7"));
        assert_eq!(version_at(b"0.17.14/src/").as_deref(), Some("0.17.14"));
        assert_eq!(version_at(b"3 days"), None);
        assert_eq!(version_at(b"is good"), None);
        assert_eq!(version(b"OpenSSL is\0OpenSSL 3.0.2 15\0", &["OpenSSL "]), "3.0.2");
    }

    #[test]
    fn only_c_strings_count() {
        assert!(has_string(b"../crypto/evp/digest.c\0", "crypto/evp/digest.c"));
        assert!(!has_string(b"crypto/evp/digest.c\xffx\0", "crypto/evp/digest.c"));
        let long = ["crypto/evp/digest.c", &"x".repeat(STRING), "\0"].concat();
        assert!(!has_string(long.as_bytes(), "crypto/evp/digest.c"));
    }

    #[test]
    fn crates_are_found_by_the_paths_in_their_panics() {
        let bytes = b"/registry/src/index-1/sha2-0.10.8/src/lib.rs\0/aes-0.9/lib\0/x/ghash-\xff";
        let found = crates(bytes);
        assert_eq!((found.len(), found[0].name.as_str()), (1, "RustCrypto sha2"));
        assert_eq!(found[0].version, "0.10.8");
    }
}
