//! The plan of a block: what each of its vector instructions becomes, and where the vector state is tested.

use super::avx2::{self, MAX_TEMPORARIES};
use super::keccak;
use super::kind::Kind;
use super::operation::Operation;
use super::select::select;
use crate::host_features::Host;
use crate::interface::judge::Judge;
use crate::interface::state::{State, Unit};
use crate::interface::vset::{self, Set};
use crate::x64::asm::vector::Wide;
use capvec_isa::{Class, Op};
use capvec_sim::block::MAX;
use capvec_sim::hart::{Config, MustAlign};
use capvec_sim::insn::Insn;

/// What an instruction becomes.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// A vset whose effect is known or tested. `certain`: the state that it needs does not have to be tested.
    Set { set: Set, certain: bool },
    /// An operation; `guard`: its state must be tested first.
    Op { op: Operation, guard: bool },
}

/// What a block's vector instructions become.
pub struct Plan {
    /// The state to test at the entry, if the code depends on it.
    pub entry: Option<State>,
    actions: [Option<Action>; MAX],
    /// The state at each instruction that a vtype applies to, if they are counted and all of them are certain.
    pub states: Option<Vec<State>>,
    /// The widest pieces in which operations are done.
    max_width: Wide,
    /// Bytes of a vector register.
    pub vlenb: u32,
    /// The hart's accesses that trap unless they are aligned.
    pub must_align: MustAlign,
    /// The host's features.
    pub host: Host,
}

/// Maximum number of bytes for which unrolled code pays.
const MAX_BYTES: u64 = 1024;

impl Plan {
    /// Plans these instructions.
    pub fn new(insns: &[Insn], unit: &Unit<'_>, host: Host, judge: &mut Judge) -> Plan {
        let (actions, max_width) = ([None; MAX], avx2::widest(host, insns));
        let Config { vlen, must_align, .. } = **unit.config;
        let (entry, vlenb) = (None, vlen / 8);
        let has_vectors = insns.iter().any(|i| i.op().row().class.is_vector());
        let planned = has_vectors && (host.avx512 || host.avx2);
        let states = (unit.counted && (planned || !has_vectors)).then(Vec::new);
        let mut plan = Plan { entry, actions, states, max_width, vlenb, must_align, host };
        if !planned {
            return plan;
        }
        let state = State::of(unit.vtype, unit.vl);
        let mut tracked = Tracked { state, certain: false, entered: false };
        for (k, i) in insns.iter().enumerate() {
            plan.actions[k] = plan.step(k, i, unit, judge, &mut tracked);
            if unit.counted && i.op().row().class.uses_vector_registers() {
                plan.note_state(&mut tracked);
            }
        }
        plan
    }

    /// Adds the state at the last instruction, which is tested at the block's entry if it is not certain otherwise.
    fn note_state(&mut self, tracked: &mut Tracked) {
        let state = tracked.state.filter(|state| tracked.certain || self.at_entry(*state, tracked));
        tracked.certain |= state.is_some();
        match (state, &mut self.states) {
            (Some(state), Some(states)) => states.push(state),
            _ => self.states = None,
        }
    }

    /// Whether any instruction becomes an operation.
    pub fn has_operations(&self) -> bool {
        self.actions.iter().any(|s| matches!(s, Some(Action::Op { .. })))
    }

    /// Number of the host's vector registers that serve as temporaries. Scalar cryptography takes two.
    pub fn temporaries(&self) -> u8 {
        let taken = |s: &Option<Action>| match s {
            Some(Action::Op { op, .. }) if !self.host.avx512 => avx2::temporaries(*op),
            Some(Action::Op { .. }) => MAX_TEMPORARIES,
            _ => 0,
        };
        self.actions.iter().map(taken).max().unwrap_or(0).max(2)
    }

    /// Whether instruction `k`, which has an action, reads x register rs1.
    pub fn reads_x(&self, k: usize, i: &Insn) -> bool {
        match self.actions[k] {
            Some(Action::Set { .. }) => i.op() == Op::Vsetvli,
            Some(Action::Op { op, .. }) => op.kind.reads_x(),
            None => false,
        }
    }

    /// What instruction `k` becomes; `None` means that its handler is called.
    pub fn at(&self, k: usize) -> Option<Action> {
        self.actions[k]
    }

    fn step(
        &mut self,
        k: usize,
        i: &Insn,
        unit: &Unit<'_>,
        judge: &mut Judge,
        tracked: &mut Tracked,
    ) -> Option<Action> {
        match i.op().row().class {
            Class::Vset => {
                let certain = tracked.certain;
                let set = vset::plan(k, i, unit, tracked.state);
                let state = set.and_then(|s| State::of(s.vtype, s.vl));
                let certain = match set.and_then(|s| s.needs) {
                    Some(before) => certain || self.at_entry(before, tracked),
                    None => true,
                };
                *tracked = Tracked { state, certain: state.is_some(), entered: true };
                return set.map(|set| Action::Set { set, certain });
            }
            // A CSR write may set vstart.
            Class::Csr => (tracked.certain, tracked.entered) = (false, true),
            _ => {}
        }
        if vset::shortens_vl(i.op()) {
            tracked.state = None;
        }
        let state = tracked.state?;
        let op = self.operation(i, state, unit.config)?;
        if !unit.strided && matches!(op.kind, Kind::LoadStrided(_) | Kind::StoreStrided(_)) {
            return None;
        }
        if !judge.legal(unit.config, i, state.vtype, state.vl) {
            return None;
        }
        let certain = std::mem::replace(&mut tracked.certain, true);
        let guard = !certain && !self.at_entry(state, tracked);
        Some(Action::Op { op, guard })
    }

    /// Has the state tested at the block's entry, if nothing before this point can have changed it.
    fn at_entry(&mut self, state: State, tracked: &Tracked) -> bool {
        if !tracked.entered {
            self.entry = Some(state);
        }
        !tracked.entered
    }

    fn operation(&self, i: &Insn, state: State, config: &Config) -> Option<Operation> {
        let kind = select(i, state.vtype.sew, self.host)?;
        let eew = kind.eew().unwrap_or(state.vtype.sew);
        let one_group = keccak::one_group(i.op(), config.vlen);
        let bytes = if one_group { keccak::GROUP as u64 } else { state.vl * eew as u64 / 8 };
        let wide = self.host.avx512;
        let masked = !i.vm() && !kind.is_merge();
        let most = if matches!(kind, Kind::Keccak { .. }) { keccak::MAX_BYTES } else { MAX_BYTES };
        let fits = bytes <= most && (bytes.is_multiple_of(16) || kind.can_be_cut());
        let fits = fits && (wide || avx2::fits(kind, i.aux() as u32 + 1, bytes));
        let maskable = !masked || kind.can_be_masked() && (wide || avx2::can_be_masked(eew));
        let body_only = one_group || !state.writes_others(config, i, eew);
        let known = fits && maskable && body_only;
        known.then_some(Operation {
            kind,
            state,
            masked,
            bytes: bytes as u32,
            max_width: self.max_width,
        })
    }
}

struct Tracked {
    state: Option<State>,
    /// The state is certain, and vstart is 0.
    certain: bool,
    /// The state may differ from that at the block's entry.
    entered: bool,
}
