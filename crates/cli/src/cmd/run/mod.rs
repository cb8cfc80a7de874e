//! `capvec run`: a program of the sysroot on a modelled core.

pub mod bare;
mod binds;
pub mod gdb;
pub mod guest;
mod misaligned_stats;
mod profile;
pub mod regions;
mod translations;

use crate::cmd::limits::Stats;
use crate::cmd::stats::Figures;
use crate::cmd::sysroot::damage;
use crate::cmd::{Usage, say, usage};
use anyhow::Result;
use bare::BareArgs;
use capvec_jit::{Both, Host, OfProgram, Unsupported};
use capvec_linux::Status;
use capvec_sim::Engine;
use capvec_timing::Core;
use clap::ValueEnum;
use guest::Guest;
use std::path::Path;
use std::process::ExitCode;

/// Run a program of a sysroot on a modelled core
///
/// User-mode Linux: the guest's / is the sysroot, read-only, with private /tmp, /var/tmp, /run, /root and /dev/shm. Of
/// the host, the guest sees only the current directory, read-only, and what --bind names. Its clocks advance with the
/// core's modelled cycles, so the same command prints the same figures.
#[derive(clap::Args)]
#[command(
    after_help = "The exit status is the guest's, 128 plus the signal that ended it, 124 when a limit \
    was reached, 125 when all its threads wait for each other (deadlock) or, with --bare, its trap handler itself traps, \
    126 when the program cannot be run, 127 when it does not exist, 2 when anything else on the command line is wrong.\n\n\
    Examples:\n  \
    capvec run -- openssl version\n  \
    capvec run --core karu64 -- openssl speed -seconds 1 -bytes 16384 -evp aes-128-ecb\n  \
    capvec run --set vector.startup=4 -- openssl speed -seconds 1 -bytes 16384 -evp aes-128-ecb\n  \
    capvec run --isa rv64gcv_zvkned --vlen 512 --stats -- openssl enc -aes-128-ecb -K 00 -in file -out /tmp/out\n  \
    capvec run --bind ./out:/out:rw -- bash -c 'sha256sum * > /out/sums'\n  \
    capvec run --profile flame.svg -- openssl dgst -sha3-256 file\n  \
    capvec run --region main,@marks -- ./program\n  \
    capvec run --gdb 1234 -- openssl dgst -sha256 file\n  \
    capvec run --bare --isa rv64gcv --signature out.sig test.elf"
)]
pub struct Args {
    #[command(flatten)]
    guest: Guest,
    /// Engine; figures and output do not depend on it [default: jit, or interp on hosts without it]
    #[arg(long, value_enum)]
    engine: Option<EngineArg>,
    /// Features of the host that generated code must not use, to see what another host would do: avx512, avx2, vaes, vpclmulqdq, gfni, sha,
    /// low, faults
    #[arg(long, hide = true, value_name = "NAME", value_delimiter = ',', requires = "engine")]
    host_without: Vec<String>,
    #[command(flatten)]
    bare: BareArgs,
    /// Neither use nor keep translations to host code, which make the next run of the program start faster
    #[arg(long)]
    no_cache: bool,
    #[command(flatten)]
    profile: profile::ProfileArgs,
    #[command(flatten)]
    gdb: gdb::GdbArgs,
    /// Print what regions execute and cost: functions with all that they call, by name; @marks, the code between CAPVEC_BEGIN and
    /// CAPVEC_END (docs/own-code.md); @counters, the code between two readings of cycle or instret, which takes the interpreter
    #[arg(long, value_name = "FUNCTION|@marks|@counters", value_delimiter = ',')]
    region: Vec<String>,
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

/// Signals that may kill a program whose files are damaged, by the guest's numbers (asm-generic/signal.h).
const SIGILL: i32 = 4;
const SIGBUS: i32 = 7;
const SIGSEGV: i32 = 11;

/// The engine that the flags choose, with these translations.
fn engine(args: &Args, core: &Core, kept: Option<&OfProgram>) -> Result<Box<dyn Engine>> {
    let count = args.guest.launch.limits.counts();
    let options = capvec_jit::Options { count, host: host(args)?, ..Default::default() };
    let jit = || match kept {
        Some(kept) => kept.engine(options, core.timing()),
        None => capvec_jit::engine(options, core.timing()),
    };
    Ok(match args.engine {
        None => jit().unwrap_or_else(|reason| {
            // Hosts without the translating engine are documented; that memory was refused has to be said.
            if matches!(reason, Unsupported::Memory(_) | Unsupported::Faults(_)) {
                say!("{reason}; this run uses the interpreter, which is slower");
            }
            core.engine(count)
        }),
        Some(EngineArg::Interp) => core.engine(count),
        Some(EngineArg::Jit) => jit().map_err(usage)?,
        Some(EngineArg::Both) => {
            Box::new(Both::new(core.engine(count), jit().map_err(usage)?, |difference| {
                say!("{difference}");
                std::process::exit(1);
            }))
        }
    })
}

/// The host's instructions that generated code may use.
fn host(args: &Args) -> Result<Host> {
    args.host_without.iter().try_fold(Host::ALL, |host, name| {
        let unknown = || {
            let names = Host::NAMES.join(", ");
            Usage(format!("--host-without {name}: unknown name; the names are {names}"))
        };
        Ok(host.without(name).ok_or_else(unknown)?)
    })
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let core = args.guest.core()?;
    let guest = &args.guest.launch;
    guest.limits.check()?;
    if guest.limits.stats == Some(Stats::Misaligned) {
        return misaligned_stats::run(&args, &core);
    }
    if !args.region.is_empty() {
        return regions::run(&args, &core);
    }
    if args.bare.bare {
        if args.engine.is_some_and(|e| e != EngineArg::Interp) {
            return Err(Usage("--bare works only with --engine interp".into()).into());
        }
        if args.profile.is_some() {
            return Err(Usage("--profile does not work with --bare".into()).into());
        }
        let config = guest::config(guest, &core);
        let path = Path::new(&guest.program[0]);
        return bare::run(&args.bare, path, &core, config, &guest.limits, &args.gdb);
    }
    let keep = !args.no_cache && !args.gdb.is_some() && !args.profile.is_some();
    let translations = if keep { translations::open(guest) } else { None };
    let mut engine = engine(&args, &core, translations.as_ref())?;
    if args.gdb.is_some() && args.profile.is_some() {
        return Err(Usage("--gdb does not work with --profile".into()).into());
    }
    let listener = args.gdb.listen(&mut *engine)?;
    let mut options = guest::options(guest, &core)?;
    let profile = args.profile.start(&mut *engine, &core, &guest.program)?;
    options.profile = profile.as_ref().map(profile::Started::recorder);
    let exts = options.config.exts;
    let (mut machine, connection) = match gdb::machine(options, engine, listener) {
        Ok(ready) => ready,
        Err(code) => return Ok(code),
    };
    let exit = gdb::run(&mut machine, connection);
    translations::finish(translations);
    let mut complete = profile.is_none_or(profile::Started::finish);
    if let Status::Signal(SIGILL | SIGBUS | SIGSEGV) = exit.status
        && !guest.sysroot.contains('/')
        && let Some(text) = damage(&guest.sysroot)
    {
        say!("{text}");
    }
    let counted = machine.engine().histogram();
    let totals = (&exit).into();
    let figures = Figures { totals, histogram: counted.as_ref(), core: &core, exts };
    complete &= guest.limits.report(&figures);
    // A failure of the guest matters more than a failed write.
    if !complete && exit.status.code() == 0 {
        return Ok(ExitCode::from(1));
    }
    Ok(ExitCode::from(exit.status.code()))
}
