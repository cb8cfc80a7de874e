//! Hostile guests: none reaches the host, or uses more of its resources than it was given. `guest/hostile.c` makes the
//! attempts; docs/soundness.md has the threat model.

use crate::common::{self, Running, background, compiled, guest, output};
use capvec_util::testing::found;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A directory that is bound, and next to it one that is not bound, with a file that contains the word SECRET.
fn stage() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for name in ["bind", "outside"] {
        fs::create_dir(dir.path().join(name)).expect("a directory");
    }
    fs::write(dir.path().join("outside/file"), "SECRET").expect("a file");
    fs::write(dir.path().join("bind/file"), "ok").expect("a file");
    dir
}

fn bind(stage: &Path) -> String {
    format!("--bind={}:/bind:rw", stage.join("bind").display())
}

#[test]
fn no_path_leads_out() {
    let dir = stage();
    let (program, bind) = (compiled("hostile"), bind(dir.path()));
    let secret = dir.path().join("outside/file");
    let argv = ["/built/hostile", "escape", secret.to_str().expect("UTF-8")];
    let (out, _) = output(&mut guest(&[&program, &bind, "--no-cwd"], &argv), 0);
    assert_eq!(out, "");
    assert_eq!(fs::read_to_string(&secret).expect("the file is unharmed"), "SECRET");
    // The program does report the word if it can read it: here from a bound file.
    fs::write(dir.path().join("bind/SECRET"), "SECRET").expect("a file");
    let argv = ["/built/hostile", "escape", "/bind/SECRET"];
    assert!(output(&mut guest(&[&program, &bind], &argv), 0).0.contains("read the host's file"));
}

#[test]
fn nothing_reveals_the_host() {
    let dir = stage();
    let (program, bind) = (compiled("hostile"), bind(dir.path()));
    let pid = format!("--env=HOST_PID={}", std::process::id());
    let mut c = guest(&[&program, &bind, &pid, "--no-cwd"], &["/built/hostile", "tell"]);
    c.env("SOMETHING", "SECRET");
    let name = dir.path().file_name().expect("a name").to_str().expect("UTF-8");
    assert_eq!(output(c.write_stdin(name), 0).0, "");
}

/// The host keeps replacing a bound directory by a link while the guest opens it.
#[test]
fn a_link_that_replaces_a_directory_is_not_followed() {
    let dir = stage();
    let (program, bind) = (compiled("hostile"), bind(dir.path()));
    let (x, inside, outside) =
        (dir.path().join("bind/x"), dir.path().join("bind/y"), dir.path().join("outside"));
    fs::create_dir(&x).expect("a directory");
    fs::write(x.join("file"), "ok").expect("a file");
    let done = AtomicBool::new(false);
    let out = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                fs::rename(&x, &inside).expect("the directory");
                symlink(&outside, &x).expect("a link");
                fs::remove_file(&x).expect("the link");
                fs::rename(&inside, &x).expect("the directory");
            }
        });
        let out = output(&mut guest(&[&program, &bind], &["/built/hostile", "race", "20000"]), 0).0;
        done.store(true, Ordering::Relaxed);
        out
    });
    assert_eq!(out, "opened\n");
}

/// Waits for the end; returns the exit status, the output, and the peak memory in MiB, including page tables.
fn observe(mut run: Running) -> (Option<i32>, String, u64) {
    let path = format!("/proc/{}/status", run.0.id());
    let mut most = 0;
    while run.0.try_wait().expect("a child process").is_none() {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let kib = |name: &str| {
            let line = status.lines().find_map(|l| l.strip_prefix(name));
            line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0)
        };
        most = most.max((kib("VmHWM:") + kib("VmPTE:")) >> 10);
        std::thread::sleep(Duration::from_millis(5));
    }
    (run.status(), run.rest(), most)
}

/// Memory that capvec itself uses on the host, in MiB, with a margin for debug builds.
const OURS: u64 = 300;

