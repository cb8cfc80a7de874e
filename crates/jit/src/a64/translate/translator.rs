//! A trace under translation.

use super::tracked::Tracked;
use crate::a64::asm::{Label, br};
use crate::a64::border::Runtime;
use crate::a64::emitter::{Emitter, Known};
use crate::a64::registers::T1;
use crate::host_features::Host;
use crate::interface::addresses::{AddressRange, Effect, addresses};
use crate::interface::group::Checked;
use crate::interface::link::Site;
use crate::interface::relocation::Refers;
use crate::interface::trace::{Source, Step};
use capvec_isa::Class;
use capvec_sim::insn::Insn;

/// Emits code that is placed out of line, which begins at this label, where this is known.
type OutOfLine<'a> = (Label, Known, Box<dyn FnOnce(&mut Translator<'a>) + 'a>);

/// Where exits jump with an exit, or with the number of an edge, in `T0`.
#[derive(Clone, Copy)]
pub struct Tails {
    /// With an exit.
    pub leave: Label,
    /// With the number of an edge.
    pub leave_edge: Label,
}

/// A trace under translation.
pub struct Translator<'a> {
    /// The assembler, and where guest registers are.
    pub out: Emitter,
    /// The trace.
    pub source: &'a Source<'a>,
    /// The current block.
    pub step: Step<'a>,
    /// The next block of the trace, if control stays in it.
    pub follow: Option<Step<'a>>,
    /// The number of the current instruction in the trace.
    pub at: usize,
    /// The address ranges of the trace's accesses.
    pub addresses: Vec<Option<AddressRange>>,
    /// Accesses whose permission has been checked.
    pub checked: Checked,
    /// Misaligned accesses are left to the interpreter, because they trap.
    pub aligned: bool,
    /// What is known of the vector unit.
    pub vectors: Tracked<'a>,
    /// What generated code calls.
    pub runtime: &'a Runtime,
    /// Code that is emitted after the rest.
    out_of_line: Vec<OutOfLine<'a>>,
    /// The ways out that all exits share.
    pub tails: Tails,
    /// The edges of the trace.
    pub edges: Vec<Site>,
    /// The number of its first edge.
    pub first_edge: u32,
}

impl<'a> Translator<'a> {
    /// Nothing emitted yet.
    pub fn new(
        source: &'a Source<'a>,
        vectors: Tracked<'a>,
        host: Host,
        runtime: &'a Runtime,
        first_edge: u32,
    ) -> Translator<'a> {
        let insns: Vec<&Insn> = source.steps.iter().flat_map(|step| &step.block.insns).collect();
        let addresses = addresses(&insns, insns.iter().map(|i| effect(i)));
        let mut out = Emitter::new(host);
        let tails = Tails { leave: out.a.label(), leave_edge: out.a.label() };
        Translator {
            out,
            source,
            step: source.steps[0],
            follow: None,
            at: 0,
            addresses,
            checked: Checked::default(),
            aligned: vectors.unit.config.must_align.scalar,
            vectors,
            runtime,
            out_of_line: Vec::new(),
            tails,
            edges: Vec::new(),
            first_edge,
        }
    }

    /// Has this emitted after everything else. Returns the label where it begins; what is known now is known there.
    pub fn out_of_line(&mut self, emit: impl FnOnce(&mut Translator<'a>) + 'a) -> Label {
        let from = self.out.a.label();
        self.out_of_line.push((from, self.out.known, Box::new(emit)));
        from
    }

    /// Emits all code that is out of line, and the ways out that exits share.
    pub fn finish(&mut self) {
        // Code out of line may have more of it.
        while !self.out_of_line.is_empty() {
            for (from, known, emit) in std::mem::take(&mut self.out_of_line) {
                self.out.a.bind(from);
                self.out.known = known;
                emit(self);
            }
        }
        let Tails { leave, leave_edge } = self.tails;
        for (label, to) in [(leave, self.runtime.leave), (leave_edge, self.runtime.leave_edge)] {
            self.out.a.bind(label);
            self.out.a.load_literal(T1, to, Refers::Address);
            self.out.a.put(br(T1));
        }
    }
}

/// What an instruction does to the x registers. `rd` may name another kind of register, which does no harm here.
fn effect(i: &Insn) -> Effect {
    let simple = match i.op().row().class {
        // A custom instruction takes only its cost from its class.
        _ if i.op().custom().is_some() => false,
        Class::Alu
        | Class::Mul
        | Class::Div
        | Class::Load
        | Class::Store
        | Class::Branch
        | Class::Jump
        | Class::Fence
        | Class::Clmul
        | Class::Aes
        | Class::Sha2
        | Class::Sm3
        | Class::Sm4 => true,
        _ => false,
    };
    Effect { call: !simple, write: if i.rd < 32 { i.rd } else { 0 }, fused: false, base: None }
}
