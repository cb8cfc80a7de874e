//! System information and resource usage.

use super::Args;
use crate::base::cred::cap;
use crate::base::errno::Errno;
use crate::kernel::{Kernel, Sys};
use crate::process::rlimits::NOFILE;
use capvec_sim::calls::Received;
use std::rc::Rc;

/// Release of the emulated kernel: the series of Debian 13.
pub const RELEASE: &str = "6.12.0";
/// Version string of the emulated kernel.
pub const VERSION: &str = "#1 SMP capvec";
/// Host name.
pub const HOSTNAME: &str = "capvec";

/// `struct new_utsname`: six fields of 65 bytes.
pub fn uname(k: &mut Kernel, a: &Args) -> Sys {
    const FIELD: usize = 65;
    let fields = ["Linux", HOSTNAME, RELEASE, VERSION, "riscv64", "(none)"];
    let mut out = vec![0; FIELD * fields.len()];
    for (i, f) in fields.iter().enumerate() {
        out[i * FIELD..i * FIELD + f.len()].copy_from_slice(f.as_bytes());
    }
    k.guest().write(a.raw(0), &out)?;
    Ok(0)
}

/// `struct sysinfo`: 112 bytes.
pub fn sysinfo(k: &mut Kernel, a: &Args) -> Sys {
    let total = k.memory.account.limit();
    let free = total - k.memory.account.used();
    let mut out = [0; 112];
    let mut put = |at: usize, v: u64| out[at..at + 8].copy_from_slice(&v.to_le_bytes());
    put(0, k.now() / crate::base::time::SECOND);
    put(32, total);
    put(40, free);
    out[80..82].copy_from_slice(&(k.tasks.processes.len() as u16).to_le_bytes());
    // Unit of the memory figures: bytes.
    out[104] = 1;
    k.guest().write(a.raw(0), &out)?;
    Ok(0)
}

/// `getcpu`: the only hart.
pub fn getcpu(k: &mut Kernel, a: &Args) -> Sys {
    for i in 0..2 {
        if a.raw(i) != 0 {
            k.guest().put(a.raw(i), 0u32)?;
        }
    }
    Ok(0)
}

pub fn getrandom(k: &mut Kernel, a: &Args) -> Sys {
    const MOST: u64 = 1 << 20;
    if a.word(2) & !7 != 0 {
        return Err(Errno::EINVAL.into());
    }
    let len = k.guest().accessible(a.raw(0), a.raw(1).min(MOST), capvec_sim::mem::Perm::W)?;
    let mut buf = vec![0; len as usize];
    k.files.vfs.platform().fill_random(&mut buf);
    k.guest().write(a.raw(0), &buf)?;
    k.profiler.received(Received::Random, k.hart.mem.id(), a.raw(0), len);
    Ok(len)
}

/// `personality`: only that of Linux, which can be queried, too.
pub fn personality(_: &mut Kernel, a: &Args) -> Sys {
    const QUERY: u32 = 0xffff_ffff;
    /// `ADDR_NO_RANDOMIZE`: there is no randomisation here anyway.
    const NO_RANDOMIZE: u32 = 0x4_0000;
    match a.word(0) {
        0 | QUERY | NO_RANDOMIZE => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

pub fn prlimit64(k: &mut Kernel, a: &Args) -> Sys {
    let pid = if a.int(0) == 0 { k.thread().pid } else { a.int(0) };
    let resource = a.word(1);
    let p = k.tasks.processes.get(&pid).ok_or(Errno::ESRCH)?;
    let (me, of) = (k.cred(), &p.cred);
    let all = [of.uid.real, of.uid.effective, of.uid.saved].iter().all(|u| *u == me.uid.real)
        && [of.gid.real, of.gid.effective, of.gid.saved].iter().all(|g| *g == me.gid.real);
    if pid != k.thread().pid && !all {
        k.need(cap::SYS_RESOURCE)?;
    }
    let (soft, hard) = p.limits.get(resource)?;
    if a.raw(2) != 0 {
        let most = hard;
        let [soft, hard] = k.guest().get_words(a.raw(2))?;
        if hard > most {
            k.need(cap::SYS_RESOURCE)?;
        }
        let p = k.tasks.processes.get_mut(&pid).ok_or(Errno::ESRCH)?;
        let old = p.limits.clone();
        p.limits.set(resource, soft, hard)?;
        if resource as usize == NOFILE {
            let meter = Rc::clone(&k.memory.account);
            let count = usize::try_from(soft).unwrap_or(usize::MAX);
            let set = p.fds.borrow_mut().set_limit(count, meter);
            set.inspect_err(|_| p.limits = old)?;
        }
    }
    if a.raw(3) != 0 {
        k.guest().put_words(a.raw(3), &[soft, hard])?;
    }
    Ok(0)
}

pub fn getrlimit(k: &mut Kernel, a: &Args) -> Sys {
    prlimit64(k, &Args::new([0, a.raw(0), 0, a.raw(1), 0, 0]))
}

pub fn setrlimit(k: &mut Kernel, a: &Args) -> Sys {
    prlimit64(k, &Args::new([0, a.raw(0), a.raw(1), 0, 0, 0]))
}

/// `struct rusage`, 144 bytes: all time is user time; `maxrss` in KiB.
pub fn rusage(k: &Kernel, cycles: u64, peak: u64) -> [u8; 144] {
    let us = k.devices.clock.ns_of(cycles) / 1000;
    let mut out = [0; 144];
    let mut put = |at: usize, v: u64| out[at..at + 8].copy_from_slice(&v.to_le_bytes());
    put(0, us / 1_000_000);
    put(8, us % 1_000_000);
    put(32, peak / 1024);
    out
}

pub fn getrusage(k: &mut Kernel, a: &Args) -> Sys {
    const SELF: i32 = 0;
    const CHILDREN: i32 = -1;
    const THREAD: i32 = 1;
    let p = k.process();
    let usage = match a.int(0) {
        SELF => rusage(k, k.cpu_time().process_cycles(p.pid), p.peak_mapped),
        CHILDREN => rusage(k, p.child_cycles, 0),
        THREAD => rusage(k, k.cpu_time().thread_cycles(k.tasks.current), p.peak_mapped),
        _ => return Err(Errno::EINVAL.into()),
    };
    k.guest().write(a.raw(1), &usage)?;
    Ok(0)
}

/// `struct tms` in clock ticks; returns the ticks since the start.
pub fn times(k: &mut Kernel, a: &Args) -> Sys {
    if a.raw(0) != 0 {
        let p = k.process();
        let words = [
            k.devices.clock.ticks(k.cpu_time().process_cycles(p.pid)),
            0,
            k.devices.clock.ticks(p.child_cycles),
            0,
        ];
        k.guest().put_words(a.raw(0), &words)?;
    }
    Ok(k.now() / (crate::base::time::SECOND / 100))
}

/// `syslog`: an empty log.
pub fn syslog(_: &mut Kernel, a: &Args) -> Sys {
    if (0..=10).contains(&a.int(0)) { Ok(0) } else { Err(Errno::EINVAL.into()) }
}
