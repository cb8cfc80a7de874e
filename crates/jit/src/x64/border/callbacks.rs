//! Functions in Rust that generated code calls.

use crate::x64::cycles::access::unpack;
use crate::x64::runtime::float_flags;
use capvec_sim::Hart;
use capvec_sim::calls::Log;
use capvec_sim::insn::Insn;
use capvec_timing::FirstOrder;
use capvec_timing::batch::Batch;
use std::cell::RefCell;

/// Calls a handler for generated code. Returns whether it raised a trap.
///
/// # Safety
/// Both pointers are valid, and nothing else uses the hart.
pub unsafe extern "sysv64" fn thunk(h: *mut Hart, i: *const Insn) -> u32 {
    // SAFETY: `enter` has exclusive access to the hart and lends it to generated code alone; the
    // instructions of a block live as long as its code is entered.
    let (h, i) = unsafe { (&mut *h, &*i) };
    (i.exec)(h, i).is_err() as u32
}

/// `thunk` for an instruction that accesses a CSR, which may be `fflags`.
///
/// # Safety
/// As for `thunk`.
pub unsafe extern "sysv64" fn csr_thunk(h: *mut Hart, i: *const Insn) -> u32 {
    // SAFETY: as in `thunk`.
    float_flags::take(unsafe { &mut *h });
    // SAFETY: as in `thunk`.
    unsafe { thunk(h, i) }
}

/// `thunk` for an instruction whose cost is dynamic; `note` and `correction` are the last arguments of
/// `FirstOrder::count`.
///
/// # Safety
/// As for `thunk`; the model is valid.
pub unsafe extern "sysv64" fn timed_thunk(
    h: *mut Hart,
    i: *const Insn,
    model: *mut FirstOrder,
    note: u8,
    correction: i64,
) -> u32 {
    // SAFETY: as in `thunk`; the model is the engine's, which uses it only while no generated code runs.
    let (h, i, model) = unsafe { (&mut *h, &*i, &mut *model) };
    let raised = (i.exec)(h, i).is_err();
    if !raised {
        model.count(h, i, note, correction);
    }
    raised as u32
}

/// Counts deferred vector instructions.
///
/// # Safety
/// The model and the batch are valid.
pub unsafe extern "sysv64" fn catch_up(model: *mut FirstOrder, batch: *const Batch, end: u64) {
    // SAFETY: as in `timed_thunk`; a batch lives as long as its block's code.
    let (model, batch) = unsafe { (&mut *model, &*batch) };
    model.catch_up(batch, end as u8);
}

/// Predicts a branch by the tagged tables: its hash, and the host address of its counter. Returns whether it was mispredicted.
///
/// # Safety
/// The model is valid.
pub unsafe extern "sysv64" fn branch<const TAKEN: bool>(
    model: *mut FirstOrder,
    hash: u64,
    counter: u64,
) -> u64 {
    // SAFETY: as in `timed_thunk`.
    unsafe { &mut *model }.mispredicted(counter, hash, TAKEN).into()
}

/// Passes the log's events to the observer.
///
/// # Safety
/// The log is valid, and nothing else uses it.
pub unsafe extern "sysv64" fn flush(_: *mut FirstOrder, log: *const RefCell<Log>) {
    // SAFETY: the engine's log lives as long as its code, and the engine uses it only while no generated code runs.
    unsafe { &*log }.borrow_mut().flush();
}

/// Counts a scalar access, packed by `cycles::access::pack`.
///
/// # Safety
/// The model is valid.
pub unsafe extern "sysv64" fn access(model: *mut FirstOrder, addr: u64, packed: u64) {
    let (access, counted) = unpack(addr, packed);
    // SAFETY: as in `timed_thunk`.
    unsafe { &mut *model }.count_access(access, counted);
}
