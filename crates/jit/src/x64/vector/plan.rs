//! What a block's vector instructions become.
//!
//! Code is generated for one vtype and vl: those of the first time, or what a vset of the block makes. A
//! guard before the first instruction that depends on them leaves to the interpreter if they are others.
//! Within the block only a vset can change them, and vstart stays 0.

use super::asm::Wide;
use super::file::ALL_TEMPORARY;
use super::kind::{self, Kind};
use super::{Judge, avx2, config};
use crate::Host;
use capvec_isa::{Class, Op};
use capvec_sim::block::MAX;
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::insn::Insn;
use capvec_sim::vector::VType;
use std::sync::Arc;

/// vtype and vl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// vtype, which is legal.
    pub vtype: VType,
    /// vl, which is not 0.
    pub vl: u64,
}

/// What the vector unit is like when a block is translated.
pub struct Unit<'a> {
    /// The hart's.
    pub config: &'a Arc<Config>,
    /// At the block's entry, presumably.
    pub vtype: VType,
    /// Likewise.
    pub vl: u64,
    /// Accesses with a constant stride are generated. Else they are left to handlers, which tell a core model of each.
    pub strided: bool,
    /// Instruction and the vl that it set when it was interpreted last.
    pub seen: &'a [(u8, u64)],
}

/// What becomes of an instruction.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A vset whose effect is known, or tested. If it needs another state before, that is certain or not.
    Set { set: config::Set, certain: bool },
    /// An operation; its state is to be guarded if it is not certain.
    Op { op: Operation, guard: bool },
}

/// A vector operation under a certain state, of which all elements but masked ones are written.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// What it does.
    pub kind: Kind,
    /// The state under which it does it.
    pub state: State,
    /// Bytes of the destination's body, or of what is stored.
    pub bytes: u32,
    /// The widest pieces that it is done in.
    pub most: Wide,
}

impl Operation {
    /// The widest of its pieces.
    pub fn widest(&self) -> Wide {
        Wide::within(self.bytes).min(self.most)
    }

    /// The pieces that its bytes are handled in.
    pub fn pieces(&self) -> impl Iterator<Item = (u32, Wide)> + use<> {
        super::pieces(self.bytes, self.most)
    }
}

/// For each of a block's instructions.
pub struct Plan {
    /// The state at the entry, if code depends on it.
    pub entry: Option<State>,
    steps: [Option<Step>; MAX],
    /// The widest pieces that operations are done in.
    most: Wide,
    /// Bytes of a vector register.
    pub vlenb: u32,
    /// The host's instructions.
    pub host: Host,
}

/// Most bytes that are worth to be handled without a loop.
const MOST: u64 = 1024;

impl Plan {
    /// Of these instructions.
    pub fn new(insns: &[Insn], unit: &Unit<'_>, host: Host, judge: &mut Judge) -> Plan {
        let (steps, most) = ([None; MAX], avx2::widest(host, insns));
        let mut plan = Plan { entry: None, steps, most, vlenb: unit.config.vlen / 8, host };
        if !(host.vectors || host.avx2) || !insns.iter().any(|i| i.op().row().class.is_vector()) {
            return plan;
        }
        let state = State::of(unit.vtype, unit.vl);
        let mut now = Now { state, certain: false, entered: false };
        for (k, i) in insns.iter().enumerate() {
            plan.steps[k] = plan.step(k, i, unit, judge, &mut now);
        }
        plan
    }

    /// Whether there are operations among the steps.
    pub fn has_operations(&self) -> bool {
        self.steps.iter().any(|s| matches!(s, Some(Step::Op { .. })))
    }

    /// How many of the host's vector registers instructions take for values of their own: scalar cryptography takes two.
    pub fn temporaries(&self) -> u8 {
        let taken = |s: &Option<Step>| match s {
            Some(Step::Op { op, .. }) if !self.host.vectors => avx2::temporaries(op.kind),
            Some(Step::Op { .. }) => ALL_TEMPORARY,
            _ => 0,
        };
        self.steps.iter().map(taken).max().unwrap_or(0).max(2)
    }

