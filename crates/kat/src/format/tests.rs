//! Files that follow the format, and files that violate it.

use super::*;

const HEAD: &str = "# About\nformat = capvec-vectors 1\norigin = here\nlicence = none\nkey = 00\n";

fn read(body: &str) -> Result<Vec<Vector>, String> {
    parse("f.txt", &format!("{HEAD}\n{body}")).map_err(|e| e.to_string())
}

#[test]
fn fields_of_the_header_stand_for_all_records() {
    let v = read(
        "algorithm = a\nid = 1\nin = 0a\n\n\nalgorithm = a\nid = 2\nkey =\nresult = invalid\n",
    )
    .unwrap();
    assert_eq!(
        (v[0].key.as_str(), v[0].input.as_str(), v[0].outcome),
        ("00", "0a", Outcome::Valid)
    );
    assert_eq!((v[1].key.as_str(), v[1].id.as_str(), v[1].outcome), ("", "2", Outcome::Invalid));
}

#[test]
fn a_sweep_has_a_vector_for_each_length() {
    let v = read("algorithm = a\nid = s\nlengths = 0-1 7\nout-fnv1a64 = 000000000000000100000000000000020000000000000003\n").unwrap();
    let got: Vec<_> = v.iter().map(|v| (v.id.as_str(), v.input.as_str(), v.out.clone())).collect();
    let fnv = Expected::Fnv;
    assert_eq!(got, [("s/0", "@0", fnv(1)), ("s/1", "@1", fnv(2)), ("s/7", "@7", fnv(3))]);
}

#[test]
fn errors_name_the_line() {
    let cases = [
        ("id = 1\n", "line 7: the record lacks algorithm"),
        ("algorithm = a\nid = 1\nin = 0A\n", "line 9: in"),
        ("algorithm = a\nid = 1\nin = 0\n", "line 9: in"),
        ("algorithm = a\nid = 1\nin = @65537\n", "line 9: in"),
        (&format!("algorithm = a\nid = 1\ntag = {}\n", "00".repeat(65)), "line 9: tag"),
        (
            &format!("algorithm = a\nid = 1\nin = {0}\nout = {0}\n", "00".repeat(65536)),
            "line 7: the record has",
        ),
        ("algorithm = a\nid = 1\nin = @+3\n", "line 9: in: @+3: no length"),
        ("algorithm = a\nid = 1\nin = @\n", "line 9: in: @: no length"),
        ("algorithm = a\nid = 1\n\nalgorithm = b\nid = 1\n", "line 10: id 1 is already used"),
        (
            "algorithm = a\nid = 1\nlengths = 5-3 3\nout-fnv1a64 = 00\n",
            "line 7: lengths = 5-3 3: 5-3",
        ),
        ("algorithm = a\nid = 1\nlengths = +3\nout-fnv1a64 = 00\n", "line 7: lengths = +3"),
        (
            "algorithm = a\nid = 1\nlengths = 3 3\nout-fnv1a64 = 00000000000000010000000000000001\n",
            "line 7: id 1/3 is already used",
        ),
        ("algorithm = a\nid = 1\nlengths = 0\nout-fnv1a64 = +000000000000001\n", "16 hexadecimal"),
        ("algorithm = a\nid = 1\nmsg = 00\n", "msg"),
        ("algorithm = a\nid = 1\nid = 2\n", "a second time"),
        ("algorithm = a\nid = 1\norigin = x\n", "header"),
        ("algorithm = a\nid = 1\nresult = maybe\n", "maybe"),
        ("algorithm = a\nid = 1\nlengths = 0-1\nout-fnv1a64 = 00\n", "2 lengths, 1 digests"),
        ("algorithm = a\nid = 1\nlengths = 0\nout-fnv1a64 = 00\n", "16 hexadecimal"),
        ("algorithm = a\nid = 1\nlengths = x\n", "lengths = x"),
        ("algorithm = a\nid = 1\nsweep = in\n", "sweep without lengths"),
        ("algorithm\n", "line 7: no `name = value`"),
    ];
    for (body, needle) in cases {
        let e = read(body).unwrap_err();
        assert!(e.starts_with("f.txt, line ") && e.contains(needle), "{body:?}: {e}");
    }
    assert!(parse("f", "").is_err() && parse("f", "format = 2\n").is_err());
}
