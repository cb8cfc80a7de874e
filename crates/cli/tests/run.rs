//! `capvec run` as a user runs it, on Debian's programs.

use crate::common::{SYSROOT, capvec, compiled, guest, output, set_up};
use assert_cmd::Command;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;

fn sh(script: &str) -> String {
    output(&mut guest(&["--isa", "rv64gc"], &["bash", "-c", script]), 0).0
}

#[test]
fn openssl_prints_the_speed_of_the_core_and_the_same_in_every_run() {
    let program = ["openssl", "speed", "-seconds", "1", "-bytes", "1024", "-evp", "aes-128-ecb"];
    let run = || output(&mut guest(&["--core", "karu64", "--stats"], &program), 0);
    let (first, second) = (run(), run());
    assert_eq!(first, second);
    let speed = first.0.lines().last().and_then(|l| l.strip_prefix("AES-128-ECB"));
    let speed: f64 =
        speed.expect("a figure").trim().trim_end_matches('k').parse().expect("a number");
    assert!((1000.0..100_000.0).contains(&speed), "{speed} kB/s at 75 MHz");
    assert!(first.1.contains("retired by extension") && first.1.contains("zvkned"), "{}", first.1);
}

/// Output, counts, cycles and histogram are the same on every core; on two of them, also with signals and several processes,
/// which `profile::engines_agree_on_every_call_path_and_core` has on all of them.
#[cfg(target_arch = "x86_64")]
#[test]
fn engines_agree_on_stock_programs() {
    let hash = ["openssl", "dgst", "-sha3-256", "/usr/bin/env"];
    let script = "for i in 1 2 3; do echo $i; done | sort -r | openssl dgst -sha512; kill -TERM $$";
    let script = ["bash", "-c", script];
    let version = ["openssl", "version"];
    for core in ["ideal", "karu64", "marian", "ux900"] {
        let run = |engine, program, status| {
            // Both engines together compare everything, all memory included, after each quantum.
            let quantum = if program == version { "9999" } else { "999" };
            let args = ["--core", core, "--engine", engine, "--quantum", quantum, "--stats"];
            output(&mut guest(&args, program), status)
        };
        let programs: &[(&[&str], i32)] = match core {
            "karu64" | "ux900" => &[(&hash, 0), (&script, 143)],
            _ => &[(&hash, 0)],
        };
        for &(program, status) in programs {
            let interp = run("interp", program, status);
            assert!(interp.1.contains("retired by class"), "{}", interp.1);
            assert_eq!(run("jit", program, status), interp, "{core}");
        }
        assert_eq!(run("both", &version, 0), run("interp", &version, 0), "{core}");
    }
}

