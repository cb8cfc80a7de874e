//! Targets other than the simulator, with the real library.

use capvec_bench::capset::{self, CapSet, Override, Wanted, words};
use capvec_bench::case::{Case, select};
use capvec_bench::driver_protocol::{Job, Outcome};
use capvec_bench::requests::Jobs;
use capvec_bench::run::{Configuration, Runner};
use capvec_bench::sweep::{self, Plan, Swept};
use capvec_guest::Program;
use capvec_record::{Arch, Kind};
use capvec_sysroot::Store;
use capvec_targets::backend::{LIBRARY, Native, Qemu};
use capvec_timing::Core;
use std::path::{Path, PathBuf};

fn sweep(runner: &Runner, settings: &str, caps: &[&str], cases: &[&str]) -> Swept {
    let owned = |v: &[&str]| v.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    let cases = select(&owned(cases)).unwrap();
    let o = Override::of(runner.target().arch()).unwrap().unwrap();
    let wanted = o.expand(&owned(caps), &cases, &words(settings).unwrap()).unwrap();
    let plan = Plan { cases, wanted, vlens: vec![0], bytes: vec![1024, 4096], ..Plan::default() };
    sweep::run(runner, &plan, None, &|| ()).unwrap()
}

/// AES-128-CBC's loop handles one block at a time: ten AESE and nine AESMC, a load, two exclusive ors, a store and the
/// loop's own instructions (OpenSSL 3.5, aesv8-armx.pl). Since counts are exact, the difference between two sizes is a
/// whole number of instructions for each block.
#[test]
fn qemu_counts_exactly_and_masks_take_effect() {
    let programs = &[Program::Measure];
    let qemu = Qemu::new(Arch::Aarch64, "trixie-arm64", None, programs, None, &mut |_| ()).unwrap();
    let runner = Runner::at(qemu);
    let swept = sweep(&runner, "OPENSSL_armcap=0x6ffd", &["scalar", "full"], &["aes-128-cbc"]);
    assert_eq!((swept.target.kind, swept.target.counter_check.as_str()), (Kind::Emulated, "exact"));
    let insns = |capset: &str, bytes: usize| {
        let is = |r: &&capvec_record::Row| {
            r.capset == capset && r.bytes == bytes && r.direction == "enc"
        };
        let row = swept.rows.iter().find(is).unwrap();
        assert!(row.passed() && row.ns_per_op.is_none() && row.kbps().is_none(), "{row:?}");
        row.insns_per_op.unwrap()
    };
    let blocks = (4096 - 1024) / 16;
    let per_block = (insns("full", 4096) - insns("full", 1024)) / blocks as f64;
    assert!((20.0..32.0).contains(&per_block) && per_block.fract() == 0.0, "{per_block}");
    assert!(insns("scalar", 4096) > 10.0 * insns("full", 4096));
    assert!(
        swept.configurations.iter().all(|c| c.disagreement.is_none() && c.unchanged.is_empty())
    );
}

#[test]
fn this_machine_is_timed_and_its_answers_are_right() {
    let runner = Runner::at(Native::new(&[Program::Measure], None, &mut |_| ()).unwrap());
    let cases = select(&["sha256".into()]).unwrap();
    let isa = "rv64gc".parse().unwrap();
    let wanted = capvec_bench::capset::expand(&["auto".into()], &cases, &isa).unwrap();
    let plan = Plan { cases, wanted, vlens: vec![0], bytes: vec![1024], ..Plan::default() };
    let swept = sweep::run(&runner, &plan, None, &|| ()).unwrap();
    let row = &swept.rows[0];
    assert!(row.passed() && row.samples.len() > 10 && row.mad_percent.is_some(), "{row:?}");
    // A speed outside this range would be a fault: no processor is so slow or so fast.
    assert!(row.kbps().is_some_and(|k| (100.0..100_000_000.0).contains(&k)), "{row:?}");
    assert!(swept.target.sha256.is_some_and(|d| d.len() == 64));
}

