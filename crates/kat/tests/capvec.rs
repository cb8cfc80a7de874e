//! libcapvec in the guest: known answers on each path, capability strings that it must refuse, checks of its kernels.

use capvec_bench::capset::{self, CapSet};
use capvec_bench::case;
use capvec_bench::run::{Configuration, Runner};
use capvec_bench::sweep::{self, Gate, Plan};
use capvec_guest::Program;
use capvec_guest_tests::{ABI, BOUNDS, GUARD, MANY as MANY_PROGRAM};
use capvec_kat::VectorGate;
use capvec_targets::SubjectName;
use capvec_targets::backend::Work;
use capvec_timing::Core;
use std::sync::Arc;

/// Cases of block ciphers. 192-bit keys appear in one mode only.
const CASES: [&str; 29] = [
    "aes-128-ecb",
    "aes-192-ecb",
    "aes-256-ecb",
    "aes-128-cbc",
    "aes-256-cbc",
    "aes-128-ctr",
    "aes-256-ctr",
    "aes-128-xts",
    "aes-256-xts",
    "aes-128-gcm",
    "aes-256-gcm",
    "aes-128-ccm",
    "aes-256-ccm",
    "aes-128-ocb",
    "aes-256-ocb",
    "aes-128-cfb",
    "aes-256-cfb",
    "aes-128-ofb",
    "aes-256-ofb",
    "aes-128-cfb8",
    "aes-256-cfb1",
    "sm4-ecb",
    "sm4-cbc",
    "sm4-ctr",
    "sm4-cfb",
    "sm4-ofb",
    "sm4-gcm",
    "sm4-ccm",
    "sm4-xts",
];

fn runner(programs: &[Program]) -> (Core, Runner) {
    runner_on("ideal", programs)
}

fn runner_on(core: &str, programs: &[Program]) -> (Core, Runner) {
    let core = Core::load(core).unwrap();
    let runner =
        Runner::of(&SubjectName::Capvec, core.clone(), "trixie-riscv64", programs, &mut |_| ());
    (core, runner.unwrap())
}

/// Runs a program without input; returns what it prints.
fn run(runner: &Runner, program: Program, c: Configuration) -> String {
    runner.run(&c, Work::driver(program, String::new())).unwrap().stdout
}

/// Library and hart agree on the capabilities, in whatever form they are configured.
#[test]
fn the_library_uses_the_configured_capabilities() {
    let (core, runner) = runner(&[Program::Measure]);
    let ask = |caps: &str, line: &str| {
        let capset = CapSet::parse(caps, &core.isa).unwrap();
        let work = Work::driver(Program::Measure, format!("{line}\n"));
        runner.run(&Configuration::new(256, capset), work).map(|ended| ended.stdout)
    };
    for (caps, says) in [
        ("scalar", "library=OPENSSL_riscvcap=RV64GC\n"),
        ("zvkned", "library=OPENSSL_riscvcap=RV64GC_v_zvkned vlen:256\n"),
        ("string:RV64GCV_Zvkng", "RV64GC_v_zvkb_zvkg_zvkned_zvknha_zvknhb vlen:256\n"),
        ("rva22u64", "RV64GC_zba_zbb_zbs_zkt\n"),
    ] {
        let answer = ask(caps, "probe").unwrap();
        assert!(answer.ends_with(says), "{caps}: {answer}");
    }
    for bad in
        ["string:rv64gc_zvkz", "string:rv64gcz", "string:v_", "string:zvknedx", "string:v__zvkb"]
    {
        let died = ask(bad, "probe").unwrap_err().to_string();
        assert!(died.contains("status 1: CAPVEC_CAPS has a word"), "{bad}: {died}");
    }
}

/// Known answers for every case on every path, and about a dozen vectors in all forms. `capvec kat --subject capvec` checks
/// all vectors.
#[test]
fn every_path_gives_right_answers() {
    // Both directions of every case.
    check(&CASES, &["scalar", "zkn", "string:rv64gc_zbkb_zksed"], &[128], 2 * CASES.len());
    check(&CASES, &["full"], &[128, 512], 2 * CASES.len());
}

