//! The ways out of a trace, and the code that is rarely executed (stubs, slow paths, traps): it is placed after the rest,
//! out of line.

use super::scalar_allocation::Regs;
use super::spill;
use crate::interface::exit::{Edge, Exit};
use crate::interface::link::{Position, Site};
use crate::interface::relocation::Refers;
use crate::x64::asm::{Asm, Label, Reg, Rm};
use crate::x64::runtime::Runtime;
use crate::x64::runtime::convention::hart_field;
use capvec_sim::Hart;
use iced_x86::Code;
use std::mem::offset_of;

/// Emits code that is placed out of line.
type OutOfLine<'a> = Box<dyn FnOnce(&mut Asm, &mut Exits<'a>) + 'a>;

/// The exits of a trace under translation.
pub struct Exits<'a> {
    runtime: &'a Runtime,
    out_of_line: Vec<OutOfLine<'a>>,
    edges: Vec<Site>,
    /// The number of the trace's first edge.
    first_edge: u32,
}

impl<'a> Exits<'a> {
    /// No exits yet; edges get numbers from `first_edge` on.
    pub fn new(runtime: &'a Runtime, first_edge: u32) -> Exits<'a> {
        Exits { runtime, out_of_line: Vec::new(), edges: Vec::new(), first_edge }
    }

    /// Has `emit` called after everything else has been emitted. It binds its own labels.
    pub fn out_of_line(&mut self, emit: impl FnOnce(&mut Asm, &mut Exits<'a>) + 'a) {
        self.out_of_line.push(Box::new(emit));
    }

    /// Adds an edge that is patched at `site`.
    pub fn edge(&mut self, site: Site) -> Edge {
        self.edges.push(site);
        Edge(self.first_edge + self.edges.len() as u32 - 1)
    }

    /// Writes all dirty registers back to `Hart::x`, in code that is rarely executed. Clobbers RCX and RDX.
    pub fn spill(&self, a: &mut Asm, regs: &mut Regs<'_>) {
        spill::out_of_line(a, regs, self.runtime.spill);
    }

    /// `Runtime::pages`.
    pub fn pages(&self) -> &'a [u64; 3] {
        &self.runtime.pages
    }

    /// `Runtime::branches`.
    pub fn branches(&self) -> [u64; 2] {
        self.runtime.branches
    }

    /// Adds an edge, which leaves from `from` until it is linked.
    pub fn edge_from(&mut self, from: Label, site: Site) {
        let Edge(number) = self.edge(site);
        let leave = self.runtime.leave_edge;
        self.out_of_line(move |a, _| {
            a.bind(from);
            a.mov_number(number.into(), Refers::Edge);
            a.jump_to(Code::Jmp_rel32_64, leave);
        });
    }

    /// A call from this block, after which the guest's return address is `to`, by an instruction that has pushed the host's: emits
    /// the landing pad. A return to RCX arrives here, with the exit for the case that its target has no code in RAX.
    pub fn pad(&mut self, a: &mut Asm, block: u32, to: u64) {
        a.op1(Code::Pop_r64, Reg::RDX);
        match i32::try_from(to as i64) {
            Ok(to) => a.imm(Code::Cmp_rm64_imm32, Rm::R(Reg::RCX), to),
            Err(_) => {
                a.mov_imm(Reg::RDX, to);
                a.op2(Code::Cmp_r64_rm64, Reg::RCX, Rm::R(Reg::RDX));
            }
        }
        a.jump_to(Code::Je_rel32_64, self.runtime.find_return);
        let redirected = Some(Position::at(a.len() - 4));
        a.jump_to(Code::Jmp_rel32_64, self.runtime.other_return);
        self.edge(Site { redirected, pad: true, ..Site::of(block, to) });
    }

    /// Pushes a frame for a call that does not jump. `sp`: the guest's stack pointer.
    pub fn push_frame(&mut self, a: &mut Asm, sp: Reg, block: u32, to: u64) {
        let next = a.label();
        a.op1(Code::Push_r64, sp);
        a.jump(Code::Call_rel32_64, next);
        self.pad(a, block, to);
        a.bind(next);
    }

    /// Returns to RCX. All homes are up to date; `exit` is taken if the target has no code.
    pub fn ret(&self, a: &mut Asm, exit: Exit) {
        mov_exit(a, exit);
        a.ret();
    }

    /// Leaves; pc and all homes are up to date.
    pub fn leave(&self, a: &mut Asm, exit: Exit) {
        mov_exit(a, exit);
        a.jump_to(Code::Jmp_rel32_64, self.runtime.leave);
    }

    /// Leaves; pc and all of the hart's registers are up to date.
    pub fn leave_saved(&self, a: &mut Asm, exit: Exit) {
        mov_exit(a, exit);
        a.jump_to(Code::Jmp_rel32_64, self.runtime.leave_saved);
    }

    /// Emits all code that is out of line. Returns the edges, in the order of their numbers.
    pub fn finish(mut self, a: &mut Asm) -> Vec<Site> {
        // Emitting out-of-line code may add more of it.
        while !self.out_of_line.is_empty() {
            for emit in std::mem::take(&mut self.out_of_line) {
                emit(a, &mut self);
            }
        }
        self.edges
    }
}

/// RAX = the exit.
fn mov_exit(a: &mut Asm, exit: Exit) {
    let refers = match exit {
        Exit::Edge(_) | Exit::Variant(_) => Refers::EdgeExit,
        _ => Refers::Block,
    };
    a.mov_number(exit.encode(), refers);
}

/// Puts an address into the hart's pc. Clobbers RAX.
pub fn set_pc(a: &mut Asm, pc: u64) {
    a.mov_imm(Reg::RAX, pc);
    set_pc_from(a, Reg::RAX);
}

/// Puts a register into the hart's pc.
pub fn set_pc_from(a: &mut Asm, r: Reg) {
    a.store(hart_field(offset_of!(Hart, pc)), r);
}
