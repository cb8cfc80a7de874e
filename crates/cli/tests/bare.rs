//! `capvec run --bare` and the script that runs a directory of such programs.

use assert_cmd::Command;
use capvec_bare::testing::{exit, exit_32, program, program_for};
use std::path::Path;

fn capvec(dir: &Path) -> Command {
    let mut c = Command::new(env!("CARGO_BIN_EXE_capvec"));
    c.current_dir(dir).args(["run", "--bare"]);
    c
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_exit_status_is_that_of_the_program_and_files_are_written() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("ok"), program(&exit(0))).unwrap();
    std::fs::write(dir.path().join("bad"), program(&exit(9))).unwrap();
    capvec(dir.path())
        .args([
            "--signature",
            "sig",
            "--signature-granularity",
            "8",
            "--log-commits",
            "log",
            "--stats",
            "ok",
        ])
        .assert()
        .code(0);
    let sig = std::fs::read_to_string(dir.path().join("sig")).unwrap();
    assert_eq!(sig, "0000000000000000\n".repeat(4));
    let log = std::fs::read_to_string(dir.path().join("log")).unwrap();
    assert!(log.starts_with("core   0: 3 0x0000000080000000 ("), "{log}");
    let out = capvec(dir.path()).arg("bad").assert().code(9).get_output().clone();
    assert!(text(&out.stderr).contains("code 9 (tohost 0x13)"), "{}", text(&out.stderr));
}

#[test]
fn wrong_arguments_are_usage_errors_that_say_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("ok"), program(&exit(0))).unwrap();
    std::fs::write(dir.path().join("text"), "#!/bin/sh\n").unwrap();
    for (args, says) in [
        (&["none"][..], "a file of the host"),
        (&["text"], "not a program for a bare hart"),
        (&["--signature", "no/such/dir", "ok"], "--signature: cannot write no/such/dir"),
        (&["--log-commits", "no/such/dir", "ok"], "--log-commits no/such/dir"),
        (&["--signature", "s", "--begin", "nowhere", "ok"], "no symbol \"nowhere\""),
        (&["--memory", "1000G", "ok"], "--memory"),
        (&["--bind", ".:/x", "ok"], "cannot be used with"),
    ] {
        let out = capvec(dir.path()).args(args).assert().failure().get_output().clone();
        let err = text(&out.stderr);
        assert!(err.contains(says), "{args:?}: {err}");
        assert_eq!(out.status.code(), Some(2), "{args:?}: {err}");
    }
    assert!(!dir.path().join("s").exists());
}

/// A program that prints characters for ever.
fn endless_text() -> Vec<u8> {
    use capvec_bare::testing::{TOHOST, load_address, word};
    use capvec_isa::Op;
    let mut words = load_address(5, TOHOST);
    words.extend([word(Op::Addi, 6, 0, 0, 0x101), word(Op::Slli, 6, 6, 0, 48)]);
    words.extend([word(Op::Sd, 0, 5, 6, 0), word(Op::Jal, 0, 0, 0, -4)]);
    program(&words)
}

#[test]
fn the_time_limit_ends_a_run_whose_output_nobody_reads_and_the_guest_is_confined() {
    use std::process::Stdio;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("text"), endless_text()).unwrap();
    let mut c = std::process::Command::new(env!("CARGO_BIN_EXE_capvec"));
    c.current_dir(dir.path()).args(["run", "--bare", "--timeout", "2", "text"]);
    let mut child = c.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let tasks = format!("/proc/{}/task", child.id());
    let filtered = || {
        let tasks = std::fs::read_dir(&tasks).ok()?;
        let status = |t: std::fs::DirEntry| std::fs::read_to_string(t.path().join("status")).ok();
        let mut all = tasks.filter_map(|t| status(t.ok()?));
        all.any(|s| s.contains("Seccomp:\t2") && s.contains("NoNewPrivs:\t1")).then_some(())
    };
    let mut seen = false;
    let status = loop {
        seen |= filtered().is_some();
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(124));
    assert!(seen || !cfg!(target_arch = "x86_64"), "no thread of the run has a filter");
}

