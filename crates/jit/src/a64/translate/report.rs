//! Reports control flow between functions to a profile (see `capvec_sim::calls`). Without a profile, no code is emitted.

use super::translator::Translator;
use crate::a64::asm::{Asm, Cond, Op3, Reg, Transfer, Width, blr, op3};
use crate::a64::registers::{LEFT, LR, T0, T1, T2};
use crate::interface::relocation::Refers;
use crate::interface::trace::Step;
use capvec_sim::calls::{Cursor, Event, Transfer as Transfers};
use std::mem::offset_of;

/// The event that is written.
const EVENT: Reg = T2;
/// The log's cursor.
const CURSOR: Reg = T1;

impl<'a> Translator<'a> {
    /// Logs that control goes from the end of this block to `to`, if that is to be logged.
    pub fn report_to(&mut self, step: Step<'a>, to: u64) {
        let (Some(calls), block) = (self.source.calls, step.block) else { return };
        let transfer = block.insns.last().map_or(Transfers::Direct, Transfers::of);
        if transfer != Transfers::Direct || calls.log.borrow_mut().crosses(block.start, to) {
            self.report(step, Some(to), transfer);
        }
    }

    /// Control goes from the end of this block to the block at `pc`, which is reported if it leads to another function.
    pub fn edge(&mut self, step: Step<'a>, pc: u64) {
        self.report_to(step, pc);
        self.jump_to_block(step, pc);
    }

    /// Logs an event at the end of this block: control goes to `to`, or to the address in `T0`, which is kept.
    pub fn report(&mut self, step: Step<'a>, to: Option<u64>, transfer: Transfers) {
        let Some(calls) = self.source.calls else { return };
        let back = self.out.a.label();
        // The log is full, or nobody waits until it is: passes it to the observer.
        let from = self.out_of_line(move |t| {
            let a = &mut t.out.a;
            a.load_literal(T1, std::ptr::from_ref(calls.log) as u64, Refers::Address);
            a.load_literal(T2, calls.flush, Refers::Address);
            a.put(blr(T2));
            a.jump(back);
        });
        let a = &mut self.out.a;
        a.load_literal(CURSOR, calls.cursor, Refers::Address);
        a.transfer(Transfer::Ldr, EVENT, CURSOR, offset_of!(Cursor, next) as i64);
        to.into_iter().for_each(|to| a.mov_imm(T0, to));
        store(a, T0, offset_of!(Event, to));
        let sp = self.out.x(2, LR);
        let a = &mut self.out.a;
        store(a, sp, offset_of!(Event, sp));
        a.mov_imm(LR, transfer.link(step.block.end));
        store(a, LR, offset_of!(Event, link));
        a.transfer(Transfer::Ldr, LR, CURSOR, offset_of!(Cursor, until) as i64);
        a.put(op3(Op3::Sub, Width::X, LR, LR, LEFT));
        store(a, LR, offset_of!(Event, instret));
        a.add_imm(Width::X, EVENT, EVENT, size_of::<Event>() as i64, LR);
        a.transfer(Transfer::Str, EVENT, CURSOR, offset_of!(Cursor, next) as i64);
        if calls.at_once {
            a.jump(from);
        } else {
            a.transfer(Transfer::Ldr, LR, CURSOR, offset_of!(Cursor, end) as i64);
            a.compare(Width::X, EVENT, LR);
            a.jump_if(Cond::Eq, from);
        }
        a.bind(back);
    }
}

/// Stores a field of the event.
fn store(a: &mut Asm, r: Reg, offset: usize) {
    a.transfer(Transfer::Str, r, EVENT, offset as i64);
}
