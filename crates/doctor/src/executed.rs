//! What an algorithm executes: instructions by extension.

use crate::cause::Paths;
use anyhow::Result;
use capvec_bench::case::{Case, Operation};
use capvec_bench::driver_protocol::Job;
use capvec_bench::run::{Configuration, Runner};
use capvec_guest::Program;
use capvec_isa::{Ext, ExtSet, Op};
use capvec_targets::backend::{Count, Work};
use std::collections::BTreeMap;

/// Number of operations that are run to see what they execute.
const REPEATS: u64 = 2;

/// Executed instructions by extension. An instruction that belongs to several extensions counts for one that the hart has,
/// if possible for one that the library's dispatch asks for.
fn tally(executed: &[(Op, u64)], hart: ExtSet, asked: ExtSet) -> BTreeMap<&'static str, u64> {
    let base: ExtSet = [Ext::I, Ext::M, Ext::A, Ext::F, Ext::D, Ext::C].into_iter().collect();
    let base = base.with(Ext::Zicsr).with(Ext::Zifencei).with(Ext::Zicntr).closed();
    let mut tally = BTreeMap::new();
    for (op, n) in executed {
        let exts = op.row().exts;
        let own = exts.intersection(asked).on(hart).or_else(|| exts.on(hart));
        if let Some(e) = own.filter(|_| !exts.intersects(base)) {
            // The whole base of the vector extension counts as V.
            let name = if ExtSet::of(&[Ext::V]).closed().has(e) { "v" } else { e.name() };
            *tally.entry(name).or_default() += n;
        }
    }
    tally
}

/// Instructions of extensions that an algorithm executes, minus those of start-up.
pub fn executed(
    runner: &Runner,
    c: &Configuration,
    case: &Case,
    operation: Operation,
    bytes: usize,
    paths: &Paths,
) -> Result<Vec<(String, u64)>> {
    let asked: ExtSet = paths.iter().flatten().filter_map(|n| Ext::from_name(n)).collect();
    let tally = |all: &[(Op, u64)]| tally(all, c.capset.exts.closed(), asked);
    let method = runner.target().method();
    let count = |jobs: &[Job]| -> Result<Vec<(Op, u64)>> {
        let lines = jobs.iter().map(|j| j.line_for(method) + "\n").collect();
        let work = Work { count: Count::All, ..Work::driver(Program::Measure, lines) };
        Ok(runner.run(c, work)?.executed)
    };
    let start = tally(&count(&[Job::Version])?);
    let job = Job::Measure(case, operation, bytes, REPEATS);
    let with = tally(&count(&[job])?);
    let own = with.into_iter().map(|(name, n)| {
        (name.to_string(), n.saturating_sub(start.get(name).copied().unwrap_or(0)))
    });
    Ok(own.filter(|(_, n)| *n > 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_isa::Isa;
    use capvec_isa::op::OPS;

    /// vsha2ms.vv is in Zvknha and Zvknhb; it counts for the one that the library asks for.
    #[test]
    fn instructions_count_for_the_extension_that_the_library_asks_for() {
        let op = OPS.iter().copied().find(|o| o.row().name == "vsha2ms.vv").unwrap();
        let names = |isa: &str, asked: &[Ext]| {
            let hart = isa.parse::<Isa>().unwrap().exts.closed();
            let all = tally(&[(op, 3)], hart, ExtSet::of(asked));
            all.keys().copied().collect::<Vec<_>>()
        };
        assert_eq!(names("rv64gcv_zvknhb", &[Ext::Zvkb, Ext::Zvknhb]), ["zvknhb"]);
        assert_eq!(names("rv64gcv_zvknhb", &[Ext::Zvkb, Ext::Zvknha]), ["zvknha"]);
        assert_eq!(names("rv64gcv_zvknha", &[Ext::Zvknha]), ["zvknha"]);
        assert_eq!(names("rv64gcv_zvknhb", &[]), ["zvknhb"]);
    }
}
