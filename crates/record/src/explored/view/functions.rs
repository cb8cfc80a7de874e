//! Where the time goes: the functions with the most cycles.

use super::{View, names, size};
use crate::explored::FunctionPoint;
use crate::grid::{Grid, Section};
use capvec_text::digits::{PERCENT, count};

/// Functions that are shown for each case.
const FUNCTIONS: usize = 5;

/// Percent of an operation that would be printed as 0.0.
const LEAST: f64 = 0.05;

const SHARES: &str = "\
What a function itself takes of one operation with warm caches, without the functions that it calls. What would be 0.0 % is left out.
";

impl View<'_> {
    /// The functions with the most cycles, without and with each addition; the others together.
    pub(super) fn by_function(&self) -> Section {
        let head = names(&[
            "extensions",
            "case",
            "operation",
            "bytes",
            "function",
            "insns",
            "cycles",
            "share",
        ]);
        let sets: Vec<&str> =
            std::iter::once("").chain(self.e.with.iter().map(|a| &*a.name)).collect();
        let mut body = Vec::new();
        for case in self.e.bases() {
            for with in &sets {
                let own = self.index.functions(case, with);
                let total: f64 = own.iter().map(|f| f.cycles).sum();
                let percent = |cycles| (total > 0.0).then_some(100.0 * cycles / total);
                let visible = |f: &&&FunctionPoint| percent(f.cycles).is_none_or(|p| p >= LEAST);
                let shown = own.iter().take(FUNCTIONS).take_while(visible).count();
                let (shown, others) = own.split_at(shown);
                let mut line = |function: &str, insns: f64, cycles: f64| {
                    let set = if with.is_empty() { "without" } else { with };
                    let share = format!("{} %", PERCENT.show(percent(cycles)));
                    let mut cells =
                        names(&[set, &case.case, &case.direction, &size(case), function]);
                    cells.extend([count(Some(insns)), count(Some(cycles)), share]);
                    body.push(cells);
                };
                for f in shown {
                    line(&f.function, f.insns, f.cycles);
                }
                let sum = |of: fn(&FunctionPoint) -> f64| others.iter().map(|f| of(f)).sum::<f64>();
                if percent(sum(|f| f.cycles)).is_some_and(|p| p >= LEAST) {
                    line("others", sum(|f| f.insns), sum(|f| f.cycles));
                }
            }
        }
        Section { title: "Where the time goes", grid: Grid { head, body }, legend: SHARES.into() }
    }
}
