//! Cores with random parameters, to vary what is zero, aligned or large in every shipped core.

use capvec_sim::testing::Rng;
use capvec_timing::{Core, Setting};

const BASES: [&str; 5] = [
    include_str!("../../../../cores/karu64.toml"),
    include_str!("../../../../cores/marian.toml"),
    include_str!("../../../../cores/spacemit-x100.toml"),
    include_str!("../../../../cores/spacemit-x60.toml"),
    include_str!("../../../../cores/ux900.toml"),
];

/// A parameter as a line of a core file.
fn line(key: &str, value: &str) -> String {
    format!("{key} = {{ value = {value}, source = \"random\" }}\n")
}

/// The core file with another value for `section.key`.
fn with(text: &str, section: &str, key: &str, value: &str) -> String {
    let (mut inside, mut changed) = (false, false);
    let mut replaced = |l: &str| {
        if l.starts_with('[') {
            inside = l == format!("[{section}]");
        }
        if !inside || !l.starts_with(&format!("{key} = ")) {
            return format!("{l}\n");
        }
        changed = true;
        line(key, value)
    };
    let text = text.lines().map(&mut replaced).collect();
    assert!(changed, "the file has {section}.{key}");
    text
}

/// Cycles in sixteenths, zero in a third of the cases.
fn cycles(rng: &mut Rng, most: u64) -> String {
    let ticks = if rng.one_in(3) { 0 } else { rng.below(16 * most) };
    format!("{:?}", ticks as f64 / 16.0)
}

/// The core file with a small random cache, or with none: random line size, ways and sets.
fn cache(rng: &mut Rng, text: String, section: &str) -> String {
    let line = 4u64 << rng.below(5);
    let ways = rng.pick(&[1, 1, 2, 3, 4]);
    let sets = if rng.one_in(8) { 0 } else { 1u64 << rng.below(5) };
    let numbers = [("line", line), ("ways", ways), ("size", line * ways * sets)];
    numbers.iter().fold(text, |text, (key, n)| with(&text, section, key, &n.to_string()))
}

/// The core file with small tagged tables for branches, or without; they need a history.
fn tagged(rng: &mut Rng, text: String, history: &str) -> String {
    let own = |line: &&str| !line.starts_with("tagged = ") && !line.starts_with("longest = ");
    let text: String = text.lines().filter(own).map(|line| format!("{line}\n")).collect();
    if history == "0" || rng.one_in(2) {
        return text;
    }
    let (entries, longest) = (2u64 << rng.below(6), 16 + rng.below(49));
    let tables = line("tagged", &entries.to_string()) + &line("longest", &longest.to_string());
    text.replace("[branch]\n", &format!("[branch]\n{tables}"))
}

/// The core file with a small second-level cache and a small TLB, either of which may be missing.
fn second_level(rng: &mut Rng, text: String) -> String {
    // Without its own.
    let (before, rest) = text.split_once("[l2]\n").unwrap_or((&text, ""));
    let mut text = before.to_string() + rest.split_once("\n\n").map_or("", |(_, after)| after);
    let mut add = |table: &str, numbers: &[(&str, String)]| {
        text += &format!("[{table}]\n");
        numbers.iter().for_each(|(key, value)| text += &line(key, value));
    };
    let ways = rng.pick(&[1, 2, 3, 8]);
    if rng.one_in(2) {
        let (line, sets) = (4u64 << rng.below(6), 1u64 << rng.below(5));
        let [size, line, ways] = [line * ways * sets, line, ways].map(|n| n.to_string());
        let miss = cycles(rng, 90);
        add("l2", &[("size", size), ("line", line), ("ways", ways), ("miss", miss)]);
    }
    if rng.one_in(2) {
        let [entries, ways] = [ways << rng.below(2), ways].map(|n| n.to_string());
        add("tlb", &[("entries", entries), ("ways", ways), ("miss", cycles(rng, 90))]);
    }
    text
}

/// A core file with random parameters.
pub fn random(rng: &mut Rng) -> Core {
    let mut text = rng.pick(&BASES).to_string();
    let mut set = |section: &str, key: &str, value: String| {
        text = with(&text, section, key, &value);
    };
    set("fetch", "word", (2u64 << rng.below(5)).to_string());
    set("fetch", "cycles", cycles(rng, 6));
    set("fetch", "buffer", rng.below(6).to_string());
    set("fetch", "port", rng.pick(&["\"own\"", "\"shared\""]).into());
    set("icache", "miss", cycles(rng, 40));
    let history = rng.pick(&["0", "1", "8", "64"]);
    set("branch", "history", history.into());
    for key in ["taken", "mispredict", "jump", "return", "indirect"] {
        set("branch", key, cycles(rng, 9));
    }
    for key in ["miss", "read", "write", "misaligned"] {
        set("dcache", key, cycles(rng, 20));
    }
    set("dcache", "width", (1u64 << rng.below(6)).to_string());
    text = cache(rng, text, "icache");
    text = cache(rng, text, "dcache");
    text = tagged(rng, text, history);
    text = second_level(rng, text);
    let core = Core::parse("random", &text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
    misaligned(rng, &core)
}

/// The core with other ways to handle misaligned accesses.
pub fn misaligned(rng: &mut Rng, core: &Core) -> Core {
    let mut settings = Vec::new();
    let mut set = |key: &str, value: String| {
        settings.push(Setting { key: format!("misaligned.{key}"), value });
    };
    for (kind, costs) in
        [("scalar", &["scalar_cycles"][..]), ("vector", &["vector_cycles", "element_cycles"])]
    {
        let handling = rng.pick(&["ok", "ok", "slow", "trap"]);
        set(kind, handling.into());
        if handling == "slow" {
            costs.iter().for_each(|key| set(key, cycles(rng, 300)));
        }
    }
    core.with(&settings).unwrap_or_else(|e| panic!("{e}"))
}
