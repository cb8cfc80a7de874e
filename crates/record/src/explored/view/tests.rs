//! Tables of a small exploration.

use super::*;
use crate::explored::{Added, ClassPoint, FunctionPoint};

fn point(with: &str, vlen: u32, price: Price, insns: f64, cycles: f64) -> Point {
    let (case, direction) = ("sha3-256".to_string(), "enc".to_string());
    Point { with: with.into(), vlen, price, case, direction, bytes: 64, insns, cycles, wrong: None }
}

fn explored() -> Explored {
    let added = |name: &str| Added {
        name: name.into(),
        instructions: vec!["x".into()],
        costs: vec!["x: 3 (assumed)".into()],
        kge: None,
    };
    Explored {
        subject: "capvec".into(),
        priced: true,
        vlen: 256,
        with: vec![added("a"), added("b")],
        points: vec![
            point("", 256, Price::Core, 800.0, 1000.0),
            point("", 512, Price::Core, 800.0, 900.0),
            point("a", 256, Price::Core, 200.0, 400.0),
            point("a", 256, Price::Free, 200.0, 100.0),
            point("a", 256, Price::Cycles(16), 200.0, 500.0),
            point("a", 512, Price::Core, 200.0, 300.0),
            point("b", 256, Price::Core, 800.0, 1000.0),
        ],
        ..Explored::default()
    }
}

fn body(explored: &Explored, title: &str) -> Vec<Vec<String>> {
    let mut sections = explored.sections().unwrap().into_iter();
    sections.find(|s| s.title == title).expect("a section").grid.body
}

#[test]
fn gains_and_limits() {
    let gains = body(&explored(), "What it buys");
    let a = [
        "a", "sha3-256", "enc", "64", "800", "200", "4.00", "1000", "400", "2.50", "75.0 %",
        "10.00",
    ];
    assert_eq!(gains[0], a);
    assert_eq!(gains[1][9..], ["1.00", "–", "–"]);
    let legend = explored().sections().unwrap().remove(0).legend;
    assert!(legend.contains("No case changed with b: capvec does not use it here."), "{legend}");
    assert!(legend.contains("apart from what the core adds: x: 3 (assumed).\n"), "{legend}");
    assert_eq!(body(&explored(), "Alone and together")[0], ["a", "4.00", "2.50", "10.00"]);
}

#[test]
fn gains_by_area() {
    let mut explored = explored();
    let has = |e: &Explored| e.sections().unwrap().iter().any(|s| s.title == "By area");
    assert!(!has(&explored), "nothing has an area");
    explored.with[0].kge = Some(12.0);
    let lines = body(&explored, "By area");
    assert_eq!(lines[0][4..], ["2.50", "12.0", "12.50"]);
    assert_eq!(lines[1][4..], ["1.00", "–", "–"]);
}

#[test]
fn latencies_and_vlens() {
    assert_eq!(body(&explored(), "By latency")[0][4..], ["2.50", "2.00"]);
    assert_eq!(body(&explored(), "By VLEN")[0][4..], ["2.50", "3.00"]);
    assert_eq!(body(&explored(), "By VLEN")[1][4..], ["1.00", "–"]);
}

#[test]
fn wrong_answers_have_no_figures() {
    let mut explored = explored();
    explored.points[2].wrong = Some("differs, in byte 1".into());
    assert_eq!(body(&explored, "What it buys")[0][4..8], ["–"; 4]);
    let csv = explored.csv();
    assert!(csv.contains(",a,256,core,sha3-256,enc,64,,,\"differs, in byte 1\"\n"), "{csv}");
    assert_eq!(explored.wrong().count(), 1);
}

#[test]
fn what_would_be_next() {
    let mut explored = explored();
    let function = |name: &str, cycles| FunctionPoint {
        with: "a".into(),
        case: "sha3-256".into(),
        direction: "enc".into(),
        bytes: 64,
        function: name.into(),
        insns: 50.0,
        cycles,
    };
    explored.functions = vec![function("permute", 100.0), function("pad", 300.0)];
    // Neither the number of instructions nor the order of the file matters.
    let class = |name: &str, cycles| ClassPoint {
        with: "a".into(),
        case: "sha3-256".into(),
        direction: "enc".into(),
        bytes: 64,
        class: name.into(),
        insns: 100.0 - cycles,
        cycles,
    };
    explored.classes =
        vec![class("alu", 20.0), class("load", 60.0), class("vset", 20.0), class("mul", 100.0)];
    let next = body(&explored, "What would be next");
    let expected =
        ["a", "sha3-256", "enc", "64", "pad", "75.0 %", "4.00", "mul 50 %, load 30 %, alu 10 %"];
    assert_eq!(next, [expected]);
    assert_eq!(explored.gains().len(), 5);
    assert_eq!(explored.best().map(|(p, gain)| (p.with.as_str(), gain)), Some(("a", 2.5)));
}

/// Functions and classes that would be shown as 0.0 % are left out, but count as others if they are more together.
#[test]
fn what_takes_no_time_is_left_out() {
    let mut explored = explored();
    let function = |name: &str, cycles| FunctionPoint {
        with: "a".into(),
        case: "sha3-256".into(),
        direction: "enc".into(),
        bytes: 64,
        function: name.into(),
        insns: 1.0,
        cycles,
    };
    explored.functions = vec![function("permute", 9999.0), function("pad", 1.0)];
    let names = |explored: &Explored| -> Vec<String> {
        body(explored, "Where the time goes").iter().map(|line| line[4].clone()).collect()
    };
    assert_eq!(names(&explored), ["permute"]);
    explored.functions.extend((0..6).map(|n| function(&format!("small{n}"), 4.0)));
    assert_eq!(names(&explored), ["permute", "others"]);
}

#[test]
fn what_is_not_measured_together_is_said() {
    let apart = vec!["a and b are alternatives: x of a and y of b have a common encoding.".into()];
    let explored = Explored { apart, ..explored() };
    let ranks = explored.sections().unwrap().into_iter().find(|s| s.title == "Alone and together");
    let legend = ranks.expect("a section").legend;
    assert!(
        legend.ends_with("a and b are alternatives: x of a and y of b have a common encoding.\n")
    );
}

/// A newer format is named as such, whatever its fields are.
#[test]
fn newer_formats_and_too_many_figures_are_refused() {
    let error = |text: &str| format!("{:#}", crate::explored::parse(text).unwrap_err());
    assert!(error("{\"explore\":9}").contains("use a newer capvec"));
    let mut many = explored();
    many.points = vec![many.points[0].clone(); 6_000];
    let text = serde_json::to_string(&many).expect("JSON");
    assert!(error(&text).contains("it compares more than 10000 figures"));
    many.points = (0..40).map(|n| point("", 256, Price::Cycles(n), 1.0, 1.0)).collect();
    let text = serde_json::to_string(&many).expect("JSON");
    assert!(error(&text).contains("VLENs or latencies"));
}
