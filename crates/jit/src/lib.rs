//! The translating engine (JIT): translates hot blocks to x86-64 or AArch64 code. Results, traps and counts equal those of the
//! reference interpreter, on the same blocks.
//!
//! Instructions without a translation are executed by calling their handlers, so every instruction of the table
//! works. docs/engine.md explains the design.
//!
//! # Where to start
//!
//! `engine` is the engine: its run loop (`engine/run_loop.rs`) finds the block at the hart's pc, interprets it while it is
//! cold, has it translated when it is hot, and enters generated code. It works on `space`, the blocks of an address space
//! (each a `block`), with `trace_path`, which selects the blocks of a trace, `tally`, which counts instructions by opcode,
//! `sets`, which counts them in several sets (by region, for example), and `timed`, which is the core model as
//! the run loop calls it. `kept` holds translations for other address spaces and, in files, for other processes that run the
//! same program (`of_program`). `small` holds collections. `both` runs this engine and the interpreter in lockstep.
//! `options` are what a user sets, `host_features` what the processor offers, and `access` how generated code reaches guest
//! memory.
//!
//! `interface` is what the engine and a code generator agree on. `native` names the code generator for this host: a `Backend`.
//! `x64` is the one for x86-64. The path of a trace through it:
//!
//! 1. `vector_plan` decides what each vector instruction becomes, in the state of the vector unit that the hart is in.
//! 2. `analysis` finds which instructions can be fused, where registers are used next, and which accesses lie close together.
//! 3. `translate` emits the blocks: `scalar` emits instructions on x registers, `vector` operations on vector registers, and
//!    its own files whatever can leave the trace. `emit` holds what all of them use, above all the register allocation.
//! 4. `cycles` emits the code that counts cycles, under a core model.
//! 5. `asm` encodes the instructions. `runtime` defines what the code relies on; `border` enters it.
//! 6. `interface::code` holds the code, `interface::links` patches jumps from one trace to another, and `interface::portable` turns
//!    the code into a form that can be placed elsewhere again.
//!
//! `a64` is the code generator for AArch64; its documentation describes it.
//!
//! Imports run one way; `tests/layers.rs` lists them.

#![warn(missing_docs)]

#[cfg(all(translates, target_arch = "aarch64"))]
mod a64;
#[cfg(translates)]
mod access;
#[cfg(translates)]
mod block;
mod both;
#[cfg(translates)]
mod engine;
#[cfg_attr(not(translates), expect(dead_code, reason = "for translations"))]
mod host_features;
#[cfg(translates)]
mod interface;
#[cfg(translates)]
mod kept;
#[cfg(translates)]
mod native;
mod of_program;
mod options;
#[cfg_attr(not(translates), expect(dead_code, reason = "for translations"))]
mod sets;
#[cfg(translates)]
mod small;
#[cfg(translates)]
mod space;
#[cfg(translates)]
mod tally;
#[cfg(translates)]
mod timed;
#[cfg(translates)]
mod trace_path;
#[cfg(all(translates, target_arch = "x86_64"))]
mod x64;

use capvec_sim::Engine;
use capvec_timing::{Core, FirstOrder};
use sets::Sets;
use std::cell::RefCell;
use std::rc::Rc;

pub use both::{Both, Difference};
pub use host_features::Host;
#[cfg(translates)]
pub use kept::Kept;
pub use of_program::OfProgram;
pub use options::{Options, Unsupported};
pub use sets::{Lengths, SetCounts, Sorter};

/// A translating engine, with the cycles of a core model, or one cycle per instruction without a model.
///
/// # Errors
/// The host's processor is not supported, with a model at least; or the host refuses executable memory.
pub fn engine(options: Options, model: Option<FirstOrder>) -> Result<Box<dyn Engine>, Unsupported> {
    #[cfg(translates)]
    return Ok(Box::new(engine::Jit::new(options, model, None)?));
    #[cfg(not(translates))]
    {
        let _ = (options, model);
        Err(Unsupported::Processor)
    }
}

/// The same, taking translations from other engines and giving them its own.
///
/// # Errors
/// As for [`engine`](fn@engine).
#[cfg(translates)]
pub fn sharing(
    options: Options,
    model: Option<FirstOrder>,
    kept: &Kept,
) -> Result<Box<dyn Engine>, Unsupported> {
    Ok(Box::new(engine::Jit::new(options, model, Some(kept))?))
}

/// What an engine counts in sets.
pub struct Counted(Rc<RefCell<Sets>>);

impl Counted {
    /// What was counted in each set.
    pub fn sets(&self) -> Vec<SetCounts> {
        self.0.borrow().counts()
    }
}

/// A translating engine that counts instructions and vector states in sets, between which the sorter chooses.
///
/// # Errors
/// As for [`engine`](fn@engine).
pub fn sorted(
    options: Options,
    model: Option<FirstOrder>,
    sorter: Box<dyn Sorter>,
) -> Result<(Box<dyn Engine>, Counted), Unsupported> {
    let sets = Rc::new(RefCell::new(Sets::new(sorter, model.is_some())));
    #[cfg(translates)]
    {
        let engine = engine::Jit::sorted(options, model, Rc::clone(&sets))?;
        Ok((Box::new(engine), Counted(sets)))
    }
    #[cfg(not(translates))]
    {
        let _ = (options, sets);
        Err(Unsupported::Processor)
    }
}

/// Has this crate handle the faults of generated code again, in case the program has installed another handler of SIGSEGV since the
/// engine was made.
pub fn handle_faults() {
    #[cfg(all(translates, target_arch = "x86_64"))]
    x64::handle_faults();
}

/// The fastest engine for a core: the translating one, or the interpreter on hosts that it does not support. Results,
/// counts and cycles are the same. `count` enables the histogram.
pub fn best(core: &Core, count: bool) -> Box<dyn Engine> {
    let options = Options { count, ..Options::default() };
    engine(options, core.timing()).unwrap_or_else(|_| core.engine(count))
}

/// The same for one of many runs of the same code, which use each other's translations.
pub fn best_sharing(core: &Core, count: bool) -> Box<dyn Engine> {
    let options = Options { count, ..Options::default() };
    #[cfg(translates)]
    let engine = sharing(options, core.timing(), Kept::shared());
    #[cfg(not(translates))]
    let engine = engine(options, core.timing());
    engine.unwrap_or_else(|_| core.engine(count))
}