/// The same for hashes, message authentication codes and stream ciphers, on their paths.
#[test]
fn hashes_and_streams_give_right_answers() {
    let cases = [
        "ghash",
        "cmac-aes-128",
        "sha256",
        "sha512",
        "sha3-256",
        "sm3",
        "hmac-sha256",
        "poly1305",
        "chacha20",
    ];
    // ChaCha20 in both directions.
    check(
        &cases,
        &["string:rv64gc_zbb", "string:rv64gc_zbb_zknh_zksh", "string:rv64gc_v_zvkb_zvbc", "full"],
        &[128, 512],
        cases.len() + 1,
    );
}

/// The kernels that use a draft's vkeccak.vi, for every number of registers that a state can occupy.
#[test]
fn drafts_of_vkeccak_give_right_answers() {
    let cases = ["sha3-224", "sha3-256", "sha3-384", "sha3-512", "shake128", "shake256"];
    let sets = ["zvkk0p2024", "zvknhk0p1", "zvknhk0p2"];
    check(&cases, &sets, &[128, 256, 512, 1024, 2048], cases.len());
}

/// Those that use Zvkgs and Zvbc32e.
#[test]
fn drafts_for_ghash_give_right_answers() {
    let cases = ["ghash", "aes-128-gcm", "aes-192-gcm", "aes-256-gcm", "sm4-gcm"];
    // GCM in both directions.
    check(&cases, &["full_zvkgs0p7"], &[128, 256, 512, 1024, 2048], 2 * cases.len() - 1);
    check(&["ghash"], &["v_zvkb_zvbc32e0p7"], &[128, 256, 512, 1024, 2048], 1);
}

/// SLH-DSA's chains and trees by several states of Keccak at once: as many as a register has, and fewer at the end.
#[test]
fn several_hashes_of_slhdsa_give_right_answers() {
    check(&["slh-dsa-shake-128f"], &["v"], &[128, 512], 3);
    check(&["slh-dsa-shake-128f"], &["v_zvkb"], &[256], 3);
}

/// Checks `cases` with each of `sets` at each VLEN; they must have this number of operations.
fn check(cases: &[&str], sets: &[&str], vlens: &[u32], operations: usize) {
    let (core, runner) = runner(&[Program::Measure, Program::Check]);
    let owned = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
    let cases = case::select(&owned(cases)).unwrap();
    let wanted = capset::expand(&owned(sets), &cases, &core.isa).unwrap();
    let gate = Some(Arc::new(VectorGate::new(&cases, false, None).unwrap()) as Arc<dyn Gate>);
    let plan =
        Plan { cases, wanted, vlens: vlens.to_vec(), bytes: vec![256], gate, ..Plan::default() };
    let swept = sweep::run(&runner, &plan, None, &|| ()).unwrap();
    assert_eq!(swept.self_check, "exact");
    assert_eq!(swept.rows.len(), swept.configurations.len() * operations);
    for r in &swept.rows {
        assert!(
            r.passed() && r.subject == "capvec",
            "{} {} {}: {}",
            r.case,
            r.capset,
            r.vlen,
            r.answers
        );
    }
    for c in &swept.configurations {
        assert_eq!(c.disagreement, None, "{}", c.capset);
    }
}

/// Kernels preserve callee-saved registers, stack, vstart and vcsr. The program first checks that it detects violations.
#[test]
fn kernels_preserve_what_the_abi_requires() {
    let (core, runner) = runner(&[ABI]);
    for vlen in [128, 1024] {
        for caps in [
            "string:rv64gc_v_zbb_zknh_zksh",
            "string:rv64gc_v_zvbc_zvkb_zbkb_zbkc_zkne_zknd_zksed",
            "zvkned_zvksed_zvkb",
            "zvkk0p2024",
            "zvknhk0p1",
            "zvknhk0p2",
            "full_zvkgs0p7",
            "v_zvkb_zvbc32e0p7",
            "v_xcapvecmulq0p1",
            "full",
        ] {
            let capset = CapSet::parse(caps, &core.isa).unwrap();
            let text = run(&runner, ABI, Configuration::new(vlen, capset));
            assert!(text.starts_with("abi checked:"), "{caps}, VLEN {vlen}: {text}");
        }
    }
}

