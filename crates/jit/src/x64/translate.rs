//! From blocks to host code.
//!
//! A trace is a sequence of blocks; the code of each starts with a test of the budget. Control leaves a trace through
//! edges: jumps to a stub that leaves to the run loop, until the run loop patches them to jump to the next trace's
//! code. Rarely executed code (stubs, slow paths, traps, side exits) is placed after the rest.

use super::asm::{Asm, Label, Reg, Rm, Unencodable, Width, at};
use super::calls::{self, Calls};
use super::deferred::{self, StaticTicks, Uncounted};
use super::edge::{Site, opposite};
use super::emitter::Emitter;
use super::entry::Fetching;
use super::exit::{Edge, Exit};
use super::lines::Side;
use super::regs::{Arrangement, BIAS, HART, LEFT, Regs};
use super::trace::{self, Trace};
use super::uses::Uses;
use super::vector::{Dirty, File, Plan};
use super::{access_timing, alu, bits, control, crypto, entry, fused, memory, vector};
use crate::Host;
use crate::timed::Timed;
use capvec_isa::Op;
use capvec_sim::Hart;
use capvec_sim::block::Block;
use capvec_sim::insn::Insn;
use capvec_timing::batch::Batch;
use iced_x86::Code;
use std::mem::offset_of;
use std::ops::RangeInclusive;

/// Addresses of code and data that generated code uses.
#[derive(Clone, Copy, Debug)]
pub struct Runtime {
    /// Leaves to the run loop; writes the homes back first.
    pub leave: u64,
    /// Leaves to the run loop by the edge whose number is in RAX; writes the homes back first.
    pub leave_edge: u64,
    /// Leaves to the run loop; all registers are written back already.
    pub leave_saved: u64,
    /// Calls a handler.
    pub thunk: u64,
    /// Calls the handler of an instruction with a dynamic cost, and counts it.
    pub timed_thunk: u64,
    /// Counts a scalar access.
    pub access: u64,
    /// Slow paths of scalar loads and of stores, by the binary logarithm of their size.
    pub scalar: [[u64; 4]; 2],
    /// Counts deferred vector instructions.
    pub catch_up: u64,
    /// Access a line, by `Side`.
    pub lines: [u64; 3],
    /// Access the lines of a span, by `Side`.
    pub spans: [u64; 3],
    /// Access the lines of strided elements, by `Side`.
    pub strided: [u64; 3],
    /// The table of indirect-jump targets.
    pub targets: u64,
}

/// A block of a trace.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Its number, for exits.
    pub number: u32,
    /// Its address stays the same as long as the code is used.
    pub block: &'a Block,
}

/// A trace to translate.
pub struct Source<'a> {
    /// Its blocks, at least one. Control can go from each to the next.
    pub steps: &'a [Step<'a>],
    /// Control can go from the last block to the first.
    pub loops: bool,
    /// The core model, if there is one.
    pub timed: Option<&'a Timed>,
    /// Count block entries.
    pub count: bool,
    /// Report calls to this log.
    pub calls: Option<Calls<'a>>,
}

/// The code of a trace.
pub struct Translation {
    /// The code, for the address that was given. It starts with the sequential entry.
    pub code: Vec<u8>,
    /// Offset of the entry for control by a redirection.
    pub redirected: usize,
    /// Offset of the entry for control from another variant.
    pub inner: usize,
    /// Its edges, in the order of their numbers.
    pub edges: Vec<Site>,
}

