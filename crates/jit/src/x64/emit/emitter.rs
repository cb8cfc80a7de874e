//! The emitter: the assembler and the register allocation, which is all that the translation of an instruction on
//! x registers needs. The rest of the translator (blocks, exits, cycles, vector registers) is out of its reach.

use super::scalar_allocation::Regs;
use crate::host_features::Host;
use crate::x64::asm::{Asm, Reg, Rm, Width};
use crate::x64::runtime::convention::holds_guest;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const Q: Width = Width::Q;
const D: Width = Width::D;

/// Code under construction, and what host registers hold in it.
pub struct Emitter<'a> {
    /// The assembler.
    pub a: Asm,
    /// The register allocation.
    pub regs: Regs<'a>,
    /// Host features for instructions other than vector instructions.
    pub host: Host,
}

impl Emitter<'_> {
    /// x register `x` as an operand.
    pub fn x(&mut self, x: u8) -> Rm {
        self.regs.read(&mut self.a, x)
    }

    /// x register `x` in a host register.
    pub fn x_in(&mut self, x: u8, scratch: Reg) -> Reg {
        self.regs.read_in(&mut self.a, x, scratch)
    }

    /// Copies x register `x` to a scratch register.
    pub fn x_to(&mut self, x: u8, scratch: Reg) {
        let v = self.x(x);
        self.a.mov(scratch, v);
    }

    /// The host register in which to compute a value for x register `x`.
    pub fn target(&mut self, x: u8, scratch: Reg) -> Reg {
        self.regs.target(&mut self.a, x, scratch)
    }

    /// Writes the result to `rd`; `from` is the register from `target`, or a scratch register.
    pub fn result(&mut self, i: &Insn, from: Reg) {
        let d = self.destination(i, from);
        self.a.mov(d, Rm::R(from));
        self.regs.write(&mut self.a, i.rd, d);
    }

    /// x register `x` as an operand of which only the low half is read.
    pub fn x_low(&mut self, x: u8) -> Rm {
        self.regs.read_low(&mut self.a, x)
    }

    /// x register `x` as an operand of this width.
    pub fn x_at(&mut self, w: Width, x: u8) -> Rm {
        if w == Q { self.x(x) } else { self.x_low(x) }
    }

    /// The operand in a register: its own, or `scratch`.
    pub fn in_register(&mut self, a: Rm, scratch: Reg) -> Reg {
        match a {
            Rm::R(r) => r,
            m => {
                self.a.mov(scratch, m);
                scratch
            }
        }
    }

    /// Writes a 32-bit result. A host register that holds a guest register is sign-extended lazily, when its upper
    /// half is read.
    pub fn result_w(&mut self, i: &Insn, from: Reg) {
        let lazy = holds_guest(from);
        let d = self.destination(i, from);
        if !lazy {
            self.a.op2(Code::Movsxd_r64_rm32, d, Rm::R(from));
        }
        self.regs.write(&mut self.a, i.rd, d);
        self.regs.mark_word(i.rd, lazy);
    }

    /// Writes a result that is already a sign-extended word.
    pub fn result_word(&mut self, i: &Insn, from: Reg) {
        self.result(i, from);
        self.regs.mark_word(i.rd, false);
    }

    /// The destination of a result that is in `from`.
    fn destination(&mut self, i: &Insn, from: Reg) -> Reg {
        if holds_guest(from) { from } else { self.target(i.rd, from) }
    }

    /// Writes a result of this width.
    pub fn result_at(&mut self, w: Width, i: &Insn, from: Reg) {
        if w == D { self.result_w(i, from) } else { self.result(i, from) }
    }
}
