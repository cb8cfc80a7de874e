//! I and M: arithmetic, logic, shifts, multiplication.

use super::asm::{Reg, Rm, Width, at, indexed, scaled};
use super::regs::holds_guest;
use super::translate::Translator;
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const Q: Width = Width::Q;
const D: Width = Width::D;

impl Translator<'_> {
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
            self.a.mixed(Code::Movsxd_r64_rm32, Q, d, D, Rm::R(from));
        }
        self.regs.write(&mut self.a, i.rd, d);
        self.regs.mark_word(i.rd, lazy);
    }

    /// Writes a result that is already a sign-extended word.
    fn result_word(&mut self, i: &Insn, from: Reg) {
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

/// Translates the instruction if it is one of these.
pub fn emit(t: &mut Translator<'_>, op: Op, i: &Insn) -> bool {
    if i.rd_is_x0() && op == Op::Addi {
        return true;
    }
    register(t, op, i) || immediate(t, op, i) || shift(t, op, i) || multiply(t, op, i)
}

fn register(t: &mut Translator<'_>, op: Op, i: &Insn) -> bool {
    match op {
        Op::Add => add(t, i),
        Op::Addw => two(t, D, Code::Add_r32_rm32, true, i),
        Op::Sub => two(t, Q, Code::Sub_r64_rm64, false, i),
        Op::Subw => two(t, D, Code::Sub_r32_rm32, false, i),
        Op::And => bitwise(t, Code::And_r64_rm64, Code::And_r32_rm32, i),
        Op::Or => bitwise(t, Code::Or_r64_rm64, Code::Or_r32_rm32, i),
        Op::Xor => bitwise(t, Code::Xor_r64_rm64, Code::Xor_r32_rm32, i),
        Op::Mul => two(t, Q, Code::Imul_r64_rm64, true, i),
        Op::Mulw => two(t, D, Code::Imul_r32_rm32, true, i),
        Op::Slt => set(t, Code::Setl_rm8, i),
        Op::Sltu => set(t, Code::Setb_rm8, i),
        _ => return false,
    }
    true
}

/// Bitwise operations on two sign-extended words give a sign-extended word.
fn bitwise(t: &mut Translator<'_>, code: Code, low: Code, i: &Insn) {
    if !(t.regs.has_word(i.rs1) && t.regs.has_word(i.rs2)) {
        two(t, Q, code, true, i);
    } else if t.regs.is_lazy(i.rs1) || t.regs.is_lazy(i.rs2) {
        two(t, D, low, true, i);
    } else {
        two(t, Q, code, true, i);
        t.regs.mark_word(i.rd, false);
    }
}

/// `rd = rs1 op rs2` with an x86 instruction that overwrites its first operand.
fn two(t: &mut Translator<'_>, w: Width, code: Code, commutes: bool, i: &Insn) {
    let (mut a, mut b) = (t.x_at(w, i.rs1), t.x_at(w, i.rs2));
    let mut d = t.target(i.rd, Reg::RAX);
    if b == Rm::R(d) && commutes {
        (a, b) = (b, a);
    }
    if b == Rm::R(d) && a != b {
        d = Reg::RAX;
    }
    t.a.mov(d, a);
    t.a.op2(code, w, d, b);
    t.result_at(w, i, d);
}

/// `rd` = x register `x`.
fn copy(t: &mut Translator<'_>, i: &Insn, x: u8) {
    let (word, lazy) = (t.regs.has_word(x), t.regs.is_lazy(x));
    let a = t.x_low(x);
    let d = t.target(i.rd, Reg::RAX);
    t.a.mov(d, a);
    if lazy && !holds_guest(d) {
        return t.result_w(i, d);
    }
    t.result(i, d);
    if word {
        t.regs.mark_word(i.rd, lazy);
    }
}

fn add(t: &mut Translator<'_>, i: &Insn) {
    let (a, b) = (t.x(i.rs1), t.x(i.rs2));
    if i.rs1 == 0 {
        return copy(t, i, i.rs2);
    }
    let (Rm::R(p), Rm::R(q)) = (a, b) else {
        return two(t, Q, Code::Add_r64_rm64, true, i);
    };
    let d = t.target(i.rd, Reg::RAX);
    if d == p || d == q {
        t.a.op2(Code::Add_r64_rm64, Q, d, if d == p { b } else { a });
    } else {
        t.a.lea(Q, d, indexed(p, q, 1, 0));
    }
    t.result(i, d);
}

/// `rd` = whether the comparison of rs1 with rs2 holds.
fn set(t: &mut Translator<'_>, code: Code, i: &Insn) {
    let a = t.x_in(i.rs1, Reg::RAX);
    let b = t.x(i.rs2);
    t.a.op2(Code::Cmp_r64_rm64, Q, a, b);
    flag(t, code, i);
}

/// `rd` = a condition.
fn flag(t: &mut Translator<'_>, code: Code, i: &Insn) {
    t.a.op1(code, Width::B, Reg::RAX);
    let d = t.target(i.rd, Reg::RAX);
    t.a.mixed(Code::Movzx_r32_rm8, D, d, Width::B, Rm::R(Reg::RAX));
    t.result_word(i, d);
}

fn immediate(t: &mut Translator<'_>, op: Op, i: &Insn) -> bool {
    match op {
        Op::Addi => addi(t, i),
        Op::Addiw => addiw(t, i),
        Op::Andi | Op::Ori | Op::Xori => logic(t, op, i),
        Op::Slti => set_imm(t, Code::Setl_rm8, i),
        Op::Sltiu => set_imm(t, Code::Setb_rm8, i),
        Op::Lui | Op::Auipc => constant(t, i),
        _ => return false,
    }
    true
}

fn constant(t: &mut Translator<'_>, i: &Insn) {
    let d = t.target(i.rd, Reg::RAX);
    t.a.mov_imm(d, i.imm as u64);
    t.result(i, d);
    if i32::try_from(i.imm).is_ok() {
        t.regs.mark_word(i.rd, false);
    }
}

fn addi(t: &mut Translator<'_>, i: &Insn) {
    if i.rs1 == 0 {
        return constant(t, i);
    }
    if i.imm == 0 {
        return copy(t, i, i.rs1);
    }
    let a = t.x(i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    match a {
        Rm::R(a) if a != d => t.a.lea(Q, d, at(a, i.imm)),
        a => {
            t.a.mov(d, a);
            t.a.imm(Code::Add_rm64_imm32, Q, Rm::R(d), i.imm as i32);
        }
    }
    t.result(i, d);
}

fn addiw(t: &mut Translator<'_>, i: &Insn) {
    if i.imm == 0 {
        if t.regs.has_word(i.rs1) {
            return copy(t, i, i.rs1);
        }
        let a = t.x_low(i.rs1);
        let d = t.target(i.rd, Reg::RAX);
        t.a.mixed(Code::Movsxd_r64_rm32, Q, d, D, a);
        return t.result_word(i, d);
    }
    let a = t.x_low(i.rs1);
    let a = t.in_register(a, Reg::RAX);
    let d = t.target(i.rd, Reg::RAX);
    t.a.lea(D, d, at(a, i.imm));
    t.result_w(i, d);
}

fn logic(t: &mut Translator<'_>, op: Op, i: &Insn) {
    let imm = i.imm as i32;
    let bytes = match (op, imm) {
        (Op::Andi, 0xff) => Some((Code::Movzx_r32_rm8, Width::B)),
        (Op::Andi, 0xffff) => Some((Code::Movzx_r32_rm16, Width::W)),
        _ => None,
    };
    // A non-negative mask clears the upper half.
    if op == Op::Andi && imm >= 0 {
        let a = t.x_low(i.rs1);
        let d = t.target(i.rd, Reg::RAX);
        match bytes {
            Some((code, w)) => t.a.mixed(code, D, d, w, a),
            None => {
                t.a.mov(d, a);
                t.a.imm(Code::And_rm32_imm32, D, Rm::R(d), imm);
            }
        }
        return t.result_word(i, d);
    }
    let (code, low) = match op {
        Op::Andi => (Code::And_rm64_imm32, Code::And_rm32_imm32),
        Op::Ori => (Code::Or_rm64_imm32, Code::Or_rm32_imm32),
        _ => (Code::Xor_rm64_imm32, Code::Xor_rm32_imm32),
    };
    let (word, lazy) = (t.regs.has_word(i.rs1), t.regs.is_lazy(i.rs1));
    let (w, code) = if lazy { (D, low) } else { (Q, code) };
    let a = t.x_at(w, i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    t.a.mov(d, a);
    t.a.imm(code, w, Rm::R(d), imm);
    t.result_at(w, i, d);
    if word && !lazy {
        t.regs.mark_word(i.rd, false);
    }
}

fn set_imm(t: &mut Translator<'_>, code: Code, i: &Insn) {
    let a = t.x(i.rs1);
    t.a.imm(Code::Cmp_rm64_imm32, Q, a, i.imm as i32);
    flag(t, code, i);
}

/// Both architectures take shift amounts modulo the width.
fn shift(t: &mut Translator<'_>, op: Op, i: &Insn) -> bool {
    match op {
        Op::Sll => by_register(t, Q, Code::VEX_Shlx_r64_rm64_r64, i),
        Op::Srl => by_register(t, Q, Code::VEX_Shrx_r64_rm64_r64, i),
        Op::Sra => by_register(t, Q, Code::VEX_Sarx_r64_rm64_r64, i),
        Op::Sllw => by_register(t, D, Code::VEX_Shlx_r32_rm32_r32, i),
        Op::Srlw => by_register(t, D, Code::VEX_Shrx_r32_rm32_r32, i),
        Op::Sraw => by_register(t, D, Code::VEX_Sarx_r32_rm32_r32, i),
        Op::Slli => by_constant(t, Q, Code::Shl_rm64_imm8, i),
        Op::Srli => by_constant(t, Q, Code::Shr_rm64_imm8, i),
        Op::Srai => by_constant(t, Q, Code::Sar_rm64_imm8, i),
        Op::Slliw => by_constant(t, D, Code::Shl_rm32_imm8, i),
        Op::Srliw => srliw(t, i),
        Op::Sraiw => sraiw(t, i),
        _ => return false,
    }
    true
}

fn by_register(t: &mut Translator<'_>, w: Width, code: Code, i: &Insn) {
    let b = t.x_low(i.rs2);
    let b = t.in_register(b, Reg::RCX);
    let a = t.x_at(w, i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    t.a.vex_swapped(code, w, d, a, b);
    t.result_at(w, i, d);
}

fn by_constant(t: &mut Translator<'_>, w: Width, code: Code, i: &Insn) {
    let a = t.x_at(w, i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    if let (Rm::R(a), 1..=3) = (a, i.imm)
        && a != d
        && matches!(code, Code::Shl_rm64_imm8 | Code::Shl_rm32_imm8)
    {
        let m = if i.imm == 1 { indexed(a, a, 1, 0) } else { scaled(a, 1 << i.imm) };
        t.a.lea(w, d, m);
        return t.result_at(w, i, d);
    }
    t.a.mov(d, a);
    t.a.imm(code, w, Rm::R(d), i.imm as i32);
    t.result_at(w, i, d);
}

/// A shift by more than 0 clears the sign bit, so the result is zero-extended.
fn srliw(t: &mut Translator<'_>, i: &Insn) {
    if i.imm == 0 {
        return by_constant(t, D, Code::Shr_rm32_imm8, i);
    }
    let a = t.x_low(i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    if a != Rm::R(d) {
        t.a.op2(Code::Mov_r32_rm32, D, d, a);
    }
    t.a.imm(Code::Shr_rm32_imm8, D, Rm::R(d), i.imm as i32);
    t.result_word(i, d);
}

fn sraiw(t: &mut Translator<'_>, i: &Insn) {
    let a = t.x_low(i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    if a != Rm::R(d) {
        t.a.op2(Code::Mov_r32_rm32, D, d, a);
    }
    t.a.imm(Code::Sar_rm32_imm8, D, Rm::R(d), i.imm as i32);
    t.result_w(i, d);
}

/// High halves of products. `mulhsu` is too rare to translate; division has special cases, which are left to the
/// handlers.
fn multiply(t: &mut Translator<'_>, op: Op, i: &Insn) -> bool {
    let code = match op {
        Op::Mulh => Code::Imul_rm64,
        Op::Mulhu => Code::Mul_rm64,
        _ => return false,
    };
    let b = t.x(i.rs2);
    t.x_to(i.rs1, Reg::RAX);
    t.a.op1_rm(code, Q, b);
    t.result(i, Reg::RDX);
    true
}
