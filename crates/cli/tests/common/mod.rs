//! Debian's programs under `capvec run`.

use assert_cmd::Command;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Mutex, OnceLock};

/// The sysroot of these tests, and what is in it.
pub const SYSROOT: &str = "capvec-tests";
const PACKAGES: [&str; 11] = [
    "bash",
    "busybox",
    "coreutils",
    "gcc",
    "gpg",
    "gpg-agent",
    "libc6-dev",
    "openssl",
    "perl",
    "python3",
    "sqlite3",
];

/// The program.
pub fn capvec() -> Command {
    Command::cargo_bin("capvec").expect("the program is built")
}

/// Makes the sysroot unless it is there; offline then.
pub fn set_up() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let args = ["sysroot", "add", "--name", SYSROOT, "--suite", "trixie", "--arch", "riscv64"];
        capvec().args(args).args(PACKAGES).assert().success();
    });
}

/// `capvec run OPTIONS -- PROGRAM`; unless told otherwise, on the core that is fastest to run.
pub fn guest(options: &[&str], program: &[&str]) -> Command {
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
pub fn output(c: &mut Command, status: i32) -> (String, String) {
    let out = c.assert().code(status).get_output().clone();
    let text = |b| String::from_utf8(b).expect("UTF-8");
    (text(out.stdout), text(out.stderr))
}

/// A command that runs, and ends with its test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// The first line of what it prints.
    pub fn first_line(&mut self) -> String {
        let mut line = String::new();
        let out = self.0.stdout.as_mut().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        line
    }

    /// So many bytes of what it prints.
    pub fn first_bytes(&mut self, count: usize) {
        let out = self.0.stdout.as_mut().expect("a pipe");
        out.read_exact(&mut vec![0; count]).expect("it prints");
    }

    /// What it prints from here on.
    pub fn rest(&mut self) -> String {
        let mut text = String::new();
        self.0.stdout.as_mut().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
        text
    }

    /// Sends it a signal, by name.
    pub fn signal(&self, signal: &str) {
        let args = [format!("-{signal}"), self.0.id().to_string()];
        let sent = std::process::Command::new("kill").args(args).status();
        assert!(sent.expect("it runs").success());
    }

    /// Waits for its end; the exit status.
    pub fn status(&mut self) -> Option<i32> {
        self.0.wait().expect("it ends").code()
    }
}

/// Starts a command whose output is read while it runs.
pub fn background(command: Command) -> Running {
    let mut c = std::process::Command::new(command.get_program());
    c.args(command.get_args()).stdin(Stdio::piped()).stdout(Stdio::piped());
    for (name, value) in command.get_envs() {
        c.env(name, value.expect("it is set"));
    }
    Running(c.spawn().expect("it starts"))
}

/// Compiles a C program of these tests with the guest's own compiler, once, to where it is found as
/// `/built/NAME` with the returned option.
pub fn compiled(name: &str) -> String {
    static BUILT: OnceLock<tempfile::TempDir> = OnceLock::new();
    static LOCK: Mutex<()> = Mutex::new(());
    let built = BUILT.get_or_init(|| tempfile::tempdir().expect("a directory")).path();
    let _one = LOCK.lock();
    if !built.join(name).exists() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest");
        let options = [
            format!("--bind={}:/source", source.display()),
            format!("--bind={}:/built:rw", built.display()),
            "--isa=rv64gc".into(),
        ];
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let (from, to) = (format!("/source/{name}.c"), format!("/built/{name}"));
        output(&mut guest(&options, &["gcc", "-w", "-static", &from, "-o", &to]), 0);
    }
    format!("--bind={}:/built", built.display())
}
