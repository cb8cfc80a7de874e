//! What is known of the vector unit while code is generated.

use crate::interface::judge::Judge;
use crate::interface::state::{State, Unit};

/// What is known of the vector unit at a position in the code. A block with vector instructions is a trace of its own.
pub struct Tracked<'a> {
    /// What is expected at the entry.
    pub unit: &'a Unit<'a>,
    /// Decides what is legal.
    pub judge: &'a mut Judge,
    /// The state that is expected here, if any.
    pub state: Option<State>,
    /// `STATE_SLOT` says whether the hart is in this state.
    pub tested: bool,
    /// The hart's state may differ from that at the entry.
    pub entered: bool,
    /// The state at the entry that the code is for, if any.
    pub entry: Option<State>,
}

impl<'a> Tracked<'a> {
    /// At the entry.
    pub fn new(unit: &'a Unit<'a>, judge: &'a mut Judge) -> Tracked<'a> {
        let state = State::of(unit.vtype, unit.vl);
        Tracked { unit, judge, state, tested: false, entered: false, entry: None }
    }
}
