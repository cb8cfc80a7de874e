//! From blocks to host code.
//!
//! The budget is tested at the entry of a trace and after some of its blocks. Control leaves a trace through edges: jumps to code
//! that leaves to the run loop, until the run loop patches them to jump to the next trace's code.
//!
//! `blocks` emits the blocks of a trace, and `insn` their instructions. Loads and stores (`memory`, with `permission`) and calls of
//! handlers (`handler`) can leave the trace within a block. Branches and jumps (`control`) end a block, whose end may be reported to a
//! profile (`report`). `exits` are the ways out.

mod blocks;
mod control;
mod exits;
mod handler;
mod insn;
mod memory;
mod permission;
mod report;
mod translator;

use super::asm::Unencodable;
use super::border::Runtime;
use crate::host_features::Host;
use crate::interface::state::Unit;
use crate::interface::trace::Source;
use crate::interface::translation::{Place, Translation};
use translator::Translator;

/// Translates a trace.
pub fn translate(
    source: &Source<'_>,
    unit: &Unit<'_>,
    host: Host,
    runtime: &Runtime,
    place: Place,
) -> Result<Translation, Unencodable> {
    let mut t = Translator::new(source, unit, host, runtime, place.first_edge);
    blocks::emit(&mut t);
    t.finish();
    let edges = t.edges;
    let (code, relocations) = t.out.a.finish()?;
    Ok(Translation { code, relocations, redirected: 0, inner: 0, edges, batch: None })
}
