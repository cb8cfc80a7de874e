//! What vectors can belong to: every case, and related algorithms that are not measured.

use anyhow::Result;
use capvec_bench::case::{self, Case, Kind, Operation};
use capvec_guest::LibraryKind;

/// Algorithms that have vectors but are not cases: name, family, kind, EVP's name and parameter.
const OTHERS: [(&str, &str, Kind, &str, &str); 28] = [
    ("aes-128-cbc-pkcs7", "aes", Kind::Cipher, "AES-128-CBC", "pad"),
    ("aes-192-cbc-pkcs7", "aes", Kind::Cipher, "AES-192-CBC", "pad"),
    ("aes-256-cbc-pkcs7", "aes", Kind::Cipher, "AES-256-CBC", "pad"),
    ("sha512-224", "sha", Kind::Digest, "SHA512-224", ""),
    ("cmac-aes-192", "mac", Kind::Mac, "CMAC", "AES-192-CBC"),
    ("gmac-aes-192", "mac", Kind::Mac, "GMAC", "AES-192-GCM"),
    ("gmac-aes-256", "mac", Kind::Mac, "GMAC", "AES-256-GCM"),
    ("hmac-sha1", "mac", Kind::Mac, "HMAC", "SHA1"),
    ("hmac-sha224", "mac", Kind::Mac, "HMAC", "SHA224"),
    ("hmac-sha384", "mac", Kind::Mac, "HMAC", "SHA384"),
    ("hmac-sha512-224", "mac", Kind::Mac, "HMAC", "SHA512-224"),
    ("hmac-sha512-256", "mac", Kind::Mac, "HMAC", "SHA512-256"),
    ("hmac-sha3-224", "mac", Kind::Mac, "HMAC", "SHA3-224"),
    ("hmac-sha3-256", "mac", Kind::Mac, "HMAC", "SHA3-256"),
    ("hmac-sha3-512", "mac", Kind::Mac, "HMAC", "SHA3-512"),
    // The parameter of these is the length of the output; a vector's own length replaces it.
    ("kmac128", "mac", Kind::Mac, "KMAC-128", "32"),
    ("kmac256", "mac", Kind::Mac, "KMAC-256", "64"),
    ("cshake128", "sha3", Kind::Digest, "CSHAKE-128", "32"),
    ("cshake256", "sha3", Kind::Digest, "CSHAKE-256", "64"),
    ("slh-dsa-sha2-192s", "slh-dsa", Kind::Pkey, "SLH-DSA-SHA2-192s", ""),
    ("slh-dsa-sha2-192f", "slh-dsa", Kind::Pkey, "SLH-DSA-SHA2-192f", ""),
    ("slh-dsa-sha2-256s", "slh-dsa", Kind::Pkey, "SLH-DSA-SHA2-256s", ""),
    ("slh-dsa-sha2-256f", "slh-dsa", Kind::Pkey, "SLH-DSA-SHA2-256f", ""),
    ("slh-dsa-shake-128s", "slh-dsa", Kind::Pkey, "SLH-DSA-SHAKE-128s", ""),
    ("slh-dsa-shake-192s", "slh-dsa", Kind::Pkey, "SLH-DSA-SHAKE-192s", ""),
    ("slh-dsa-shake-192f", "slh-dsa", Kind::Pkey, "SLH-DSA-SHAKE-192f", ""),
    ("slh-dsa-shake-256s", "slh-dsa", Kind::Pkey, "SLH-DSA-SHAKE-256s", ""),
    ("slh-dsa-shake-256f", "slh-dsa", Kind::Pkey, "SLH-DSA-SHAKE-256f", ""),
];

/// The operations of signature algorithms.
const SIGNATURE: [Operation; 3] = [Operation::Keygen, Operation::Sign, Operation::Verify];

/// Names that stand for several algorithms.
const GROUPS: [&str; 4] = ["all", "symmetric", "pkey", "pqc"];

/// The algorithm of a vector. The case says how the driver finds it and what its dispatch asks for.
pub type Algorithm = Case;

/// Every algorithm.
///
/// # Errors
/// A file of `cases/` is broken.
pub fn algorithms() -> Result<Vec<Algorithm>> {
    let mut all: Vec<Case> = case::all()?;
    // Setting a new key is a form in which the vectors of its cipher are checked.
    // Handshakes have no vectors.
    all.retain(|c| !matches!(c.kind, Kind::Setup | Kind::Tls));
    all.extend(OTHERS.iter().map(|(id, family, kind, algorithm, parameter)| {
        let case = Case::without_answers(id, family, *kind, algorithm, parameter);
        // All of those with a key pair are signature algorithms.
        match kind {
            Kind::Pkey => Case { operations: SIGNATURE.to_vec(), ..case },
            _ => case,
        }
    }));
    Ok(all)
}

