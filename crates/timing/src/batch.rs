//! Vector instructions that generated code has executed and that are counted later, in order: before anything else
//! with a dynamic cost is counted, and before their block ends.

use crate::first_order::FirstOrder;
use crate::reader::TICKS;
use crate::vector::Prepared;
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_sim::timing::Seen;
use capvec_sim::vector::VType;

/// What is known about an instruction when its code is generated.
#[derive(Clone, Copy)]
pub struct Item {
    /// Index of the instruction in its block.
    pub index: u8,
    /// The instruction.
    pub insn: Insn,
    /// vl when it executes.
    pub vl: u64,
    /// vtype when it executes.
    pub vtype: VType,
    /// See `FirstOrder::count`.
    pub correction: i64,
    /// Bytes of its access and whether it stores. The address is recorded when it executes.
    pub access: Option<(u32, bool)>,
}

/// The instructions of one block that are counted later, in order.
#[derive(Default)]
pub struct Batch {
    items: Vec<(Item, Prepared)>,
}

impl Batch {
    /// Whether it has no instructions.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl FirstOrder {
    /// Adds an instruction to the batch.
    pub fn add(&self, batch: &mut Batch, item: Item) {
        let access = item.access.map(|(size, store)| Access { addr: 0, size, store });
        let seen = Seen { accesses: access.as_slice(), vl: item.vl, vtype: item.vtype };
        let unit = self.vector.as_ref();
        let prepared = unit.and_then(|unit| unit.prepare_at_any_address(&item.insn, &seen));
        batch.items.extend(prepared.map(|p| (item, p)));
    }

    /// Generated code starts to run; `cycles` are the hart's so far.
    pub fn begin(&mut self, cycles: u64) {
        self.since = cycles * TICKS as u64;
    }

    /// Counts the batch's instructions with an index below `end` that have not been counted.
    pub fn catch_up(&mut self, batch: &Batch, end: u8) {
        while let Some((item, prepared)) = batch.items.get(self.caught_up as usize)
            && item.index < end
        {
            self.caught_up += 1;
            let issue = self.carry.wrapping_add_signed(item.correction);
            let now = self.since.wrapping_add(issue);
            let addr = self.addresses[item.index as usize % self.addresses.len()];
            let access = item.access.map(|(size, store)| Access { addr, size, store });
            if let Some(unit) = &mut self.vector {
                let stall = unit.finish(now, prepared, access.as_slice(), &mut self.data);
                self.carry += self.exposed_stall(stall);
            }
        }
    }
}
