//! BoringSSL's Kyber and Dilithium: `published/boringssl_pqc_instret.csv`. Standardisation changed both
//! schemes, so no case can be compared with them; this test checks the file's columns and unit.

const FILE: &str = include_str!("../../../../published/boringssl_pqc_instret.csv");
const README: &str = include_str!("../../../../published/README.md");

/// Scheme, operation, and retired instructions for each set that the library may use.
fn rows() -> Vec<(&'static str, &'static str, Vec<u64>)> {
    let lines = FILE.lines().filter(|l| !l.starts_with('#')).skip(1);
    let row = |l: &'static str| {
        let mut fields = l.split(',');
        let (scheme, operation) = (fields.next().unwrap(), fields.next().unwrap());
        (scheme, operation, fields.map(|f| f.parse().unwrap()).collect())
    };
    lines.map(row).collect()
}

#[test]
fn columns_and_unit_are_as_expected() {
    let mut lines = FILE.lines();
    let comment = lines.next().unwrap();
    assert!(comment.starts_with("# BoringSSL cf4f615 ("), "{comment}");
    assert!(comment.ends_with("Retired instructions per operation."), "{comment}");
    assert_eq!(lines.next(), Some("scheme,operation,rv64gc,+zbb,+v_zbb_zvbb,+zvkeccak"));
    let named: Vec<_> =
        rows().into_iter().map(|(scheme, operation, _)| (scheme, operation)).collect();
    let kem = ["keygen", "encaps", "decaps"].map(|o| ("Kyber-768", o));
    let signature = ["keygen", "sign", "verify"].map(|o| ("Dilithium3", o));
    assert_eq!(named, [kem, signature].concat());
    assert!(rows().iter().all(|(_, _, counts)| counts.len() == 4 && counts.iter().all(|n| *n > 0)));
}

#[test]
fn the_readme_names_source_and_unit() {
    let line = README.lines().find(|l| l.contains("`boringssl_pqc_instret.csv`")).unwrap();
    for said in
        ["BoringSSL (commit cf4f615)", "retired instructions per operation", "Kyber and Dilithium"]
    {
        assert!(line.contains(said), "{said}: {line}");
    }
}
