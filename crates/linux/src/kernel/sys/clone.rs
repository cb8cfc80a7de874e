//! `clone`, `unshare`.

use super::Args;
use crate::base::errno::{Errno, Result};
use crate::kernel::{Kernel, Sys};
use crate::process::thread::{Context, Restart, Thread, Wait, Wake};
use crate::process::timers::ProcessTimers;
use crate::process::{Life, Process};
use crate::signal::{Pending, sig};
use std::cell::RefCell;
use std::rc::Rc;

/// Flags of `clone` (`include/uapi/linux/sched.h`).
mod flag {
    pub const VM: u64 = 0x100;
    pub const FS: u64 = 0x200;
    pub const FILES: u64 = 0x400;
    pub const SIGHAND: u64 = 0x800;
    pub const PIDFD: u64 = 0x1000;
    pub const VFORK: u64 = 0x4000;
    pub const PARENT: u64 = 0x8000;
    pub const THREAD: u64 = 0x1_0000;
    pub const SYSVSEM: u64 = 0x4_0000;
    pub const SETTLS: u64 = 0x8_0000;
    pub const PARENT_SETTID: u64 = 0x10_0000;
    pub const CHILD_CLEARTID: u64 = 0x20_0000;
    pub const DETACHED: u64 = 0x40_0000;
    pub const CHILD_SETTID: u64 = 0x100_0000;
    pub const CLEAR_SIGHAND: u64 = 0x1_0000_0000;
    pub const IO: u64 = 0x8000_0000;
    /// Flags that are implemented, or have no effect here.
    pub const KNOWN: u64 = VM
        | FS
        | FILES
        | SIGHAND
        | VFORK
        | PARENT
        | THREAD
        | SYSVSEM
        | SETTLS
        | PARENT_SETTID
        | CHILD_CLEARTID
        | DETACHED
        | CHILD_SETTID
        | CLEAR_SIGHAND
        | IO;
}

/// Maximum number of threads (`RLIMIT_NPROC`).
const MAX_THREADS: usize = 4096;
/// Bytes charged for a thread in addition to its vector registers, mostly for queued signals; and for a process, for
/// descriptors and timers.
const THREAD: u64 = 192 << 10;
const PROCESS: u64 = 768 << 10;
/// Registers that are set in a new thread.
const SP: u8 = 2;
const TP: u8 = 4;

/// The arguments of `clone` and `clone3`.
#[derive(Default)]
struct Request3 {
    flags: u64,
    parent_tid: u64,
    child_tid: u64,
    exit_signal: u64,
    /// 0: that of the parent.
    sp: u64,
    tls: u64,
}

/// `clone(flags, stack, parent_tid, tls, child_tid)`: the argument order of riscv64.
pub fn clone(k: &mut Kernel, a: &Args) -> Sys {
    const SIGNAL: u64 = 0xff;
    let request = Request3 {
        flags: a.raw(0) & 0xffff_ffff & !SIGNAL,
        exit_signal: a.raw(0) & SIGNAL,
        sp: a.raw(1),
        parent_tid: a.raw(2),
        tls: a.raw(3),
        child_tid: a.raw(4),
    };
    make(k, &request)
}

/// `struct clone_args`: flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
/// set_tid_size, cgroup.
pub fn clone3(k: &mut Kernel, a: &Args) -> Sys {
    const LEAST: u64 = 64;
    const MOST: u64 = 4096;
    let size = a.raw(1);
    if size > MOST {
        return Err(Errno::E2BIG.into());
    }
    if size < LEAST {
        return Err(Errno::EINVAL.into());
    }
    let mut w = [0; 11];
    for (i, w) in w.iter_mut().enumerate().take(size as usize / 8) {
        *w = k.guest().get(a.raw(0).wrapping_add(8 * i as u64))?;
    }
    let [flags, _, child_tid, parent_tid, exit_signal, stack, stack_size, tls, _, set_tid_size, _] =
        w;
    if (stack == 0) != (stack_size == 0) || set_tid_size != 0 || exit_signal > sig::MAX as u64 {
        return Err(Errno::EINVAL.into());
    }
    let sp = stack.wrapping_add(stack_size);
    make(k, &Request3 { flags, parent_tid, child_tid, exit_signal, sp, tls })
}

fn check(r: &Request3) -> Result<()> {
    let has = |f| r.flags & f != 0;
    if r.flags & !flag::KNOWN != 0
        || (has(flag::THREAD) && !has(flag::SIGHAND))
        || (has(flag::SIGHAND) && !has(flag::VM))
        || (has(flag::CLEAR_SIGHAND) && has(flag::SIGHAND))
        || r.exit_signal > sig::MAX as u64
    {
        return Err(Errno::EINVAL);
    }
    if has(flag::PIDFD) { Err(Errno::EINVAL) } else { Ok(()) }
}

