//! Text formats of the files in `/proc`, as proc(5) gives them.

use std::fmt::Write;
use std::rc::Rc;

use super::queries::{Mapping, ProcInfo, ProcSource, SystemInfo};
use crate::base::charge::Charge;
use crate::base::cred::{Caps, Ids};
use crate::base::errno::{Errno, Result};
use crate::fs::path::mount::Mount;
use crate::fs::stat::split_dev;

const PAGE: u64 = 4096;
const CLOCK_TICKS: u64 = 100;
const NS_PER_TICK: u64 = 1_000_000_000 / CLOCK_TICKS;

/// Appends the guest path of a mount, with octal escapes as getmntent(3) expects them.
fn put_path(out: &mut Vec<u8>, path: &[u8]) {
    if path.is_empty() {
        out.push(b'/');
    }
    for &byte in path {
        match byte {
            b' ' | b'\t' | b'\n' | b'\\' => out.extend(format!("\\{byte:03o}").into_bytes()),
            _ => out.push(byte),
        }
    }
}

/// What a mount is of: the host's paths do not appear.
fn device(mount: &Mount) -> &'static str {
    if mount.path.is_empty() { "/dev/root" } else { mount.kind() }
}

fn access(mount: &Mount) -> &'static str {
    if mount.writable { "rw" } else { "ro" }
}

/// `/proc/PID/mounts`.
pub(crate) fn mounts<'a>(mounts: impl Iterator<Item = &'a Rc<Mount>>) -> Vec<u8> {
    let mut out = Vec::new();
    for mount in mounts {
        out.extend(format!("{} ", device(mount)).into_bytes());
        put_path(&mut out, &mount.path);
        out.extend(format!(" {} {},relatime 0 0\n", mount.kind(), access(mount)).into_bytes());
    }
    out
}

/// `/proc/PID/mountinfo`. All mounts but the root are mounted on it.
pub(crate) fn mountinfo<'a>(mounts: impl Iterator<Item = &'a Rc<Mount>>) -> Vec<u8> {
    let mut out = Vec::new();
    for mount in mounts {
        let parent = if mount.path.is_empty() { 0 } else { 1 };
        let (major, minor) = split_dev(mount.dev());
        out.extend(format!("{} {parent} {major}:{minor} / ", mount.id).into_bytes());
        put_path(&mut out, &mount.path);
        let (access, kind) = (access(mount), mount.kind());
        let rest = format!(" {access},relatime - {kind} {} {access}\n", device(mount));
        out.extend(rest.into_bytes());
    }
    out
}

/// `text` as a line.
pub(crate) fn line(text: &str) -> Vec<u8> {
    format!("{text}\n").into_bytes()
}

/// `/proc/PID/comm`.
pub(crate) fn comm(procs: &dyn ProcSource, pid: i32, tid: i32) -> Option<Vec<u8>> {
    procs.info(pid, tid).map(|info| [&info.comm[..], b"\n"].concat())
}

/// `/proc/PID/maps` of the mappings that `visit` passes on. `room` takes memory for so many bytes before there are any: a path may be long, and that of many
/// areas.
///
/// # Errors
/// `ESRCH` when the process is gone; those of `room`.
pub(crate) fn maps(
    visit: impl Fn(&mut dyn FnMut(&Mapping<'_>)) -> Option<()>,
    room: impl FnOnce(u64) -> Result<Charge>,
) -> Result<Vec<u8>> {
    let mut len = 0;
    let newlines = |path: &[u8]| path.iter().filter(|b| **b == b'\n').count();
    let each = &mut |m: &Mapping<'_>| {
        len += mapping(m).len() + m.path.len() + newlines(m.path) * (NEWLINE.len() - 1) + 1;
    };
    visit(each).ok_or(Errno::ESRCH)?;
    let _room = room(len as u64)?;
    let mut out = Vec::with_capacity(len);
    let each = &mut |m: &Mapping<'_>| {
        out.extend_from_slice(mapping(m).as_bytes());
        for (n, part) in m.path.split(|b| *b == b'\n').enumerate() {
            out.extend_from_slice(if n > 0 { NEWLINE } else { b"" });
            out.extend_from_slice(part);
        }
        out.push(b'\n');
    };
    visit(each).ok_or(Errno::ESRCH)?;
    Ok(out)
}

