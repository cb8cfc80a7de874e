//! From blocks to host code.
//!
//! A trace is blocks that follow each other: the first one's code begins with the test of the budget, and so does each
//! further one's. Where control leaves the trace are edges: jumps that lead to a stub, which
//! leaves to the run loop, until the run loop has patched them to lead to the next trace's code. What is
//! rarely needed (stubs, slow paths, traps, ways out of a trace) stands behind the rest.

use super::asm::{Asm, Label, Reg, Rm, Width, at};
use super::edge::Site;
use super::entry::Fetching;
use super::exit::{Edge, Exit};
use super::late::{self, Later, Owed};
use super::lines::Side;
use super::regs::{BIAS, HART, LEFT, Regs, Shape};
use super::trace::{self, Trace};
use super::uses::Uses;
use super::vector::{Dirty, File, Plan};
use super::{alu, bits, control, crypto, data, entry, fused, memory, vector};
use crate::Host;
use crate::timed::Timed;
use capvec_isa::Op;
use capvec_sim::Hart;
use capvec_sim::block::Block;
use capvec_sim::insn::Insn;
use capvec_timing::batch::Batch;
use iced_x86::{Code, IcedError};
use std::mem::offset_of;
use std::ops::RangeInclusive;

/// Addresses that generated code refers to.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// Leaves, with the homes' values to be saved.
    pub leave: u64,
    /// Leaves, with all registers saved.
    pub leave_saved: u64,
    /// Calls a handler.
    pub thunk: u64,
    /// Calls the handler of a dynamic instruction, and counts it.
    pub timed_thunk: u64,
    /// Counts an access.
    pub access: u64,
    /// Counts vector instructions.
    pub catch_up: u64,
    /// Look for a line, by `Side`.
    pub lines: [u64; 3],
    /// Look for the lines of a span, by `Side`.
    pub spans: [u64; 3],
    /// Look for the lines of elements with a stride, by `Side`.
    pub strided: [u64; 3],
    /// The table of targets of indirect jumps.
    pub targets: u64,
}

/// A block of a trace.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Its number, for exits.
    pub number: u32,
    /// It stays where it is as long as the code is used.
    pub block: &'a Block,
}

/// A trace to translate.
pub struct Source<'a> {
    /// Its blocks, at least one. From each, control can go to the next.
    pub steps: &'a [Step<'a>],
    /// From the last one, it can go to the first.
    pub loops: bool,
    /// The core model, if there is one.
    pub timed: Option<&'a Timed>,
    /// Count the blocks' entries.
    pub count: bool,
}

/// Code of a trace.
pub struct Translation {
    /// The code, for the address that was given. It begins with the entry for control that comes in sequence.
    pub code: Vec<u8>,
    /// Where the entry for control that comes by a redirection is.
    pub redirected: usize,
    /// Where that for control that comes from another translation is.
    pub inner: usize,
    /// Its edges, in the order of their numbers.
    pub edges: Vec<Site>,
}

