//! Counting cycles in generated code, exactly as the core model does. Without a model, nothing here emits any code.
//!
//! All ticks are added to one cell, so that only their sum matters. A block's static cost is counted when the block is
//! entered (`entry`), the redirection to the next block at its end (`edge`), and what depends on data at the
//! instruction: scalar accesses (`access`) and vector instructions (`vector`). `lines` has the modelled caches.
//!
//! `Cycles` is the state of this accounting along a trace. Its functions take the other parts of the translator that
//! they need.

pub mod access;
pub mod edge;
mod entry;
mod fetch;
pub mod lines;
mod uncounted;
mod vector;

use crate::access::static_ticks as static_accesses;
use crate::timed::Timed;
use crate::x64::asm::{Asm, Reg, Rm, at};
use crate::x64::runtime::Runtime;
use capvec_sim::block::Block;
use capvec_sim::timing::Dynamic;
use capvec_timing::batch::Batch;
use capvec_timing::native::{Native, TICKS, static_ticks};
use entry::Fetching;
use iced_x86::Code;
pub use uncounted::Uncounted;
use vector::VectorCycles;
pub use vector::VectorInsn;

/// What has been counted at the position for which code is being generated, and what has not.
pub struct Cycles<'a> {
    /// The ticks that are counted where code leaves the trace.
    pub deferred: Deferred<'a>,
    /// What is known about the front end.
    fetching: Fetching,
    /// Vector instructions that have not been counted.
    vector: VectorCycles,
    runtime: &'a Runtime,
}

impl<'a> Cycles<'a> {
    /// At a trace's entry. Vector instructions are counted by way of the batch at this address.
    pub fn new(timed: Option<&'a Timed>, runtime: &'a Runtime, batch_address: u64) -> Cycles<'a> {
        let deferred = Deferred { timed, ticks: 0 };
        let vector = VectorCycles::new(batch_address);
        Cycles { deferred, fetching: Fetching::default(), vector, runtime }
    }

    /// The core model, if there is one.
    pub fn timed(&self) -> Option<&'a Timed> {
        self.deferred.timed
    }

    /// The vector instructions that generated code counts by way of the batch.
    pub fn into_batch(self) -> Batch {
        self.vector.batch
    }
}

/// Ticks of a trace's blocks that are counted where code leaves the trace. There are none without a core model.
#[derive(Clone, Copy)]
pub struct Deferred<'a> {
    timed: Option<&'a Timed>,
    ticks: u64,
}

impl<'a> Deferred<'a> {
    /// Most ticks: they must fit in an instruction's immediate, together with those of one more block.
    const MAX: u64 = 1 << 29;

    /// Counts them. Clobbers RCX.
    pub fn count(&self, a: &mut Asm) {
        if let Some(timed) = self.timed {
            add_ticks(a, timed.native().ticks, self.ticks, Reg::RCX);
        }
    }

    /// RAX = the hart's cycles in ticks, including these. Clobbers RDX. Returns false, without emitting code, if there is no
    /// core model.
    pub fn load_ticks(&self, a: &mut Asm) -> bool {
        let Some(timed) = self.timed else { return false };
        let native = timed.native();
        let since = native.since.wrapping_sub(native.ticks) as i64;
        a.mov_imm(Reg::RDX, native.ticks);
        a.mov(Reg::RAX, Rm::M(at(Reg::RDX, 0)));
        a.op2(Code::Add_r64_rm64, Reg::RAX, Rm::M(at(Reg::RDX, since)));
        if self.ticks > 0 {
            a.imm(Code::Add_rm64_imm32, Rm::R(Reg::RAX), self.ticks as i32);
        }
        true
    }

    /// Counts them, so that none are left. Clobbers RCX.
    pub fn flush(&mut self, a: &mut Asm) {
        self.count(a);
        self.ticks = 0;
    }
}

/// Adds ticks to the count, the cell at address `count`. Clobbers `scratch`.
fn add_ticks(a: &mut Asm, count: u64, ticks: u64, scratch: Reg) {
    if ticks > 0 {
        a.mov_imm(scratch, count);
        add_to_cell(a, Rm::M(at(scratch, 0)), ticks);
    }
}

/// Adds ticks to a cell. A block's ticks are below 2^31, because each parameter is below 100,000 cycles.
fn add_to_cell(a: &mut Asm, cell: Rm, ticks: u64) {
    if ticks > 0 {
        a.imm(Code::Add_rm64_imm32, cell, ticks as i32);
    }
}

/// Ticks to add to the count for the time at which a dynamic instruction issues: the block's entry has already
/// counted everything static, of later instructions too.
pub fn correction(n: &Native, b: &Block, d: Dynamic) -> i64 {
    let later = static_accesses(n, &b.insns[d.index as usize..]);
    let all = static_ticks(&b.plan, b.insns.len());
    d.issue as i64 * TICKS as i64 - (all + later) as i64
}
