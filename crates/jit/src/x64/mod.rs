//! The x86-64 code generator. The documentation of the crate describes the path of a trace through its folders.

mod analysis;
mod asm;
mod border;
mod cycles;
mod emit;
mod links;
mod portable;
mod runtime;
mod scalar;
mod translate;
mod vector;
mod vector_plan;

use crate::host_features::Host;
use crate::options::{Options, Unsupported};
use crate::timed::Timed;
pub use analysis::frames::frames;
pub use analysis::trace::{Source, Step};
use capvec_sim::Hart;
use capvec_timing::batch::Batch;
pub use portable::{Bytes, Portable, PortableRecord};
use portable::{Setting, Surroundings};
use runtime::Runtime;
use runtime::buffer::Buffer;
pub use runtime::call_log::Calls;
pub use runtime::counting::Counting;
pub use runtime::entry::Entry;
pub use runtime::exit::{Edge, Exit};
pub use runtime::link::Incoming;
use runtime::link::Site;
pub use runtime::stack::MAX_BUDGET;
use runtime::stack::Stack;
use runtime::targets::Targets;
use std::mem::take;
use std::sync::Arc;
use translate::{Place, Translation, translate};
use vector_plan::{Judge, Plan};
pub use vector_plan::{State, Unit};

/// Why a block could not be translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The buffer is full: reset, then try again.
    Full,
    /// It can never be translated.
    Never,
}

/// A trace that has been translated.
pub struct Translated {
    /// Its entries.
    pub entry: Entry,
    /// The batch that its code refers to, if any, which must live as long.
    pub batch: Option<Arc<Batch>>,
    /// The state of the vector unit that the code tests at its entry.
    pub tested: Option<State>,
    /// The state at each vector instruction of the first block, if they are counted.
    pub states: Vec<State>,
    /// The code for other engines and address spaces, if it is to be kept.
    pub portable: Option<Portable>,
}

