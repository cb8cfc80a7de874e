//! Accesses whose addresses are known to be aligned, or were known to be: the same cycles wherever they lie, and wherever one of them
//! traps.
#![cfg(all(translates, target_arch = "x86_64"))]

use crate::common::{CODE, DATA, EAGER, Pair, cores};
use capvec_isa::Op;
use capvec_jit::{Host, Options};
use capvec_sim::mem::PAGE;
use capvec_sim::testing::{Rng, word};
use capvec_timing::{Core, Setting};

/// Registers that hold addresses, among them the stack pointer.
const BASES: [u8; 3] = [2, 10, 11];

/// A loop of accesses relative to the bases, mostly neighbours of one kind, with arithmetic between them.
fn accesses(rng: &mut Rng) -> Vec<u8> {
    let mut words = Vec::new();
    while words.len() < 40 {
        let op = rng.pick(&[
            Op::Ld,
            Op::Ld,
            Op::Lw,
            Op::Lbu,
            Op::Lh,
            Op::Fld,
            Op::Sd,
            Op::Sd,
            Op::Sw,
            Op::Sh,
            Op::Sb,
            Op::Fsd,
        ]);
        let (base, size) = (rng.pick(&BASES), 1i64 << rng.below(4));
        let first = rng.below(48) as i64 * 8;
        for n in 0..1 + rng.below(9) as i64 {
            let step = if rng.one_in(8) { rng.below(200) as i64 } else { n * size };
            let imm = if rng.one_in(2) { first + step } else { first - step };
            // Some loads change the base of the next.
            let rd = if rng.one_in(24) { base } else { 12 + rng.below(8) as u8 };
            words.push(word(op, |d| (d.rd, d.rs1, d.rs2, d.imm) = (rd, base, rd, imm)));
            match rng.below(14) {
                0 => words.push(word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (base, base, 16))),
                1 => words.push(word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (base, base, -16))),
                2 => words.push(word(Op::Mul, |d| (d.rd, d.rs1, d.rs2) = (20, 12, 13))),
                3 => words.push(word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (11, 2, 8))),
                5 => words.push(word(Op::Addi, |d| {
                    (d.rd, d.rs1, d.imm) = (2, 2, rng.pick(&[4, -4, 2, 8, -2]))
                })),
                6 | 7 => {
                    words.push(word(Op::Andi, |d| (d.rd, d.rs1, d.imm) = (21, 12, 31)));
                    words.push(word(Op::Add, |d| (d.rd, d.rs1, d.rs2) = (10, 2, 21)));
                }
                4 => words.push(word(Op::Beq, |d| (d.rs1, d.rs2, d.imm) = (12, 13, 8))),
                _ => {}
            }
        }
    }
    let back = words.len() as i64 * -4;
    words.push(word(Op::Jal, |d| (d.rd, d.imm) = (0, back)));
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// An address from which most accesses are permitted, in some cases next to a page where they are not, and aligned in most.
fn address(rng: &mut Rng) -> u64 {
    let edge =
        rng.pick(&[512, PAGE - 64, PAGE, 2 * PAGE - 128, 2 * PAGE, 4 * PAGE, 5 * PAGE - 256]);
    let aligned = DATA + edge + rng.below(64) * 16 - 512;
    if rng.one_in(6) { aligned + rng.below(16) } else { aligned }
}

fn cores_of(rng: &mut Rng, n: usize) -> Core {
    let shipped = ["karu64", "sifive-u74", "spacemit-x60", "marian"];
    match shipped.get(n % 8) {
        Some(name) => {
            let core = Core::load(name).expect("a core that is built in");
            // Few sets, so that the accesses evict each other's lines.
            let size = Setting { key: "dcache.size".into(), value: "256".into() };
            let small = core.with(&[size]).ok().filter(|_| rng.one_in(2));
            Core { vlen: 128, ..small.unwrap_or(core) }
        }
        None => Core { vlen: 128, ..cores::random(rng) },
    }
}

#[test]
fn neighbours() {
    let mut rng = Rng::new("neighbours");
    let high = Host { low: false, ..Host::ALL };
    let hosts = [Host::ALL, Host::ALL, Host { faults: false, ..Host::ALL }, high, Host::NONE];
    for n in 0..400 {
        let core = cores_of(&mut rng, n);
        let options =
            Options { hot_threshold: rng.pick(&[0, 0, 3]), host: rng.pick(&hosts), ..EAGER };
        let mut pair = Pair::of(&core, options);
        pair.load(&accesses(&mut rng));
        for _ in 0..24 {
            let [sp, a, b] = [(); 3].map(|()| address(&mut rng));
            pair.both(|h| {
                h.pc = CODE;
                BASES.iter().zip([sp, a, b]).for_each(|(x, v)| h.write_x(*x, v));
            });
            pair.run(rng.below(400));
        }
        pair.compare_memory();
    }
}
