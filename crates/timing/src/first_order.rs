//! The model: a first-order core, which issues in order or out of order.

use crate::data_side::DataSide;
use crate::front_end::{Extent, FrontEnd};
use crate::params::Params;
use crate::reader::TICKS;
use crate::schedule::{self, VECTOR};
use crate::vector::VectorUnit;
use capvec_sim::block::MAX;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Dynamic, Plan, Seen, Timing};

/// A core's parameters, with the state of its front end, data cache and vector unit.
///
/// The fields that generated code accesses follow each other, so that their distances fit in a byte.
#[repr(C)]
pub struct FirstOrder {
    pub(crate) params: Params,
    pub(crate) vlen: u32,
    pub(crate) data: DataSide,
    pub(crate) vector: Option<VectorUnit>,
    pub(crate) front: FrontEnd,
    /// Ticks that have not been reported as cycles yet.
    pub(crate) carry: u64,
    /// The hart's cycles, in ticks, when generated code was entered.
    pub(crate) since: u64,
    /// Number of instructions of the current block's batch that have been counted.
    pub(crate) caught_up: u64,
    /// Addresses that the current block's vector instructions have accessed, by their index.
    pub(crate) addresses: Box<[u64; MAX]>,
}

/// Ticks of a stall, split by whether the memory path is busy meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stall {
    /// Waiting for data memory.
    pub memory: u64,
    /// Waiting for anything else.
    pub other: u64,
}

impl FirstOrder {
    /// A core with cold caches and registers of `vlen` bits.
    pub fn new(params: Params, vlen: u32) -> FirstOrder {
        FirstOrder {
            front: FrontEnd::new(params.fetch, params.branch),
            data: DataSide::new(params.data),
            vector: (params.vector.as_ref())
                .map(|v| VectorUnit::new(v.clone(), params.prices.clone(), vlen)),
            params,
            vlen,
            carry: 0,
            since: 0,
            caught_up: 0,
            addresses: Box::new([0; MAX]),
        }
    }

    /// Moves what generated code accesses to low addresses, except for the model itself.
    pub fn lower(&mut self) {
        self.front.lower();
        self.data.lower();
    }

    /// Not inlined: it is large, and rare in scalar code.
    #[inline(never)]
    fn vector(&mut self, now: u64, insn: &Insn, seen: &Seen<'_>) -> Stall {
        match &mut self.vector {
            Some(unit) => unit.execute(now, insn, seen, &mut self.data),
            None => Stall::default(),
        }
    }

    /// Ticks of a dynamic instruction that issues at tick `now`, beyond the static ones.
    #[inline(always)]
    pub(crate) fn ticks(&mut self, now: u64, note: u8, insn: &Insn, seen: &Seen<'_>) -> u64 {
        let stall = if note == VECTOR {
            self.vector(now, insn, seen)
        } else {
            Stall { memory: self.data.scalar(seen.accesses), other: 0 }
        };
        self.exposed_stall(stall)
    }

    /// The part of a stall that does not overlap fetching.
    #[inline(always)]
    pub(crate) fn exposed_stall(&mut self, stall: Stall) -> u64 {
        if self.params.fetch.shared {
            self.front.stall(stall.other) + stall.memory
        } else {
            self.front.stall(stall.other + stall.memory)
        }
    }

    /// `Timing::enter`, in parts: cycles of the redirection, and of waiting for fetching.
    pub fn enter_parts(
        &mut self,
        start: u64,
        end: u64,
        plan: &Plan,
        sequential: bool,
    ) -> (u64, u64) {
        let block = Extent::new(start, end, plan);
        let second = &mut self.data.second;
        let (lost, fetching) = self.front.enter_parts(block, plan.exit, sequential, second);
        (self.cycles(lost), self.cycles(fetching))
    }

    /// Whole cycles, including ticks carried over.
    #[inline(always)]
    fn cycles(&mut self, ticks: u64) -> u64 {
        let ticks = ticks + self.carry;
        self.carry = ticks % TICKS as u64;
        ticks / TICKS as u64
    }
}

impl Timing for FirstOrder {
    fn plan(&self, _: u64, insns: &[Insn]) -> Plan {
        schedule::plan(&self.params, insns)
    }

    #[inline(always)]
    fn enter(&mut self, start: u64, end: u64, plan: &Plan, sequential: bool) -> u64 {
        let block = Extent::new(start, end, plan);
        let ticks = self.front.enter(block, plan.exit, sequential, &mut self.data.second);
        self.cycles(ticks)
    }

    #[inline(always)]
    fn execute(&mut self, now: u64, what: Dynamic, insn: &Insn, seen: &Seen<'_>) -> u64 {
        let now = now * TICKS as u64 + self.carry;
        let ticks = self.ticks(now, what.note, insn, seen);
        self.cycles(ticks)
    }

    fn switch(&mut self) {
        self.front.switch();
        if let Some(unit) = &mut self.vector {
            unit.switch();
        }
    }

    /// Caches and predictors use virtual addresses without address-space identifiers, so all their state is dropped.
    /// What ran before a process therefore does not affect its cycles.
    fn change_space(&mut self) {
        self.front.clear();
        self.data.clear();
        if let Some(unit) = &mut self.vector {
            unit.switch();
        }
        self.carry = 0;
    }
}
