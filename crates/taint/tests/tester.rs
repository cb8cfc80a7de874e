//! Executes instructions on random operands with random taint, and compares what changes with what is tainted.

use crate::state::{State, aim, configure, encoding};
use capvec_isa::{Class, Op};
use capvec_sim::insn::Insn;
use capvec_sim::interp;
use capvec_sim::testing::{CODE, Rig, Rng};
use capvec_sim::{Config, Hart};
use capvec_taint::{Dest, Roles, Shadow};
use std::collections::BTreeMap;

/// Number of variants of each execution.
const VARIANTS: u32 = 12;

/// An operand that a rule forgets, to see that the test notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgotten {
    Nothing,
    X1,
    X2,
    F1,
    F2,
    F3,
    V1,
    V2,
    V3,
    /// The old destination.
    Old,
    Mask,
    Memory,
}

impl Forgotten {
    fn forget(self, taint: &mut State, i: &Insn, vlenb: usize) {
        let mut group = |r: u8| {
            let at = r as usize * vlenb..(r as usize + 8).min(32) * vlenb;
            taint.v[at].fill(0);
        };
        match self {
            Forgotten::Nothing => {}
            Forgotten::X1 => taint.x[i.rs1 as usize & 31] = 0,
            Forgotten::X2 => taint.x[i.rs2 as usize & 31] = 0,
            Forgotten::F1 => taint.f[i.rs1 as usize & 31] = 0,
            Forgotten::F2 => taint.f[i.rs2 as usize & 31] = 0,
            Forgotten::F3 => taint.f[i.rs3 as usize & 31] = 0,
            Forgotten::V1 => group(i.rs1),
            Forgotten::V2 => group(i.rs2),
            Forgotten::V3 => group(i.rs3),
            Forgotten::Old => group(i.rd),
            Forgotten::Mask => taint.v[..vlenb].fill(0),
            Forgotten::Memory => taint.memory.fill(0),
        }
    }
}

/// What a test of a row has found.
pub struct Tested {
    /// How often it was executed.
    pub executed: u32,
    /// A clean bit that has changed.
    pub fault: Option<String>,
}

/// Bits of destinations, by rule.
pub type Sums = BTreeMap<String, Precision>;

/// How many bits of destinations were tainted, and how many of them changed.
#[derive(Clone, Copy, Default)]
pub struct Precision {
    pub tainted: u64,
    pub changed: u64,
}

/// A hart, its shadow, and random numbers.
pub struct Tester {
    pub rig: Rig,
    shadow: Shadow,
    rng: Rng,
}

/// What an instruction is executed on.
struct Trial {
    insn: Insn,
    roles: Roles,
    vector: (u64, capvec_sim::vector::VType),
    vstart: u64,
    state: State,
    taint: State,
}

impl Tester {
    pub fn new(config: Config, rng: Rng) -> Tester {
        let shadow = Shadow::new(&config).expect("an address space");
        Tester { rig: Rig::new(config), shadow, rng }
    }

    fn prepare(&mut self, op: Op) -> Option<Trial> {
        let (rng, h) = (&mut self.rng, &mut self.rig.h);
        configure(rng, h);
        let d = encoding(rng, op, h)?;
        let handlers = interp::table(h.config.xlen, true);
        let insn = Insn::new(&d, handlers[op as usize], CODE, 0);
        let roles = self.shadow.roles(&insn);
        let vlenb = h.v.vlenb();
        let mut state = State::random(rng, vlenb);
        let density = rng.pick(&[4, 6, 40]);
        let mut taint = State::taint(rng, vlenb, density);
        aim(rng, &d, &roles, &mut state, &mut taint);
        if h.config.xlen == 32 {
            state.extend_signs();
            taint.extend_signs();
        }
        Some(Trial { insn, roles, vector: (h.v.vl, h.v.vtype), vstart: h.v.vstart, state, taint })
    }

