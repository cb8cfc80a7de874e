//! The rule of instructions whose result is an XOR of functions of single bytes of operands, such as S-boxes, rotations and
//! other linear maps. These functions are found by executing the instruction.

use crate::value::{Value, sign_extend};
use capvec_sim::Hart;
use capvec_sim::insn::Insn;

/// Registers on which instructions are tried out.
const SOURCES: [u8; 2] = [1, 2];
const RESULT: u8 = 3;

/// Which bits of the result depend on each bit of the two operands.
pub struct Table([[u64; 64]; 2]);

impl Table {
    /// Tries the instruction out on a hart whose state stays as it is.
    pub fn new(h: &mut Hart, i: &Insn, operands: [bool; 2]) -> Table {
        let kept = [1, 2, 3].map(|r| h.x(r));
        let mut insn = *i;
        (insn.rs1, insn.rd) = (SOURCES[0], RESULT);
        if operands[1] {
            insn.rs2 = SOURCES[1];
        }
        let mut table = Table([[0; 64]; 2]);
        let xlen = u32::from(h.config.xlen);
        let bytes = xlen as usize / 8;
        for (k, _) in operands.into_iter().enumerate().filter(|o| o.1) {
            for byte in 0..bytes {
                let changed = |v: u64| {
                    SOURCES.iter().for_each(|r| h.write_x(*r, 0));
                    h.write_x(SOURCES[k], sign_extend(v << (8 * byte), xlen));
                    // It has executed in the program, so it is legal.
                    let _ = (insn.exec)(h, &insn);
                    h.x(RESULT)
                };
                let bits = byte_function(changed);
                table.0[k][8 * byte..8 * byte + 8].copy_from_slice(&bits);
            }
        }
        (1..).zip(kept).for_each(|(r, x)| h.write_x(r, x));
        table
    }

    /// The tainted bits of the result.
    pub fn result(&self, a: Value, b: Value) -> u64 {
        let of = |bits: &[u64; 64], taint: u64| {
            let tainted = (0..64).filter(|k| taint >> k & 1 != 0);
            tainted.fold(0, |sum, k| sum | bits[k])
        };
        of(&self.0[0], a.taint) | of(&self.0[1], b.taint)
    }
}

/// Which bits of the result depend on each bit of a byte. If the function is not linear, each bit counts as changing
/// everything that any of them may change.
fn byte_function(mut f: impl FnMut(u64) -> u64) -> [u64; 8] {
    let zero = f(0);
    let changes: Vec<u64> = (0..256).map(|v| f(v) ^ zero).collect();
    let bits: [u64; 8] = std::array::from_fn(|k| changes[1 << k]);
    let sum = |v: usize| (0..8).filter(|k| v >> k & 1 != 0).fold(0, |sum, k| sum ^ bits[k]);
    let linear = changes.iter().enumerate().all(|(v, change)| *change == sum(v));
    if linear { bits } else { [changes.iter().fold(0, |all, change| all | change); 8] }
}