/// The simulated hart's counter and QEMU's log, which share no code, give the same counts, with drivers from two compilers.
#[test]
fn qemu_counts_what_the_simulator_counts() {
    let core = Core::load("ideal").unwrap();
    let (isa, programs) = (core.isa, &[Program::Measure]);
    let figures = |runner: &Runner| {
        let cases = select(&["aes-128-gcm".into(), "sha256".into()]).unwrap();
        let caps = ["scalar".to_string(), "zvkb_zvkg_zvkned_zvknha".to_string()];
        let wanted = capvec_bench::capset::expand(&caps, &cases, &isa).unwrap();
        let plan =
            Plan { cases, wanted, vlens: vec![256], bytes: vec![64, 1024], ..Plan::default() };
        let rows = sweep::run(runner, &plan, None, &|| ()).unwrap().rows;
        assert!(rows.iter().all(|r| r.passed()));
        let figure = |r: &capvec_record::Row| {
            (r.case.clone(), r.capset.clone(), r.direction.clone(), r.bytes, r.insns_per_op)
        };
        rows.iter().map(figure).collect::<Vec<_>>()
    };
    let sim = Runner::new(core, "trixie-riscv64", programs, &mut |_| ()).unwrap();
    let qemu = Qemu::new(Arch::Riscv64, "trixie-riscv64", None, programs, None, &mut |_| ());
    let (sim, qemu) = (figures(&sim), figures(&Runner::at(qemu.unwrap())));
    assert_eq!(sim.len(), 2 * 2 * 2 * 2 - 2 * 2);
    assert_eq!(sim, qemu);
}

/// A copy of the sysroot's library that ignores its variable: the variable's name is changed in the file.
fn ignoring_variable(arch: Arch, dir: &Path) -> PathBuf {
    let root = Store::from_env().unwrap().get(&format!("trixie-{}", arch.debian())).unwrap().root;
    let library = root.join("usr/lib").join(arch.triplet()).join(LIBRARY);
    let mut bytes = std::fs::read(library).unwrap();
    let name = format!("{}\0", arch.variable());
    let is = |i: &usize| bytes[*i..].starts_with(name.as_bytes());
    let places: Vec<usize> = (0..bytes.len()).filter(is).collect();
    assert!(!places.is_empty(), "{name}");
    places.into_iter().for_each(|i| bytes[i] = b'X');
    std::fs::write(dir.join(LIBRARY), bytes).unwrap();
    dir.into()
}

/// The capabilities that the library detects, in its own format.
fn detected(runner: &Runner) -> String {
    let capset = CapSet::parse("auto", &"rv64gc".parse().unwrap()).unwrap();
    let outcomes = runner.run(&Configuration::new(0, capset), Jobs(&[vec![Job::Probe]])).unwrap();
    match outcomes[0].as_deref() {
        Ok([Outcome::Probe(p)]) => p.settings().into(),
        other => panic!("{other:?}"),
    }
}

/// Measures the sets `scalar` and `full` on an architecture.
fn masked(arch: Arch, library: Option<PathBuf>) -> Swept {
    let name = format!("trixie-{}", arch.debian());
    let qemu = Qemu::new(arch, &name, None, &[Program::Measure], library, &mut |_| ()).unwrap();
    let runner = Runner::at(qemu);
    let cases: Vec<Case> = select(&["aes-128-cbc".into(), "sha256".into()]).unwrap();
    let names = ["scalar".to_string(), "full".to_string()];
    let wanted: Vec<Wanted> = match Override::of(arch).unwrap() {
        Some(o) => o.expand(&names, &cases, &words(&detected(&runner)).unwrap()).unwrap(),
        None => capset::expand(&names, &cases, &"rv64gcv".parse().unwrap()).unwrap(),
    };
    let vlens = vec![if arch == Arch::Riscv64 { 256 } else { 0 }];
    let plan = Plan { cases, wanted, vlens, bytes: vec![1024], ..Plan::default() };
    sweep::run(&runner, &plan, None, &|| ()).unwrap()
}

/// The cost of the code shows whether a variable took effect. A library that ignores it is detected, whatever it reports.
fn assert_effect_of_variable_is_detected(arch: Arch) {
    let good = masked(arch, None);
    assert!(good.rows.iter().all(|r| r.passed()));
    for c in &good.configurations {
        assert!(c.unchanged.is_empty() && c.disagreement.is_none(), "{arch:?} {c:?}");
    }
    let dir = tempfile::tempdir().unwrap();
    let swept = masked(arch, Some(ignoring_variable(arch, dir.path())));
    let scalar = swept.configurations.iter().find(|c| c.capset == "scalar").unwrap();
    assert_eq!(scalar.unchanged, ["aes-128-cbc", "sha256"], "{arch:?}");
    assert!(scalar.disagreement.is_some(), "{arch:?}");
}

#[test]
fn a_library_that_ignores_armcap_is_detected() {
    assert_effect_of_variable_is_detected(Arch::Aarch64);
}

#[test]
fn a_library_that_ignores_riscvcap_is_detected() {
    assert_effect_of_variable_is_detected(Arch::Riscv64);
}

#[test]
fn a_library_that_ignores_ia32cap_is_detected() {
    assert_effect_of_variable_is_detected(Arch::X86_64);
}
