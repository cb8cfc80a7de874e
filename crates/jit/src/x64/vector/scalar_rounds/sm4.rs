//! SM4, by a table of S-box and linear transform.

use super::{D, Group, On, RAX, RCX, begin, load, store};
use crate::x64::asm::{Rm, indexed};
use crate::x64::emit::Vectors;
use crate::x64::runtime::constant::SM4;
use crate::x64::vector_plan::Operation;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// Four rounds of SM4 on the state vd with the keys vs2, or its first element group.
pub fn rounds(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, lane: bool) {
    let [table, mut x0, mut x1, mut x2, mut x3, ..] = begin(t, op, &[i.rs2], i.rd);
    t.out.a.mov_address(table, SM4.as_ptr() as u64);
    for n in 0..op.bytes / 16 {
        let keys = Group::new(t, i.rs2, if lane { 0 } else { n }, 16, 4);
        let state = Group::new(t, i.rd, n, 16, 4);
        for (k, r) in [x0, x1, x2, x3].into_iter().enumerate() {
            load(t, D, r, &state, k);
        }
        for k in 0..4 {
            load(t, D, RAX, &keys, k);
            let mut o = On(&mut t.out.a, D);
            for x in [x1, x2, x3] {
                o.xor(RAX, Rm::R(x));
            }
            for byte in 0..4 {
                // After three shifts only the last byte is left.
                if byte < 3 {
                    o.0.op2(Code::Movzx_r32_rm8, RCX, Rm::R(RAX));
                    o.0.imm(Code::Shr_rm32_imm8, Rm::R(RAX), 8);
                }
                let index = if byte < 3 { RCX } else { RAX };
                o.xor(x0, Rm::M(indexed(table, index, 4, byte * 1024)));
            }
            (x0, x1, x2, x3) = (x1, x2, x3, x0);
        }
        for (k, r) in [x0, x1, x2, x3].into_iter().enumerate() {
            store(t, D, &state, k, r);
        }
    }
}
