//! The constant-time checker on arbitrary code. It computes what the interpreter computes, with and without an engine for code
//! that touches no secret; and if it finds no leak, other secrets change only what it reports as depending on them.

use crate::engines::{CODE, DATA, MAX_CODE, TRAPS, hart};
use capvec_ct::{Checker, Marks, Report};
use capvec_jit::Options;
use capvec_sim::calls::Area;
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{Rng, config, ext_sets};
use capvec_sim::timing::Ideal;
use capvec_sim::{Cause, Engine, Hart, Interpreter, Stop};

/// Number of secret bytes on each side of the end of a page; some registers point there at first.
const SECRET: u64 = 32;
/// Where these pages end.
const ENDS: [u64; 2] = [DATA + PAGE, DATA + 2 * PAGE];
/// The pages that code may change.
const PAGES: [(u64, u64); 2] = [(DATA, 2 * PAGE), (DATA + 4 * PAGE, PAGE)];
/// Maximum number of instructions of a run, but for the last block.
const INSNS: u64 = 5000;
/// The first instruction of a client request, which the interpreter does not answer: the runs differ from there on.
const REQUEST: [u8; 4] = 0x0030_5013_u32.to_le_bytes();

/// The first bytes select VLEN, and policy and extensions, as in `engines`; the others are code.
pub fn run(data: &[u8]) {
    let [_, vlen, policy, code @ ..] = data else { return };
    let code = &code[..code.len().min(MAX_CODE)];
    let agnostic = if policy & 1 == 0 { Agnostic::Undisturbed } else { Agnostic::Ones };
    let sets = ext_sets();
    let set = &sets[(policy >> 2) as usize % sets.len()];
    let config = config(set, 128 << (vlen % 4), agnostic);
    let (report, checked, taint) = check(&config, code, None);
    let translating = capvec_jit::engine(Options { hot_threshold: 0, ..Options::default() }, None);
    let (other, translated, _) = check(&config, code, translating.ok());
    if code.windows(REQUEST.len()).any(|w| w == REQUEST) {
        return;
    }
    let same = execute(&mut Interpreter::new(Ideal, false), hart_with(&config, code, 1));
    assert_eq!(same, checked, "the checker computes something else");
    // The engine for what touches no secret may end another block later.
    if translated.traps == checked.traps && translated.instret == checked.instret {
        assert_eq!(translated.bytes, checked.bytes, "the checker computes something else");
        assert_eq!(places(&other), places(&report), "other findings");
    }
    if report.findings.is_empty() {
        let twin = execute(&mut Interpreter::new(Ideal, false), hart_with(&config, code, 2));
        assert_eq!((&twin.traps, twin.instret), (&same.traps, same.instret), "a leak is not found");
        // What a system call leaves in registers is public, since Linux writes them.
        if matches!(same.traps.last(), Some((_, Cause::EcallU))) {
            return;
        }
        let clean = |bytes: &[u8]| -> Vec<u8> {
            bytes.iter().zip(&taint).map(|(byte, taint)| byte & !taint).collect()
        };
        assert_eq!(clean(&twin.bytes), clean(&same.bytes), "taint is missing");
    }
}

/// What a run has shown.
#[derive(Debug, PartialEq, Eq)]
struct Ran {
    /// Addresses and causes of traps.
    traps: Vec<(u64, Cause)>,
    instret: u64,
    /// Registers and memory.
    bytes: Vec<u8>,
}

fn hart_with(config: &Config, code: &[u8], seed: u64) -> Hart {
    let h = hart(config.clone(), code);
    let mut rng = Rng::seeded(seed);
    for end in ENDS {
        let secret: [u8; 2 * SECRET as usize] = rng.bytes();
        // The second page is the last that can be written.
        let written = h.mem.write_as(end - SECRET, &secret, Perm::NONE);
        assert_eq!(written, Ok(()), "the pages are mapped");
    }
    h
}

/// Checks a run, and returns what depends on the secrets at its end.
fn check(
    config: &Config,
    code: &[u8],
    unchecked: Option<Box<dyn Engine>>,
) -> (Report, Ran, Vec<u8>) {
    let h = hart_with(config, code, 1);
    let checker =
        Checker::new(Marks::default(), config).unwrap_or_else(|_| panic!("no host memory"));
    for end in ENDS {
        checker.mark(h.mem.id(), end - SECRET, 2 * SECRET, "secret");
    }
    let code = Area { addresses: CODE..CODE + 2 * PAGE, offset: 0, file: None };
    let follower = checker.follower();
    follower.borrow_mut().program(1, 1, "program");
    follower.borrow_mut().image(h.mem.id(), vec![code], &|_| None);
    follower.borrow_mut().resume(1, &h);
    let mut engine = checker.engine(unchecked);
    let mut taint = Vec::new();
    let ran = execute_then(&mut *engine, h, |h| {
        let [(at, len), other] = PAGES;
        taint = checker.taint(h, at, len);
        taint.extend(checker.taint(h, other.0, other.1).split_off(taint.len() - len as usize));
    });
    (checker.report(), ran, taint)
}

fn execute(engine: &mut dyn Engine, h: Hart) -> Ran {
    execute_then(engine, h, |_| ())
}

/// Runs to the end or a limit; after a trap, the next instruction runs. A system call ends the run: its effects on registers are
/// Linux's.
fn execute_then(engine: &mut dyn Engine, mut h: Hart, then: impl FnOnce(&Hart)) -> Ran {
    let mut traps = Vec::new();
    while traps.len() < TRAPS && h.instret < INSNS {
        let budget = INSNS - h.instret;
        let Stop::Trap(trap) = engine.run(&mut h, budget) else { continue };
        traps.push((h.pc, trap.cause));
        let mut half = [0; 2];
        if trap.cause == Cause::EcallU || h.mem.read_as(h.pc, &mut half, Perm::NONE).is_err() {
            break;
        }
        h.pc += if half[0] & 3 == 3 { 4 } else { 2 };
    }
    then(&h);
    let mut bytes: Vec<u8> = (0..32).flat_map(|r| h.x(r).to_le_bytes()).collect();
    bytes.extend((0..32).flat_map(|r| h.f[r].to_le_bytes()));
    bytes.extend((0..32).flat_map(|r| h.v.bytes(r)[..h.v.vlenb()].to_vec()));
    for (at, len) in PAGES {
        let mut page = vec![0; len as usize];
        assert_eq!(h.mem.read_as(at, &mut page, Perm::NONE), Ok(()), "the pages are mapped");
        bytes.extend(page);
    }
    Ran { traps, instret: h.instret, bytes }
}

/// What was found, and where.
fn places(report: &Report) -> Vec<(capvec_ct::Kind, u64)> {
    report.findings.iter().map(|f| (f.kind, f.at.address)).collect()
}
