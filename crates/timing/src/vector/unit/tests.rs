//! Costs of single instructions and of queued instructions.

use super::*;
use crate::params::Step;
use crate::testing::{insn, params, r, t, vector};
use capvec_isa::Op;
use capvec_sim::vector::{VType, Vector as State};

/// A unit and the state that it works on.
struct Rig {
    unit: VectorUnit,
    data: DataSide,
    v: State,
}

impl Rig {
    fn new(p: Vector) -> Rig {
        let unit = VectorUnit::new(p, Prices::default(), 256);
        Rig { unit, data: DataSide::new(params().data), v: State::new(256) }
    }

    /// SEW, log2 of LMUL and vl of the instructions that follow.
    fn vset(&mut self, sew: u32, lmul: i8, vl: u64) -> &mut Rig {
        self.v.vtype = VType { vill: false, sew, lmul, vta: true, vma: true };
        self.v.vl = vl;
        self
    }

    /// Cycles beyond the first.
    fn run_at(&mut self, now: u32, i: Insn, accesses: &[Access]) -> u64 {
        let seen = Seen { accesses, vl: self.v.vl, vtype: self.v.vtype };
        let stall = self.unit.execute(t(now) as u64, &i, &seen, &mut self.data);
        (stall.memory + stall.other) / TICKS as u64
    }

    fn run(&mut self, i: Insn) -> u64 {
        self.run_at(0, i, &[])
    }
}

/// Cycles of `vector()` for startup, registers read and granules written, less the issue cycle.
fn moves(reads: u64, granules: u64) -> u64 {
    10 + 2 * reads + granules - 1
}

#[test]
fn elements_over_the_datapath() {
    let mut rig = Rig::new(vector());
    let add = r(Op::VaddVv, 8, 16, 24);
    // VLEN 256: 8 words are a register, two beats of 128 bits, four granules of 64.
    assert_eq!(rig.vset(32, 0, 8).run(add), 2 + moves(2, 4));
    assert_eq!(rig.vset(32, 0, 3).run(add), 1 + moves(2, 2));
    assert_eq!(rig.vset(32, 2, 32).run(add), 8 + moves(8, 16));
    assert_eq!(rig.vset(32, 2, 9).run(add), 3 + moves(4, 5), "vl counts, not LMUL");
    assert_eq!(rig.vset(32, 2, 0).run(add), moves(2, 0));
}

#[test]
fn operands_of_other_widths() {
    let mut rig = Rig::new(vector());
    let wide = r(Op::VwadduVv, 8, 16, 24);
    // 8 half-words: sources of a register each, the result of 256 bits.
    assert_eq!(rig.vset(16, 0, 8).run(wide), 2 + moves(2, 4));
    let compare = r(Op::VmseqVv, 1, 16, 24);
    assert_eq!(rig.vset(32, 2, 32).run(compare), 8 + moves(8, 1), "32 bits are written");
    let masked = insn(Op::VaddVv, |d| (d.rd, d.rs1, d.rs2, d.vm) = (8, 16, 24, false));
    assert_eq!(rig.vset(32, 0, 8).run(masked), 2 + moves(3, 4));
    let macc = r(Op::VmaccVv, 8, 16, 24);
    assert_eq!(rig.vset(32, 0, 8).run(macc), 2 + moves(3, 4));
    let whole = r(Op::Vmv4rV, 8, 0, 16);
    assert_eq!(rig.vset(8, 0, 1).run(whole), 8 + moves(4, 16));
    let scalar = r(Op::VmvXS, 5, 0, 16);
    assert_eq!(rig.vset(32, 2, 32).run(scalar), 1 + moves(1, 0) + 7);
}