#[test]
fn openssl_computes_published_answers() {
    // FIPS 180-4: the digest of "abc"; FIPS 197, appendix C.1.
    let digest = output(guest(&[], &["openssl", "dgst", "-sha256", "-r"]).write_stdin("abc"), 0).0;
    assert!(digest.starts_with("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    let key = "000102030405060708090a0b0c0d0e0f";
    let enc = ["openssl", "enc", "-aes-128-ecb", "-nopad", "-K", key];
    let plain: Vec<u8> = (0..16).map(|i| i * 0x11).collect();
    let out = guest(&[], &enc).write_stdin(plain).assert().success().get_output().stdout.clone();
    let expected: Vec<u8> = vec![
        0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
        0x5a,
    ];
    assert_eq!(out, expected);
}

#[test]
fn shells_pipelines_and_jobs() {
    assert_eq!(sh("echo hello | tr a-z A-Z | rev 2>/dev/null || true; echo $?"), "0\n");
    assert_eq!(sh("seq 1000 | sort -rn | head -3 | paste -sd,"), "1000,999,998\n");
    assert_eq!(sh("yes | head -c 200000 | wc -c"), "200000\n");
    assert_eq!(sh("x=$(for i in 1 2 3; do (exit $i); echo -n $?; done); echo $x"), "123\n");
    assert_eq!(sh("sleep 100 & kill %1; wait %1; echo $?"), "143\n");
    assert_eq!(
        sh("trap 'echo caught' USR1; kill -USR1 $$; timeout 1 sleep 9; echo $?"),
        "caught\n124\n"
    );
    assert_eq!(sh("cat <(echo one) <(echo two) | tac"), "two\none\n");
    assert_eq!(sh("cd /tmp; printf '#!/bin/bash\\necho $#\\n' > s; chmod +x s; ./s a b"), "2\n");
    assert_eq!(sh("cd /tmp; mkfifo f; echo through > f & cat f; wait; : > f & cat f"), "through\n");
    assert_eq!(sh("df --output=target / | tail -1"), "/\n");
    let busybox = ["busybox", "sh", "-c", "echo a b c | awk '{print $2}'; uname -m"];
    assert_eq!(output(&mut guest(&[], &busybox), 0).0, "b\nriscv64\n");
}

#[test]
fn time_is_virtual_or_the_hosts() {
    let started = std::time::Instant::now();
    assert_eq!(
        sh("date -u +%FT%T; sleep 3600; date -u +%FT%T"),
        "2026-01-01T00:00:00\n2026-01-01T01:00:00\n"
    );
    assert!(started.elapsed().as_secs() < 600);
    let now = || {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .expect("a clock")
            .as_secs()
    };
    let before = now();
    let (out, _) = output(&mut guest(&["--clock", "host"], &["date", "+%s"]), 0);
    let guest: u64 = out.trim().parse().expect("a number");
    assert!((before..=now()).contains(&guest));
}

#[test]
fn the_guest_sees_only_the_parts_of_the_host_that_are_bound() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("out");
    std::fs::create_dir(&out).expect("a directory");
    std::fs::write(dir.path().join("note"), "from the host").expect("a file");
    let hidden = tempfile::NamedTempFile::new().expect("a file");
    std::os::unix::fs::symlink(hidden.path(), dir.path().join("leak")).expect("a link");
    let in_dir = |options: &[&str], script: &str, status| {
        let mut c = guest(options, &["bash", "-c", script]);
        output(c.current_dir(dir.path()).env("SECRET", "x"), status)
    };
    assert_eq!(in_dir(&[], "cat note", 0).0, "from the host");
    assert!(in_dir(&[], "echo x > note", 1).1.contains("Read-only"));
    assert!(in_dir(&[], "cat leak", 1).1.contains("No such file"));
    assert_eq!(in_dir(&[], "echo \"$SECRET$HOME\"", 0).0, "/root\n");
    assert_eq!(in_dir(&["--env", "SECRET=y=z"], "echo $SECRET", 0).0, "y=z\n");
    let hiding = ["--bind".to_string(), format!("{}:/tmp", out.display())];
    assert_eq!(in_dir(&[&hiding[0], &hiding[1]], "cat note", 0).0, "from the host");
    assert_eq!(in_dir(&["--no-cwd"], "pwd; ls /work 2>/dev/null | wc -l", 0).0, "/\n0\n");
    let bind = format!("{}:/out:rw", out.display());
    in_dir(&["--bind", &bind], "echo made > /out/file; ln -s /etc/passwd /out/link", 0);
    assert_eq!(
        std::fs::read_to_string(out.join("file")).expect("a file that the guest has made"),
        "made\n"
    );
    let read_only = format!("{}:/out", out.display());
    assert!(in_dir(&["--bind", &read_only], "rm /out/file", 1).1.contains("Read-only"));
}

#[test]
fn exit_statuses_and_messages() {
    assert_eq!(
        output(&mut guest(&[], &["bash", "-c", "exit 77"]), 77),
        (String::new(), String::new())
    );
    // No shell reports which signal ended the first process, so capvec does.
    for (signal, status, name) in [
        ("TERM", 143, "SIGTERM"),
        ("KILL", 137, "SIGKILL"),
        ("SEGV", 139, "SIGSEGV"),
        ("40", 168, "a real-time signal"),
    ] {
        let script = format!("kill -{signal} $$");
        let (_, err) = output(&mut guest(&[], &["bash", "-c", &script]), status);
        let message = format!("bash (process 100) was ended by {name}\n");
        assert_eq!(err.matches(&message).count(), 1, "{err}");
    }
    let (_, err) = output(&mut guest(&[], &["bash", "-c", "kill -INT $$"]), 130);
    assert_eq!(err, "");
    let (_, err) = output(&mut guest(&["--max-insns", "100000"], &["openssl", "version"]), 124);
    assert!(err.contains("--max-insns"), "{err}");
    // The library is configured for an extension that the hart lacks.
    let lie = ["--isa", "rv64gcv", "--env", "OPENSSL_riscvcap=rv64gc_v_zvkb_zvkned"];
    let enc = ["openssl", "enc", "-aes-128-ecb", "-K", "00", "-in", "/etc/os-release"];
    let (_, err) = output(&mut guest(&lie, &enc), 132);
    assert!(err.contains("SIGILL") && err.contains("zvkned") && err.contains("pc 0x"), "{err}");
}

#[test]
fn errors_of_usage_name_the_option_or_the_program() {
    for (options, program, status, words) in [
        (&["--isa", "rv64gc_zvkne"][..], "ls", 2, ["zvkne", "capvec isa"]),
        (&["--isa", "rv64i"], "ls", 2, ["RV64IMA", "--isa"]),
        (&["--core", "nothing"], "ls", 2, ["nothing", "karu64"]),
        (&["--vlen", "100"], "ls", 2, ["--vlen", "power of two"]),
        (&["--bind", "here"], "ls", 2, ["--bind", "HOST:GUEST"]),
        (&["--bind", "/nowhere:/x"], "ls", 2, ["--bind", "/nowhere"]),
        (&["--memory", "lots"], "ls", 2, ["--memory", "bytes"]),
        (&["--quantum", "63"], "ls", 2, ["--quantum", "64.."]),
        (&["--memory", "1K"], "ls", 2, ["--memory", "give more"]),
        (&["--sysroot", "none-such"], "ls", 2, ["none-such", "sysroot"]),
        (&[], "no-such-program", 127, ["no-such-program", "PATH"]),
        (&[], "./no-such-program", 127, ["./no-such-program", "--bind"]),
        (&[], "/etc/os-release", 126, ["/etc/os-release", "chmod +x"]),
        (&[], "/etc", 126, ["/etc", "directory"]),
        (&[], "/dev/null", 126, ["/dev/null", "not a regular file"]),
    ] {
        let (out, err) = output(&mut guest(options, &[program]), status);
        assert!(out.is_empty() && words.iter().all(|w| err.contains(w)), "{options:?}: {err}");
    }
    output(capvec().args(["run"]), 2);
}

#[test]
fn programs_that_cannot_be_executed_are_explained() {
    let dir = tempfile::tempdir().expect("a directory");
    let here = |name: &str, status| {
        let program = format!("./{name}");
        output(guest(&[], &[&program]).current_dir(dir.path()), status).1
    };
    let script = dir.path().join("script");
    std::fs::write(&script, "#!/none/such -x\n").expect("a file");
    std::fs::copy(env!("CARGO_BIN_EXE_capvec"), dir.path().join("native")).expect("a copy");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    std::os::unix::fs::symlink("/opt/tool/bin/x", dir.path().join("link")).expect("a link");
    let err = here("script", 126);
    assert!(err.contains("./script: its #! line asks for /none/such: no such file"), "{err}");
    assert!(here("native", 126).contains("not for RISC-V"));
    assert!(here("link", 127).contains("a symbolic link to /opt/tool/bin/x"));
}

#[test]
fn sockets_need_permission_and_reach_only_this_host() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let talk = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{port} || exit 1; echo ping >&3; read x <&3; echo got $x"
    );
    assert!(output(&mut guest(&[], &["bash", "-c", &talk]), 1).1.contains("not supported"));
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("the guest connects");
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).expect("a line");
        (&stream).write_all(b"pong\n").expect("the guest reads the answer");
        line
    });
    let (out, _) = output(&mut guest(&["--net", "loopback"], &["bash", "-c", &talk]), 0);
    assert_eq!((out.as_str(), server.join().expect("no panic").as_str()), ("got pong\n", "ping\n"));
    let outside = "exec 3<>/dev/tcp/192.0.2.1/80 || exit 1";
    let (_, err) = output(&mut guest(&["--net", "loopback"], &["bash", "-c", outside]), 1);
    assert!(err.contains("unreachable"), "{err}");
}

