//! Pre-decoded instructions.

use crate::hart::Hart;
use crate::mem::Perm;
use crate::trap::{Cause, Trap, Why};
use capvec_isa::{Decoded, Op};

pub use crate::trap::{Exec, Raised};

/// Executes one instruction. `Hart::pc` holds the address after the block; only a taken branch, a jump or
/// `mret` changes it.
pub type Handler = fn(&mut Hart, &Insn) -> Exec;

/// An instruction, decoded once and executed often. Register numbers are below 64 in `rd` (see `SINK`) and below 32
/// elsewhere.
#[derive(Clone, Copy)]
pub struct Insn {
    /// Its semantics.
    pub exec: Handler,
    /// Immediate. For `auipc`, `jal` and branches: the absolute address.
    pub imm: i64,
    op: Op,
    /// Destination. `SINK` stands for x0.
    pub rd: u8,
    /// First source, or `zimm`.
    pub rs1: u8,
    /// Second source.
    pub rs2: u8,
    /// Third source or store data.
    pub rs3: u8,
    aux_vm: u8,
    /// Offset from the block's start in half-words.
    pub offset: u8,
}

/// Register slot that takes writes to x0, so that handlers need no test for it.
pub const SINK: u8 = 32;

impl Insn {
    /// Prepares `d`, which is at `pc`, `offset` half-words after its block's start.
    pub fn new(d: &Decoded, exec: Handler, pc: u64, offset: u8) -> Insn {
        let base = d.op.row().base;
        let relative = matches!(
            base,
            Op::Auipc | Op::Jal | Op::Beq | Op::Bne | Op::Blt | Op::Bge | Op::Bltu | Op::Bgeu
        );
        let imm = if relative { pc.wrapping_add_signed(d.imm) as i64 } else { d.imm };
        let rd = if d.rd == 0 && writes_x(base) { SINK } else { d.rd };
        let aux_vm = d.aux | (d.vm as u8) << 7;
        Insn { exec, imm, op: d.op, rd, rs1: d.rs1, rs2: d.rs2, rs3: d.rs3, aux_vm, offset }
    }

    /// The instruction as encoded, possibly compressed.
    pub fn op(&self) -> Op {
        self.op
    }

    /// Rounding mode, number of segment fields minus one, or aq and rl.
    pub fn aux(&self) -> u8 {
        self.aux_vm & 7
    }

    /// Whether it is unmasked.
    pub fn vm(&self) -> bool {
        self.aux_vm & 0x80 != 0
    }

    /// Length in bytes.
    pub fn bytes(&self) -> u64 {
        self.op.row().len as u64
    }

    /// Whether `rd` was encoded as x0 of the x registers.
    pub fn rd_is_x0(&self) -> bool {
        self.rd == SINK
    }
}

impl Hart {
    /// Completes the trap that `insn` at `pc` has raised, for engines: sets pc to it, forgets its accesses, and sets
    /// the trap value of an illegal instruction to its bits.
    pub fn raised_at(&mut self, pc: u64, insn: &Insn) -> Trap {
        self.pc = pc;
        self.accesses.clear();
        if self.trap.cause == Cause::Illegal {
            let mut word = [0; 4];
            let len = insn.bytes() as usize;
            // It has been fetched before, so it can be read.
            let _ = self.mem.read_as(pc, &mut word[..len], Perm::X);
            let why = self.trap.why.unwrap_or(Why::Unknown);
            self.illegal_at(u32::from_le_bytes(word), why);
        }
        self.trap
    }
}

/// Whether the destination is an x register: the operand template begins with `rd`.
fn writes_x(op: Op) -> bool {
    op.row().args.starts_with("rd")
}