/// Stock openssl on the translating engine, whose translated code is bounded: less than 200 MB in all.
#[test]
fn openssl_takes_less_than_200_megabytes() {
    let all = ["--isa", "rva23u64_zvkng_zvksg_zvkb_zvbc", "--vlen", "256", "--stats"];
    let speed = ["openssl", "speed", "-seconds", "1", "-bytes", "16384"];
    let symmetric: Vec<&str> = speed.iter().chain(&["-evp", "aes-128-gcm"]).copied().collect();
    let public: Vec<&str> = speed.iter().chain(&["ecdsap256", "ML-KEM-768"]).copied().collect();
    for core in ["ideal", "karu64"] {
        for program in [&symmetric, &public] {
            // A second of virtual time is short on a core with tens of megahertz; on the ideal one, the limit ends the run.
            let mut options = vec!["--core", core, "--max-insns", "100000000"];
            options.extend(all);
            let (status, out, most) = observe(background(guest(&options, program)));
            assert!(status.is_some(), "{program:?} on {core}: {out}");
            println!("{program:?} on {core}: {most} MiB");
            assert!(most * 1048576 < 200_000_000, "{program:?} on {core}: {most} MiB");
        }
    }
}

#[test]
fn memory_stays_within_the_limit() {
    let program = compiled("hostile");
    for (what, given) in [("memory", 64), ("code", 64), ("tables", 64), ("interests", 32)] {
        let memory = format!("{given}M");
        let options = ["--memory", &memory, "--timeout", "300", &program];
        let (status, out, most) = observe(background(guest(&options, &["/built/hostile", what])));
        assert_eq!(
            (status, out.as_str()),
            (Some(0), ["alive\n", "done\n"][usize::from(what == "code")])
        );
        assert!(most < given + OURS, "{what}: {most} MiB");
    }
}

/// If they were, the simulator's own allocations would fail and end it.
#[test]
fn the_hosts_mappings_are_not_used_up() {
    let program = compiled("hostile");
    let options = ["--memory", "1G", "--timeout", "300", &program];
    assert_eq!(output(&mut guest(&options, &["/built/hostile", "mappings"]), 0).0, "alive\n");
}

#[test]
fn an_object_in_many_areas_is_synchronised_once() {
    let program = compiled("hostile");
    let options = ["--memory", "512M", "--timeout", "300", &program];
    assert_eq!(output(&mut guest(&options, &["/built/hostile", "sync"]), 0).0, "0\n");
}

/// Nobody reads what the guest writes.
#[test]
fn a_blocked_output_does_not_delay_the_end_of_a_run() {
    let program = compiled("hostile");
    let argv = ["/built/hostile", "spam"];
    // Nobody reads capvec's messages either.
    let (_reader, writer) = std::io::pipe().expect("a pipe");
    let given = guest(&["--timeout", "1", &program], &argv);
    let mut c = std::process::Command::new(given.get_program());
    c.args(given.get_args()).stderr(writer.try_clone().expect("a descriptor")).stdout(writer);
    assert_eq!(c.status().expect("capvec starts").code(), Some(124));
    let mut run = background(guest(&[&program], &argv));
    run.first_bytes(1 << 16);
    std::thread::sleep(Duration::from_millis(200));
    run.signal("TERM");
    assert_eq!(run.status(), Some(143));
}

#[test]
fn fork_bombs_and_signal_storms_end_at_their_limit() {
    let program = compiled("hostile");
    for (what, prints) in [("processes", ""), ("threads", ""), ("storm", "limited\n")] {
        let options = ["--memory", "128M", "--timeout", "2", &program];
        let (status, out, most) = observe(background(guest(&options, &["/built/hostile", what])));
        assert_eq!((status, out.as_str()), (Some(124), prints), "{what}");
        assert!(most < 128 + OURS, "{what}: {most} MiB");
        let options = ["--memory", "128M", "--max-insns", "4000000", &program];
        let (_, err) = output(&mut guest(&options, &["/built/hostile", what]), 124);
        assert!(err.contains("--max-insns"), "{what}: {err}");
    }
}

