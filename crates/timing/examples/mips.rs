//! How many guest instructions per second the interpreter executes, without and with core models: a loop of
//! loads, stores and integer instructions.

use capvec_isa::{Decoded, Op, encode};
use capvec_sim::mem::{Memory, Perm};
use capvec_sim::{Config, Hart};
use capvec_timing::Core;
use std::sync::Arc;
use std::time::Instant;

const CODE: u64 = 0x1_0000;
const DATA: u64 = 0x1_8000;
const ITERATIONS: u64 = 30_000_000;

fn word(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> u32 {
    let mut d = Decoded::new(op);
    (d.rd, d.rs1, d.rs2, d.imm) = (rd, rs1, rs2, imm);
    encode(&d).expect("operands have an encoding")
}

fn hart(core: &Core) -> Hart {
    let code = [
        word(Op::Lw, 5, 10, 0, 0),
        word(Op::Addi, 5, 5, 0, 3),
        word(Op::Xor, 6, 6, 5, 0),
        word(Op::Slli, 7, 6, 0, 13),
        word(Op::Srli, 8, 6, 0, 5),
        word(Op::Or, 7, 7, 8, 0),
        word(Op::Sw, 0, 10, 7, 4),
        word(Op::Addi, 11, 11, 0, -1),
        word(Op::Bne, 0, 11, 0, -32),
        word(Op::Ebreak, 0, 0, 0, 0),
    ];
    let mem = Memory::new().expect("address space");
    mem.map(CODE, 0x1_0000, Perm(7)).expect("pages");
    let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
    mem.write(CODE, &bytes).expect("mapped");
    let config = Config {
        xlen: 64,
        exts: core.isa.exts,
        vlen: core.vlen,
        agnostic: Default::default(),
        cache_block: 64,
        seed: 0,
        timebase: core.timebase,
        frequency: core.frequency,
    };
    let mut h = Hart::new(Arc::new(config), mem);
    h.pc = CODE;
    h.write_x(10, DATA);
    h.write_x(11, ITERATIONS);
    h
}

fn main() {
    for name in Core::names() {
        let core = Core::load(name).expect("built in");
        let mut h = hart(&core);
        let mut engine = core.engine(false);
        let start = Instant::now();
        engine.run(&mut h, u64::MAX);
        let mips = h.instret as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!("{name}: {} instructions, {} cycles, {mips:.0} MIPS", h.instret, h.cycles);
    }
}
