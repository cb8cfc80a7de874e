//! `capvec run`: a program of the sysroot on a modelled core.

mod binds;

use crate::cmd::bare::{self, BareArgs};
use crate::cmd::flags::vlen;
use crate::cmd::limits::{Limits, interrupts, raise_open_files};
use crate::cmd::model::{self, Set};
use crate::cmd::sysroot::damage;
use crate::cmd::{Usage, is_heard, say, stats, usage};
use anyhow::Result;
use binds::{bind, exposes_host, guest_cwd, show_cwd};
use capvec_isa::Isa;
use capvec_jit::{Both, Host};
use capvec_linux::{Bind, ClockMode, Machine, Net, Notice, Options, Status};
use capvec_sim::Engine;
use capvec_sim::hart::{Agnostic, Config};
use capvec_sysroot::Store;
use capvec_timing::Core;
use clap::ValueEnum;
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::flag;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Duration;

/// Run a program of a sysroot on a modelled core
///
/// User-mode Linux: the guest's / is the sysroot, read-only, with private /tmp, /var/tmp, /run, /root and /dev/shm. Of
/// the host, the guest sees only the current directory, read-only, and what --bind names. Its clocks advance with the
/// core's modelled cycles, so the same command prints the same figures.
#[derive(clap::Args)]
#[command(
    after_help = "The exit status is the guest's, 128 plus the signal that ended it, 124 when a limit \
    was reached, 125 when all its threads wait for each other, 126 when the program cannot be run, 127 when \
    it does not exist, 2 when anything else on the command line is wrong.\n\n\
    Examples:\n  \
    capvec run -- openssl version\n  \
    capvec run --core karu64 -- openssl speed -seconds 1 -bytes 16384 -evp aes-128-ecb\n  \
    capvec run --set vector.startup=4 -- openssl speed -seconds 1 -bytes 16384 -evp aes-128-ecb\n  \
    capvec run --isa rv64gcv_zvkned --vlen 512 --stats -- openssl enc -aes-128-ecb -K 00 -in file -out /tmp/out\n  \
    capvec run --bind ./out:/out:rw -- bash -c 'sha256sum * > /out/sums'\n  \
    capvec run --bare --isa rv64gcv --signature out.sig test.elf"
)]
pub struct Args {
    /// Core model: a name of `capvec cores list`, or a file
    #[arg(long, default_value = "karu64")]
    core: String,
    /// Give a parameter of the core model another value: see `capvec cores show`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Set>,
    /// What the hart executes, such as rv64gcv_zvkned or rva23u64 [default: the core's]
    #[arg(long)]
    isa: Option<String>,
    /// Vector register length in bits [default: the core's]
    #[arg(long, value_parser = vlen)]
    vlen: Option<u32>,
    /// What agnostic elements become
    #[arg(long, value_enum, default_value = "undisturbed")]
    agnostic: Policy,
    /// Sysroot, by name, or the path of a directory
    #[arg(long, default_value = "trixie-riscv64")]
    sysroot: String,
    /// Host path that the guest sees: a directory or a file
    #[arg(long, value_name = "HOST:GUEST[:ro|rw]", value_parser = bind)]
    bind: Vec<Bind>,
    /// Do not show the current directory to the guest; start in /
    #[arg(long)]
    no_cwd: bool,
    /// Variable of the guest's environment, which contains none of the host's
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    env: Vec<(String, String)>,
    /// Source of the guest's time
    #[arg(long, value_enum, default_value = "virtual")]
    clock: ClockArg,
    /// Sockets: none, or those of the host's loopback interface
    #[arg(long, value_enum, default_value = "none")]
    net: NetArg,
    /// Engine; figures and output do not depend on it [default: jit, or interp on hosts without it]
    #[arg(long, value_enum)]
    engine: Option<EngineArg>,
    /// Instructions of the host that generated code must not use, to see what another host would do: avx512, avx2,
    /// vaes, vpclmulqdq, gfni, sha
    #[arg(long, hide = true, value_name = "NAME", value_delimiter = ',', requires = "engine")]
    host_without: Vec<String>,
    /// Seed of the guest's random bytes
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Instructions until another thread of the guest is scheduled
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    quantum: u64,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    bare: BareArgs,
    /// Name system calls that are not implemented, except those that programs only probe for, such as rseq
    #[arg(short, long)]
    verbose: bool,
    /// Program of the guest, and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineArg {
    /// The reference interpreter
    Interp,
    /// Translation to host code: faster, with the same results and cycles
    Jit,
    /// Both in lockstep, to compare them: slow
    Both,
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

/// The host directory that becomes the guest's /.
fn root(sysroot: &str) -> Result<PathBuf> {
    if sysroot.contains('/') || sysroot == "." {
        return Ok(PathBuf::from(sysroot));
    }
    Ok(Store::from_env()?.get(sysroot)?.root)
}

/// Signals that kill a program whose files are damaged, with the guest's numbers (asm-generic/signal.h).
const SIGILL: i32 = 4;
const SIGBUS: i32 = 7;
const SIGSEGV: i32 = 11;

fn config(args: &Args, core: &Core) -> Result<Config> {
    let isa: Isa = match &args.isa {
        Some(text) => text.parse().map_err(|e| Usage(format!("--isa {text}: {e}")))?,
        None => core.isa,
    };
    let least = isa.exts.min_vlen();
    if core.vlen < least {
        let text = format!(
            "--isa asks for VLEN {least} at least; the hart has {}; give --vlen",
            core.vlen
        );
        return Err(Usage(text).into());
    }
    let agnostic = match args.agnostic {
        Policy::Undisturbed => Agnostic::Undisturbed,
        Policy::Ones => Agnostic::Ones,
    };
    Ok(Config { agnostic, seed: args.seed, ..core.hart(isa) })
}

/// Prints a notice; unknown system calls only if asked, since programs cope with them.
fn tell(notice: &Notice, verbose: bool) {
    if (verbose || !matches!(notice, Notice::UnknownCall { .. })) && is_heard() {
        let _ = writeln!(std::io::stderr().lock(), "capvec: {notice}");
    }
}

/// SIGTERM and SIGHUP end the run in an orderly way, so that no private file is left over; a second signal ends it at
/// once.
fn terminations() -> Result<Arc<AtomicUsize>> {
    let asked = Arc::new(AtomicUsize::new(0));
    let again = Arc::new(AtomicBool::new(false));
    let fail = |e| Usage(format!("cannot catch signals: {e}"));
    for signal in [SIGTERM, SIGHUP] {
        flag::register_conditional_default(signal, Arc::clone(&again)).map_err(fail)?;
        flag::register(signal, Arc::clone(&again)).map_err(fail)?;
        flag::register_usize(signal, Arc::clone(&asked), signal as usize).map_err(fail)?;
    }
    Ok(asked)
}

fn options(args: &Args, core: &Core, root: PathBuf) -> Result<Options> {
    let argv = args.program.iter().map(|a| a.clone().into_vec()).collect();
    let mut o = Options::new(&root, argv, Arc::new(config(args, core)?));
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
    (o.quantum, o.max_insns, o.memory) = (args.quantum, args.limits.max_insns, args.limits.memory);
    o.timeout = args.limits.timeout.map(Duration::from_secs);
    o.interrupt = Some(interrupts()?);
    o.terminate = Some(terminations()?);
    let verbose = args.verbose;
    o.notify = Some(Box::new(move |notice| tell(notice, verbose)));
    Ok(o)
}

/// The engine of the flags.
fn engine(args: &Args, core: &Core) -> Result<Box<dyn Engine>> {
    let count = args.limits.stats;
    let jit = || {
        let options = capvec_jit::Options { count, host: host(args)?, ..Default::default() };
        capvec_jit::engine(options, core.timing()).map_err(usage)
    };
    Ok(match args.engine {
        None => capvec_jit::best(core, count),
        Some(EngineArg::Interp) => core.engine(count),
        Some(EngineArg::Jit) => jit()?,
        Some(EngineArg::Both) => Box::new(Both::new(core.engine(count), jit()?, |difference| {
            say!("{difference}");
            std::process::exit(1);
        })),
    })
}

/// The host's instructions that generated code may use.
fn host(args: &Args) -> Result<Host> {
    args.host_without.iter().try_fold(Host::ALL, |host, name| {
        let unknown = || {
            let names = Host::NAMES.join(", ");
            Usage(format!("--host-without {name}: there is no such name; there are {names}"))
        };
        Ok(host.without(name).ok_or_else(unknown)?)
    })
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let mut core = model::one(&args.core, &args.set)?;
    core.vlen = args.vlen.unwrap_or(core.vlen);
    if args.bare.bare {
        if args.engine.is_some_and(|e| e != EngineArg::Interp) {
            return Err(Usage("--bare runs on --engine interp".into()).into());
        }
        let config = config(&args, &core)?;
        return bare::run(&args.bare, Path::new(&args.program[0]), &core, config, &args.limits);
    }
    let engine = engine(&args, &core)?;
    let options = options(&args, &core, root(&args.sysroot)?)?;
    let exts = options.config.exts;
    raise_open_files();
    let mut machine = match Machine::new(options, engine) {
        Ok(machine) => machine,
        Err(e) => {
            say!("{e}");
            return Ok(ExitCode::from(e.code()));
        }
    };
    if let Err(e) = machine.confine() {
        say!("{e}");
    }
    let exit = machine.run();
    if let Status::Signal(SIGILL | SIGBUS | SIGSEGV) = exit.status
        && !args.sysroot.contains('/')
        && let Some(text) = damage(&args.sysroot)
    {
        say!("{text}");
    }
    if args.limits.stats {
        let counted = machine.engine().histogram();
        let text = stats::text(&(&exit).into(), counted.as_ref(), core.frequency, exts);
        let written = is_heard() && std::io::stderr().lock().write_all(text.as_bytes()).is_ok();
        // A failure of the guest matters more than a failed write.
        if !written && exit.status.code() == 0 {
            return Ok(ExitCode::from(1));
        }
    }
    Ok(ExitCode::from(exit.status.code()))
}
