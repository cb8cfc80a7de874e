//! A second oracle: riscv-isa-sim ("Spike"), on cases without an operating system, compared instruction by
//! instruction through both sides' commit logs.

mod harness;
mod known_differences;
mod log;

use crate::case::{Case, Job, Program};
use crate::coverage::row;
use crate::generate::{Generator, jumps};
use crate::layout::{CODE, DATA, DATA_END, RESULT};
use crate::scratch::Scratch;
use crate::target::Target;
use anyhow::{Context, bail, ensure};
use capvec_bare::{Bare, CommitLog, Image, Options, Outcome};
use capvec_isa::decode::decode;
use capvec_isa::disasm::disassemble_word;
use capvec_isa::{Class, Ext};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::Rng;
use capvec_sim::timing::Ideal;
use capvec_sim::{Interpreter, Why};
use harness::{Linked, MEMORY, link};
use log::Line;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

/// Cases in one program.
const CASES: usize = 64;
/// Runs of each generated program, each from its own state.
const RUNS: usize = 2;
/// Maximum number of instructions that a program may retire; far more than it needs. Spike counts a trap as thousands.
const MAX_INSTRUCTIONS: u64 = 1 << 26;
/// Maximum host time for a program in capvec.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The results of a campaign.
#[derive(Default)]
pub struct Tally {
    /// Cases that agree completely.
    pub cases: u64,
    /// Instructions in them, including those that trapped.
    pub instructions: u64,
    /// Explained differences, by name.
    pub known: BTreeMap<&'static str, u64>,
    /// Unexplained differences, as text.
    pub new: Vec<String>,
}

/// The point at which the logs of a case diverge.
pub(super) struct Difference<'a> {
    /// The case.
    pub case: &'a Case,
    /// The word that Spike executes there.
    pub word: u32,
    /// Why that word is illegal in capvec, if it is.
    pub why: Option<Why>,
    /// vstart before it, as far as the log shows.
    pub vstart: u64,
    /// capvec's line, if there is one.
    pub here: Option<&'a Line>,
    /// Spike's line, if there is one.
    pub spike: Option<&'a Line>,
}

/// Runs cases on both sides until `batches` programs have run.
///
/// # Errors
/// One of the sides could not run.
pub fn run(spike: &Path, rng: &mut Rng, batches: u64) -> anyhow::Result<Tally> {
    let targets = [128, 256, 512].map(|vlen| Target::full(vlen, Agnostic::Undisturbed));
    let mut tally = Tally::default();
    for n in 0..batches {
        let target = targets[n as usize % targets.len()];
        let (cases, memory) = batch(rng, target)?;
        let mut rest = cases.as_slice();
        // After a case that differs, memory may differ, too, so the remaining cases start afresh.
        while !rest.is_empty() {
            let done = compare(spike, rest, &memory, target, &mut tally)
                .with_context(|| format!("program {n} on {}", target.name()))?;
            rest = &rest[done..];
        }
    }
    Ok(tally)
}

/// Whether the instruction can be compared. Excluded are control transfers; cache-block operations, which Spike permits
/// in user mode only through `senvcfg`, a CSR of supervisor mode, which does not exist here; and writes of vstart, because
/// Spike traps on vector arithmetic with a non-zero vstart, as the manual allows ("Vector Start Index CSR").
fn comparable(word: u32) -> bool {
    const VSTART: i64 = 0x008;
    let Some(row) = row(word) else { return true };
    let csr = decode(word, 64, Ext::ratified().collect()).is_ok_and(|d| d.imm == VSTART);
    !jumps(word) && row.class != Class::Cache && !(row.class == Class::Csr && csr)
}

/// Cases without jumps, and the contents of the data pages.
fn batch(rng: &mut Rng, target: Target) -> anyhow::Result<(Vec<Case>, Vec<u8>)> {
    let mut memory = vec![0; (DATA_END - DATA) as usize];
    let batch =
        Generator::with_states(rng, target, RUNS)?.batch(rng, 512 / (CASES / RUNS) as u64)?;
    memory[..batch.image.len()].copy_from_slice(&batch.image);
    rng.fill(&mut memory[batch.image.len()..]);
    let mut cases = Vec::new();
    for job in &batch.jobs {
        let Job::Program(program) = job else { bail!("the generator makes programs") };
        let words: Rc<[u32]> = program.words.iter().copied().filter(|w| comparable(*w)).collect();
        let program = Program { words, vstart: 0, ..program.clone() };
        let runs = program.range.len();
        cases.extend((0..runs).map(|n| program.case(n, Rc::clone(&batch.image))));
    }
    Ok((cases, memory))
}

