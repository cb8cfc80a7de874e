//! `capvec isa`.

use assert_cmd::Command;

fn capvec(args: &[&str]) -> (String, String, Option<i32>) {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let out = c.args(args).output().expect("capvec starts");
    let text = |b: Vec<u8>| String::from_utf8(b).expect("UTF-8");
    (text(out.stdout), text(out.stderr), out.status.code())
}

#[test]
fn pages_are_as_in_the_snapshots_and_words_are_decoded() {
    insta::assert_snapshot!("extension", capvec(&["isa", "zvksed"]).0);
    insta::assert_snapshot!("instruction", capvec(&["isa", "c.addi16sp"]).0);
    insta::assert_snapshot!("string", capvec(&["isa", "rv64gc_zvkn"]).0);
    assert_eq!(capvec(&["isa", "--decode", "a2082077"]).0, "vsm4r.vv v0, v0\n");
    let words = capvec(&["isa", "--assemble", "vsm4r.vv v0, v0; again: c.nop; bnez a0, again"]).0;
    assert_eq!(words, "a2082077  vsm4r.vv v0, v0\n0001  c.nop 0\nfe051fe3  bne a0, zero, 0x4\n");
    // An instruction whose encoding depends on XLEN, and a word that is a different instruction at each XLEN.
    let page = capvec(&["isa", "rev8"]).0;
    assert!(page.contains("mask 0xfff0707f match 0x6b805013\nonly with XLEN: 64\n"), "{page}");
    assert!(page.contains("mask 0xfff0707f match 0x69805013\nonly with XLEN: 32\n"), "{page}");
    assert_eq!(capvec(&["isa", "--decode", "69855513"]).0, "rv32: rev8 a0, a0\n");
    let both = capvec(&["isa", "--decode", "2501"]).0;
    assert_eq!(both, "rv64: c.addiw a0, 0\nrv32: c.jal 0x600\n");
    // A word that several drafts use, and one that both a ratified extension and a draft use.
    let drafts = capvec(&["isa", "--decode", "a608a477"]).0;
    assert_eq!(drafts, "vgmul.vs v8, v0 (zvkgs0p7)\nvkeccak.vi v8, 0 (zvkk0p2024)\n");
    assert_eq!(capvec(&["isa", "--decode", "32c82457"]).0, "vclmul.vv v8, v12, v16\n");
}

#[test]
fn the_list_has_every_extension_of_the_table() {
    let text = capvec(&["isa"]).0;
    for name in ["zvknhb", "zkr", "zfhmin", "zicboz", "zcmop"] {
        assert!(text.contains(name), "{name}");
    }
}

