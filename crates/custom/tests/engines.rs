//! Both engines execute custom instructions alike, and give them the same cycles, in loops that mix them with
//! others.

use crate::{xbutterfly, xkeccak, xreach, xrotxor, xwiden};
use capvec_isa::custom::{Cost, Per};
use capvec_isa::{Decoded, Ext, Op};
use capvec_jit::Options;
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::{Memory, PAGE, Perm};
use capvec_sim::testing::{CODE, DATA, Rng, config, word};
use capvec_sim::{Cause, Engine, Hart, Stop};
use capvec_timing::{Core, Price};
use std::sync::Arc;

const EBREAK: u32 = 0x0010_0073;

/// A loop of 200 iterations over random instructions; x9 counts.
fn program(rng: &mut Rng) -> Vec<u32> {
    let (rotate, butterfly, keccak) = (&xrotxor().1, &xbutterfly().1, &xkeccak().1);
    let mut words = vec![
        word(Op::Addi, |d| (d.rd, d.imm) = (9, 200)),
        word(Op::Addi, |d| (d.rd, d.imm) = (8, 64)),
    ];
    let start = words.len();
    for _ in 0..20 {
        let x = |rng: &mut Rng| 10 + rng.below(8) as u8;
        let (rd, rs1, rs2) = (x(rng), x(rng), x(rng));
        let plain = |d: &mut Decoded| (d.rd, d.rs1, d.rs2) = (rd, rs1, rs2);
        let e16 = word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 8, 1 << 3 | 1));
        let e64 = word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 8, 3 << 3 | 3));
        let own = rng.pick(&rotate[..]);
        match rng.below(16) {
            0..=2 => words.push(word(own, |d| {
                plain(d);
                d.imm = rng.below(32) as i64;
            })),
            3 => words.push(word(Op::Addw, plain)),
            4 => words.push(word(Op::Mul, plain)),
            5 => words.extend([e16, word(butterfly[1], |d| (d.rd, d.rs2, d.rs1) = (8, 12, rs1))]),
            6 => words.extend([
                e16,
                word(butterfly[0], |d| (d.rd, d.rs2, d.rs1, d.vm) = (2, 4, 6, false)),
            ]),
            7 => words.extend([e64, word(keccak[0], |d| d.rd = 16)]),
            8 | 9 => widths(rng, rd, &mut words),
            _ => reach(rng, rd, &mut words),
        }
    }
    words.push(word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (9, 9, -1)));
    let back = -4 * (words.len() - start) as i64;
    words.push(word(Op::Bne, |d| (d.rs1, d.imm) = (9, back)));
    words.push(EBREAK);
    words
}

/// An instruction that accesses memory at x18 or after it, masks, or f registers.
fn reach(rng: &mut Rng, rd: u8, words: &mut Vec<u32>) {
    let own = rng.pick(&xreach().1[..]);
    let vector = own.row().class.is_vector();
    if vector {
        let sew = 2 + rng.below(2) as i64;
        words.push(word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 8, sew << 3 | 1)));
    }
    let (a, b) = (10 + rng.below(8) as u8, 10 + rng.below(8) as u8);
    words.push(match own.name() {
        "ldrev" => {
            let imm = rng.below(2048) as i64;
            word(own, |d| (d.rd, d.rs1, d.imm) = (rd, 18, imm))
        }
        "stpair" => word(own, |d| (d.rs1, d.rs2, d.rs3) = (19, a, b)),
        "addmem" => word(own, |d| (d.rd, d.rs1, d.rs2) = (rd, 19, a)),
        // v30 has indices; v0 is the mask.
        "vlut.v" => word(own, |d| (d.rd, d.rs1, d.rs2, d.vm) = (24, 18, 30, a > 12)),
        "vsgap.v" => word(own, |d| (d.rs3, d.rs1, d.rs2, d.vm) = (20, 18, 20, a > 12)),
        _ if vector => word(own, |d| (d.rd, d.rs2, d.rs1) = (26, 24, if b > 13 { 2 } else { 12 })),
        "fsign.s" => word(own, |d| (d.rd, d.rs1, d.rs2) = (b & 3, a & 3, a)),
        _ => word(own, |d| (d.rd, d.rs1, d.rs2) = (a & 3, b & 3, 2)),
    });
}

