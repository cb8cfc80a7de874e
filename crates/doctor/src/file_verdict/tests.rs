//! Verdicts on made-up scans.

use super::*;
use capvec_binscan::{Call, Constant, Evidence, Library, Use};

/// The scan of a file in which nothing was found.
pub fn empty() -> Report {
    Report {
        machine: Machine::X86_64,
        linkage: Linkage::Dynamic,
        stripped: true,
        soname: None,
        needed: Vec::new(),
        libraries: Vec::new(),
        calls: Vec::new(),
        uses: Vec::new(),
        constants: Vec::new(),
        code_bytes: 100,
    }
}

fn constant(what: &'static str, family: Family) -> Constant {
    Constant { what, family, offset: 0 }
}

fn library(name: &str) -> Library {
    Library { name: name.into(), version: String::new(), evidence: Evidence::Strings }
}

fn aes(extension: &'static str, family: Family) -> Use {
    let functions = Vec::new();
    let sure = true;
    Use { extension, family, count: 10, clusters: 1, largest: 10, address: 0, functions, sure }
}

/// A verdict mentions only findings, and only a library in which accelerated code is known to be missing is slow.
#[test]
fn unrecognised_code_is_not_reported_as_missing() {
    let libcrypto = || vec![Call { library: "libcrypto.so.3".into(), by: Means::Needed }];
    let sha = || vec![constant("SHA-256 constants", Family::Sha2)];
    let chacha = || vec![constant("ChaCha20 or Salsa20 constants", Family::General)];
    for (scan, verdict, words) in [
        (empty(), UNRECOGNISED, "that capvec knows"),
        (Report { code_bytes: 0, ..empty() }, UNRECOGNISED, "no code"),
        (Report { uses: vec![aes("pclmul", Family::Ghash)], ..empty() }, UNRECOGNISED, "checksums"),
        (Report { calls: libcrypto(), ..empty() }, CALLS, "calls libcrypto.so.3"),
        (Report { constants: sha(), ..empty() }, COMPUTES, "no instruction for SHA-2"),
        (
            Report { constants: sha(), calls: libcrypto(), ..empty() },
            COMPUTES,
            "; calls libcrypto.so.3",
        ),
        (Report { constants: chacha(), ..empty() }, COMPUTES, "has no dedicated instruction"),
        (Report { uses: vec![aes("aesni", Family::Aes)], ..empty() }, ACCELERATED, "code for AES"),
        (
            Report { uses: vec![aes("zvkg", Family::Ghash)], ..empty() },
            ACCELERATED,
            "code for GHASH",
        ),
        (Report { machine: Machine::Other, constants: sha(), ..empty() }, NOT_LOOKED_AT, "SHA-256"),
        (
            Report { libraries: vec![library("RustCrypto chacha20")], ..empty() },
            COMPUTES,
            "RustCrypto chacha20",
        ),
    ] {
        let j = judge(&scan, &Processor::Unknown(scan.machine));
        assert_eq!((j.verdict, j.slower), (verdict, false), "{}", j.why);
        assert!(j.why.contains(words) && j.remedy.is_none(), "{}", j.why);
    }
    let built = Report { libraries: vec![library("OpenSSL")], ..empty() };
    let j = judge(&built, &Processor::Unknown(Machine::X86_64));
    assert_eq!((j.verdict, j.slower), (NOT_BUILT, true));
    assert!(j.remedy.is_some_and(|r| r.contains("OpenSSL")));
}

/// Code that the processor cannot execute accelerates nothing there.
#[test]
fn code_that_the_processor_cannot_execute_does_not_accelerate() {
    let of = |text: &str| {
        let isa: capvec_isa::Isa = text.parse().unwrap();
        Processor::Core { name: "mine".into(), exts: isa.exts }
    };
    let both = Report {
        machine: Machine::Riscv64,
        uses: vec![aes("zvkned", Family::Aes), aes("zvknha", Family::Sha2)],
        ..empty()
    };
    let j = judge(&both, &of("rv64gcv_zvkned_zvknha"));
    assert_eq!((j.verdict, j.why.as_str()), (ACCELERATED, "code for AES, SHA-2"));
    let j = judge(&both, &of("rv64gcv_zvkned"));
    assert_eq!(j.verdict, ACCELERATED);
    assert_eq!(j.why, "code for AES; also for SHA-2, but the core mine lacks zvknha");
    assert_eq!(j.lacking, ["zvknha"]);
    let j = judge(&both, &of("rv64gcv"));
    assert_eq!((j.verdict, j.slower), (LACKING, false));
    assert_eq!(j.lacking, ["zvkned", "zvknha"]);
    assert!(j.why.contains("uses zvkned, zvknha, which the core mine lacks"), "{}", j.why);
    // One of two extensions for the same algorithm is enough.
    let either =
        Report { uses: vec![aes("zknd", Family::Aes), aes("zvkned", Family::Aes)], ..both.clone() };
    let j = judge(&either, &of("rv64gcv_zvkned"));
    assert_eq!((j.why.as_str(), j.lacking.is_empty()), ("code for AES", true));
    // The verdict names the extension that its other code needs, and not one that it can do without.
    let also_sm3 =
        Report { uses: [&either.uses[..], &[aes("zvksh", Family::Sm3)]].concat(), ..both.clone() };
    let j = judge(&also_sm3, &of("rv64gcv_zvkned"));
    assert_eq!(j.why, "code for AES; also for SM3, but the core mine lacks zvksh");
    // Carry-less multiplication alone is not acceleration, even if the processor has nothing else.
    let clmul = Report {
        uses: vec![aes("zbc", Family::Ghash), aes("zvkned", Family::Aes)],
        ..both.clone()
    };
    assert_eq!(judge(&clmul, &of("rv64gc_zbc")).verdict, LACKING);
}

/// A file for another architecture can be scanned, but accelerates nothing here, whatever is known about the processor.
#[test]
fn code_of_another_architecture_does_not_accelerate() {
    let isa: capvec_isa::Isa = "rv64gc".parse().unwrap();
    let core = Processor::Core { name: "mine".into(), exts: isa.exts };
    let host =
        Processor::Host { machine: Machine::Riscv64, shown: [("zvkned".to_string(), true)].into() };
    let x86 = Report { uses: vec![aes("aesni", Family::Aes)], ..empty() };
    for processor in [core, host, Processor::Unknown(Machine::Aarch64)] {
        let j = judge(&x86, &processor);
        assert_eq!((j.verdict, j.slower), (OTHER_ARCHITECTURE, false));
        assert_eq!(
            j.why,
            "has accelerated code for AES, but for x86_64, which is not this target's architecture"
        );
    }
}

#[test]
fn some_crates_have_no_code_that_could_be_missing() {
    use Machine::{Aarch64, Riscv64};
    assert!(!could_have(Riscv64, "RustCrypto sha3") && could_have(Aarch64, "RustCrypto sha3"));
    assert!(!could_have(Riscv64, "Go crypto (x/chacha20poly1305, x/chacha20)"));
    assert!(could_have(Riscv64, "Go crypto (aes, x/chacha20)"));
    assert!(could_have(Riscv64, "OpenSSL") && could_have(Riscv64, "ring"));
}