/// Code that is placed out of line.
pub enum Cold<'a> {
    /// Leave to the run loop, which continues at `pc`.
    Stub { from: Label, pc: u64, exit: Exit },
    /// Leave to the run loop, which knows where the edge leads.
    Edge { from: Label, edge: Edge },
    /// See `trace`.
    Stop { from: Label, pc: u64, exit: Exit, regs: Regs<'a>, position: usize, deferred_ticks: u64 },
    /// See `trace`.
    Side { from: Label, pc: u64, step: Step<'a>, regs: Regs<'a>, deferred_ticks: u64 },
    /// See `entry`.
    Lines { from: Label, back: Label, range: RangeInclusive<u64> },
    /// See `edge`.
    Mispredicted { from: Label, taken: bool, counter: u64, to: Label },
    /// See `access_timing`.
    Access(access_timing::Slow),
    /// See `deferred`.
    ExtraBeat { from: Label, back: Label, ticks: u64 },
    /// The slow path of a vector access that crosses a line.
    Span { from: Label, back: Label, base: Reg, len: u32, side: Side },
    /// The instruction raised a trap; all registers are written back.
    Trap { from: Label, exit: Exit, uncounted: Uncounted },
    /// The vector unit is in another state: an edge to another variant of the block.
    Variant { from: Label },
    /// See `calls`.
    Flush { from: Label, back: Label },
    /// See `memory`.
    Slow(memory::Slow<'a>),
    /// Leave to have the rest of the block interpreted.
    Bailout { from: Label, rest: Bailout<'a> },
}

/// The translator's state at a possible exit.
pub struct Bailout<'a> {
    exit: Exit,
    position: usize,
    regs: Regs<'a>,
    file: Dirty,
    uncounted: Uncounted,
}

/// A trace under translation.
pub struct Translator<'a> {
    /// The assembler and the register allocation.
    pub out: Emitter<'a>,
    /// Which parts of the guest's vector registers host registers hold.
    pub file: File,
    pub plan: &'a Plan,
    /// Vector instructions to be counted late.
    pub batch: Batch,
    /// Final address of the batch.
    pub batch_address: u64,
    /// Some of the batch has not been counted at this position.
    pub pending: bool,
    /// Ticks of other vector instructions that have not been counted.
    pub due: StaticTicks,
    /// Number of the current block.
    pub number: u32,
    /// The current block.
    pub block: &'a Block,
    /// All instructions; the current one is at `position`.
    pub trace: &'a Trace<'a>,
    pub position: usize,
    /// The next block of the trace, if control stays in it.
    pub follow: Option<Step<'a>>,
    /// The core model, if there is one.
    pub timed: Option<&'a Timed>,
    /// What is known of the front end under a core model.
    pub fetching: Fetching,
    /// Deferred ticks of the trace's blocks, counted where code leaves the trace.
    pub deferred_ticks: u64,
    /// Block entries are counted.
    count: bool,
    /// The log of calls, if they are reported.
    pub calls: Option<Calls<'a>>,
    pub runtime: Runtime,
    /// Groups of accesses whose permission has been checked.
    pub groups: Vec<memory::Group>,
    cold: Vec<Cold<'a>>,
    edges: Vec<Site>,
    first_edge: u32,
}

/// Displacement of the hart's byte at `offset` from `HART`.
pub fn hart_displ(offset: usize) -> i64 {
    offset as i64 - Hart::X_OFFSET as i64 - BIAS
}

