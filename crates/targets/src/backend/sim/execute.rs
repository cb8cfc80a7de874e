//! Runs of a driver in the simulator: its environment, and what observes it.

use super::{GUEST_DIR, Sim, driver_command};
use crate::Limits;
use crate::backend::counter_reads::{self, Marks};
use crate::backend::divergence::{Compared, comparing};
use crate::backend::{COMMAND, Count, Ended, Work, shares};
use anyhow::{Context, Result};
use capvec_ct::Checker;
use capvec_guest::{CONFIGURATION, LibraryKind, Program, confined, observed};
use capvec_isa::capability::libcapvec_caps;
use capvec_isa::lint::MAX_VALUE_BYTES;
use capvec_isa::variable::{CAPVEC_CAPS, CAPVEC_TUNE};
use capvec_isa::{Isa, Op};
use capvec_linux::Bind;
use capvec_linux::{Exit, Input, Notice, Options, Output};
use capvec_profile::Recorder;
use capvec_sim::engine::Histogram;
use capvec_sim::hart::Config;
use capvec_sim::timing::Ideal;
use capvec_sim::{Engine, Interpreter};
use capvec_timing::replay::{self, Recording};
use capvec_timing::{Core, Model};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// Where the guest sees a library other than the sysroot's.
const GUEST_LIBRARY: &str = "/capvec-library";
/// Where the guest sees the provider.
const PROVIDER_DIR: &str = "/provider";

impl Sim {
    /// Runs a program of the guest in the environment of a driver.
    pub(super) fn execute(&self, c: &Limits, work: Work, argv: Vec<String>) -> Result<Ended> {
        let program = work.program;
        // No answer of `Check` depends on the core model, and without one the simulator is faster.
        let model = match program {
            Program::Check => Model::Ideal,
            _ => self.core.model.clone(),
        };
        let core = Core { vlen: c.vlen, model, ..self.core.clone() };
        core.can_time(c.exts)?;
        let config = hart(&core, c, &work);
        let marks = Marks::default();
        let make = || match work.count {
            Count::AtReads => Box::new(counter_reads::counting(marks.clone())),
            _ => (self.engine)(&core, work.count == Count::All),
        };
        let tuned = program.measures() && work.count != Count::All;
        let options = || {
            let mut options = self.options(c, program, tuned, argv, config)?;
            options.stdin = Input::Bytes(work.lines.into());
            Ok(options)
        };
        let timed = core.timing().is_some();
        let keeping = if let Count::Calls(calls) = &work.count { calls.whole } else { &[] };
        let by_function = |o: &mut Options| shares::record(make(), o, timed, keeping);
        let (exit, shares) = match &work.count {
            Count::Secrets(secret) => {
                let follow = |o: &mut Options| follow(&core, secret, o);
                let (exit, report) = observed(follow, options, |c| c.map(|c| c.report()))?;
                return Ok(Ended { secrets: Some(report?), ..ended(&exit) });
            }
            Count::Divergence => {
                let follow = |o: &mut Options| divergence(make(), o);
                let (exit, divergence) = observed(follow, options, |c| c.divergence())?;
                return Ok(Ended { divergence, ..ended(&exit) });
            }
            Count::Functions => observed(by_function, options, shares::functions)?,
            Count::Calls(calls) => {
                observed(by_function, options, |recorder| shares::calls(recorder, calls))?
            }
            Count::Classes(below) => {
                observed(|o| shares::annotate(&core, *below, o), options, shares::classes)?
            }
            _ => {
                let (exit, histogram) = confined(make, options)?;
                let executed = histogram.map_or_else(Vec::new, |h| counted(&h));
                let marks = std::mem::take(&mut *marks.lock().unwrap_or_else(|e| e.into_inner()));
                return Ok(Ended { executed, marks, ..ended(&exit) });
            }
        };
        Ok(Ended { shares, ..ended(&exit) })
    }

    /// Runs a driver with the model of another core, and records what the model observes. `None` if it observes nothing.
    pub(super) fn execute_recorded(
        &self,
        core: &Core,
        c: &Limits,
        work: Work,
        room: usize,
    ) -> Result<Option<(Ended, Recording)>> {
        let core = Core { vlen: c.vlen, ..core.clone() };
        let Some(model) = core.timing() else { return Ok(None) };
        let config = hart(&core, c, &work);
        let recording = Arc::default();
        let make = || replay::engine(model, room, Arc::clone(&recording));
        let options = || {
            let mut options = self.options(c, work.program, false, driver_command(), config)?;
            options.stdin = Input::Bytes(work.lines.into());
            Ok(options)
        };
        let (exit, _) = confined(make, options)?;
        let recording = std::mem::take(&mut *recording.lock().unwrap_or_else(|e| e.into_inner()));
        Ok(Some((ended(&exit), recording)))
    }

