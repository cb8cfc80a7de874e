//! The engine that annotates: the interpreter with a model that notes its costs.

use super::notes::{Notes, Noting};
use super::{Line, Listing};
use crate::Recorder;
use capvec_sim::calls::Follower;
use capvec_sim::engine::Histogram;
use capvec_sim::mem::Perm;
use capvec_sim::{Engine, Hart, Interpreter, Stop};
use capvec_timing::FirstOrder;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where an instruction is: its function, its address in the function's file, its bits.
type Place = (u32, u64, u32);

/// The engine. Its clones share what they note.
#[derive(Clone)]
pub struct Annotator {
    interpreter: Rc<RefCell<Interpreter<Noting>>>,
    notes: Rc<RefCell<Notes>>,
    recorder: Rc<RefCell<Recorder>>,
    /// Places of the instructions of each block.
    places: Rc<RefCell<Vec<Vec<Place>>>>,
}

impl Annotator {
    /// Nothing noted. Without a model, each instruction counts as one cycle.
    pub fn new(model: Option<FirstOrder>) -> Annotator {
        Annotator::below(model, None)
    }

    /// The same; if `below` names a function, only what it calls is noted.
    pub fn below(model: Option<FirstOrder>, below: Option<&'static str>) -> Annotator {
        let notes = Rc::new(RefCell::new(Notes::new(below.is_none())));
        let recorder = Rc::new(RefCell::new(Recorder::new(true)));
        let noting =
            Noting { model, notes: Rc::clone(&notes), recorder: Rc::clone(&recorder), below };
        Annotator {
            interpreter: Rc::new(RefCell::new(Interpreter::new(noting, false))),
            notes,
            recorder,
            places: Rc::default(),
        }
    }

    /// What follows the threads.
    pub fn follower(&self) -> Rc<RefCell<dyn Follower>> {
        Rc::clone(&self.recorder) as _
    }

    /// All that has been noted.
    pub fn listing(&self) -> Listing {
        let mut lines: BTreeMap<Place, Line> = BTreeMap::new();
        let notes = self.notes.borrow();
        for (block, places) in notes.blocks.iter().zip(&*self.places.borrow()) {
            for (k, place) in places.iter().enumerate() {
                let more = block.line(k);
                let line = lines.entry(*place).or_default();
                line.word = place.2;
                line.count += more.count;
                line.costs += more.costs;
                line.misaligned += more.misaligned;
            }
        }
        let functions = self.recorder.borrow_mut().finish().functions;
        Listing::new(functions, lines.into_iter().map(|((f, address, _), line)| (f, address, line)))
    }

    /// Finds out where the blocks are that were decoded while the engine ran.
    fn place(&self, h: &Hart) {
        let (notes, mut places) = (self.notes.borrow(), self.places.borrow_mut());
        let mut recorder = self.recorder.borrow_mut();
        for block in &notes.blocks[places.len()..] {
            let place = |(offset, bytes): &(u64, u64)| {
                let pc = block.start + offset;
                let mut word = [0; 4];
                // It has just been executed, or at least decoded.
                let _ = h.mem.read_as(pc, &mut word[..*bytes as usize], Perm::X);
                let (function, address) = recorder.locate(pc);
                (function, address, u32::from_le_bytes(word))
            };
            places.push(block.places.iter().map(place).collect());
        }
    }
}

impl Engine for Annotator {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        {
            let mut notes = self.notes.borrow_mut();
            (notes.space, notes.entered) = (h.mem.id(), 0);
        }
        let before = h.instret;
        let stop = self.interpreter.borrow_mut().run(h, budget);
        let mut notes = self.notes.borrow_mut();
        let missing = notes.entered - (h.instret - before);
        if missing > 0 {
            notes.left_early(missing);
        } else if stop != Stop::Budget {
            notes.interrupt();
        }
        drop(notes);
        self.place(h);
        stop
    }

    fn forget(&mut self, space: u64) {
        self.interpreter.borrow_mut().forget(space);
    }

    fn switch(&mut self) {
        self.interpreter.borrow_mut().switch();
    }

    fn change_space(&mut self) {
        self.interpreter.borrow_mut().change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        None
    }
}
