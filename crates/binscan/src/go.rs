//! Programs written in Go: `.go.buildinfo`, and names of functions, which stay in stripped programs (`.gopclntab`).

use crate::elf::File;
use crate::library::{Evidence, Library};
use memchr::memmem;

/// Begins the build information (Go, src/debug/buildinfo/buildinfo.go).
const MAGIC: &[u8] = b"\xff Go buildinf:";
/// Flag: version and modules stand there themselves, each behind its length.
const INLINE: u8 = 2;
const HEADER: usize = 32;

/// Functions of the standard library and of golang.org/x/crypto, by how their packages begin.
const PACKAGES: [(&str, &str); 9] = [
    ("crypto/internal/fips140/aes.", "Go crypto/aes"),
    ("crypto/aes.", "Go crypto/aes"),
    ("crypto/internal/fips140/sha256.", "Go crypto/sha256"),
    ("crypto/sha256.", "Go crypto/sha256"),
    ("crypto/internal/fips140/sha512.", "Go crypto/sha512"),
    ("crypto/sha512.", "Go crypto/sha512"),
    ("crypto/internal/fips140/sha3.", "Go crypto/sha3"),
    ("golang.org/x/crypto/chacha20poly1305.", "Go x/crypto/chacha20poly1305"),
    ("golang.org/x/crypto/chacha20.", "Go x/crypto/chacha20"),
];

/// Go's version, of the build information.
fn version(info: &[u8]) -> Option<String> {
    if !info.starts_with(MAGIC) || info.get(MAGIC.len() + 1)? & INLINE == 0 {
        return None;
    }
    let text = info.get(HEADER..)?;
    // A length of 128 or more would take two bytes: no version has it.
    let length = usize::from(*text.first()?);
    let version = text.get(1..1 + length).filter(|_| length < 128)?;
    Some(std::str::from_utf8(version).ok()?.trim_start_matches("go").to_string())
}

/// The build information: in its section, or aligned to 16 bytes anywhere in the file.
fn information<'a>(file: &File<'a>) -> Option<&'a [u8]> {
    let section = file.go.filter(|s| s.starts_with(MAGIC));
    section.or_else(|| file.bytes.get(memmem::find(file.bytes, MAGIC)?..))
}

/// The packages of Go that the file has functions of.
pub fn find(file: &File) -> Vec<Library> {
    let Some(info) = information(file) else { return Vec::new() };
    let version = version(info).unwrap_or_default();
    let mut found: Vec<Library> = Vec::new();
    for (front, name) in PACKAGES {
        let there = memmem::find(file.bytes, front.as_bytes()).is_some();
        if there && !found.iter().any(|l| l.name == name) {
            let (name, version) = (name.into(), version.clone());
            found.push(Library { name, version, evidence: Evidence::GoBuild });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_build_information() {
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
    }
}
