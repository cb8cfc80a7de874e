//! The cost of start-up: each configuration starts one program in the guest for each driver, however much is measured.

use capvec_bench::capset::expand;
use capvec_bench::case::select;
use capvec_bench::run::Runner;
use capvec_bench::sweep::{self, Gate, Plan};
use capvec_guest::Program;
use capvec_kat::VectorGate;
use capvec_timing::Core;
use std::sync::Arc;

/// The number of programs that a sweep of these cases and sizes starts, with two sets at two VLENs.
fn started(cases: &[&str], bytes: &[usize], gate: bool) -> u64 {
    let core = Core::load("ideal").unwrap();
    let cases = select(&cases.iter().map(|c| c.to_string()).collect::<Vec<_>>()).unwrap();
    let wanted = expand(&["scalar".into(), "full".into()], &cases, &core.isa).unwrap();
    let gate =
        gate.then(|| Arc::new(VectorGate::new(&cases, false, None).unwrap()) as Arc<dyn Gate>);
    let programs = [Program::Measure, Program::Check];
    let runner = Runner::new(core, "trixie-riscv64", &programs, &mut |_| ()).unwrap();
    let plan = Plan {
        cases,
        wanted,
        vlens: vec![128, 256],
        bytes: bytes.to_vec(),
        gate,
        ..Plan::default()
    };
    assert_eq!(runner.programs(), 0);
    let swept = sweep::run(&runner, &plan, None, &|| ()).unwrap();
    assert!(swept.rows.iter().all(|r| r.answers == "pass"), "a case failed");
    runner.programs()
}

#[test]
fn a_configuration_starts_one_program_however_much_is_measured() {
    let one = started(&["sha256"], &[64], false);
    assert_eq!(one, 4, "two sets at two VLENs");
    assert_eq!(started(&["sha256", "sm3", "aes-128-ecb", "x25519"], &[16, 64, 256], false), one);
    // The driver that checks vectors is another program.
    assert_eq!(started(&["sha256", "sm3"], &[16, 64], true), 2 * one);
}
