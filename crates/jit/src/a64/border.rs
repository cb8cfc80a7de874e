//! The border between Rust and generated code: the code that enters generated code, and the code that generated code calls or
//! jumps to.

use super::asm::{
    Asm, Op3, OpField, OpMask, Pair, Reg, SP, Transfer, Unencodable, Width, ZR, blr, br, field,
    op3, ret,
};
use super::registers::{
    ARGUMENTS_SLOT, Arguments, BASE, FILE_SLOT, FRAME, HART, LEFT, LR, T0, T1, T2, TABLE,
    load_homes, store_homes,
};
use crate::interface::exit::{Edge, Exit};
use crate::interface::relocation::Refers;
use capvec_sim::Hart;
use capvec_sim::calls::Log;
use capvec_sim::insn::Insn;
use capvec_sim::mem::table;
use std::cell::RefCell;
use std::mem::offset_of;

/// Addresses of the functions and data that generated code uses.
#[derive(Clone, Copy, Debug)]
pub struct Runtime {
    /// Leaves to the run loop with the exit in `T0`.
    pub leave: u64,
    /// Leaves to the run loop by the edge whose number is in `T0`.
    pub leave_edge: u64,
    /// Calls the handler of the instruction at `T0`. The hart is up to date. `T0` = whether it raised a trap. Homes that calls
    /// preserve are not loaded again.
    pub call: u64,
    /// The table of indirect-jump targets.
    pub targets: u64,
}

/// Callee-saved registers (procedure call standard), in pairs.
const SAVED: [[Reg; 2]; 6] = [
    [Reg(29), Reg(30)],
    [Reg(19), Reg(20)],
    [Reg(21), Reg(22)],
    [Reg(23), Reg(24)],
    [Reg(25), Reg(26)],
    [Reg(27), Reg(28)],
];

// The saved registers lie below the other slots.
const _: () = assert!(ARGUMENTS_SLOT == 16 * SAVED.len() as i64);

/// Calls a handler for generated code. Returns whether it raised a trap.
///
/// # Safety
/// Both pointers are valid, and nothing else uses the hart.
unsafe extern "C" fn thunk(h: *mut Hart, i: *const Insn) -> u32 {
    // SAFETY: `enter` has exclusive access to the hart and lends it to generated code alone; the instructions of a block live as
    // long as its code is entered.
    let (h, i) = unsafe { (&mut *h, &*i) };
    (i.exec)(h, i).is_err() as u32
}

/// Passes the log's events to the observer.
///
/// # Safety
/// The log is valid, and nothing else uses it.
unsafe extern "C" fn flush(log: *const RefCell<Log>) {
    // SAFETY: the engine's log lives as long as its code, and the engine uses it only while no generated code runs.
    unsafe { &*log }.borrow_mut().flush();
}

/// The border's code for address `base`, where its entry is, and the addresses that generated code uses; `targets` is the address of
/// the table of indirect-jump targets.
pub fn border(base: u64, targets: u64) -> Result<(Vec<u8>, Runtime), Unencodable> {
    let mut a = Asm::default();
    enter_code(&mut a);
    let here = |a: &Asm| base + a.len() as u64;
    let leave_edge = here(&a);
    a.put(field(OpField::Ubfm, Width::X, T0, T0, 64 - Exit::SHIFT as u32, 63 - Exit::SHIFT as u32));
    a.mask((OpMask::Orr, Op3::Orr), T0, T0, Exit::Edge(Edge(0)).encode(), T1);
    let leave = here(&a);
    leave_code(&mut a);
    let call = here(&a);
    call_handler(&mut a);
    Ok((a.finish()?.0, Runtime { leave, leave_edge, call, targets }))
}

