//! Scalar loads and stores.

use super::permission;
use super::translator::Translator;
use crate::a64::asm::{Cond, Op3, OpMask, Reg, Transfer, Width, ZR, indexed};
use crate::a64::registers::{BASE, HART, LR, T0, T1, T2, f_slot};
use crate::access::Access;
use crate::interface::exit::Exit;
use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// The bits above a single in an f register.
const BOX: u64 = 0xffff_ffff_0000_0000;

/// What the host transfers.
fn transfer(op: Op) -> Option<Transfer> {
    Some(match op {
        Op::Lb => Transfer::Ldrsb,
        Op::Lbu => Transfer::Ldrb,
        Op::Lh => Transfer::Ldrsh,
        Op::Lhu => Transfer::Ldrh,
        Op::Lw => Transfer::Ldrsw,
        Op::Lwu | Op::Flw => Transfer::LdrW,
        Op::Ld | Op::Fld => Transfer::Ldr,
        Op::Sb => Transfer::Strb,
        Op::Sh => Transfer::Strh,
        Op::Sw | Op::Fsw => Transfer::StrW,
        Op::Sd | Op::Fsd => Transfer::Str,
        _ => return None,
    })
}

/// Translates a load or store.
pub fn emit(t: &mut Translator<'_>, op: Op, k: usize, i: &Insn) -> bool {
    let (Some(access), Some(transfer)) = (Access::of(op), transfer(op)) else { return false };
    let base = base(t, i.rs1);
    permission::check(t, k, (i.rs1, base));
    let address = if i.imm == 0 { base } else { T1 };
    t.out.a.add_imm(Width::X, address, base, i.imm, T2);
    if t.aligned && access.size > 1 {
        let exit = Exit::Interpret { block: t.step.number, insn: k as u8 };
        let misaligned = t.exit(exit, None);
        let low = access.size as u64 - 1;
        t.out.a.mask((OpMask::Ands, Op3::Ands), ZR, address, low, T2);
        t.out.a.jump_if(Cond::Ne, misaligned);
    }
    match op {
        Op::Fsw | Op::Fsd => {
            t.out.a.transfer(Transfer::Ldr, T2, HART, f_slot(i.rs2));
            t.out.a.put(indexed(transfer, T2, BASE, address));
        }
        Op::Flw | Op::Fld => {
            t.out.a.put(indexed(transfer, T2, BASE, address));
            if op == Op::Flw {
                t.out.a.mask((OpMask::Orr, Op3::Orr), T2, T2, BOX, LR);
            }
            t.out.a.transfer(Transfer::Str, T2, HART, f_slot(i.rd));
        }
        _ if access.is_store() => {
            let w = if access.size == 8 { Width::X } else { Width::W };
            let data = t.out.x_at(w, i.rs2, T2);
            t.out.a.put(indexed(transfer, data, BASE, address));
        }
        _ => {
            let d = t.out.target(i.rd, T2);
            t.out.a.put(indexed(transfer, d, BASE, address));
            match op {
                Op::Lwu | Op::Ld => t.out.wrote(i.rd, d),
                _ => t.out.wrote_word(i.rd, d),
            }
        }
    }
    true
}

/// x register `x`, which is not the zero register of the host: additions would take it for the stack pointer.
pub fn base(t: &mut Translator<'_>, x: u8) -> Reg {
    if x == 0 {
        t.out.a.mov_imm(T0, 0);
        return T0;
    }
    t.out.x(x, T0)
}