#[test]
fn element_groups() {
    let mut rig = Rig::new(vector());
    let aes = r(Op::VaesemVs, 8, 0, 16);
    // One group; then LMUL 4 with 8 groups: 4, and 2 for each of 7 further ones. The key is one register.
    assert_eq!(rig.vset(32, 0, 4).run(aes), 4 + moves(2, 2));
    assert_eq!(rig.vset(32, 2, 32).run(aes), 4 + 7 * 2 + moves(5, 16));
    let sha = r(Op::Vsha2clVv, 8, 16, 24);
    assert_eq!(rig.vset(32, 0, 4).run(sha), 4 + moves(3, 2));
    assert_eq!(rig.vset(64, 0, 4).run(sha), 6 + moves(3, 4), "groups of 256 bits");
    assert_eq!(rig.vset(64, 1, 8).run(sha), 6 + 4 + moves(6, 8));
    let sm3 = r(Op::Vsm3cVi, 8, 0, 16);
    assert_eq!(rig.vset(32, 0, 8).run(sm3), 4 + moves(2, 4), "groups of 256 bits");
}

#[test]
fn memory_accesses() {
    let mut rig = Rig::new(vector());
    let one = |addr, size| [Access { addr, size, store: false }];
    let load = r(Op::Vle32V, 8, 10, 0);
    assert_eq!(rig.vset(32, 0, 8).run_at(0, load, &one(0x100, 32)), 4 + moves(0, 4));
    assert_eq!(rig.run_at(0, load, &one(0x104, 32)), 5 + moves(0, 4), "five of 64 bits");
    let elements: Vec<Access> =
        (0..8).map(|k| Access { addr: 0x100 + 4 * k, size: 4, store: false }).collect();
    assert_eq!(rig.run_at(0, load, &elements), 4 + moves(0, 4), "however they are reported");
    let strided = r(Op::Vlse32V, 8, 10, 11);
    assert_eq!(rig.run_at(0, strided, &elements), 8 * 3 + moves(0, 4));
    let indexed = r(Op::Vluxei16V, 8, 10, 16);
    assert_eq!(rig.run_at(0, indexed, &elements), 8 * 3 + moves(1, 4));
    // Three fields: 24 elements in three registers.
    let segment = insn(Op::Vle32V, |d| (d.rd, d.rs1, d.aux) = (8, 10, 2));
    assert_eq!(rig.run_at(0, segment, &one(0x100, 96)), 24 * 3 + moves(0, 12));
    let store = r(Op::Vse32V, 0, 10, 0);
    assert_eq!(rig.run_at(0, store, &one(0x100, 32)), 4 + moves(1, 0));
}

/// 10 cycles of startup, one cycle per beat, none for moving registers.
fn queued(queue: usize, chaining: bool) -> Rig {
    let p = Vector { blocking: false, queue, chaining, read: 0, write: 0, ..vector() };
    let mut rig = Rig::new(p);
    rig.vset(32, 2, 32);
    rig
}

/// When `r` can be read after `insns`, which issue one per cycle.
fn ready(rig: &mut Rig, insns: &[Insn], r: usize) -> u64 {
    for (k, i) in insns.iter().enumerate() {
        assert_eq!(rig.run_at(k as u32, *i, &[]), 0, "the queue has room");
    }
    rig.unit.queue.registers[r].complete / TICKS as u64
}

#[test]
fn dependent_instructions_wait_or_chain() {
    let first = r(Op::VaddVv, 8, 16, 20);
    let next = r(Op::VmulVv, 12, 8, 20);
    // 8 beats each: the first is done at 18, when the second starts; with chaining it starts at the first beat,
    // at 11.
    assert_eq!(ready(&mut queued(8, false), &[first, next], 12), 18 + 18);
    assert_eq!(ready(&mut queued(8, true), &[first, next], 12), 11 + 18);
    // Another functional unit, independent: starts when it issues, at 1.
    let other = r(Op::VmulVv, 12, 24, 20);
    assert_eq!(ready(&mut queued(8, false), &[first, other], 12), 1 + 18);
    // The same functional unit: after the 8 beats of the first; startup overlaps.
    let same = r(Op::VaddVv, 12, 24, 20);
    assert_eq!(ready(&mut queued(8, false), &[first, same], 12), 8 + 18);
    // Each register of a group counts separately: v11 is the last of v8..v11.
    let last = insn(Op::VmvXS, |d| (d.rd, d.rs2) = (5, 11));
    let mut rig = queued(8, false);
    rig.run_at(0, first, &[]);
    assert_eq!(rig.run_at(1, last, &[]), 18 + 11 + 7 - 2, "the scalar result is waited for");
}

