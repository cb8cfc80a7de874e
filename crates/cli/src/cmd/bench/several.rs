//! `capvec bench` of several libraries in the simulator, one after the other.

use super::elsewhere::join;
use super::{Args, identity, measure, open_store, set_up, simulated, subjects, warn};
use crate::cmd::Usage;
use anyhow::Result;
use capvec_bench::output;
use capvec_bench::record::Record;

/// Measures every library on the same sets; `None` if nothing but the set-up was asked for.
pub fn run(args: &Args, quiet: bool) -> Result<Option<Record>> {
    if args.speed || args.explain {
        return Err(Usage("--speed, --explain: only with one --subject".into()).into());
    }
    let (core, plan) = simulated(args)?;
    let mut all: Option<Record> = None;
    warn(&plan);
    for subject in subjects(args)? {
        let Some(runner) = set_up(args, subject, core.clone(), quiet)? else { continue };
        let store = match &args.out {
            // What is unfinished of one subject is beside that of another.
            Some(dir) => {
                let own = dir.join(subject.name());
                output::prepare(&own)?;
                Some((open_store(&own, &identity(&runner, &plan)?)?, own))
            }
            None => None,
        };
        let record = measure(&runner, &plan, store.as_ref().map(|(s, _)| s), args, quiet)?;
        if let Some((store, own)) = store {
            store.finish()?;
            // Somebody else may keep files there.
            std::fs::remove_dir(own).or(Ok::<(), std::io::Error>(()))?;
        }
        match &mut all {
            None => all = Some(record),
            Some(all) => join(all, record),
        }
    }
    Ok(all)
}
