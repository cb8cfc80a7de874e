//! `/proc/PID/status`.

use std::fmt::Write;

use super::{cpu_list, cpu_mask};
use crate::base::cred::{Caps, Ids};
use crate::fs::virtual_texts::queries::{MemoryUse, ProcInfo, ProcSource};

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

/// The lines on memory, which a zombie lacks: it has none. There is no swap, so that locking memory changes nothing
/// (`mlock`); no page tables are charged; and there are no huge pages.
fn memory(state: char, m: &MemoryUse) -> String {
    if state == 'Z' {
        return String::new();
    }
    let mut out = String::new();
    for (name, bytes) in [
        ("VmPeak", m.mapped()),
        ("VmSize", m.mapped()),
        ("VmLck", 0),
        ("VmPin", 0),
        ("VmHWM", m.mapped()),
        ("VmRSS", m.mapped()),
        ("RssAnon", m.anonymous),
        ("RssFile", m.file),
        ("RssShmem", m.shared),
        ("VmData", m.data),
        ("VmStk", m.stack),
        ("VmExe", m.text),
        ("VmLib", m.libraries),
        ("VmPTE", 0),
        ("VmSwap", 0),
        ("HugetlbPages", 0),
    ] {
        let _ = writeln!(out, "{name}:\t{:8} kB", bytes / 1024);
    }
    out + "CoreDumping:\t0\nTHP_enabled:\t0\nuntag_mask:\t0xffffffffffffffff\n"
}

/// The numbers of a thread in each PID namespace: there is one.
fn namespaces(pid: i32, tid: i32, i: &ProcInfo) -> String {
    format!("NStgid:\t{pid}\nNSpid:\t{tid}\nNSpgid:\t{}\nNSsid:\t{}\n", i.pgrp, i.session)
}

fn signals(i: &ProcInfo, queued: usize) -> String {
    /// `RLIMIT_SIGPENDING`.
    const SIGPENDING: usize = 11;
    let mut out = format!("SigQ:\t{queued}/{}\n", i.limits[SIGPENDING].0);
    let [blocked, ignored, caught] = i.signals;
    let [own, process] = i.pending;
    for (name, set) in [
        ("SigPnd", own),
        ("ShdPnd", process),
        ("SigBlk", blocked),
        ("SigIgn", ignored),
        ("SigCgt", caught),
    ] {
        let _ = writeln!(out, "{name}:\t{set:016x}");
    }
    out
}

/// The text, in the order of `proc_pid_status` (fs/proc/array.c of Linux 6.12). Mitigations are those of RISC-V: none can
/// be asked for. The nodes are those of a kernel for up to four (`NODES_SHIFT`).
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
    let _ = write!(
        text,
        "\nUmask:\t{:04o}\nState:\t{state}\nTgid:\t{pid}\nNgid:\t0\nPid:\t{tid}\nPPid:\t{}\n\
         TracerPid:\t0\nUid:\t{}\nGid:\t{}\nFDSize:\t{}\nGroups:\t{} \n\
         {}Kthread:\t0\n{}Threads:\t{}\n{}{}NoNewPrivs:\t{}\nSeccomp:\t0\nSeccomp_filters:\t0\n\
         Speculation_Store_Bypass:\tunknown\nSpeculationIndirectBranch:\tunsupported\n\
         Cpus_allowed:\t{:x}\nCpus_allowed_list:\t{}\nMems_allowed:\t1\nMems_allowed_list:\t0\n\
         voluntary_ctxt_switches:\t0\nnonvoluntary_ctxt_switches:\t0\n",
        i.umask,
        i.ppid,
        ids(cred.uid),
        ids(cred.gid),
        i.fd_size,
        list(&cred.groups.list, " "),
        namespaces(pid, tid, &i),
        memory(i.state, &procs.memory(pid)?),
        i.threads,
        signals(&i, procs.queued_signals(cred.uid.real)),
        capabilities(&cred.caps),
        u32::from(cred.no_new_privs),
        cpu_mask(procs.system().cpus),
        cpu_list(procs.system().cpus),
    );
    out.extend_from_slice(text.as_bytes());
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `task_mem` of Linux is called for a process that has memory.
    #[test]
    fn a_zombie_has_no_lines_on_memory() {
        let with = |state| memory(state, &MemoryUse { file: 8 << 10, ..MemoryUse::default() });
        assert_eq!(with('R').lines().nth(1), Some("VmSize:\t       8 kB"));
        assert_eq!(with('Z'), "");
    }
}