#[test]
fn proc_cpuinfo_describes_the_core() {
    let script = "grep -c . /proc/cpuinfo 2>/dev/null; cat /proc/cpuinfo; nproc";
    let options = ["--core", "marian", "--isa", "rv64gcv_zvkned"];
    let (out, _) = output(&mut guest(&options, &["bash", "-c", script]), 0);
    assert!(out.contains("uarch\t\t: marian") && out.contains("mmu\t\t: sv39"), "{out}");
    let isa = out.lines().find(|l| l.starts_with("isa")).expect("a line");
    assert!(
        isa.contains("rv64imafdcv_") && isa.contains("_zvkned") && !isa.contains("zvkg"),
        "{isa}"
    );
    assert!(out.ends_with("\n1\n"), "one processor: {out}");
}

/// Compiles the checks in `guest/` with the guest's own compiler, and runs them.
#[test]
fn the_system_is_as_the_c_library_expects() {
    let programs = ["system", "sockets", "users", "ipc", "locks", "watch", "network"];
    let bind = programs.map(compiled)[0].clone();
    for (isa, quantum) in [("rv64gc", "100000"), ("rv64gcv_zvkng", "1000")] {
        for program in programs {
            let path = format!("/built/{program}");
            let net = if program == "network" { "--net=loopback" } else { "--net=none" };
            let options = ["--isa", isa, "--quantum", quantum, net, &bind];
            let (out, err) = output(&mut guest(&options, &[&path]), 0);
            let got = (out.as_str(), err.as_str());
            assert_eq!(got, ("0 failures\n", ""), "{program}, {isa}, {quantum}");
        }
    }
}

