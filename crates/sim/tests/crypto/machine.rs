//! A hart that executes instructions made by the table's encoder.

use crate::rng::Rng;
use capvec_isa::{Decoded, Ext, ExtSet, Op, encode};
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::timing::Ideal;
use capvec_sim::vector::VType;
use capvec_sim::{Cause, Config, Engine, Hart, Interpreter, Memory, Stop, Trap};
use std::sync::Arc;

const CODE: u64 = 0x10000;

/// Everything the table knows.
pub fn all() -> ExtSet {
    Ext::all().collect::<ExtSet>().closed()
}

pub struct Machine {
    pub hart: Hart,
    engine: Interpreter<Ideal>,
}

/// An instruction with registers vd/rd, vs2/rs2, vs1/rs1 and an immediate, unmasked.
pub fn insn(op: Op, rd: u8, rs2: u8, rs1: u8, imm: i64) -> Decoded {
    Decoded { rd, rs2, rs1, imm, ..Decoded::new(op) }
}

impl Machine {
    pub fn new(exts: ExtSet, vlen: u32, agnostic: Agnostic) -> Self {
        let config = Config {
            xlen: 64,
            exts,
            vlen,
            agnostic,
            cache_block: 64,
            seed: 1,
            timebase: 1_000_000,
            frequency: 1_000_000_000,
        };
        let mem = Memory::new().expect("an address space");
        mem.map(CODE, PAGE, Perm::R.union(Perm::X)).expect("a page");
        Machine { hart: Hart::new(Arc::new(config), mem), engine: Interpreter::new(Ideal, false) }
    }

    /// Executes instruction words; the trap of the first that traps.
    pub fn words(&mut self, words: &[u32]) -> Result<(), Trap> {
        let ebreak = encode(&Decoded::new(Op::Ebreak)).expect("ebreak has an encoding");
        let code: Vec<u8> =
            words.iter().chain([&ebreak]).flat_map(|word| word.to_le_bytes()).collect();
        assert!(code.len() as u64 <= PAGE);
        self.hart.mem.write_as(CODE, &code, Perm::X).expect("the code page is mapped");
        self.hart.mem.code_changed();
        self.hart.pc = CODE;
        match self.engine.run(&mut self.hart, 1 << 20) {
            Stop::Trap(trap) if trap.cause == Cause::Breakpoint => {
                assert_eq!(self.hart.pc, CODE + 4 * words.len() as u64);
                Ok(())
            }
            Stop::Trap(trap) => Err(trap),
            Stop::Budget => panic!("the program does not end"),
        }
    }

    /// Executes instructions; the trap of the first that traps.
    pub fn run(&mut self, program: &[Decoded]) -> Result<(), Trap> {
        let word = |d| encode(d).unwrap_or_else(|| panic!("no encoding for {d:?}"));
        self.words(&program.iter().map(word).collect::<Vec<_>>())
    }

    /// Sets SEW (bits), log2 LMUL and vl, with undisturbed tail and mask; vstart 0.
    pub fn configure(&mut self, sew: u32, lmul: i8, vl: u64) {
        let v = &mut self.hart.v;
        v.vtype = VType { vill: false, sew, lmul, vta: false, vma: false };
        (v.vl, v.vstart) = (vl, 0);
        assert!(vl <= v.vlmax());
    }

    /// The whole vector register file.
    pub fn registers(&self) -> &[u8] {
        self.hart.v.bytes(0)
    }

    /// Fills the vector register file with random bytes.
    pub fn randomize(&mut self, rng: &mut Rng) {
        self.hart.v.bytes_mut(0).iter_mut().for_each(|byte| *byte = rng.u64() as u8);
    }
}
