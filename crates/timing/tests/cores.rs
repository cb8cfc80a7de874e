//! Core files: the shipped ones, and errors in others.

use capvec_isa::Ext;
use capvec_isa::capability::Misaligned;
use capvec_timing::{Core, CoreError, Model};

const KARU64: &str = include_str!("../../../cores/karu64.toml");

#[test]
fn shipped_cores_load_and_name_their_sources() {
    let names: Vec<&str> = Core::names().collect();
    assert_eq!(
        names,
        [
            "ascalon-x",
            "ideal",
            "karu64",
            "marian",
            "sifive-p550",
            "sifive-u74",
            "spacemit-x100",
            "spacemit-x60",
            "thead-c908",
            "thead-c910",
            "ux900",
            "zvku"
        ]
    );
    for name in names {
        let core = Core::load(name).unwrap();
        assert_eq!(core.name, name);
        assert!(!core.title.is_empty());
        for p in &core.parameters {
            assert!(p.source.len() > 5, "{name} {}: {:?}", p.key, p.source);
            assert!(!p.source.contains("guess"), "{name} {}: {:?}", p.key, p.source);
        }
        // Model, ISA, VLEN and two frequencies; the other models have some fifty more, and forty for a vector unit.
        let least = match core.model {
            Model::Ideal => 5,
            _ if core.isa.exts.has(Ext::Zve32x) => 80,
            _ => 45,
        };
        assert!(core.parameters.len() >= least, "{name}");
    }
}

#[test]
fn the_listed_vlen_of_each_shipped_core_is_that_of_its_file() {
    for (name, vlen) in Core::vlens() {
        assert_eq!(Core::load(name).expect("it is shipped").vlen, vlen, "{name}");
    }
}

#[test]
fn shipped_cores_have_the_published_vlen_and_frequency() {
    let facts = [
        ("karu64", 256, 75),
        ("marian", 512, 75),
        ("spacemit-x100", 256, 2400),
        ("spacemit-x60", 256, 1600),
        ("thead-c908", 128, 1600),
        ("ux900", 128, 50),
    ];
    for (name, vlen, megahertz) in facts {
        let core = Core::load(name).unwrap();
        assert_eq!((core.vlen, core.frequency), (vlen, megahertz * 1_000_000), "{name}");
    }
}

#[test]
fn a_users_file_is_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.toml");
    std::fs::write(&path, KARU64.replace("\"karu64\"", "\"mine\"")).unwrap();
    assert_eq!(Core::load(path.to_str().unwrap()).unwrap().name, "mine");
    let missing = dir.path().join("none.toml");
    let error = Core::load(missing.to_str().unwrap()).unwrap_err();
    assert!(matches!(error, CoreError::Read { .. }), "{error}");
    assert!(error.to_string().contains("none.toml"), "{error}");
}

/// Misaligned access performance as Linux reports it: as the file states, otherwise as Linux would measure the model.
#[test]
fn misaligned_access_performance_is_stated_or_derived() {
    use Misaligned::{Emulated, Fast, Slow, Unsupported};
    for (name, scalar, vector) in [
        ("ideal", Fast, Fast),
        ("karu64", Fast, Fast),
        ("marian", Emulated, Slow),
        ("ux900", Fast, Fast),
        ("sifive-u74", Emulated, Unsupported),
        ("spacemit-x60", Fast, Unsupported),
        ("thead-c908", Fast, Unsupported),
        ("thead-c910", Fast, Fast),
        ("ascalon-x", Fast, Fast),
    ] {
        assert_eq!(Core::load(name).unwrap().misaligned, [scalar, vector], "{name}");
    }
    let core = |text: &str| Core::parse("mine", text).map(|c| c.misaligned);
    let stated =
        "[hwprobe]\nmisaligned_scalar = { value = \"emulated\", source = \"its kernel\" }\n";
    let both = format!(
        "{stated}misaligned_vector = {{ value = \"unsupported\", source = \"its kernel\" }}\n"
    );
    assert_eq!(core(&format!("{KARU64}\n{stated}")).unwrap(), [Emulated, Fast]);
    assert_eq!(core(&format!("{KARU64}\n{both}")).unwrap(), [Emulated, Unsupported]);
    // A load takes 1 + 2 cycles, a store 1 + 9.5: 108 for eight of each. A misaligned copy takes 13.5 and twice
    // `extra`.
    let extra = |cycles: &str| {
        KARU64.replacen(
            "misaligned = { value = 9.5",
            &format!("misaligned = {{ value = {cycles}"),
            1,
        )
    };
    assert_eq!(core(&extra("47")).unwrap(), [Fast, Fast]);
    assert_eq!(core(&extra("48")).unwrap(), [Slow, Slow]);
    let error = core(&format!("{KARU64}\n{}", stated.replace("emulated", "quick")))
        .unwrap_err()
        .to_string();
    assert!(error.contains("hwprobe.misaligned_scalar") && error.contains("emulated"), "{error}");
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let error = Core::load("karu").unwrap_err().to_string();
    for word in ["\"karu\"", "karu64", "marian", ".toml"] {
        assert!(error.contains(word), "{error}");
    }
}

