//! Recognises the sequence of instructions that makes a client request of Valgrind.

use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// Distances of the shifts that announce a request.
const RV64: [i64; 4] = [3, 13, 51, 61];
/// Valgrind does not run RV32. These are the distances by which its requests rotate on other processors of 32 bits, such as ARM.
const RV32: [i64; 4] = [3, 13, 29, 19];

/// Recognises the sequence.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestSequence {
    matched: usize,
}

impl RequestSequence {
    /// The next instruction of a hart of this XLEN; whether it completes a request.
    pub fn step(&mut self, i: &Insn, xlen: u8) -> bool {
        let preamble = if xlen == 32 { &RV32 } else { &RV64 };
        let shift = matches!(i.op(), Op::Srli | Op::SrliRv32) && i.rd_is_x0() && i.rs1 == 0;
        if shift && preamble.get(self.matched) == Some(&i.imm) {
            self.matched += 1;
            return false;
        }
        let complete = self.matched == preamble.len()
            && i.op() == Op::Or
            && (i.rd, i.rs1, i.rs2) == (10, 10, 10);
        self.matched = usize::from(shift && i.imm == preamble[0]);
        complete
    }
}
