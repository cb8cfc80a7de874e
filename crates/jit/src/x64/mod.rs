//! The x86-64 code generator. The documentation of the crate describes the path of a trace through its folders.

mod analysis;
mod asm;
mod border;
mod cycles;
mod emit;
mod runtime;
mod scalar;
mod translate;
mod vector;
mod vector_plan;

use crate::host_features::Host;
use crate::options::{Options, Unsupported};
use crate::timed::Timed;
pub use analysis::trace::{Source, Step};
use capvec_sim::Hart;
use capvec_timing::batch::Batch;
use runtime::Runtime;
use runtime::buffer::Buffer;
pub use runtime::call_log::Calls;
pub use runtime::exit::{Edge, Exit};
use runtime::site::{LINKED_GATE, Site};
use runtime::targets::Targets;
use translate::{Place, translate};
pub use vector_plan::Unit;
use vector_plan::{Judge, Plan};

/// The entry points of a block's code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Entry after a redirection; without a core model, the only entry.
    redirected: u64,
    /// Entry for control from the block just before.
    sequential: u64,
    /// Entry for control from another variant of the block, which has already counted the entry.
    inner: u64,
}

impl Entry {
    /// The entry for control by a redirection, or in sequence.
    pub fn at(self, redirected: bool) -> u64 {
        if redirected { self.redirected } else { self.sequential }
    }

    /// The entry for control from another variant.
    pub fn inner(self) -> u64 {
        self.inner
    }
}

/// Why a block could not be translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The buffer is full: reset, then try again.
    Full,
    /// It can never be translated.
    Never,
}

/// The code generator and all its code.
pub struct Backend {
    buffer: Buffer,
    targets: Box<Targets>,
    runtime: Runtime,
    host: Host,
    judge: Judge,
    border: u64,
    /// Offset in the buffer at which blocks' code begins.
    first: usize,
    edges: Vec<Site>,
}

/// Checks for the instructions that generated code always uses.
fn check_host() -> Result<(), Unsupported> {
    let all = is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    if all { Ok(()) } else { Err(Unsupported::Processor) }
}

impl Backend {
    /// A backend without any translated block.
    ///
    /// # Errors
    /// The processor lacks instructions, or the system refuses memory to execute in.
    pub fn new(options: Options, timed: Option<&Timed>) -> Result<Backend, Unsupported> {
        check_host()?;
        let mut buffer =
            Buffer::new(options.code_bytes).map_err(|e| Unsupported::Memory(e.into()))?;
        let targets = Box::new(Targets::new());
        let border = buffer.next();
        let (code, runtime) =
            border::border(border, timed, targets.address()).map_err(|_| Unsupported::Processor)?;
        buffer.push(&code).ok_or(Unsupported::Processor)?;
        let first = buffer.used();
        let (host, judge) = (options.host.present(), Judge::default());
        Ok(Backend { buffer, targets, runtime, host, judge, border, first, edges: Vec::new() })
    }

    /// Adds what code needs to report calls; returns the address of the function that empties the log. There is no other
    /// code yet.
    pub fn enable_calls(&mut self) -> Option<u64> {
        let code = border::flush(self.buffer.next()).ok()?;
        let at = self.buffer.push(&code)?;
        self.first = self.buffer.used();
        Some(self.buffer.address(at))
    }

    /// Translates a trace. Returns its entries and the batch that its code refers to, which must live as long.
    pub fn translate(
        &mut self,
        source: &Source<'_>,
        unit: &Unit<'_>,
    ) -> Result<(Entry, Box<Batch>), Refused> {
        let plan = Plan::new(&source.steps[0].block.insns, unit, self.host, &mut self.judge);
        let place = Place { base: self.buffer.next(), first_edge: self.edges.len() as u32 };
        let t = translate(source, &plan, self.host, &self.runtime, place)
            .map_err(|_| Refused::Never)?;
        let start = self.buffer.push(&t.code).ok_or(Refused::Full)?;
        self.edges.extend(t.edges.iter().map(|site| site.placed(&t.code, start)));
        let at = |offset| self.buffer.address(start + offset);
        let entry = Entry { redirected: at(t.redirected), sequential: at(0), inner: at(t.inner) };
        Ok((entry, t.batch))
    }

    /// The block that an exit left.
    pub fn block_of(&self, exit: Exit) -> u32 {
        match exit {
            Exit::Edge(Edge(n)) | Exit::Variant(Edge(n)) => {
                self.edges.get(n as usize).map_or(0, |site| site.block)
            }
            Exit::Next { block }
            | Exit::Budget { block }
            | Exit::Trap { block, .. }
            | Exit::Interpret { block, .. } => block,
        }
    }

    /// Links an edge to a block. Returns false if it was linked already.
    pub fn link(&mut self, Edge(n): Edge, to: Entry) -> bool {
        let Some(site) = self.edges.get_mut(n as usize).filter(|site| !site.linked) else {
            return false;
        };
        site.linked = true;
        let site = *site;
        let jumps = [
            (site.redirected, to.redirected),
            (site.sequential, to.sequential),
            (site.inner, to.inner),
        ];
        for (at, to) in jumps {
            if let Some(at) = at {
                let distance = to.wrapping_sub(self.buffer.address(at + 4)) as u32;
                self.buffer.patch(at, &distance.to_le_bytes());
            }
        }
        if let Some(at) = site.gate {
            self.buffer.patch(at, &LINKED_GATE);
        }
        true
    }

    /// Makes an edge return to the run loop again.
    pub fn unlink(&mut self, Edge(n): Edge) {
        let Some(site) = self.edges.get_mut(n as usize) else { return };
        site.linked = false;
        if let Some((at, bytes)) = site.unlinked() {
            self.buffer.patch(at, bytes);
        }
    }

    /// Makes indirect jumps to `pc` lead to this code.
    pub fn add_target(&mut self, pc: u64, to: Entry) {
        self.targets.insert(pc, to.redirected);
    }

    /// Makes indirect jumps to `pc` leave to the run loop.
    pub fn remove_target(&mut self, pc: u64) {
        self.targets.remove(pc);
    }

    /// Makes all indirect jumps leave to the run loop.
    pub fn clear_targets(&mut self) {
        self.targets.clear();
    }

    /// Drops all code.
    pub fn reset(&mut self) {
        self.buffer.truncate(self.first);
        self.edges.clear();
        self.targets.clear();
    }

    /// Bytes of code.
    pub fn used(&self) -> usize {
        self.buffer.used()
    }

    /// Runs from `code`, an entry of a live block of the hart's address space. Returns the remaining budget and the
    /// exit.
    pub fn run(&mut self, h: &mut Hart, code: u64, left: i64) -> (i64, Exit) {
        // SAFETY: the border was generated in `new`; an `Entry` is only made by `translate`, and the engine
        // drops those of code that `reset` has dropped.
        let (rest, exit) = unsafe { border::enter(self.border, code, h, left) };
        if let Exit::Edge(Edge(n)) | Exit::Variant(Edge(n)) = exit
            && let Some(site) = self.edges.get(n as usize)
        {
            h.pc = site.pc;
        }
        (rest, exit)
    }
}
