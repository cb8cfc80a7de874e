//! Stops for a debugger: at breakpoints, after accesses to watched memory, and after single instructions.
//!
//! An engine that stops only between blocks cannot stop at every instruction, and blocks that ended at breakpoints would
//! change the cycles of a core model, which accounts whole blocks. So blocks stay as they are: a block in which a stop is
//! possible is executed one instruction at a time, and may be suspended between two of them. The counters then include
//! the instructions that have executed, and are set back when the block resumes, so that it costs what it costs
//! without a debugger. All other blocks run as usual, at the engine's full speed.

use crate::block::Block;
use crate::hart::{Access, Hart};
use crate::insn::Handler;
use crate::mem::{Memory, Perm};
use crate::timing::{Seen, Timing};
use crate::trap::Raised;
use std::collections::BTreeSet;
use std::ops::Range;

/// Which accesses a watchpoint reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchKind {
    /// Changes of the value. A write of the same value is not one.
    Write,
    /// Reads.
    Read,
    /// Reads and writes, including writes of the same value.
    Access,
}

/// A watchpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The watched bytes.
    pub addresses: Range<u64>,
    /// What is reported.
    pub kind: WatchKind,
}

/// Where a run stops, in addition to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Controls {
    /// Stop before the instructions at these addresses.
    pub breakpoints: BTreeSet<u64>,
    /// Stop after an instruction has accessed this memory.
    pub watches: Vec<Watch>,
    /// Stop after one instruction.
    pub step: bool,
}

/// Why a run has been paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The next instruction has a breakpoint.
    Breakpoint,
    /// An instruction has executed.
    Step,
    /// The last instruction, or the system call before it, has accessed this watched address.
    Watch(u64, WatchKind),
}

/// A block that has been suspended before one of its instructions.
#[derive(Clone, Copy, Debug)]
struct Suspended {
    /// `Memory::id`.
    space: u64,
    block: u64,
    insn: usize,
    /// Address of the instruction.
    pc: u64,
}

/// How the execution of a block ended.
pub enum Ended {
    /// All its instructions have retired; the run may have to be paused.
    Finished(Option<Pause>),
    /// It is suspended, and the counters are up to date.
    Suspended(Pause),
    /// This instruction has raised a trap.
    Trap(usize),
}

/// The state of an engine that is being debugged.
#[derive(Debug, Default)]
pub struct Debug {
    controls: Controls,
    suspended: Option<Suspended>,
    /// Where the last run was paused: a breakpoint there has been reported, or has been set since.
    paused_at: Option<u64>,
    /// The run resumes at `paused_at`, and nothing has executed yet.
    skip: bool,
    /// The values of `controls.watches`.
    values: Vec<Option<Vec<u8>>>,
}

/// Instructions and static cycles before instruction `k`.
fn before(b: &Block, k: usize, timed: bool) -> (u64, u64) {
    let n = k as u64;
    (n, if timed { b.plan.costs.before(k).into() } else { n })
}

fn value(mem: &Memory, addresses: &Range<u64>) -> Option<Vec<u8>> {
    let mut bytes = vec![0; (addresses.end - addresses.start) as usize];
    mem.read_as(addresses.start, &mut bytes, Perm(0)).ok().map(|()| bytes)
}

impl Debug {
    /// Where runs stop from now on. Returns the addresses that are in exactly one of the two sets of breakpoints, the
    /// old and the new.
    pub fn set(&mut self, controls: &Controls) -> Vec<u64> {
        let changed = self.controls.breakpoints.symmetric_difference(&controls.breakpoints);
        let changed = changed.copied().collect();
        if self.controls.watches != controls.watches {
            self.values.clear();
        }
        self.controls.clone_from(controls);
        changed
    }

    /// Whether the block has a breakpoint, so that it must not become part of other code.
    pub fn marks(&self, b: &Block) -> bool {
        self.controls.breakpoints.range(b.start..b.end).next().is_some()
    }

    /// A run for this budget begins. Returns whether there is anything to run: without a budget, that is the rest of a
    /// suspended block.
    pub fn begin(&mut self, h: &Hart, budget: u64) -> bool {
        self.skip = self.paused_at.take() == Some(h.pc);
        budget > 0 || self.suspended(h).is_some()
    }

    /// Whether block `b` at the hart's pc has to be executed one instruction at a time.
    ///
    /// # Errors
    /// The run pauses before the block.
    pub fn enter(&mut self, h: &Hart, b: &Block) -> Result<bool, Pause> {
        let skip = std::mem::take(&mut self.skip);
        let pause = self.changed(&h.mem).or_else(|| {
            let here = !skip && self.controls.breakpoints.contains(&h.pc);
            here.then_some(Pause::Breakpoint)
        });
        match pause {
            Some(pause) => {
                self.paused_at = Some(h.pc);
                Err(pause)
            }
            None => Ok(self.controls.step || !self.controls.watches.is_empty() || self.marks(b)),
        }
    }

    /// Another thread runs from now on.
    pub fn forget_suspended(&mut self) {
        (self.suspended, self.paused_at, self.skip) = (None, None, false);
    }

