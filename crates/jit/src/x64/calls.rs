//! Reports control flow between functions to a profile: see `capvec_sim::calls`. Without a profile, nothing here emits
//! code.

use super::asm::{Asm, Label, Reg, Rm, Width, at};
use super::regs::LEFT;
use super::translate::{Cold, Translator};
use crate::timed::Timed;
use capvec_sim::calls::{Cursor, Event, Log, TICKS, Transfer};
use capvec_timing::InOrder;
use iced_x86::Code;
use std::cell::RefCell;
use std::mem::offset_of;

const _: () = assert!(TICKS == capvec_timing::native::TICKS as u64);

/// The log of a profile, for generated code.
#[derive(Clone, Copy)]
pub struct Calls<'a> {
    /// Its address stays the same as long as the code is used.
    pub log: &'a RefCell<Log>,
    /// Host address of its cursor.
    pub cursor: u64,
    /// Host address of the function that `function` emitted.
    pub flush: u64,
}

/// Passes the log's events to the observer.
///
/// # Safety
/// The log is valid, and nothing else uses it.
unsafe extern "sysv64" fn flush(_: *mut InOrder, log: *const RefCell<Log>) {
    // SAFETY: the engine's log lives as long as its code, and the engine uses it only while no generated code runs.
    unsafe { &*log }.borrow_mut().flush();
}

/// The function that passes the events of the log in RCX to the observer. It preserves all registers.
pub fn function(a: &mut Asm) {
    super::enter::keeping(a, flush as *const () as u64, 0);
}

/// How the current block transfers control, if that is to be logged when control goes to `to`.
pub fn logged(t: &Translator<'_>, to: u64) -> Option<Transfer> {
    let calls = t.calls?;
    let transfer = t.block.insns.last().map_or(Transfer::Direct, Transfer::of);
    let crosses = || calls.log.borrow_mut().crosses(t.block.start, to);
    (transfer != Transfer::Direct || crosses()).then_some(transfer)
}

/// Logs that control goes from the end of the current block to `to`, if that is to be logged.
pub fn at_end(t: &mut Translator<'_>, to: u64) {
    if let Some(transfer) = logged(t, to) {
        emit(t, Some(to), transfer);
    }
}

/// Logs an event at the end of the current block: control goes to `to`, or to the address in RAX, which is kept. Clobbers
/// RCX, RDX, flags, and RAX if `to` is given.
pub fn emit(t: &mut Translator<'_>, to: Option<u64>, transfer: Transfer) {
    let Some(calls) = t.calls else { return };
    const EVENT: Reg = Reg::RCX;
    const CURSOR: Reg = Reg::RDX;
    let field = |offset: usize| at(EVENT, offset as i64);
    let cursor = |offset: usize| at(CURSOR, offset as i64);
    let sp = t.out.x_in(2, Reg::RDX);
    let a = &mut t.out.a;
    a.mov_imm(EVENT, calls.cursor);
    a.mov(EVENT, Rm::M(at(EVENT, offset_of!(Cursor, next) as i64)));
    a.store(field(offset_of!(Event, sp)), sp);
    to.into_iter().for_each(|to| a.mov_imm(Reg::RAX, to));
    a.store(field(offset_of!(Event, to)), Reg::RAX);
    a.mov_imm(Reg::RAX, transfer.link(t.block.end));
    a.store(field(offset_of!(Event, link)), Reg::RAX);
    if let Some(timed) = t.timed {
        count_ticks(a, timed, t.deferred_ticks);
        a.store(field(offset_of!(Event, ticks)), Reg::RAX);
    }
    a.mov_imm(CURSOR, calls.cursor);
    a.mov(Reg::RAX, Rm::M(cursor(offset_of!(Cursor, until))));
    a.op2(Code::Sub_r64_rm64, Reg::RAX, Rm::R(LEFT));
    a.store(field(offset_of!(Event, instret)), Reg::RAX);
    if to.is_none() {
        a.mov(Reg::RAX, Rm::M(field(offset_of!(Event, to))));
    }
    a.lea(Width::Q, EVENT, at(EVENT, size_of::<Event>() as i64));
    a.store(cursor(offset_of!(Cursor, next)), EVENT);
    a.op2(Code::Cmp_r64_rm64, EVENT, Rm::M(cursor(offset_of!(Cursor, end))));
    let (from, back) = (a.label(), a.label());
    a.jump(Code::Je_rel32_64, from);
    a.bind(back);
    t.out_of_line(Cold::Flush { from, back });
}

/// RAX = the hart's cycles in ticks, with those that the code has deferred. Clobbers RDX.
fn count_ticks(a: &mut Asm, timed: &Timed, deferred: u64) {
    let native = timed.native();
    let since = native.since.wrapping_sub(native.ticks) as i64;
    a.mov_imm(Reg::RDX, native.ticks);
    a.mov(Reg::RAX, Rm::M(at(Reg::RDX, 0)));
    a.op2(Code::Add_r64_rm64, Reg::RAX, Rm::M(at(Reg::RDX, since)));
    if deferred > 0 {
        a.imm(Code::Add_rm64_imm32, Rm::R(Reg::RAX), deferred as i32);
    }
}

/// The full log is passed to the observer.
pub fn emit_flush(t: &mut Translator<'_>, from: Label, back: Label) {
    let Some(calls) = t.calls else { return };
    let a = &mut t.out.a;
    a.bind(from);
    a.mov_imm(Reg::RCX, std::ptr::from_ref(calls.log) as u64);
    a.jump_to(Code::Call_rel32_64, calls.flush);
    a.jump(Code::Jmp_rel32_64, back);
}
