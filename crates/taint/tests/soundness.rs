//! Every rule against the semantics: whatever values the tainted bits of the operands have, no clean bit of the result changes.

use crate::state::{State, aim, configure, encoding};
use capvec_isa::op::OPS;
use capvec_isa::{Class, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::insn::Insn;
use capvec_sim::interp::OBSERVED;
use capvec_sim::testing::{CODE, Rig, Rng, config, ext_sets};
use capvec_sim::{Config, Hart};
use capvec_taint::{Dest, Roles, Shadow};
use std::collections::BTreeMap;

/// Number of instructions that are executed per row and configuration, and of variants of each.
const TRIALS: u32 = 20;
const VARIANTS: u32 = 12;

/// How many bits of destinations were tainted, and how many of them changed.
#[derive(Clone, Copy, Default)]
struct Precision {
    tainted: u64,
    changed: u64,
}

struct Tester {
    rig: Rig,
    shadow: Shadow,
    rng: Rng,
}

/// What an instruction is executed on.
struct Trial {
    insn: Insn,
    roles: Roles,
    vector: (u64, capvec_sim::vector::VType),
    state: State,
    taint: State,
}

impl Tester {
    fn new(config: Config, rng: Rng) -> Tester {
        let shadow = Shadow::new(&config).expect("an address space");
        Tester { rig: Rig::new(config), shadow, rng }
    }

    fn prepare(&mut self, op: Op) -> Option<Trial> {
        let (rng, h) = (&mut self.rng, &mut self.rig.h);
        configure(rng, h);
        let d = encoding(rng, op, h)?;
        let insn = Insn::new(&d, OBSERVED[op as usize], CODE, 0);
        let roles = self.shadow.roles(&insn);
        let vlenb = h.v.vlenb();
        let mut state = State::random(rng, vlenb);
        let density = rng.pick(&[4, 6, 40]);
        let mut taint = State::taint(rng, vlenb, density);
        aim(rng, &d, &roles, &mut state, &mut taint);
        Some(Trial { insn, roles, vector: (h.v.vl, h.v.vtype), state, taint })
    }

    /// Executes the instruction on a state; `None` if it traps.
    fn execute(&mut self, trial: &Trial, state: &State) -> Option<State> {
        let h = &mut self.rig.h;
        prepare_hart(h, trial, state);
        let done = (trial.insn.exec)(h, &trial.insn);
        done.is_ok().then(|| State::of(h))
    }

    /// The taint after the instruction.
    fn transfer(&mut self, trial: &Trial) -> State {
        let h = &mut self.rig.h;
        prepare_hart(h, trial, &trial.state);
        trial.taint.taint_shadow(&mut self.shadow);
        let before = self.shadow.before(h, &trial.insn);
        let _ = (trial.insn.exec)(h, &trial.insn);
        let accesses = std::mem::take(&mut h.accesses);
        if let Some(before) = before {
            self.shadow.after(h, &trial.insn, before, &accesses);
        }
        State::from_shadow(&self.shadow)
    }

    /// Tests a row; returns how often it was executed.
    fn test(&mut self, op: Op, sums: &mut BTreeMap<String, Precision>) -> u32 {
        let mut executed = 0;
        for _ in 0..TRIALS * 20 {
            let Some(trial) = self.prepare(op) else { continue };
            let Some(result) = self.execute(&trial, &trial.state) else { continue };
            let found = self.transfer(&trial);
            let mut changes = State::zero(self.rig.h.v.vlenb());
            for _ in 0..VARIANTS {
                let varied = trial.state.vary(&mut self.rng, &trial.taint);
                let Some(other) = self.execute(&trial, &varied) else { continue };
                let change = result.difference(&other);
                if let Some(bits) = change.beyond(&found) {
                    let text = capvec_isa::disassemble(&trial.decoded(), CODE);
                    panic!("{text}, vl and vtype {:?}: {bits}", trial.vector);
                }
                changes = merge(changes, &change);
            }
            sum(sums, &trial, &found, &changes, self.rig.h.v.vlenb());
            executed += 1;
            if executed == TRIALS {
                break;
            }
        }
        executed
    }
}

impl Trial {
    fn decoded(&self) -> capvec_isa::Decoded {
        let i = &self.insn;
        let mut d = capvec_isa::Decoded::new(i.op());
        (d.rd, d.rs1, d.rs2, d.rs3) = (i.rd & 31, i.rs1, i.rs2, i.rs3);
        (d.imm, d.aux, d.vm) = (i.imm, i.aux(), i.vm());
        d
    }
}

fn prepare_hart(h: &mut Hart, trial: &Trial, state: &State) {
    state.load(h);
    (h.v.vl, h.v.vtype) = trial.vector;
    h.v.vstart = 0;
    h.accesses.clear();
    // A store-conditional to the reserved address succeeds.
    h.reservation = Some((trial.state.x[trial.insn.rs1 as usize], 8));
}

fn merge(a: State, b: &State) -> State {
    let mut a = a;
    a.x.iter_mut().zip(&b.x).for_each(|(a, b)| *a |= b);
    a.f.iter_mut().zip(&b.f).for_each(|(a, b)| *a |= b);
    a.v.iter_mut().zip(&b.v).for_each(|(a, b)| *a |= b);
    a
}

/// Adds the destination's bits to the sums of the rule.
fn sum(
    sums: &mut BTreeMap<String, Precision>,
    trial: &Trial,
    found: &State,
    changes: &State,
    vlenb: usize,
) {
    let i = &trial.insn;
    let r = i.rd as usize;
    let (tainted, changed): (u32, u32) = match trial.roles.dest {
        Dest::X if r < 32 => (found.x[r].count_ones(), changes.x[r].count_ones()),
        Dest::F => (found.f[r].count_ones(), changes.f[r].count_ones()),
        Dest::V | Dest::Mask => {
            let n = trial.roles.dest_span(i, trial.vector.1, vlenb) as usize;
            let at = r * vlenb..(r + n) * vlenb;
            let ones = |bytes: &[u8]| bytes.iter().map(|b| b.count_ones()).sum();
            (ones(&found.v[at.clone()]), ones(&changes.v[at]))
        }
        _ => return,
    };
    let entry = sums.entry(format!("{:?}", trial.roles.rule)).or_default();
    entry.tainted += u64::from(tainted);
    entry.changed += u64::from(changed);
}

/// Instructions whose results are no function of registers and memory, or that transfer control.
fn is_tested(op: Op) -> bool {
    let row = op.row();
    let control = matches!(row.class, Class::Branch | Class::Jump | Class::System | Class::Fence);
    row.base == op && row.xlen != 32 && !control
}

fn test_all(vlen: u32, agnostic: Agnostic) {
    let mut sums = BTreeMap::new();
    let mut executed: BTreeMap<&str, u32> = BTreeMap::new();
    for (n, exts) in ext_sets().into_iter().enumerate() {
        let config = config(&exts, vlen, agnostic);
        let mut tester = Tester::new(config, Rng::new("soundness"));
        let sets = tester.rig.h.config.exts;
        // The other sets differ only in drafts.
        let tested = |op: &Op| is_tested(*op) && sets.intersects(op.row().exts);
        let new = |op: &Op| n == 0 || op.row().class == Class::Vkeccak;
        for op in OPS.into_iter().filter(tested).filter(new) {
            *executed.entry(op.name()).or_default() += tester.test(op, &mut sums);
        }
    }
    for (rule, p) in &sums {
        let percent = 100.0 * p.changed as f64 / p.tainted.max(1) as f64;
        println!("{rule}: {} bits tainted, {percent:.0} % of them changed", p.tainted);
    }
    let rare: Vec<_> = executed.iter().filter(|(_, n)| **n < TRIALS).collect();
    println!("executed less often: {rare:?}");
    // User mode may not execute cbo.inval.
    let never = executed.iter().filter(|(name, n)| **n == 0 && **name != "cbo.inval");
    let never: Vec<&str> = never.map(|(name, _)| *name).collect();
    assert!(never.is_empty(), "never executed: {never:?}");
    let missing = OPS.into_iter().filter(|op| is_tested(*op) && !executed.contains_key(op.name()));
    assert_eq!(missing.map(Op::name).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn no_clean_bit_changes_at_vlen_128() {
    test_all(128, Agnostic::Ones);
}

#[test]
fn no_clean_bit_changes_at_vlen_256() {
    test_all(256, Agnostic::Undisturbed);
}