    /// The block that was suspended at the hart's pc, by its address.
    pub fn suspended(&mut self, h: &Hart) -> Option<u64> {
        self.suspended = self.suspended.filter(|s| s.space == h.mem.id() && s.pc == h.pc);
        self.suspended.map(|s| s.block)
    }

    /// Continues the suspended block `b` if it still is what it was: sets the counters back to its start, and returns
    /// the index of the next instruction.
    pub fn resume(&mut self, h: &mut Hart, b: &Block, timed: bool) -> Option<usize> {
        let s = self.suspended.take()?;
        let i = b.insns.get(s.insn)?;
        if b.start != s.block || b.start + i.offset as u64 * 2 != s.pc {
            return None;
        }
        let (insns, cycles) = before(b, s.insn, timed);
        h.instret = h.instret.wrapping_sub(insns);
        h.cycles = h.cycles.wrapping_sub(cycles);
        Some(s.insn)
    }

    /// Executes the block from instruction `from` on. `one` executes an instruction and adds its dynamic cycles.
    pub fn execute(
        &mut self,
        h: &mut Hart,
        b: &Block,
        from: usize,
        timed: bool,
        mut one: impl FnMut(&mut Hart, usize) -> Result<(), Raised>,
    ) -> Ended {
        self.skip = false;
        for k in from..b.insns.len() {
            if one(h, k).is_err() {
                return Ended::Trap(k);
            }
            let next = b.insns.get(k + 1).map(|i| b.start + i.offset as u64 * 2);
            let pause = self.after_insn(h, next);
            let Some(pc) = next else {
                self.paused_at = pause.map(|_| h.pc);
                return Ended::Finished(pause);
            };
            if let Some(pause) = pause {
                let (insns, cycles) = before(b, k + 1, timed);
                h.instret += insns;
                h.cycles += cycles;
                h.pc = pc;
                let space = h.mem.id();
                self.suspended = Some(Suspended { space, block: b.start, insn: k + 1, pc });
                self.paused_at = Some(pc);
                return Ended::Suspended(pause);
            }
        }
        Ended::Finished(None)
    }

    /// Whether to pause after an instruction; `next` is the address of the next one of its block.
    fn after_insn(&mut self, h: &mut Hart, next: Option<u64>) -> Option<Pause> {
        let accessed = self.accessed(&h.accesses);
        h.accesses.clear();
        accessed.or_else(|| self.changed(&h.mem)).or_else(|| {
            let marked = |pc| self.controls.breakpoints.contains(&pc);
            match self.controls.step {
                true => Some(Pause::Step),
                false => next.is_some_and(marked).then_some(Pause::Breakpoint),
            }
        })
    }

    /// The first byte that was accessed and is watched for reads or for all accesses.
    fn accessed(&self, accesses: &[Access]) -> Option<Pause> {
        let watches = self.controls.watches.iter().filter(|w| w.kind != WatchKind::Write);
        watches.flat_map(|w| accesses.iter().map(move |a| (w, a))).find_map(|(w, a)| {
            let (start, end) = (w.addresses.start, w.addresses.end);
            let meets = a.addr < end && start < a.addr.saturating_add(a.size.into());
            let counts = w.kind == WatchKind::Access || !a.store;
            (meets && counts).then_some(Pause::Watch(start.max(a.addr), w.kind))
        })
    }

    /// The first watched value that is not what it was.
    fn changed(&mut self, mem: &Memory) -> Option<Pause> {
        if self.controls.watches.is_empty() {
            return None;
        }
        let watches = &self.controls.watches;
        let new: Vec<_> = watches.iter().map(|w| value(mem, &w.addresses)).collect();
        let old = std::mem::replace(&mut self.values, new);
        let mut pairs = watches.iter().zip(old.iter().zip(&self.values));
        let found = pairs.find(|(w, (old, new))| w.kind != WatchKind::Read && old != new)?;
        Some(Pause::Watch(found.0.addresses.start, found.0.kind))
    }
}

/// Executes instruction `k` of the block under a core model, and adds its dynamic cycles. Its accesses stay in
/// `h.accesses`.
///
/// # Errors
/// It has raised a trap.
pub fn execute_one<T: Timing>(
    timing: &mut T,
    h: &mut Hart,
    b: &Block,
    k: usize,
) -> Result<(), Raised> {
    h.pc = b.end;
    let i = &b.insns[k];
    (i.exec)(h, i)?;
    if let Some(d) = b.plan.costs.dynamic_at(k) {
        let seen = Seen { accesses: &h.accesses, vl: h.v.vl, vtype: h.v.vtype };
        h.cycles += timing.execute(h.cycles + d.issue as u64, d, i, &seen);
    }
    Ok(())
}

/// Executes instruction `k` of the block with the handler of this table, which logs accesses.
///
/// # Errors
/// It has raised a trap.
pub fn execute_plain(table: &[Handler], h: &mut Hart, b: &Block, k: usize) -> Result<(), Raised> {
    h.pc = b.end;
    let i = &b.insns[k];
    table[i.op() as usize](h, i)
}
