//! The host's scalar floating-point instructions. The table encodes them too: a vector register is encoded like the
//! general-purpose register of the same number.

use super::encode::Operands;
use super::vector::{V, Vm};
use super::{Asm, Mem, Reg, Rm};
use iced_x86::Code;

fn reg(v: V) -> Reg {
    Reg::numbered(v.0)
}

fn rm(s: Vm) -> Rm {
    match s {
        Vm::R(v) => Rm::R(reg(v)),
        Vm::M(m) => Rm::M(m),
    }
}

impl Asm {
    /// `d = a op b`.
    pub fn float3(&mut self, code: Code, d: V, a: V, b: Vm) {
        self.encode(code, Operands { reg: reg(d), rm: rm(b), third: reg(a), ..Operands::NONE });
    }

    /// `d = op s`, or a comparison of `d` with `s`.
    pub fn float2(&mut self, code: Code, d: V, s: Vm) {
        self.encode(code, Operands { reg: reg(d), rm: rm(s), ..Operands::NONE });
    }

    /// `m = s`.
    pub fn float_store(&mut self, code: Code, m: Mem, s: V) {
        self.encode(code, Operands { reg: reg(s), rm: Rm::M(m), ..Operands::NONE });
    }

    /// `d` = an integer; the rest of the register comes from `d` itself.
    pub fn float_from(&mut self, code: Code, d: V, s: Rm) {
        self.encode(code, Operands { reg: reg(d), rm: s, third: reg(d), ..Operands::NONE });
    }

    /// `d = s` as an integer.
    pub fn float_to(&mut self, code: Code, d: Reg, s: Vm) {
        self.encode(code, Operands { reg: d, rm: rm(s), ..Operands::NONE });
    }
}
