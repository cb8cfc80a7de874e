//! The files of `/proc/PID`.

use std::fmt::Write;

use super::line;
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
    let memory = procs.memory(pid)?;
    let mut out = format!("{tid} (").into_bytes();
    out.extend_from_slice(&comm);
    // Fields 3 to 24: no terminal, no faults, priority 20.
    let head = format!(
        ") {state} {ppid} {pgrp} {session} 0 -1 4194304 0 0 0 0 {} {} 0 0 20 0 {threads} 0 {} {} {}",
        i.utime,
        i.stime,
        i.start_time,
        memory.mapped(),
        memory.mapped() / PAGE
    );
    out.extend_from_slice(head.as_bytes());
    /// `RLIMIT_RSS`.
    const RSS: usize = 5;
    let [own, _] = i.pending;
    let [blocked, ignored, caught] = i.signals;
    let [own, blocked, ignored, caught] =
        [own, blocked, ignored, caught].map(|set| set & 0x7fff_ffff);
    // Fields 25 to 52: limits and addresses, signals, exit signal SIGCHLD.
    let tail = format!(
        " {} {} 0 {} 0 0 {own} {blocked} {ignored} {caught} 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
        i.limits[RSS].0, i.start_code, i.start_stack
    );
    out.extend_from_slice(tail.as_bytes());
    Some(out)
}

/// `/proc/PID/statm`, in pages.
pub(crate) fn statm(procs: &dyn ProcSource, pid: i32, tid: i32) -> Option<Vec<u8>> {
    procs.info(pid, tid)?;
    let m = procs.memory(pid)?;
    let [size, shared, text, data] =
        [m.mapped(), m.file + m.shared, m.text, m.data + m.stack].map(|bytes| bytes / PAGE);
    Some(line(&format!("{size} {size} {shared} {text} 0 {data} 0")))
}

/// Names and units of the limits in `/proc/PID/limits`, by resource (fs/proc/base.c, `lnames`).
const LIMITS: [(&str, &str); 16] = [
    ("Max cpu time", "seconds"),
    ("Max file size", "bytes"),
    ("Max data size", "bytes"),
    ("Max stack size", "bytes"),
    ("Max core file size", "bytes"),
    ("Max resident set", "bytes"),
    ("Max processes", "processes"),
    ("Max open files", "files"),
    ("Max locked memory", "bytes"),
    ("Max address space", "bytes"),
    ("Max file locks", "locks"),
    ("Max pending signals", "signals"),
    ("Max msgqueue size", "bytes"),
    ("Max nice priority", ""),
    ("Max realtime priority", ""),
    ("Max realtime timeout", "us"),
];

/// `/proc/PID/limits`: what `getrlimit` returns.
pub(crate) fn limits(procs: &dyn ProcSource, pid: i32, tid: i32) -> Option<Vec<u8>> {
    let values = procs.info(pid, tid)?.limits;
    let mut out =
        format!("{:<26}{:<21}{:<21}{:<10}\n", "Limit", "Soft Limit", "Hard Limit", "Units");
    let shown = |value: u64| match value {
        u64::MAX => "unlimited".into(),
        value => value.to_string(),
    };
    for ((name, unit), (soft, hard)) in LIMITS.iter().zip(values) {
        let (soft, hard) = (shown(soft), shown(hard));
        // A limit without a unit is not padded after the last column.
        let width = if unit.is_empty() { 0 } else { 10 };
        let _ = writeln!(out, "{name:<26}{soft:<21}{hard:<21}{unit:<width$}");
    }
    Some(out.into_bytes())
}
