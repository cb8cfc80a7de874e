//! `capvec matrix`: one program on many harts.

mod outcome;
mod sets;
mod view;

use crate::cmd::core_choice::CoreName;
use crate::cmd::core_flags::Changes;
use crate::cmd::flags::{self, Format, once, vlen};
use crate::cmd::limits::raise_open_files;
use crate::cmd::progress::bar;
use crate::cmd::run::guest::{self, Launch};
use crate::cmd::{Usage, print};
use anyhow::{Context, Result};
use capvec_guest::{confined, observed};
use capvec_isa::{ExtSet, Isa, Op};
use capvec_linux::{Input, Options, Output};
use capvec_profile::Locator;
use capvec_sim::engine::Histogram;
use capvec_targets::CORE;
use capvec_timing::Core;
use capvec_util::pool;
use outcome::{Compared, Run, judge};
use sets::Set;
use std::cell::RefCell;
use std::io::{IsTerminal, Read};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use view::{Matrix, Row};

/// The VLENs of `--vlen` by default: those of processors that are sold or announced, and the architecture's minimum for V.
const VLENS: &str = "128,256,512";

/// Run a program on harts with different extensions and VLENs, and compare what it does
///
/// A program that tests for one extension and uses another runs on its author's machine and fails on the next one.
/// Each hart has only its set's extensions, and the kernel reports only these, so every instruction that the program
/// executes without having tested for it is an illegal instruction, which is shown with the extensions that have it.
/// A program whose result depends on the VLEN shows as different.
#[derive(clap::Args)]
#[command(
    after_help = "Sets: scalar (rv64gc), auto (the core's own ISA), full (every ratified extension), full-EXT (full without \
    an extension, and without all that imply it), extensions joined by _ (zvkb_zvkned; full_EXT adds to full), an ISA string \
    or profile; and the families singles (each extension that riscv_hwprobe reports, alone; vector extensions with V) and \
    without (full-EXT for each extension that the program executes on full).\n\n\
    The first set on which the program ends by itself is the reference. Standard input, if it is not a terminal, is read \
    once and given to every run.\n\n\
    Exit status: 0 all runs did the same, 1 a run did not, 2 usage error, 3 the program could not be run.\n\n\
    Examples:\n  \
    capvec matrix -- openssl dgst -sha256 file\n  \
    capvec matrix --caps scalar,zbb,full --vlen 128,1024 -- ./program\n  \
    capvec matrix --caps singles --compare status -- ./self-test"
)]
pub struct Args {
    #[arg(long, value_parser = CoreName, hide_possible_values = true, help = flags::with_default(flags::CORE_HELP, CORE))]
    core: Option<String>,
    #[command(flatten)]
    changes: Changes,
    /// Sets of extensions
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "scalar,singles,without,full"
    )]
    caps: Vec<String>,
    /// Vector register lengths in bits, for sets with vector registers
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = VLENS, value_parser = vlen)]
    vlen: Vec<u32>,
    /// What must be the same: exit status, standard output and standard error, or the exit status alone
    #[arg(long, value_enum, default_value = "output")]
    compare: CompareArg,
    /// Format of the result
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    launch: Launch,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum CompareArg {
    Output,
    Status,
}

/// A hart to run on.
struct Hart<'a> {
    set: &'a Set,
    vlen: Option<u32>,
}

/// What all runs share.
struct Runs<'a> {
    launch: &'a Launch,
    core: Core,
    input: Vec<u8>,
    /// The number of a signal that should end the runs.
    terminate: Arc<AtomicUsize>,
}

