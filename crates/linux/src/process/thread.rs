//! Threads of the guest.

use crate::base::charge::Charge;
use crate::base::cred::Cred;
use crate::base::errno::{Errno, Result};
use crate::fs::{FileRef, LockWait};
use crate::interface::Fault;
use crate::signal::{AltStack, Pending, SigSet, ss};
use capvec_sim::Hart;
use capvec_sim::vector::Vector;
use std::rc::Rc;

/// The saved registers of a thread that is not running.
pub struct Context {
    x: [u64; 32],
    pc: u64,
    f: [u64; 32],
    fflags: u8,
    frm: u8,
    v: Vector,
}

impl Context {
    /// All zero.
    pub fn new(vlen: u32) -> Context {
        let v = Vector::new(vlen);
        Context { x: [0; 32], pc: 0, f: [0; 32], fflags: 0, frm: 0, v }
    }

    /// A copy of the hart's registers.
    pub fn copy_of(h: &Hart) -> Context {
        let mut v = Vector::new(h.config.vlen);
        v.bytes_mut(0).copy_from_slice(h.v.bytes(0));
        (v.vl, v.vtype, v.vstart) = (h.v.vl, h.v.vtype, h.v.vstart);
        (v.vxrm, v.vxsat) = (h.v.vxrm, h.v.vxsat);
        let x = std::array::from_fn(|r| h.x(r as u8));
        Context { x, pc: h.pc, f: h.f, fflags: h.fflags, frm: h.frm, v }
    }

    /// Sets x register `r`, which is not 0.
    pub fn set_x(&mut self, r: u8, v: u64) {
        self.x[r as usize] = v;
    }

    /// Sets the program counter and the stack pointer.
    pub fn set_start(&mut self, pc: u64, sp: u64) {
        (self.pc, self.x[2]) = (pc, sp);
    }

    /// Exchanges these registers with the hart's.
    pub fn swap(&mut self, h: &mut Hart) {
        for (r, mine) in (0u8..).zip(&mut self.x) {
            let theirs = h.x(r);
            h.write_x(r, *mine);
            *mine = theirs;
        }
        std::mem::swap(&mut self.pc, &mut h.pc);
        std::mem::swap(&mut self.f, &mut h.f);
        std::mem::swap(&mut self.fflags, &mut h.fflags);
        std::mem::swap(&mut self.frm, &mut h.frm);
        std::mem::swap(&mut self.v, &mut h.v);
    }
}

/// The event that a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// A change of a pipe, socket or other descriptor.
    Files,
    /// Such a change, or input from the host.
    Host,
    /// `FUTEX_WAKE` at this key with one of these bits.
    Futex(crate::process::futex_queue::Key, u32),
    /// A change of state of a child.
    Child,
    /// A change of the System V message queue with this identifier.
    Queue(i32),
    /// A change of the System V semaphore set with this identifier.
    Semaphore(i32, crate::sysv_ipc::Blocked),
    /// The vfork child releases the memory that it shares.
    Vfork(i32),
    /// A signal.
    Signal,
    /// Time.
    Time,
}

/// What happens to a system call that a signal handler interrupts (signal(7)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// `EINTR`, unless the handler has `SA_RESTART`.
    Restartable,
    /// `EINTR`.
    Never,
    /// It cannot be interrupted, except by the end of the process.
    Uninterruptible,
}

/// A wait that a system call requests.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The event.
    pub on: Wait,
    /// The deadline, in nanoseconds of the monotonic clock.
    pub until: Option<u64>,
    /// The effect of a signal.
    pub restart: Restart,
}

impl Block {
    /// Whether signals interrupt the wait.
    pub fn is_interruptible(&self) -> bool {
        self.restart != Restart::Uninterruptible
    }
}

/// Why a system call is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// For the first time.
    First,
    /// The event that it waited for may have happened.
    Event,
    /// Its time is over.
    Timeout,
    /// A signal is pending.
    Signal,
}

