//! `capvec run` as a user does it, on Debian's programs.

use assert_cmd::Command;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// The sysroot of these tests, and what is in it.
const SYSROOT: &str = "capvec-tests";
const PACKAGES: [&str; 6] = ["bash", "busybox", "coreutils", "gcc", "libc6-dev", "openssl"];

fn capvec() -> Command {
    Command::cargo_bin("capvec").expect("the program is built")
}

/// Makes the sysroot unless it is there; offline then.
fn set_up() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let args = ["sysroot", "add", "--name", SYSROOT, "--suite", "trixie", "--arch", "riscv64"];
        capvec().args(args).args(PACKAGES).assert().success();
    });
}

/// `capvec run OPTIONS -- PROGRAM`; unless told otherwise, on the core that is fastest to run.
fn guest(options: &[&str], program: &[&str]) -> Command {
    set_up();
    let mut c = capvec();
    c.arg("run");
    for (name, value) in [("--sysroot", SYSROOT), ("--core", "ideal")] {
        if !options.contains(&name) {
            c.args([name, value]);
        }
    }
    c.args(options).arg("--").args(program);
    c
}

/// What it prints, when it ends with `status`.
fn output(c: &mut Command, status: i32) -> (String, String) {
    let out = c.assert().code(status).get_output().clone();
    let text = |b| String::from_utf8(b).expect("UTF-8");
    (text(out.stdout), text(out.stderr))
}

fn sh(script: &str) -> String {
    output(&mut guest(&["--isa", "rv64gc"], &["bash", "-c", script]), 0).0
}

