//! `capvec run --profile`.

use crate::cmd::{Usage, is_heard};
use anyhow::{Context, Result};
use capvec_profile::{Recorder, Shared, output};
use capvec_sim::Engine;
use capvec_timing::Core;
use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;

/// Flags of a profile.
#[derive(clap::Args)]
pub struct ProfileArgs {
    /// Write where instructions and cycles go, by function and call path; print the functions with the most cycles.
    /// The format follows from the ending: .svg (flame graph), .json (Firefox Profiler), .pb or .pb.gz (pprof), .folded
    /// (collapsed stacks), .txt
    #[arg(long, value_name = "OUT")]
    profile: Option<PathBuf>,
}

/// A profile that is being recorded.
pub struct Started {
    out: PathBuf,
    recorder: Rc<RefCell<Recorder>>,
}

impl ProfileArgs {
    /// Prepares the profile, if there is to be one.
    pub fn start(&self, engine: &mut dyn Engine, core: &Core) -> Result<Option<Started>> {
        let Some(out) = &self.profile else { return Ok(None) };
        let recorder = Rc::new(RefCell::new(Recorder::new(core.timing().is_some())));
        if !engine.report_calls(Box::new(Shared(Rc::clone(&recorder)))) {
            return Err(Usage("--profile does not work with --engine both".into()).into());
        }
        Ok(Some(Started { out: out.clone(), recorder }))
    }
}

impl Started {
    /// The recorder, for the machine.
    pub fn recorder(&self) -> Rc<RefCell<Recorder>> {
        Rc::clone(&self.recorder)
    }

    /// Writes the profile and prints the summary.
    pub fn finish(self, _core: &Core) -> Result<()> {
        let profile = self.recorder.borrow_mut().finish();
        std::fs::write(&self.out, output::callers(&profile))
            .with_context(|| format!("--profile {}", self.out.display()))?;
        if is_heard() {
            let text = output::summary(&profile, 20);
            let _ = std::io::stderr().lock().write_all(text.as_bytes());
        }
        Ok(())
    }
}
