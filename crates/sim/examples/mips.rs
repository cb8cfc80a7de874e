use capvec_isa::{Decoded, Ext, ExtSet, Op, encode};
use capvec_sim::{Config, Engine, Hart, Interpreter, Memory, mem::Perm, timing::Ideal};
use std::sync::Arc;
fn main() {
    let mem = Memory::new().unwrap();
    mem.map(0x10000, 0x10000, Perm(7)).unwrap();
    let d = |op, rd, rs1, rs2, imm| {
        let mut d = Decoded::new(op);
        d.rd = rd;
        d.rs1 = rs1;
        d.rs2 = rs2;
        d.imm = imm;
        encode(&d).unwrap()
    };
    let code = [
        d(Op::Lw, 5, 10, 0, 0),
        d(Op::Addi, 5, 5, 0, 3),
        d(Op::Xor, 6, 6, 5, 0),
        d(Op::Slli, 7, 6, 0, 13),
        d(Op::Srli, 8, 6, 0, 5),
        d(Op::Or, 7, 7, 8, 0),
        d(Op::Sw, 0, 10, 7, 4),
        d(Op::Addi, 11, 11, 0, -1),
        d(Op::Bne, 0, 11, 0, -32),
        d(Op::Ebreak, 0, 0, 0, 0),
    ];
    for (k, w) in code.iter().enumerate() {
        mem.write(0x10000 + 4 * k as u64, &w.to_le_bytes()).unwrap();
    }
    let exts = ExtSet::of(&[Ext::I, Ext::M, Ext::A, Ext::F, Ext::D, Ext::C]).closed();
    let config = Arc::new(Config {
        xlen: 64,
        exts,
        vlen: 128,
        agnostic: Default::default(),
        cache_block: 64,
        seed: 0,
        timebase: 1_000_000,
        frequency: 1_000_000,
    });
    let mut h = Hart::new(config, mem);
    h.pc = 0x10000;
    h.write_x(10, 0x18000);
    h.write_x(11, 100_000_000);
    let mut e = Interpreter::new(Ideal, false);
    let t = std::time::Instant::now();
    let s = e.run(&mut h, u64::MAX);
    println!("{s:?} {} {:.0} MIPS", h.instret, h.instret as f64 / t.elapsed().as_secs_f64() / 1e6);
}
