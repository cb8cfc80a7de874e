//! Vector instructions whose time is known before they execute, but for lines of memory: those of a unit that blocks
//! issue. Their stalls add up in any order: of what a block waits for fetching, they hide in all as much as the sum of
//! what each can hide at most.

use crate::batch::Item;
use crate::inorder::InOrder;
use crate::vector::Alone;
use capvec_sim::hart::Access;
use capvec_sim::timing::Seen;

/// Ticks of such an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Fetching goes on beneath these.
    pub stall: u64,
    /// But not beneath these: waiting for data memory.
    pub memory: u64,
    /// If its access may take a beat of the memory path more than it has to.
    pub odd: Option<Odd>,
    /// The data cache's lines that its access touches are looked for.
    pub lines: bool,
}

/// When an access takes a beat more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Odd {
    /// Bits of the address that tell where in the path's width it begins.
    pub mask: u64,
    /// The most that this may be.
    pub most: u64,
    /// Ticks of one beat more.
    pub ticks: u64,
}

impl InOrder {
    /// What the instruction takes, if that is known.
    pub fn fixed(&self, item: &Item) -> Option<Fixed> {
        let unit = self.vector.as_ref()?;
        let access = item.access.map(|(size, store)| Access { addr: 0, size, store });
        let seen = Seen { accesses: access.as_slice(), vl: item.vl, vtype: item.vtype };
        let Alone { stall, odd, is_memory } = unit.alone(&item.insn, &seen)?;
        if self.params.fetch.shared {
            let lines = is_memory && unit.is_cached();
            return Some(Fixed { stall: stall.other, memory: stall.memory, odd, lines });
        }
        // What stalls for memory hide depends on what they are in all.
        let all = stall.other + stall.memory;
        (!is_memory).then_some(Fixed { stall: all, ..Fixed::default() })
    }

    /// Whether that is known of all vector instructions that generated code executes.
    pub(crate) fn is_fixed(&self) -> bool {
        let unit = self.vector.as_ref();
        unit.is_none_or(|unit| unit.is_blocking()) && self.params.fetch.shared
    }

    /// Whether what constant-stride accesses take is known, in that case.
    pub(crate) fn knows_strided(&self) -> bool {
        self.is_fixed() && self.vector.as_ref().is_none_or(|unit| unit.knows_strided())
    }
}
