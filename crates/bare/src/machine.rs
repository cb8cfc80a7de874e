//! The machine: a hart in machine mode, memory from 0x80000000 on, and HTIF.

use crate::error::BareError;
use crate::htif::{Htif, Request};
use crate::image::Image;
use crate::log::CommitLog;
use capvec_sim::debug::Pause;
use capvec_sim::hart::{Config, Privilege};
use capvec_sim::mem::{PAGE, Perm, SPACE};
use capvec_sim::{Cause, Engine, Hart, Memory, Stop, Trap};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// First address of the memory.
pub const RAM: u64 = 0x8000_0000;
/// Retired instructions after which the clock and the interrupt flag are checked, at a VLEN of 128.
const SLICE: u64 = 1_000_000;
const RWX: Perm = Perm(7);
/// Without write permission, so that stores to HTIF's page trap and are noticed.
const WATCHED: Perm = Perm(5);

/// `SLICE` at this VLEN: the time of an instruction on a register group grows at most with the square of VLEN, as for a
/// gather or a product of wide elements.
fn slice(vlen: u32) -> u64 {
    let times = u64::from(vlen / 128).max(1);
    (SLICE / (times * times)).max(1)
}

/// Options of a run.
pub struct Options {
    /// The hart's configuration.
    pub config: Arc<Config>,
    /// Size of the memory from 0x80000000 on, in bytes.
    pub memory: u64,
    /// Ends the run after this many retired instructions.
    pub max_insns: Option<u64>,
    /// Ends the run after this much host time.
    pub timeout: Option<Duration>,
    /// Ends the run when it becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Receives the program's output.
    pub console: Box<dyn Write>,
    /// Log of every retired instruction.
    pub log: Option<CommitLog>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The program ended with this code; 0 is success.
    Exit(u64),
    /// The limit of retired instructions was reached.
    Instructions,
    /// The time limit was reached.
    Timeout,
    /// The user interrupted it.
    Interrupted,
    /// The trap handler's first instruction itself traps, so the program is stuck for good.
    Stuck(Trap, u64),
}

/// Why a machine has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The run has ended.
    Ended(Outcome),
    /// For a debugger.
    Paused(Pause),
    /// Because of the caller's `poll`.
    Interrupted,
}

/// A machine that is ready to run.
pub struct Bare {
    started: Instant,
    hart: Hart,
    options: Options,
    htif: Option<Htif>,
    /// Set while the debugger has paused the block that writes a command: `hart.instret` from which the block may end.
    in_command: Option<u64>,
}

/// The pages of a range.
fn pages(at: u64, len: u64) -> (u64, u64) {
    let first = at & !(PAGE - 1);
    (first, (at + len).next_multiple_of(PAGE) - first)
}

/// Maps the pages of the range that are not mapped.
fn map_missing(mem: &Memory, (mut at, len): (u64, u64)) -> Result<(), BareError> {
    let end = at + len;
    while at < end {
        let there = mem.perm(at).is_some();
        let run = (at..end).step_by(PAGE as usize).take_while(|p| mem.perm(*p).is_some() == there);
        let len = run.count() as u64 * PAGE;
        if !there {
            mem.map(at, len, RWX)?;
        }
        at += len;
    }
    Ok(())
}

/// Loads the program. Segments outside the memory from `RAM` on get memory of their own, in total at most as much
/// again.
fn load(mem: &Memory, image: &Image, memory: u64) -> Result<(), BareError> {
    let memory = memory.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX);
    // RV32's address space holds only half of the default size.
    let memory = if image.xlen == 32 { memory.min((1 << 32) - RAM) } else { memory };
    if RAM.checked_add(memory).is_none_or(|end| end > SPACE) {
        return Err(BareError::Memory(memory));
    }
    mem.map(RAM, memory, RWX)?;
    let mut left = memory;
    for s in &image.segments {
        let inside = s.addr >= RAM && s.addr + s.len <= RAM + memory;
        if !inside {
            let missing = || BareError::Segment { at: s.addr, len: s.len, memory };
            left = left.checked_sub(s.len).ok_or_else(missing)?;
            map_missing(mem, pages(s.addr, s.len))?;
        }
        // All of it is mapped.
        let _ = mem.write(s.addr, image.bytes(s));
    }
    Ok(())
}

impl Bare {
    /// Loads the program; the hart is reset, with `pc` at its entry.
    ///
    /// # Errors
    /// The program is for a hart of another XLEN, or does not fit into memory.
    pub fn new(image: &Image, options: Options) -> Result<Bare, BareError> {
        if image.xlen != options.config.xlen {
            return Err(BareError::Xlen(image.xlen, options.config.xlen));
        }
        capvec_sim::mem::check_host()?;
        let mem = Memory::new()?;
        load(&mem, image, options.memory)?;
        let mut hart = Hart::new(Arc::clone(&options.config), mem);
        hart.pc = image.entry;
        hart.reset_machine();
        let fromhost = image.symbol("fromhost");
        let htif = image.symbol("tohost").map(|tohost| Htif { tohost, fromhost });
        let htif = htif.filter(|h| hart.mem.allows(h.tohost, 8, RWX));
        let bare = Bare { started: Instant::now(), hart, options, htif, in_command: None };
        bare.watch(WATCHED);
        Ok(bare)
    }

