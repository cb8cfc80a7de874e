//! Unit-stride loads and stores, plain, of masks, of segments and fault-only-first.

use super::{Fields, transfer};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mem::Scalar;
use crate::mode::Mode;
use crate::vector::Elem;
use std::ops::Range;

/// Copies these bytes of the group at `reg` at once; returns false, with nothing done, if any byte would fault.
#[inline(always)]
fn copy<M: Mode, const STORE: bool>(h: &mut Hart, base: u64, reg: u8, bytes: Range<usize>) -> bool {
    let mut addr = base.wrapping_add(bytes.start as u64);
    let len = bytes.len() as u64;
    if M::XLEN == 32 {
        addr = addr as u32 as u64;
        // A run that wraps around the address space is accessed element by element.
        if addr + len > 1 << 32 {
            return false;
        }
    }
    let done = if STORE {
        h.mem.write(addr, &h.v.bytes(reg)[bytes])
    } else {
        h.mem.read(addr, &mut h.v.bytes_mut(reg)[bytes])
    };
    if M::OBSERVE && done.is_ok() {
        h.log(addr, len as u32, STORE);
    }
    done.is_ok()
}

/// Merges the accesses from index `from` on that are contiguous: a unit-stride run is one access.
fn join_accesses(h: &mut Hart, from: usize) {
    let mut kept = from;
    for n in from..h.accesses.len() {
        let next = h.accesses[n];
        match h.accesses[from..kept].last_mut() {
            Some(last) if last.addr.wrapping_add(last.size as u64) == next.addr => {
                last.size += next.size;
            }
            _ => {
                h.accesses[kept] = next;
                kept += 1;
            }
        }
    }
    h.accesses.truncate(kept);
}

/// Loads or stores the contiguous elements or segments vstart..`end` from x\[rs1\] on. A faulting access is not logged.
#[inline(always)]
pub(super) fn run<M: Mode, T: Elem + Scalar, const STORE: bool>(
    h: &mut Hart,
    i: &Insn,
    data: Fields,
    end: u64,
) -> Exec {
    let base = h.x(i.rs1);
    let size = size_of::<T>() as u64;
    if data.count == 1 && i.vm() && !h.is_misaligned::<T, true>(base) {
        let bytes = (h.v.vstart * size) as usize..(end * size) as usize;
        if copy::<M, STORE>(h, base, data.first.reg, bytes) {
            return Ok(());
        }
    }
    let logged = h.accesses.len();
    let step = size * data.count as u64;
    let at = |_: &_, k: u64| base.wrapping_add(k * step);
    let done = transfer::<M, T, STORE>(h, i, data, end, at);
    if M::OBSERVE {
        if done.is_err() {
            h.accesses.pop();
        }
        if data.count == 1 {
            join_accesses(h, logged);
        }
    }
    done
}

/// Finishes an instruction without body elements, which only resets vstart.
#[inline(always)]
pub(super) fn empty(h: &mut Hart, end: u64) -> bool {
    let empty = h.v.vstart >= end;
    if empty {
        h.v.vstart = 0;
    }
    empty
}

#[inline(always)]
fn load<M: Mode, T: Elem + Scalar>(h: &mut Hart, i: &Insn) -> Exec {
    let data = h.v_fields_eew(i, i.rd, T::BITS)?;
    h.v_not_v0(i, data.first)?;
    let vl = h.v.vl;
    if !empty(h, vl) {
        run::<M, T, false>(h, i, data, vl)?;
        h.v_finish_fields(data, vl);
    }
    Ok(())
}

#[inline(always)]
fn store<M: Mode, T: Elem + Scalar>(h: &mut Hart, i: &Insn) -> Exec {
    let data = h.v_fields_eew(i, i.rs3, T::BITS)?;
    h.v_store_sources(i, data)?;
    let vl = h.v.vl;
    if !empty(h, vl) {
        run::<M, T, true>(h, i, data, vl)?;
        h.v.vstart = 0;
    }
    Ok(())
}

/// A fault at an element other than the first sets vl instead of trapping. Elements between the new and the old vl
/// keep their values, which every policy allows.
fn load_first<M: Mode, T: Elem + Scalar>(h: &mut Hart, i: &Insn) -> Exec {
    let data = h.v_fields_eew(i, i.rd, T::BITS)?;
    h.v_not_v0(i, data.first)?;
    let vl = h.v.vl;
    if !empty(h, vl) {
        if let Err(fault) = run::<M, T, false>(h, i, data, vl) {
            if h.v.vstart == 0 {
                return Err(fault);
            }
            h.v.vl = h.v.vstart;
        }
        h.v_finish_fields(data, vl);
    }
    Ok(())
}

macro_rules! unit {
    ($($load:ident $first:ident $store:ident $t:ty;)*) => { $(
        pub fn $load<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            load::<M, $t>(h, i)
        }

        pub fn $first<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            load_first::<M, $t>(h, i)
        }

        pub fn $store<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            store::<M, $t>(h, i)
        }
    )* };
}
unit! {
    vle8_v vle8ff_v vse8_v u8;
    vle16_v vle16ff_v vse16_v u16;
    vle32_v vle32ff_v vse32_v u32;
    vle64_v vle64ff_v vse64_v u64;
}

/// A mask: ceil(vl/8) bytes, EMUL 1, tail agnostic whatever vta says.
pub fn vlm_v<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let data = h.v_fields(i, i.rd, 8, 0)?;
    let end = h.v.vl.div_ceil(8);
    if !empty(h, end) {
        run::<M, u8, false>(h, i, data, end)?;
        h.v_agnostic_from(data.first, end as usize);
        h.v.vstart = 0;
    }
    Ok(())
}

pub fn vsm_v<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let data = h.v_fields(i, i.rs3, 8, 0)?;
    let end = h.v.vl.div_ceil(8);
    if !empty(h, end) {
        run::<M, u8, true>(h, i, data, end)?;
        h.v.vstart = 0;
    }
    Ok(())
}