/// What stands behind the straight code.
pub enum Cold<'a> {
    /// Leave to the run loop, which goes on at this address.
    Stub { from: Label, pc: u64, exit: Exit },
    /// See `trace`.
    Stop { from: Label, pc: u64, exit: Exit, regs: Regs<'a>, position: usize, put_off: u64 },
    /// See `trace`.
    Side { from: Label, pc: u64, step: Step<'a>, regs: Regs<'a>, put_off: u64 },
    /// See `entry`.
    Lines { from: Label, back: Label, range: RangeInclusive<u64> },
    /// See `edge`.
    Wrong { from: Label, taken: bool, counter: u64, to: Label },
    /// See `data`.
    Access(data::Slow),
    /// See `late`.
    Odd { from: Label, back: Label, ticks: u64 },
    /// Lines of a vector access, which crosses one.
    Span { from: Label, back: Label, base: Reg, len: u32, side: Side },
    /// The instruction has raised a trap, and all registers are saved.
    Trap { from: Label, exit: Exit, later: Later },
    /// The vector unit is in another state: an edge to another translation of the block.
    Variant { from: Label },
    /// See `memory`.
    Slow(memory::Slow<'a>),
    /// Leave to have the block interpreted from an instruction on.
    Rest { from: Label, rest: Rest<'a> },
}

/// The state of the translation at a place where control may leave.
pub struct Rest<'a> {
    exit: Exit,
    position: usize,
    regs: Regs<'a>,
    file: Dirty,
    later: Later,
}

/// A trace under translation.
pub struct Translator<'a> {
    pub a: Asm,
    pub regs: Regs<'a>,
    /// What host registers hold of the vector registers.
    pub file: File,
    pub plan: &'a Plan,
    /// Vector instructions that are counted later.
    pub batch: Batch,
    /// Where the batch will stand.
    pub batch_address: u64,
    /// Some of them have not been counted at this place of the code.
    pub pending: bool,
    /// What others take that have not been counted.
    pub owed: Owed,
    /// The host's instructions, for other than vector instructions.
    pub host: Host,
    /// The present block's.
    pub number: u32,
    /// The present one.
    pub block: &'a Block,
    /// All instructions, of which the present one is at `position`.
    pub trace: &'a Trace<'a>,
    pub position: usize,
    /// Where control goes behind the present block, if it stays in the trace.
    pub follow: Option<Step<'a>>,
    /// The core model, if there is one.
    pub timed: Option<&'a Timed>,
    /// The front end's state under a core model.
    pub fetching: Fetching,
    /// Ticks of blocks of the trace that are counted where code leaves it.
    pub put_off: u64,
    /// Blocks' entries are counted.
    count: bool,
    pub fixed: Fixed,
    /// Accesses to memory whose permission was tested.
    pub groups: Vec<memory::Group>,
    cold: Vec<Cold<'a>>,
    edges: Vec<Site>,
    first_edge: u32,
}

/// Distance of a hart's byte at `offset` from `HART`.
pub fn hart_displ(offset: usize) -> i64 {
    offset as i64 - Hart::X_OFFSET as i64 - BIAS
}

/// Translates a trace for address `base`; its edges get numbers from `first_edge` on.
pub fn translate(
    source: &Source<'_>,
    plan: &Plan,
    batch: &mut Batch,
    host: Host,
    fixed: Fixed,
    base: u64,
    first_edge: u32,
) -> Result<Translation, IcedError> {
    let trace = Trace::new(source, plan);
    let uses = Uses::new(&trace.operands, &trace.fused, source.loops);
    let Step { number, block } = source.steps[0];
    let mut a = Asm::new(base);
    a.avx2 = !host.vectors;
    let mut t = Translator {
        a,
        regs: Regs::entry(&uses),
        file: File::new(host, plan.temporaries()),
        plan,
        batch_address: std::ptr::from_ref(&*batch) as u64,
        batch: Batch::default(),
        pending: false,
        owed: Owed::default(),
        host,
        number,
        block,
        trace: &trace,
        position: 0,
        follow: None,
        timed: source.timed,
        fetching: Fetching::default(),
        put_off: 0,
        count: source.count,
        fixed,
        groups: Vec::new(),
        cold: Vec::new(),
        edges: Vec::new(),
        first_edge,
    };
    let (redirected, inner) = match source.timed {
        Some(timed) => entry::emit(&mut t, timed),
        None => t.enter(),
    };
    t.count_entry();
    trace::emit(&mut t, source, uses.loops().then(|| Shape::of_loop(&uses)));
    *batch = std::mem::take(&mut t.batch);
    t.finish(redirected, inner)
}

impl<'a> Translator<'a> {
    /// The run loop stops here if the budget is used up; else all of the block is taken from it, and a trap
    /// gives back what did not retire.
    fn enter(&mut self) -> (usize, usize) {
        let out = self.a.label();
        self.a.op2_to(Code::Test_rm64_r64, Width::Q, Rm::R(LEFT), LEFT);
        self.a.jump(Code::Jle_rel32_64, out);
        self.other_vectors();
        self.take();
        let exit = Exit::Next { block: self.number };
        self.cold.push(Cold::Stub { from: out, pc: self.block.start, exit });
        (0, 0)
    }