/// Without the symbol, stores to HTIF mean nothing.
#[test]
fn a_run_that_nothing_can_end_is_announced() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let dir = tempfile::tempdir().unwrap();
    let mut file = program(&exit(0));
    let name = file.windows(8).position(|bytes| bytes == b"\0tohost\0").expect("the symbol");
    file[name + 1] = b'x';
    std::fs::write(dir.path().join("stripped"), file).unwrap();
    for (options, says) in
        [(&[][..], "stripped has no symbol tohost"), (&["--timeout=1"], "--timeout is reached")]
    {
        let mut c = std::process::Command::new(env!("CARGO_BIN_EXE_capvec"));
        c.current_dir(dir.path()).args(["run", "--bare"]).args(options).arg("stripped");
        let mut child = c.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let read = BufReader::new(child.stderr.take().unwrap()).read_line(&mut line);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(read.is_ok() && line.contains(says), "{options:?}: {line}");
    }
}

#[test]
fn a_program_of_32_bits_runs_on_a_hart_of_32_bits() {
    let dir = tempfile::tempdir().unwrap();
    let (file, log) = (dir.path().join("program"), dir.path().join("log"));
    std::fs::write(&file, program_for(32, &exit_32(5))).unwrap();
    let run = |options: &[&str]| {
        let mut c = Command::new(env!("CARGO_BIN_EXE_capvec"));
        c.args(["run", "--bare"]).args(options).arg("--log-commits").arg(&log).arg(&file);
        c.output().unwrap()
    };
    let out = run(&["--isa", "rv32imac_zicsr"]);
    assert_eq!(out.status.code(), Some(5), "{}", text(&out.stderr));
    let log = std::fs::read_to_string(&log).unwrap();
    assert_eq!(
        log.lines().take(3).collect::<Vec<_>>(),
        [
            "core   0: 3 0x80000000 (0x800022b7) x5  0x80002000",
            "core   0: 3 0x80000004 (0x00b00313) x6  0x0000000b",
            "core   0: 3 0x80000008 (0x0062a023) mem 0x80002000 0x0000000b",
        ]
    );
    let out = run(&["--isa", "rv64imac_zicsr"]);
    let message = text(&out.stderr);
    assert!(
        out.status.code() == Some(2) && message.contains("use --isa, for example rv32imac"),
        "{message}"
    );
}

#[test]
fn the_script_counts_passed_failed_and_skipped_programs() {
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(dir.path().join(name), bytes).unwrap();
    put("rv64ui-p-good", &program(&exit(0)));
    put("rv64ui-p-bad", &program(&exit(3)));
    // 2 is the number of the first test in riscv-tests, and also the exit status for a program that cannot be run.
    put("rv64ui-p-first", &program(&exit(2)));
    put("rv64ui-v-add", &program(&exit(0)));
    put("signature.elf", &program(&exit(0)));
    put("signature.reference_output", b"00000001\n");
    put("notes.txt", b"not a program");
    put("rv32ui-p-add", &program_for(32, &exit_32(0)));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/conformance");
    let run = |dir: &Path| {
        let mut c = Command::new(&script);
        c.env("CAPVEC", env!("CARGO_BIN_EXE_capvec")).arg(dir).args(["--core", "ideal"]);
        c.output().unwrap()
    };
    let out = run(dir.path());
    let printed = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{printed}");
    assert!(printed.contains("1 passed, 3 failed, 2 skipped"), "{printed}");
    assert!(
        printed.contains("failed   rv64ui-p-first: the program ended with code 2"),
        "{printed}"
    );
    assert!(printed.contains("failed   rv64ui-p-bad: the program ended with code 3"), "{printed}");
    assert!(printed.contains("failed   signature.elf: the signature differs"), "{printed}");
    assert!(printed.contains("skipped  rv64ui-v-add: runs under"), "{printed}");
    assert!(printed.contains("skipped  rv32ui-p-add:"), "{printed}");
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(run(empty.path()).status.code(), Some(2));
    std::fs::write(empty.path().join("rv32ui-p-add"), program_for(32, &exit_32(0))).unwrap();
    let out = run(empty.path());
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("could run"), "{out:?}");
}
