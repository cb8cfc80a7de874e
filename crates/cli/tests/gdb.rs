//! `capvec run --gdb` with Debian's gdb-multiarch, driven by commands.

use crate::common::{Running, capvec, compiled, guest, output, set_up};
use capvec_util::testing::found;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Debian's gdb with its own loader and libraries; `None`, with a report, where it cannot be fetched.
pub fn debian() -> Option<&'static Path> {
    static ROOT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let fetch = || capvec_sysroot::ensure("trixie-amd64", &["gdb-multiarch"], &mut |_| {});
    found("gdb-multiarch", ROOT.get_or_init(|| fetch().map_err(|e| e.to_string())).as_deref())
}

/// The same as a command of a shell.
pub fn command_line(root: &Path) -> String {
    let root = root.display();
    format!(
        "LD_LIBRARY_PATH='{root}/usr/lib/x86_64-linux-gnu' PYTHONHOME='{root}/usr' \
        exec '{root}/usr/lib64/ld-linux-x86-64.so.2' '{root}/usr/bin/gdb-multiarch' \
        --data-directory='{root}/usr/share/gdb' -nx"
    )
}

/// gdb, which connects there and runs these commands, separated by semicolons.
fn gdb(root: &Path, address: &str, commands: &str) -> Command {
    let mut gdb = Command::new("sh");
    gdb.args(["-c", &format!("{} \"$@\"", command_line(root)), "gdb"]).stdin(Stdio::null());
    gdb.args(["-batch", "-iex", "set confirm off"]);
    gdb.args(["-ex", &format!("target remote {address}")]);
    commands.split("; ").for_each(|c| {
        gdb.args(["-ex", c]);
    });
    gdb
}

/// `capvec run --gdb`, waiting for gdb.
struct Waiting {
    run: Running,
    /// What `target remote` takes.
    address: String,
}

impl Waiting {
    fn start(command: &assert_cmd::Command) -> Waiting {
        let mut run = Command::new(command.get_program());
        run.args(command.get_args()).stdin(Stdio::null());
        let mut run = Running(run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
        let line = line(&mut run.0);
        let address = line.trim().strip_prefix("capvec: waiting for gdb: target remote ");
        let address = address.unwrap_or_else(|| panic!("{line}")).to_string();
        Waiting { run, address }
    }

    /// What gdb prints, what the guest prints with the rest of standard error, and the exit status.
    fn debug(self, root: &Path, commands: &str) -> (String, String, i32) {
        let out = gdb(root, &self.address, commands).output().unwrap();
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        let (printed, status) = self.end();
        (text(&out.stdout) + &text(&out.stderr), printed, status)
    }

    fn end(mut self) -> (String, i32) {
        let mut printed = String::new();
        self.run.0.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        self.run.0.stderr.take().unwrap().read_to_string(&mut printed).unwrap();
        (printed, self.run.0.wait().unwrap().code().expect("it exits"))
    }
}

/// The first line on standard error; nothing after it is lost.
fn line(child: &mut Child) -> String {
    let mut line = String::new();
    let err = child.stderr.as_mut().unwrap();
    BufReader::with_capacity(1, err).read_line(&mut line).unwrap();
    line
}

/// The program of these tests.
const DEBUG: &str = "/built/debug";

/// Runs the program of these tests with gdb.
fn debug(root: &Path, options: &[&str], commands: &str) -> (String, String, i32) {
    let bind = compiled("debug");
    let all = [&[&bind, "--no-cwd", "--gdb=0"], options].concat();
    Waiting::start(&guest(&all, &[DEBUG])).debug(root, commands)
}

/// The lines with exact counts.
fn counts(printed: &str) -> Vec<&str> {
    let lines = printed.lines().map(str::trim);
    let counts: Vec<_> = lines
        .filter(|l| l.starts_with("retired instructions") || l.starts_with("cycles"))
        .collect();
    assert!(counts.len() >= 2, "{printed}");
    counts
}

/// Whether the text has these parts in this order.
fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("no {part} in order in {text}")).1;
    }
}

#[test]
fn counts_and_cycles_do_not_depend_on_gdb() {
    let Some(root) = debian() else { return };
    let bind = compiled("debug");
    for engine in ["interp", "jit"] {
        let options = ["--core", "karu64", "--engine", engine, "--stats"];
        let plain =
            guest(&[&options[..], &[&bind, "--no-cwd"]].concat(), &[DEBUG]).output().unwrap();
        let plain = String::from_utf8_lossy(&plain.stderr).into_owned();
        let (_, printed, status) = debug(root, &options, "continue; continue; continue");
        assert_eq!((counts(&printed), status), (counts(&plain), 7), "{engine}");
        let stops = "break leaf; continue; next; stepi 3; watch watched; continue; delete; break worker; \
        break loop; continue; continue; thread 1; bt; continue; next; stepi 10; delete; \
        continue; continue; continue";
        let (_, printed, status) = debug(root, &options, stops);
        assert_eq!((counts(&printed), status), (counts(&plain), 7), "{engine}");
        assert!(printed.contains("7 10 300 3 1500000"), "{printed}");
    }
}

