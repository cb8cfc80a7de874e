//! Explanations as tables.

#[cfg(test)]
mod tests;
mod words;

use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::view::speed_unit::SpeedUnit;
use crate::{Evaluated, Explanation};
use capvec_text::digits::{RATIO, rate};

/// What the columns mean.
const LEGEND: &str = "\
Starting from scalar, each line adds the extension that helps most, or the smallest group that helps. factor: relative to the line
before. on the chain: whether these lines lead to the best set, to another set that is as fast, or end at a slower one.
adds nothing: it made the sets in brackets neither faster nor slower, within 0.5 %. only with: it had no effect on sets
without these. not measured: OpenSSL's dispatch asks for it, but the measured sets do not show its effect; --explain measures
more. others: the dispatch never asks for them, and no two measured sets differ in one of them alone. slows: the worst factor on a
measured set.
";

/// The chains and what adds nothing, with legends: for messages of the largest size, encryption, then for operations
/// without a message. Empty without explanations.
pub(super) fn sections(record: &Evaluated) -> Vec<Section> {
    let explanations = &record.explanations;
    let largest = explanations.iter().map(|e| e.bytes).max().unwrap_or(0);
    let axes = CoreColumns::of(record);
    let sized = |e: &&Explanation| e.bytes > 0 && e.bytes == largest && e.direction == "enc";
    let messages: Vec<_> = explanations.iter().filter(sized).collect();
    let operations: Vec<_> = explanations.iter().filter(|e| e.bytes == 0).collect();
    let sorts = [messages, operations];
    sorts.iter().filter(|s| !s.is_empty()).flat_map(|s| pair(s, &axes)).collect()
}

/// The two tables of explanations; either all of them have a message, or none.
fn pair(shown: &[&Explanation], axes: &CoreColumns) -> [Section; 2] {
    let operations = shown.iter().all(|e| e.bytes == 0);
    let line = |first: [String; 2], axes: Vec<String>, rest: Vec<String>| {
        let [case, operation] = first;
        let mut cells = vec![case];
        cells.extend(axes);
        cells.extend(operations.then_some(operation));
        cells.extend(rest);
        cells
    };
    let of = |e: &Explanation, rest| {
        line([e.case.clone(), e.direction.clone()], axes.at(&e.core, e.vlen), rest)
    };
    let head = |words: &[&str]| {
        let words = words.iter().map(|w| w.to_string()).collect();
        line(["case", "operation"].map(String::from), axes.head(), words)
    };
    let speeds = |e: &&Explanation| {
        let steps = e.steps.iter().map(|s| s.kbps);
        std::iter::once(e.scalar_kbps).chain(steps).collect::<Vec<_>>()
    };
    let bytes = SpeedUnit::of(shown.iter().flat_map(speeds));
    let unit = if operations { "ops/s" } else { bytes.name };
    let speed = |ops_per_s: f64, kbps: Option<f64>| match operations {
        true => rate(Some(ops_per_s)),
        false => bytes.cell(kbps),
    };
    let mut chains = Grid { head: head(&["adds", unit, "factor", "speed-up"]), body: Vec::new() };
    let words = [
        "best capability set",
        "on the chain",
        "adds nothing",
        "only with",
        "not measured",
        "slows",
    ];
    let mut verdicts = Grid { head: head(&words), body: Vec::new() };
    for e in shown {
        let first = speed(e.scalar_ops_per_s, e.scalar_kbps);
        chains.body.push(of(e, vec!["scalar".into(), first, "–".into(), "–".into()]));
        for s in &e.steps {
            let factors = [s.factor, s.ops_per_s / e.scalar_ops_per_s].map(|v| RATIO.text(v));
            let cells = [format!("+ {}", s.adds.join(" ")), speed(s.ops_per_s, s.kbps)];
            chains.body.push(of(e, cells.into_iter().chain(factors).collect()));
        }
        let reached = e.on_the_chain().into();
        let cells = vec![e.best.clone(), reached, e.idle(), e.together(), e.missing(), e.slowing()];
        verdicts.body.push(of(e, cells));
    }
    [
        Section { title: "What each extension adds", grid: chains, legend: "".into() },
        Section {
            title: "Smallest set, and what adds nothing",
            grid: verdicts,
            legend: LEGEND.into(),
        },
    ]
}
