//! The page's JavaScript rounds as the tables do, in Node.js, if it is there.

use capvec_text::digits::{PERCENT, fixed};
use std::process::Command;

const SCRIPT: &str = include_str!("../assets/digits.js");

/// Figures of every magnitude, and decimal fractions that have no exact binary form. Exact ties are left out: the two differ there.
const FIGURES: [f64; 14] = [
    0.0,
    0.0049,
    0.0742,
    0.105,
    0.95,
    1.005,
    2.675,
    9.994,
    9.996,
    31.30,
    99.96,
    353.49,
    6640.7,
    13_498_912.349,
];

#[test]
fn plots_and_tables_round_alike() {
    let list = FIGURES.map(|v| format!("{v:?}")).join(",");
    let print = format!(
        "for (const v of [{list}]) console.log([0, 1, 2, 3].map((d) => fixed(v, d)).join(' '), times(v), share(v, 7));"
    );
    let Ok(run) = Command::new("node").args(["-e", &(SCRIPT.to_string() + &print)]).output() else {
        eprintln!("skipped: no node on the path");
        return;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let expected = FIGURES.map(|v| {
        let places = [0, 1, 2, 3].map(|d| fixed(Some(v), d)).join(" ");
        let times = fixed(Some(v), if v < 10.0 { 2 } else { 1 });
        format!("{places} {times}× {} %\n", PERCENT.text(100.0 * v / 7.0))
    });
    assert_eq!(String::from_utf8_lossy(&run.stdout), expected.concat());
}
