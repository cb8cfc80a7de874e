//! Makes instruction fetch see code that was written through another mapping of the same memory.

/// x86 keeps them coherent.
///
/// # Safety
/// None is needed: the signature is that of other architectures.
#[cfg(target_arch = "x86_64")]
pub unsafe fn synchronise(_: *const u8, _: *const u8, _: usize) {}

/// Cleans the data cache and invalidates the instruction cache (Arm Architecture Reference Manual, "Synchronization and coherency
/// issues between data and instruction accesses"). Linux lets user programs do both.
///
/// # Safety
/// `len` bytes were written at `written` and will be executed at `executed`, by this thread.
#[cfg(target_arch = "aarch64")]
pub unsafe fn synchronise(written: *const u8, executed: *const u8, len: usize) {
    use std::arch::asm;

    let ctr: u64;
    // SAFETY: reads a register that Linux lets user programs read.
    unsafe { asm!("mrs {}, ctr_el0", out(reg) ctr, options(nomem, nostack, preserves_flags)) };
    // Binary logarithms of the smallest lines, in words.
    let line = |shift: u32| 4_usize << (ctr >> shift & 15);
    let lines = |start: *const u8, line: usize| {
        let start = start as usize;
        (start / line * line..start + len).step_by(line)
    };
    for at in lines(written, line(16)) {
        // SAFETY: the line holds bytes that were written.
        unsafe { asm!("dc cvau, {}", in(reg) at, options(nostack, preserves_flags)) };
    }
    // SAFETY: waits for the other instructions.
    unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
    for at in lines(executed, line(0)) {
        // SAFETY: the line is mapped.
        unsafe { asm!("ic ivau, {}", in(reg) at, options(nostack, preserves_flags)) };
    }
    // SAFETY: waits for the other instructions, and fetches again.
    unsafe { asm!("dsb ish", "isb", options(nostack, preserves_flags)) };
}
