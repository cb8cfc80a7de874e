//! Faults of generated code, which the host reports as signals.
//!
//! A load or store of the guest is one of the host, which protects pages as the table of permissions says (`capvec_sim::mem`). If it
//! is not permitted, the host sends SIGSEGV. The handler finds the instruction in its trace's table of recoveries
//! (`interface::recoveries`), and has the thread continue there: at an exit to the interpreter. Any other SIGSEGV goes to the handler
//! that was there before, such as that of Rust's standard library, which reports stack overflows.

use crate::interface::code::Traces;
use crate::interface::recoveries;
use libc::{c_int, c_void, sigaction, siginfo_t, ucontext_t};
use std::cell::Cell;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

/// `Traces` without a lifetime.
#[derive(Clone, Copy)]
struct Running {
    base: u64,
    places: *const Range<u32>,
    count: usize,
}

thread_local! {
    /// The code that runs in this thread.
    static RUNNING: Cell<Running> =
        const { Cell::new(Running { base: 0, places: std::ptr::null(), count: 0 }) };
}

/// What SIGSEGV did before.
static BEFORE: OnceLock<sigaction> = OnceLock::new();

/// Has faults of these traces handled while `run` runs.
///
/// # Safety
/// The traces are readable, and each ends with the table of `recoveries` for its own code.
pub unsafe fn handling<T>(traces: Traces<'_>, run: impl FnOnce() -> T) -> T {
    let Traces { base, places } = traces;
    let running = Running { base, places: places.as_ptr(), count: places.len() };
    let outer = RUNNING.replace(running);
    let result = run();
    RUNNING.set(outer);
    result
}

/// Installs the handler, again if another has taken its place, and has this thread receive the signal, which its parent may have
/// blocked.
///
/// # Errors
/// The system refuses it.
pub fn install() -> io::Result<()> {
    // SAFETY: an initialised set of this function's own, and no place for the old one.
    unsafe {
        let mut set = std::mem::MaybeUninit::uninit();
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGSEGV);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, set.as_ptr(), std::ptr::null_mut());
    }
    let handler = on_fault as *const () as usize;
    let mut now = std::mem::MaybeUninit::<sigaction>::uninit();
    // SAFETY: asks for the current action only, which the call writes.
    let now = unsafe {
        if libc::sigaction(libc::SIGSEGV, std::ptr::null(), now.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        now.assume_init()
    };
    if now.sa_sigaction == handler {
        return Ok(());
    }
    // If there is one already, it is what the handlers that came later know.
    BEFORE.get_or_init(|| now);
    let mut own = now;
    own.sa_sigaction = handler;
    own.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: an empty set is written to the field; the handler has the signature that SA_SIGINFO asks for.
    let set = unsafe {
        libc::sigemptyset(&raw mut own.sa_mask);
        libc::sigaction(libc::SIGSEGV, &raw const own, std::ptr::null_mut())
    };
    if set == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Where the instruction at this address continues when it faults, if it is one that may.
fn recovery(address: u64) -> Option<u64> {
    let Running { base, places, count } = RUNNING.get();
    if count == 0 {
        return None;
    }
    // SAFETY: `handling` has set them, for traces that are borrowed as long as they run.
    let places = unsafe { std::slice::from_raw_parts(places, count) };
    let at = u32::try_from(address.checked_sub(base)?).ok()?;
    let before = places.partition_point(|place| place.start <= at);
    let place = places.get(before.checked_sub(1)?).filter(|place| place.contains(&at))?;
    let start = base + u64::from(place.start);
    // SAFETY: the trace is readable, and nobody writes to it while code runs.
    let code = unsafe { std::slice::from_raw_parts(start as *const u8, place.len()) };
    recoveries::find(code, (at - place.start) as usize).map(|to| start + to as u64)
}

/// The handler. It is called on the thread that faults, and only reads what is set while no code runs.
unsafe extern "C" fn on_fault(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes the thread's registers as the third argument; nobody else has a reference to them.
    let registers = unsafe { &mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs };
    let at = &mut registers[libc::REG_RIP as usize];
    match recovery(*at as u64) {
        Some(to) => *at = to as i64,
        // SAFETY: the arguments are the kernel's.
        None => unsafe { as_before(signal, info, context) },
    }
}

/// Does what would have been done without this handler.
///
/// # Safety
/// The arguments are those of a handler.
unsafe fn as_before(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let Some(before) = BEFORE.get() else { return };
    match before.sa_sigaction {
        libc::SIG_DFL | libc::SIG_IGN => {
            // The instruction faults again after the return, and that ends the process.
            // SAFETY: the action that the system had.
            unsafe { libc::sigaction(signal, before, std::ptr::null_mut()) };
        }
        // SAFETY: the address of a handler with the signature that its flags say.
        handler if before.sa_flags & libc::SA_SIGINFO != 0 => unsafe {
            std::mem::transmute::<usize, extern "C" fn(c_int, *mut siginfo_t, *mut c_void)>(
                handler,
            )(signal, info, context);
        },
        // SAFETY: as above.
        handler => unsafe {
            std::mem::transmute::<usize, extern "C" fn(c_int)>(handler)(signal);
        },
    }
}
