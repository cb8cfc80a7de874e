//! The page's JavaScript has the rules of digits as data, and rounds as the tables do.

use capvec_record::read::load;
use capvec_report::page;
use capvec_text::digits::{AGREEMENT, BARS, PERCENT, RATIO, TIMES, WHOLE};
use capvec_util::testing::skipped;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = include_str!("../assets/digits.js");

/// Figures of every magnitude, decimal fractions that have no exact binary form, and exact ties.
const FIGURES: [f64; 18] = [
    0.0,
    0.0049,
    0.0625,
    0.0742,
    0.105,
    0.125,
    0.95,
    1.005,
    2.5,
    2.675,
    3.5,
    9.994,
    9.996,
    31.30,
    99.96,
    353.49,
    6640.7,
    13_498_912.349,
];

/// The rules that a page has.
fn rules() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/simulator.json");
    let page = page(&[load(&file).unwrap()], "A report").unwrap();
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    serde_json::from_str::<Value>(data).unwrap()["digits"].take()
}

#[test]
fn a_page_has_the_rules_of_its_plots() {
    // As written in crates/text/src/digits/mod.rs.
    let expected = json!({
        "bars": { "below": [[10.0, 2]], "rest": 1 },
        "percent": { "below": [], "rest": 1 },
        "predicted": { "below": [], "rest": 3 },
        "figure": 4,
        "table": 6,
    });
    assert_eq!(rules(), expected);
}

/// In Node.js, if it is there.
#[test]
fn plots_and_tables_round_alike() {
    let list = FIGURES.map(|v| format!("{v:?}")).join(",");
    let print = format!(
        "const f = formats({}); for (const v of [{list}]) console.log([0, 1, 2, 3].map((d) => fixed(v, d)).join(' '), \
         f.times(v), f.share(v, 7), f.predicted(v), f.figure(v).replaceAll(',', ''), f.precise(v));",
        rules()
    );
    let Ok(run) = Command::new("node").args(["-e", &(SCRIPT.to_string() + &print)]).output() else {
        skipped("node", "it is not on the path");
        return;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let significant = |v: f64, digits: usize| {
        let rounded: f64 = format!("{v:.0$e}", digits - 1).parse().unwrap();
        rounded.to_string()
    };
    let expected = FIGURES.map(|v| {
        let places = [WHOLE, TIMES, RATIO, AGREEMENT].map(|rule| rule.text(v)).join(" ");
        let ruled =
            format!("{}× {} % {}", BARS.text(v), PERCENT.text(100.0 * v / 7.0), AGREEMENT.text(v));
        format!("{places} {ruled} {} {}\n", significant(v, 4), significant(v, 6))
    });
    assert_eq!(String::from_utf8_lossy(&run.stdout), expected.concat());
}