/// Compares these cases up to the first that differs; returns how many it compared.
fn compare(
    spike: &Path,
    cases: &[Case],
    memory: &[u8],
    target: Target,
    tally: &mut Tally,
) -> anyhow::Result<usize> {
    let linked = link(cases, memory, target.vlenb() as u64);
    let dir = tempfile::tempdir().context("no temporary directory; set TMPDIR")?;
    let entry = Image::parse(&linked.elf)?.entry;
    let split = |text: String| log::cases(&text, entry, linked.next, linked.end);
    let (here, there) = std::thread::scope(|scope| {
        let there = scope.spawn(|| run_spike(spike, &linked, dir.path(), target));
        let here = run_here(&linked, dir.path(), target);
        (here, there.join().unwrap_or_else(|_| bail!("the thread that runs Spike panicked")))
    });
    let (here, there) = (split(here?), split(there?));
    ensure!(here[0] == there[0], "the sides differ before the first case");
    let Some(parting) = part(&here, &there, &linked) else {
        tally.cases += cases.len() as u64;
        tally.instructions += cases.iter().map(|c| c.words.len() as u64).sum::<u64>();
        ensure!(here.len() == cases.len() + 2, "{} passes for {} cases", here.len(), cases.len());
        return Ok(cases.len());
    };
    let Parting { case: n, ran, vstart, here, spike } = parting;
    let n = n.filter(|n| *n < cases.len()).with_context(|| {
        format!(
            "the sides differ outside of the cases: {} here, {} in Spike",
            line(here),
            line(spike)
        )
    })?;
    let case = &cases[n];
    tally.cases += n as u64;
    tally.instructions += cases[..n].iter().map(|c| c.words.len() as u64).sum::<u64>();
    let at = running(ran, &case.words, linked.starts[n]);
    let word = case.words.get(at).copied().unwrap_or(0);
    let words = case.words[..case.words.len().min(at + 1)].into();
    let why = Scratch::why(target, &Case { words, ..case.clone() })?;
    let difference = Difference { case, word, why, vstart, here, spike };
    match known_differences::find(&difference) {
        Some(name) => *tally.known.entry(name).or_default() += 1,
        None => tally.new.push(show(&difference, target)),
    }
    Ok(n + 1)
}

/// Index of the word that runs at the end of these lines: the one after the last that retired and after those that
/// have trapped since.
fn running(lines: &[Line], words: &[u32], start: u64) -> usize {
    let mut offsets = Vec::new();
    let mut at = start;
    for word in words {
        offsets.push(at);
        at += if word & 3 == 3 { 4 } else { 2 };
    }
    let own = |l: &Line| offsets.binary_search(&l.pc).ok();
    let (next, from) = match lines.iter().rposition(|l| own(l).is_some()) {
        // The last line is the word's own.
        Some(n) if n + 1 == lines.len() => return own(&lines[n]).unwrap_or(0),
        Some(n) => (own(&lines[n]).map_or(0, |w| w + 1), n + 1),
        None => (0, 0),
    };
    let traps = lines[from..].iter().filter(|l| l.pc == CODE).count();
    next + traps.saturating_sub(1)
}

/// The first divergence of two logs.
struct Parting<'a> {
    /// Number of the case; `None` before the first.
    case: Option<usize>,
    /// Spike's lines of that case, up to the divergence.
    ran: &'a [Line],
    vstart: u64,
    here: Option<&'a Line>,
    spike: Option<&'a Line>,
}

