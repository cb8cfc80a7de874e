//! The answers to the queries of `/proc`.

use crate::base::cred::Cred;
use crate::fs::{
    Dir, FdTable, InetTable, Mapping, MemoryUse, ProcInfo, ProcSource, Processes, SocketCounts,
    SystemInfo, SysvKind,
};
use crate::kernel::Kernel;
use crate::kernel::config::isa_string;
use crate::kernel::sys::{HOSTNAME, RELEASE, VERSION};
use crate::net::{self, InetSocket};
use crate::space::{Backing, Vma};
use capvec_sim::mem::{Memory, PAGE, Perm};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// What can be read of this memory, up to the first byte that cannot.
fn readable(mem: &Memory, at: Range<u64>) -> Vec<u8> {
    let len = at.end - at.start;
    let len = match mem.allows(at.start, len, Perm::R) {
        true => len,
        false => mem.first_fault(at.start, len, Perm::R).saturating_sub(at.start).min(len),
    };
    let mut out = vec![0; len as usize];
    match mem.read(at.start, &mut out) {
        Ok(()) => out,
        Err(_) => Vec::new(),
    }
}

/// The arguments as the program has them now. If they do not end with NUL any more, a title has been written over them and
/// perhaps what follows: it ends at its first NUL or after a page (fs/proc/base.c, `get_mm_cmdline`).
fn arguments(mem: &Memory, at: &Range<u64>) -> Vec<u8> {
    let args = readable(mem, at.clone());
    if args.len() as u64 != at.end - at.start || args.last().is_none_or(|last| *last == 0) {
        return args;
    }
    let mut title = readable(mem, at.start..at.start + PAGE);
    if let Some(end) = title.iter().position(|b| *b == 0) {
        title.truncate(end + 1);
    }
    title
}

/// Counts an area of `len` bytes (mm/vma.h, `is_data_mapping` and `is_exec_mapping`) of a process that runs this program.
fn count(used: &mut MemoryUse, vma: &Vma, len: u64, program: &[u8]) {
    *match &vma.backing {
        Backing::Shared(object) if !object.has_file() => &mut used.shared,
        Backing::File(_) | Backing::Shared(_) => &mut used.file,
        Backing::Anon => &mut used.anonymous,
    } += len;
    let writable = vma.perm.allows(Perm::W);
    if vma.grows {
        used.stack += len;
    } else if writable && !vma.shared() {
        used.data += len;
    } else if !writable && vma.perm.allows(Perm::X) {
        let own = vma.id.as_ref().is_some_and(|id| id.path == program);
        *if own { &mut used.text } else { &mut used.libraries } += len;
    }
}

impl ProcSource for Kernel {
    fn system(&self) -> SystemInfo {
        let config = &self.core.config;
        let boot = self.devices.clock.realtime_epoch() / crate::base::time::SECOND;
        SystemInfo {
            uptime_ns: self.now(),
            boot_time: boot as i64,
            mem_total: self.memory.account.limit(),
            mem_free: self.memory.account.limit() - self.memory.account.used(),
            cpus: 1,
            release: RELEASE.into(),
            version: VERSION.into(),
            hostname: HOSTNAME.into(),
            isa: isa_string(config, self.core.visible_exts(config)),
            uarch: self.core.name.clone(),
        }
    }

    fn pids(&self) -> Vec<i32> {
        self.tasks.processes.keys().copied().collect()
    }

    fn tids(&self, pid: i32) -> Vec<i32> {
        let Some(p) = self.tasks.processes.get(&pid) else { return Vec::new() };
        // Until it is waited for, the main thread is there as a zombie.
        let zombie = (!p.threads.contains(&pid)).then_some(pid);
        zombie.into_iter().chain(p.threads.iter().copied()).collect()
    }

    fn info(&self, pid: i32, tid: i32) -> Option<ProcInfo> {
        let p = self.tasks.processes.get(&pid)?;
        let whole = tid == pid;
        let thread = self.tasks.threads.get(&tid);
        let comm = match thread {
            Some(t) => t.comm.clone(),
            None if whole => p.comm.clone(),
            None => return None,
        };
        let cycles = if whole {
            self.cpu_time().process_cycles(pid)
        } else {
            thread.map_or(0, |t| t.cycles)
        };
        let (ignored, caught) = p.actions.borrow().ignored_and_caught();
        let state = self.tasks.state_letter(p, tid);
        Some(ProcInfo {
            comm,
            state,
            ppid: p.ppid,
            pgrp: p.pgid,
            session: p.sid,
            threads: self.tids(pid).len() as u32,
            utime: self.devices.clock.ticks(cycles),
            stime: 0,
            start_time: p.started / (crate::base::time::SECOND / 100),
            start_code: p.image.code,
            start_stack: p.image.stack,
            signals: [thread.map_or(0, |t| t.mask.0), ignored.0, caught.0],
            umask: p.fs.borrow().umask,
            pending: [thread.map_or(0, |t| t.pending.set().0), p.pending.set().0],
            limits: p.limits.all(),
            fd_size: if state == 'Z' { 0 } else { p.fds.borrow().size() },
        })
    }

