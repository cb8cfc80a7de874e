//! Helpers for tests that run Debian's programs under `capvec run`.

use assert_cmd::Command;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Mutex, OnceLock};

/// The sysroot of these tests, and its packages.
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

/// The program under test.
pub fn capvec() -> Command {
    Command::cargo_bin("capvec").expect("the program is built")
}

/// Makes the sysroot if it does not exist. If it does, no network is needed.
pub fn set_up() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let args = ["sysroot", "add", "--name", SYSROOT, "--suite", "trixie", "--arch", "riscv64"];
        capvec().args(args).args(PACKAGES).assert().success();
    });
}

/// `capvec run OPTIONS -- PROGRAM`, by default on the core that is fastest to simulate.
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

/// Runs a command, which must exit with `status`; returns standard output and standard error.
pub fn output(c: &mut Command, status: i32) -> (String, String) {
    let out = c.assert().code(status).get_output().clone();
    let text = |b| String::from_utf8(b).expect("UTF-8");
    (text(out.stdout), text(out.stderr))
}

/// Parses JSON, which must conform to `docs/NAME.schema.json`.
pub fn conforming(name: &str, text: &str) -> serde_json::Value {
    let document = serde_json::from_str(text).expect("JSON");
    let wrong = capvec_record::testing::schema::violations(name, &document);
    assert!(wrong.is_empty(), "docs/{name}.schema.json: {wrong:#?}");
    document
}

/// A running command, killed at the end of its test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// The first line that it prints.
    pub fn first_line(&mut self) -> String {
        let mut line = String::new();
        let out = self.0.stdout.as_mut().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        line
    }

    /// Reads and discards the first `count` bytes that it prints.
    pub fn first_bytes(&mut self, count: usize) {
        let out = self.0.stdout.as_mut().expect("a pipe");
        out.read_exact(&mut vec![0; count]).expect("enough output");
    }

    /// Everything that it prints from here on.
    pub fn rest(&mut self) -> String {
        let mut text = String::new();
        self.0.stdout.as_mut().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
        text
    }

    /// Sends it the signal of this name.
    pub fn signal(&self, signal: &str) {
        let args = [format!("-{signal}"), self.0.id().to_string()];
        let sent = std::process::Command::new("kill").args(args).status();
        assert!(sent.expect("kill(1) runs").success());
    }

    /// Waits for its end; returns the exit status.
    pub fn status(&mut self) -> Option<i32> {
        self.0.wait().expect("a child process").code()
    }
}

/// Starts a command whose output is read while it runs.
pub fn background(command: Command) -> Running {
    let mut c = std::process::Command::new(command.get_program());
    c.args(command.get_args()).stdin(Stdio::piped()).stdout(Stdio::piped());
    for (name, value) in command.get_envs() {
        c.env(name, value.expect("a value"));
    }
    Running(c.spawn().expect("the command starts"))
}

/// Compiles a C program of these tests with the guest's own compiler, once. With the returned option, the guest finds it
/// as `/built/NAME`.
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
        output(&mut guest(&options, &["gcc", "-w", "-g", "-static", &from, "-o", &to]), 0);
    }
    format!("--bind={}:/built", built.display())
}

/// The number of finished runs that an interrupted command has kept in `out`.
pub fn finished_runs(out: &Path) -> usize {
    let entries = std::fs::read_dir(out.join("runs")).into_iter().flatten().flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|n| n.ends_with(".json") && n != "identity.json").count()
}
