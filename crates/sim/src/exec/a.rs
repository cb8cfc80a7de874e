//! A: atomics. One hart executes at a time, so each is a plain read-modify-write; a misaligned one traps.
//!
//! An SC and an LR of another address drop the reservation, which is a field of the hart. So do the emulated Linux's traps, context
//! switches and execve (`capvec_linux`'s `kernel`).

use super::alu::sext_w;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mem::{Perm, Scalar};
use crate::mode::Mode;
use crate::trap::Cause;

/// The address in `rs1`, aligned to `T` and writable: an AMO that cannot write faults as a store.
#[inline(always)]
fn target<M: Mode, T: Scalar>(h: &mut Hart, i: &Insn) -> Exec<u64> {
    let addr = M::address(h.x(i.rs1));
    if !addr.is_multiple_of(size_of::<T>() as u64) {
        return h.raise(Cause::StoreMisaligned, addr);
    }
    if !h.mem.allows(addr, size_of::<T>() as u64, Perm::RW) {
        return h.raise(Cause::StorePage, addr);
    }
    Ok(addr)
}

fn lr<M: Mode, T: Scalar>(h: &mut Hart, i: &Insn, extend: impl Fn(T) -> u64) -> Exec {
    let addr = M::address(h.x(i.rs1));
    if !addr.is_multiple_of(size_of::<T>() as u64) {
        return h.raise(Cause::LoadMisaligned, addr);
    }
    let v = h.load::<M, T>(addr)?;
    h.reservation = Some((addr, size_of::<T>() as u32));
    h.set_x::<M>(i.rd, extend(v));
    Ok(())
}

fn sc<M: Mode, T: Scalar>(h: &mut Hart, i: &Insn, narrow: impl Fn(u64) -> T) -> Exec {
    let addr = target::<M, T>(h, i)?;
    let held = h.reservation == Some((addr, size_of::<T>() as u32));
    h.reservation = None;
    if held {
        h.store::<M, T>(addr, narrow(h.x(i.rs2)))?;
    }
    h.set_x::<M>(i.rd, !held as u64);
    Ok(())
}

pub fn lr_w<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    lr::<M, u32>(h, i, |v| sext_w(v as u64))
}

pub fn lr_d<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    lr::<M, u64>(h, i, |v| v)
}

pub fn sc_w<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    sc::<M, u32>(h, i, |v| v as u32)
}

pub fn sc_d<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    sc::<M, u64>(h, i, |v| v)
}

macro_rules! amo {
    ($($w:ident $d:ident: |$old:ident, $b:ident: $s:ident| $e:expr;)*) => { $(
        pub fn $w<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            type S = amo!(@word $s);
            let addr = target::<M, u32>(h, i)?;
            let ($old, $b) = (h.load::<M, u32>(addr)? as S, h.x(i.rs2) as S);
            h.store::<M, u32>(addr, $e as u32)?;
            h.set_x::<M>(i.rd, sext_w($old as u64));
            Ok(())
        }
        pub fn $d<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            type S = amo!(@double $s);
            let addr = target::<M, u64>(h, i)?;
            let ($old, $b) = (h.load::<M, u64>(addr)? as S, h.x(i.rs2) as S);
            h.store::<M, u64>(addr, $e as u64)?;
            h.set_x::<M>(i.rd, $old as u64);
            Ok(())
        }
    )* };
    (@word unsigned) => { u32 };
    (@word signed) => { i32 };
    (@double unsigned) => { u64 };
    (@double signed) => { i64 };
}

amo! {
    amoswap_w amoswap_d: |old, b: unsigned| b;
    amoadd_w amoadd_d: |old, b: unsigned| old.wrapping_add(b);
    amoxor_w amoxor_d: |old, b: unsigned| old ^ b;
    amoand_w amoand_d: |old, b: unsigned| old & b;
    amoor_w amoor_d: |old, b: unsigned| old | b;
    amomin_w amomin_d: |old, b: signed| old.min(b);
    amomax_w amomax_d: |old, b: signed| old.max(b);
    amominu_w amominu_d: |old, b: unsigned| old.min(b);
    amomaxu_w amomaxu_d: |old, b: unsigned| old.max(b);
}