/// Capability sets, each with a VLEN, that together use every kernel: with more extensions, others would replace some.
const EVERY_KERNEL: [(&str, u32); 26] = [
    ("zvkk0p2024", 128),
    ("zvkk0p2024", 256),
    ("zvkk0p2024", 2048),
    ("v_zvkb_zvbc32e0p7", 128),
    ("v_zvkb_zvbc32e0p7", 512),
    ("full_zvkgs0p7", 128),
    ("full_zvkgs0p7", 1024),
    ("zvknhk0p1", 128),
    ("zvknhk0p1", 512),
    ("zvknhk0p2", 128),
    ("zvknhk0p2", 256),
    ("zvknhk0p2", 4096),
    ("string:rv64gc_zbb_zbkb_zbkc_zknd_zkne_zksed", 128),
    ("string:rv64gc_zbb_zknh_zksh", 128),
    ("string:rv64gc_v", 256),
    ("string:rv64gc_v_zvkned", 128),
    ("string:rv64gc_v_zvkned_zvkb_zvknha_zvbc", 512),
    ("string:rv64gc_v_zvkned_zvksed_zvkb_zvkg", 256),
    ("string:rv64gc_v_zvksed_zvkb_zvknhb_zvksh", 128),
    ("string:rv64gc_v_zvkned_zvksed_zvkb", 2048),
    ("string:rv64gc_v_zvkned_zvksed_zvkb", 4096),
    ("v_xcapvecmulq0p1", 128),
    ("v_xcapvecmulq0p1", 256),
    ("v_xcapvecmulq0p1", 1024),
    ("full", 128),
    ("full", 1024),
];

/// Kernels neither read nor write outside of their arguments, and compute the same as portable C. The program first checks
/// that it detects violations.
#[test]
fn kernels_stay_within_their_arguments() {
    let (core, runner) = runner(&[GUARD]);
    for (caps, vlen) in EVERY_KERNEL {
        let capset = CapSet::parse(caps, &core.isa).unwrap();
        let text = run(&runner, GUARD, Configuration::new(vlen, capset));
        assert!(text.starts_with("guard checked:"), "{caps}, VLEN {vlen}: {text}");
    }
}

/// Numbers that are reduced late stay within the bounds that the code relies on, and what comes out is reduced.
#[test]
fn lazy_reductions_stay_within_their_bounds() {
    let (core, runner) = runner(&[BOUNDS]);
    for (caps, vlen) in [
        ("scalar", 128),
        ("v", 128),
        ("v", 256),
        ("v", 512),
        ("v", 1024),
        ("v_xcapvecmulq0p1", 256),
    ] {
        let capset = CapSet::parse(caps, &core.isa).unwrap();
        let text = run(&runner, BOUNDS, Configuration::new(vlen, capset));
        assert!(text.starts_with("bounds checked:"), "{caps}, VLEN {vlen}: {text}");
    }
}

/// Cores with V, at their own VLEN, with subsets of their extensions that SHA-3 uses.
const MANY: [(&str, u32, &str); 10] = [
    ("karu64", 256, "v_zbb_zvkb"),
    ("karu64", 256, "v_zvkb"),
    ("karu64", 256, "v_zbb"),
    ("karu64", 256, "v"),
    ("marian", 512, "v_zvkb"),
    ("marian", 512, "v"),
    ("ux900", 128, "v_zbb_zvkb"),
    ("ux900", 128, "v_zvkb"),
    ("ux900", 128, "v_zbb"),
    ("ux900", 128, "v"),
];

/// Whether the set has all extensions of the core that ChaCha20 and Poly1305 can use: libcapvec's default is good then.
fn is_own(core: &str, set: &str) -> bool {
    set == if core == "marian" { "v_zvkb" } else { "v_zbb_zvkb" }
}

