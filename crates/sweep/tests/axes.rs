//! The file of a sweep.

use capvec_sweep::Axes;

const FILE: &str = r#"
[axes]
vlen = [128, 256]
caps = ["scalar", "full"]
core = ["karu64", "marian"]
vector.startup = [2, 7.5]
cases = "sha256"

[common]
bytes = [64, 1024]
kat = "none"

[[exclude]]
core = "marian"
vlen = [128]
"#;

fn axes(text: &str) -> Result<Axes, String> {
    Axes::parse("sweep.toml", text).map_err(|e| e.to_string())
}

#[test]
fn every_combination_but_those_left_out_the_last_axis_fastest() {
    let axes = axes(FILE).unwrap();
    let names: Vec<&str> = axes.axes.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["core", "vector.startup", "vlen", "caps", "cases"]);
    let walk: Vec<Vec<&str>> = axes.walk().collect();
    assert_eq!((axes.combinations(), walk.len()), (16, 12));
    assert_eq!(walk[0], ["karu64", "2", "128", "scalar", "sha256"]);
    assert_eq!(walk[1], ["karu64", "2", "128", "full", "sha256"]);
    assert_eq!(walk[11], ["marian", "7.5", "256", "full", "sha256"]);
    assert!(!walk.iter().any(|w| w[0] == "marian" && w[2] == "128"));
    assert_eq!(axes.common, ["--bytes", "64,1024", "--kat", "none"]);
    assert_eq!(axes.axes[1].words("2"), ["--set", "vector.startup=2"]);
    assert_eq!(axes.axes[2].words("128"), ["--vlen", "128"]);
}

#[test]
fn wrong_keys_and_values_are_named() {
    for (text, expected) in [
        ("[axes]\nvlan = [1]", "axes.vlan is unknown (did you mean vlen?)"),
        ("[axes]\ncaps = []", "axes.caps has no value"),
        ("[axes]\ncaps = [[1]]", "axes.caps is not a list of values"),
        ("[axes]\nvlen = [128, 128]", "axes.vlen has 128 twice"),
        ("[axis]\nvlen = [128]", "axis is unknown; a sweep has [axes], [common] and [[exclude]]"),
        ("[axes]\nvlen = [128]\n[common]\nvlen = 1", "vlen is an axis; remove it from [common]"),
        ("[common]\nbites = 1", "common.bites is unknown (did you mean bytes?)"),
        ("[common]\ntarget = \"native\"", "common.target is unknown"),
        ("[axes]\nvlen = [128]\n[[exclude]]\ncore = \"x\"", "exclude: core is not an axis"),
        ("[axes]\nvlen = [128]\n[[exclude]]\nvlen = 256", "exclude: vlen has no value 256"),
        ("[axes]\nvlen = [128]\n[[exclude]]", "exclude: it would leave out everything"),
        ("", "there are no [axes]"),
        ("[common]\nbytes = 1", "there are no [axes]"),
        ("axes = 1", "axes is not a table; write [axes]"),
        ("[axes", "TOML"),
    ] {
        let e = axes(text).unwrap_err();
        assert!(e.starts_with("sweep.toml: ") && e.contains(expected), "{text}: {e}");
    }
}
