//! The flags of a guest: hart, and how its program is launched: files, environment, limits.

use super::binds::{apart_from_store, bind, exposes_host, guest_cwd, show_cwd};
use crate::cmd::core_flags::{Changes, CoreFlags};
use crate::cmd::limits::{Limits, interrupts, raise_open_files};
use crate::cmd::{Usage, say, stderr_is_ready};
use anyhow::Result;
use capvec_linux::{Bind, ClockMode, Machine, Net, Notice, Options};
use capvec_sim::Engine;
use capvec_sim::hart::{Agnostic, Config};
use capvec_sysroot::Store;
use capvec_targets::SYSROOT;
use capvec_timing::Core;
use clap::ValueEnum;
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::pipe;
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The help of --isa.
const ISA: &str = "ISA of the hart, such as rv64gcv_zvkned or rva23u64; it must also name the extensions of --isa-file [default: the \
    core's]";

/// Flags of a guest on one hart.
#[derive(clap::Args)]
#[command(mut_arg("isa", |a| a.help(ISA)))]
pub struct Guest {
    #[command(flatten)]
    core: CoreFlags,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    pub launch: Launch,
}

/// Flags of a program, whatever hart it runs on.
#[derive(clap::Args)]
pub struct Launch {
    /// What agnostic elements become
    #[arg(long, value_enum, default_value = "undisturbed")]
    agnostic: Policy,
    /// Sysroot, by name, or the path of a directory
    #[arg(long, default_value = SYSROOT)]
    pub sysroot: String,
    /// Show a directory or file of the host to the guest, read-only unless :rw is added; repeatable
    #[arg(long, value_name = "HOST:GUEST[:ro|rw]", value_parser = bind)]
    bind: Vec<Bind>,
    /// Do not show the current directory to the guest; start in /
    #[arg(long)]
    no_cwd: bool,
    /// Set a variable of the guest's environment, which contains none of the host's variables; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    env: Vec<(String, String)>,
    /// Source of the guest's time
    #[arg(long, value_enum, default_value = "virtual")]
    clock: ClockArg,
    /// Sockets: none, or those of the host's loopback interface
    #[arg(long, value_enum, default_value = "none")]
    net: NetArg,
    /// Seed of the guest's random bytes
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Place stack, heap, libraries and buffers at random, by this seed: `bench --layouts N` uses the seeds 0 to N-1 [default: a
    /// fixed layout]
    #[arg(long, value_name = "SEED")]
    layout: Option<u64>,
    /// Instructions that a thread of the guest retires before another is scheduled, at least 64: with fewer, no loop of load-reserved
    /// and store-conditional might ever succeed
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(64..))]
    quantum: u64,
    #[command(flatten)]
    pub limits: Limits,
    /// Report system calls that are not implemented, except those that programs only probe for, such as rseq
    #[arg(short, long)]
    verbose: bool,
    /// Program to run in the guest, and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM")]
    pub program: Vec<OsString>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Policy {
    Undisturbed,
    Ones,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClockArg {
    Virtual,
    Host,
}

#[derive(Clone, Copy, ValueEnum)]
enum NetArg {
    None,
    Loopback,
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        Some(_) => Err("the name is missing; give NAME=VALUE".into()),
        None => Err(format!("it has no value; give NAME=VALUE, such as {text}=1")),
    }
}

impl Guest {
    /// The core that the flags describe.
    pub fn core(&self) -> Result<Core> {
        let core = self.core.core(&self.changes)?;
        self.core.check_costs(&core)?;
        Ok(core)
    }
}

/// The host directory that becomes the guest's /.
fn root(sysroot: &str) -> Result<PathBuf> {
    if sysroot.contains('/') || sysroot == "." {
        return Ok(PathBuf::from(sysroot));
    }
    Ok(Store::from_env()?.get(sysroot)?.root)
}

/// The hart of a core with these extensions.
pub fn config(args: &Launch, core: &Core) -> Config {
    let agnostic = match args.agnostic {
        Policy::Undisturbed => Agnostic::Undisturbed,
        Policy::Ones => Agnostic::Ones,
    };
    Config { agnostic, seed: args.seed, ..core.hart(core.isa) }
}