    /// The environment of a driver. `tuned` lets libcapvec choose its kernels by the core.
    fn options(
        &self,
        c: &Limits,
        program: Program,
        tuned: bool,
        argv: Vec<String>,
        config: Arc<Config>,
    ) -> Result<Options> {
        let driver = self.driver(program)?;
        let provider = self.drivers.iter().find(|d| d.program == Program::Provider);
        let argv = self.own_command(argv).into_iter().map(String::into_bytes).collect();
        let mut options = Options::new(&self.root, argv, config);
        options.core_name = self.core.name.clone();
        options.misaligned = self.core.misaligned;
        options.concealed = self.concealed;
        options.layout = c.layout;
        options.binds.push(bind(&driver.dir, GUEST_DIR));
        if let Some(dir) = &self.other {
            options.binds.push(bind(dir, GUEST_LIBRARY));
            options.set_env(b"LD_LIBRARY_PATH", GUEST_LIBRARY.as_bytes());
        }
        if let Some(provider) = provider {
            options.binds.push(bind(&provider.dir, PROVIDER_DIR));
            let configuration = format!("{PROVIDER_DIR}/{}", CONFIGURATION.0);
            options.set_env(b"OPENSSL_CONF", configuration.as_bytes());
            options.set_env(b"OPENSSL_MODULES", PROVIDER_DIR.as_bytes());
        }
        set_capabilities(&mut options, self.library_kind, c);
        // What is measured is libcapvec at its best on this core.
        let own = matches!(self.library_kind, LibraryKind::Capvec | LibraryKind::Provider);
        if tuned && own {
            options.set_env(CAPVEC_TUNE.as_bytes(), b"1");
        }
        options.stdout = Output::Capture;
        options.stderr = Output::Capture;
        Ok(options)
    }
}

impl Sim {
    /// The same arguments; if the program is the command `openssl` and the subject has its own, with the path of that.
    fn own_command(&self, mut argv: Vec<String>) -> Vec<String> {
        let own = self.other.as_ref().is_some_and(|dir| dir.join(COMMAND).is_file());
        if let Some(program) = argv.first_mut().filter(|p| own && *p == COMMAND) {
            *program = format!("{GUEST_LIBRARY}/{program}");
        }
        argv
    }
}

/// Follows secrets from the start of the run. Without host memory for that, nothing is followed.
fn follow(
    core: &Core,
    marks: &capvec_ct::Marks,
    options: &mut Options,
) -> (Box<dyn Engine>, Result<Checker>) {
    let checker = Checker::new(marks.clone(), &options.config)
        .context("no host memory for the shadow of the guest's memory");
    match checker {
        Ok(checker) => {
            checker.vary(&core.data_dependent);
            options.profile = Some(checker.follower());
            let unchecked = capvec_jit::engine(capvec_jit::Options::default(), None).ok();
            (checker.engine(unchecked), Ok(checker))
        }
        Err(e) => (Box::new(Interpreter::new(Ideal, false)), Err(e)),
    }
}

/// Compares the first two processes that read the counter twice.
fn divergence(engine: Box<dyn Engine>, options: &mut Options) -> (Box<dyn Engine>, Compared) {
    let recorder = Rc::new(RefCell::new(Recorder::new(false)));
    options.profile = Some(Rc::clone(&recorder) as _);
    let (engine, compared) = comparing(engine, recorder);
    (Box::new(engine), compared)
}

/// The hart on which a driver runs.
fn hart(core: &Core, c: &Limits, work: &Work) -> Arc<Config> {
    let hart = core.hart(Isa { exts: c.exts, ..core.isa });
    Arc::new(Config { agnostic: work.agnostic, ..hart })
}

/// The executed instructions.
fn counted(h: &Histogram) -> Vec<(Op, u64)> {
    Op::all().zip(h.by_op.iter().copied()).filter(|(_, n)| *n > 0).collect()
}

fn ended(exit: &Exit) -> Ended {
    let cause = |n: &Notice| match n {
        Notice::Killed { pid, signal, fault, .. } => {
            let cause = fault.as_ref().map_or(String::new(), |c| format!(": {c}"));
            Some((pid.to_string(), format!("the driver was ended by {signal}{cause}")))
        }
        _ => None,
    };
    Ended {
        status: exit.status.code().into(),
        stdout: String::from_utf8_lossy(&exit.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&exit.stderr).trim().to_string(),
        notices: exit.notices.iter().map(|n| n.to_string()).collect(),
        causes: exit.notices.iter().filter_map(cause).collect(),
        programs: exit.programs,
        ..Ended::default()
    }
}

/// Configures the library, or lets it detect.
///
/// The environment has the same size with every set: it lies above the stack, and moving the stack would change which
/// lines of the data cache are used, and so the cycles of the same instructions.
fn set_capabilities(options: &mut Options, library_kind: LibraryKind, limits: &Limits) {
    let names = library_kind.variables();
    let mut used = 0;
    for name in names {
        let (name, value) = match &limits.capstring {
            Some(value) if *name == CAPVEC_CAPS => {
                (name.to_string(), libcapvec_caps(value, limits.exts))
            }
            Some(value) => (name.to_string(), value.clone()),
            None => ("_".repeat(name.len()), String::new()),
        };
        used += value.len();
        options.set_env(name.as_bytes(), value.as_bytes());
    }
    options.set_env(
        b"CAPVEC_padding",
        &vec![b'.'; (names.len() * MAX_VALUE_BYTES).saturating_sub(used)],
    );
}

fn bind(dir: &Path, guest: &str) -> Bind {
    Bind { host: dir.into(), guest: guest.into(), writable: false }
}