#[test]
fn a_full_queue_delays_issue() {
    let mut rig = queued(2, false);
    let add = r(Op::VaddVv, 8, 16, 20);
    assert_eq!(rig.run_at(0, add, &[]), 0);
    assert_eq!(rig.run_at(1, add, &[]), 0);
    assert_eq!(rig.run_at(2, add, &[]), 16, "until the first is done, at 18");
    rig.unit.switch();
    assert_eq!(rig.run_at(3, add, &[]), 0);
}

/// An in-order unit: startup 2, for what runs alone; a cycle per beat, and one more for the first beat of SHA-2.
fn in_order() -> Rig {
    let mut p = Vector { blocking: false, in_order: true, startup: t(2), to_scalar: 0, ..vector() };
    (p.read, p.write) = (0, 0);
    let steps = &mut p.steps;
    steps[StepKind::of(Class::Vsha2).0] = Step { per: Per::Beat, first: t(2), next: t(1) };
    steps[StepKind::of(Class::VmoveScalar).0] = Step { per: Per::Element, first: t(1), next: t(1) };
    let mut rig = Rig::new(p);
    rig.vset(32, 0, 4);
    rig
}

#[test]
fn an_in_order_unit_takes_beats_one_after_the_other() {
    let mut rig = in_order();
    // One beat each: they issue one per cycle, also if each needs the result of the previous one.
    let add = r(Op::VaddVv, 8, 8, 20);
    assert_eq!((0..4).map(|k| rig.run_at(k, add, &[])).sum::<u64>(), 0);
    // Two cycles after the first: the second waits for its operands, and the third, which is independent, for the second.
    let round = r(Op::Vsha2clVv, 12, 16, 20);
    let other = r(Op::VaesefVv, 24, 25, 0);
    assert_eq!(rig.run_at(10, round, &[]), 0);
    assert_eq!(rig.run_at(11, round, &[]), 0);
    assert_eq!(rig.run_at(12, other, &[]), 1);
    // Eight beats hold up issue for eight cycles.
    rig.vset(32, 2, 32);
    assert_eq!(rig.run_at(20, r(Op::VaddVv, 8, 16, 20), &[]), 0);
    assert_eq!(rig.run_at(21, r(Op::VaddVv, 12, 24, 28), &[]), 7);
}

#[test]
fn an_in_order_unit_takes_a_beat_of_the_crypto_unit_and_one_of_the_others() {
    let mut rig = in_order();
    rig.vset(32, 2, 32);
    // Eight beats each, in one unit and the other; the third waits for the first.
    let reverse = r(Op::Vrev8V, 8, 0, 16);
    let add = r(Op::VaddVv, 12, 20, 24);
    assert_eq!(rig.run_at(0, reverse, &[]), 0);
    assert_eq!(rig.run_at(1, add, &[]), 0);
    assert_eq!(rig.run_at(2, r(Op::Vrev8V, 16, 0, 28), &[]), 6);
    // The last register of the sum is written six beats after the first, by the addition from 9 to 16, and read by zvku.
    assert_eq!(rig.run_at(9, r(Op::VaddVv, 12, 20, 24), &[]), 0);
    rig.vset(32, 0, 8);
    assert_eq!(rig.run_at(16, r(Op::Vrev8V, 4, 0, 15), &[]), 0);
    assert_eq!(rig.run_at(17, r(Op::Vrev8V, 5, 0, 4), &[]), 1);
    // What an earlier instruction still has to read is not overwritten: the round waits for its predecessor, the sum for the round.
    let mut rig = in_order();
    assert_eq!(rig.run_at(0, r(Op::Vsha2clVv, 12, 16, 20), &[]), 0);
    assert_eq!(rig.run_at(1, r(Op::Vsha2clVv, 12, 16, 21), &[]), 0);
    assert_eq!(rig.run_at(2, r(Op::VaddVv, 21, 24, 25), &[]), 0);
    assert_eq!(rig.run_at(3, r(Op::VaddVv, 26, 24, 25), &[]), 1);
}