/// Translates a trace for address `base`; its edges get numbers from `first_edge` on.
pub fn translate(
    source: &Source<'_>,
    plan: &Plan,
    batch: &mut Batch,
    host: Host,
    runtime: Runtime,
    base: u64,
    first_edge: u32,
) -> Result<Translation, Unencodable> {
    let trace = Trace::new(source, plan);
    let uses = Uses::new(&trace.operands, &trace.fused, source.loops);
    let Step { number, block } = source.steps[0];
    let mut a = Asm::new(base);
    a.avx2 = !host.vectors;
    let mut t = Translator {
        out: Emitter { a, regs: Regs::entry(&uses), host },
        file: File::new(host, plan.temporaries()),
        plan,
        batch_address: std::ptr::from_ref(&*batch) as u64,
        batch: Batch::default(),
        pending: false,
        due: StaticTicks::default(),
        number,
        block,
        trace: &trace,
        position: 0,
        follow: None,
        timed: source.timed,
        fetching: Fetching::default(),
        deferred_ticks: 0,
        count: source.count,
        calls: source.calls,
        runtime,
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
    trace::emit(&mut t, source, uses.loops().then(|| Arrangement::of_loop(&uses)));
    *batch = std::mem::take(&mut t.batch);
    t.finish(redirected, inner)
}

impl<'a> Translator<'a> {
    /// Leaves to the run loop if the budget is used up; otherwise takes the whole block from it. An exit by a trap
    /// gives back what did not retire.
    fn enter(&mut self) -> (usize, usize) {
        let out = self.out.a.label();
        self.out.a.op2_to(Code::Test_rm64_r64, Rm::R(LEFT), LEFT);
        self.out.a.jump(Code::Jle_rel32_64, out);
        self.check_vector_state();
        self.charge_budget();
        let exit = Exit::Next { block: self.number };
        self.cold.push(Cold::Stub { from: out, pc: self.block.start, exit });
        (0, 0)
    }

    /// Switches to another variant if the vector unit is not in the state that this code is for.
    pub fn check_vector_state(&mut self) {
        if self.plan.entry.is_some() {
            let from = self.out.a.label();
            vector::enter(self, from);
            self.cold.push(Cold::Variant { from });
        }
    }

    /// Takes the block's instructions from the budget. Keeps flags.
    pub fn charge_budget(&mut self) {
        self.out.a.lea(Width::Q, LEFT, at(LEFT, -(self.block.insns.len() as i64)));
    }

    /// Counts the block's entry.
    pub fn count_entry(&mut self) {
        if self.count {
            self.out.a.mov_imm(Reg::RAX, std::ptr::from_ref(&self.block.entered) as u64);
            self.out.a.op1_rm(Code::Inc_rm64, Rm::M(at(Reg::RAX, 0)));
        }
    }

    /// Translates instruction `k` of its block. Returns whether control can go on after it.
    pub fn insn(&mut self, k: usize, i: &Insn) -> bool {
        self.out.regs.begin(self.position);
        let op = i.op().row().base;
        if fused::emit(self, i) {
            return true;
        }
        if op == Op::Fence || alu::emit(&mut self.out, op, i) || bits::emit(&mut self.out, op, i) {
            return true;
        }
        if crypto::emit(&mut self.out, op, i)
            || memory::emit(self, op, k, i)
            || vector::emit(self, k, i)
        {
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
            calls::at_end(self, self.block.end);
            self.leave_saved(Exit::Next { block: self.number });
        }
        !last
    }

    /// Calls the handler of an instruction that has no translation.
    fn call(&mut self, k: usize, i: &Insn) {
        self.release();
        // What the handler counts may depend on the time.
        self.count_deferred_ticks();
        self.deferred_ticks = 0;
        if self.block.plan.dynamic.iter().any(|d| d.index as usize == k) {
            self.catch_up(k as u8);
        }
        self.out.regs.spill(&mut self.out.a);
        let trap = self.trap(k);
        self.call_handler(k, i, trap);
        self.out.regs.called(i.rd);
    }

    /// The call itself; all registers are written back.
    fn call_handler(&mut self, k: usize, i: &Insn, trap: Label) {
        let hart = hart_displ(0);
        self.out.a.lea(Width::Q, Reg::RDI, at(HART, hart));
        self.out.a.mov_imm(Reg::RSI, std::ptr::from_ref(i) as u64);
        let dynamic = self.block.plan.dynamic.iter().find(|d| d.index as usize == k);
        if let (Some(timed), Some(d)) = (self.timed, dynamic) {
            self.out.a.mov_imm(Reg::RDX, timed.address());
            self.out.a.mov_imm(Reg::RCX, d.note as u64);
            self.out
                .a
                .mov_imm(Reg::R8, access_timing::correction(timed.native(), self.block, *d) as u64);
            self.out.a.mov_imm(Reg::RAX, self.runtime.timed_thunk);
        } else {
            self.out.a.mov_imm(Reg::RAX, self.runtime.thunk);
        }
        self.out.a.op1(Code::Call_rm64, Reg::RAX);
        self.out.a.op2_to(Code::Test_rm32_r32, Rm::R(Reg::RAX), Reg::RAX);
        self.out.a.jump(Code::Jne_rel32_64, trap);
    }

    /// The exit for a trap of instruction `k`.
    fn trap(&mut self, k: usize) -> Label {
        let from = self.out.a.label();
        let uncounted = self.uncounted_before(k);
        let exit = Exit::Trap { block: self.number, insn: k as u8 };
        self.cold.push(Cold::Trap { from, exit, uncounted });
        from
    }

    /// Writes the guest's vector registers back and frees the host's.
    pub fn release(&mut self) {
        self.file.begin();
        self.file.release(&mut self.out.a);
    }

    /// The exit that has the block interpreted from instruction `k` on.
    pub fn bailout(&mut self, k: usize) -> Label {
        let from = self.out.a.label();
        let rest = self.bailout_state(k);
        self.cold.push(Cold::Bailout { from, rest });
        from
    }

    /// The state for an exit that has the block interpreted from the current instruction, `k`, on.
    pub fn bailout_state(&self, k: usize) -> Bailout<'a> {
        let exit = Exit::Interpret { block: self.number, insn: k as u8 };
        let (regs, file) = (self.out.regs, self.file.dirty());
        let uncounted = self.uncounted_before(k);
        Bailout { exit, position: self.position, regs, file, uncounted }
    }

    /// Emits that exit.
    pub fn emit_bailout(&mut self, mut rest: Bailout<'a>) {
        rest.file.restore(&mut self.out.a);
        self.emit_uncounted(&rest.uncounted);
        rest.regs.spill(&mut self.out.a);
        fused::materialize(self, rest.position);
        self.leave_saved(rest.exit);
    }

    /// Puts an address into the hart's pc.
    pub fn set_pc(&mut self, pc: u64) {
        self.out.a.mov_imm(Reg::RAX, pc);
        self.set_pc_from(Reg::RAX);
    }

    /// Puts a register into the hart's pc.
    pub fn set_pc_from(&mut self, r: Reg) {
        self.out.a.store(at(HART, hart_displ(offset_of!(Hart, pc))), r);
    }

    /// The memory operand of f register `f` in the hart.
    pub fn f(&self, f: u8) -> Rm {
        Rm::M(at(HART, hart_displ(offset_of!(Hart, f)) + f as i64 * 8))
    }

    /// Moves registers to where entries and exits expect them. Keeps flags.
    pub fn restore_homes(&mut self) {
        self.release();
        self.out.regs.restore_homes(&mut self.out.a);
    }

    /// A jump, under the code's condition, to the block at `pc`, which is reported if it leads to another function.
    pub fn edge(&mut self, code: Code, pc: u64) {
        self.restore_homes();
        let Some(transfer) = calls::logged(self, pc) else { return self.unlogged_edge(code, pc) };
        let around = (code != Code::Jmp_rel32_64).then(|| self.out.a.label());
        around.iter().for_each(|around| self.out.a.jump(opposite(code), *around));
        calls::emit(self, Some(pc), transfer);
        self.unlogged_edge(Code::Jmp_rel32_64, pc);
        around.iter().for_each(|around| self.out.a.bind(*around));
    }

    fn unlogged_edge(&mut self, code: Code, pc: u64) {
        if let Some(timed) = self.timed {
            return self.timed_edge(timed, code, pc);
        }
        let from = self.out.a.label();
        self.out.a.jump(code, from);
        let site = Site { redirected: Some(self.out.a.len() - 4), ..Site::of(self.number, pc) };
        self.add_edge(from, site);
    }

    /// Adds an edge, which leaves from `from` until it is linked.
    pub fn add_edge(&mut self, from: Label, site: Site) {
        let edge = Edge(self.first_edge + self.edges.len() as u32);
        self.edges.push(site);
        self.cold.push(Cold::Edge { from, edge });
    }

    /// Adds code to be placed out of line.
    pub fn out_of_line(&mut self, c: Cold<'a>) {
        self.cold.push(c);
    }

    /// Leaves; pc and all homes are up to date.
    pub fn leave(&mut self, exit: Exit) {
        self.out.a.mov_imm(Reg::RAX, exit.encode());
        self.out.a.jump_to(Code::Jmp_rel32_64, self.runtime.leave);
    }

    /// Leaves; pc and all of the hart's registers are up to date.
    pub fn leave_saved(&mut self, exit: Exit) {
        self.out.a.mov_imm(Reg::RAX, exit.encode());
        self.out.a.jump_to(Code::Jmp_rel32_64, self.runtime.leave_saved);
    }

    fn cold(&mut self, c: Cold<'a>) {
        match c {
            Cold::Stub { from, pc, exit } => {
                self.out.a.bind(from);
                self.set_pc(pc);
                self.leave(exit);
            }
            Cold::Edge { from, edge: Edge(n) } => {
                self.out.a.bind(from);
                self.out.a.mov_imm(Reg::RAX, n.into());
                self.out.a.jump_to(Code::Jmp_rel32_64, self.runtime.leave_edge);
            }
            Cold::Trap { from, exit, uncounted } => {
                self.out.a.bind(from);
                self.emit_uncounted(&uncounted);
                self.leave_saved(exit);
            }
            Cold::Stop { from, pc, exit, regs, position, deferred_ticks } => {
                self.deferred_ticks = deferred_ticks;
                trace::stop(self, from, pc, exit, regs, position);
            }
            Cold::Side { from, pc, step, regs, deferred_ticks } => {
                self.deferred_ticks = deferred_ticks;
                trace::side(self, from, pc, step, regs);
            }
            Cold::Variant { from } => {
                self.out.a.bind(from);
                let stub = self.out.a.label();
                self.out.a.jump(Code::Jmp_rel32_64, stub);
                let site = Site {
                    inner: Some(self.out.a.len() - 4),
                    ..Site::of(self.number, self.trace.start)
                };
                let edge = Edge(self.first_edge + self.edges.len() as u32);
                self.edges.push(site);
                self.out.a.bind(stub);
                self.leave(Exit::Variant(edge));
            }
            Cold::Flush { from, back } => calls::emit_flush(self, from, back),
            Cold::Slow(s) => memory::emit_slow(self, s),
            Cold::Bailout { from, rest } => {
                self.out.a.bind(from);
                self.emit_bailout(rest);
            }
            Cold::Lines { from, back, range } => entry::emit_lines(self, from, back, range),
            Cold::Mispredicted { from, taken, counter, to } => {
                self.emit_mispredicted(from, taken, counter, to)
            }
            Cold::Access(s) => access_timing::emit_slow(self, s),
            Cold::ExtraBeat { from, back, ticks } => {
                deferred::emit_extra_beat(self, from, back, ticks)
            }
            Cold::Span { from, back, base, len, side } => {
                self.out.a.bind(from);
                deferred::span(self, base, len, side);
                self.out.a.jump(Code::Jmp_rel32_64, back);
            }
        }
    }

    fn finish(mut self, redirected: usize, inner: usize) -> Result<Translation, Unencodable> {
        // Emitting out-of-line code may add more of it.
        while !self.cold.is_empty() {
            for c in std::mem::take(&mut self.cold) {
                self.cold(c);
            }
        }
        Ok(Translation { code: self.out.a.finish()?, redirected, inner, edges: self.edges })
    }
}
