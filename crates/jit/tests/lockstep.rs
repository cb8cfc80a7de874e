//! Random programs over the whole table on the interpreter and the translating engine, with random budgets:
//! after each run all state is equal.
#![cfg(all(target_arch = "x86_64", unix))]

mod common;

use capvec_isa::decode::decode;
use capvec_isa::op::OPS;
use capvec_isa::row::Row;
use capvec_isa::{Class, Decoded, Ext, ExtSet, Op, encode};
use capvec_sim::mem::PAGE;
use capvec_sim::testing::Rng;
use capvec_sim::{Hart, Stop};
use common::{CODE, DATA, EAGER, Pair};

/// Instructions of a program.
const LENGTH: u64 = 48;

/// A word of `op` with random operands, if the first tries give a legal one.
fn word(rng: &mut Rng, op: Op, at: u64) -> Option<u32> {
    let row = op.row();
    if row.class == Class::Branch || row.base == Op::Jal {
        // Within the program.
        let target = rng.below(LENGTH * 2) as i64 * 2;
        let mut d = Decoded { imm: target - at as i64, ..Decoded::new(op) };
        (d.rd, d.rs1, d.rs2) = (0, rng.below(32) as u8, rng.below(32) as u8);
        return encode(&d).filter(|_| row.len == 4);
    }
    let word = any(rng, row)?;
    if !matches!(row.class, Class::Load | Class::Store) || row.len == 2 || rng.one_in(4) {
        return Some(word);
    }
    // Several accesses of a block share their base, and lie near each other.
    let mut d = decode(word, 64, Ext::all().collect()).ok()?;
    (d.rs1, d.imm) = (rng.pick(&[2, 8, 10, 20]), rng.below(96) as i64 - 32);
    encode(&d)
}

/// A legal word of the row, if the first tries give one.
fn any(rng: &mut Rng, row: &Row) -> Option<u32> {
    let all: ExtSet = Ext::all().collect();
    (0..8).find_map(|_| {
        let random = rng.next() as u32;
        let random = if row.len == 2 { random & 0xffff } else { random };
        let word = row.value | random & !row.mask;
        decode(word, 64, all).is_ok_and(|d| d.op == row.op).then_some(word)
    })
}

/// What the tests of the scalar part pick from: instructions that the translator knows come often.
fn scalar() -> Vec<Op> {
    let known = |op: &Op| {
        let class = op.row().class;
        use Class::{Alu, Branch, Jump, Load, Mul, Store};
        matches!(class, Alu | Branch | Jump | Load | Mul | Store) && op.row().xlen != 32
    };
    OPS.iter().copied().filter(known).collect()
}

fn all() -> Vec<Op> {
    OPS.iter().copied().filter(|op| op.row().xlen != 32).collect()
}

fn program(rng: &mut Rng, ops: &[Op]) -> Vec<u8> {
    let mut code = Vec::new();
    while (code.len() as u64) < LENGTH * 4 {
        let op = rng.pick(ops);
        let Some(word) = word(rng, op, code.len() as u64) else { continue };
        code.extend_from_slice(&word.to_le_bytes()[..op.row().len as usize]);
    }
    // Back to the start.
    let back = Decoded { imm: -(code.len() as i64), ..Decoded::new(Op::Jal) };
    code.extend_from_slice(&encode(&back).expect("a near jump").to_le_bytes());
    code
}

/// A value that programs have in registers: addresses near the borders of pages, and anything.
fn value(rng: &mut Rng) -> u64 {
    match rng.below(8) {
        0..4 => {
            let near = DATA + rng.below(7) * PAGE;
            near.wrapping_add(rng.below(64)).wrapping_sub(32)
        }
        4 => DATA + rng.below(2 * PAGE),
        5 => CODE + rng.below(LENGTH * 4),
        6 => rng.next() >> rng.below(64),
        _ => rng.next(),
    }
}

fn seed_registers(rng: &mut Rng, pair: &mut Pair) {
    let values: Vec<u64> = (0..32).map(|_| value(rng)).collect();
    pair.both(|h| (1..32).for_each(|r| h.write_x(r, values[r as usize])));
}

fn seed_rest(rng: &mut Rng, pair: &mut Pair) {
    let f: Vec<u64> = (0..32).map(|_| rng.next() | (rng.below(2) * 0xffff_ffff) << 32).collect();
    let mut v = vec![0; pair.jit.1.v.bytes(0).len()];
    rng.fill(&mut v);
    pair.both(|h| {
        h.f.copy_from_slice(&f);
        h.v.bytes_mut(0).copy_from_slice(&v);
    });
}

fn skip(h: &mut Hart, len: u64) {
    h.pc = h.pc.wrapping_add(len);
}

/// Runs random programs of these instructions, through their traps.
fn campaign(name: &str, ops: &[Op], vlen: u32, programs: u64) {
    let mut rng = Rng::new(name);
    let mut pair = Pair::new(vlen, EAGER);
    for _ in 0..programs {
        let code = program(&mut rng, ops);
        pair.load(&code);
        seed_registers(&mut rng, &mut pair);
        seed_rest(&mut rng, &mut pair);
        for _ in 0..60 {
            let budget = rng.below(40);
            if let Stop::Trap(_) = pair.run(budget) {
                let end = CODE + code.len() as u64;
                let (pc, inside) = (pair.jit.1.pc, (CODE..end).contains(&pair.jit.1.pc));
                let mut first = [0; 1];
                if inside && pair.jit.1.mem.read(pc, &mut first).is_ok() && pc & 1 == 0 {
                    let len = if first[0] & 3 == 3 { 4 } else { 2 };
                    pair.both(|h| skip(h, len));
                } else {
                    pair.both(|h| h.pc = CODE);
                }
                seed_registers(&mut rng, &mut pair);
            }
        }
        pair.compare_memory();
    }
}

#[test]
fn scalar_programs() {
    campaign("scalar_programs", &scalar(), 128, 1500);
}

#[test]
fn programs_over_the_whole_table() {
    campaign("programs_over_the_whole_table", &all(), 256, 1500);
}
