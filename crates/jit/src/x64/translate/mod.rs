//! From blocks to host code.
//!
//! The budget is tested at the entry of a trace (under a core model, before control goes there) and after some of its
//! blocks. Control leaves a trace through edges: jumps to a stub that leaves to the run loop, until the run loop patches
//! them to jump to the next trace's code.
//!
//! `blocks` emits the blocks of a trace, and `insn` their instructions. What stays within the trace is in `scalar` and
//! `vector`, outside this folder. The rest of this folder is what can leave the trace. Loads and stores (`loads_stores`,
//! `vector_access`, with `permission`, `bounds` and `alignment`), floating point (`float`), `vset` (`vector_set`, with `vector_state`)
//! and calls of handlers (`handler_call`) can leave it within a block, and take an `InsnTranslator`. Branches and jumps
//! (`control`) end a block, and take the whole `Translator`. `block_end` is the end of a block.

mod alignment;
mod block_end;
mod blocks;
mod bounds;
mod control;
mod float;
mod float_state;
mod handler_call;
mod insn;
mod insn_translator;
mod loads_stores;
mod permission;
mod translator;
mod vector;
mod vector_access;
mod vector_set;
mod vector_state;

use crate::host_features::Host;
use crate::interface::exit::Exit;
use crate::interface::frames::Frames;
use crate::interface::group::Checked;
use crate::interface::link::Site;
use crate::interface::trace::Source;
use crate::interface::translation::{Place, Translation};
use crate::x64::analysis::trace::Trace;
use crate::x64::analysis::uses::Uses;
use crate::x64::asm::{Asm, Rm, Unencodable};
use crate::x64::cycles::Cycles;
use crate::x64::emit::{Arrangement, Emitter, Exits, Regs, VectorRegs, set_pc};
use crate::x64::runtime::Runtime;
use crate::x64::runtime::convention::LEFT;
use crate::x64::vector_plan::Plan;
use bounds::{Aligned, Bounds};
use capvec_sim::hart::MustAlign;
use capvec_timing::batch::Batch;
use float_state::FloatState;
use iced_x86::Code;
use insn_translator::{InsnTranslator, Position};
use std::sync::Arc;
use translator::Translator;

/// Translates a trace. `memory` holds code that is no longer needed: its memory is used again.
pub fn translate(
    source: &Source<'_>,
    plan: &Plan,
    host: Host,
    runtime: &Runtime,
    place: Place,
    memory: Vec<u8>,
) -> Result<Translation, Unencodable> {
    let trace = Trace::new(source, plan);
    let uses = Uses::new(&trace.operands, &trace.fused, source.loops);
    let mut batch = Arc::<Batch>::default();
    let mut a = Asm::reusing(memory, place.base);
    a.avx2 = !host.avx512;
    let insns = InsnTranslator {
        out: Emitter { a, regs: Regs::entry(&uses), host },
        vregs: VectorRegs::new(host, plan.temporaries(), runtime.stack),
        vlenb: plan.vlenb,
        cycles: Cycles::new(source.timed, runtime, Arc::as_ptr(&batch) as u64),
        exits: Exits::new(runtime, place.first_edge),
        checked: Checked::default(),
        bounds: Bounds::default(),
        aligned: Aligned::default(),
        must_align: must_align(source, plan),
        float: FloatState::default(),
        at: Position { trace: &trace, insn: 0, step: source.steps[0] },
    };
    let mut t = Translator {
        insns,
        follow: None,
        frames: Frames::default(),
        plan,
        runtime,
        calls: source.calls,
    };
    let (redirected, inner) = enter(&mut t);
    blocks::count_entry(&mut t.insns.out.a, source, 0);
    blocks::emit(&mut t, source, uses.loops().then(|| Arrangement::of_loop(&uses)));
    let InsnTranslator { mut out, cycles, exits, .. } = t.insns;
    let edges = exits.finish(&mut out.a);
    out.a.append_recoveries();
    // Nobody else has it yet.
    if let Some(batch) = Arc::get_mut(&mut batch) {
        *batch = cycles.into_batch();
    }
    // Without operations, no code refers to it.
    let batch = plan.has_operations().then_some(batch);
    let (code, relocations) = out.a.finish()?;
    Ok(Translation { code, relocations, redirected, inner, edges, batch })
}

/// Accesses that generated code leaves to the interpreter unless they are aligned.
fn must_align(source: &Source<'_>, plan: &Plan) -> MustAlign {
    let emulated = source.timed.is_some_and(|timed| timed.inline_state().vector_emulated);
    MustAlign { vector: plan.must_align.vector || emulated, ..plan.must_align }
}

/// Emits the entries of the trace. Returns the offsets of the entry after a redirection and of the entry for control from
/// another variant.
fn enter(t: &mut Translator<'_>) -> (usize, usize) {
    if t.insns.cycles.timed().is_some() {
        let redirected =
            t.insns.cycles.enter(&mut t.insns.out.a, &mut t.insns.exits, t.insns.at.step);
        let inner = t.insns.out.a.len();
        enter_vectors(t);
        if t.plan.has_operations() {
            t.insns.cycles.begin_batch(&mut t.insns.out.a);
        }
        t.charge_budget();
        (redirected, inner)
    } else {
        enter_untimed(t);
        (0, 0)
    }
}

/// Leaves to the run loop if the budget is used up; otherwise takes the whole block from it. An exit by a trap gives back
/// what did not retire.
fn enter_untimed(t: &mut Translator<'_>) {
    let out = t.insns.out.a.label();
    t.insns.out.a.op2_to(Code::Test_rm64_r64, Rm::R(LEFT), LEFT);
    t.insns.out.a.jump(Code::Jle_rel32_64, out);
    enter_vectors(t);
    t.charge_budget();
    let (pc, exit) = (t.insns.at.step.block.start, Exit::Next { block: t.insns.at.step.number });
    t.insns.exits.out_of_line(move |a, exits| {
        a.bind(out);
        set_pc(a, pc);
        exits.leave(a, exit);
    });
}

/// Tests the state of the vector unit, if the trace's code is for one state.
fn enter_vectors(t: &mut Translator<'_>) {
    let InsnTranslator { out, exits, at, .. } = &mut t.insns;
    let site = Site::of(at.step.number, at.trace.start);
    vector_state::enter(&mut out.a, exits, t.plan.entry, site);
}