    /// Whether instruction `k`, which has a step, reads x register rs1.
    pub fn reads_x(&self, k: usize, i: &Insn) -> bool {
        match self.steps[k] {
            Some(Step::Set { .. }) => i.op() == Op::Vsetvli,
            Some(Step::Op { op, .. }) => op.kind.reads_x(),
            None => false,
        }
    }

    /// What becomes of instruction `k`, unless its handler is called.
    pub fn at(&self, k: usize) -> Option<Step> {
        self.steps[k]
    }

    fn step(
        &mut self,
        k: usize,
        i: &Insn,
        unit: &Unit<'_>,
        judge: &mut Judge,
        now: &mut Now,
    ) -> Option<Step> {
        match i.op().row().class {
            Class::Vset => {
                let certain = now.certain;
                let set = config::plan(k, i, unit, now.state);
                let state = set.and_then(|s| State::of(s.vtype, s.vl));
                let certain = match set.and_then(|s| s.needs) {
                    Some(before) => certain || self.at_entry(before, now),
                    None => true,
                };
                *now = Now { state, certain: state.is_some(), entered: true };
                return set.map(|set| Step::Set { set, certain });
            }
            // It may write vstart.
            Class::Csr => (now.certain, now.entered) = (false, true),
            _ => {}
        }
        if shortens_vl(i.op()) {
            now.state = None;
        }
        let state = now.state?;
        let op = self.operation(i, state, unit.config)?;
        if !unit.strided && matches!(op.kind, Kind::LoadStrided(_) | Kind::StoreStrided(_)) {
            return None;
        }
        if !judge.legal(unit.config, i, state.vtype, state.vl) {
            return None;
        }
        let certain = std::mem::replace(&mut now.certain, true);
        let guard = !certain && !self.at_entry(state, now);
        Some(Step::Op { op, guard })
    }

    /// Has the state tested at the block's entry, if nothing was there before that changes it.
    fn at_entry(&mut self, state: State, now: &Now) -> bool {
        if !now.entered {
            self.entry = Some(state);
        }
        !now.entered
    }

    fn operation(&self, i: &Insn, state: State, config: &Config) -> Option<Operation> {
        let kind = kind::of(i, state.vtype.sew, self.host)?;
        let eew = kind.eew().unwrap_or(state.vtype.sew);
        let bytes = state.vl * eew as u64 / 8;
        let wide = self.host.vectors;
        let can_be_cut = wide && kind.can_be_cut();
        let fits = bytes <= MOST && (bytes.is_multiple_of(16) || can_be_cut);
        let fits = fits && (wide || avx2::fits(kind, i.aux() as u32 + 1, bytes));
        let can_be_masked = if wide { kind.can_be_masked() } else { avx2::can_be_masked(kind) };
        let maskable = i.vm() || can_be_masked;
        let known = fits && maskable && !writes_others(config, i, state, eew);
        known.then_some(Operation { kind, state, bytes: bytes as u32, most: self.most })
    }
}

/// Fault-only-first loads.
fn shortens_vl(op: Op) -> bool {
    matches!(op, Op::Vle8ffV | Op::Vle16ffV | Op::Vle32ffV | Op::Vle64ffV)
}

/// Whether elements behind vl, or masked-off ones, are written.
fn writes_others(config: &Config, i: &Insn, state: State, eew: u32) -> bool {
    let t = state.vtype;
    let tail = state.vl < t.vlmax(config.vlen as u64) || t.lmul < 0 || eew != t.sew;
    config.agnostic == Agnostic::Ones && (t.vta && tail || t.vma && !i.vm())
}

struct Now {
    state: Option<State>,
    /// It is so, and vstart is 0.
    certain: bool,
    /// It may be another than at the block's entry.
    entered: bool,
}

impl State {
    /// Unless it is one for which nothing is generated.
    pub fn of(vtype: VType, vl: u64) -> Option<State> {
        (!vtype.vill && vl > 0).then_some(State { vtype, vl })
    }
}
