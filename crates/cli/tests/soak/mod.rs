//! Servers and their clients as users run them, and other tests that take minutes or fetch many packages. There is one module
//! for each program. `make soak` runs them; `make test` only compiles them.

mod java;
mod nginx;
mod node;
mod openssl;
mod postgresql;
mod redis;
mod symbols;
mod tools;

use crate::common;
use assert_cmd::Command;
use std::path::Path;

/// `capvec run OPTIONS -- bash -c SCRIPT` in a sysroot of its own with these packages, which is made once and kept.
/// The guest has the loopback interface, and finds the files of `soak/` in `/scripts`.
fn script(name: &str, packages: &[&str], options: &[&str], script: &str) -> Command {
    let sysroot = format!("capvec-soak-{name}");
    let args = ["sysroot", "add", "--name", &sysroot, "--suite", "trixie", "--arch", "riscv64"];
    let common = ["bash", "coreutils", "curl", "openssl", "procps"];
    common::capvec().args(args).args(common).args(packages).assert().success();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soak");
    let files = format!("--bind={}:/scripts", files.display());
    let mut c = common::capvec();
    c.args(["run", "--sysroot", &sysroot, "--core", "ideal", "--no-cwd", "--net", "loopback"]);
    c.arg(files)
        .args(options)
        .args(["--", "bash", "-c"])
        .arg(format!("cd /tmp\n{CERTIFICATE}{script}"));
    c.timeout(std::time::Duration::from_secs(1200));
    c
}

/// Makes a key and a certificate for TLS; `wait_for PORT` waits until a server listens there.
const CERTIFICATE: &str = "
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem \
    -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1 -days 10 2>/dev/null
wait_for() {
    until (: < /dev/tcp/127.0.0.1/$1) 2>/dev/null; do sleep 0.1; done
}
";