/// Runs a line of shell on a terminal of its own; returns what the terminal shows. In the line, `$RUN WHAT` runs the
/// hostile guest. `None` without script(1), which creates the terminal.
fn on_a_terminal(line: &str, tmp: &Path) -> Option<String> {
    let program = compiled("hostile");
    let given = guest(&["--timeout", "60", "--no-cwd", &program], &["/built/hostile"]);
    let words = std::iter::once(given.get_program()).chain(given.get_args());
    let words: Vec<&str> = words.map(|w| w.to_str().expect("UTF-8")).collect();
    let mut c = std::process::Command::new("script");
    c.args(["-qec", line, "/dev/null"]).env("RUN", words.join(" ")).env("TMPDIR", tmp);
    let out = found("script", c.stdin(std::process::Stdio::null()).output())?;
    Some(String::from_utf8_lossy(&out.stdout).replace('\r', ""))
}

#[test]
fn descriptors_in_cycles_do_not_outlive_the_run() {
    let (program, tmp) = (compiled("hostile"), tempfile::tempdir().expect("a directory"));
    let mut c = guest(&[&program], &["/built/hostile", "circle"]);
    assert_eq!(output(c.env("TMPDIR", tmp.path()), 0).0, "1\n");
    assert_eq!(fs::read_dir(tmp.path()).expect("a directory").count(), 0);
    // The terminal's modes are restored.
    let line = "stty echo icanon; $RUN circle; stty -a | tr ' ;' '\\n\\n' | grep -x -e -echo -e -icanon; echo end";
    if let Some(shown) = on_a_terminal(line, tmp.path()) {
        assert_eq!(shown, "1\nend\n");
    }
}

#[test]
fn a_guest_gets_the_terminal_only_as_a_standard_stream() {
    let tmp = tempfile::tempdir().expect("a directory");
    let out = tmp.path().join("out");
    let line = |streams: &str| format!("$RUN terminal < /dev/null > {} {streams}", out.display());
    for (streams, shown, printed) in [("2>&1", "", "refused\n"), ("", "SECRET\n", "opened\n")] {
        let Some(text) = on_a_terminal(&line(streams), tmp.path()) else { return };
        assert_eq!(
            (text.as_str(), fs::read_to_string(&out).expect("a file").as_str()),
            (shown, printed)
        );
    }
}

#[test]
fn a_damaged_sysroot_is_reported() {
    let program = compiled("hostile");
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path().join("sysroots/broken");
    fs::create_dir_all(dir.join("root/usr/bin")).expect("directories");
    let manifest = r#"{"format":1,"origin":{"kind":"apt","suite":"s","arch":"riscv64","mirror":"m",
        "mirror_given":false,"keyring":null},"packages":[]}"#;
    fs::write(dir.join("packages.json"), manifest).expect("a file");
    let zeros = "0".repeat(64);
    fs::write(dir.join("files.txt"), format!("{zeros} 9 usr/bin/tool\n")).expect("a file");
    fs::write(dir.join("root/usr/bin/tool"), "short").expect("a file");
    let run = |args: &[&str], status| {
        let mut c = common::capvec();
        output(c.env("CAPVEC_HOME", home.path()).args(args), status)
    };
    let argv = ["--no-cwd", "--sysroot", "broken", &program, "--", "/built/hostile", "crash"];
    let (_, err) = run(&[&["run"][..], &argv].concat(), 139);
    assert!(err.contains("usr/bin/tool") && err.contains("capvec sysroot check broken"), "{err}");
    let (out, err) = run(&["sysroot", "check", "broken"], 1);
    assert!(out.contains("installed with 9") && err.contains("remove"), "{out}{err}");
}

#[test]
fn the_simulator_gives_up_what_it_does_not_need() {
    let mut run = background(guest(&[], &["bash", "-c", "echo ready; read x"]));
    run.first_line();
    let status =
        fs::read_to_string(format!("/proc/{}/status", run.0.id())).expect("a running process");
    // It has a filter of system calls, and cannot gain privileges.
    assert!(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"), "{status}");
}
