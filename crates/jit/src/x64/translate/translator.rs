//! A trace under translation: its instructions, and what the ends of its blocks need.

use super::block_end::BlockEnd;
use super::insn_translator::InsnTranslator;
use crate::interface::call_log::Calls;
use crate::interface::frames::Frames;
use crate::interface::trace::Step;
use crate::x64::asm::{Reg, Width, at};
use crate::x64::runtime::Runtime;
use crate::x64::runtime::convention::{GUEST_SP, LEFT};
use crate::x64::vector_plan::Plan;
use iced_x86::Code;

/// A trace under translation.
pub struct Translator<'a> {
    /// The translation of instructions.
    pub insns: InsnTranslator<'a>,
    /// The next block of the trace, if control stays in it.
    pub follow: Option<Step<'a>>,
    /// The frames that calls leave at the current block.
    pub frames: Frames,
    /// What the vector instructions become.
    pub plan: &'a Plan,
    /// What generated code calls.
    pub runtime: &'a Runtime,
    /// The log of calls, if they are reported.
    pub calls: Option<Calls<'a>>,
}

impl<'a> Translator<'a> {
    /// Takes the block's instructions from the budget. Keeps flags.
    pub fn charge_budget(&mut self) {
        let insns = self.insns.at.step.block.insns.len() as i64;
        self.insns.out.a.lea(Width::Q, LEFT, at(LEFT, -insns));
    }

    /// Moves registers to where entries and exits expect them. Keeps flags.
    pub fn restore_homes(&mut self) {
        self.insns.release();
        self.insns.out.regs.restore_homes(&mut self.insns.out.a);
    }

    /// The end of the current block.
    pub fn block_end(&self) -> BlockEnd<'a> {
        BlockEnd {
            calls: self.calls,
            step: self.insns.at.step,
            deferred: self.insns.cycles.deferred,
        }
    }

    /// Reports that control goes to `to`, if that is to be reported.
    pub fn report_to(&mut self, to: u64) {
        let end = self.block_end();
        end.report_to(&mut self.insns.out.a, &mut self.insns.out.regs, &mut self.insns.exits, to);
    }

    /// A jump, under the condition of `code`, to the block at `pc`.
    pub fn edge(&mut self, code: Code, pc: u64) {
        self.edge_or_call(code, pc, None);
    }

    /// The call at the end of the block, to the block at `pc`.
    pub fn call(&mut self, pc: u64) {
        self.edge_or_call(Code::Jmp_rel32_64, pc, self.frames.pushed);
    }

    fn edge_or_call(&mut self, code: Code, pc: u64, link: Option<u64>) {
        self.restore_homes();
        let (end, out) = (self.block_end(), &mut self.insns.out);
        end.edge(&mut out.a, &mut out.regs, &mut self.insns.exits, (code, pc), link);
    }

    /// The block ends with a call, and the trace continues there.
    pub fn call_within(&mut self) {
        let (InsnTranslator { out, exits, at, .. }, Some(to)) =
            (&mut self.insns, self.frames.pushed)
        else {
            return;
        };
        let sp = out.regs.read_in(&mut out.a, 2, Reg::RCX);
        exits.push_frame(&mut out.a, sp, at.step.number, to);
    }

    /// Leaves the trace for the block at `pc` under the condition of `code`.
    pub fn side_exit(&mut self, code: Code, pc: u64) {
        let from = self.insns.out.a.label();
        self.insns.out.a.jump(code, from);
        let (end, mut regs) = (self.block_end(), self.insns.out.regs);
        let (block, open) = (self.insns.at.step.number, std::mem::take(&mut self.frames.open));
        self.insns.exits.out_of_line(move |a, exits| {
            a.bind(from);
            regs.restore_homes(a);
            open.iter().for_each(|to| exits.push_frame(a, GUEST_SP, block, *to));
            end.edge(a, &mut regs, exits, (Code::Jmp_rel32_64, pc), None);
        });
    }
}