/// The code generator and all its code.
pub struct Backend {
    buffer: Buffer,
    targets: Box<Targets>,
    stack: Stack,
    runtime: Runtime,
    host: Host,
    judge: Judge,
    around: Surroundings,
    /// Offset in the buffer at which blocks' code begins.
    first: usize,
    edges: Vec<Site>,
    /// One in this many copies is compared with a new translation.
    checked: u64,
    /// Memory for the next translation. A request for kilobytes would have the allocator merge its free pieces each time.
    spare: Vec<u8>,
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
        let stack = Stack::new().map_err(|e| Unsupported::Memory(e.into()))?;
        let border = buffer.next();
        let (code, runtime) = border::border(border, timed, targets.address(), &stack)
            .map_err(|_| Unsupported::Processor)?;
        buffer.push(&code).ok_or(Unsupported::Processor)?;
        let first = buffer.used();
        let (host, judge) = (options.host.present(), Judge::default());
        let around = Surroundings::new(border, timed, [targets.region(), stack.region()], &runtime);
        let (edges, checked) = (Vec::new(), options.checked);
        let spare = Vec::new();
        Ok(Backend {
            buffer,
            targets,
            stack,
            runtime,
            host,
            judge,
            around,
            first,
            edges,
            checked,
            spare,
        })
    }

    /// Adds what code needs to report calls; returns the address of the function that empties the log. To be called before
    /// anything is translated.
    pub fn enable_calls(&mut self) -> Option<u64> {
        let code = border::flush(self.buffer.next()).ok()?;
        let at = self.buffer.push(&code)?;
        self.first = self.buffer.used();
        Some(self.buffer.address(at))
    }

    /// Translates a trace. `keep`: the translation is to be kept.
    pub fn translate(
        &mut self,
        source: &Source<'_>,
        unit: &Unit<'_>,
        keep: bool,
    ) -> Result<Translated, Refused> {
        let place = self.next_place();
        let (t, plan) = self.translation(source, unit, place)?;
        let (tested, states) = (plan.entry, plan.states.unwrap_or_default());
        let entry = self.push(&t.code, t.edges.iter().copied(), (t.redirected, t.inner))?;
        let batch = t.batch.clone();
        let address = batch.as_ref().map(Arc::as_ptr);
        let setting = Setting { steps: source.steps, place, around: &self.around, batch: address };
        let portable = if keep { Portable::new(&t, &setting) } else { None };
        self.spare = t.code;
        Ok(Translated { entry, batch, tested, states, portable })
    }

    /// Places code that has been kept: that of this trace for this unit.
    pub fn place(
        &mut self,
        portable: &Portable,
        source: &Source<'_>,
        unit: &Unit<'_>,
    ) -> Result<Entry, Refused> {
        let (steps, place) = (source.steps, self.next_place());
        let batch = portable.batch.as_ref().map(Arc::as_ptr);
        let setting = Setting { steps, place, around: &self.around, batch };
        let code = portable.placed(&setting).ok_or(Refused::Never)?;
        if cfg!(debug_assertions) && (steps[0].block.start >> 1).is_multiple_of(self.checked) {
            self.check_placed(portable, source, unit);
        }
        self.push(&code, portable.edges(steps), (portable.redirected, portable.inner))
    }

    /// Panics unless the placed code is that of a new translation, to the byte.
    fn check_placed(&mut self, portable: &Portable, source: &Source<'_>, unit: &Unit<'_>) {
        let place = self.next_place();
        let Ok((t, _)) = self.translation(source, unit, place) else {
            panic!("it cannot be translated")
        };
        let batch = t.batch.as_ref().map(Arc::as_ptr);
        let setting = Setting { steps: source.steps, place, around: &self.around, batch };
        let placed = portable.placed(&setting).expect("it can be placed");
        let start = source.steps[0].block.start;
        assert!(placed == t.code, "the code kept for {start:#x} is not what a translation gives");
        assert!((t.redirected, t.inner) == (portable.redirected, portable.inner), "{start:#x}");
        assert!(portable.edges(source.steps).eq(t.edges), "edges of {start:#x}");
        self.spare = t.code;
    }

    /// Where the next trace's code is placed.
    fn next_place(&self) -> Place {
        Place { base: self.buffer.next(), first_edge: self.edges.len() as u32 }
    }

    /// The translation of a trace, and the plan of its first block.
    fn translation(
        &mut self,
        source: &Source<'_>,
        unit: &Unit<'_>,
        place: Place,
    ) -> Result<(Translation, Plan), Refused> {
        let plan = Plan::new(&source.steps[0].block.insns, unit, self.host, &mut self.judge);
        if unit.counted && plan.states.is_none() {
            return Err(Refused::Never);
        }
        let t = translate(source, &plan, self.host, &self.runtime, place, take(&mut self.spare));
        t.map(|t| (t, plan)).map_err(|_| Refused::Never)
    }

    /// Adds a trace's code and edges. Returns its entries, two of which are at these offsets.
    fn push(
        &mut self,
        code: &[u8],
        edges: impl Iterator<Item = Site>,
        (redirected, inner): (usize, usize),
    ) -> Result<Entry, Refused> {
        let start = self.buffer.push(code).ok_or(Refused::Full)?;
        self.edges.extend(edges.map(|site| site.placed(code, start)));
        let at = |offset| (start + offset) as u32;
        Ok(Entry { redirected: at(redirected), sequential: at(0), inner: at(inner) })
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

    /// Makes indirect jumps to `pc` lead to this code.
    pub fn add_target(&mut self, pc: u64, to: Entry) {
        self.targets.insert(pc, self.buffer.address(to.redirected as usize));
    }

    /// Makes indirect jumps to `pc` leave to the run loop.
    pub fn remove_target(&mut self, pc: u64) {
        self.targets.remove(pc);
    }

    /// Makes all indirect jumps leave to the run loop, and returns too: drops all frames.
    pub fn clear_targets(&mut self) {
        self.targets.clear();
        self.stack.clear();
    }

    /// Drops all code.
    pub fn reset(&mut self) {
        self.buffer.truncate(self.first);
        self.edges.clear();
        self.clear_targets();
    }

    /// Bytes of the functions that generated code calls.
    pub fn border(&self) -> usize {
        self.first
    }

    /// Bytes of code.
    pub fn used(&self) -> usize {
        self.buffer.used()
    }

    /// Runs from `code`, an entry of a live block of the hart's address space. Returns the remaining budget and the
    /// exit.
    pub fn run(&mut self, h: &mut Hart, code: u32, left: i64) -> (i64, Exit) {
        let code = self.buffer.address(code as usize);
        // SAFETY: the border was generated in `new`; an `Entry` is only made by `translate`, and the engine
        // drops those of code that `reset` has dropped.
        let (rest, exit) = unsafe { border::enter(self.around.border, &self.stack, code, h, left) };
        if let Exit::Edge(Edge(n)) | Exit::Variant(Edge(n)) = exit
            && let Some(site) = self.edges.get(n as usize)
        {
            h.pc = site.pc;
        }
        (rest, exit)
    }
}