/// The entry, a `fn(arguments, code)`.
fn enter_code(a: &mut Asm) {
    let saved = |k: usize| 16 * k as i64;
    a.pair(Pair::StpBefore, SAVED[0], SP, -FRAME);
    for (k, both) in SAVED.into_iter().enumerate().skip(1) {
        a.pair(Pair::Stp, both, SP, saved(k));
    }
    a.transfer(Transfer::Str, T0, SP, ARGUMENTS_SLOT);
    a.transfer(Transfer::Ldr, T2, T0, offset_of!(Arguments, vectors) as i64);
    a.transfer(Transfer::Str, T2, SP, FILE_SLOT);
    let fields = [
        (LEFT, offset_of!(Arguments, left)),
        (HART, offset_of!(Arguments, hart)),
        (BASE, offset_of!(Arguments, base)),
        (TABLE, offset_of!(Arguments, table)),
    ];
    for (r, offset) in fields {
        a.transfer(Transfer::Ldr, r, T0, offset as i64);
    }
    load_homes(a, true);
    a.put(br(T1));
}

/// Returns from the entry: the exit is in the register of the result.
fn leave_code(a: &mut Asm) {
    let saved = |k: usize| 16 * k as i64;
    store_homes(a, u32::MAX);
    a.transfer(Transfer::Ldr, T1, SP, ARGUMENTS_SLOT);
    a.transfer(Transfer::Str, LEFT, T1, offset_of!(Arguments, left) as i64);
    for (k, both) in SAVED.into_iter().enumerate().skip(1) {
        a.pair(Pair::Ldp, both, SP, saved(k));
    }
    a.pair(Pair::LdpAfter, SAVED[0], SP, FRAME);
    a.put(ret());
}

/// `Runtime::call`.
fn call_handler(a: &mut Asm) {
    a.pair(Pair::StpBefore, [LR, ZR], SP, -16);
    a.mov(T1, T0);
    a.add_imm(Width::X, T0, HART, -(Hart::X_OFFSET as i64), T2);
    a.load_literal(T2, thunk as *const () as u64, Refers::Address);
    a.put(blr(T2));
    // The upper half of a 32-bit result is undefined.
    a.put(op3(Op3::Orr, Width::W, T0, ZR, T0));
    load_homes(a, false);
    a.pair(Pair::LdpAfter, [LR, ZR], SP, 16);
    a.put(ret());
}

/// A function that passes the events of the log in `T1` to the observer. It preserves `T0` and all homes.
pub fn flush_function() -> Result<Vec<u8>, Unencodable> {
    let mut a = Asm::default();
    a.pair(Pair::StpBefore, [LR, T0], SP, -16);
    store_homes(&mut a, u32::MAX);
    a.mov(T0, T1);
    a.load_literal(T2, flush as *const () as u64, Refers::Address);
    a.put(blr(T2));
    load_homes(&mut a, false);
    a.pair(Pair::LdpAfter, [LR, T0], SP, 16);
    a.put(ret());
    Ok(a.finish()?.0)
}

/// Runs the generated code at `code` for a budget of `left` instructions. The code was translated for this hart's kind, and its
/// blocks still exist. Returns the remaining budget and the exit.
///
/// # Safety
/// `border` is the address of the border's code, `code` an entry of a block translated for the same addresses; both are executable.
pub unsafe fn enter(border: u64, code: u64, h: &mut Hart, left: i64) -> (i64, Exit) {
    let base = h.mem.host_base() as u64;
    let hart = std::ptr::from_mut(h) as u64 + Hart::X_OFFSET as u64;
    // A handler may write vector registers, but does not move them.
    let vectors = h.v.bytes_mut(0).as_mut_ptr() as u64;
    let mut arguments = Arguments { left, hart, base, table: base - table::BEFORE, vectors };
    // SAFETY: the caller says that the border's code stands there; it has this signature.
    let run = unsafe {
        std::mem::transmute::<u64, unsafe extern "C" fn(*mut Arguments, u64) -> u64>(border)
    };
    // SAFETY: the code keeps to the procedure call standard; it accesses the arguments, this hart, and its space where the table of
    // permissions allows.
    let exit = unsafe { run(&mut arguments, code) };
    (arguments.left, Exit::decode(exit))
}
