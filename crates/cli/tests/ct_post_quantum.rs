//! Post-quantum operations of libcapvec under `capvec ct`: neither time nor memory accesses depend on secrets, as far as
//! Zkt and Zvkt go.

use crate::common::{capvec, output};
use capvec_bench::run::Runner;
use capvec_guest::{LibraryKind, PROGRAM};
use capvec_guest_tests::SECRETS;
use capvec_sysroot::Store;
use capvec_targets::SubjectName;
use capvec_timing::Core;
use serde_json::Value;

const SYSROOT: &str = "trixie-riscv64";

/// Schemes of `crypto/test/guest/secrets.c`, each with capabilities and a VLEN, so that all kernels are used; the first ones run every
/// time.
const RUNS: [(&str, &str, &str, u32); 11] = [
    ("ML-KEM-512", "rv64gc", "rv64gc", 128),
    ("ML-KEM-768", "rv64gc_v_zbb_zvkb", "rv64gcv_zbb_zvkb", 128),
    ("ML-KEM-1024", "rv64gc_v_xcapvecmulq0p1", "rv64gcv_xcapvecmulq0p1", 256),
    ("ML-DSA-44", "rv64gc_v_zbb_zvkb", "rv64gcv_zbb_zvkb", 256),
    ("ML-KEM-512", "rv64gc_v", "rv64gcv", 256),
    ("ML-KEM-768", "rv64gc_v_zvknhk0p2", "rv64gcv_zvknhk0p2", 512),
    ("ML-DSA-44", "rv64gc_zbb", "rv64gc_zbb", 128),
    ("ML-DSA-65", "rv64gc_v", "rv64gcv", 1024),
    ("ML-DSA-87", "rv64gc_v_zvkb_xcapvecmulq0p1", "rv64gcv_zvkb_xcapvecmulq0p1", 256),
    ("SLH-DSA-SHA2", "rv64gc_v_zvkb_zvknha", "rv64gcv_zvkb_zvknha", 128),
    ("SLH-DSA-SHAKE", "rv64gc_v_zvkb", "rv64gcv_zvkb", 512),
];
const SHORT: usize = 4;

/// It is public which candidates this function accepts, as its comment says, but assembly cannot declare that.
const PUBLIC: [&str; 1] = ["cv_mldsa_reject_small_v"];

#[test]
fn nothing_depends_on_secrets_of_post_quantum_schemes() {
    check(&RUNS[..SHORT]);
}

#[test]
#[ignore = "takes a quarter of a minute"]
fn nothing_depends_on_secrets_with_any_kernel() {
    check(&RUNS[SHORT..]);
}

fn check(runs: &[(&str, &str, &str, u32)]) {
    // Sets up the sysroot, too.
    let core = Core::load("ideal").expect("the core");
    let runner = Runner::of(&SubjectName::Capvec, core, SYSROOT, &[SECRETS], &mut |_| ());
    drop(runner.expect("the program is built"));
    let store = Store::from_env().expect("the store");
    let built = capvec_guest::ensure(&store, SYSROOT, LibraryKind::Capvec, &[SECRETS], &mut |_| ());
    let bind = format!("--bind={}:/built", built.expect("the program is built")[0].dir.display());
    for &(scheme, caps, isa, vlen) in runs {
        let mut command = capvec();
        let caps = format!("CAPVEC_CAPS={caps}");
        let vlen = vlen.to_string();
        command.args(["ct", "--format=json", "--no-cwd", "--core=ideal", "--sysroot", SYSROOT]);
        command.args([&*bind, "--isa", isa, "--vlen", &vlen, "--env", &caps, "--"]);
        command.args([format!("/built/{PROGRAM}").as_str(), scheme]);
        // 1: there are findings.
        let status = i32::from(scheme.starts_with("ML-DSA") && isa.contains("gcv"));
        let (json, _) = output(&mut command, status);
        let report: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(report["marked"], true, "{scheme}");
        for finding in report["findings"].as_array().expect("a list") {
            let function = finding["function"].as_str().expect("a function");
            assert!(PUBLIC.contains(&function), "{scheme}, {caps}: {finding:#}");
        }
    }
}