    /// Another translation has to run if the vector unit is not in the state that this one is for.
    pub fn other_vectors(&mut self) {
        if self.plan.entry.is_some() {
            let from = self.a.label();
            vector::enter(self, from);
            self.cold.push(Cold::Variant { from });
        }
    }

    /// Takes the block from the budget. Flags stay.
    pub fn take(&mut self) {
        self.a.lea(Width::Q, LEFT, at(LEFT, -(self.block.insns.len() as i64)));
    }

    /// Counts that the block is entered.
    pub fn count_entry(&mut self) {
        if self.count {
            self.a.mov_imm(Reg::RAX, std::ptr::from_ref(&self.block.entered) as u64);
            self.a.op1_rm(Code::Inc_rm64, Width::Q, Rm::M(at(Reg::RAX, 0)));
        }
    }

    /// One instruction, number `k` of its block: whether control goes on behind it.
    pub fn insn(&mut self, k: usize, i: &Insn) -> bool {
        self.regs.begin(self.position);
        let op = i.op().row().base;
        if fused::emit(self, i) {
            return true;
        }
        if op == Op::Fence || alu::emit(self, op, i) || bits::emit(self, op, i) {
            return true;
        }
        if crypto::emit(self, op, i) || memory::emit(self, op, k, i) || vector::emit(self, k, i) {
            return true;
        }
        if control::emit(self, op, i) {
            return self.follow.is_some();
        }
        let last = op == Op::FenceI || op.row().class.transfers_control();
        if last {
            self.set_pc(self.block.end);
        }
        self.call(k, i);
        if last {
            self.leave_saved(Exit::Next { block: self.number });
        }
        !last
    }

    /// Calls the handler of an instruction that generated code does not know.
    fn call(&mut self, k: usize, i: &Insn) {
        self.release();
        // What the handler counts may depend on the time.
        self.count_put_off();
        self.put_off = 0;
        if self.block.plan.dynamic.iter().any(|d| d.index as usize == k) {
            self.catch_up(k as u8);
        }
        self.regs.spill(&mut self.a);
        let trap = self.trap(k);
        self.call_handler(k, i, trap);
        self.regs.called(i.rd);
    }

    /// The call itself; all registers are saved.
    fn call_handler(&mut self, k: usize, i: &Insn, trap: Label) {
        let hart = hart_displ(0);
        self.a.lea(Width::Q, Reg::RDI, at(HART, hart));
        self.a.mov_imm(Reg::RSI, std::ptr::from_ref(i) as u64);
        let dynamic = self.block.plan.dynamic.iter().find(|d| d.index as usize == k);
        if let (Some(timed), Some(d)) = (self.timed, dynamic) {
            self.a.mov_imm(Reg::RDX, timed.address());
            self.a.mov_imm(Reg::RCX, d.note as u64);
            self.a.mov_imm(Reg::R8, data::correction(timed.native(), self.block, *d) as u64);
            self.a.mov_imm(Reg::RAX, self.fixed.timed_thunk);
        } else {
            self.a.mov_imm(Reg::RAX, self.fixed.thunk);
        }
        self.a.op1(Code::Call_rm64, Width::Q, Reg::RAX);
        self.a.op2_to(Code::Test_rm32_r32, Width::D, Rm::R(Reg::RAX), Reg::RAX);
        self.a.jump(Code::Jne_rel32_64, trap);
    }

    /// Where to go when instruction `k` has raised a trap.
    fn trap(&mut self, k: usize) -> Label {
        let from = self.a.label();
        let later = self.later_before(k);
        let exit = Exit::Trap { block: self.number, insn: k as u8 };
        self.cold.push(Cold::Trap { from, exit, later });
        from
    }

    /// Brings the guest's vector registers up to date, and leaves the host's to others.
    pub fn release(&mut self) {
        self.file.begin();
        self.file.release(&mut self.a);
    }

    /// Where to go to have the block interpreted from instruction `k` on.
    pub fn rest(&mut self, k: usize) -> Label {
        let from = self.a.label();
        let rest = self.rest_from(k);
        self.cold.push(Cold::Rest { from, rest });
        from
    }