/// A newline in a path would look like another line.
const NEWLINE: &[u8] = b"\\012";

/// A line of `/proc/PID/maps` up to the path.
fn mapping(m: &Mapping<'_>) -> String {
    /// The kernel pads to this column (fs/proc/task_mmu.c, show_vma_header_prefix).
    const COLUMN: usize = 73;
    let (major, minor) = split_dev(m.dev_ino.0);
    let perms = String::from_utf8_lossy(&m.perms);
    let text = format!(
        "{:08x}-{:08x} {perms} {:08x} {major:02x}:{minor:02x} {} ",
        m.start, m.end, m.offset, m.dev_ino.1
    );
    if m.path.is_empty() { text } else { format!("{text:COLUMN$}") }
}

/// `/proc/PID/stat`, 52 fields.
pub(crate) fn stat(procs: &dyn ProcSource, pid: i32, tid: i32) -> Option<Vec<u8>> {
    let ProcInfo { comm, state, ppid, pgrp, session, threads, .. } = procs.info(pid, tid)?;
    let i = procs.info(pid, tid)?;
    let mut out = format!("{tid} (").into_bytes();
    out.extend_from_slice(&comm);
    // Fields 3 to 24: no terminal, no faults, priority 20.
    let head = format!(
        ") {state} {ppid} {pgrp} {session} 0 -1 4194304 0 0 0 0 {} {} 0 0 20 0 {threads} 0 {} {} {}",
        i.utime,
        i.stime,
        i.start_time,
        i.vm_size,
        i.rss / PAGE
    );
    out.extend_from_slice(head.as_bytes());
    let [blocked, ignored, caught] = i.signals.map(|set| set & 0x7fff_ffff);
    // Fields 25 to 52: limits and addresses, signals, exit signal SIGCHLD.
    let tail = format!(
        " {} {} 0 {} 0 0 0 {blocked} {ignored} {caught} 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
        u64::MAX,
        i.start_code,
        i.start_stack
    );
    out.extend_from_slice(tail.as_bytes());
    Some(out)
}

/// `/proc/PID/statm`, in pages.
pub(crate) fn statm(procs: &dyn ProcSource, pid: i32, tid: i32) -> Option<Vec<u8>> {
    let i = procs.info(pid, tid)?;
    let (size, rss) = (i.vm_size / PAGE, i.rss / PAGE);
    Some(line(&format!("{size} {rss} 0 0 0 {rss} 0")))
}

/// Numbers with something between them.
fn list(numbers: &[u32], between: &str) -> String {
    let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
    texts.join(between)
}

fn ids(ids: Ids) -> String {
    list(&[ids.real, ids.effective, ids.saved, ids.fs], "\t")
}

fn capabilities(caps: &Caps) -> String {
    let mut out = String::new();
    for (name, set) in [
        ("Inh", caps.inheritable),
        ("Prm", caps.permitted),
        ("Eff", caps.effective),
        ("Bnd", caps.bounding),
        ("Amb", caps.ambient),
    ] {
        let _ = writeln!(out, "Cap{name}:\t{set:016x}");
    }
    out
}

