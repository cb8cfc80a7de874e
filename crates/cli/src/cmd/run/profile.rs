//! `capvec run --profile`.

use crate::cmd::{Usage, say, stderr_is_ready};
use anyhow::Result;
use capvec_profile::output::{About, Format, summary};
use capvec_profile::{Recorder, Shared};
use capvec_sim::Engine;
use capvec_sim::calls::Follower;
use capvec_text::escape;
use capvec_timing::Core;
use capvec_util::atomic_file;
use std::cell::RefCell;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Number of functions in the summary.
const SHOWN: usize = 20;

/// Flags of a profile.
#[derive(clap::Args)]
pub struct ProfileArgs {
    /// Write instructions and cycles by function and call path to this file, and print the functions with the most cycles.
    /// The file name's ending selects the format: .svg (flame graph), .json (Firefox Profiler), .pb or .pb.gz (pprof), .folded
    /// (collapsed stacks), .txt (tables)
    #[arg(long, value_name = "OUT")]
    profile: Option<PathBuf>,
}

/// A profile that is being recorded.
pub struct Started {
    out: PathBuf,
    format: Format,
    about: About,
    recorder: Rc<RefCell<Recorder>>,
}

/// Why the file cannot be written, before the run or after it.
fn unwritable(out: &Path, e: &std::io::Error) -> String {
    format!(
        "--profile: cannot write {}: {e}; name a file in a writable directory",
        escape::path(out)
    )
}

impl ProfileArgs {
    /// Whether a profile was requested.
    pub fn is_some(&self) -> bool {
        self.profile.is_some()
    }

    /// Prepares the profile, if one was requested.
    pub fn start(
        &self,
        engine: &mut dyn Engine,
        core: &Core,
        program: &[OsString],
    ) -> Result<Option<Started>> {
        let Some(out) = &self.profile else { return Ok(None) };
        let named = |e| Usage(format!("--profile {}: {e}", escape::path(out)));
        let format = Format::of(out).map_err(named)?;
        atomic_file::check(out).map_err(|e| Usage(unwritable(out, &e)))?;
        let recorder = Rc::new(RefCell::new(Recorder::new(core.timing().is_some())));
        if !engine.report_calls(Box::new(Shared(Rc::clone(&recorder)))) {
            let text = "--profile does not work with --engine both; use interp or jit";
            return Err(Usage(text.into()).into());
        }
        let words: Vec<_> = program.iter().map(|a| a.to_string_lossy()).collect();
        let title = format!("{} on {}", words.join(" "), core.name);
        let about = About { title, frequency: core.frequency };
        Ok(Some(Started { out: out.clone(), format, about, recorder }))
    }
}

impl Started {
    /// The recorder, for the machine.
    pub fn recorder(&self) -> Rc<RefCell<dyn Follower>> {
        Rc::clone(&self.recorder) as _
    }

    /// Writes the profile and prints the summary. Returns whether that succeeded; an error is printed.
    pub fn finish(self) -> bool {
        let profile = self.recorder.borrow_mut().finish();
        let written = match self.format.write(&profile, &self.about) {
            Ok(bytes) => atomic_file::replace(&self.out, bytes),
            Err(e) => Err(e.into()),
        };
        if let Err(e) = &written {
            say!("{}", unwritable(&self.out, e));
        }
        let text = escape::lines(&summary(&profile, SHOWN)).into_owned();
        let printed =
            stderr_is_ready() && std::io::stderr().lock().write_all(text.as_bytes()).is_ok();
        written.is_ok() && printed
    }
}