#[test]
fn an_in_order_unit_runs_elements_alone() {
    let mut rig = in_order();
    rig.run_at(0, r(Op::Vsha2clVv, 12, 16, 20), &[]);
    // Done at 2; two more cycles until nothing is in flight; one element.
    let move_out = insn(Op::VmvXS, |d| (d.rd, d.rs2) = (5, 4));
    assert_eq!(rig.run_at(1, move_out, &[]), 4);
}

/// Two pipes of 128 bits, of which one shifts; results four cycles after the start.
fn two_pipes() -> Vector {
    let mut first_pipe = vec![false; StepKind::COUNT];
    first_pipe[StepKind::SHIFT.0] = true;
    Vector {
        blocking: false,
        pipes: Some(2),
        first_pipe: first_pipe.into(),
        queue: 8,
        chaining: true,
        startup: t(3),
        read: 0,
        write: 0,
        ..vector()
    }
}

/// Cycles from one instruction to the next of many that are independent of each other.
fn pace(rig: &mut Rig, code: &[Insn]) -> f64 {
    const ROUNDS: u32 = 64;
    let mut now = 0;
    let mut middle = 0;
    for round in 0..ROUNDS {
        if round == ROUNDS / 2 {
            middle = now;
        }
        for i in code {
            now += 1 + rig.run_at(now, *i, &[]) as u32;
        }
    }
    f64::from(now - middle) / f64::from(ROUNDS / 2) / code.len() as f64
}

#[test]
fn a_unit_with_pipes_executes_two_at_once() {
    // Two registers of 256 bits: four beats of 128 bits in one pipe.
    let adds = [8, 10, 12, 14].map(|rd| r(Op::VaddVv, rd, 16, 24));
    let shifts = [8, 10, 12, 14].map(|rd| r(Op::VsllVv, rd, 16, 24));
    let mut rig = Rig::new(two_pipes());
    assert_eq!(pace(rig.vset(32, 1, 16), &adds), 2.0);
    let mut rig = Rig::new(two_pipes());
    assert_eq!(pace(rig.vset(32, 1, 16), &shifts), 4.0);
    let mut rig = Rig::new(two_pipes());
    let mixed = [shifts[0], adds[1], shifts[2], adds[3]];
    assert_eq!(pace(rig.vset(32, 1, 16), &mixed), 2.0, "additions use the other pipe");
    let mut one = Rig::new(Vector { pipes: Some(1), ..two_pipes() });
    assert_eq!(pace(one.vset(32, 1, 16), &adds), 4.0);
}

#[test]
fn permutations_may_cost_pairs_of_registers() {
    let mut p = vector();
    p.steps[StepKind::of(Class::Vgather).0] = Step { per: Per::Pair, first: t(4), next: t(4) };
    let mut rig = Rig::new(p);
    let gather = r(Op::VrgatherVv, 8, 16, 24);
    assert_eq!(rig.vset(32, 0, 8).run(gather), 4 + moves(2, 4));
    assert_eq!(rig.vset(32, 2, 32).run(gather), 16 * 4 + moves(8, 16));
}

#[test]
fn subclasses_have_their_own_cost() {
    let mut p = vector();
    p.steps[StepKind::LOGIC.0] = Step { per: Per::Beat, first: t(2), next: t(2) };
    p.steps[StepKind::MUL64.0] = Step { per: Per::Beat, first: t(8), next: t(8) };
    let mut rig = Rig::new(p);
    assert_eq!(rig.vset(32, 0, 8).run(r(Op::VxorVv, 8, 16, 24)), 4 + moves(2, 4));
    assert_eq!(rig.run(r(Op::VaddVv, 8, 16, 24)), 2 + moves(2, 4));
    assert_eq!(rig.run(r(Op::VmulVv, 8, 16, 24)), 2 + moves(2, 4));
    assert_eq!(rig.vset(64, 0, 4).run(r(Op::VmulVv, 8, 16, 24)), 16 + moves(2, 4));
}