#[test]
fn the_page_of_a_draft_lists_its_versions() {
    let (text, ..) = capvec(&["isa", "zvknhk"]);
    for part in [
        "zvknhk0p1: Vector Keccak, draft 0.1 of 2026-09-11",
        "cannot be combined, because of shared encodings or mnemonics, with: zvkk0p2024 zvknhk0p2",
        "zvknhk0p2: Vector Keccak, draft 0.2 of 2026-10-07",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(capvec(&["isa", "vkeccak.vi"]).0.matches("encoding: ").count(), 3);
    let (_, err, code) = capvec(&["isa", "rv64gcv_zvknhk"]);
    assert!(code == Some(2) && err.contains("name one: zvknhk0p1, zvknhk0p2"), "{err}");
    let (_, err, code) = capvec(&["run", "--isa", "rv64gcv_zvknhk", "--", "true"]);
    assert!(code == Some(2) && err.contains("name one: zvknhk0p1, zvknhk0p2"), "{err}");
    let both = "zvknhk0p1_zvknhk0p2";
    let (_, err, code) = capvec(&["bench", "--caps", both, "--cases", "sha3-256"]);
    assert!(code == Some(2) && err.contains("have a common encoding; leave zvk"), "{err}");
    let (_, err, code) = capvec(&["isa", "rv64gcv_zvkgs0p7_zvkk0p2024"]);
    let clash = "vgmul.vs of zvkgs0p7 and vkeccak.vi of zvkk0p2024 have a common encoding";
    assert!(code == Some(2) && err.contains(clash), "{err}");
}

#[test]
fn the_page_on_drafts_names_every_draft() {
    let page = include_str!("../../../docs/drafts.md");
    let list = capvec(&["isa"]).0;
    let drafts = list.split("\n draft ").nth(1).expect("a table of drafts").lines().skip(1);
    let names: Vec<&str> = drafts.filter_map(|line| line.split_whitespace().next()).collect();
    for name in names.iter().filter(|n| n.ends_with(|c: char| c.is_ascii_digit())) {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
    assert!(names.len() >= 7, "{list}");
}

/// The table of GHASH is what the command above it prints; some cycles depend on where the linker puts the code.
#[test]
fn the_figures_of_the_page_on_drafts_are_those_of_its_command() {
    let page = include_str!("../../../docs/drafts.md");
    let (_, command) = page.split_once("    capvec bench ").expect("a command");
    // The command continues after a backslash.
    let (command, _) = command.split_once("\n\n").expect("its end");
    let words = command.split_whitespace().filter(|word| *word != "\\");
    let args: Vec<&str> = ["bench", "-q"].into_iter().chain(words).collect();
    let (csv, errors, code) = capvec(&args);
    assert_eq!(code, Some(0), "{errors}");
    let mut lines = csv.lines().map(|l| l.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let column = |name| head.iter().position(|h| *h == name).expect(name);
    let [core, vlen, bytes, set] = ["core", "vlen", "bytes", "capset"].map(column);
    let [insns, cycles] = ["insns_per_op", "cycles_per_op"].map(column);
    let mut table = page.lines().skip_while(|l| !l.starts_with("| core, VLEN |"));
    let cells = |l: &'static str| l.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let sets = cells(table.next().expect("the table"));
    let rows: Vec<_> = table.skip(1).take_while(|l| l.starts_with('|')).map(cells).collect();
    let (mut count, mut measured) = (0, Vec::new());
    for line in lines {
        let place = format!("{}, {}", line[core], line[vlen]);
        let row = rows.iter().find(|r| r[0] == place && r[1] == line[bytes]);
        let at = sets.iter().position(|s| *s == line[set]).expect(line[set]);
        let figures = row.unwrap_or_else(|| panic!("{place} {}", line[bytes]))[at];
        let (wanted, near) = figures.split_once(", ").expect("two figures");
        let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("{text}"));
        assert_eq!(number(wanted), number(line[insns]).round(), "{place} {line:?}");
        let (near, cycles) = (number(near), number(line[cycles]));
        assert!((near - cycles).abs() < f64::max(400.0, 0.1 * cycles), "{place} {line:?}: {near}");
        measured.push(((line[core].to_string(), line[bytes], line[set].to_string()), cycles));
        count += 1;
    }
    assert_eq!(count, 6 * rows.len());
    // What the page says below the table.
    let saved = |core: &str, bytes: &str| {
        let of = |set: &str| {
            let found = measured.iter().find(|((c, b, s), _)| c == core && *b == bytes && s == set);
            found.expect("a figure").1
        };
        100.0 * (1.0 - of("v_zvkg_zvkgs0p7") / of("v_zvkg"))
    };
    for (core, said) in [("karu64", 5.0), ("marian", 13.0), ("ux900", 0.0)] {
        let (short, long) = (saved(core, "4096"), saved(core, "65536"));
        assert!((short - said).abs() < 4.0 && long < 6.0, "{core}: {short} % and {long} %");
    }
}

#[test]
fn unknown_names_are_usage_errors() {
    for args in [["isa", "zvkned2"], ["isa", "rv64gc_zzz"], ["isa", "--decode=zz"]] {
        let (out, err, code) = capvec(&args);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{args:?}: {err}");
    }
    let (_, err, code) = capvec(&["isa", "--decode", "ffffffff"]);
    assert!(code == Some(1) && err.contains("0xffffffff"), "{err}");
}

/// The instructions of Zvbc32e are those of Zvbc, whose manual does not define it.
#[test]
fn a_draft_whose_instructions_are_in_the_file_of_another_extension_names_its_own_source() {
    let page = |name: &str| capvec(&["isa", name]).0;
    assert!(page("zvbc32e0p7").contains("\nsource: Zvbc32e, draft 0.7 "), "{}", page("zvbc32e0p7"));
    assert!(page("zvbc").contains("\nsource: RISC-V Cryptography Extensions Volume II "));
}
