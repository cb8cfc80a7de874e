//! Compares two processes of a driver, block by block, between two reads of the counter of instructions: where their paths or
//! their cycles diverge.

use super::stepping::{Block, Stepping, Watcher};
use capvec_profile::Recorder;
use capvec_sim::Engine;
use std::cell::RefCell;
use std::rc::Rc;

/// The longest section that is kept, in blocks: half a gibibyte.
const MOST: usize = 1 << 25;

/// Where two runs diverge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The function of the block: the last one that both executed, or the first that took other cycles.
    pub function: String,
    /// The address of that block in its file.
    pub address: u64,
    /// The file.
    pub object: String,
    /// Whether the paths diverge after the block; otherwise its cycles differ.
    pub path: bool,
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let how = if self.path { "paths diverge after" } else { "cycles differ in" };
        let file = self.object.rsplit('/').next().unwrap_or_default();
        write!(f, "{how} {} ({file} {:#x})", self.function, self.address)
    }
}

/// What is known, shared with whoever reads the result.
#[derive(Default)]
struct State {
    /// The first process that reads the counter, and its last section.
    first: Option<u64>,
    reference: Vec<Block>,
    divergence: Option<Divergence>,
}

/// Compares while an engine runs.
pub struct Comparison {
    recorder: Rc<RefCell<Recorder>>,
    /// The process of the current section, and its blocks, if it is the first process's.
    space: Option<u64>,
    blocks: Vec<Block>,
    /// Number of blocks of the section, and where it diverges from the reference.
    count: usize,
    here: Option<Divergence>,
    state: Rc<RefCell<State>>,
}

/// The result, after the run.
pub struct Compared(Rc<RefCell<State>>);

impl Compared {
    /// Where the processes diverge, if they do.
    pub fn divergence(&self) -> Option<Divergence> {
        self.0.borrow().divergence.clone()
    }
}

/// An engine that compares on top of another. The recorder, which follows the threads, knows the functions.
pub fn comparing(
    inner: Box<dyn Engine>,
    recorder: Rc<RefCell<Recorder>>,
) -> (Stepping<Comparison>, Compared) {
    let state = Rc::new(RefCell::new(State::default()));
    let compared = Compared(Rc::clone(&state));
    let (blocks, here) = (Vec::new(), None);
    let comparison = Comparison { recorder, space: None, blocks, count: 0, here, state };
    (Stepping::new(inner, comparison), compared)
}

impl Watcher for Comparison {
    /// A section ends, and another begins.
    fn counter_read(&mut self, space: u64, _: &dyn Engine) {
        let mut state = self.state.borrow_mut();
        let first = *state.first.get_or_insert(space) == space;
        if self.space == Some(space) {
            match first {
                true => state.reference = std::mem::take(&mut self.blocks),
                false => state.divergence = self.here.take(),
            }
        }
        self.blocks.clear();
        (self.space, self.count, self.here) = (Some(space), 0, None);
    }

    fn executed(&mut self, space: u64, block: Block) {
        let state = self.state.borrow();
        if self.space != Some(space) || self.count == MOST {
            return;
        }
        if state.first == Some(space) {
            self.blocks.push(block);
        } else if self.here.is_none() {
            let at = |k: usize| state.reference.get(k).copied();
            let before = self.count.checked_sub(1).and_then(at);
            let diverged = match at(self.count) {
                Some(other) if other == block => None,
                Some(other) if other.pc == block.pc => Some((block.pc, false)),
                _ => Some((before.map_or(block.pc, |b| b.pc), true)),
            };
            self.here = diverged.map(|(pc, path)| {
                let (function, address) = self.recorder.borrow_mut().place(pc);
                let object = function.object.to_string();
                Divergence { function: function.name, address, object, path }
            });
        }
        self.count += 1;
    }
}