/// An instruction with operands of two widths, or with a result in an x or f register.
fn widths(rng: &mut Rng, rd: u8, words: &mut Vec<u32>) {
    let own = rng.pick(&xwiden().1[..]);
    let sew = if own.name() == "vnmont.w" { 1 } else { 2 };
    words.push(word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 8, sew << 3 | 1)));
    let vm = rng.below(2) == 0 || own.name() == "vpick.f";
    words.push(match own.name() {
        "vwclmacc.vv" => word(own, |d| (d.rd, d.rs1, d.rs2, d.vm) = (4, 26, 24, vm)),
        "vnmont.w" => word(own, |d| (d.rd, d.rs2, d.vm) = (24, 4, vm)),
        _ => word(own, |d| (d.rd, d.rs1, d.rs2, d.vm) = (rd, 9, 26, vm)),
    });
}

fn hart(vlen: u32, code: &[u32]) -> Hart {
    let exts = [xrotxor().0, xbutterfly().0, xkeccak().0, xreach().0, xwiden().0, Ext::V, Ext::M];
    let mem = Memory::new().expect("address space");
    mem.map(CODE, PAGE, Perm::R.union(Perm::X)).expect("code page");
    mem.map(DATA, 16 * PAGE, Perm::RW).expect("data pages");
    let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
    mem.write_as(CODE, &bytes, Perm::NONE).expect("the words fit in a page");
    let mut h = Hart::new(Arc::new(config(&exts, vlen, Agnostic::Ones)), mem);
    h.pc = CODE;
    let mut rng = Rng::seeded(7);
    for r in 10..18 {
        h.write_x(r, rng.next());
    }
    for n in 0..32 * u64::from(vlen) / 64 {
        h.v.set(0, n, rng.next());
    }
    for n in 0..2 * u64::from(vlen) / 64 {
        h.v.set(30, n, rng.next() & 0xff);
    }
    for (r, x) in [(18, DATA), (19, DATA + 4096 - 12), (20, 36)] {
        h.write_x(r, x);
    }
    h
}

fn finish(engine: &mut dyn Engine, h: &mut Hart) {
    // Short budgets: the engines also stop within the loop.
    loop {
        match engine.run(h, 77) {
            Stop::Budget | Stop::Paused(_) => {}
            Stop::Trap(trap) => return assert_eq!(trap.cause, Cause::Breakpoint, "{trap:?}"),
        }
    }
}

#[test]
fn both_engines_agree_in_state_and_cycles() {
    let mut rng = Rng::new("both_engines_agree_in_state_and_cycles");
    let (rotate, butterfly) = (xrotxor().1[0], xbutterfly().1[0]);
    let other = Cost::Vector { per: Per::Element, first: 3, next: 2 };
    let none: &[(Op, Price)] = &[];
    let free = [(rotate, Price::Free), (butterfly, Price::Free), (Op::Vsetvli, Price::Free)];
    let priced = [
        (rotate, Price::Cost(Cost::Scalar { latency: 5, occupancy: 2 })),
        (butterfly, Price::Cost(other)),
    ];
    for (core, prices) in [
        ("ideal", none),
        ("karu64", none),
        ("ux900", none),
        ("karu64", &free[..]),
        ("ux900", &free[..]),
        ("karu64", &priced[..]),
        ("ux900", &priced[..]),
    ] {
        for vlen in [256, 512] {
            let core = Core { vlen, ..Core::load(core).expect("a core that is built in") };
            let core = core.priced("other prices", prices);
            for _ in 0..10 {
                let code = program(&mut rng);
                let (mut a, mut b) = (hart(vlen, &code), hart(vlen, &code));
                finish(&mut *core.engine(false), &mut a);
                let options =
                    Options { hot_threshold: 0, code_bytes: 1 << 20, ..Options::default() };
                let jit = capvec_jit::engine(options, core.timing());
                let Some(mut jit) = capvec_util::testing::found("jit", jit) else { return };
                finish(&mut *jit, &mut b);
                assert_eq!((a.instret, a.cycles), (b.instret, b.cycles), "{}", core.name);
                for r in 0..32 {
                    assert_eq!(a.x(r), b.x(r), "x{r}");
                }
                assert_eq!((a.v.bytes(0), a.f), (b.v.bytes(0), b.f));
                let memory = |h: &Hart| {
                    let mut bytes = vec![0; 16 * PAGE as usize];
                    h.mem.read(DATA, &mut bytes).map(|()| bytes)
                };
                assert_eq!(memory(&a), memory(&b));
            }
        }
    }
}