fn make(k: &mut Kernel, r: &Request3) -> Sys {
    if k.wake() != Wake::First {
        // The vfork child has released the shared memory.
        return Ok(k.call_mut().done);
    }
    check(r)?;
    if k.tasks.threads.len() >= MAX_THREADS || k.tasks.processes.len() >= MAX_THREADS {
        return Err(Errno::EAGAIN.into());
    }
    let registers = u64::from(k.core.config.vlen) / 8 * 32;
    let charge = k.memory.account.take(registers + THREAD).map_err(|_| Errno::EAGAIN)?;
    let tid = k.tasks.next_tid;
    let pid = if r.flags & flag::THREAD != 0 {
        k.thread().pid
    } else {
        let child = new_process(k, r, tid)?;
        k.tasks.processes.insert(tid, child);
        tid
    };
    k.tasks.next_tid = k.tasks.next_tid.checked_add(1).unwrap_or(k.tasks.first + 1);
    let mut thread = new_thread(k, r, tid, pid);
    thread.charge = Some(charge);
    k.tasks.threads.insert(tid, thread);
    if let Some(p) = k.tasks.processes.get_mut(&pid) {
        p.threads.insert(tid);
    }
    k.profiler.cloned(k.tasks.current, tid, pid);
    k.sched.ready.push_back(tid);
    if r.flags & flag::PARENT_SETTID != 0 {
        // Like Linux, does not undo the clone for a bad pointer.
        let _ = k.guest().put(r.parent_tid, tid);
    }
    if r.flags & flag::CHILD_SETTID != 0 {
        let mem = k.tasks.processes[&pid].space.borrow().mem.clone();
        let _ = mem.store(r.child_tid, tid);
    }
    if r.flags & flag::VFORK != 0 {
        k.call_mut().done = tid as u64;
        return k.wait(Wait::Vfork(pid), Restart::Uninterruptible);
    }
    Ok(tid as u64)
}

fn new_thread(k: &Kernel, r: &Request3, tid: i32, pid: i32) -> Thread {
    let mut context = Context::copy_of(&k.hart);
    context.set_x(crate::kernel::registers::A0, 0);
    if r.sp != 0 {
        context.set_x(SP, r.sp);
    }
    if r.flags & flag::SETTLS != 0 {
        context.set_x(TP, r.tls);
    }
    let parent = k.thread();
    let mut t = Thread::new(tid, pid, Rc::clone(&parent.cred), context);
    t.mask = parent.mask;
    (t.comm, t.comm_kept) = (parent.comm.clone(), parent.comm_kept);
    if r.flags & flag::CHILD_CLEARTID != 0 {
        t.clear_tid = r.child_tid;
    }
    // A new thread, unlike a child, has no alternate stack.
    if r.flags & flag::VM == 0 || r.flags & flag::VFORK != 0 {
        t.altstack = parent.altstack;
    }
    t
}

fn shared_or_copy<T: Clone>(share: bool, it: &Rc<RefCell<T>>) -> Rc<RefCell<T>> {
    if share { Rc::clone(it) } else { Rc::new(RefCell::new(it.borrow().clone())) }
}

fn new_process(k: &mut Kernel, r: &Request3, pid: i32) -> Result<Process> {
    let has = |f| r.flags & f != 0;
    let charge = k.memory.account.take(PROCESS).map_err(|_| Errno::EAGAIN)?;
    let p = k.process();
    let space = if has(flag::VM) {
        Rc::clone(&p.space)
    } else {
        Rc::new(RefCell::new(p.space.borrow().fork()?))
    };
    let actions = shared_or_copy(has(flag::SIGHAND), &p.actions);
    if has(flag::CLEAR_SIGHAND) {
        actions.borrow_mut().reset_handlers();
    }
    let fds = if has(flag::FILES) {
        Rc::clone(&p.fds)
    } else {
        Rc::new(RefCell::new(p.fds.borrow().copy()?))
    };
    let ppid = if has(flag::PARENT) { p.ppid } else { p.pid };
    Ok(Process {
        pid,
        ppid,
        pgid: p.pgid,
        sid: p.sid,
        cred: Rc::clone(k.cred()),
        space,
        fds,
        fs: shared_or_copy(has(flag::FS), &p.fs),
        actions,
        pending: Pending::default(),
        threads: [].into(),
        exit_signal: r.exit_signal as i32,
        life: Life::Running,
        unreported: None,
        image: Rc::clone(&p.image),
        comm: Vec::new(),
        has_execed: false,
        config: p.config.clone(),
        vector_control: p.vector_control,
        undo: if has(flag::SYSVSEM) { Rc::clone(&p.undo) } else { Rc::default() },
        timers: ProcessTimers::default(),
        limits: p.limits.clone(),
        death_signal: 0,
        subreaper: false,
        past_cycles: 0,
        child_cycles: 0,
        started: k.now(),
        _charge: Some(charge),
        peak_mapped: 0,
    })
}

pub fn set_tid_address(k: &mut Kernel, a: &Args) -> Sys {
    k.thread_mut().clear_tid = a.raw(0);
    Ok(k.tasks.current as u64)
}

pub fn unshare(k: &mut Kernel, a: &Args) -> Sys {
    let flags = a.raw(0);
    if flags & !(flag::FS | flag::FILES | flag::SYSVSEM) != 0 {
        // Namespaces: there is only one of each kind.
        return Err(Errno::EPERM.into());
    }
    if flags & flag::FILES != 0 {
        k.tasks.unshare_files()?;
    }
    if flags & flag::SYSVSEM != 0 {
        let process = k.process_mut();
        let (list, pid) = (std::mem::take(&mut process.undo), process.pid);
        k.undo_semaphores(&list, pid);
    }
    if flags & flag::FS != 0 {
        let copy = k.fs_context();
        k.process_mut().fs = Rc::new(RefCell::new(copy));
    }
    Ok(0)
}
