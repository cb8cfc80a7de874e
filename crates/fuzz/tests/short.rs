//! Every target on its corpus and on mutations of it. `CAPVEC_SEED` selects the mutations, `CAPVEC_FUZZ_ROUNDS` their
//! number, and `CAPVEC_FUZZ_TARGET` a single target.

use capvec_fuzz::TARGETS;
use capvec_sim::testing::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", dir.display());
    files.iter().map(|f| std::fs::read(f).unwrap()).collect()
}

/// Makes a few changes: flips bits, replaces bytes, sets words to edge values, moves, drops and repeats parts.
fn mutate(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut data = seeds[rng.below(seeds.len() as u64) as usize].clone();
    for _ in 0..1 + rng.below(6) {
        if data.is_empty() {
            data.push(rng.next() as u8);
        }
        let at = rng.below(data.len() as u64) as usize;
        let end = (at + 1 + rng.below(16) as usize).min(data.len());
        match rng.below(6) {
            0 => data[at] ^= 1 << rng.below(8),
            1 => data[at] = rng.next() as u8,
            2 => {
                let value =
                    rng.pick(&[0, 1, u64::MAX, 1 << 63, i64::MAX as u64, 4096, rng_edge(at)]);
                let bytes = value.to_le_bytes();
                let n = bytes.len().min(data.len() - at);
                data[at..at + n].copy_from_slice(&bytes[..n]);
            }
            3 => drop(data.drain(at..end)),
            4 => {
                let piece = data[at..end].to_vec();
                let to = rng.below(data.len() as u64) as usize;
                data.splice(to..to, piece);
            }
            _ => {
                let other = &seeds[rng.below(seeds.len() as u64) as usize];
                let from = rng.below(other.len() as u64 + 1) as usize;
                data.splice(at..end, other[from..].iter().copied().take(64));
            }
        }
    }
    data
}

/// A number close to the position, as offsets and lengths usually are.
fn rng_edge(at: usize) -> u64 {
    at as u64 + 1
}

fn check(name: &str, target: fn(&[u8]), data: &[u8]) {
    if let Err(cause) = catch_unwind(AssertUnwindSafe(|| target(data))) {
        let hex: String = data.iter().map(|b| format!("{b:02x}")).collect();
        eprintln!("{name} fails on {hex}");
        std::panic::resume_unwind(cause);
    }
}

fn rounds() -> u64 {
    std::env::var("CAPVEC_FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

#[test]
fn no_target_fails_on_its_corpus_or_near_it() {
    let mut rng = Rng::new("fuzz");
    let only = std::env::var("CAPVEC_FUZZ_TARGET").ok();
    let chosen: Vec<_> =
        TARGETS.iter().filter(|t| only.as_ref().is_none_or(|only| only == t.0)).collect();
    assert!(!chosen.is_empty(), "CAPVEC_FUZZ_TARGET: there is no target {only:?}");
    for (name, target) in chosen {
        let seeds = corpus(name);
        seeds.iter().for_each(|data| check(name, *target, data));
        for _ in 0..rounds() {
            check(name, *target, &mutate(&mut rng, &seeds));
        }
    }
}

/// The table in docs/soundness.md, to which ARCHITECTURE.md refers.
#[test]
fn the_page_on_soundness_lists_every_target() {
    let page = include_str!("../../../docs/soundness.md");
    let section = page.split("\n## Fuzzing\n").nth(1).expect("a section");
    let section = section.split("\n## ").next().expect("its text");
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let mut listed: Vec<&str> =
        cells.flat_map(|cell| cell.trim_end_matches('`').split("`, `")).collect();
    listed.sort_unstable();
    let targets: Vec<&str> = TARGETS.iter().map(|target| target.0).collect();
    assert_eq!(listed, targets);
}