    /// What it takes to have the block interpreted from instruction `k` on, which is the present one.
    pub fn rest_from(&self, k: usize) -> Rest<'a> {
        let exit = Exit::Rest { block: self.number, insn: k as u8 };
        let (regs, file) = (self.regs, self.file.dirty());
        let later = self.later_before(k);
        Rest { exit, position: self.position, regs, file, later }
    }

    /// Leaves so.
    pub fn leave_rest(&mut self, mut rest: Rest<'a>) {
        rest.file.restore(&mut self.a);
        self.count_later_ones(&rest.later);
        rest.regs.spill(&mut self.a);
        fused::make(self, rest.position);
        self.leave_saved(rest.exit);
    }

    /// Puts an address into the hart's pc.
    pub fn set_pc(&mut self, pc: u64) {
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
        if let Some(timed) = self.timed {
            return self.timed_edge(timed, code, pc);
        }
        let from = self.a.label();
        self.a.jump(code, from);
        let site = Site { redirected: Some(self.a.len() - 4), ..Site::of(self.number) };
        self.add_edge(from, pc, site);
    }

    /// The block has an edge to `pc`, which leaves from `from` until it is linked.
    pub fn add_edge(&mut self, from: Label, pc: u64, site: Site) {
        let exit = Exit::Edge(Edge(self.first_edge + self.edges.len() as u32));
        self.edges.push(site);
        self.cold.push(Cold::Stub { from, pc, exit });
    }

    /// What stands behind the straight code.
    pub fn later(&mut self, c: Cold<'a>) {
        self.cold.push(c);
    }

    /// Leaves; pc and all homes are up to date.
    pub fn leave(&mut self, exit: Exit) {
        self.a.mov_imm(Reg::RAX, exit.encode());
        self.a.jump_to(Code::Jmp_rel32_64, self.fixed.leave);
    }

    /// Leaves; pc and the hart's registers are up to date.
    pub fn leave_saved(&mut self, exit: Exit) {
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
            Cold::Trap { from, exit, later } => {
                self.a.bind(from);
                self.count_later_ones(&later);
                self.leave_saved(exit);
            }
            Cold::Stop { from, pc, exit, regs, position, put_off } => {
                self.put_off = put_off;
                trace::stop(self, from, pc, exit, regs, position);
            }
            Cold::Side { from, pc, step, regs, put_off } => {
                self.put_off = put_off;
                trace::side(self, from, pc, step, regs);
            }
            Cold::Variant { from } => {
                self.a.bind(from);
                let stub = self.a.label();
                self.a.jump(Code::Jmp_rel32_64, stub);
                let site = Site { inner: Some(self.a.len() - 4), ..Site::of(self.number) };
                let edge = Edge(self.first_edge + self.edges.len() as u32);
                self.edges.push(site);
                self.a.bind(stub);
                self.set_pc(self.trace.start);
                self.leave(Exit::Variant(edge));
            }
            Cold::Slow(s) => memory::emit_slow(self, s),
            Cold::Rest { from, rest } => {
                self.a.bind(from);
                self.leave_rest(rest);
            }
            Cold::Lines { from, back, range } => entry::emit_lines(self, from, back, range),
            Cold::Wrong { from, taken, counter, to } => self.wrong(from, taken, counter, to),
            Cold::Access(s) => data::emit_slow(self, s),
            Cold::Odd { from, back, ticks } => late::emit_odd(self, from, back, ticks),
            Cold::Span { from, back, base, len, side } => {
                self.a.bind(from);
                late::span(self, base, len, side);
                self.a.jump(Code::Jmp_rel32_64, back);
            }
        }
    }

    fn finish(mut self, redirected: usize, inner: usize) -> Result<Translation, IcedError> {
        // Some of it adds more.
        while !self.cold.is_empty() {
            for c in std::mem::take(&mut self.cold) {
                self.cold(c);
            }
        }
        Ok(Translation { code: self.a.finish()?, redirected, inner, edges: self.edges })
    }
}