impl Runs<'_> {
    fn core(&self, set: &Set, vlen: Option<u32>) -> Core {
        Core {
            isa: Isa { xlen: 64, exts: set.exts },
            vlen: vlen.unwrap_or(self.core.vlen),
            ..self.core.clone()
        }
    }

    fn options(&self, core: &Core) -> Result<Options> {
        let mut o = guest::quiet_options(self.launch, core)?;
        o.stdin = Input::Bytes(self.input.clone());
        (o.stdout, o.stderr) = (Output::Capture, Output::Capture);
        o.terminate = Some(Arc::clone(&self.terminate));
        Ok(o)
    }

    /// Runs the program on a hart; with `count`, returns what it executed.
    fn run(&self, set: &Set, vlen: Option<u32>, count: bool) -> Result<(Run, Option<Histogram>)> {
        let core = self.core(set, vlen);
        let (exit, counted) = confined(|| capvec_jit::best(&core, count), || self.options(&core))?;
        Ok((Run::new(exit), counted))
    }

    /// The function of the last of these faults. It takes a second run, in which the program's symbols are read.
    fn function(&self, hart: &Hart, faults: &[u64]) -> Result<Option<String>> {
        let Some(pc) = faults.last() else { return Ok(None) };
        let core = self.core(hart.set, hart.vlen);
        let locate = |options: &mut Options| {
            let locator = Rc::new(RefCell::new(Locator::default()));
            options.profile = Some(Rc::clone(&locator) as _);
            (capvec_jit::best(&core, false), locator)
        };
        let found = |l: Rc<RefCell<Locator>>| l.borrow().at(*pc).map(str::to_owned);
        Ok(observed(locate, || self.options(&core), found)?.1)
    }

    /// The extensions of the instructions that the program executes on `full`.
    fn executed(&self, vlen: u32) -> Result<ExtSet> {
        let (_, counted) = self.run(&sets::full(), Some(vlen), true)?;
        let counted = counted.context("the engine does not count instructions")?;
        let executed = Op::all().zip(&counted.by_op).filter(|(_, n)| **n > 0);
        Ok(executed.fold(ExtSet::EMPTY, |all, (op, _)| all.union(op.row().exts)))
    }
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.launch.limits.asks_for_statistics() {
        return Err(Usage("--stats: use `capvec run` on one of the harts".into()).into());
    }
    raise_open_files();
    let runs = Runs {
        core: args.changes.core(args.core.as_deref())?,
        launch: &args.launch,
        input: input()?,
        terminate: guest::terminations()?,
    };
    let vlens = once(args.vlen);
    let mut all = sets::expand(&args.caps, &runs.core.isa, || runs.executed(vlens[0]))?;
    if let Some(Err(why)) =
        all.iter().map(|set| runs.core.can_time(set.exts)).find(|can| can.is_err())
    {
        crate::cmd::say!("sets with vectors are left out: {why}");
        all.retain(|set| runs.core.can_time(set.exts).is_ok());
    }
    let harts: Vec<Hart> = all.iter().flat_map(|set| harts(set, &vlens)).collect();
    let bar = bar(args.quiet, harts.len(), "runs")?;
    let done = pool::each(&harts, |hart| {
        let (run, _) = runs.run(hart.set, hart.vlen, false)?;
        bar.inc(1);
        Ok(run)
    });
    bar.finish_and_clear();
    let matrix = matrix(&runs, &harts, &done?, args.compare)?;
    print(&matrix.text(args.format)?)?;
    Ok(ExitCode::from(u8::from(!matrix.agrees())))
}

/// What is given to every run: standard input, unless it is a terminal.
fn input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut stdin = std::io::stdin();
    if !stdin.is_terminal() {
        stdin.read_to_end(&mut bytes).context("standard input cannot be read")?;
    }
    Ok(bytes)
}

fn harts<'a>(set: &'a Set, vlens: &[u32]) -> Vec<Hart<'a>> {
    if !set.has_vectors() {
        return vec![Hart { set, vlen: None }];
    }
    let possible = vlens.iter().filter(|v| **v >= set.exts.min_vlen());
    possible.map(|v| Hart { set, vlen: Some(*v) }).collect()
}

fn matrix(runs: &Runs, harts: &[Hart], done: &[Run], compare: CompareArg) -> Result<Matrix> {
    let reference = done.iter().position(Run::is_complete);
    let compared = match compare {
        CompareArg::Output => Compared::Output,
        CompareArg::Status => Compared::Status,
    };
    let mut rows: Vec<Row> = Vec::new();
    for (hart, run) in harts.iter().zip(done) {
        let (result, why) = judge(run, reference.map(|at| &done[at]), compared);
        let mut row = Row {
            set: hart.set.name.clone(),
            isa: Isa { xlen: 64, exts: hart.set.exts }.to_string(),
            vlen: hart.vlen,
            result,
            exit_status: run.status.code(),
            instructions: run.insns,
            cycles: run.cycles,
            why,
            function: None,
        };
        row.function = match rows.iter().find(|known| known.is_like(&row)) {
            Some(known) => known.function.clone(),
            None => runs.function(hart, &run.faults)?,
        };
        rows.push(row);
    }
    Ok(Matrix {
        matrix: view::VERSION,
        program: runs.launch.program.iter().map(|a| a.to_string_lossy().into_owned()).collect(),
        core: runs.core.identity.label.clone(),
        reference: reference.map(|at| (harts[at].set.name.clone(), harts[at].vlen)),
        rows,
    })
}
