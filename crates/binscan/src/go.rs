//! Go programs: `.go.buildinfo`, and function names, which stripped programs keep (`.gopclntab`).

use crate::elf::File;
use crate::library::{Evidence, Library};
use memchr::memmem;

/// The first bytes of the build information (Go, src/debug/buildinfo/buildinfo.go).
const MAGIC: &[u8] = b"\xff Go buildinf:";
/// Flag: version and modules are inline, each after its length.
const INLINE: u8 = 2;
const HEADER: usize = 32;

/// Packages of the standard library and of golang.org/x/crypto, by the prefix of their functions' names.
const PACKAGES: [(&str, &str); 9] = [
    ("crypto/internal/fips140/aes.", "aes"),
    ("crypto/aes.", "aes"),
    ("crypto/internal/fips140/sha256.", "sha256"),
    ("crypto/sha256.", "sha256"),
    ("crypto/internal/fips140/sha512.", "sha512"),
    ("crypto/sha512.", "sha512"),
    ("crypto/internal/fips140/sha3.", "sha3"),
    ("golang.org/x/crypto/chacha20poly1305.", "x/chacha20poly1305"),
    ("golang.org/x/crypto/chacha20.", "x/chacha20"),
];

/// Go's version in the build information.
fn version(info: &[u8]) -> Option<String> {
    if !info.starts_with(MAGIC) || info.get(MAGIC.len() + 1)? & INLINE == 0 {
        return None;
    }
    let text = info.get(HEADER..)?;
    // A length of 128 or more would take two bytes: no version has it.
    let length = usize::from(*text.first()?);
    let version = text.get(1..1 + length).filter(|_| length < 128)?;
    let version = std::str::from_utf8(version).ok()?;
    // A release, or a development version.
    let release =
        version.strip_prefix("go").filter(|v| v.starts_with(|c: char| c.is_ascii_digit()));
    release.or(Some(version).filter(|v| v.starts_with("devel"))).map(String::from)
}

/// Go's version: from the section, or in files without section headers, from bytes that look like it.
fn built_by(file: &File) -> Option<String> {
    file.go.and_then(version).or_else(|| {
        let mut places = memmem::find_iter(file.bytes, MAGIC);
        places.find_map(|at| version(file.bytes.get(at..)?))
    })
}

/// Go's cryptography, if the file contains functions of it.
pub fn find(file: &File) -> Option<Library> {
    let version = built_by(file)?;
    let mut packages: Vec<&str> = Vec::new();
    for (front, name) in PACKAGES {
        if !packages.contains(&name) && memmem::find(file.bytes, front.as_bytes()).is_some() {
            packages.push(name);
        }
    }
    let name = format!("Go crypto ({})", packages.join(", "));
    (!packages.is_empty()).then_some(Library { name, version, evidence: Evidence::GoBuild })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_information_gives_the_version() {
        let info = |flags: u8, text: &[u8]| {
            let mut v = MAGIC.to_vec();
            v.extend([8, flags]);
            v.resize(HEADER, 0);
            [&v, text].concat()
        };
        assert_eq!(version(&info(2, b"\x08go1.24.4rest")).as_deref(), Some("1.24.4"));
        assert_eq!(version(&info(0, b"\x08go1.24.4")), None, "a pointer");
        assert_eq!(version(&info(2, b"\x20go1.24.4")), None, "cut short");
        assert_eq!(version(&info(2, b"")), None);
        assert_eq!(version(&info(2, b"\x08gopher.4")), None);
    }
}
