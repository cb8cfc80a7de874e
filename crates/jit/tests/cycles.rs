//! Equal cycles after every piece of a run, on every shipped core and on cores with random parameters.
#![cfg(all(translates, target_arch = "x86_64"))]

use crate::common::campaign::campaign;
use crate::common::programs::{all, program, scalar, words};
use crate::common::{DATA, EAGER, Pair, cores};
use capvec_isa::Op;
use capvec_jit::{Host, Options};
use capvec_sim::testing::{Rng, word};
use capvec_sim::{Cause, Stop};
use capvec_timing::{Core, Model, Setting};

#[test]
fn programs_on_cores() {
    for core in Core::names() {
        for (name, vlen, ops) in [("scalar", 128, scalar()), ("all", 256, all())] {
            for (hot_threshold, programs) in [(0, 300), (2, 200)] {
                let pair = Pair::on(core, vlen, Options { hot_threshold, count: true, ..EAGER });
                let name = format!("programs_on_cores {core} {name} {hot_threshold}");
                campaign(&name, pair, programs, |rng| program(rng, &ops));
            }
        }
    }
}

#[test]
fn programs_on_random_cores() {
    let mut rng = Rng::new("programs_on_random_cores");
    for n in 0..150 {
        let core = Core { vlen: 128, ..cores::random(&mut rng) };
        let ops = if rng.one_in(2) { scalar() } else { all() };
        let of_words = rng.one_in(3);
        let name = format!("programs_on_random_cores {n}");
        // Tagged tables use AVX-512, AVX2, or neither; the model's state may lie at any address.
        let high = Host { low: false, ..Host::ALL };
        let hosts = [Host::ALL, Host { avx512: false, ..Host::ALL }, high, Host::NONE];
        let host = rng.pick(&hosts);
        let options = Options { hot_threshold: rng.below(4) as u8, host, ..EAGER };
        campaign(&name, Pair::of(&core, options), 8, |rng| {
            if of_words { words(rng) } else { program(rng, &ops) }
        });
    }
}

/// An instruction with these registers and this immediate.
fn x(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> u32 {
    word(op, |d| (d.rd, d.rs1, d.rs2, d.imm) = (rd, rs1, rs2, imm))
}

/// A loop over pseudo-random addresses; among the accesses are vector instructions that depend on each other.
fn wandering() -> Vec<u8> {
    let words = [
        // 32-bit elements in groups of eight registers, long enough for the queue to fill.
        word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 0, 0xd3)),
        x(Op::Mul, 12, 12, 13, 0),
        x(Op::Addi, 12, 12, 0, 77),
        x(Op::Srli, 14, 12, 0, 20),
        x(Op::And, 14, 14, 15, 0),
        x(Op::Add, 14, 14, 10, 0),
        x(Op::Addi, 17, 14, 0, 512),
        x(Op::VmulVv, 8, 8, 16, 0),
        x(Op::Ld, 5, 14, 0, 8),
        x(Op::VaddVv, 16, 8, 8, 0),
        x(Op::Sw, 0, 14, 12, 16),
        x(Op::Lbu, 6, 10, 0, 3),
        x(Op::VmulVv, 24, 8, 16, 0),
        x(Op::Sd, 0, 14, 5, 64),
        x(Op::Vle32V, 24, 17, 0, 0),
        x(Op::Lw, 6, 10, 0, 4),
        word(Op::Vse32V, |d| (d.rs1, d.rs3) = (14, 8)),
        word(Op::Vlse32V, |d| (d.rd, d.rs1, d.rs2) = (24, 17, 18)),
        x(Op::Ld, 6, 10, 0, 8),
        word(Op::Vsse32V, |d| (d.rs3, d.rs1, d.rs2) = (24, 17, 18)),
        x(Op::VmulVv, 8, 24, 16, 0),
        x(Op::Andi, 7, 12, 0, 256),
        x(Op::Bne, 0, 7, 0, 8),
        x(Op::Lh, 6, 14, 0, 128),
        x(Op::Jal, 0, 0, 0, -96),
    ];
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