/// Prints a notice; unknown system calls only if `verbose`, since programs cope with them.
fn print_notice(notice: &Notice, verbose: bool) {
    if (verbose || !matches!(notice, Notice::UnknownCall { .. })) && stderr_is_ready() {
        say!("{notice}");
    }
}

/// How long after a first SIGTERM or SIGHUP a second is taken for the same request: timeout(1) sends one to its child, and one to
/// the child's group.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// SIGTERM and SIGHUP end the run in an orderly way, so that no private file remains; a later signal ends it at once.
pub fn terminations() -> Result<Arc<AtomicUsize>> {
    let asked = Arc::new(AtomicUsize::new(0));
    let again = Arc::new(AtomicBool::new(false));
    let fail = |e| Usage(format!("cannot catch signals: {e}"));
    let (mut first, caught) = UnixStream::pair().map_err(fail)?;
    for signal in [SIGTERM, SIGHUP] {
        flag::register_conditional_default(signal, Arc::clone(&again)).map_err(fail)?;
        flag::register_usize(signal, Arc::clone(&asked), signal as usize).map_err(fail)?;
        pipe::register(signal, caught.try_clone().map_err(fail)?).map_err(fail)?;
    }
    let arm = move || {
        if first.read_exact(&mut [0]).is_ok() {
            std::thread::sleep(SAME_REQUEST);
            again.store(true, Ordering::Relaxed);
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(arm).map_err(fail)?;
    Ok(asked)
}

/// The options of a program that runs in the foreground: signals and notices reach it and the user.
pub fn options(args: &Launch, core: &Core) -> Result<Options> {
    let mut o = quiet_options(args, core)?;
    o.interrupt = Some(interrupts()?);
    o.terminate = Some(terminations()?);
    let verbose = args.verbose;
    o.notify = Some(Box::new(move |notice| print_notice(notice, verbose)));
    Ok(o)
}

/// The options that the flags give, without signals and notices.
pub fn quiet_options(args: &Launch, core: &Core) -> Result<Options> {
    capvec_linux::check_host().map_err(|e| Usage(e.to_string()))?;
    if let Ok(store) = Store::from_env() {
        args.bind.iter().try_for_each(|bind| apart_from_store(bind, store.home()))?;
    }
    let root = root(&args.sysroot)?;
    let argv = args.program.iter().map(|a| a.clone().into_vec()).collect();
    let mut o = Options::new(&root, argv, Arc::new(config(args, core)));
    o.core_name = core.name.clone();
    o.misaligned = core.misaligned;
    o.binds.clone_from(&args.bind);
    let cwd =
        std::env::current_dir().map_err(|e| Usage(format!("current directory: {e}; use --no-cwd")));
    if !args.no_cwd && !exposes_host(cwd.as_deref().unwrap_or(Path::new("/"))) {
        let cwd = cwd?;
        o.cwd = guest_cwd(&cwd, &root);
        show_cwd(&mut o.binds, cwd, &o.cwd);
    }
    for (name, value) in &args.env {
        o.set_env(name.as_bytes(), value.as_bytes());
    }
    o.clock = match args.clock {
        ClockArg::Virtual => ClockMode::Virtual,
        ClockArg::Host => ClockMode::Host,
    };
    o.net = match args.net {
        NetArg::None => Net::None,
        NetArg::Loopback => Net::Loopback,
    };
    o.layout = args.layout;
    (o.quantum, o.max_insns, o.memory) = (args.quantum, args.limits.max_insns, args.limits.memory);
    o.timeout = args.limits.timeout.map(Duration::from_secs);
    Ok(o)
}

/// Loads the machine and confines this thread. On failure, reports why and returns the exit status.
pub fn machine(options: Options, engine: Box<dyn Engine>) -> Result<Machine, ExitCode> {
    let machine = load(options, engine)?;
    confine(&machine);
    Ok(machine)
}

/// Loads the machine. On failure, reports why and returns the exit status.
pub fn load(options: Options, engine: Box<dyn Engine>) -> Result<Machine, ExitCode> {
    raise_open_files();
    Machine::new(options, engine).map_err(|e| {
        say!("{e}");
        ExitCode::from(e.code())
    })
}

/// Confines this thread to what the machine needs.
pub fn confine(machine: &Machine) {
    if let Err(e) = machine.confine() {
        say!("{e}");
    }
}