    /// The hart, for a debugger.
    pub fn hart_mut(&mut self) -> &mut Hart {
        &mut self.hart
    }

    /// The hart.
    pub fn hart(&self) -> &Hart {
        &self.hart
    }

    /// Completes the log and the console's output.
    ///
    /// # Errors
    /// The first error in writing the log.
    pub fn finish(&mut self) -> std::io::Result<()> {
        // The reader may be gone.
        let _ = self.options.console.flush();
        self.options.log.as_mut().map_or(Ok(()), CommitLog::finish)
    }

    /// Sets the permission of HTIF's page.
    fn watch(&self, permission: Perm) {
        if let Some(h) = &self.htif {
            let (at, len) = pages(h.tohost, 8);
            // The host refuses only beyond tens of thousands of mappings, and a machine has a few.
            let _ = self.hart.mem.protect(at, len, permission);
        }
    }

    /// Whether the trap comes from a store to HTIF's watched page.
    fn is_command(&self, trap: Trap) -> bool {
        let watched = |h: Htif| {
            let (at, len) = pages(h.tohost, 8);
            trap.tval.wrapping_sub(at) < len
        };
        trap.cause == Cause::StorePage && self.htif.is_some_and(watched)
    }

    /// Runs the block with the store, until at least `until` instructions have retired, then executes the command.
    fn command(&mut self, engine: &mut dyn Engine, until: u64) -> Option<Progress> {
        self.watch(RWX);
        let stop = self.step(engine, until.saturating_sub(self.hart.instret));
        if let Stop::Paused(pause) = stop {
            self.in_command = Some(until);
            return Some(Progress::Paused(pause));
        }
        let request = match &self.htif {
            Some(h) => h.serve(&self.hart.mem, &mut self.options.console),
            None => Request::Continue,
        };
        self.watch(WATCHED);
        match (request, stop) {
            (Request::Exit(code), _) => Some(Progress::Ended(Outcome::Exit(code))),
            (Request::Continue, Stop::Trap(trap)) => self.trap(trap).map(Progress::Ended),
            (Request::Continue, Stop::Budget | Stop::Paused(_)) => None,
        }
    }

    /// Enters the trap handler; returns an outcome if that cannot help.
    fn trap(&mut self, trap: Trap) -> Option<Outcome> {
        let at = self.hart.pc;
        // An instruction that traps in user mode may succeed in machine mode, in which the handler runs.
        let same =
            trap.cause == Cause::InstructionPage || self.hart.privilege == Privilege::Machine;
        if same && self.hart.trap_vector() == Some(at) {
            return Some(Outcome::Stuck(trap, at));
        }
        self.hart.take_trap(trap);
        None
    }

    /// Runs for `budget` instructions, with the log if there is one.
    fn step(&mut self, engine: &mut dyn Engine, budget: u64) -> Stop {
        match &mut self.options.log {
            Some(log) => log.run(&mut self.hart, budget),
            None => engine.run(&mut self.hart, budget),
        }
    }

    /// Whether a limit is reached.
    fn limit(&self) -> Option<Outcome> {
        let o = &self.options;
        if o.interrupt.as_ref().is_some_and(|i| i.load(Ordering::Relaxed)) {
            return Some(Outcome::Interrupted);
        }
        if o.timeout.is_some_and(|t| self.started.elapsed() >= t) {
            return Some(Outcome::Timeout);
        }
        (self.left() == 0).then_some(Outcome::Instructions)
    }

    /// Remaining instructions up to the limit.
    fn left(&self) -> u64 {
        self.options.max_insns.unwrap_or(u64::MAX).saturating_sub(self.hart.instret)
    }

    /// Whether a limit other than that of instructions is reached.
    pub fn must_stop(&self) -> bool {
        self.limit().is_some_and(|outcome| outcome != Outcome::Instructions)
    }

    /// Runs until the program ends or a limit is reached.
    pub fn run(&mut self, engine: &mut dyn Engine) -> Outcome {
        loop {
            if let Progress::Ended(outcome) = self.advance(engine, &mut || false) {
                return outcome;
            }
        }
    }

    /// Runs for a slice, or up to a trap, and handles that.
    fn proceed(&mut self, engine: &mut dyn Engine, slice: u64) -> Option<Progress> {
        match self.step(engine, slice.min(self.left())) {
            Stop::Budget => None,
            Stop::Paused(pause) => Some(Progress::Paused(pause)),
            Stop::Trap(trap) if self.is_command(trap) => {
                self.command(engine, self.hart.instret.saturating_add(1))
            }
            Stop::Trap(trap) => self.trap(trap).map(Progress::Ended),
        }
    }

    /// Runs until the program ends, a limit is reached, the engine is paused, or `poll`, which is called now and then,
    /// returns true.
    pub fn advance(&mut self, engine: &mut dyn Engine, poll: &mut dyn FnMut() -> bool) -> Progress {
        let slice = slice(self.hart.config.vlen);
        loop {
            if let Some(outcome) = self.limit() {
                return Progress::Ended(outcome);
            }
            let progress = match self.in_command.take() {
                Some(until) => self.command(engine, until),
                None => self.proceed(engine, slice),
            };
            if let Some(progress) = progress {
                return progress;
            }
            if poll() {
                return Progress::Interrupted;
            }
        }
    }
}
