//! From blocks to host code.
//!
//! The budget is tested at the entry of a trace and after some of its blocks. Control leaves a trace through edges: jumps to code
//! that leaves to the run loop, until the run loop patches them to jump to the next trace's code.
//!
//! `blocks` emits the blocks of a trace, and `insn` their instructions. Loads and stores (`memory`, with `permission`) and calls of
//! handlers (`handler`) can leave the trace within a block, and so can vector instructions (`vector`, with `vector_set` and
//! `vector_state`). Branches and jumps (`control`) end a block, whose end may be reported to a
//! profile (`report`). `exits` are the ways out.

mod blocks;
mod control;
mod exits;
mod handler;
mod insn;
mod memory;
mod permission;
mod report;
mod tracked;
mod translator;
mod vector;
mod vector_set;
mod vector_state;

use super::asm::Unencodable;
use super::border::Runtime;
use crate::host_features::Host;
use crate::interface::judge::Judge;
use crate::interface::state::{State, Unit};
use crate::interface::trace::Source;
use crate::interface::translation::{Place, Translation};
use tracked::Tracked;
use translator::Translator;

/// Translates a trace. Returns the state of the vector unit at the entry that the code is for, if any.
pub fn translate(
    source: &Source<'_>,
    (unit, judge): (&Unit<'_>, &mut Judge),
    host: Host,
    runtime: &Runtime,
    place: Place,
) -> Result<(Translation, Option<State>), Unencodable> {
    let mut t = Translator::new(source, Tracked::new(unit, judge), host, runtime, place.first_edge);
    blocks::emit(&mut t);
    t.finish();
    let (edges, entry) = (t.edges, t.vectors.entry);
    let (code, relocations) = t.out.a.finish()?;
    let t = Translation { code, relocations, redirected: 0, inner: 0, edges, batch: None };
    Ok((t, entry))
}
