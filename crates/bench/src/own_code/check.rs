//! Checks code of the user's own: `capvec check`.

use super::protocol;
use super::{Plan, Run, hart};
use anyhow::{Result, ensure};
use capvec_guest::{Mode, OwnCode};
use capvec_record::checked::{Checked, Fault, Hart, VERSION};
use capvec_sim::hart::{Agnostic, Config};
use capvec_util::pool;

/// The title of a fault that belongs to no call.
const PROGRAM: &str = "the program";

/// Checks on all processors, with both policies for agnostic elements; `progress` is called after each run.
///
/// # Errors
/// A set is unknown, a guest could not be started, or the program checks nothing.
pub fn run(
    plan: &Plan,
    code: &OwnCode,
    tool: &str,
    progress: &(dyn Fn() + Sync),
) -> Result<Checked> {
    let runs = plan.runs()?;
    let all: Vec<(&Run<'_>, Agnostic)> =
        runs.iter().flat_map(|run| Agnostic::ALL.map(|policy| (run, policy))).collect();
    let harts = pool::each(&all, |(run, agnostic)| {
        let config = Config { agnostic: *agnostic, ..hart(run) };
        let (exit, stack) = match agnostic {
            // Watching takes time, and one policy is enough for it.
            Agnostic::Ones => code.watch_stack(run.core, config, &plan.bytes, plan.timeout)?,
            Agnostic::Undisturbed => {
                let exit =
                    code.run(run.core, config, Mode::Check, &plan.bytes, plan.timeout, None)?;
                (exit, Vec::new())
            }
        };
        progress();
        let mut printed = protocol::read(&exit);
        for found in stack {
            // Lines announce calls, so there is one for each, unless the code has closed their descriptor.
            let whole = || Fault { title: PROGRAM.into(), ..Fault::default() };
            let call = printed.calls.get(found.call).cloned().unwrap_or_else(whole);
            printed.faults.push(Fault { what: found.what, ..call });
        }
        let told = |why: &String| printed.faults.iter().any(|f| f.what == *why);
        if let Some(why) = printed.ended.take_if(|why| !told(why)) {
            let title = PROGRAM.into();
            printed.faults.push(Fault { title, what: why, ..Fault::default() });
        }
        Ok(Hart {
            core: run.core.identity.label.clone(),
            vlen: run.core.vlen,
            capset: run.capset.name.clone(),
            agnostic: agnostic.name().into(),
            answers: printed.answers,
            calls: printed.calls.len(),
            buffers: printed.buffers,
            faults: printed.faults,
        })
    })?;
    let nothing = |h: &Hart| h.answers + h.calls + h.faults.len() == 0;
    ensure!(
        !harts.iter().all(nothing),
        "the program checks nothing: use CAPVEC_MEASURE or CAPVEC_CHECK"
    );
    Ok(Checked { checked: VERSION, tool: tool.into(), subject: plan.subject.clone(), harts })
}
