//! Valgrind's client requests, so that programs annotated for memcheck run unchanged (ctgrind, TIMECOP).
//!
//! The sequence and registers are those of VEX's `guest_riscv64_toIR.c`; the numbers are those of `valgrind.h` and
//! `memcheck.h`.

use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// Distances of the shifts that announce a request.
const PREAMBLE: [i64; 4] = [3, 13, 51, 61];
/// Register with the result.
pub const RESULT: u8 = 13;
/// Register with the address of the request's words.
pub const WORDS: u8 = 14;

/// `VG_USERREQ__RUNNING_ON_VALGRIND`.
pub const RUNNING: u64 = 0x1001;
/// `VG_USERREQ_TOOL_BASE('M', 'C')`.
const MEMCHECK: u64 = 0x4d43_0000;
/// `VG_USERREQ__MAKE_MEM_UNDEFINED`.
pub const MAKE_UNDEFINED: u64 = MEMCHECK + 1;
/// `VG_USERREQ__MAKE_MEM_DEFINED`.
pub const MAKE_DEFINED: u64 = MEMCHECK + 2;
/// `VG_USERREQ__MAKE_MEM_DEFINED_IF_ADDRESSABLE`.
pub const MAKE_DEFINED_IF_ADDRESSABLE: u64 = MEMCHECK + 7;

/// Recognises the sequence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Preamble {
    matched: usize,
}

impl Preamble {
    /// The next instruction; whether it completes a request.
    pub fn step(&mut self, i: &Insn) -> bool {
        let shift = i.op() == Op::Srli && i.rd_is_x0() && i.rs1 == 0;
        if shift && PREAMBLE.get(self.matched) == Some(&i.imm) {
            self.matched += 1;
            return false;
        }
        let complete = self.matched == PREAMBLE.len()
            && i.op() == Op::Or
            && (i.rd, i.rs1, i.rs2) == (10, 10, 10);
        self.matched = usize::from(shift && i.imm == PREAMBLE[0]);
        complete
    }
}
