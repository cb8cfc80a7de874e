//! Settings: parameters of a core that are changed for a run.

use crate::cores::copy;
use capvec_timing::{Core, Setting};

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
    // Not the last setting is why a cost is needed, but the one that it is about.
    let missing = set("karu64", &["misaligned.scalar=slow", "misaligned.vector=ok"]).unwrap_err();
    let about = "--set misaligned.scalar=slow: then misaligned.scalar_cycles is missing";
    assert!(missing.contains(about), "{missing}");
    let missing = set("karu64", &["l2.size=65536"]).unwrap_err();
    let rest = "then l2.line, l2.ways and l2.miss are missing; add --set l2.line=VALUE --set l2.ways=VALUE --set l2.miss=VALUE";
    assert!(missing.contains(rest), "{missing}");
    let level = ["l2.size=65536", "l2.line=64", "l2.ways=8", "l2.miss=90"];
    assert_eq!(set("karu64", &level).unwrap().identity.changes.len(), 4);
    let tlb = ["tlb.entries=48", "tlb.ways=5", "tlb.miss=30"];
    let uneven = set("karu64", &tlb).unwrap_err();
    assert!(uneven.contains("48 entries / 5 ways"), "{uneven}");
    assert_eq!(set("karu64", &[tlb[0], "tlb.ways=48", tlb[2]]).unwrap().identity.changes.len(), 3);
    let alone = set("karu64", &["branch.tagged=64", "branch.longest=32"]).unwrap_err();
    assert!(alone.contains("need two-bit counters (branch.history)"), "{alone}");
    let idle = set("karu64", &["vector.queue=4"]).unwrap_err();
    assert!(idle.contains("has no effect on karu64") && idle.contains("ascalon-x"), "{idle}");
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
        ("vector.startup=fast", "from 0 to 100000 cycles"),
        ("vector.startup=-1", "from 0 to 100000 cycles"),
        ("vector.startup=7.3", "a multiple of 1/16"),
        ("vector.startup=inf", "from 0 to 100000 cycles"),
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

#[test]
fn parts_that_lack_a_key_name_it() {
    let missing = |given: &[&str], key: &str| {
        let e = set("karu64", given).unwrap_err();
        assert!(e.contains(&format!("add --set {key}=VALUE")), "{e}");
    };
    missing(&["tlb.miss=30"], "tlb.entries");
    missing(&["l2.line=64"], "l2.size");
    missing(&["branch.history=64", "branch.longest=32"], "branch.tagged");
}
