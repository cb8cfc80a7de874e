//! Vector instructions whose cost is static except for cache misses: those of a unit that blocks issue. The order
//! of their stalls does not matter: each can overlap some of the block's wait for fetching, at most so much, and together they
//! overlap what these limits add up to.

use crate::batch::Item;
use crate::first_order::FirstOrder;
use crate::vector::Standalone;
use capvec_sim::hart::Access;
use capvec_sim::timing::Seen;

/// Ticks of such an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StaticCost {
    /// Ticks that overlap fetching.
    pub stall: u64,
    /// Ticks of waiting for data memory, which do not.
    pub memory: u64,
    /// Set if the access may take one more beat of the memory path, depending on its address.
    pub extra_beat: Option<ExtraBeat>,
    /// The access probes the data cache.
    pub lines: bool,
}

/// When an access takes one more beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtraBeat {
    /// Address bits that give the offset within the memory path.
    pub mask: u64,
    /// The largest offset at which the access takes no extra beat.
    pub max_offset: u64,
    /// Ticks of the extra beat.
    pub ticks: u64,
}

impl FirstOrder {
    /// The static cost of the instruction, if it has one.
    pub fn static_cost(&self, item: &Item) -> Option<StaticCost> {
        let unit = self.vector.as_ref()?;
        let access = item.access.map(|(size, store)| Access { addr: 0, size, store });
        let seen = Seen { accesses: access.as_slice(), vl: item.vl, vtype: item.vtype };
        let Standalone { stall, extra_beat, is_memory } = unit.standalone(&item.insn, &seen)?;
        if self.params.fetch.shared {
            let lines = is_memory && unit.is_cached();
            return Some(StaticCost {
                stall: stall.other,
                memory: stall.memory,
                extra_beat,
                lines,
            });
        }
        // How much of a memory stall overlaps fetching depends on misses, too.
        let all = stall.other + stall.memory;
        (!is_memory).then_some(StaticCost { stall: all, ..StaticCost::default() })
    }

    /// Whether every vector instruction that generated code executes has a static cost.
    pub(crate) fn is_static(&self) -> bool {
        let unit = self.vector.as_ref();
        unit.is_none_or(|unit| unit.is_blocking()) && self.params.fetch.shared
    }

    /// Whether that holds for constant-stride accesses, too.
    pub(crate) fn knows_strided(&self) -> bool {
        self.is_static() && self.vector.as_ref().is_none_or(|unit| unit.knows_strided())
    }
}
