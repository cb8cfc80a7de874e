//! Checks code of the user's own: `capvec check`.

use super::{Plan, Run, ended, hart};
use anyhow::Result;
use capvec_guest::{Mode, OwnCode};
use capvec_linux::{Exit, Status};
use capvec_record::checked::{Checked, Fault, Hart, VERSION};
use capvec_sim::hart::{Agnostic, Config};
use capvec_util::pool;

/// Checks on all processors, with both policies for agnostic elements; `progress` is called after each run.
///
/// # Errors
/// A set is unknown, or a guest could not be started.
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
        let exit = code.run(run.core, config, Mode::Check, &plan.bytes, plan.timeout)?;
        progress();
        let (calls, faults) = found(&exit);
        Ok(Hart {
            core: run.core.identity.label.clone(),
            vlen: run.core.vlen,
            capset: run.capset.name.clone(),
            agnostic: agnostic.name().into(),
            calls,
            faults,
        })
    })?;
    Ok(Checked { checked: VERSION, tool: tool.into(), subject: plan.subject.clone(), harts })
}

/// The number of calls that a run began, and its faults.
fn found(exit: &Exit) -> (usize, Vec<Fault>) {
    let text = String::from_utf8_lossy(&exit.stdout);
    let (mut calls, mut faults, mut last) = (0, Vec::new(), Fault::default());
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let fault = |title: &str, bytes: &str, place: &str, what: &str| Fault {
            title: title.into(),
            bytes: bytes.parse().unwrap_or_default(),
            place: place.into(),
            what: what.into(),
        };
        match fields[..] {
            ["capvec-call", title, bytes, place] => {
                calls += 1;
                last = fault(title, bytes, place, "");
            }
            ["capvec-fault", title, bytes, place, what] => {
                faults.push(fault(title, bytes, place, what));
            }
            ["capvec-check", title, "fail"] => {
                faults.push(fault(title, "", "", "the known answer is wrong"));
            }
            // Whatever else the user's code prints.
            _ => {}
        }
    }
    match exit.status {
        Status::Code(0 | 1) => {}
        Status::Signal(11 | 7) => {
            faults.push(Fault { what: "accesses memory outside its buffers".into(), ..last });
        }
        status => faults.push(Fault { what: ended(status), ..last }),
    }
    (calls, faults)
}