/// The error for karu64's file with `from` replaced by `to`.
#[track_caller]
fn error(from: &str, to: &str) -> String {
    assert!(KARU64.contains(from), "the file has no {from}");
    let text = KARU64.replacen(from, to, 1);
    let message = Core::parse("mine.toml", &text).unwrap_err().to_string();
    assert!(message.contains("mine.toml"), "{message}");
    message
}

/// The error for the modified file must name `key` and contain `word`.
#[track_caller]
fn check(from: &str, to: &str, key: &str, word: &str) {
    let message = error(from, to);
    assert!(message.contains(key) && message.contains(word), "{message}");
}

/// karu64's line that starts with `start`.
fn line(start: &str) -> &'static str {
    KARU64.lines().find(|l| l.starts_with(start)).expect("the file has the line")
}

#[test]
fn missing_keys_are_named() {
    check(line("div = "), "", "scalar.div", "missing");
    check(line("vghash = "), "", "vector.class.vghash", "missing");
    check(line("frequency = "), "", "core.frequency", "missing");
    check(line("title = "), "", "title", "missing");
    check("\n[branch]", "\n[elsewhere]", "branch.history", "missing");
    check("{ latency = 4, occupancy = 4 }", "{ latency = 4 }", "scalar.mul.occupancy", "missing");
    let tlb = "\n[tlb]\nways = { value = 4, source = \"s\" }\n[branch]";
    check("\n[branch]", tlb, "tlb.entries and tlb.miss are missing", "write tlb.entries = {");
}

#[test]
fn unknown_keys_are_named() {
    check(
        "[fetch]",
        "[fetch]\nwords = { value = 1, source = \"x\" }",
        "fetch.words",
        "unknown key",
    );
    check("[icache]", "[l3]\nsize = { value = 1, source = \"x\" }\n[icache]", "l3.size", "unknown");
    check("title = ", "tittle = \"x\"\ntitle = ", "tittle", "unknown key");
    check("occupancy = 4 }", "occupancy = 4, x = 1 }", "scalar.mul.x", "unknown key");
}

#[test]
fn every_parameter_needs_a_source() {
    let div = line("div = ");
    let (value, _) = div.split_once(", source").unwrap();
    check(div, &format!("{value} }}"), "scalar.div.source", "missing");
    check(div, &format!("{value}, source = \" \" }}"), "scalar.div.source", "empty");
    check(div, "div = 64", "scalar.div", "source");
    check(div, &format!("{value}, sauce = \"x\" }}"), "scalar.div.source", "missing");
}

#[test]
fn errors_of_bad_values_say_what_is_valid() {
    check("value = 4096,", "value = 4095,", "icache.size", "power of two");
    check("value = 64,", "value = 48,", "icache.line", "power of two");
    check("value = 9.5,", "value = 9.3,", "fetch.cycles", "1/16");
    check("value = 9.5,", "value = -1,", "fetch.cycles", "from 0");
    check("value = 9.5,", "value = nan,", "fetch.cycles", "1/16");
    check("value = 9.5,", "value = 1e300,", "fetch.cycles", "from 0");
    check("value = \"shared\"", "value = \"both\"", "fetch.port", "shared, own");
    check("{ latency = 64, occupancy = 64 }", "{ latency = 0, occupancy = 1 }", "scalar.div", "1");
    check("{ latency = 64, occupancy = 64 }", "64", "scalar.div", "latency, occupancy");
    check(
        "per = \"group\", first = 1",
        "per = \"block\", first = 1",
        "vector.class.vaes.per",
        "group",
    );
    check(
        "valu = { value = { per = \"beat\"",
        "valu = { value = { per = \"group\"",
        "valu.per",
        "beat",
    );
    check("value = \"vlen\"", "value = 100", "vector.datapath", "power of two");
    check("rv64gcv_zicntr", "rv64gcv_zicntt", "core.isa", "zicntt");
    check("value = 256,", "value = 200,", "core.vlen", "power of two");
}