fn part<'a>(here: &'a [Vec<Line>], spike: &'a [Vec<Line>], linked: &Linked) -> Option<Parting<'a>> {
    let none: &[Line] = &[];
    let pass = |side: &'a [Vec<Line>], n: usize| side.get(n).map_or(none, Vec::as_slice);
    for n in 1..here.len().max(spike.len()) {
        let (a, b) = (pass(here, n), pass(spike, n));
        let parted = a.iter().zip(b).position(|(a, b)| a != b);
        let Some(at) = parted.or((a.len() != b.len()).then_some(a.len().min(b.len()))) else {
            continue;
        };
        // An execution of `next` first logs the results of the previous case.
        let logs_results = |l: &Line| (linked.next..linked.logged_until).contains(&l.pc);
        let (case, ran) = if a.get(at).or(b.get(at)).is_some_and(logs_results) {
            (n.checked_sub(2), pass(spike, n - 1))
        } else {
            (Some(n - 1), &b[..b.len().min(at + 1)])
        };
        let vstart = a[..at].iter().rev().find_map(log::vstart).unwrap_or(0);
        return Some(Parting { case, ran, vstart, here: a.get(at), spike: b.get(at) });
    }
    None
}

fn line(l: Option<&Line>) -> String {
    l.map_or("nothing".into(), |l| format!("{:#x} ({:08x}) {}", l.pc, l.bits, l.effects))
}

fn show(d: &Difference<'_>, target: Target) -> String {
    let text = |w: u32| disassemble_word(w, 64, 0).unwrap_or_else(|| "(no instruction)".into());
    let c = &d.case.csrs;
    let words: Vec<String> =
        d.case.words.iter().map(|w| format!("    {w:08x} {}\n", text(*w))).collect();
    format!(
        "DIFFERENCE at {:08x} {}\n  {}; vtype {:#x} vl {} vstart {}\n  here:  {}\n  Spike: {}\n{}",
        d.word,
        text(d.word),
        target.name(),
        c.vtype,
        c.vl,
        c.vstart,
        line(d.here),
        line(d.spike),
        words.concat()
    )
}

fn run_here(linked: &Linked, dir: &Path, target: Target) -> anyhow::Result<String> {
    let path = dir.join("here.log");
    let file = std::fs::File::create(&path).with_context(|| format!("cannot write {path:?}"))?;
    let options = Options {
        config: target.config(),
        memory: MEMORY,
        max_insns: Some(MAX_INSTRUCTIONS),
        timeout: Some(TIME_LIMIT),
        interrupt: None,
        console: Box::new(std::io::sink()),
        log: Some(CommitLog::new(Box::new(std::io::BufWriter::new(file)))),
    };
    let mut machine = Bare::new(&Image::parse(&linked.elf)?, options)?;
    let outcome = machine.run(&mut Interpreter::new(Ideal, false));
    machine.finish()?;
    ensure!(matches!(outcome, Outcome::Exit(0) | Outcome::Instructions), "{outcome:?} here");
    Ok(std::fs::read_to_string(&path)?)
}

/// Spike's name for a hart with these extensions.
fn isa(target: Target) -> String {
    let (letters, names): (Vec<_>, Vec<_>) =
        target.exts.iter().map(Ext::name).partition(|n| n.len() == 1);
    let order = "imafdcbv";
    let letters: String =
        order.chars().filter(|c| letters.iter().any(|l| l.starts_with(*c))).collect();
    // Misaligned accesses are permitted.
    format!("rv64{letters}_{}_zicclsm", names.join("_"))
}

fn run_spike(spike: &Path, linked: &Linked, dir: &Path, target: Target) -> anyhow::Result<String> {
    let (program, path) = (dir.join("program"), dir.join("spike.log"));
    std::fs::write(&program, &linked.elf).with_context(|| format!("cannot write {program:?}"))?;
    let data = DATA_END - DATA;
    let out = Command::new(spike)
        .args([
            format!("--isa={}", isa(target)),
            "--priv=mu".into(),
            "--pmpregions=0".into(),
            "--triggers=0".into(),
        ])
        .arg(format!("-m{DATA:#x}:{data:#x},0x80000000:{MEMORY:#x},{CODE:#x}:{:#x}", RESULT - CODE))
        .args([format!("--instructions={MAX_INSTRUCTIONS}"), "--log-commits".into()])
        .arg(format!("--log={}", path.display()))
        .arg(&program)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", spike.display()))?;
    let said = String::from_utf8_lossy(&out.stderr);
    ensure!(out.status.success(), "Spike: {}: {}", out.status, said.trim());
    Ok(std::fs::read_to_string(&path)?)
}