/// An argument before the program that looks like a flag is treated as one.
#[test]
fn a_mistyped_flag_is_not_taken_for_the_program() {
    for args in [&["run", "--stat", "--", "true"][..], &["run", "-q", "--", "true"]] {
        let out =
            std::process::Command::new(env!("CARGO_BIN_EXE_capvec")).args(args).output().unwrap();
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{err}");
        assert!(err.contains("unexpected argument"), "{err}");
    }
}

#[test]
fn a_failure_to_write_messages_does_not_end_the_run() {
    set_up();
    let run = |args: &[&str], program: &[&str]| {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("capvec"));
        command.args(["run", "--sysroot", SYSROOT]).args(args).arg("--").args(program);
        let out = command.stderr(full).output().expect("capvec starts");
        (String::from_utf8(out.stdout).expect("UTF-8"), out.status.code())
    };
    assert_eq!(run(&[], &["bash", "-c", "echo done; kill -KILL $$"]), ("done\n".into(), Some(137)));
    assert_eq!(run(&["--core", "nonexistent"], &["true"]), (String::new(), Some(2)));
    // Output that was requested with a flag and cannot be written is an error.
    assert_eq!(run(&["--stats"], &["echo", "done"]), ("done\n".into(), Some(1)));
}

/// Each host file that the guest has open uses a descriptor of capvec itself, whose soft limit is often low.
#[test]
fn the_hosts_soft_limit_on_descriptors_does_not_limit_the_guest() {
    let script = "for i in {1..400}; do exec {fd}</bin/bash || exit 1; done; echo $fd";
    set_up();
    let capvec = assert_cmd::cargo::cargo_bin("capvec");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -Sn 128; exec \"$0\" \"$@\""]).arg(capvec);
    command.args(["run", "--sysroot", SYSROOT, "--core", "ideal", "--", "bash", "-c", script]);
    assert_eq!(output(&mut command, 0).0, "409\n");
}

/// `ifconfig`, `netstat -i`, `netstat -s` and `ss -s` read these files.
#[test]
fn sockets_and_the_loopback_interface_have_statistics() {
    let run =
        |script: &str| output(&mut guest(&["--net", "loopback"], &["bash", "-c", script]), 0).0;
    let shown = run("busybox ifconfig lo; cat /proc/net/sockstat; ls -A /dev/mqueue");
    for words in ["Link encap:Local Loopback", "inet addr:127.0.0.1", "RX packets:0 errors:0"] {
        assert!(shown.contains(words), "{shown}");
    }
    assert!(shown.ends_with("FRAG: inuse 0 memory 0\n") && shown.contains("sockets: used 0\n"));
    let script = "exec 3<>/dev/udp/127.0.0.1/9; head -n 3 /proc/net/sockstat; cat /proc/net/dev";
    let shown = run(script);
    assert!(shown.starts_with("sockets: used 1\nTCP: inuse 0 "), "{shown}");
    assert!(shown.contains("\nUDP: inuse 1 ") && shown.contains("\n    lo: "), "{shown}");
}
