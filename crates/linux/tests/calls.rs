//! Whoever follows a run learns what each system call acts on, because the functions that read arguments and memory note it.
//! This finds the calls that go around these functions, each of which is listed here with the reason.

use crate::layers::root;
use std::path::{Path, PathBuf};

/// Where bytes are read that are not noted, file by file: how often, and why.
const COPIES: [(&str, usize, &str); 15] = [
    ("interface.rs", 1, "noted up to the end of the name"),
    ("lock.rs", 1, "noted without padding"),
    ("path.rs", 1, "the target of a symbolic link: followed"),
    ("poll.rs", 1, "the caller's own value of an epoll entry, which comes back"),
    ("prctl.rs", 2, "the name of a thread: followed"),
    ("read_write.rs", 1, "what is written: followed"),
    ("signal.rs", 1, "the value of a signal: followed"),
    ("socket/control.rs", 1, "noted message by message"),
    ("socket/descriptor.rs", 1, "noted without padding"),
    ("socket/netlink.rs", 1, "noted as a whole"),
    ("socket/transfer.rs", 2, "data for the host"),
    ("socket/unix.rs", 2, "an address, noted without what follows the path; data: followed"),
    ("sysv/msg.rs", 1, "the text of a message: followed"),
    ("timer.rs", 1, "the value of a timer, which comes back"),
    ("../signal_delivery/frame.rs", 3, "registers: followed; what else the frame holds is noted"),
];

/// Functions that do not look at their arguments: calls without arguments, and calls that fail whatever these are.
const WITHOUT_ARGUMENTS: [&str; 13] = [
    "absent",
    "getegid",
    "geteuid",
    "getgid",
    "getpid",
    "getppid",
    "gettid",
    "getuid",
    "no_attributes",
    "refuse",
    "rt_sigreturn",
    "sched_yield",
    "setsid",
];

fn calls() -> PathBuf {
    root().join("kernel/sys")
}

/// The files of the system calls, relative to their folder, and their texts.
fn sources() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut folders = vec![calls()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("readable").path();
            match path.is_dir() {
                true => folders.push(path),
                false => all.push(path),
            }
        }
    }
    all.push(calls().join("../signal_delivery/frame.rs"));
    all.sort();
    let name = |path: &Path| path.strip_prefix(calls()).expect("below it").display().to_string();
    let read = |path: PathBuf| (name(&path), std::fs::read_to_string(&path).expect("a source"));
    all.into_iter().map(read).collect()
}

#[test]
fn memory_is_read_by_functions_that_note_it() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        let count = |what: &str| text.matches(what).count();
        let by = |verb: &str| count(&format!("guest().{verb}(")) + count(&format!("guest.{verb}("));
        let copies = by("copy") + by("text") + by("gather");
        if copies > 0 {
            found.push((file.clone(), copies));
        }
        // Reads that go around `GuestMemory`.
        for around in [".mem.read", ".mem.load", ".mem.fetch", "mem.read_as("] {
            assert_eq!(count(around), 0, "{file}: {around}");
        }
    }
    let mut listed: Vec<(String, usize)> = COPIES.map(|(file, n, _)| (file.into(), n)).to_vec();
    listed.sort();
    assert_eq!(found, listed, "list what is not noted, and why");
}

#[test]
fn every_call_looks_at_its_arguments() {
    let mut found = Vec::new();
    for (_, text) in sources() {
        for line in text.lines().filter(|l| l.contains("_: &Args")) {
            let name = line.split("fn ").nth(1).and_then(|rest| rest.split('(').next());
            found.extend(name.map(String::from));
        }
    }
    found.sort();
    assert_eq!(found, WITHOUT_ARGUMENTS, "list functions that do not look at arguments");
}