/// `/proc/PID/status`.
pub(crate) fn status(procs: &dyn ProcSource, pid: i32, tid: i32) -> Option<Vec<u8>> {
    let i = procs.info(pid, tid)?;
    let cred = procs.cred(pid, tid)?;
    let state = match i.state {
        'R' => "R (running)",
        'S' => "S (sleeping)",
        'T' => "T (stopped)",
        'Z' => "Z (zombie)",
        _ => "X (dead)",
    };
    let mut out = b"Name:\t".to_vec();
    out.extend_from_slice(&i.comm);
    let mut text = String::new();
    let fds = procs.fds(pid).map_or(64, |fds| fds.borrow().numbers().count().next_multiple_of(64));
    let [blocked, ignored, caught] = i.signals;
    let (vm, rss) = (i.vm_size / 1024, i.rss / 1024);
    let _ = write!(
        text,
        "\nUmask:\t{:04o}\nState:\t{state}\nTgid:\t{pid}\nNgid:\t0\nPid:\t{tid}\nPPid:\t{}\n\
         TracerPid:\t0\nUid:\t{}\nGid:\t{}\nFDSize:\t{fds}\nGroups:\t{} \n\
         VmPeak:\t{vm:8} kB\nVmSize:\t{vm:8} kB\nVmHWM:\t{rss:8} kB\nVmRSS:\t{rss:8} kB\n\
         Threads:\t{}\nSigPnd:\t{:016x}\nShdPnd:\t{:016x}\nSigBlk:\t{blocked:016x}\n\
         SigIgn:\t{ignored:016x}\nSigCgt:\t{caught:016x}\n{}NoNewPrivs:\t{}\nSeccomp:\t0\n\
         Cpus_allowed:\t{:x}\nCpus_allowed_list:\t{}\n",
        i.umask,
        i.ppid,
        ids(cred.uid),
        ids(cred.gid),
        list(&cred.groups.list, " "),
        i.threads,
        0,
        0,
        capabilities(&cred.caps),
        u32::from(cred.no_new_privs),
        cpu_mask(procs.system().cpus),
        cpu_list(procs.system().cpus),
    );
    out.extend_from_slice(text.as_bytes());
    Some(out)
}

/// `/proc/PID/limits`, the ones that do not depend on the process.
pub(crate) fn limits(procs: &dyn ProcSource, pid: i32, tid: i32) -> Option<Vec<u8>> {
    procs.info(pid, tid)?;
    let mut out =
        format!("{:<26}{:<21}{:<21}{:<10}\n", "Limit", "Soft Limit", "Hard Limit", "Units");
    let files = procs
        .fds(pid)
        .map_or(crate::fs::open_file::fd_table::FdTable::DEFAULT_LIMIT, |t| t.borrow().limit());
    let soft = files.to_string();
    let hard = crate::fs::open_file::fd_table::FdTable::MAX_LIMIT.to_string();
    for (name, soft, hard, unit) in [
        ("Max cpu time", "unlimited", "unlimited", "seconds"),
        ("Max file size", "unlimited", "unlimited", "bytes"),
        ("Max stack size", "8388608", "unlimited", "bytes"),
        ("Max open files", &soft, &hard, "files"),
    ] {
        let _ = writeln!(out, "{name:<26}{soft:<21}{hard:<21}{unit:<10}");
    }
    Some(out.into_bytes())
}

/// `/proc/uptime`. The idle time is not kept and reads 0.
pub(crate) fn uptime(s: SystemInfo) -> Vec<u8> {
    let hundredths = s.uptime_ns / NS_PER_TICK;
    line(&format!("{}.{:02} 0.00", hundredths / 100, hundredths % 100))
}

/// `/proc/version`.
pub(crate) fn version(s: SystemInfo) -> Vec<u8> {
    line(&format!("Linux version {} (capvec) {}", s.release, s.version))
}

/// `/proc/cpuinfo` (`arch/riscv/kernel/cpu.c`).
pub(crate) fn cpuinfo(s: SystemInfo) -> Vec<u8> {
    let fields = [
        ("processor", "0"),
        ("hart", "0"),
        ("isa", &s.isa),
        ("mmu", "sv39"),
        ("uarch", &s.uarch),
        ("mvendorid", "0x0"),
        ("marchid", "0x0"),
        ("mimpid", "0x0"),
        ("hart isa", &s.isa),
    ];
    let mut out = String::new();
    for (name, value) in fields {
        // Linux pads with tabs to the third stop of eight columns.
        let tabs = if name.len() < 8 { "\t\t" } else { "\t" };
        out.push_str(&format!("{name}{tabs}: {value}\n"));
    }
    out.push('\n');
    out.into_bytes()
}

/// `/proc/meminfo`.
pub(crate) fn meminfo(s: SystemInfo) -> Vec<u8> {
    let mut out = String::new();
    for (name, bytes) in [
        ("MemTotal", s.mem_total),
        ("MemFree", s.mem_free),
        ("MemAvailable", s.mem_free),
        ("Buffers", 0),
        ("Cached", 0),
        ("SwapTotal", 0),
        ("SwapFree", 0),
    ] {
        let _ = writeln!(out, "{:<16}{:>8} kB", format!("{name}:"), bytes / 1024);
    }
    out.into_bytes()
}

