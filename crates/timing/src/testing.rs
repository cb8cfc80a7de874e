//! Shared by the tests of this crate: a core of round numbers, and instructions to run on it.

use crate::cache::Geometry;
use crate::params::{
    Branch, Data, Fetch, Params, Per, Pipe, Pipes, Scalar, SecondLevel, Step, StepKind, Tables,
    Vector,
};
use crate::price::Prices;
use crate::reader::TICKS;
use capvec_isa::{Class, Decoded, Op};
use capvec_sim::hart::Hart;
use capvec_sim::insn::{Exec, Insn};

fn nothing(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}

/// `op` with operands set by `set`.
pub fn insn(op: Op, set: impl FnOnce(&mut Decoded)) -> Insn {
    let mut d = Decoded::new(op);
    set(&mut d);
    Insn::new(&d, nothing, 0, 0)
}

/// `op rd, rs1, rs2`.
pub fn r(op: Op, rd: u8, rs1: u8, rs2: u8) -> Insn {
    insn(op, |d| (d.rd, d.rs1, d.rs2) = (rd, rs1, rs2))
}

/// Cycles, in ticks.
pub const fn t(cycles: u32) -> u32 {
    cycles * TICKS
}

/// One cycle for everything except loads (3), multiplication (4) and division (20, blocking); no caches; one fetch
/// word per cycle.
pub fn params() -> Params {
    let mut scalar = [Scalar { latency: 1, occupancy: 1 }; Class::ALL.len()];
    scalar[Class::Load as usize].latency = 3;
    scalar[Class::Mul as usize].latency = 4;
    scalar[Class::Div as usize] = Scalar { latency: 20, occupancy: 20 };
    let none = Geometry { size: 0, line: 64, ways: 1 };
    Params {
        issue_width: 1,
        pipes: Pipes { each: [None; Pipe::ALL.len()], memory: None },
        window: None,
        rewrite: 0,
        scalar,
        fetch: Fetch {
            word: 8,
            cycles: t(1),
            buffer: 2,
            split: false,
            shared: false,
            cache: none,
            miss: t(30),
        },
        branch: Branch {
            history: 0,
            tables: Tables { entries: 0, longest: 0 },
            taken: 0,
            mispredict: t(3),
            jump: t(2),
            ret: 0,
            indirect: t(5),
        },
        data: Data {
            cache: none,
            miss: t(30),
            write_back: false,
            evict: 0,
            read: 0,
            write: 0,
            width: 8,
            misaligned: t(5),
            emulated: 0,
            second: SecondLevel { cache: none, miss: 0, tlb: none, walk: 0 },
        },
        vector: Some(vector()),
        prices: Prices::default(),
    }
}

/// A blocking unit of 128 bits: 10 cycles of startup, 2 per register read, 1 per granule of 64 bits written; 1 per
/// beat, 3 per element of strided and indexed accesses, 4 for the first AES group and 2 for each further one.
pub fn vector() -> Vector {
    let beat = Step { per: Per::Beat, first: t(1), next: t(1) };
    let mut steps = vec![beat; StepKind::COUNT];
    let element = Step { per: Per::Element, first: t(3), next: t(3) };
    steps[StepKind::of(Class::VloadStrided).0] = element;
    steps[StepKind::of(Class::VloadIndexed).0] = element;
    steps[StepKind::LOAD_SEGMENT.0] = element;
    let group = Step { per: Per::Group, first: t(4), next: t(2) };
    steps[StepKind::of(Class::Vaes).0] = group;
    steps[StepKind::of(Class::Vsm3).0] = group;
    steps[StepKind::of(Class::Vsha2).0] = group;
    steps[StepKind::SHA512.0] = Step { per: Per::Group, first: t(6), next: t(4) };
    Vector {
        blocking: true,
        in_order: false,
        dispatch: 1,
        pipes: None,
        first_pipe: vec![false; StepKind::COUNT].into(),
        queue: 1,
        chaining: false,
        datapath: Some(128),
        startup: t(10),
        to_scalar: t(7),
        read: t(2),
        write: t(1),
        granule: 64,
        memory: 64,
        cached: true,
        memory_latency: 0,
        emulated: None,
        steps: steps.into(),
    }
}
