//! libcapvec as OpenSSL's provider in the guest: everything that it implements is compared with OpenSSL's own
//! implementation in the same process.

use capvec_bench::capset::{self, CapSet};
use capvec_bench::case;
use capvec_bench::run::{Configuration, Runner};
use capvec_bench::sweep::{self, Gate, Plan};
use capvec_guest::Program;
use capvec_guest_tests::COMPARE;
use capvec_kat::VectorGate;
use capvec_sim::hart::Agnostic;
use capvec_targets::SubjectName;
use capvec_targets::backend::Work;
use capvec_timing::Core;
use std::sync::Arc;

fn runner(programs: &[Program]) -> (Core, Runner) {
    let core = Core::load("ideal").unwrap();
    let sysroot = "trixie-riscv64";
    let runner = Runner::of(&SubjectName::Provider, core.clone(), sysroot, programs, &mut |_| ());
    (core, runner.unwrap())
}

/// Runs the comparison with these arguments; returns what it prints.
fn compare(arguments: &str, vlen: u32, caps: &str) -> String {
    let (core, runner) = runner(&[COMPARE]);
    let capset = CapSet::parse(caps, &core.isa).unwrap();
    let work = Work::driver(COMPARE, format!("/provider {arguments}\n"));
    let work = Work { agnostic: Agnostic::Ones, ..work };
    let ended = runner.target().run(&Configuration::new(vlen, capset).limits(), work).unwrap();
    assert_eq!(ended.status, 0, "{caps}, VLEN {vlen}: {}{}", ended.stdout, ended.stderr);
    ended.stdout
}

/// Descriptions, answers and errors agree for random messages, splits and orders of calls, and for random keys. A
/// difference is printed with the seed.
#[test]
fn the_provider_behaves_like_openssl() {
    for (vlen, caps, seed) in [(128, "scalar", 1), (128, "full", 2), (512, "full", 3)] {
        let text = compare(&format!("{seed} 6"), vlen, caps);
        assert!(
            text.starts_with("provider checked: 42 ciphers, 14 digests, 6 MACs, 21 key types"),
            "{caps}, VLEN {vlen}: {text}"
        );
    }
}

/// SLH-DSA takes long, so only one set of each hash family is compared here.
#[test]
#[ignore = "minutes: make test-long"]
fn slhdsa_behaves_like_openssl() {
    for set in ["SHA2-128f", "SHAKE-128f"] {
        let text = compare(&format!("1 1 SLH-DSA-{set}"), 256, "full");
        assert!(text.contains("0 MACs, 1 key types"), "{set}: {text}");
    }
}

/// The stock driver, which has no code for providers, gets its algorithms from the provider.
#[test]
fn figures_of_the_subject_are_those_of_the_provider() {
    let (core, runner) = runner(&[Program::Measure, Program::Check]);
    let names: Vec<String> =
        ["aes-128-gcm", "aes-128-xts", "ghash", "sha256", "chacha20"].map(String::from).to_vec();
    let cases = case::select(&names).unwrap();
    let wanted = capset::expand(&["full".to_string()], &cases, &core.isa).unwrap();
    let gate = Some(Arc::new(VectorGate::new(&cases, false, None).unwrap()) as Arc<dyn Gate>);
    let plan =
        Plan { cases, wanted, vlens: vec![256], bytes: vec![16384], gate, ..Plan::default() };
    let swept = sweep::run(&runner, &plan, None, &|| ()).unwrap();
    assert_eq!(swept.self_check, "exact");
    for r in &swept.rows {
        assert!(r.passed() && r.subject == "openssl+capvec", "{}: {}", r.case, r.answers);
    }
    // OpenSSL's own implementation takes more: 0.34 with the extensions of karu64 (records/provider.md).
    let gcm = swept.rows.iter().find(|r| r.case == "aes-128-gcm").unwrap();
    assert!(gcm.insns_per_byte().unwrap() < 0.3, "{:?}", gcm.insns_per_byte());
}
