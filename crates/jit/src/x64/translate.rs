//! From a block to host code.
//!
//! A block's code begins with the test of the budget and ends in edges: jumps that lead to a stub, which
//! leaves to the run loop, until the run loop has patched them to lead to the next block's code. What is
//! rarely needed (stubs, slow paths, traps) stands behind the rest.

use super::asm::{Asm, Label, Reg, Rm, Width, at};
use super::exit::Exit;
use super::regs::{BIAS, HART, LEFT, Regs};
use super::uses::Uses;
use super::vector::{Dirty, File, Plan};
use super::{alu, bits, control, memory, vector};
use capvec_isa::Op;
use capvec_sim::Hart;
use capvec_sim::insn::Insn;
use iced_x86::{Code, IcedError};
use std::mem::offset_of;

/// Addresses that generated code refers to.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// Leaves, with the homes' values to be saved.
    pub leave: u64,
    /// Leaves, with all registers saved.
    pub leave_saved: u64,
    /// Calls a handler.
    pub thunk: u64,
    /// The table of targets of indirect jumps.
    pub targets: u64,
}

/// A block to translate.
pub struct Source<'a> {
    /// Its number, for exits.
    pub number: u32,
    /// Address of its first instruction.
    pub start: u64,
    /// Address behind its last.
    pub end: u64,
    /// Its instructions, which stay where they are as long as the code is used.
    pub insns: &'a [Insn],
}

/// Code of a block.
pub struct Translation {
    /// The code, for the address that was given.
    pub code: Vec<u8>,
    /// Where the distances of its edges stand, in the order of their numbers.
    pub edges: Vec<usize>,
}

/// What stands behind the block's straight code.
enum Cold<'a> {
    /// Leave to the run loop, which goes on at this address.
    Stub { from: Label, pc: u64, exit: Exit },
    /// The instruction has raised a trap, and all registers are saved.
    Trap { from: Label, insn: usize },
    /// See `memory`.
    Slow(memory::Slow<'a>),
    /// Leave to have the block interpreted from this instruction on.
    Rest { from: Label, insn: usize, regs: Regs<'a>, file: Dirty },
}

/// A block under translation.
pub struct Translator<'a> {
    pub a: Asm,
    pub regs: Regs<'a>,
    /// What host registers hold of the vector registers.
    pub file: File,
    pub plan: &'a Plan,
    pub block: &'a Source<'a>,
    pub fixed: Fixed,
    /// Accesses to memory whose permission was tested.
    pub groups: Vec<memory::Group>,
    cold: Vec<Cold<'a>>,
    edges: Vec<usize>,
    first_edge: u32,
}

/// Distance of a hart's byte at `offset` from `HART`.
pub fn hart_displ(offset: usize) -> i64 {
    offset as i64 - Hart::X_OFFSET as i64 - BIAS
}

/// Translates a block for address `base`; its edges get numbers from `first_edge` on.
pub fn translate(
    block: &Source<'_>,
    plan: &Plan,
    fixed: Fixed,
    base: u64,
    first_edge: u32,
) -> Result<Translation, IcedError> {
    let uses = Uses::new(block.insns, plan);
    let mut t = Translator {
        a: Asm::new(base),
        regs: Regs::entry(&uses),
        file: File::new(),
        plan,
        block,
        fixed,
        groups: Vec::new(),
        cold: Vec::new(),
        edges: Vec::new(),
        first_edge,
    };
    t.enter();
    let mut open = true;
    for (k, i) in block.insns.iter().enumerate() {
        open = t.insn(k, i);
    }
    if open {
        t.edge(Code::Jmp_rel32_64, block.end);
    }
    t.finish()
}

impl<'a> Translator<'a> {
    /// The run loop stops here if the budget is used up; else all of the block is taken from it, and a trap
    /// gives back what did not retire.
    fn enter(&mut self) {
        let out = self.a.label();
        self.a.op2_to(Code::Test_rm64_r64, Width::Q, Rm::R(LEFT), LEFT);
        self.a.jump(Code::Jle_rel32_64, out);
        self.a.lea(Width::Q, LEFT, at(LEFT, -(self.block.insns.len() as i64)));
        self.cold.push(Cold::Stub { from: out, pc: self.block.start, exit: Exit::Next });
    }

    /// One instruction: whether control goes on behind it.
    fn insn(&mut self, k: usize, i: &Insn) -> bool {
        let open = self.emit(k, i);
        // Of another value of the base, nothing was tested.
        self.groups.retain(|g| !g.is_based_on(i.rd));
        open
    }

    fn emit(&mut self, k: usize, i: &Insn) -> bool {
        self.regs.begin(k);
        let op = i.op().row().base;
        if op == Op::Fence || alu::emit(self, op, i) || bits::emit(self, op, i) {
            return true;
        }
        if memory::emit(self, op, k, i) || vector::emit(self, k, i) {
            return true;
        }
        if control::emit(self, op, i) {
            return false;
        }
        let last = op == Op::FenceI || op.row().class.transfers_control();
        if last {
            self.set_pc(self.block.end);
        }
        self.call(k, i);
        if last {
            self.leave_saved(Exit::Next);
        }
        !last
    }