/// Names of algorithms, and the flag that gave them.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// As the user wrote it.
    pub flag: &'static str,
    /// `all`, `symmetric`, `pkey`, `pqc`, families, or single algorithms.
    pub names: &'a [String],
}

/// Where the names are listed.
const LIST: &str = "`capvec kat --help` and `capvec bench --list` list the names";

/// The names of the algorithms that are not cases.
pub fn others() -> impl Iterator<Item = &'static str> {
    OTHERS.iter().map(|(id, ..)| *id)
}

/// The algorithms with these names; of groups and families, those that the library has.
///
/// # Errors
/// Names the algorithm that does not exist.
pub fn select(Names { flag, names }: Names, kind: LibraryKind) -> Result<Vec<Algorithm>> {
    let all = algorithms()?;
    case::refuse_blank(flag, names, LIST)?;
    let mut chosen: Vec<String> = Vec::new();
    for name in names {
        let group: Vec<&Algorithm> = all.iter().filter(|a| is_of(name, a)).collect();
        let found = if group.is_empty() { case::spelled(name, &all) } else { group };
        if found.is_empty() {
            return Err(case::unknown([flag, name], ["algorithm", LIST], &GROUPS, &all));
        }
        // An algorithm that is named alone is checked even if the library is expected to lack it. The tables of packaged libraries
        // are capvec's own: what they lack is known.
        let single = found.len() == 1 && kind.packaged().is_none();
        // What a library never had is not its failure.
        let wanted = found.into_iter().filter(|a| single || a.is_in(kind));
        chosen.extend(wanted.map(|a| a.id.clone()));
    }
    Ok(all.into_iter().filter(|a| chosen.contains(&a.id)).collect())
}

/// Whether `name` is that of a group that contains the algorithm.
fn is_of(name: &str, a: &Algorithm) -> bool {
    match name.to_ascii_lowercase().as_str() {
        "all" => true,
        "symmetric" => a.kind != Kind::Pkey,
        "pkey" => a.kind == Kind::Pkey,
        "pqc" => a.is_post_quantum(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(names: &[String], kind: LibraryKind) -> Result<Vec<Algorithm>> {
        super::select(Names { flag: "--algorithms", names }, kind)
    }

    #[test]
    fn groups_have_what_the_subject_has_and_names_all() {
        let ids = |name: &str, kind| -> Vec<String> {
            select(&[name.into()], kind).unwrap().into_iter().map(|a| a.id).collect()
        };
        let has = |name: &str, kind, id: &str| ids(name, kind).iter().any(|i| i == id);
        for group in ["all", "symmetric", "sha3"] {
            assert!(has(group, LibraryKind::Capvec, "cshake128"), "{group}");
            assert!(!has(group, LibraryKind::OpenSsl, "cshake128"), "{group}");
        }
        assert!(
            !has("all", LibraryKind::Capvec, "ed25519")
                && has("all", LibraryKind::OpenSsl, "ed25519")
        );
        for id in ["ml-kem-768", "ml-dsa-65", "slh-dsa-sha2-128s"] {
            assert!(has("pkey", LibraryKind::Capvec, id), "{id}");
        }
        assert_eq!(ids("pqc", LibraryKind::Capvec), ids("pkey", LibraryKind::Capvec));
        assert_eq!(ids("pqc", LibraryKind::OpenSsl), ids("pqc", LibraryKind::Capvec));
        assert!(!has("pqc", LibraryKind::OpenSsl, "ed25519"));
        let with_kmac = LibraryKind::ALL.into_iter().filter(|k| k.packaged().is_none());
        assert!(with_kmac.into_iter().all(|s| has("mac", s, "kmac256")));
        assert_eq!(ids("cshake256", LibraryKind::OpenSsl), ["cshake256"]);
        assert_eq!(ids("CSHAKE-256", LibraryKind::OpenSsl), ["cshake256"]);
        assert_eq!(ids("AES-128-GCM", LibraryKind::OpenSsl), ["aes-128-gcm"]);
        let e = select(&["kmac512".into()], LibraryKind::Capvec).unwrap_err().to_string();
        assert!(e.contains("kmac") && e.contains("kat --help") && e.len() < 330, "{e}");
    }
}
