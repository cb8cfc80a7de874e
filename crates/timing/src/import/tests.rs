//! Imports of made-up tables into whole cores.

use super::*;
use crate::core::Core;

/// A line of rvv-bench with the same cycles for each SEW.
fn line(instruction: &str, cycles: [f64; 4]) -> String {
    let cells: String = cycles.iter().map(|c| format!("<td>{c}</td>")).collect();
    format!("<tr><td>{instruction}</td>{}</tr>\n", cells.repeat(4))
}

#[test]
fn what_the_table_says_is_imported_and_the_rest_is_that_of_the_other_core() {
    let like = Core::load("spacemit-x60").unwrap();
    let text = line("vadd.vv v8,v16,v24", [0.5, 1.0, 2.0, 4.0])
        + &line("vrgather.vv v8,v16,v24", [3.0, 12.0, 48.0, 192.0])
        + &line("vle64.v v8,(t0)", [2.0, 3.0, 5.0, 9.0])
        + &line("mul t0,t1,t2", [4.0; 4]);
    let made =
        import(Form::RvvBench, &text, "mine", "a board of mine", &like, None).unwrap().unwrap();
    let core = Core::parse("mine.toml", &made.text).unwrap();
    let of = |key: &str| core.parameters.iter().find(|p| p.key == key).unwrap();
    assert_eq!(core.name, "mine");
    assert_eq!((made.given, made.all), (4, core.parameters.len()));
    assert!(made.misfits.is_empty(), "{:?}", made.misfits);
    for (key, value) in [
        ("vector.class.valu", "per beat, first 0.5, next 0.5"),
        ("vector.class.vgather", "per register-pair, first 3, next 3"),
        ("vector.class.vload", "per beat, first 2, next 1"),
        ("vector.datapath", "256"),
    ] {
        assert_eq!(of(key).value_text(), value, "{key}");
    }
    let mul = &of("scalar.mul").value;
    assert_eq!(mul.get("occupancy").and_then(toml::Value::as_integer), Some(4));
    assert!(of("vector.class.valu").source.contains("a board of mine"));
    assert!(of("vector.class.vaes").source.starts_with("as spacemit-x60: "));
}

/// The costs are those of the whole table at the VLEN that is given, and the core says where that is from.
#[test]
fn the_vlen_of_the_table_has_its_source() {
    let like = Core::load("spacemit-x60").unwrap();
    let text = line("vadd.vv v8,v16,v24", [0.5, 1.0, 2.0, 4.0]);
    let vlen = Vlen { bits: 512, source: "--vlen".into() };
    let made =
        import(Form::RvvBench, &text, "mine", "a board", &like, Some(&vlen)).unwrap().unwrap();
    let core = Core::parse("mine.toml", &made.text).unwrap();
    let of = |key: &str| core.parameters.iter().find(|p| p.key == key).unwrap();
    assert_eq!((core.vlen, of("core.vlen").source.as_str()), (512, "--vlen"));
    assert_eq!(of("vector.datapath").value_text(), "512");
    assert!(made.has_vectors);
    let vlen = Vlen { bits: 200, ..vlen };
    assert!(import(Form::RvvBench, &text, "mine", "a board", &like, Some(&vlen)).is_err());
}

#[test]
fn a_cost_that_the_model_cannot_express_is_named() {
    let like = Core::load("spacemit-x60").unwrap();
    let text = line("vslideup.vi v8,v16,3", [8.0, 1.0, 1.0, 64.0]);
    let made = import(Form::RvvBench, &text, "mine", "somewhere", &like, None).unwrap().unwrap();
    assert_eq!(made.misfits.len(), 1);
    assert_eq!(made.misfits[0].0, "vslide");
}

/// Latencies are only in the tables of llvm-mca.
#[test]
fn latencies_are_imported_where_the_table_has_them() {
    let like = Core::load("sifive-u74").unwrap();
    let text = "Instruction Info:\n[1] [2] [3] [4] [5] [6] Instructions:\n 1 5 2.00 mul a0, a0, a0\n 1 4 0.50 * ld a0, 0(a0)\n";
    let made = import(Form::LlvmMca, text, "mine", "a file", &like, None).unwrap().unwrap();
    let core = Core::parse("mine.toml", &made.text).unwrap();
    let of = |key: &str, member: &str| {
        let p = core.parameters.iter().find(|p| p.key == key).unwrap();
        p.value.get(member).and_then(toml::Value::as_integer).unwrap()
    };
    assert_eq!((of("scalar.mul", "latency"), of("scalar.mul", "occupancy")), (5, 2));
    assert_eq!((of("scalar.load", "latency"), of("scalar.load", "occupancy")), (4, 1));
    assert!(import(Form::LlvmMca, "nothing", "mine", "a file", &like, None).unwrap().is_none());
}