/// SHA-3 of many messages, ChaCha20 and Poly1305 use vectors where they are faster: always after tuning, and by default with
/// a loss of at most a tenth. Messages of 32 bytes may lose a fifth: at VLEN 128 with Zbb and Zvkb, batches of them would gain
/// 17 % on ux900, but on karu64 the same choice would cost 13 % with them and 29 % with messages of 1000 bytes.
#[test]
fn vectors_are_used_where_they_are_faster() {
    for (core, vlen, set) in MANY {
        let (core, runner) = runner_on(core, &[MANY_PROGRAM]);
        let capset = CapSet::parse(&format!("string:rv64gc_{set}"), &core.isa).unwrap();
        let text = run(&runner, MANY_PROGRAM, Configuration::new(vlen, capset));
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines.len(), 16 + 2 * 6, "{text}");
        for line in lines {
            let (messages, cycles) = line.split_once(": ").unwrap();
            let cycles: Vec<f64> = cycles.split(' ').map(|n| n.parse().unwrap()).collect();
            let [alone, vectors, chosen, tuned] = cycles[..] else { panic!("{line}") };
            let one = messages.starts_with(char::is_alphabetic);
            // With short messages, the cost of the call matters.
            let margin = if one || messages.ends_with(" 32") { 1.1 } else { 1.03 };
            let best = alone.min(vectors);
            assert!(tuned < margin * best, "{set}, {}: {line}", core.name);
            let default_is_good = !one || is_own(&core.name, set);
            let loss = if messages.ends_with(" 32") { 1.2 } else { 1.1 };
            assert!(chosen < loss * best || !default_is_good, "{set}, {}: {line}", core.name);
        }
    }
}

/// On `ideal` at VLEN 256, vectors are faster for Poly1305 of 16 kB. The default does not know this, but the driver tunes
/// the library before it measures.
#[test]
fn the_library_is_tuned_before_it_is_measured() {
    let (core, runner) = runner_on("ideal", &[Program::Measure]);
    let cases = case::select(&["poly1305".into()]).unwrap();
    let wanted = capset::expand(&["v".to_string()], &cases, &core.isa).unwrap();
    let plan = Plan { cases, wanted, vlens: vec![256], bytes: vec![16384], ..Plan::default() };
    let swept = sweep::run(&runner, &plan, None, &|| ()).unwrap();
    let row = swept.rows.iter().find(|r| r.capset == "v").unwrap();
    assert!(row.insns_per_op < Some(10_000.0), "{:?}", row.insns_per_op);
}

/// XTS has two ways to compute tweaks. The one with Zvkg is slower if a message has about as many blocks as there are lanes;
/// the way that libcapvec chooses costs at most a tenth more than the other one.
#[test]
fn zvkg_does_not_slow_xts_of_short_messages() {
    for (name, bytes) in
        [("karu64", vec![32, 64, 96]), ("marian", vec![64, 128, 400]), ("ux900", vec![32])]
    {
        let (core, runner) = runner_on(name, &[Program::Measure]);
        let cases = case::select(&["aes-128-xts".into()]).unwrap();
        let sets = ["zvkb_zvkned".to_string(), "zvkb_zvkg_zvkned".to_string()];
        let wanted = capset::expand(&sets, &cases, &core.isa).unwrap();
        let plan = Plan { cases, wanted, vlens: vec![core.vlen], bytes, ..Plan::default() };
        let swept = sweep::run(&runner, &plan, None, &|| ()).unwrap();
        for zvkg in swept.rows.iter().filter(|r| r.capset == sets[1]) {
            let same = |r: &&capvec_record::Row| {
                (r.bytes, &r.direction) == (zvkg.bytes, &zvkg.direction) && r.capset == sets[0]
            };
            let shifts = swept.rows.iter().find(same).unwrap();
            let [own, other] = [zvkg, shifts].map(|r| r.cycles_per_op.unwrap());
            assert!(own < 1.1 * other, "{name}, {} bytes: {own} and {other}", zvkg.bytes);
        }
    }
}
