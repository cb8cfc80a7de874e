//! Which cryptographic libraries a file reaches through other libraries.

use capvec_binscan::{Means, Report};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The cryptographic libraries that callers of this library reach through it: those that it calls, or whose code it
/// contains.
/// Tables alone do not count, since a C library may have some for its own use.
fn has(library: &Report) -> Option<String> {
    let contained: Vec<&str> = library.libraries.iter().map(|l| l.name.as_str()).collect();
    if !contained.is_empty() {
        return Some(format!("which contains {}", contained.join(" and ")));
    }
    let calls = library.calls.iter().filter(|c| c.by != Means::Name);
    let calls: Vec<&str> = calls.map(|c| c.library.as_str()).collect();
    (!calls.is_empty()).then(|| format!("which calls {}", calls.join(" and ")))
}

/// The libraries on the shortest paths from a file to cryptography, without the file's own name: `libcurl.so.4, which
/// calls libcrypto.so.3`. `libraries` are those that were found, by the names under which they are needed.
pub fn through(file: &Report, libraries: &BTreeMap<String, Report>) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut queue: VecDeque<(&str, String)> =
        file.needed.iter().map(|n| (n.as_str(), String::new())).collect();
    while let Some((name, way)) = queue.pop_front() {
        let Some(library) = libraries.get(name).filter(|_| seen.insert(name)) else { continue };
        if let Some(what) = has(library) {
            found.push(format!("{way}{name}, {what}"));
            continue;
        }
        let way = format!("{way}{name} → ");
        queue.extend(library.needed.iter().map(|n| (n.as_str(), way.clone())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_verdict::tests::empty;
    use capvec_binscan::{Call, Evidence, Library};

    fn needs(names: &[&str]) -> Report {
        Report { needed: names.iter().map(|n| n.to_string()).collect(), ..empty() }
    }

    #[test]
    fn the_chain_of_libraries_is_named() {
        let calls = |name: &str, by| Report {
            calls: vec![Call { library: name.into(), by }],
            ..needs(&["libdeep.so"])
        };
        let own = Library {
            name: "BoringSSL".into(),
            version: String::new(),
            evidence: Evidence::Symbols,
        };
        let all = BTreeMap::from([
            ("liba.so".to_string(), needs(&["libb.so", "liba.so", "libc.so.6"])),
            ("libb.so".to_string(), calls("libcrypto.so.3", Means::Needed)),
            ("libc.so.6".to_string(), calls("libcrypto.so.3", Means::Name)),
            ("libdeep.so".to_string(), Report { libraries: vec![own.clone()], ..empty() }),
            ("libe.so".to_string(), Report { libraries: vec![own], ..empty() }),
        ]);
        assert_eq!(
            through(&needs(&["liba.so", "libe.so", "absent.so"]), &all),
            [
                "libe.so, which contains BoringSSL",
                "liba.so → libb.so, which calls libcrypto.so.3",
                // The C library only contains the name of a cryptographic library; what it needs itself is followed.
                "liba.so → libc.so.6 → libdeep.so, which contains BoringSSL",
            ]
        );
        assert!(through(&needs(&["absent.so"]), &all).is_empty());
    }
}
