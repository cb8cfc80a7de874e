//! The state of the vector unit for which code is generated.

use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::insn::Insn;
use capvec_sim::vector::VType;
use std::sync::Arc;

/// vtype and vl; vstart is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// vtype, which is legal.
    pub vtype: VType,
    /// vl, which is not 0.
    pub vl: u64,
}

/// The vector unit when a block is translated.
pub struct Unit<'a> {
    /// The hart's configuration.
    pub config: &'a Arc<Config>,
    /// vtype, expected at the block's entry.
    pub vtype: VType,
    /// vl, expected at the block's entry.
    pub vl: u64,
    /// Whether constant-stride accesses are translated. Otherwise handlers execute them and report each access to the
    /// core model.
    pub strided: bool,
    /// Index of a vset, and the vl that it set when last interpreted.
    pub vset_vl: &'a [(u8, u64)],
    /// Whether the state at each vector instruction has to be certain, because it is counted.
    pub counted: bool,
}

impl State {
    /// `None` for states that no code is generated for.
    pub fn of(vtype: VType, vl: u64) -> Option<State> {
        (!vtype.vill && vl > 0).then_some(State { vtype, vl })
    }

    /// Whether the instruction, on data of this EEW, also writes elements in the tail or masked off.
    pub fn writes_others(self, config: &Config, i: &Insn, eew: u32) -> bool {
        let t = self.vtype;
        let tail = self.vl < t.vlmax(config.vlen as u64) || t.lmul < 0 || eew != t.sew;
        config.agnostic == Agnostic::Ones && (t.vta && tail || t.vma && !i.vm())
    }
}
