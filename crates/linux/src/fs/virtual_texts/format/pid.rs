//! The files of `/proc/PID`.

use std::fmt::Write;

use super::{cpu_list, cpu_mask, line};
use crate::base::cred::{Caps, Ids};
use crate::fs::virtual_texts::queries::{ProcInfo, ProcSource};

const PAGE: u64 = 4096;

/// `/proc/PID/comm`.
pub(crate) fn comm(procs: &dyn ProcSource, pid: i32, tid: i32) -> Option<Vec<u8>> {
    procs.info(pid, tid).map(|info| [&info.comm[..], b"\n"].concat())
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

/// Numbers with a separator.
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

/// The lines on memory, which a zombie lacks: it has none.
fn memory(i: &ProcInfo) -> String {
    if i.state == 'Z' {
        return String::new();
    }
    let (vm, rss) = (i.vm_size / 1024, i.rss / 1024);
    format!("VmPeak:\t{vm:8} kB\nVmSize:\t{vm:8} kB\nVmHWM:\t{rss:8} kB\nVmRSS:\t{rss:8} kB\n")
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
    let [blocked, ignored, caught] = i.signals;
    let _ = write!(
        text,
        "\nUmask:\t{:04o}\nState:\t{state}\nTgid:\t{pid}\nNgid:\t0\nPid:\t{tid}\nPPid:\t{}\n\
         TracerPid:\t0\nUid:\t{}\nGid:\t{}\nFDSize:\t{}\nGroups:\t{} \n\
         {}Threads:\t{}\nSigPnd:\t{:016x}\nShdPnd:\t{:016x}\nSigBlk:\t{blocked:016x}\n\
         SigIgn:\t{ignored:016x}\nSigCgt:\t{caught:016x}\n{}NoNewPrivs:\t{}\nSeccomp:\t0\n\
         Cpus_allowed:\t{:x}\nCpus_allowed_list:\t{}\n",
        i.umask,
        i.ppid,
        ids(cred.uid),
        ids(cred.gid),
        i.fd_size,
        list(&cred.groups.list, " "),
        memory(&i),
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

/// `/proc/PID/limits`: the limits in effect. Others that a program sets are not enforced and not shown.
pub(crate) fn limits(procs: &dyn ProcSource, pid: i32, tid: i32) -> Option<Vec<u8>> {
    let (soft, hard) = procs.info(pid, tid)?.open_files;
    let mut out =
        format!("{:<26}{:<21}{:<21}{:<10}\n", "Limit", "Soft Limit", "Hard Limit", "Units");
    let (soft, hard) = (soft.to_string(), hard.to_string());
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

#[cfg(test)]
mod tests {
    use super::*;

    /// `task_mem` of Linux is called for a process that has memory.
    #[test]
    fn a_zombie_has_no_lines_on_memory() {
        let with = |state| memory(&ProcInfo { state, vm_size: 8 << 10, ..ProcInfo::default() });
        assert_eq!(with('R').lines().nth(1), Some("VmSize:\t       8 kB"));
        assert_eq!(with('Z'), "");
    }
}
