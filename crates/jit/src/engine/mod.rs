//! The translating engine. `run_loop` finds blocks, interprets them until translation pays (`translation`), enters
//! generated code, and handles its exits (`exits`). `changed_code` follows code that changes in memory, `pads` links the landing
//! pads of calls, `reuse` takes translations that others have left, `call_log` reports calls to a profile, `debug` pauses runs
//! for a debugger, and `sorted` counts in sets.

mod call_log;
mod changed_code;
mod debug;
mod exits;
mod pads;
mod reuse;
mod run_loop;
mod sorted;
mod translation;

use crate::kept::{Keeper, Kept, Kind, Program};
use crate::native::Backend;
use crate::options::{Options, Unsupported};
use crate::sets::Sets;
use crate::space::Space;
use crate::tally::Tally;
use crate::timed::Timed;
use call_log::CallLog;
use capvec_sim::block::MAX_INSNS;
use capvec_sim::calls::Observer;
use capvec_sim::debug::{Controls, Debug};
use capvec_sim::engine::Histogram;
use capvec_sim::{Engine, Hart, Stop};
use capvec_timing::FirstOrder;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The translating engine.
pub struct Jit {
    backend: Backend,
    timed: Option<Timed>,
    tally: Tally,
    spaces: HashMap<u64, Space>,
    /// Total `size` of all spaces except the running one.
    size: usize,
    /// The space whose blocks are in the table of indirect-jump targets.
    current: Option<u64>,
    hot_threshold: u8,
    calls: Option<CallLog>,
    /// Translations of other engines, address spaces and processes.
    kept: Option<Keeper>,
    /// Number of address spaces that it has run so far.
    spaces_run: u64,
    debug: Option<Box<Debug>>,
    sets: Option<Rc<RefCell<Sets>>>,
}

impl Jit {
    /// An engine without any code. It takes translations from other engines and gives them its own.
    ///
    /// # Errors
    /// This host is not supported.
    pub fn new(
        options: Options,
        model: Option<FirstOrder>,
        kept: Option<&Kept>,
    ) -> Result<Jit, Unsupported> {
        let keeper = |kind| kept.map(|kept| Keeper::Shared(kept.of(kind)));
        Jit::with(options, model, keeper)
    }

    /// The same, with translations of this program that other processes have left.
    ///
    /// # Errors
    /// This host is not supported.
    pub fn of_program(
        options: Options,
        model: Option<FirstOrder>,
        kept: &Arc<Program>,
    ) -> Result<Jit, Unsupported> {
        let keeper = |kind| kept.serve(kind).then(|| Keeper::Program(Arc::clone(kept)));
        Jit::with(options, model, keeper)
    }

    fn with(
        options: Options,
        model: Option<FirstOrder>,
        keeper: impl FnOnce(Kind) -> Option<Keeper>,
    ) -> Result<Jit, Unsupported> {
        let low = options.host.present().low;
        let timed = model.map(|model| Timed::new(model, low));
        let backend = Backend::new(options, timed.as_ref())?;
        let kept = keeper(Kind {
            host: options.host.present(),
            count: options.count,
            model: timed.as_ref().map(Timed::identity),
            border: backend.code.border(),
        });
        Ok(Jit {
            backend,
            timed,
            tally: Tally::new(options.count),
            spaces: HashMap::new(),
            size: 0,
            current: None,
            hot_threshold: options.hot_threshold,
            calls: None,
            kept,
            spaces_run: 0,
            debug: None,
            sets: None,
        })
    }
}

impl Engine for Jit {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        if self.debug.as_mut().is_some_and(|debug| !debug.begin(h, budget)) {
            return Stop::Budget;
        }
        let id = h.mem.id();
        if self.size >= MAX_INSNS {
            let all: Vec<u64> = self.spaces.keys().copied().collect();
            all.into_iter().for_each(|space| self.forget(space));
        }
        let known = self.spaces.remove(&id);
        self.spaces_run += u64::from(known.is_none());
        let mut space = known.unwrap_or_else(|| Space::new(&h.mem, self.hot_threshold));
        self.size -= space.index.size();
        if self.current != Some(id) {
            self.backend.clear_targets();
            self.current = Some(id);
        }
        self.begin_sets(h);
        let stop = self.run_in(&mut space, h, h.instret.saturating_add(budget));
        self.calls.iter().for_each(CallLog::flush);
        self.end_sets(h);
        self.size += space.index.size();
        self.spaces.insert(id, space);
        stop
    }

    fn forget(&mut self, space: u64) {
        let Some(gone) = self.spaces.remove(&space) else { return };
        self.size -= gone.index.size();
        self.tally.add(&gone);
        if self.current == Some(space) {
            self.backend.clear_targets();
            self.current = None;
        }
    }

    fn switch(&mut self) {
        self.debug.iter_mut().for_each(|debug| debug.forget_suspended());
        if let Some(t) = &mut self.timed {
            t.switch();
        }
    }

    fn change_space(&mut self) {
        if let Some(t) = &mut self.timed {
            t.change_space();
        }
    }

    fn report_calls(&mut self, observer: Box<dyn Observer>) -> bool {
        let Some(flush) = self.backend.enable_calls() else { return false };
        self.calls = Some(CallLog::new(observer, flush, false));
        true
    }

    fn debug(&mut self, controls: &Controls) -> bool {
        let mut debug = self.debug.take().unwrap_or_default();
        let changed = debug.set(controls);
        self.breakpoints_changed(&debug, &changed);
        self.debug = Some(debug);
        true
    }

    fn histogram(&self) -> Option<Histogram> {
        self.tally.histogram(self.spaces.values())
    }
}
