//! A run depends on nothing of the host except what is bound, and leaves nothing behind.

use crate::common::{background, guest, output};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The names in a directory.
fn names(dir: &Path) -> Vec<String> {
    let entry = |e: std::io::Result<std::fs::DirEntry>| e.expect("readable").file_name();
    let all = std::fs::read_dir(dir).expect("a directory").map(entry);
    all.map(|n| n.into_string().expect("UTF-8")).collect()
}

#[test]
fn a_run_leaves_no_temporary_files() {
    let tmp = tempfile::tempdir().expect("a directory");
    let run = |script: &str| {
        let mut c = guest(&[], &["bash", "-c", script]);
        c.env("TMPDIR", tmp.path());
        c
    };
    output(&mut run("mkdir -p /tmp/a/b; echo x > /tmp/a/b/c"), 0);
    assert_eq!(names(tmp.path()), [""; 0]);
    // SIGTERM and SIGHUP end the run cleanly.
    for (signal, status) in [("TERM", 143), ("HUP", 129)] {
        let mut child = background(run("echo ready; exec sleep infinity & while :; do :; done"));
        assert_eq!(child.first_line(), "ready\n");
        assert_eq!(names(tmp.path()).len(), 1);
        // timeout(1) sends its signal twice.
        child.signal(signal);
        child.signal(signal);
        assert_eq!(child.status(), Some(status));
        assert_eq!(names(tmp.path()), [""; 0]);
    }
    // After SIGKILL, the next run cleans up, but removes nothing that belongs to another live run or to another program.
    let mut living = background(run("echo ready; while :; do :; done"));
    let mut killed =
        background(run("mkdir /tmp/a; chmod 0 /tmp/a; echo ready; while :; do :; done"));
    assert_eq!(living.first_line() + &killed.first_line(), "ready\nready\n");
    killed.signal("KILL");
    killed.status();
    std::fs::create_dir(tmp.path().join("capvec-notes")).expect("a directory");
    assert_eq!(names(tmp.path()).len(), 3);
    output(&mut run(":"), 0);
    assert_eq!(names(tmp.path()).len(), 2);
    living.signal("TERM");
    living.status();
    assert_eq!(names(tmp.path()), ["capvec-notes"]);
}

#[test]
fn waiting_for_a_pipe_takes_no_virtual_time() {
    // The writer's pauses differ between the two runs; a timer that expires much later does not matter.
    let script = "date +%s.%N; read -N 0; read x; cat; (sleep 40 & wait); date +%s.%N";
    let observe = |pauses: [u64; 2]| {
        let mut child = background(guest(&["--stats"], &["bash", "-c", script]));
        let mut input = child.0.stdin.take().expect("a pipe");
        for (text, pause) in ["one\n", "two\n"].iter().zip(pauses) {
            std::thread::sleep(Duration::from_millis(pause));
            input.write_all(text.as_bytes()).expect("the guest reads its input");
        }
        drop(input);
        child.rest()
    };
    let (slow, fast) = (observe([700, 400]), observe([0, 200]));
    assert!(slow.contains("\ntwo\n"), "{slow}");
    assert_eq!(slow, fast);
    // A timer expires while another process waits for the network and the input has ended.
    let script =
        "openssl s_server -nocert -accept 127.0.0.1:0 > /dev/null 2>&1 & sleep 2; echo slept";
    let options = ["--net", "loopback", "--timeout", "60"];
    assert_eq!(output(&mut guest(&options, &["bash", "-c", script]), 0).0, "slept\n");
    // It expires even if no input ever arrives.
    let mut child = background(guest(&[], &["timeout", "1", "cat"]));
    let _open = child.0.stdin.take();
    assert_eq!(child.status(), Some(124));
}

#[test]
fn files_look_the_same_wherever_the_sysroot_is() {
    let dir = tempfile::tempdir().expect("a directory");
    let note = dir.path().join("note");
    std::fs::write(&note, "x").expect("a file");
    let old = std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    std::fs::File::options()
        .write(true)
        .open(&note)
        .expect("the file")
        .set_modified(old)
        .expect("a time");
    let script =
        "stat -c '%X %Y %Z %d %h' /bin/bash /usr /etc; stat -c '%X %Y %Z' note; stat -c %Y - <&0";
    let mut c = guest(&[], &["bash", "-c", script]);
    let (out, _) = output(c.current_dir(dir.path()).write_stdin("x"), 0);
    let start = "1767225600";
    let system = format!("{start} {start} {start} 33 1\n").repeat(3);
    assert_eq!(out, format!("{system}{0} {0} {0}\n{start}\n", 1_000_000_000));
}

#[test]
fn private_files_are_charged_to_the_guests_memory() {
    let run = |script: &str, status| {
        output(&mut guest(&["--memory", "64M"], &["bash", "-c", script]), status)
    };
    let script = "head -c 100M /dev/zero > /tmp/x";
    assert!(run(script, 1).1.contains("No space left on device"));
    let script = "for i in 1 2 3 4 5 6; do head -c 30M /dev/zero > /tmp/x; done; rm /tmp/x; head -c 40M /dev/zero > /run/y";
    run(script, 0);
    // Names are charged, too.
    let script = "mkdir /tmp/d; mkdir /tmp/d/{1..9000} 2>&1 | tail -1";
    let (out, _) = output(&mut guest(&["--memory", "32M"], &["bash", "-c", script]), 0);
    assert!(out.contains("No space left on device"), "{out}");
}

#[test]
fn the_hosts_kernel_is_not_shown() {
    for bind in ["/proc:/x", "/proc/self/fd:/x", "/proc/version:/x"] {
        let (_, err) = output(&mut guest(&["--bind", bind], &["ls", "/x"]), 2);
        assert!(err.contains("shows the host's kernel"), "{err}");
    }
    // Mounts below a bind are shown, except for the host's /proc.
    let script = "ls /h/proc/1 || ls /h/proc/self/root; cat /h/proc/version";
    let (out, err) = output(&mut guest(&["--bind", "/:/h"], &["bash", "-c", script]), 1);
    assert!(out.is_empty() && err.matches("Permission denied").count() == 3, "{out}{err}");
}
