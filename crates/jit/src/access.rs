//! The loads and stores that generated code performs itself, and which of their ticks are static: those are counted
//! when their block is entered.

use capvec_isa::Op;
use capvec_sim::insn::Insn;
use capvec_sim::mem::table;
use capvec_timing::inline::InlineState;

/// The stack pointer.
pub const SP: u8 = 2;

/// How an instruction accesses memory.
#[derive(Clone, Copy)]
pub struct Access {
    /// Bytes.
    pub size: i64,
    /// Permission bit in the table of permissions.
    pub need: u8,
}

impl Access {
    /// The instruction's access, if generated code performs it.
    pub fn of(op: Op) -> Option<Access> {
        let (size, need) = match op {
            Op::Lb | Op::Lbu => (1, table::READ),
            Op::Lh | Op::Lhu => (2, table::READ),
            Op::Lw | Op::Lwu | Op::Flw => (4, table::READ),
            Op::Ld | Op::Fld => (8, table::READ),
            Op::Sb => (1, table::WRITE),
            Op::Sh => (2, table::WRITE),
            Op::Sw | Op::Fsw => (4, table::WRITE),
            Op::Sd | Op::Fsd => (8, table::WRITE),
            _ => return None,
        };
        Some(Access { size, need })
    }

    /// Whether it stores.
    pub fn is_store(self) -> bool {
        self.need == table::WRITE
    }

    /// The model's ticks for each access of this direction.
    fn ticks(self, n: &InlineState) -> u64 {
        if self.is_store() { n.data.write as u64 } else { n.data.read as u64 }
    }

    /// Ticks that are counted when its block is entered.
    pub fn static_ticks(self, n: &InlineState) -> u64 {
        if n.shared { self.ticks(n) } else { 0 }
    }

    /// Whether a hit has ticks that are counted at the access.
    #[cfg(target_arch = "x86_64")]
    pub fn is_dynamic(self, n: &InlineState) -> bool {
        !n.shared && self.ticks(n) > 0
    }
}

/// Ticks of these instructions' accesses that are counted when their block is entered.
pub fn static_ticks(n: &InlineState, insns: &[Insn]) -> u64 {
    let accesses = insns.iter().filter_map(|i| Access::of(i.op().row().base));
    accesses.map(|a| a.static_ticks(n)).sum()
}

/// Whether it accesses the stack, small data or thread-local data (through sp, gp or tp), which is nearly always cached.
pub fn is_nearby(i: &Insn) -> bool {
    matches!(i.rs1, SP..=4)
}
