//! The core model in the interpreter: cycles of small programs, computed by hand, which do not depend on how a run is split.

use capvec_isa::{Ext, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::{Memory, PAGE, Perm};
use capvec_sim::testing::{CODE, DATA, DATA_LEN, Rng, config, word};
use capvec_sim::{Cause, Engine, Hart, Interpreter, Stop};
use capvec_timing::{Core, FirstOrder, Model, Params};
use std::sync::Arc;

pub fn hart(words: &[u32]) -> Hart {
    let mem = Memory::new().unwrap();
    mem.map(CODE, PAGE, Perm(Perm::R.0 | Perm::X.0)).unwrap();
    mem.map(DATA, DATA_LEN, Perm::RW).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    mem.write_as(CODE, &bytes, Perm::NONE).unwrap();
    let exts = [Ext::M, Ext::C, Ext::V, Ext::Zicntr, Ext::Zvkned];
    let mut h = Hart::new(Arc::new(config(&exts, 256, Agnostic::Undisturbed)), mem);
    h.pc = CODE;
    h.write_x(10, DATA);
    h
}

pub fn params(core: &str) -> Params {
    match Core::load(core).unwrap().model {
        Model::FirstOrder(p) => *p,
        Model::Ideal => panic!("{core} has no parameters"),
    }
}

pub fn r(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> u32 {
    word(op, |d| (d.rd, d.rs1, d.rs2, d.imm) = (rd, rs1, rs2, imm))
}

const EBREAK: u32 = 0x0010_0073;

/// Cycles up to `ebreak`.
fn cycles(p: Params, words: &[u32]) -> u64 {
    let mut h = hart(&[words, &[EBREAK]].concat());
    let stop = Interpreter::new(FirstOrder::new(p, 256), false).run(&mut h, u64::MAX);
    assert!(matches!(stop, Stop::Trap(t) if t.cause == Cause::Breakpoint), "{stop:?}");
    assert_eq!(h.instret, words.len() as u64);
    h.cycles
}

#[test]
fn a_block_of_karu64_by_hand() {
    // Cold: the words are in one line, so there is one instruction-cache miss (28.5). The core waits for the first
    // word (9.5), then fetches a word (9.5) for every two instructions, which issue in a cycle each: with
    // `ebreak`, 5 instructions are 3 words, and the wait for the other 2 overlaps 4 cycles of issue.
    let alu = [r(Op::Addi, 5, 5, 0, 1), r(Op::Addi, 6, 6, 0, 1), r(Op::Addi, 7, 7, 0, 1)];
    let fetch = 28.5 + 9.5 + 2.0 * 9.5 - 4.0;
    let code = [alu[0], alu[1], alu[2], r(Op::Addi, 8, 8, 0, 1)];
    assert_eq!(cycles(params("karu64"), &code), (fetch + 4.0) as u64 - 1, "ebreak does not retire");
    // The load misses, 76, and occupies the memory port for 2; the store for 9.5. Neither overlaps fetching.
    let code = [alu[0], alu[1], r(Op::Ld, 7, 10, 0, 0), r(Op::Sd, 0, 10, 7, 8)];
    let data = 2.0 + 76.0 + 9.5;
    assert_eq!(cycles(params("karu64"), &code), (fetch + 4.0 + data) as u64 - 1);
}

/// A loop over 1024 doublewords, with a multiplication, stores and a vector sum.
fn program() -> Vec<u32> {
    vec![
        r(Op::Addi, 11, 0, 0, 1024),
        word(Op::Vsetivli, |d| (d.rd, d.rs1, d.imm) = (0, 4, 0xd0)),
        r(Op::Ld, 5, 10, 0, 0),
        r(Op::Mul, 6, 5, 11, 0),
        r(Op::Sd, 0, 10, 6, 0),
        word(Op::Vle32V, |d| (d.rd, d.rs1) = (1, 10)),
        word(Op::VaesemVs, |d| (d.rd, d.rs2) = (2, 1)),
        r(Op::VaddVv, 3, 2, 1, 0),
        r(Op::Addi, 10, 10, 0, 24),
        r(Op::Addi, 11, 11, 0, -1),
        r(Op::Bne, 0, 11, 0, -32),
        r(Op::Csrrs, 7, 0, 0, 0xc00),
        EBREAK,
    ]
}

/// Instructions, cycles, and what `rdcycle` read, for a run in pieces of `next()` instructions.
fn in_pieces(core: &Core, mut next: impl FnMut() -> u64) -> (u64, u64, u64) {
    let mut h = hart(&program());
    let mut engine = core.engine(false);
    while engine.run(&mut h, next()) == Stop::Budget {}
    (h.instret, h.cycles, h.x(7))
}

#[test]
fn cycles_do_not_depend_on_the_quantum() {
    let mut rng = Rng::new("quantum");
    for name in Core::names() {
        let core = Core::load(name).unwrap();
        let whole = in_pieces(&core, || u64::MAX);
        assert_eq!(whole.0, 2 + 1024 * 9 + 1, "{name}");
        assert!(whole.1 >= whole.2 && whole.2 > 0, "{name}: {whole:?}");
        for _ in 0..20 {
            let most = 1 + rng.below(2000);
            assert_eq!(in_pieces(&core, || 1 + rng.below(most)), whole, "{name}");
        }
    }
}

#[test]
fn ideal_counts_instructions() {
    let (instret, cycles, seen) = in_pieces(&Core::load("ideal").unwrap(), || 100);
    assert_eq!((cycles, seen), (instret, instret - 1), "before rdcycle retires");
}

#[test]
fn an_instruction_that_traps_costs_nothing() {
    let code = [r(Op::Addi, 5, 5, 0, 1), r(Op::Mul, 6, 5, 5, 0), r(Op::Ld, 7, 0, 0, 0)];
    let mut h = hart(&code);
    let mut p = params("karu64");
    p.fetch.cycles = 0;
    p.fetch.miss = 0;
    let stop = Interpreter::new(FirstOrder::new(p, 256), false).run(&mut h, u64::MAX);
    assert!(matches!(stop, Stop::Trap(t) if t.cause == Cause::LoadPage), "{stop:?}");
    assert_eq!((h.instret, h.cycles), (2, 1 + 4));
    assert!(h.accesses.is_empty());
}

#[test]
fn cost_depends_on_vl_and_not_on_vlen() {
    let mut core = Core::load("karu64").unwrap();
    let at = |core: &Core| {
        let mut h = hart(&program());
        core.engine(false).run(&mut h, u64::MAX);
        h.cycles
    };
    let short = at(&core);
    core.vlen = 512;
    // vl is 4 words on both, so the same amount of data is moved.
    assert_eq!(at(&core), short);
}