    fn cred(&self, pid: i32, tid: i32) -> Option<Rc<Cred>> {
        let p = self.tasks.processes.get(&pid)?;
        let thread = self.tasks.threads.get(&tid).filter(|t| t.pid == pid && tid != pid);
        Some(Rc::clone(thread.map_or(&p.cred, |t| &t.cred)))
    }

    fn memory(&self, pid: i32) -> Option<MemoryUse> {
        let p = self.tasks.processes.get(&pid)?;
        let mut used = MemoryUse::default();
        for (start, vma) in p.space.borrow().areas() {
            count(&mut used, vma, vma.end - start, &p.image.path);
        }
        Some(used)
    }

    fn queued_signals(&self, user: u32) -> usize {
        let processes = self.tasks.processes.values().filter(|p| p.cred.uid.real == user);
        let threads = self.tasks.threads.values().filter(|t| t.cred.uid.real == user);
        // A timer reserves a place for its signal.
        processes.map(|p| p.pending.len() + p.timers.posix.len()).sum::<usize>()
            + threads.map(|t| t.pending.len()).sum::<usize>()
    }

    fn maps(&self, pid: i32, each: &mut dyn FnMut(&Mapping<'_>)) -> Option<()> {
        let space = self.tasks.processes.get(&pid)?.space.borrow();
        for (start, vma) in space.areas() {
            let bit = |perm, c| if vma.perm.allows(perm) { c } else { b'-' };
            let shared = if vma.shared() { b's' } else { b'p' };
            let id = vma.id.as_ref();
            // `vma_is_initial_heap` of Linux.
            let heap = start < space.brk && vma.end > space.brk_start;
            let unnamed: &[u8] = if heap { b"[heap]" } else { b"" };
            each(&Mapping {
                start,
                end: vma.end,
                perms: [bit(Perm::R, b'r'), bit(Perm::W, b'w'), bit(Perm::X, b'x'), shared],
                offset: vma.offset,
                dev_ino: id.map_or((0, 0), |id| (id.dev, id.ino)),
                path: id.map_or(unnamed, |id| &id.path),
            });
        }
        Some(())
    }

    fn cmdline(&self, pid: i32) -> Option<Vec<u8>> {
        let p = self.tasks.processes.get(&pid)?;
        Some(arguments(&p.space.borrow().mem, &p.image.args))
    }

    fn environ(&self, pid: i32) -> Option<Vec<u8>> {
        let p = self.tasks.processes.get(&pid)?;
        Some(readable(&p.space.borrow().mem, p.image.env.clone()))
    }

    fn auxv(&self, pid: i32) -> Option<Vec<u8>> {
        Some(self.tasks.processes.get(&pid)?.image.auxv.clone())
    }

    fn exe(&self, pid: i32) -> Option<Vec<u8>> {
        Some(self.tasks.processes.get(&pid)?.image.path.clone())
    }

    fn sysvipc(&self, kind: SysvKind) -> Vec<u8> {
        self.ipc.show(kind)
    }

    fn inet_sockets(&self, table: InetTable) -> Vec<u8> {
        table.of(self.host.open_files().iter().filter_map(|file| InetSocket::of(file)))
    }

    fn socket_counts(&self) -> SocketCounts {
        let files = self.host.open_files();
        let mut counts = net::counts(files.iter().filter_map(|file| InetSocket::of(file)));
        // Each has a reference to the ports in use, as the kernel has.
        counts.open += Rc::strong_count(&self.network.netlink_ports) - 1;
        counts
    }
}

impl Processes for Kernel {
    fn cwd(&self, pid: i32) -> Option<Dir> {
        Some(Rc::clone(&self.tasks.processes.get(&pid)?.fs.borrow().cwd))
    }

    fn fds(&self, pid: i32) -> Option<Rc<RefCell<FdTable>>> {
        Some(Rc::clone(&self.tasks.processes.get(&pid)?.fds))
    }
}