#[test]
fn gdb_shows_registers_variables_and_stops() {
    let Some(root) = debian() else { return };
    let commands = "break after_vector; continue; p $v8.b[15]; p $v9.w; p $vl; p $vlenb; p/x $vtype; \
        info registers fcsr; p $pc == after_vector || 1; watch watched; continue; continue; \
        p watched; delete; rwatch both; continue; info threads; delete; continue";
    let (text, printed, status) = debug(root, &["--core", "karu64"], commands);
    in_order(
        &text,
        &[
            "Breakpoint 1, after_vector ()",
            "= 16\n",
            "= {67305986, 134678022, 202050058, 269422094, ",
            "= 4\n",
            "= 32\n",
            "= 0xd0\n",
            "FRM:0",
            "Old value = 0\nNew value = 3\n",
            "leaf (n=3)",
            "Old value = 3\nNew value = 7\n",
            "leaf (n=4)",
            "= 7\n",
            "received signal SIGUSR1",
        ],
    );
    // At the end of its commands, gdb was stopped at the signal. It detached, and the guest got the signal.
    assert_eq!(status, 7, "{text} {printed}");
}

#[test]
fn threads_signals_and_another_program() {
    let Some(root) = debian() else { return };
    let commands = "handle SIGUSR1 nostop noprint pass; catch signal SIGUSR1; continue; p handled; \
        break worker; continue; info threads; p n; thread 1; bt 1; continue; p n; \
        p handled; delete; continue; p $_exitcode; continue; p $_exitcode";
    let (text, printed, status) = debug(root, &[], commands);
    assert!(text.contains("Catchpoint 1 (signal SIGUSR1)"), "{text}");
    in_order(&text, &["= 0\n", "hit Breakpoint 2, worker (n=0x1)", "Thread 1.101 (debug)"]);
    in_order(&text, &["= (void *) 0x1", "= (void *) 0x2", "= 10\n"]);
    // The execve.
    in_order(&text, &["received signal SIGTRAP", "_start ()", "exited with code 07", "= 7\n"]);
    assert_eq!((printed.contains("7 10 300 3 1500000"), status), (true, 7), "{printed}");
}

#[test]
fn gdb_changes_registers_memory_and_signals() {
    let Some(root) = debian() else { return };
    let commands = "break leaf; continue; set var n = 1000; set $v1.w[1] = 77; p $v1.w[1]; \
        set $ft0 = 1.5; p $ft0.double; set $fcsr = 3; info registers fflags; set $vl = 3; \
        delete; p leaf(10); set *(int *)0 = 1; x/i 0; continue; signal 0; continue";
    let (text, printed, status) = debug(root, &[], commands);
    in_order(&text, &["= 77\n", "= 1.5\n", "UF:1 NX:1", "= 10\n", "SIGUSR1"]);
    assert!(text.contains("Could not write register \"vl\""), "{text}");
    assert!(text.contains("Cannot access memory at address 0x0"), "{text}");
    // The signal was dropped.
    assert_eq!((printed.contains("1014 0 300 3 1500000"), status), (true, 7), "{printed}\n{text}");
}

/// The program and its libraries come from the guest's file system, through the connection.
#[test]
fn symbols_of_libraries_are_found() {
    let Some(root) = debian() else { return };
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("gdb.sock").display().to_string();
    let options = ["--no-cwd", "--gdb", &socket, "--stats", "--core", "karu64"];
    let program = ["openssl", "dgst", "-sha256", "/etc/passwd"];
    let commands = "break EVP_DigestUpdate; continue; bt 1; info sharedlibrary; stepi; monitor counts; \
        delete; continue";
    let waiting = Waiting::start(&guest(&options, &program));
    assert_eq!(waiting.address, socket);
    let (text, printed, status) = waiting.debug(root, commands);
    let options: Vec<_> = options.into_iter().filter(|o| *o != "--gdb" && *o != socket).collect();
    let plain = guest(&options, &program).output().unwrap();
    in_order(&text, &["Breakpoint 1", "in EVP_DigestUpdate ()", "libcrypto.so.3", "retired, "]);
    assert_eq!(status, 0);
    assert_eq!(counts(&printed), counts(&String::from_utf8_lossy(&plain.stderr)));
    assert!(!Path::new(&socket).exists());
}