/// A system call that has not returned yet. It is called again when its wait is over.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Its number.
    pub number: u64,
    /// Its arguments.
    pub args: [u64; 6],
    /// Why it is called (again).
    pub wake: Wake,
    /// Its deadline, in nanoseconds of the monotonic clock; fixed by the first invocation.
    pub until: Option<u64>,
    /// Bytes transferred so far, or the number of the process that it has created.
    pub done: u64,
    /// The deadline of a wait for files, which may be after `until`.
    pub end: u64,
    /// The effect of a signal while it waits.
    pub restart: Restart,
}

/// Whether a thread can run.
#[derive(Clone, Copy, Debug)]
pub enum State {
    /// It can run.
    Ready,
    /// It waits.
    Blocked(Block),
}

/// A thread.
pub struct Thread {
    /// Its number.
    pub tid: i32,
    /// Its process.
    pub pid: i32,
    /// Users, groups and capabilities.
    pub cred: Rc<Cred>,
    /// Its registers while it is not running.
    pub context: Context,
    /// Whether it can run.
    pub state: State,
    /// System call in flight.
    pub call: Option<Call>,
    /// Blocked signals.
    pub mask: SigSet,
    /// The mask to restore after a handler, when a system call has set a temporary mask.
    pub saved_mask: Option<SigSet>,
    /// A named pipe that it is opening, until the other side is open.
    pub opening: Option<FileRef>,
    /// The record lock that it waits for, while that call is in flight.
    pub lock_wait: Option<LockWait>,
    /// Signals that it waits for in `rt_sigtimedwait`.
    pub sigwait: SigSet,
    /// Signals sent to it alone.
    pub pending: Pending,
    /// Alternate signal stack.
    pub altstack: AltStack,
    /// Address of a word that is cleared and woken as a futex when it ends (`CLONE_CHILD_CLEARTID`), if not 0.
    pub clear_tid: u64,
    /// Head of the robust futex list, if not 0.
    pub robust_list: u64,
    /// Name, at most 15 bytes.
    pub comm: Vec<u8>,
    /// The number under which a follower of bytes keeps those of the name, if the name was set.
    pub comm_kept: u64,
    /// Cycles that it has run.
    pub cycles: u64,
    /// The last fault.
    pub fault: Option<Fault>,
    /// For its registers and other records.
    pub charge: Option<Charge>,
    /// Key of its entry in the timer queue while it waits with a deadline.
    pub timer: Option<crate::process::timer_queue::Key>,
}

impl Thread {
    /// A ready thread.
    pub fn new(tid: i32, pid: i32, cred: Rc<Cred>, context: Context) -> Thread {
        Thread {
            tid,
            pid,
            cred,
            context,
            state: State::Ready,
            call: None,
            mask: SigSet::EMPTY,
            saved_mask: None,
            opening: None,
            lock_wait: None,
            sigwait: SigSet::EMPTY,
            pending: Pending::default(),
            altstack: AltStack::default(),
            clear_tid: 0,
            robust_list: 0,
            comm: Vec::new(),
            comm_kept: 0,
            cycles: 0,
            fault: None,
            charge: None,
            timer: None,
        }
    }

    /// Sets the alternate signal stack. `sp` is the stack pointer, `min_size` the size of a frame.
    ///
    /// # Errors
    /// `EPERM` while it is in use, `EINVAL` for unknown flags, `ENOMEM` when it is too small.
    pub fn set_altstack(&mut self, new: AltStack, sp: u64, min_size: u64) -> Result<()> {
        if self.altstack.holds(sp) {
            return Err(Errno::EPERM);
        }
        let mode = new.flags & !ss::AUTODISARM;
        if !matches!(mode, 0 | ss::ONSTACK | ss::DISABLE) {
            return Err(Errno::EINVAL);
        }
        self.altstack = if mode == ss::DISABLE {
            AltStack::default()
        } else if new.size < min_size {
            return Err(Errno::ENOMEM);
        } else {
            AltStack { flags: new.flags & ss::AUTODISARM, ..new }
        };
        Ok(())
    }
}
