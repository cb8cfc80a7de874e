//! Tests whether the campaign would find a fault: injects a fault into one instruction at a time, one kind of fault at a
//! time, and reruns programs on which both sides agree.

use crate::both_sides::{EngineKind, JobResults, Prepared};
use crate::case::Batch;
use crate::coverage::row;
use crate::generate::Generator;
use crate::target::{Target, targets};
use capvec_isa::op::OPS;
use capvec_isa::{Class, Op};
use capvec_sim::sabotage::{Fault, arm, disarm};
use capvec_sim::testing::Rng;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

/// Number of states that each program runs from.
const STATES: usize = 48;
/// Programs tried per batch.
const PROGRAMS: usize = 12;
/// Divisor of a batch's size: most of a trial's cost is that of its batch.
const BATCH_DIVISOR: u64 = 4;
/// VLEN of the targets. Longer vectors cost more and add nothing here.
const VLEN: u32 = 128;

/// The result of one fault in one instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    /// How often the fault took effect.
    touched: u64,
    /// Programs that ran with it.
    programs: u64,
    found: bool,
}

/// Prefixes of fixed-point instructions, which round or saturate.
const FIXED: [&str; 7] = ["vsadd", "vssub", "vaadd", "vasub", "vsmul", "vssr", "vnclip"];

/// Whether the row can be wrong in this way.
fn possible(op: Op, fault: Fault) -> bool {
    use Class::{
        Amo, Branch, Cache, Csr, Fdiv, Fma, Fp, Jump, Load, Store, Vfcmp, Vfdiv, Vfp, Vfred, Vload,
        VloadIndexed, VloadStrided, Vset, Vstore, VstoreIndexed, VstoreStrided,
    };
    let row = op.row().base.row();
    let class = row.class;
    let is = |classes: &[Class]| classes.contains(&class);
    let float = is(&[Fp, Fma, Fdiv, Vfp, Vfcmp, Vfdiv, Vfred]);
    let fixed = FIXED.iter().any(|name| row.name.starts_with(name));
    let stores = is(&[Amo, Cache, Store, Vstore, VstoreIndexed, VstoreStrided]);
    match fault {
        Fault::Result | Fault::RareResult => !row.args.is_empty(),
        Fault::Memory => stores,
        Fault::FaultAddress => stores || is(&[Load, Vload, VloadIndexed, VloadStrided]),
        Fault::Effect => is(&[Branch, Jump, Vset, Csr]),
        Fault::Flags | Fault::Rounding => float || fixed,
        Fault::LastElement | Fault::Tail | Fault::Inactive => {
            class.is_vector() && row.args.starts_with("vd")
        }
        Fault::Prestart | Fault::KeepsStart => class.is_vector(),
        Fault::Accepts | Fault::Refuses => true,
    }
}

/// The programs of a batch on which both sides agree, by the instructions in them.
fn clean(batch: &Batch, here: &JobResults, oracle: &JobResults) -> HashMap<Op, Vec<usize>> {
    let mut out: HashMap<Op, Vec<usize>> = HashMap::new();
    for (n, job) in batch.jobs.iter().enumerate() {
        if !here.digest(n).same(&oracle.digest(n), |_| {}) {
            continue;
        }
        for row in job.words().iter().filter_map(|w| row(*w)) {
            let jobs = out.entry(row.op).or_default();
            if jobs.last() != Some(&n) {
                jobs.push(n);
            }
        }
    }
    out
}

/// Tries one fault on these programs.
fn attempt(
    trial: &mut Trial,
    (op, fault): (Op, Fault),
    batch: &Batch,
    oracle: &JobResults,
    jobs: &[usize],
    target: Target,
) -> anyhow::Result<()> {
    let prepared = Prepared::selected(batch, target, jobs)?;
    arm(op, fault);
    let here = prepared.run_here(target, EngineKind::Plain);
    trial.touched += disarm();
    // A guest that ends in another way counts as found.
    let differs = |here: &JobResults| {
        let mut pairs = jobs.iter().enumerate();
        pairs.any(|(n, job)| !here.digest(n).same(&oracle.digest(*job), |_| {}))
    };
    trial.found = here.as_ref().map_or(true, differs);
    trial.programs += jobs.len() as u64;
    Ok(())
}

/// Tries every fault of every instruction on this many batches; returns a report.
///
/// # Errors
/// One of the sides could not run.
pub fn run(qemu: &Path, rng: &mut Rng, batches: usize) -> anyhow::Result<String> {
    let mut trials: BTreeMap<(Fault, &str), (Op, Trial)> = BTreeMap::new();
    for op in OPS.iter().filter(|op| op.row().xlen != 32 && op.row().base != Op::Ecall) {
        for fault in Fault::ALL.into_iter().filter(|fault| possible(*op, *fault)) {
            trials.insert((fault, op.name()), (*op, Trial::default()));
        }
    }
    let targets: Vec<Target> = targets().into_iter().filter(|t| t.vlen == VLEN).collect();
    for n in 0..batches {
        let target = targets[n % targets.len()];
        let batch = Generator::with_states(rng, target, STATES)?.batch(rng, BATCH_DIVISOR)?;
        let both = match Prepared::new(&batch, target)?.run(qemu, EngineKind::Plain) {
            Ok(both) => both,
            Err(e) if e.is::<crate::both_sides::OracleAborted>() => continue,
            Err(e) => return Err(e),
        };
        let jobs = clean(&batch, &both.here, &both.oracle);
        for ((fault, _), (op, trial)) in trials.iter_mut().filter(|(_, (_, t))| !t.found) {
            let Some(jobs) = jobs.get(op) else { continue };
            let some = &jobs[..jobs.len().min(PROGRAMS)];
            attempt(trial, (*op, *fault), &batch, &both.oracle, some, target)?;
        }
        let found = trials.values().filter(|(_, t)| t.found).count();
        eprintln!("batch {n} on {}: {found} found", target.name());
    }
    Ok(report(&trials))
}

fn report(trials: &BTreeMap<(Fault, &str), (Op, Trial)>) -> String {
    let mut out = format!("{:>14} {:>9} {:>7} {:>7}\n", "fault", "possible", "found", "missed");
    let mut missed = String::new();
    let (mut all, mut all_found) = (0, 0);
    for fault in Fault::ALL {
        let trials_of =
            || trials.iter().filter(move |((f, _), (_, t))| *f == fault && t.touched > 0);
        let (possible, found) =
            (trials_of().count(), trials_of().filter(|(_, (_, t))| t.found).count());
        let _ = writeln!(
            out,
            "{:>14} {possible:>9} {found:>7} {:>7}",
            format!("{fault:?}"),
            possible - found
        );
        for ((_, name), (_, t)) in trials_of().filter(|(_, (_, t))| !t.found) {
            let _ = writeln!(
                missed,
                "missed: {name} {fault:?}: wrong {} times in {} programs",
                t.touched, t.programs
            );
        }
        all += possible;
        all_found += found;
    }
    let rows = trials.iter().filter(|((fault, _), _)| *fault == Fault::Refuses);
    let never: Vec<&str> =
        rows.filter(|(_, (_, t))| t.touched == 0).map(|((_, n), _)| *n).collect();
    let _ = writeln!(out, "{missed}{} rows never executed: {}", never.len(), never.join(" "));
    let _ = writeln!(out, "{all_found} of {all} faults found");
    out
}
