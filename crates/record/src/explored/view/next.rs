//! What would be next: where the rest of the time goes once something is added.

use super::{View, names, ratio};
use crate::explored::{ClassPoint, FunctionPoint};
use crate::grid::{Grid, Section};
use capvec_text::digits::{PERCENT, RATIO, WHOLE};

/// Classes that are shown for each case.
const CLASSES: usize = 3;

const NEXT: &str = "\
function, share: the function that takes most of the remaining cycles. further gain: if it took no time. instructions: \
the classes that take most of the remaining cycles, including waits for data, fetch and the vector unit.
";

impl View<'_> {
    /// The function and the classes that take most of what is left.
    pub(super) fn next(&self) -> Section {
        let head =
            ["extensions", "case", "operation", "bytes", "function", "share", "further gain"];
        let mut head = names(&head);
        head.push("instructions".into());
        let body = self.lines().filter_map(|(case, with, mut cells)| {
            let own = self.index.functions(case, with);
            let total: f64 = own.iter().map(|f| f.cycles).sum();
            let most = |a: &&&FunctionPoint, b: &&&FunctionPoint| a.cycles.total_cmp(&b.cycles);
            let first = own.iter().max_by(most)?;
            let share = ratio([first.cycles, total]);
            let percent = PERCENT.show(share.map(|s| 100.0 * s));
            cells.extend([first.function.clone(), format!("{percent} %")]);
            cells.push(RATIO.show(ratio([total, total - first.cycles])));
            cells.push(classes(self.index.classes(case, with)));
            Some(cells)
        });
        let body = body.collect();
        Section { title: "What would be next", grid: Grid { head, body }, legend: NEXT.into() }
    }
}

/// `valu 41 %, vload 20 %, alu 9 %`; nothing that would be 0 %.
fn classes(own: &[&ClassPoint]) -> String {
    let total: f64 = own.iter().map(|c| c.cycles).sum();
    let mut sorted = own.to_vec();
    sorted.sort_by(|a, b| b.cycles.total_cmp(&a.cycles).then_with(|| a.class.cmp(&b.class)));
    let share = |c: &&ClassPoint| {
        let percent = WHOLE.show(ratio([c.cycles, total]).map(|s| 100.0 * s));
        format!("{} {percent} %", c.class)
    };
    let shown: Vec<String> =
        sorted.iter().filter(|c| c.cycles >= total / 200.0).take(CLASSES).map(share).collect();
    if shown.is_empty() { "–".into() } else { shown.join(", ") }
}
