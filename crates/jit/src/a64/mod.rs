//! The AArch64 code generator, for Linux.
//!
//! It translates loads, stores, control flow, most scalar instructions, and the vector instructions that `vector::select` lists, if
//! they are unmasked and on a multiple of 16 bytes. Handlers execute the rest, such as floating-point arithmetic, whose underflow
//! AArch64 detects before rounding. It has no code for core models.
//!
//! `translate` emits a trace's blocks: `scalar` and `vector` the instructions that stay within the trace, by means of the `emitter`,
//! and its own files whatever can leave it. `registers` says what host registers hold, `asm` encodes the instructions, and `border` enters the
//! code.

mod asm;
mod border;
mod emitter;
mod registers;
mod scalar;
mod translate;
mod vector;

use crate::host_features::Host;
use crate::interface::code::Code;
use crate::interface::entry::Entry;
use crate::interface::exit::Exit;
use crate::interface::judge::Judge;
use crate::interface::portable::Portable;
use crate::interface::state::{State, Unit};
use crate::interface::trace::Source;
use crate::interface::translated::{Refused, Translated};
use crate::interface::translation::Translation;
use crate::options::{Options, Unsupported};
use crate::timed::Timed;
use border::Runtime;
use capvec_sim::Hart;
use translate::translate;

/// Maximum budget with which generated code is entered: no budget is larger.
pub const MAX_BUDGET: i64 = 1 << 62;

/// Maximum number of bytes of code: a jump reaches this far.
const MAX_CODE: usize = 128 << 20;

/// The code generator and all its code.
pub struct Backend {
    /// The code.
    pub code: Code,
    runtime: Runtime,
    host: Host,
    judge: Judge,
}

/// The instruction for a jump at this position.
fn jump(at: usize, to: u32) -> [u8; 4] {
    asm::b((to as i32 - at as i32) / 4).to_le_bytes()
}

impl Backend {
    /// A backend without any translated block.
    ///
    /// # Errors
    /// There is a core model, or the system refuses memory to execute in.
    pub fn new(options: Options, timed: Option<&Timed>) -> Result<Backend, Unsupported> {
        if timed.is_some() {
            return Err(Unsupported::Cycles);
        }
        let bytes = options.code_bytes.min(MAX_CODE);
        let mut code =
            Code::new(bytes, options.checked, jump).map_err(|e| Unsupported::Memory(e.into()))?;
        let start = code.next();
        let (bytes, runtime) =
            border::border(start, code.targets().address()).map_err(|_| Unsupported::Processor)?;
        code.add_border(&bytes).ok_or(Unsupported::Processor)?;
        code.set_regions(vec![code.targets().region(), start..start + bytes.len() as u64]);
        Ok(Backend { code, runtime, host: options.host.present(), judge: Judge::default() })
    }

    /// Adds what code needs to report calls; returns the address of the function that empties the log. To be called before
    /// anything is translated.
    pub fn enable_calls(&mut self) -> Option<u64> {
        let code = border::flush_function().ok()?;
        self.code.add_border(&code)
    }

    /// Translates a trace. `keep`: the translation is to be kept.
    pub fn translate(
        &mut self,
        source: &Source<'_>,
        unit: &Unit<'_>,
        keep: bool,
    ) -> Result<Translated, Refused> {
        let (t, tested) = self.translation(source, unit)?;
        let (entry, portable) = self.code.add(&t, source.steps, keep)?;
        Ok(Translated { entry, batch: None, tested, states: Vec::new(), portable })
    }

    /// Places code that has been kept: that of this trace for this unit.
    pub fn place(
        &mut self,
        portable: &Portable,
        source: &Source<'_>,
        unit: &Unit<'_>,
    ) -> Result<Entry, Refused> {
        let checked = self.code.is_checked(source.steps);
        let again = checked.then(|| self.translation(source, unit).map(|(t, _)| t));
        self.code.place(portable, source.steps, again)
    }

    /// The translation of a trace, and the state of the vector unit at its entry that it is for, if any.
    fn translation(
        &mut self,
        source: &Source<'_>,
        unit: &Unit<'_>,
    ) -> Result<(Translation, Option<State>), Refused> {
        debug_assert!(source.timed.is_none() && unit.strided, "there is no core model");
        // Handlers do not tell in which states they execute vector instructions.
        let mut insns = source.steps[0].block.insns.iter();
        if unit.counted && insns.any(|i| i.op().row().class.uses_vector_registers()) {
            return Err(Refused::Never);
        }
        let place = self.code.next_place();
        translate(source, (unit, &mut self.judge), self.host, &self.runtime, place)
            .map_err(|_| Refused::Never)
    }

    /// Makes all indirect jumps leave to the run loop.
    pub fn clear_targets(&mut self) {
        self.code.clear_targets();
    }

    /// Drops all code.
    pub fn reset(&mut self) {
        self.code.truncate();
    }

    /// Runs from `code`, an entry of a live block of the hart's address space. Returns the remaining budget and the exit.
    pub fn run(&mut self, h: &mut Hart, code: u32, left: i64) -> (i64, Exit) {
        let (border, code) = (self.code.border_address(), self.code.address(code));
        // SAFETY: the border was generated in `new`; an `Entry` is only made by `translate`, and the engine drops those of code that
        // `reset` has dropped.
        let (rest, exit) = unsafe { border::enter(border, code, h, left) };
        if let Some(pc) = self.code.continues_at(exit) {
            h.pc = pc;
        }
        (rest, exit)
    }
}