    /// Executes the instruction on a state; `None` if it traps.
    fn execute(&mut self, trial: &Trial, state: &State) -> Option<State> {
        let h = &mut self.rig.h;
        prepare_hart(h, trial, state);
        let done = (trial.insn.exec)(h, &trial.insn);
        done.is_ok().then(|| State::of(h))
    }

    /// The taint after the instruction, if the rule forgets an operand.
    fn transfer(&mut self, trial: &Trial, forgotten: Forgotten) -> State {
        let h = &mut self.rig.h;
        prepare_hart(h, trial, &trial.state);
        let mut taint = trial.taint.clone();
        forgotten.forget(&mut taint, &trial.insn, h.v.vlenb());
        taint.taint_shadow(&mut self.shadow);
        // As `capvec ct` does.
        if trial.roles.plain {
            self.shadow.plain(h, &trial.insn, &trial.roles);
            return State::from_shadow(&self.shadow);
        }
        let before = self.shadow.before(h, &trial.insn, &trial.roles);
        let _ = (trial.insn.exec)(h, &trial.insn);
        let accesses = std::mem::take(&mut h.accesses);
        if let Some(before) = before {
            self.shadow.after(h, &trial.insn, &trial.roles, before, &accesses);
        }
        State::from_shadow(&self.shadow)
    }

    /// Executes a row with random operands, up to `trials` times; stops at a clean bit that has changed.
    pub fn test(&mut self, op: Op, trials: u32, forgotten: Forgotten, sums: &mut Sums) -> Tested {
        let mut executed = 0;
        for _ in 0..trials * 20 {
            let Some(trial) = self.prepare(op) else { continue };
            let Some(result) = self.execute(&trial, &trial.state) else { continue };
            let found = self.transfer(&trial, forgotten);
            if let Some(width) = trial.roles.boxed {
                let box_bits = found.f[trial.insn.rd as usize] >> width;
                assert_eq!(box_bits, 0, "{}: the bits that box the number are public", op.name());
            }
            let mut changes = State::zero(self.rig.h.v.vlenb());
            for _ in 0..VARIANTS {
                let mut varied = trial.state.vary(&mut self.rng, &trial.taint);
                if self.rig.h.config.xlen == 32 {
                    varied.extend_signs();
                }
                let Some(other) = self.execute(&trial, &varied) else { continue };
                let change = result.difference(&other);
                if let Some(bits) = change.beyond(&found) {
                    let text = capvec_isa::disassemble(&trial.decoded(), CODE);
                    let (vector, vstart) = (trial.vector, trial.vstart);
                    let fault = format!("{text}, vl and vtype {vector:?}, vstart {vstart}: {bits}");
                    return Tested { executed, fault: Some(fault) };
                }
                changes = merge(changes, &change);
            }
            sum(sums, &trial, &found, &changes, self.rig.h.v.vlenb());
            executed += 1;
            if executed == trials {
                break;
            }
        }
        Tested { executed, fault: None }
    }

    /// The operands of a row.
    pub fn roles(&mut self, op: Op) -> Roles {
        *self.shadow.roles_of(op)
    }

    /// Changes them.
    pub fn set_roles(&mut self, op: Op, roles: Roles) {
        *self.shadow.roles_of(op) = roles;
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
    h.v.vstart = trial.vstart;
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
fn sum(sums: &mut Sums, trial: &Trial, found: &State, changes: &State, vlenb: usize) {
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
    let entry = sums.entry(trial.roles.rule.name()).or_default();
    entry.tainted += u64::from(tainted);
    entry.changed += u64::from(changed);
}

/// Instructions of this XLEN whose results are functions of registers and memory, and that do not transfer control.
pub fn is_tested(op: Op, xlen: u8) -> bool {
    let row = op.row();
    let control = matches!(row.class, Class::Branch | Class::Jump | Class::System | Class::Fence);
    row.base == op && (row.xlen == 0 || row.xlen == xlen) && !control
}
