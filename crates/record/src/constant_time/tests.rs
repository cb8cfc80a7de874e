use super::*;
use crate::shown::{Summary, Tables};

/// Two policies of a set, of which one leaks, a set without vector instructions, and a case that was not checked.
const TEXT: &str = r#"{ "schema": 1, "subject": "openssl", "rows": [
    { "case": "aes", "caps": "full", "vlen": 128, "agnostic": "ones", "findings": [], "suppressed": 0 },
    { "case": "aes", "caps": "full", "vlen": 128, "agnostic": "undisturbed", "findings": [0], "suppressed": 0 },
    { "case": "aes", "caps": "full", "vlen": 256, "agnostic": "ones", "findings": [], "suppressed": 0 },
    { "case": "aes", "caps": "scalar", "findings": [1, 0], "suppressed": 0 },
    { "case": "aes", "caps": "zbb", "findings": [0, 1], "suppressed": 0 },
    { "case": "rsa", "caps": "scalar", "not_checked": "no rule", "findings": [], "suppressed": 0 } ],
    "findings": [
    { "kind": "branch", "function": "f", "offset": 4, "object": "/lib/x.so", "address": 16, "instruction": "beq a0, a1, 0x20",
      "source": { "file": "f.c", "line": 7 }, "count": 3, "path": [], "secret": "client request", "chain": [] },
    { "kind": "address", "function": "g", "offset": 4, "object": "/lib/x.so", "address": 32, "instruction": "lbu a0, 0(a1)",
      "count": 1, "path": [], "secret": "client request", "chain": [] } ] }"#;

fn bodies(text: &str) -> Vec<Vec<String>> {
    let sections = parse(text).unwrap().sections().unwrap();
    sections.iter().map(|s| s.grid.body.iter().map(|line| line.join(" | ")).collect()).collect()
}

#[test]
fn configurations_with_the_same_outcome_share_a_line_and_a_leak_under_either_policy_is_one() {
    let [matrix, findings] = &bodies(TEXT)[..] else { panic!("two tables") };
    let expected = [
        "aes | clean |  | full | 256",
        "aes | leaks | f | full | 128",
        "aes | leaks | f, g | scalar, zbb | ",
        "rsa | not checked | no rule | scalar | ",
    ];
    assert_eq!(*matrix, expected);
    assert_eq!(findings[0], "branch | f | beq a0, a1, 0x20 | f.c:7 | /lib/x.so 0x10 | 3");
    let checks = parse(TEXT).unwrap();
    assert_eq!(checks.counted(), [3, 1, 6]);
    assert_eq!(checks.headline("")[0].0, "3 of 6");
    assert_eq!(checks.warnings().len(), 2);
}

#[test]
fn what_was_only_timed_is_not_called_clean() {
    let text = r#"{ "schema": 1, "subject": "capvec", "findings": [], "rows": [
        { "case": "aes", "caps": "scalar", "findings": [], "suppressed": 0, "timings": [
        { "operation": "encrypt", "cycles": [100], "inputs": 4 },
        { "operation": "decrypt", "cycles": [100, 120], "inputs": 4 } ] } ] }"#;
    let expected = [
        "aes | encrypt | scalar |  | 4 | 100 | one number",
        "aes | decrypt | scalar |  | 4 | 100 to 120 | vary",
    ];
    assert_eq!(bodies(text), [expected]);
    assert!(parse(text).unwrap().headline("").is_empty());
}

#[test]
fn what_is_no_check_of_cases_is_refused() {
    for (from, to) in
        [("\"rows\"", "\"lines\""), ("\"schema\": 1", "\"schema\": 9"), ("[0, 1]", "[0, 2]")]
    {
        assert!(TEXT.contains(from) && parse(&TEXT.replace(from, to)).is_err(), "{to}");
    }
}