#[test]
fn errors_in_toml_name_the_line() {
    let error = Core::parse("mine.toml", "name = \"x\"\n[core\n").unwrap_err().to_string();
    assert!(error.contains("mine.toml") && error.contains("line 2"), "{error}");
}

#[test]
fn a_core_without_vectors_may_not_have_vector_parameters() {
    let scalar = KARU64.replace("rv64gcv_zicntr_zihpm_zbb_zvkng_zvksg", "rv64gc");
    let error = Core::parse("mine.toml", &scalar).unwrap_err().to_string();
    assert!(error.contains("unknown key"), "they would have no effect: {error}");
    let (head, _) = scalar.split_once("[vector]").unwrap();
    let vset = scalar.lines().find(|l| l.starts_with("vset")).unwrap();
    Core::parse("mine.toml", &head.replace(vset, "")).unwrap();
}

/// karu64's file with `from` replaced by `to`, under the same name.
pub fn copy(from: &str, to: &str) -> Core {
    assert!(KARU64.contains(from), "the file has no {from}");
    Core::parse("copy.toml", &KARU64.replacen(from, to, 1)).unwrap()
}

#[test]
fn a_copy_is_the_shipped_core_however_it_is_written() {
    let shipped = Core::load("karu64").unwrap();
    assert_eq!((shipped.identity.label.as_str(), shipped.identity.changes.len()), ("karu64", 0));
    let same = [
        copy("[vector]", "# a comment\n[ vector ]"),
        copy("startup = { value = 7.5", "startup={value=75e-1"),
        copy("value = 64, source = \"karu64: 64-byte", "value = 0x40, source = \"other: 64-byte"),
        copy("to_scalar = { value = 0", "to_scalar = { value = 0.0"),
        copy("rv64gcv_zicntr_zihpm_zbb", "rv64imafdcv_zifencei_zbb_zihpm_zicntr"),
    ];
    for core in same {
        assert_eq!(
            (core.identity.label.as_str(), &core.identity.digest),
            ("karu64", &shipped.identity.digest)
        );
    }
}

#[test]
fn a_copy_with_other_parameters_says_so() {
    let core = copy("startup = { value = 7.5", "startup = { value = 4");
    assert_eq!(core.identity.label, "karu64 (modified: vector.startup 7.5 → 4)");
    assert_ne!(core.identity.digest, Core::load("karu64").unwrap().identity.digest);
    assert_eq!(core.name, "karu64", "a guest sees the name");
    let core = copy("{ latency = 64, occupancy = 64 }", "{ latency = 64, occupancy = 8 }");
    assert_eq!(core.identity.label, "karu64 (modified: scalar.div.occupancy 64 → 8)");
    let more = format!(
        "{KARU64}\n[hwprobe]\nmisaligned_scalar = {{ value = \"slow\", source = \"x\" }}\n"
    );
    let core = Core::parse("copy.toml", &more).unwrap();
    assert_eq!(core.identity.label, "karu64 (modified: hwprobe.misaligned_scalar none → slow)");
    // A different core under the same name.
    let other = include_str!("../../../cores/marian.toml").replacen(
        "name = \"marian\"",
        "name = \"karu64\"",
        1,
    );
    let core = Core::parse("copy.toml", &other).unwrap();
    let short = &core.identity.digest[..8];
    assert!(
        core.identity.label.starts_with(
            "karu64 (modified: core.isa rv64gcv_zicntr_zihpm_zbb_zvkng_zvksg → rv64gcv_"
        ),
        "{}",
        core.identity.label
    );
    assert!(
        core.identity.label.ends_with(&format!(" more; digest {short})")),
        "{}",
        core.identity.label
    );
    // Under a name of its own, there is no shipped core to compare with.
    assert_eq!(copy("name = \"karu64\"", "name = \"mine\"").identity.label, "mine");
}

/// Parameters of pipes have no effect on a unit without pipes, so its file must not have them.
#[test]
fn only_a_unit_with_pipes_says_what_the_first_executes() {
    let x60 = include_str!("../../../cores/spacemit-x60.toml");
    assert!(Core::parse("mine", x60).is_ok());
    let without = |key: &str| -> String {
        x60.lines()
            .filter(|l| !l.starts_with(&format!("{key} =")))
            .map(|l| format!("{l}\n"))
            .collect()
    };
    let error = Core::parse("mine", &without("pipes")).unwrap_err().to_string();
    assert!(error.contains("vector.first_pipe"), "{error}");
    let unknown = x60.replace("valu-logic vslide", "valu-logik vslide");
    let error = Core::parse("mine", &unknown).unwrap_err().to_string();
    assert!(error.contains("valu-logik is not a class of vector instructions"), "{error}");
}
