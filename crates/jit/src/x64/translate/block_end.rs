//! The end of a block: reports control flow between functions to a profile (see `capvec_sim::calls`), and jumps to the
//! next block. Without a profile, no code is emitted for reports.

use crate::interface::call_log::Calls;
use crate::interface::trace::Step;
use crate::x64::asm::{Asm, Mem, Reg, Rm, Width, at};
use crate::x64::cycles::{self, Deferred};
use crate::x64::emit::{Exits, Regs};
use crate::x64::runtime::convention::LEFT;
use capvec_sim::calls::{Cursor, Event, TICKS, Transfer};
use iced_x86::Code;
use std::mem::offset_of;

const _: () = assert!(TICKS == capvec_timing::inline::TICKS as u64);

/// The end of a block.
#[derive(Clone, Copy)]
pub struct BlockEnd<'a> {
    /// The log, if calls are reported.
    pub calls: Option<Calls<'a>>,
    /// The block.
    pub step: Step<'a>,
    /// Ticks that are counted where code leaves the trace.
    pub deferred: Deferred<'a>,
}

impl<'a> BlockEnd<'a> {
    /// How the block transfers control, if that is to be logged when control goes to `to`.
    fn logged(&self, to: u64) -> Option<Transfer> {
        let (calls, block) = (self.calls?, self.step.block);
        let transfer = block.insns.last().map_or(Transfer::Direct, Transfer::of);
        let crosses = || calls.log.borrow_mut().crosses(block.start, to);
        (transfer != Transfer::Direct || crosses()).then_some(transfer)
    }

    /// Logs that control goes to `to`, if that is to be logged.
    pub fn report_to(&self, a: &mut Asm, regs: &mut Regs<'_>, exits: &mut Exits<'a>, to: u64) {
        if let Some(transfer) = self.logged(to) {
            self.report(a, regs, exits, Some(to), transfer);
        }
    }

    /// A jump, under the condition of `code`, to the block at `pc`, which is reported if it leads to another function. All
    /// guest registers are at home. `link`: it is a call with this return address, and unconditional.
    pub fn edge(
        &self,
        a: &mut Asm,
        regs: &mut Regs<'_>,
        exits: &mut Exits<'a>,
        (code, pc): (Code, u64),
        link: Option<u64>,
    ) {
        let Some(transfer) = self.logged(pc) else {
            return cycles::edge::emit(a, exits, self.deferred, self.step, (code, pc), link);
        };
        let around = (code != Code::Jmp_rel32_64).then(|| a.label());
        around.iter().for_each(|around| a.jump(cycles::edge::opposite(code), *around));
        self.report(a, regs, exits, Some(pc), transfer);
        cycles::edge::emit(a, exits, self.deferred, self.step, (Code::Jmp_rel32_64, pc), link);
        around.iter().for_each(|around| a.bind(*around));
    }

    /// Logs an event: control goes to `to`, or to the address in RAX, which is kept. Clobbers RCX, RDX, flags, and RAX if
    /// `to` is given.
    pub fn report(
        &self,
        a: &mut Asm,
        regs: &mut Regs<'_>,
        exits: &mut Exits<'a>,
        to: Option<u64>,
        transfer: Transfer,
    ) {
        let Some(calls) = self.calls else { return };
        const EVENT: Reg = Reg::RCX;
        const CURSOR: Reg = Reg::RDX;
        let field = |offset: usize| at(EVENT, offset as i64);
        let cursor = |offset: usize| at(CURSOR, offset as i64);
        a.mov_address(CURSOR, calls.cursor);
        a.mov(EVENT, Rm::M(cursor(offset_of!(Cursor, next))));
        to.into_iter().for_each(|to| a.mov_imm(Reg::RAX, to));
        a.store(field(offset_of!(Event, to)), Reg::RAX);
        let sp = regs.read_in(a, 2, Reg::RAX);
        a.store(field(offset_of!(Event, sp)), sp);
        store_imm(a, field(offset_of!(Event, link)), transfer.link(self.step.block.end));
        if self.deferred.load_ticks(a) {
            a.store(field(offset_of!(Event, ticks)), Reg::RAX);
            a.mov_address(CURSOR, calls.cursor);
        }
        a.mov(Reg::RAX, Rm::M(cursor(offset_of!(Cursor, until))));
        a.op2(Code::Sub_r64_rm64, Reg::RAX, Rm::R(LEFT));
        a.store(field(offset_of!(Event, instret)), Reg::RAX);
        if to.is_none() {
            a.mov(Reg::RAX, Rm::M(field(offset_of!(Event, to))));
        }
        a.lea(Width::Q, EVENT, at(EVENT, size_of::<Event>() as i64));
        a.store(cursor(offset_of!(Cursor, next)), EVENT);
        let (from, back) = (a.label(), a.label());
        if calls.at_once {
            a.jump(Code::Jmp_rel32_64, from);
        } else {
            a.op2(Code::Cmp_r64_rm64, EVENT, Rm::M(cursor(offset_of!(Cursor, end))));
            a.jump(Code::Je_rel32_64, from);
        }
        a.bind(back);
        // The log is full, or nobody waits until it is: passes it to the observer.
        exits.out_of_line(move |a, _| {
            a.bind(from);
            a.mov_address(Reg::RCX, std::ptr::from_ref(calls.log) as u64);
            a.jump_to(Code::Call_rel32_64, calls.flush);
            a.jump(Code::Jmp_rel32_64, back);
        });
    }
}

/// `m = v`, by way of RAX if the number is long.
fn store_imm(a: &mut Asm, m: Mem, v: u64) {
    match i32::try_from(v as i64) {
        Ok(v) => a.imm(Code::Mov_rm64_imm32, Rm::M(m), v),
        Err(_) => {
            a.mov_imm(Reg::RAX, v);
            a.store(m, Reg::RAX);
        }
    }
}