#[test]
fn openssl_prints_the_speed_of_the_core_and_does_so_again() {
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

#[test]
fn openssl_computes_what_the_host_does_not() {
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
fn the_host_is_seen_only_where_it_is_shown() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("out");
    std::fs::create_dir(&out).expect("a directory");
    std::fs::write(dir.path().join("note"), "from the host").expect("a file");
    std::os::unix::fs::symlink("/etc/shadow", dir.path().join("leak")).expect("a link");
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
    assert_eq!(std::fs::read_to_string(out.join("file")).expect("the guest made it"), "made\n");
    let read_only = format!("{}:/out", out.display());
    assert!(in_dir(&["--bind", &read_only], "rm /out/file", 1).1.contains("Read-only"));
}

#[test]
fn exit_statuses_and_messages() {
    assert_eq!(
        output(&mut guest(&[], &["bash", "-c", "exit 77"]), 77),
        (String::new(), String::new())
    );
    output(&mut guest(&[], &["bash", "-c", "kill -TERM $$"]), 143);
    let (_, err) = output(&mut guest(&["--max-insns", "100000"], &["openssl", "version"]), 124);
    assert!(err.contains("--max-insns"), "{err}");
    // The library is told that the hart has what it has not.
    let lie = ["--isa", "rv64gcv", "--env", "OPENSSL_riscvcap=rv64gc_v_zvkb_zvkned"];
    let enc = ["openssl", "enc", "-aes-128-ecb", "-K", "00", "-in", "/etc/os-release"];
    let (_, err) = output(&mut guest(&lie, &enc), 132);
    assert!(err.contains("SIGILL") && err.contains("zvkned") && err.contains("pc 0x"), "{err}");
    for (options, program, status, words) in [
        (&["--isa", "rv64gc_zvkne"][..], "ls", 2, ["zvkne", "capvec isa"]),
        (&["--isa", "rv64i"], "ls", 2, ["RV64IMA", "--isa"]),
        (&["--core", "nothing"], "ls", 2, ["nothing", "karu64"]),
        (&["--vlen", "100"], "ls", 2, ["--vlen", "power of two"]),
        (&["--bind", "here"], "ls", 2, ["--bind", "HOST:GUEST"]),
        (&["--bind", "/nowhere:/x"], "ls", 2, ["--bind", "/nowhere"]),
        (&["--memory", "lots"], "ls", 2, ["--memory", "bytes"]),
        (&["--sysroot", "none-such"], "ls", 1, ["none-such", "sysroot"]),
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

/// Lines of a listing: the entries of a directory.
fn names(dir: &Path) -> Vec<String> {
    let entry = |e: std::io::Result<std::fs::DirEntry>| e.expect("readable").file_name();
    let all = std::fs::read_dir(dir).expect("a directory").map(entry);
    all.map(|n| n.into_string().expect("UTF-8")).collect()
}

#[test]
fn nothing_private_is_left_behind() {
    let tmp = tempfile::tempdir().expect("a directory");
    let run = |script: &str| {
        let mut c = guest(&[], &["bash", "-c", script]);
        c.env("TMPDIR", tmp.path());
        c
    };
    output(&mut run("mkdir -p /tmp/a/b; echo x > /tmp/a/b/c"), 0);
    assert_eq!(names(tmp.path()), [""; 0]);
    // SIGTERM and SIGHUP end the run in order.
    for (signal, status) in [("TERM", 143), ("HUP", 129)] {
        let mut child = background(run("echo ready; exec sleep infinity & while :; do :; done"));
        assert_eq!(child.first_line(), "ready\n");
        assert_eq!(names(tmp.path()).len(), 1);
        child.signal(signal);
        assert_eq!(child.status(), Some(status));
        assert_eq!(names(tmp.path()), [""; 0]);
    }
    // After SIGKILL the next run cleans up, but not what belongs to a run, or to somebody else.
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

/// A command that runs, and ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn first_line(&mut self) -> String {
        let mut line = String::new();
        let out = self.0.stdout.as_mut().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        line
    }

    fn rest(&mut self) -> String {
        let mut text = String::new();
        self.0.stdout.as_mut().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
        text
    }

    fn signal(&self, signal: &str) {
        let args = [format!("-{signal}"), self.0.id().to_string()];
        let sent = std::process::Command::new("kill").args(args).status();
        assert!(sent.expect("it runs").success());
    }

    fn status(&mut self) -> Option<i32> {
        self.0.wait().expect("it ends").code()
    }
}

/// Starts a command whose output is read while it runs.
fn background(command: Command) -> Running {
    let mut c = std::process::Command::new(command.get_program());
    c.args(command.get_args()).stdin(Stdio::piped()).stdout(Stdio::piped());
    for (name, value) in command.get_envs() {
        c.env(name, value.expect("it is set"));
    }
    Running(c.spawn().expect("it starts"))
}

#[test]
fn waiting_for_a_pipe_takes_no_virtual_time() {
    // The writer is slow, in different ways; a timer that lies far behind does not matter.
    let script = "date +%s.%N; read -N 0; read x; cat; (sleep 40 & wait); date +%s.%N";
    let observe = |pauses: [u64; 2]| {
        let mut child = background(guest(&["--stats"], &["bash", "-c", script]));
        let mut input = child.0.stdin.take().expect("a pipe");
        for (text, pause) in ["one\n", "two\n"].iter().zip(pauses) {
            std::thread::sleep(Duration::from_millis(pause));
            input.write_all(text.as_bytes()).expect("it reads");
        }
        drop(input);
        child.rest()
    };
    let (slow, fast) = (observe([700, 400]), observe([0, 200]));
    assert!(slow.contains("\ntwo\n"), "{slow}");
    assert_eq!(slow, fast);
    // A timer fires even if nothing ever comes.
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
        .expect("it opens")
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
fn memory_counts_what_is_written_to_private_files() {
    let run = |script: &str, status| {
        output(&mut guest(&["--memory", "64M"], &["bash", "-c", script]), status)
    };
    let script = "head -c 100M /dev/zero > /tmp/x";
    assert!(run(script, 1).1.contains("No space left on device"));
    let script = "for i in 1 2 3 4 5 6; do head -c 30M /dev/zero > /tmp/x; done; rm /tmp/x; head -c 40M /dev/zero > /run/y";
    run(script, 0);
    // Names do, too.
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
    // What is mounted in a bind belongs to it, but for that.
    let script = "ls /h/proc/1 || ls /h/proc/self/root; cat /h/proc/version";
    let (out, err) = output(&mut guest(&["--bind", "/:/h"], &["bash", "-c", script]), 1);
    assert!(out.is_empty() && err.matches("Permission denied").count() == 3, "{out}{err}");
}

#[test]
fn sockets_need_permission_and_reach_only_this_host() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let talk = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{port} || exit 1; echo ping >&3; read x <&3; echo got $x"
    );
    assert!(output(&mut guest(&[], &["bash", "-c", &talk]), 1).1.contains("not supported"));
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("the guest connects");
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).expect("a line");
        (&stream).write_all(b"pong\n").expect("the guest reads");
        line
    });
    let (out, _) = output(&mut guest(&["--net", "loopback"], &["bash", "-c", &talk]), 0);
    assert_eq!((out.as_str(), server.join().expect("no panic").as_str()), ("got pong\n", "ping\n"));
    let outside = "exec 3<>/dev/tcp/192.0.2.1/80 || exit 1";
    let (_, err) = output(&mut guest(&["--net", "loopback"], &["bash", "-c", outside]), 1);
    assert!(err.contains("unreachable"), "{err}");
}

#[test]
fn the_core_is_what_proc_says() {
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

/// Compiles the checks of the C library's view with the guest's own compiler, and runs them.
#[test]
fn the_system_is_as_the_c_library_expects() {
    let work = tempfile::tempdir().expect("a directory");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest");
    let binds =
        [format!("{}:/source", source.display()), format!("{}:/built:rw", work.path().display())];
    let options = ["--isa", "rv64gc", "--bind", &binds[0], "--bind", &binds[1]];
    for program in ["system", "sockets"] {
        let (from, to) = (format!("/source/{program}.c"), format!("/built/{program}"));
        output(&mut guest(&options, &["gcc", "-w", "-static", &from, "-o", &to]), 0);
    }
    for isa in ["rv64gc", "rv64gcv_zvkng"] {
        let bind = format!("{}:/built", work.path().display());
        for quantum in ["1000", "100000"] {
            let options = ["--isa", isa, "--quantum", quantum, "--bind", &bind];
            for program in ["/built/system", "/built/sockets"] {
                let (out, err) = output(&mut guest(&options, &[program]), 0);
                let got = (out.as_str(), err.as_str());
                assert_eq!(got, ("0 failures\n", ""), "{program}, {isa}, {quantum}");
            }
        }
    }
}