#[test]
fn wandering_loops_on_random_cores() {
    let mut rng = Rng::new("wandering_loops_on_random_cores");
    for n in 0..150 {
        let mut core = Core { vlen: 128, ..cores::random(&mut rng) };
        if n % 4 == 0 {
            // What traps does not depend on the model.
            core.model = Model::Ideal;
        }
        let mut pair = Pair::of(&core, EAGER);
        pair.load(&wandering());
        let factor = rng.next() | 1;
        let stride = rng.pick(&[0, 4, 7, 12, 64, 100, 8u64.wrapping_neg()]);
        let mask = rng.pick(&[0x3f8, 0x7fc, 0xff8, 0x7ff]);
        pair.both(|h| {
            h.write_x(10, DATA);
            h.write_x(13, factor);
            h.write_x(15, mask);
            h.write_x(18, stride);
        });
        for _ in 0..40 {
            if let Stop::Trap(trap) = pair.run(rng.below(2000)) {
                // Goes on after the access.
                let causes = [Cause::LoadMisaligned, Cause::StoreMisaligned];
                assert!(causes.contains(&trap.cause), "{trap:?} {core:?}");
                pair.both(|h| h.pc += 4);
            }
        }
    }
}

/// Loads at pseudo-random addresses, some of them misaligned. Most of them miss a small direct-mapped cache, so code that
/// is translated after enough entries counts them without branches.
#[test]
fn loads_that_often_miss() {
    let words = [
        x(Op::Mul, 12, 12, 13, 0),
        x(Op::Addi, 12, 12, 0, 77),
        x(Op::Srli, 14, 12, 0, 20),
        x(Op::And, 14, 14, 15, 0),
        x(Op::Add, 14, 14, 10, 0),
        x(Op::Ld, 5, 14, 0, 0),
        x(Op::Lbu, 6, 14, 0, 1027),
        x(Op::Sd, 0, 14, 5, 64),
        x(Op::Lw, 6, 10, 0, 4),
        x(Op::Lh, 6, 14, 0, 512),
        // Nearby.
        x(Op::Ld, 6, 2, 0, 0),
        x(Op::Jal, 0, 0, 0, -44),
    ];
    let code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut rng = Rng::new("loads_that_often_miss");
    let karu64 = Core::load("karu64").expect("a core that is built in");
    for _ in 0..40 {
        let line = 8 << rng.below(4);
        let [size, line] = [line << rng.below(5), line].map(|n| n.to_string());
        let of = |key: &str, value| Setting { key: key.into(), value };
        let cache = [of("dcache.size", size), of("dcache.line", line)];
        let core = karu64.with(&cache).unwrap_or_else(|e| panic!("{e}"));
        let mut pair = Pair::of(&core, Options { hot_threshold: 32, ..EAGER });
        pair.load(&code);
        let (factor, mask) = (rng.next() | 1, rng.pick(&[0x7f8, 0x7fc, 0x7ff]));
        pair.both(|h| {
            for (x, v) in [(10, DATA), (2, DATA), (13, factor), (15, mask)] {
                h.write_x(x, v);
            }
        });
        for _ in 0..20 {
            assert_eq!(pair.run(rng.below(2000)), Stop::Budget);
        }
    }
}

/// Pieces of code that jump to one of two others, as pseudo-random numbers say. Many miss a small direct-mapped instruction cache, so
/// code that is translated after enough entries counts that without branches.
#[test]
fn fetching_that_often_misses() {
    const PIECE: i64 = 256;
    let mut rng = Rng::new("fetching_that_often_misses");
    let karu64 = Core::load("karu64").expect("a core that is built in");
    for _ in 0..30 {
        let mut code = Vec::new();
        for piece in 0..16 {
            let mut jump = |from: i64| {
                x(Op::Jal, 0, 0, 0, rng.below(16) as i64 * PIECE - piece * PIECE - from * 4)
            };
            let mut words = vec![
                x(Op::Mul, 12, 12, 13, 0),
                x(Op::Addi, 12, 12, 0, 77),
                x(Op::Srli, 14, 12, 0, 40),
                x(Op::Andi, 14, 14, 0, 1),
                x(Op::Beq, 0, 14, 0, 12),
                x(Op::Addi, 16, 16, 0, 1),
                jump(6),
                x(Op::Xor, 17, 17, 12, 0),
                jump(8),
            ];
            words.resize(PIECE as usize / 4, 0);
            code.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        }
        let line = 8 << rng.below(4);
        let [size, line] = [line << rng.below(5), line].map(|n| n.to_string());
        let of = |key: &str, value| Setting { key: key.into(), value };
        let cache = [of("icache.size", size), of("icache.line", line)];
        let core = karu64.with(&cache).unwrap_or_else(|e| panic!("{e}"));
        let host = Host { low: rng.one_in(2), ..Host::ALL };
        let mut pair = Pair::of(&core, Options { hot_threshold: 32, count: true, host, ..EAGER });
        pair.load(&code);
        let factor = rng.next() | 1;
        pair.both(|h| h.write_x(13, factor));
        for _ in 0..20 {
            assert_eq!(pair.run(rng.below(4000)), Stop::Budget);
        }
        pair.compare_histograms();
    }
}