    /// Calls the handler of an instruction that generated code does not know.
    fn call(&mut self, k: usize, i: &Insn) {
        self.release();
        self.regs.spill(&mut self.a);
        let trap = self.trap(k);
        self.call_handler(i, trap);
        self.regs.called(i.rd);
    }

    /// The call itself; all registers are saved.
    fn call_handler(&mut self, i: &Insn, trap: Label) {
        let hart = hart_displ(0);
        self.a.lea(Width::Q, Reg::RDI, at(HART, hart));
        self.a.mov_imm(Reg::RSI, std::ptr::from_ref(i) as u64);
        self.a.mov_imm(Reg::RAX, self.fixed.thunk);
        self.a.op1(Code::Call_rm64, Width::Q, Reg::RAX);
        self.a.op2_to(Code::Test_rm32_r32, Width::D, Rm::R(Reg::RAX), Reg::RAX);
        self.a.jump(Code::Jne_rel32_64, trap);
    }

    /// Where to go when instruction `k` has raised a trap.
    fn trap(&mut self, k: usize) -> Label {
        let from = self.a.label();
        self.cold.push(Cold::Trap { from, insn: k });
        from
    }

    /// Brings the guest's vector registers up to date, and leaves the host's to others.
    fn release(&mut self) {
        self.file.begin();
        self.file.release(&mut self.a);
    }

    /// Where to go to have the block interpreted from instruction `k` on.
    pub fn rest(&mut self, k: usize) -> Label {
        let from = self.a.label();
        let (regs, file) = (self.regs, self.file.dirty());
        self.cold.push(Cold::Rest { from, insn: k, regs, file });
        from
    }

    /// A slow path.
    pub fn slow(&mut self, s: memory::Slow<'a>) {
        self.cold.push(Cold::Slow(s));
    }

    /// Puts an address into the hart's pc.
    fn set_pc(&mut self, pc: u64) {
        self.a.mov_imm(Reg::RAX, pc);
        self.set_pc_from(Reg::RAX);
    }

    /// Puts a register into the hart's pc.
    pub fn set_pc_from(&mut self, r: Reg) {
        self.a.store(at(HART, hart_displ(offset_of!(Hart, pc))), r);
    }

    /// Where f register `f` stands.
    pub fn f(&self, f: u8) -> Rm {
        Rm::M(at(HART, hart_displ(offset_of!(Hart, f)) + f as i64 * 8))
    }

    /// Registers are as at every entry and exit. Flags stay.
    pub fn settle(&mut self) {
        self.release();
        self.regs.settle(&mut self.a);
    }

    /// A jump, under the code's condition, to the block at `pc`.
    pub fn edge(&mut self, code: Code, pc: u64) {
        self.settle();
        let from = self.a.label();
        self.a.jump(code, from);
        let exit = Exit::Edge(self.first_edge + self.edges.len() as u32);
        self.edges.push(self.a.len() - 4);
        self.cold.push(Cold::Stub { from, pc, exit });
    }

    /// Leaves; pc and all homes are up to date.
    pub fn leave(&mut self, exit: Exit) {
        self.a.mov_imm(Reg::RAX, exit.encode());
        self.a.jump_to(Code::Jmp_rel32_64, self.fixed.leave);
    }

    /// Leaves to have the block interpreted from instruction `k` on; all registers are saved.
    pub fn leave_rest(&mut self, k: usize) {
        self.leave_saved(Exit::Rest { block: self.block.number, insn: k as u8 });
    }

    fn leave_saved(&mut self, exit: Exit) {
        self.a.mov_imm(Reg::RAX, exit.encode());
        self.a.jump_to(Code::Jmp_rel32_64, self.fixed.leave_saved);
    }

    fn cold(&mut self, c: Cold<'a>) {
        match c {
            Cold::Stub { from, pc, exit } => {
                self.a.bind(from);
                self.set_pc(pc);
                self.leave(exit);
            }
            Cold::Trap { from, insn } => {
                self.a.bind(from);
                self.leave_saved(Exit::Trap { block: self.block.number, insn: insn as u8 });
            }
            Cold::Slow(s) => memory::emit_slow(self, s),
            Cold::Rest { from, insn, mut regs, file } => {
                self.a.bind(from);
                file.restore(&mut self.a);
                regs.spill(&mut self.a);
                self.leave_rest(insn);
            }
        }
    }

    fn finish(mut self) -> Result<Translation, IcedError> {
        for c in std::mem::take(&mut self.cold) {
            self.cold(c);
        }
        Ok(Translation { code: self.a.finish()?, edges: self.edges })
    }
}
