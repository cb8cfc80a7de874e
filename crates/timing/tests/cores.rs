//! Core files: the shipped ones, and errors in others.

use capvec_isa::capability::Misaligned;
use capvec_timing::{Core, CoreError, Model, Setting};

const KARU64: &str = include_str!("../../../cores/karu64.toml");

#[test]
fn shipped_cores_load_and_name_their_sources() {
    let names: Vec<&str> = Core::names().collect();
    assert_eq!(names, ["ideal", "karu64", "marian", "ux900"]);
    for name in names {
        let core = Core::load(name).unwrap();
        assert_eq!(core.name, name);
        assert!(!core.title.is_empty());
        for p in &core.parameters {
            assert!(p.source.len() > 5, "{name} {}: {:?}", p.key, p.source);
            assert!(!p.source.contains("guess"), "{name} {}: {:?}", p.key, p.source);
        }
        // Model, ISA, VLEN and two frequencies; the in-order model has some ninety more.
        let least = if core.model == Model::Ideal { 5 } else { 80 };
        assert!(core.parameters.len() >= least, "{name}");
    }
}

#[test]
fn shipped_cores_have_the_published_vlen_and_frequency() {
    let facts = [("karu64", 256, 75), ("marian", 512, 75), ("ux900", 128, 50)];
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
    for (name, scalar) in [("ideal", Fast), ("karu64", Fast), ("marian", Emulated), ("ux900", Fast)]
    {
        assert_eq!(Core::load(name).unwrap().misaligned[0], scalar, "{name}");
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
}

#[test]
fn unknown_keys_are_named() {
    check(
        "[fetch]",
        "[fetch]\nwords = { value = 1, source = \"x\" }",
        "fetch.words",
        "unknown key",
    );
    check("[icache]", "[l2]\nsize = { value = 1, source = \"x\" }\n[icache]", "l2.size", "unknown");
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
    check("value = 9.5,", "value = 9.3,", "fetch.cycles", "sixteenths");
    check("value = 9.5,", "value = -1,", "fetch.cycles", "from 0");
    check("value = 9.5,", "value = nan,", "fetch.cycles", "sixteenths");
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
fn copy(from: &str, to: &str) -> Core {
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

fn setting(text: &str) -> Setting {
    let (key, value) = text.split_once('=').unwrap();
    Setting { key: key.into(), value: value.into() }
}

fn set(core: &str, settings: &[&str]) -> Result<Core, String> {
    let settings: Vec<Setting> = settings.iter().map(|s| setting(s)).collect();
    Core::load(core).unwrap().with(&settings).map_err(|e| e.to_string())
}

#[test]
fn a_setting_is_equivalent_to_a_changed_file() {
    let file = copy("startup = { value = 7.5", "startup = { value = 4");
    let core = set("karu64", &["vector.startup=4"]).unwrap();
    assert_eq!(
        (&core.identity.label, &core.identity.digest),
        (&file.identity.label, &file.identity.digest)
    );
    assert_eq!(core.model, file.model);
    let p = core.parameters.iter().find(|p| p.key == "vector.startup").unwrap();
    assert!(p.source.starts_with("--set, instead of 7.5 (fitted to"), "{}", p.source);
    assert_eq!(set("karu64", &["vector.startup=7.50"]).unwrap().identity.label, "karu64");
    let core = set(
        "karu64",
        &["frequency=1e9", "vlen=512", "scalar.mul.latency=2", "scalar.mul.occupancy=1"],
    );
    let core = core.unwrap();
    assert_eq!((core.frequency, core.vlen), (1_000_000_000, 512));
    assert_eq!(core.identity.changes.len(), 4);
    let core = set("karu64", &["vector.datapath=128", "vector.class.vaes.next=2", "isa=rv64gcv"]);
    assert!(!core.unwrap().isa.exts.has(capvec_isa::Ext::Zvkned));
    // For a user's file, changes are relative to that file.
    let mine =
        copy("name = \"karu64\"", "name = \"mine\"").with(&[setting("vector.startup=4")]).unwrap();
    assert_eq!(mine.identity.label, "mine (modified: vector.startup 7.5 → 4)");
    // For a modified copy, both kinds of changes count.
    let both = copy("startup = { value = 7.5", "startup = { value = 4");
    let both = both.with(&[setting("fetch.cycles=8")]).unwrap();
    assert_eq!(
        both.identity.label,
        "karu64 (modified: fetch.cycles 9.5 → 8, vector.startup 7.5 → 4)"
    );
    assert_eq!(both.identity.base, "karu64 (modified: vector.startup 7.5 → 4)");
}

/// Tables show the base next to the settings, so the base does not mention a parameter that is set.
#[test]
fn the_base_of_a_modified_core_does_not_contradict_the_settings() {
    let mine = copy("startup = { value = 7.5", "startup = { value = 4");
    let bases = ["4", "7.5", "2"].map(|startup| {
        let core = mine.with(&[setting(&format!("vector.startup={startup}"))]).unwrap();
        (core.identity.label, core.identity.base)
    });
    let base = || "karu64".to_string();
    assert_eq!(
        bases,
        [
            ("karu64 (modified: vector.startup 7.5 → 4)".into(), base()),
            ("karu64".into(), base()),
            ("karu64 (modified: vector.startup 7.5 → 2)".into(), base()),
        ]
    );
    let faster = copy("75_000_000", "76_000_000").with(&[setting("vector.startup=4")]).unwrap();
    assert_eq!(faster.identity.base, "karu64 (modified: core.frequency 75000000 → 76000000)");
}

#[test]
fn parameters_that_depend_on_each_other_are_set_together() {
    let missing = set("karu64", &["dcache.policy=write-back"]).unwrap_err();
    assert!(missing.contains("add --set dcache.evict=VALUE"), "{missing}");
    let core = set("karu64", &["dcache.policy=write-back", "dcache.evict=76"]).unwrap();
    assert_eq!(core.identity.changes.len(), 2);
    // Parameters that the other policy does not use are dropped.
    let core = set("marian", &["vector.memory_path=cache"]).unwrap();
    assert!(
        core.identity.label.contains("vector.memory_latency")
            && core.identity.label.ends_with("→ none)"),
        "{}",
        core.identity.label
    );
    let idle = set("karu64", &["vector.queue=4"]).unwrap_err();
    assert!(idle.contains("has no effect on karu64") && idle.contains("marian"), "{idle}");
}

#[test]
fn errors_of_wrong_settings_say_what_is_valid() {
    let wrong = [
        ("vector.startp=4", "did you mean vector.startup?"),
        ("startup=4", "did you mean vector.startup?"),
        ("vectr.startup=4", "did you mean vector.startup?"),
        ("vector.class.vaes.frist=4", "did you mean vector.class.vaes.first?"),
        ("core=4", "has no such parameter"),
        ("name=x", "has no such parameter"),
        ("vector..startup=4", "has no such parameter"),
        ("=4", "has no such parameter"),
        ("vector.startup.x=4", "did you mean vector.startup?"),
        ("scalar.mul=4", "set scalar.mul.latency, scalar.mul.occupancy"),
        ("vector.startup=fast", "a number of cycles from 0 to 100000"),
        ("vector.startup=-1", "a number of cycles from 0 to 100000"),
        ("vector.startup=7.3", "in sixteenths"),
        ("vector.startup=inf", "a number of cycles from 0 to 100000"),
        ("vlen=200", "power of two, not 200"),
        ("vlen=64", "from 128 to 65536"),
        ("frequency=1.5", "a whole number from 1 to"),
        ("fetch.port=both", "known values: shared, own"),
        ("isa=rv64gc_zzz", "zzz"),
        ("icache.line=24", "power of two"),
        ("icache.size=5000", "must be a power of two: 5000 bytes"),
    ];
    for (text, words) in wrong {
        let e = set("karu64", &[text]).unwrap_err();
        assert!(e.starts_with(&format!("--set {text}: ")) && e.contains(words), "{e}");
    }
}
