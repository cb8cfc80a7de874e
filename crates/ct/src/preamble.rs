//! Recognises the sequence of instructions that makes a client request of Valgrind.

use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// Distances of the shifts that announce a request.
const PREAMBLE: [i64; 4] = [3, 13, 51, 61];

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