/// `/proc/loadavg`.
pub(crate) fn loadavg(procs: &dyn ProcSource) -> Vec<u8> {
    let pids = procs.pids();
    let last = pids.last().copied().unwrap_or(0);
    line(&format!("0.00 0.00 0.00 1/{} {last}", pids.len()))
}

/// `/proc/stat`. Of the time only the sum of all processes' is known; it counts on processor 0.
pub(crate) fn system_stat(procs: &dyn ProcSource) -> Vec<u8> {
    let s = procs.system();
    let pids = procs.pids();
    let infos = pids.iter().filter_map(|&pid| procs.info(pid, pid));
    let (user, system) = infos.fold((0, 0), |(u, s), i| (u + i.utime, s + i.stime));
    let mut out = format!("cpu  {user} 0 {system} 0 0 0 0 0 0 0\n");
    for cpu in 0..s.cpus {
        let (u, k) = if cpu == 0 { (user, system) } else { (0, 0) };
        let _ = writeln!(out, "cpu{cpu} {u} 0 {k} 0 0 0 0 0 0 0");
    }
    let _ = write!(
        out,
        "intr 0\nctxt 0\nbtime {}\nprocesses {}\nprocs_running 1\nprocs_blocked 0\n",
        s.boot_time,
        pids.len()
    );
    out.into_bytes()
}

/// The list of processors, such as `0-3`, as a line.
pub(crate) fn cpu_range(s: SystemInfo) -> Vec<u8> {
    line(&cpu_list(s.cpus))
}

fn cpu_list(cpus: u32) -> String {
    match cpus {
        0 | 1 => "0".into(),
        n => format!("0-{}", n - 1),
    }
}

fn cpu_mask(cpus: u32) -> u64 {
    match cpus {
        0 => 1,
        n if n >= 64 => u64::MAX,
        n => (1 << n) - 1,
    }
}

/// A version 4 UUID of `bytes` (RFC 9562, section 5.4), as a line.
pub(crate) fn uuid(mut bytes: [u8; 16]) -> Vec<u8> {
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let mut out = String::new();
    for (i, byte) in bytes.iter().enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            out.push('-');
        }
        let _ = write!(out, "{byte:02x}");
    }
    line(&out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::charge::Meter;
    use std::cell::Cell;

    /// Counts, up to a limit.
    struct Room(Cell<u64>, u64);

    impl Meter for Room {
        fn charge(&self, bytes: u64) -> Result<()> {
            self.0.set(self.0.get() + bytes);
            if self.0.get() <= self.1 { Ok(()) } else { Err(Errno::ENOMEM) }
        }

        fn release(&self, _: u64) {}
    }

    #[test]
    fn a_memory_map_has_room_before_it_is_made() {
        let path = [&[b'a'; 3000][..], b"\n b\n\nc"].concat();
        let mapping = |i: u64| Mapping {
            start: i << 12,
            end: (i + 1) << 12,
            perms: *b"r--p",
            offset: 0,
            dev_ino: (0, i),
            path: if i.is_multiple_of(3) { b"" } else { &path },
        };
        let visits = Cell::new(0);
        let visit = |each: &mut dyn FnMut(&Mapping<'_>)| {
            visits.set(visits.get() + 1);
            (0..100).for_each(|i| each(&mapping(i)));
            Some(())
        };
        let limited = |limit| {
            let room = Rc::new(Room(Cell::new(0), limit));
            (Rc::clone(&room), maps(visit, |len| Charge::new(room, len)))
        };
        let (room, text) = limited(u64::MAX);
        let text = text.expect("there is room");
        assert_eq!(text.len() as u64, room.0.get());
        let lines: Vec<_> = text.split(|b| *b == b'\n').collect();
        assert_eq!((lines.len(), lines[1].len()), (101, 73 + path.len() + 3 * 3));
        assert!(lines[1].ends_with(b"aa\\012 b\\012\\012c"));
        // Without room it has been measured only.
        visits.set(0);
        assert_eq!(limited(text.len() as u64 - 1).1, Err(Errno::ENOMEM));
        assert_eq!(visits.get(), 1);
    }
}
