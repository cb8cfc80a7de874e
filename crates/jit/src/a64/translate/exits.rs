//! The ways out of a trace.

use super::translator::Translator;
use crate::a64::asm::{Label, Transfer};
use crate::a64::registers::{HART, T0, hart_field};
use crate::interface::exit::Exit;
use crate::interface::link::{Position, Site};
use crate::interface::relocation::Refers;
use crate::interface::trace::Step;
use capvec_sim::Hart;
use std::mem::offset_of;

impl Translator<'_> {
    /// Leaves to the run loop; the hart's pc is up to date.
    pub fn leave(&mut self, exit: Exit) {
        self.out.extend();
        self.out.a.load_literal(T0, exit.encode(), Refers::Block);
        self.out.a.jump(self.tails.leave);
    }

    /// Jumps to the block at `pc`, from this block: to a stub, until the edge is linked.
    pub fn jump_to_block(&mut self, step: Step<'_>, pc: u64) {
        self.out.extend();
        let number = self.first_edge + self.edges.len() as u32;
        let redirected = Some(Position::at(self.out.a.len()));
        self.edges.push(Site { redirected, ..Site::of(step.number, pc) });
        let stub = self.out.a.label();
        self.out.a.jump(stub);
        self.out.a.bind(stub);
        self.out.a.load_literal(T0, number.into(), Refers::Edge);
        self.out.a.jump(self.tails.leave_edge);
    }

    /// Sets the hart's pc. Clobbers `T0`.
    pub fn set_pc(&mut self, pc: u64) {
        self.out.a.mov_imm(T0, pc);
        self.out.a.transfer(Transfer::Str, T0, HART, hart_field(offset_of!(Hart, pc)));
    }

    /// Code out of line that leaves to the run loop, which continues at `pc`, or as the exit says.
    pub fn exit(&mut self, exit: Exit, pc: Option<u64>) -> Label {
        self.out_of_line(move |t| {
            pc.into_iter().for_each(|pc| t.set_pc(pc));
            t.leave(exit);
        })
    }
}
