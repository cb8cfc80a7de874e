//! Cryptographic libraries that a file uses but does not contain.

use crate::elf::{File, Linkage};
use memchr::memmem;
use serde::Serialize;

/// How a file refers to a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Means {
    /// The dynamic linker loads it.
    Needed,
    /// Undefined symbols, as in kernel modules, object files and plug-ins.
    Symbols,
    /// Its file name is in the file: programs load such libraries with `dlopen`.
    Name,
}

/// A library that a file uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Call {
    /// Its file name, or a description.
    pub library: String,
    /// How the file refers to it.
    pub by: Means,
}

/// Prefixes of file names.
const FILES: [&str; 15] = [
    "libcrypto.so",
    "libgcrypt.so",
    "libnettle.so",
    "libgnutls.so",
    "libmbedcrypto.so",
    "libsodium.so",
    "libwolfssl.so",
    "libtomcrypt.so",
    "libbotan-",
    "libnss3.so",
    "libfreebl3.so",
    "libfreeblpriv3.so",
    "libcryptopp.so",
    "libkcapi.so",
    "libssl.so",
];

/// Prefixes of function names, and their libraries.
const SYMBOLS: [(&str, &str); 10] = [
    ("EVP_", "libcrypto (OpenSSL)"),
    ("OSSL_", "libcrypto (OpenSSL)"),
    ("gcry_", "Libgcrypt"),
    ("nettle_", "Nettle"),
    ("gnutls_", "GnuTLS"),
    ("mbedtls_", "Mbed TLS"),
    ("wc_", "wolfSSL"),
    ("crypto_alloc_", "the kernel's crypto API"),
    ("crypto_shash_", "the kernel's crypto API"),
    ("sha256_update", "the kernel's crypto library"),
];
/// Maximum length of a file name.
const LONGEST: usize = 64;

/// The C string at the beginning of a text, if it is a library's file name.
fn file_name(text: &[u8]) -> Option<&str> {
    let end = text.iter().take(LONGEST).position(|b| *b == 0)?;
    let name = std::str::from_utf8(text.get(..end)?).ok()?;
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-+".contains(&b)).then_some(name)
}

/// Whether a name with a library's prefix continues like a library's name: strings in programs may adjoin without a gap.
fn is_library(name: &str, front: &str) -> bool {
    let version = |v: &str| {
        v.strip_prefix('.')
            .is_some_and(|v| !v.is_empty() && v.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
    };
    let front = if front.ends_with(".so") {
        Some(front)
    } else {
        name.find(".so").and_then(|at| name.get(..at + 3))
    };
    front.and_then(|f| name.strip_prefix(f)).is_some_and(|v| v.is_empty() || version(v))
}

/// The libraries that a file uses.
pub fn find(file: &File) -> Vec<Call> {
    let mut found: Vec<Call> = Vec::new();
    let mut add = |library: String, by: Means| {
        if !found.iter().any(|c| c.library == library) {
            found.push(Call { library, by });
        }
    };
    let known = |name: &str| FILES.iter().any(|f| name.starts_with(f));
    for name in file.needed.iter().filter(|n| known(n)) {
        add(name.clone(), Means::Needed);
    }
    // A file that has not been linked may get symbols from any library.
    if matches!(file.linkage, Linkage::Module | Linkage::Other) || file.needed.is_empty() {
        for (front, whose) in SYMBOLS {
            if file.undefined.iter().any(|s| s.starts_with(front)) {
                add(whose.into(), Means::Symbols);
            }
        }
    }
    for front in FILES {
        let own = file.soname.as_deref().is_some_and(|n| n.starts_with(front));
        let needed = file.needed.iter().any(|n| n.starts_with(front));
        let places = memmem::find_iter(file.bytes, front.as_bytes());
        let mut names = places.filter_map(|at| file_name(file.bytes.get(at..)?));
        let name = names.find(|name| is_library(name, front));
        if let Some(name) = name.filter(|_| !own && !needed) {
            add(name.into(), Means::Name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_names_of_libraries_match() {
        for (name, front, is) in [
            ("libcrypto.so", "libcrypto.so", true),
            ("libcrypto.so.3", "libcrypto.so", true),
            ("libcrypto.so.1.1", "libcrypto.so", true),
            ("libmbedcrypto.soo", "libmbedcrypto.so", false),
            ("libcrypto.so.3x", "libcrypto.so", false),
            ("libcrypto.so.", "libcrypto.so", false),
            ("libbotan-3.so.7", "libbotan-", true),
            ("libbotan-libnss3", "libbotan-", false),
        ] {
            assert_eq!(is_library(name, front), is, "{name}");
        }
    }
}
