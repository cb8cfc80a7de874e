//! All generated code of an engine.

use super::buffer::Buffer;
use super::entry::Entry;
use super::exit::{Edge, Exit};
use super::link::Site;
use super::portable::{Portable, Setting, Surroundings};
use super::targets::Targets;
use super::trace::Step;
use super::translated::Refused;
use super::translation::{Place, Translation};
use std::ops::Range;
use std::sync::Arc;

/// The bytes of a jump, or of its displacement: from the position in the buffer where they stand to an offset in the buffer.
pub type Jump = fn(usize, u32) -> [u8; 4];

/// Generated code: the memory that holds it, the edges between traces, and the table of indirect-jump targets.
pub struct Code {
    pub(super) buffer: Buffer,
    targets: Box<Targets>,
    pub(super) edges: Vec<Site>,
    /// Where each trace is, in their order.
    #[cfg(target_arch = "x86_64")]
    traces: Vec<Range<u32>>,
    around: Surroundings,
    /// Offset in the buffer at which blocks' code begins.
    first: usize,
    /// One in this many copies is compared with a new translation.
    checked: u64,
    pub(super) jump: Jump,
}

/// Traces in the order of their places, which are offsets from the base.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Traces<'a> {
    /// The address of the first byte of all code.
    pub base: u64,
    /// See above.
    pub places: &'a [Range<u32>],
}

impl Code {
    /// No code, in a buffer of this many bytes. One in `checked` translations that are placed is compared with a new one.
    ///
    /// # Errors
    /// The system refuses memory to execute in.
    pub fn new(bytes: usize, checked: u64, jump: Jump) -> rustix::io::Result<Code> {
        let buffer = Buffer::new(bytes)?;
        let (targets, edges) = (Box::new(Targets::new()), Vec::new());
        let around = Surroundings { border: buffer.next(), regions: Vec::new() };
        Ok(Code {
            buffer,
            targets,
            edges,
            #[cfg(target_arch = "x86_64")]
            traces: Vec::new(),
            around,
            first: 0,
            checked,
            jump,
        })
    }

    /// Address at which the next code will be executed.
    pub fn next(&self) -> u64 {
        self.buffer.next()
    }

    /// The table of indirect-jump targets.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Adds code that is never dropped, before any trace; returns its address. `None` if it does not fit.
    pub fn add_border(&mut self, code: &[u8]) -> Option<u64> {
        let at = self.buffer.push(code)?;
        self.first = self.buffer.used();
        Some(self.buffer.address(at))
    }

    /// Sets the memory that traces refer to, besides the border: see `Surroundings::regions`.
    pub fn set_regions(&mut self, regions: Vec<Range<u64>>) {
        self.around.regions = regions;
    }

    /// Address of the border.
    pub fn border_address(&self) -> u64 {
        self.around.border
    }

    /// Address of the byte at this offset.
    pub fn address(&self, offset: u32) -> u64 {
        self.buffer.address(offset as usize)
    }

    /// Where the next trace's code is placed.
    pub fn next_place(&self) -> Place {
        Place { base: self.buffer.next(), first_edge: self.edges.len() as u32 }
    }

    /// Adds the translation of a trace of these blocks, and makes a portable copy if it is to be kept.
    pub fn add(
        &mut self,
        t: &Translation,
        steps: &[Step<'_>],
        keep: bool,
    ) -> Result<(Entry, Option<Portable>), Refused> {
        let place = self.next_place();
        let entry = self.push(&t.code, t.edges.iter().copied(), (t.redirected, t.inner))?;
        let batch = t.batch.as_ref().map(Arc::as_ptr);
        let setting = Setting { steps, place, around: &self.around, batch };
        Ok((entry, if keep { Portable::new(t, &setting) } else { None }))
    }

    /// Whether a translation that is placed for these blocks is compared with a new one: only in builds with assertions.
    pub fn is_checked(&self, steps: &[Step<'_>]) -> bool {
        cfg!(debug_assertions) && (steps[0].block.start >> 1).is_multiple_of(self.checked)
    }

    /// Places code that has been kept: that of a trace of these blocks. `again`: a new translation, for comparison.
    pub fn place(
        &mut self,
        portable: &Portable,
        steps: &[Step<'_>],
        again: Option<Result<Translation, Refused>>,
    ) -> Result<Entry, Refused> {
        let batch = portable.batch.as_ref().map(Arc::as_ptr);
        let setting = Setting { steps, place: self.next_place(), around: &self.around, batch };
        let code = portable.placed(&setting).ok_or(Refused::Never)?;
        if let Some(again) = again {
            self.check_placed(portable, steps, &again.expect("it can be translated"));
        }
        self.push(&code, portable.edges(steps), (portable.redirected, portable.inner))
    }

    /// Panics unless the placed code is that of this new translation, to the byte.
    fn check_placed(&self, portable: &Portable, steps: &[Step<'_>], t: &Translation) {
        let batch = t.batch.as_ref().map(Arc::as_ptr);
        let setting = Setting { steps, place: self.next_place(), around: &self.around, batch };
        let placed = portable.placed(&setting).expect("it can be placed");
        let start = steps[0].block.start;
        assert!(placed == t.code, "the code kept for {start:#x} is not what a translation gives");
        assert!((t.redirected, t.inner) == (portable.redirected, portable.inner), "{start:#x}");
        assert!(portable.edges(steps).eq(t.edges.iter().copied()), "edges of {start:#x}");
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
        #[cfg(target_arch = "x86_64")]
        self.traces.push(start as u32..(start + code.len()) as u32);
        let at = |offset| (start + offset) as u32;
        Ok(Entry { redirected: at(redirected), sequential: at(0), inner: at(inner) })
    }

    /// The block that an exit left.
    pub fn block_of(&self, exit: Exit) -> u32 {
        match exit {
            Exit::Edge(edge) | Exit::Variant(edge) => self.site(edge).map_or(0, |site| site.block),
            Exit::Next { block }
            | Exit::Budget { block }
            | Exit::Trap { block, .. }
            | Exit::Interpret { block, .. } => block,
        }
    }

    /// Where control continues after an exit through an edge.
    pub fn continues_at(&self, exit: Exit) -> Option<u64> {
        match exit {
            Exit::Edge(edge) | Exit::Variant(edge) => self.site(edge).map(|site| site.pc),
            _ => None,
        }
    }

    fn site(&self, Edge(n): Edge) -> Option<&Site> {
        self.edges.get(n as usize)
    }

    /// Makes indirect jumps to `pc` lead to this code.
    pub fn add_target(&mut self, pc: u64, to: Entry) {
        self.targets.insert(pc, self.buffer.address(to.redirected as usize));
    }

    /// Makes indirect jumps to `pc` leave to the run loop.
    pub fn remove_target(&mut self, pc: u64) {
        self.targets.remove(pc);
    }

    /// Makes all indirect jumps leave to the run loop.
    pub fn clear_targets(&mut self) {
        self.targets.clear();
    }

    /// Drops all code but the border.
    pub fn truncate(&mut self) {
        self.buffer.truncate(self.first);
        self.edges.clear();
        #[cfg(target_arch = "x86_64")]
        self.traces.clear();
        self.clear_targets();
    }

    /// Bytes of the border: the functions that traces call.
    pub fn border(&self) -> usize {
        self.first
    }

    /// All traces, where they are executed.
    #[cfg(target_arch = "x86_64")]
    pub fn traces(&self) -> Traces<'_> {
        Traces { base: self.buffer.address(0), places: &self.traces }
    }

    /// Bytes of code.
    pub fn used(&self) -> usize {
        self.buffer.used()
    }
}
