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
use crate::interface::code::Code;
use crate::interface::entry::Entry;
use crate::interface::exit::Exit;
use crate::interface::judge::Judge;
use crate::interface::portable::Portable;
use crate::interface::state::Unit;
use crate::interface::trace::Source;
use crate::interface::translated::{Refused, Translated};
use crate::interface::translation::{Place, Translation};
use crate::options::{Options, Unsupported};
use crate::timed::Timed;
use capvec_sim::Hart;
pub use runtime::stack::MAX_BUDGET;
use runtime::stack::Stack;
use runtime::{Runtime, constant, faults};
use std::mem::take;
use translate::translate;
use vector_plan::Plan;

/// The code generator and all its code.
pub struct Backend {
    /// The code.
    pub code: Code,
    stack: Stack,
    runtime: Runtime,
    host: Host,
    judge: Judge,
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

/// The displacement of a jump at this position.
fn displacement(at: usize, to: u32) -> [u8; 4] {
    to.wrapping_sub(at as u32 + 4).to_le_bytes()
}

/// Installs the handler of faults again, if another has taken its place. If the system refuses, the other one stays.
pub fn handle_faults() {
    let _ = faults::install();
}

impl Backend {
    /// A backend without any translated block.
    ///
    /// # Errors
    /// The processor lacks instructions, or the system refuses memory to execute in.
    pub fn new(options: Options, timed: Option<&Timed>) -> Result<Backend, Unsupported> {
        check_host()?;
        let mut code = Code::new(options.code_bytes, options.checked, displacement)
            .map_err(|e| Unsupported::Memory(e.into()))?;
        let stack = Stack::new().map_err(|e| Unsupported::Memory(e.into()))?;
        let (host, targets) = (options.host.present(), code.targets().address());
        if host.faults {
            faults::install().map_err(Unsupported::Faults)?;
        }
        let (bytes, runtime) = border::border(code.next(), timed, targets, &stack, host)
            .map_err(|_| Unsupported::Processor)?;
        code.add_border(&bytes).ok_or(Unsupported::Processor)?;
        let regions = [code.targets().region(), stack.region()]
            .into_iter()
            .chain(timed.into_iter().flat_map(Timed::regions))
            .chain(runtime.functions())
            .chain(constant::places())
            .chain(vector::tables())
            .collect();
        code.set_regions(regions);
        let judge = Judge::default();
        Ok(Backend { code, stack, runtime, host, judge, spare: Vec::new() })
    }

    /// Adds what code needs to report calls; returns the address of the function that empties the log. To be called before
    /// anything is translated.
    pub fn enable_calls(&mut self) -> Option<u64> {
        let code = border::flush(self.code.next()).ok()?;
        self.code.add_border(&code)
    }

    /// Translates a trace. `keep`: the translation is to be kept.
    pub fn translate(
        &mut self,
        source: &Source<'_>,
        unit: &Unit<'_>,
        keep: bool,
    ) -> Result<Translated, Refused> {
        let place = self.code.next_place();
        let (t, plan) = self.translation(source, unit, place)?;
        let (tested, states) = (plan.entry, plan.states.unwrap_or_default());
        let (entry, portable) = self.code.add(&t, source.steps, keep)?;
        self.spare = t.code;
        Ok(Translated { entry, batch: t.batch, tested, states, portable })
    }

    /// Places code that has been kept: that of this trace for this unit.
    pub fn place(
        &mut self,
        portable: &Portable,
        source: &Source<'_>,
        unit: &Unit<'_>,
    ) -> Result<Entry, Refused> {
        let again = self.code.is_checked(source.steps).then(|| {
            let place = self.code.next_place();
            self.translation(source, unit, place).map(|(t, _)| t)
        });
        self.code.place(portable, source.steps, again)
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

    /// Makes all indirect jumps leave to the run loop, and returns too: drops all frames.
    pub fn clear_targets(&mut self) {
        self.code.clear_targets();
        self.stack.clear();
    }

    /// Drops all code.
    pub fn reset(&mut self) {
        self.code.truncate();
        self.stack.clear();
    }

    /// Runs from `code`, an entry of a live block of the hart's address space. Returns the remaining budget and the
    /// exit.
    pub fn run(&mut self, h: &mut Hart, code: u32, left: i64) -> (i64, Exit) {
        let (border, code) = (self.code.border_address(), self.code.address(code));
        // SAFETY: the border was generated in `new`; an `Entry` is only made by `translate`, and the engine
        // drops those of code that `reset` has dropped. Each ends with a table of its recoveries.
        let (rest, exit) = unsafe {
            faults::handling(self.code.traces(), || {
                border::enter(border, &self.stack, code, h, left)
            })
        };
        if let Some(pc) = self.code.continues_at(exit) {
            h.pc = pc;
        }
        (rest, exit)
    }
}
