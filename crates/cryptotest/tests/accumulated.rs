//! Digests over many runs of the post-quantum schemes. Those of ML-KEM-768 are known from Go (`TestAccumulated` of crypto/mlkem),
//! those of ML-DSA from C2SP's test vectors (CCTV, ML-DSA/accumulated). The others are RustCrypto's.

use capvec_cryptotest::accumulated::schemes;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Parameter set, number of runs, digest.
type Known = (&'static str, usize, &'static str);

/// Digests over so few runs that they are checked every time, except for the sets of SLH-DSA with small signatures.
const SHORT: [Known; 18] = [
    ("ML-KEM-512", 100, "86b1b4703b8ffef6f7f3290c6dbce4ad954498a0673ded401a94828e8c519a59"),
    ("ML-KEM-768", 100, "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415"),
    ("ML-KEM-1024", 100, "800018fec3e2723f73f1d657fe239b4d5d8782efaade297e8cd448e54cc2ac00"),
    ("ML-DSA-44", 100, "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4"),
    ("ML-DSA-65", 100, "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199"),
    ("ML-DSA-87", 100, "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b"),
    ("Sha2_128f", 1, "d46179c36ae4dd384fcb643197d03072026a863206a1f480f464b063bad78689"),
    ("Sha2_192f", 1, "7da05b7f83e1d9805498f51fd16e383b85d084d5d7961ed4adbb95abac7c51a6"),
    ("Sha2_256f", 1, "b416661cbe283db75c29968e4af165142d597dacdd4f3a2ecaa83d1910fc629a"),
    ("Shake128f", 1, "7667d6c57b9131ae95770adcc8c2ca6db56f7c36c59b92d9302e9132e50e6a0e"),
    ("Shake192f", 1, "74f95f480dbfd26980e90e876819232f9d7c9e6cff184bda2b1b9b83a2e27b34"),
    ("Shake256f", 1, "cd38e02e1c444faa4cae22c1906cbd9da12bd378220d684109cdadd6d6615f2f"),
    ("Sha2_128s", 1, "3272dcc911ce014a389e2c34725d88b75fb518f704b248247048739db45dbf13"),
    ("Sha2_192s", 1, "42f64723946d119542eb98f7226159c9f2abd16d3f680d1896eb9ee3471ad1ee"),
    ("Sha2_256s", 1, "a4503c19b6d6c6b6c8d819251e5a74f43fbe3bd9a1ebd2a18399d35842ecc445"),
    ("Shake128s", 1, "fc5ab84dd7bc09be295de48896d8b6a4d941949024dfabba6c8fdf91db0c7ba0"),
    ("Shake192s", 1, "47966af7ec75b3fc6b6bb600ed79e6b6bd91e162da3ba9d2b7e39258d4e28f42"),
    ("Shake256s", 1, "f7ef82d3ec907615209da6b25f8f78a0b465a9a5d7cbfcd8ad54b457037d8367"),
];

/// Digests over many runs; of ML-KEM-512 and -1024, RustCrypto's.
const LONG: [Known; 6] = [
    ("ML-KEM-512", 10_000, "e0112db334d4240ca6feed5b0beab1318925edd4ff7d840c2ebe6d61971fc14c"),
    ("ML-KEM-768", 10_000, "8a518cc63da366322a8e7a818c7a0d63483cb3528d34a4cf42f35d5ad73f22fc"),
    ("ML-KEM-1024", 10_000, "f1a3925c9cf8538bb104c56efb2f5ecb74cc3df25087460b73f6c873e96bcb6a"),
    ("ML-DSA-44", 10_000, "e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143"),
    ("ML-DSA-65", 10_000, "5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329"),
    ("ML-DSA-87", 10_000, "80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60"),
];

/// Runs of a set of SLH-DSA in the long test: RustCrypto takes up to seconds for each.
const SLOW: usize = 100;

fn check(of: impl Fn(&str) -> bool) {
    let schemes = schemes();
    assert_eq!(schemes.len(), SHORT.len());
    for (scheme, (name, runs, digest)) in schemes.iter().zip(SHORT).filter(|(s, _)| of(s.name)) {
        assert_eq!((scheme.name, scheme.library(runs).as_str()), (name, digest));
    }
}

/// Whether it is a set of SLH-DSA with small signatures, each of which takes seconds.
fn is_small(name: &str) -> bool {
    name.ends_with('s')
}

#[test]
fn short_digests_are_the_known_ones() {
    check(|name| !is_small(name));
}

/// `slhdsa::small_sets_give_rustcryptos_signatures` always runs.
#[test]
#[ignore = "half a minute: make test-long"]
fn digests_of_small_sets_are_the_known_ones() {
    check(is_small);
}

/// The bare programs (crates/cli/tests/bare_pqc.rs) do one run of ML-KEM and ML-DSA.
#[test]
fn one_run_agrees_with_rustcrypto() {
    for scheme in schemes().iter().filter(|s| s.name.starts_with("ML-")) {
        let digest = scheme.library(1);
        println!("{} {digest}", scheme.name);
        assert_eq!(digest, scheme.oracle(1), "{}", scheme.name);
    }
}

/// `CAPVEC_RUNS` sets another number of runs, which are then only compared with RustCrypto's; `CAPVEC_SETS` names the parameter sets.
#[test]
#[ignore = "10,000 runs of each set of ML-KEM and ML-DSA, 100 of SLH-DSA, of RustCrypto too: make pqc-digests"]
fn long_digests_are_those_of_rustcrypto() {
    let runs: Option<usize> =
        std::env::var("CAPVEC_RUNS").ok().map(|n| n.parse().expect("CAPVEC_RUNS is a number"));
    let (mut schemes, next) = (schemes(), AtomicUsize::new(0));
    if let Ok(sets) = std::env::var("CAPVEC_SETS") {
        schemes.retain(|scheme| sets.split(',').any(|set| set == scheme.name));
        assert!(!schemes.is_empty(), "CAPVEC_SETS names no parameter set: {sets}");
    }
    let work = || {
        while let Some(scheme) = schemes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let known = LONG.iter().find(|known| known.0 == scheme.name);
            let runs = runs.unwrap_or(known.map_or(SLOW, |known| known.1));
            let start = Instant::now();
            let digest = scheme.library(runs);
            println!(
                "{}: {runs} runs, {digest}; {:.1} s",
                scheme.name,
                start.elapsed().as_secs_f64()
            );
            if let Some(known) = known.filter(|known| known.1 == runs) {
                assert_eq!(digest, known.2, "{}", scheme.name);
            }
            let start = Instant::now();
            assert_eq!(digest, scheme.oracle(runs), "{}, {runs} runs", scheme.name);
            println!("{}: RustCrypto's, too; {:.1} s", scheme.name, start.elapsed().as_secs_f64());
        }
    };
    std::thread::scope(|scope| {
        (0..2).for_each(|_| drop(scope.spawn(work)));
    });
}
