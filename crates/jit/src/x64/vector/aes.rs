//! AES rounds.

use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::emit::Vectors;
use crate::x64::vector_plan::Operation;
use crate::x64::vector_plan::kind::Round;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const XOR: Code = Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64;
const ENCLAST: Code = Code::EVEX_Vaesenclast_xmm_xmm_xmmm128;
const DEC: Code = Code::EVEX_Vaesdec_xmm_xmm_xmmm128;

/// `d` = InvMixColumns(`s`): AESENCLAST with a zero key is ShiftRows and SubBytes, which AESDEC undoes. `zero` is
/// zero.
fn inv_mix_columns(t: &mut Vectors<'_, '_>, w: Wide, d: V, s: V, zero: V) {
    t.out.a.v3(ENCLAST, w, d, s, Vm::R(zero));
    t.out.a.v3(DEC, w, d, d, Vm::R(zero));
}

/// An AES round: state vd, key vs2 or its first lane.
pub fn round(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, round: Round, lane: bool) {
    const KEY: u8 = 0;
    const ZERO: u8 = 1;
    let widest = op.widest();
    if round == Round::DecryptMiddle {
        let zero = t.temporary(ZERO, widest);
        t.out.a.v3(XOR, widest, zero, zero, Vm::R(zero));
    }
    if lane {
        let p = t.piece(i.rs2, 0, Wide::X);
        let from = t.operand(p);
        let key = t.temporary(KEY, widest);
        t.out.a.v_lanes(widest, key, from);
        if round == Round::DecryptMiddle {
            inv_mix_columns(t, widest, key, key, V(ZERO));
        }
    }
    for (at, w) in op.pieces() {
        t.unlock();
        let key = if lane {
            V(KEY)
        } else {
            let p = t.piece(i.rs2, at, w);
            t.read(p)
        };
        let p = t.piece(i.rd, at, w);
        let s = t.modify(p);
        match round {
            Round::Host(code) => t.out.a.v3(code, w, s, s, Vm::R(key)),
            Round::Zero => t.out.a.v3(XOR, w, s, s, Vm::R(key)),
            Round::DecryptMiddle => {
                // InvMixColumns is linear, so the key can be transformed as well and XORed after it.
                let key = if lane {
                    key
                } else {
                    let k = t.temporary(KEY, w);
                    inv_mix_columns(t, w, k, key, V(ZERO));
                    k
                };
                t.out.a.v3(DEC, w, s, s, Vm::R(key));
            }
        }
    }
}