#[test]
fn gdb_interrupts_detaches_and_kills() {
    let Some(root) = debian() else { return };
    let (_, _, status) = debug(root, &[], "break leaf; continue; kill");
    assert_eq!(status, 137);
    let (_, printed, status) = debug(root, &[], "break leaf; continue; stepi; detach");
    assert_eq!((printed.contains("7 10 300 3 1500000"), status), (true, 7), "{printed}");

    set_up();
    let endless = ["busybox", "sh", "-c", "while :; do :; done"];
    let waiting = Waiting::start(&guest(&["--no-cwd", "--gdb=0"], &endless));
    let commands = "echo running\\n; continue; p $pc != 0; kill";
    let mut gdb = gdb(root, &waiting.address, commands);
    let mut child = gdb.stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("running") {
        assert!(out.read_line(&mut text).unwrap() > 0, "{text}");
    }
    // gdb resumes the guest soon after that.
    std::thread::sleep(std::time::Duration::from_secs(1));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    out.read_to_string(&mut text).unwrap();
    child.wait().unwrap();
    in_order(&text, &["received signal SIGINT", "= 1\n"]);
    assert_eq!(waiting.end().1, 137);
}

#[test]
fn a_bare_hart_is_debugged_too() {
    use capvec_bare::testing::{CODE, SIGNATURE, exit, load_address, program, word};
    use capvec_isa::Op;
    let Some(root) = debian() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut words = load_address(10, SIGNATURE);
    words.push(word(Op::Addi, 11, 0, 0, 42));
    words.push(word(Op::Sd, 0, 10, 11, 0));
    words.push(word(Op::Addi, 11, 0, 0, 43));
    words.extend(exit(5));
    let file = dir.path().join("bare.elf");
    std::fs::write(&file, program(&words)).unwrap();
    let mut plain = capvec();
    plain.args(["run", "--bare", "--core", "karu64", "--stats"]);
    let mut debugged = capvec();
    debugged.args(["run", "--bare", "--core", "karu64", "--stats", "--gdb=0", "--"]).arg(&file);
    let (_, printed) = output(plain.arg("--").arg(&file), 5);
    let (at, data) = (CODE + 4 * 5, SIGNATURE);
    let commands = format!(
        "break *{at:#x}; continue; p $a1; watch *(long *){data:#x}; continue; stepi; p $a1; p/x $mstatus; p $mhartid; delete; continue"
    );
    let (text, debugged, status) = Waiting::start(&debugged).debug(root, &commands);
    in_order(
        &text,
        &[
            "Breakpoint 1, ",
            "= 42\n",
            "New value = 42",
            "= 43\n",
            "= 0x",
            "= 0\n",
            "exited with code 05",
        ],
    );
    assert_eq!((counts(&debugged), status), (counts(&printed), 5));
}

#[test]
fn wrong_uses_are_refused() {
    let (_, error) = output(&mut guest(&["--gdb=1234", "--engine=both"], &["true"]), 2);
    assert!(error.contains("--gdb does not work with --engine both"), "{error}");
    let (_, error) = output(&mut guest(&["--gdb=1234", "--profile=x.svg"], &["true"]), 2);
    assert!(error.contains("--gdb does not work with --profile"), "{error}");
    let (_, error) = output(&mut guest(&["--gdb=name"], &["true"]), 2);
    assert!(error.contains("give a port, such as 1234, or the path of a socket"), "{error}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let (_, error) = output(&mut guest(&[&format!("--gdb={port}")], &["true"]), 2);
    assert!(error.contains(&format!("--gdb port {port}")), "{error}");
    let (_, error) = output(&mut guest(&["--gdb=0", "--timeout=1"], &["true"]), 130);
    assert!(error.contains("before gdb connected"), "{error}");
}

/// The client asks for registers again and again: the answers are more than the sockets in between can hold.
#[test]
fn a_client_that_never_reads_does_not_outlast_the_time_limit() {
    let waiting = Waiting::start(&guest(&["--gdb=0", "--timeout=2"], &["true"]));
    let port = waiting.address.trim_start_matches(':').parse().unwrap();
    let mut client = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    client.set_nonblocking(true).unwrap();
    // g: all registers, of which the vector registers alone are two thousand digits.
    let asks = b"+$g#67".repeat(50);
    let start = Instant::now();
    let (printed, status) = std::thread::scope(|scope| {
        let end = scope.spawn(|| waiting.end());
        while !end.is_finished() {
            assert!(start.elapsed() < Duration::from_secs(60), "it has not ended");
            // Refused when all buffers are full, or when capvec has ended.
            let _ = client.write(&asks);
            std::thread::sleep(Duration::from_millis(5));
        }
        end.join().unwrap()
    });
    assert_eq!(status, 124, "{printed}");
}
