//! Whether a process may use the vector unit (Linux Documentation/arch/riscv/vector.rst).

use crate::base::errno::Errno;
use crate::kernel::{Kernel, Sys};
use capvec_isa::{Ext, ExtSet};
use capvec_sim::Config;
use std::sync::Arc;

/// Bits 0–1: now; bits 2–3: from the next `execve` on; bit 4: inherited across `execve`.
const CURRENT: u32 = 3;
const NEXT: u32 = 0xc;
const INHERIT: u32 = 0x10;
const OFF: u32 = 1;
const ON: u32 = 2;

/// The control word of a process that has not set it: on, by the system's default.
pub const DEFAULT_CONTROL: u32 = ON;

fn has_vectors(config: &Config) -> bool {
    config.exts.intersects(ExtSet::of(&[Ext::Zve32x]))
}

/// `PR_RISCV_V_GET_CONTROL`.
pub fn get_control(k: &Kernel) -> Sys {
    if !has_vectors(&k.core.config) {
        return Err(Errno::EINVAL.into());
    }
    Ok(k.process().vector_control.into())
}

/// `PR_RISCV_V_SET_CONTROL`.
pub fn set_control(k: &mut Kernel, arg: u64) -> Sys {
    if !has_vectors(&k.core.config) || arg & !0x1f != 0 {
        return Err(Errno::EINVAL.into());
    }
    let arg = arg as u32;
    let old = k.process().vector_control;
    let current = match arg & CURRENT {
        0 => old & CURRENT,
        // A process that may already use vectors may have vector state.
        OFF if old & CURRENT != OFF => return Err(Errno::EPERM.into()),
        c @ (OFF | ON) => c,
        _ => return Err(Errno::EINVAL.into()),
    };
    let next = arg & NEXT;
    if next == NEXT {
        return Err(Errno::EINVAL.into());
    }
    let full = Arc::clone(&k.core.config);
    let p = k.process_mut();
    p.vector_control = current | next | (arg & INHERIT);
    if current == ON {
        p.config = full;
        k.enter_space();
    }
    Ok(0)
}

/// Applies the setting for the next program: returns its hart configuration and its control word.
pub fn config_after_exec(k: &Kernel) -> (Arc<Config>, u32) {
    let old = k.process().vector_control;
    let current = match (old & NEXT) >> 2 {
        0 => DEFAULT_CONTROL,
        c => c,
    };
    let kept = if old & INHERIT != 0 { old & (NEXT | INHERIT) } else { 0 };
    let full = &k.core.config;
    if current != OFF || !has_vectors(full) {
        return (Arc::clone(full), current | kept);
    }
    // All extensions that need the vector registers: they imply Zve32x, directly or indirectly.
    let vector = Ext::all().filter(|e| ExtSet::of(&[*e]).closed().has(Ext::Zve32x));
    let exts = full.exts.minus(vector.collect());
    (Arc::new(Config { exts, ..(**full).clone() }), current | kept)
}
