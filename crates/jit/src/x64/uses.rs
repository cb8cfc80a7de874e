//! Where a block's instructions use x registers: what the choice of host registers goes by.

use super::regs::is_x;
use super::vector::Plan;
use capvec_isa::Class;
use capvec_sim::insn::Insn;

/// Sets of positions in the block, which has no more than 64 instructions: a bit for each.
pub struct Uses {
    reads: [u64; 32],
    writes: [u64; 32],
    /// Instructions that are calls, which host registers rarely survive.
    calls: u64,
}

impl Uses {
    /// Of these instructions.
    pub fn new(insns: &[Insn], plan: &Plan) -> Uses {
        let mut u = Uses { reads: [0; 32], writes: [0; 32], calls: 0 };
        for (k, i) in insns.iter().enumerate() {
            let bit = 1 << k;
            // rs1, rs2, rd.
            let (first, second, writes) = match i.op().row().class {
                Class::Alu | Class::Mul | Class::Load | Class::Jump => (true, true, true),
                Class::Clmul | Class::Aes | Class::Sha2 | Class::Sm3 | Class::Sm4 => {
                    (true, true, true)
                }
                Class::Store | Class::Branch => (true, true, false),
                Class::Fence => (false, false, false),
                class if plan.at(k).is_some() => (plan.reads_x(k, i), false, class == Class::Vset),
                _ => {
                    u.calls |= bit;
                    (false, false, false)
                }
            };
            if first {
                u.reads[i.rs1 as usize & 31] |= bit;
            }
            if second {
                u.reads[i.rs2 as usize & 31] |= bit;
            }
            if writes && is_x(i.rd) {
                u.writes[i.rd as usize] |= bit;
            }
        }
        u
    }

    /// How often the value that `x` has behind instruction `k` is read, before a call.
    pub fn after(&self, x: u8, k: usize) -> u32 {
        if !is_x(x) || k >= 63 {
            return 0;
        }
        let ahead = |set: u64| set >> (k + 1);
        let until = |set: u64| set & set.wrapping_neg();
        // Up to the first call, and up to and including the first write.
        let before_call = until(ahead(self.calls)).wrapping_sub(1);
        let write = until(ahead(self.writes[x as usize]));
        let to_write = write.wrapping_sub(1) | write;
        (ahead(self.reads[x as usize]) & before_call & to_write).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, Uses};
    use capvec_isa::{Decoded, Op};
    use capvec_sim::insn::Insn;
    use capvec_sim::interp::PLAIN;

    fn insn(op: Op, rd: u8, rs1: u8, rs2: u8) -> Insn {
        let d = Decoded { rd, rs1, rs2, ..Decoded::new(op) };
        Insn::new(&d, PLAIN[op as usize], 0, 0)
    }

    #[test]
    fn reads_count_until_the_value_is_gone() {
        let block = [
            insn(Op::Add, 5, 6, 7),
            insn(Op::Add, 6, 5, 5),
            insn(Op::Add, 5, 5, 6),
            insn(Op::Add, 7, 5, 6),
            insn(Op::Divu, 7, 5, 6),
            insn(Op::Add, 7, 6, 6),
        ];
        let u = Uses::new(&block, &Plan::none());
        assert_eq!(u.after(5, 0), 2, "also by the instruction that overwrites it");
        assert_eq!(u.after(5, 2), 1, "not behind the call");
        assert_eq!(u.after(6, 0), 0, "overwritten first");
        assert_eq!(u.after(6, 1), 2);
        assert_eq!(u.after(6, 4), 1);
        assert_eq!(u.after(32, 0), 0);
    }
}
