//! Scalar floating point.
//!
//! While generated code runs, the flags that it raises are collected in the host's MXCSR; `border` moves them to the
//! hart. A result that is a NaN is replaced by the canonical one, out of line. Where the host differs in other ways (operands
//! that are not NaN-boxed, another rounding mode, NaN results of fused multiplications), the rest of the block is
//! interpreted.

use super::insn_translator::InsnTranslator;
use crate::x64::analysis::float::{Compare, Float, Kind, Rounding, Sign, Source};
use crate::x64::asm::vector::{V, Vm};
use crate::x64::asm::{Mem, Reg, Rm, Width};
use crate::x64::runtime::convention::{f_slot, hart_field};
use capvec_sim::Hart;
use capvec_sim::insn::Insn;
use iced_x86::Code;
use std::mem::offset_of;

/// Scratch registers: no value lives in them across instructions.
const A: V = V(0);
const B: V = V(1);
const RAX: Reg = Reg::RAX;
const RCX: Reg = Reg::RCX;

/// Translates the instruction if it is one of these and the host can compute it.
pub fn emit(t: &mut InsnTranslator<'_>, k: usize, i: &Insn) -> bool {
    let Some(float) = Float::of(i, t.out.host) else { return false };
    if float.rounding == Rounding::Dynamic {
        check_rounding(t, k);
    }
    let (double, f) = (float.double, Format { double: float.double });
    match float.kind {
        Kind::Binary(code) => {
            check_boxed(t, k, f, &[i.rs1, i.rs2]);
            f.load(t, A, i.rs1);
            t.out.a.float3(code, A, A, Vm::M(f_slot(i.rs2)));
            f.result(t, i.rd);
        }
        Kind::Sqrt(code) => {
            check_boxed(t, k, f, &[i.rs1]);
            t.out.a.float3(code, A, A, Vm::M(f_slot(i.rs1)));
            f.result(t, i.rd);
        }
        Kind::Convert(code) => {
            check_boxed(t, k, f, &[i.rs1]);
            t.out.a.float3(code, A, A, Vm::M(f_slot(i.rs1)));
            Format { double: !double }.result(t, i.rd);
        }
        Kind::Fma(code) => fma(t, k, f, code, i),
        Kind::Sign(sign) => {
            check_boxed(t, k, f, &[i.rs1, i.rs2]);
            inject(t, f, sign, i);
        }
        Kind::Compare(compare) => {
            check_boxed(t, k, f, &[i.rs1, i.rs2]);
            relate(t, f, compare, i);
        }
        Kind::ToInt { wide } => {
            check_boxed(t, k, f, &[i.rs1]);
            to_int(t, f, wide, float.rounding == Rounding::Truncate, i);
        }
        Kind::FromInt(source) => from_int(t, f, source, i),
        Kind::MoveToX => {
            let d = t.out.target(i.rd, RAX);
            let code = if double { Code::Mov_r64_rm64 } else { Code::Movsxd_r64_rm32 };
            t.out.a.op2(code, d, Rm::M(f_slot(i.rs1)));
            t.out.result(i, d);
            if !double {
                t.out.regs.mark_word(i.rd, false);
            }
        }
        Kind::MoveFromX => {
            let source = t.out.x_at(if double { Width::Q } else { Width::D }, i.rs1);
            let source = t.out.in_register(source, RAX);
            f.store_bits(t, i.rd, source);
        }
    }
    true
}

/// Leaves the rest of the block to the interpreter unless `frm` is round to nearest.
fn check_rounding(t: &mut InsnTranslator<'_>, k: usize) {
    if t.float.assume_nearest() {
        return;
    }
    let otherwise = t.bailout(k);
    t.out.a.imm(Code::Cmp_rm8_imm8, Rm::M(hart_field(offset_of!(Hart, frm))), 0);
    t.out.a.jump(Code::Jne_rel32_64, otherwise);
}

/// In single precision, leaves the rest of the block to the interpreter unless these registers hold NaN-boxed values.
fn check_boxed(t: &mut InsnTranslator<'_>, k: usize, f: Format, registers: &[u8]) {
    for r in registers.iter().filter(|_| !f.double) {
        if t.float.is_boxed(*r) {
            continue;
        }
        let otherwise = t.bailout(k);
        t.out.a.imm(Code::Cmp_rm32_imm32, Rm::M(upper_half(*r)), -1);
        t.out.a.jump(Code::Jne_rel32_64, otherwise);
        t.float.wrote_single(*r);
    }
}

fn upper_half(f: u8) -> Mem {
    let slot = f_slot(f);
    Mem { displ: slot.displ + 4, ..slot }
}

/// A format, and how its values are stored.
#[derive(Clone, Copy)]
struct Format {
    double: bool,
}

impl Format {
    /// One of two codes.
    fn pick(self, single: Code, double: Code) -> Code {
        if self.double { double } else { single }
    }

    fn load(self, t: &mut InsnTranslator<'_>, v: V, f: u8) {
        let code = self.pick(Code::VEX_Vmovss_xmm_m32, Code::VEX_Vmovsd_xmm_m64);
        t.out.a.float2(code, v, Vm::M(f_slot(f)));
    }

    /// Compares A with itself: sets the parity flag if it is a NaN.
    fn test_nan(self, t: &mut InsnTranslator<'_>) {
        let code = self.pick(Code::VEX_Vucomiss_xmm_xmmm32, Code::VEX_Vucomisd_xmm_xmmm64);
        t.out.a.float2(code, A, Vm::R(A));
    }

    /// fd = A. Keeps flags.
    fn store(self, t: &mut InsnTranslator<'_>, f: u8) {
        self.fill(t, f);
        let code = self.pick(Code::VEX_Vmovss_m32_xmm, Code::VEX_Vmovsd_m64_xmm);
        t.out.a.float_store(code, f_slot(f), A);
    }

    /// fd = the bits in a register.
    fn store_bits(self, t: &mut InsnTranslator<'_>, f: u8, bits: Reg) {
        self.fill(t, f);
        let code = self.pick(Code::Mov_rm32_r32, Code::Mov_rm64_r64);
        t.out.a.op2_to(code, Rm::M(f_slot(f)), bits);
    }

    /// Prepares fd for a value that is stored next.
    fn fill(self, t: &mut InsnTranslator<'_>, f: u8) {
        if self.double {
            t.float.wrote_double(f);
        } else {
            t.out.a.imm(Code::Mov_rm64_imm32, Rm::M(f_slot(f)), -1);
            t.float.wrote_single(f);
        }
    }

    /// fd = A, or the canonical NaN if A is any NaN.
    fn result(self, t: &mut InsnTranslator<'_>, f: u8) {
        self.test_nan(t);
        self.store(t, f);
        let (from, back) = (t.out.a.label(), t.out.a.label());
        t.out.a.jump(Code::Jp_rel32_64, from);
        t.out.a.bind(back);
        let nan: u64 = if self.double { 0x7ff8 << 48 } else { 0xffff_ffff_7fc0_0000 };
        t.exits.out_of_line(move |a, _| {
            a.bind(from);
            a.mov_imm(RAX, nan);
            a.store(f_slot(f), RAX);
            a.jump(Code::Jmp_rel32_64, back);
        });
    }
}

/// RISC-V raises the invalid flag for ∞ × 0 + NaN, which the host does not: NaN results are left to the interpreter.
fn fma(t: &mut InsnTranslator<'_>, k: usize, f: Format, code: Code, i: &Insn) {
    check_boxed(t, k, f, &[i.rs1, i.rs2, i.rs3]);
    f.load(t, A, i.rs1);
    f.load(t, B, i.rs2);
    t.out.a.float3(code, A, B, Vm::M(f_slot(i.rs3)));
    f.test_nan(t);
    let otherwise = t.bailout(k);
    t.out.a.jump(Code::Jp_rel32_64, otherwise);
    f.store(t, i.rd);
}

fn inject(t: &mut InsnTranslator<'_>, f: Format, sign: Sign, i: &Insn) {
    let a = &mut t.out.a;
    let (load, bit) = match f.double {
        true => (Code::Mov_r64_rm64, 63),
        false => (Code::Mov_r32_rm32, 31),
    };
    a.op2(load, RAX, Rm::M(f_slot(i.rs1)));
    if i.rs1 == i.rs2 {
        match sign {
            Sign::Copy => {}
            Sign::Not => a.imm(Code::Btc_rm64_imm8, Rm::R(RAX), bit),
            Sign::Xor => a.imm(Code::Btr_rm64_imm8, Rm::R(RAX), bit),
        }
    } else {
        a.op2(load, RCX, Rm::M(f_slot(i.rs2)));
        if sign == Sign::Not {
            a.op1_rm(Code::Not_rm64, Rm::R(RCX));
        }
        // The sign alone.
        let (right, left) = match f.double {
            true => (Code::Shr_rm64_imm8, Code::Shl_rm64_imm8),
            false => (Code::Shr_rm32_imm8, Code::Shl_rm32_imm8),
        };
        a.imm(right, Rm::R(RCX), bit);
        a.imm(left, Rm::R(RCX), bit);
        if sign != Sign::Xor {
            a.imm(Code::Btr_rm64_imm8, Rm::R(RAX), bit);
        }
        a.op2(Code::Xor_r64_rm64, RAX, Rm::R(RCX));
    }
    f.store_bits(t, i.rd, RAX);
}

/// An unordered comparison sets the carry, zero and parity flags.
fn relate(t: &mut InsnTranslator<'_>, f: Format, compare: Compare, i: &Insn) {
    let (first, second) = if compare == Compare::Eq { (i.rs1, i.rs2) } else { (i.rs2, i.rs1) };
    let code = match compare {
        Compare::Eq => f.pick(Code::VEX_Vucomiss_xmm_xmmm32, Code::VEX_Vucomisd_xmm_xmmm64),
        _ => f.pick(Code::VEX_Vcomiss_xmm_xmmm32, Code::VEX_Vcomisd_xmm_xmmm64),
    };
    f.load(t, A, first);
    t.out.a.float2(code, A, Vm::M(f_slot(second)));
    t.out.a.op1(
        match compare {
            Compare::Eq => Code::Sete_rm8,
            Compare::Lt => Code::Seta_rm8,
            Compare::Le => Code::Setae_rm8,
        },
        RAX,
    );
    if compare == Compare::Eq {
        t.out.a.op1(Code::Setnp_rm8, RCX);
        t.out.a.op2(Code::And_r32_rm32, RAX, Rm::R(RCX));
    }
    let d = t.out.target(i.rd, RAX);
    t.out.a.op2(Code::Movzx_r32_rm8, d, Rm::R(RAX));
    t.out.result_word(i, d);
}

/// A value that does not fit becomes the host's most negative integer, with the invalid flag. RISC-V has the same flag,
/// and the most positive integer instead for positive values and NaNs.
fn to_int(t: &mut InsnTranslator<'_>, f: Format, wide: bool, truncate: bool, i: &Insn) {
    use Code::{
        VEX_Vcvtsd2si_r32_xmmm64, VEX_Vcvtsd2si_r64_xmmm64, VEX_Vcvtss2si_r32_xmmm32,
        VEX_Vcvtss2si_r64_xmmm32, VEX_Vcvttsd2si_r32_xmmm64, VEX_Vcvttsd2si_r64_xmmm64,
        VEX_Vcvttss2si_r32_xmmm32, VEX_Vcvttss2si_r64_xmmm32,
    };
    let code = match (wide, truncate) {
        (false, false) => f.pick(VEX_Vcvtss2si_r32_xmmm32, VEX_Vcvtsd2si_r32_xmmm64),
        (false, true) => f.pick(VEX_Vcvttss2si_r32_xmmm32, VEX_Vcvttsd2si_r32_xmmm64),
        (true, false) => f.pick(VEX_Vcvtss2si_r64_xmmm32, VEX_Vcvtsd2si_r64_xmmm64),
        (true, true) => f.pick(VEX_Vcvttss2si_r64_xmmm32, VEX_Vcvttsd2si_r64_xmmm64),
    };
    f.load(t, A, i.rs1);
    t.out.a.float_to(code, RAX, Vm::R(A));
    let (from, back) = (t.out.a.label(), t.out.a.label());
    // Subtracting 1 overflows for the most negative integer alone.
    t.out.a.imm(if wide { Code::Cmp_rm64_imm32 } else { Code::Cmp_rm32_imm32 }, Rm::R(RAX), 1);
    t.out.a.jump(Code::Jo_rel32_64, from);
    t.out.a.bind(back);
    let test = f.pick(Code::VEX_Vucomiss_xmm_xmmm32, Code::VEX_Vucomisd_xmm_xmmm64);
    let source = f_slot(i.rs1);
    t.exits.out_of_line(move |a, _| {
        let most = a.label();
        a.bind(from);
        a.float2(test, A, Vm::R(A));
        a.jump(Code::Jp_rel32_64, most);
        let compare = f.pick(Code::Cmp_rm32_imm32, Code::Cmp_rm64_imm32);
        a.imm(compare, Rm::M(source), 0);
        a.jump(Code::Jl_rel32_64, back);
        a.bind(most);
        a.mov_imm(RAX, if wide { i64::MAX as u64 } else { i32::MAX as u64 });
        a.jump(Code::Jmp_rel32_64, back);
    });
    t.out.result_at(if wide { Width::Q } else { Width::D }, i, RAX);
}

fn from_int(t: &mut InsnTranslator<'_>, f: Format, source: Source, i: &Insn) {
    let long = f.pick(Code::VEX_Vcvtsi2ss_xmm_xmm_rm64, Code::VEX_Vcvtsi2sd_xmm_xmm_rm64);
    let word = f.pick(Code::VEX_Vcvtsi2ss_xmm_xmm_rm32, Code::VEX_Vcvtsi2sd_xmm_xmm_rm32);
    let (code, from) = match source {
        Source::Long => (long, t.out.x(i.rs1)),
        Source::Word => (word, t.out.x_low(i.rs1)),
        Source::UnsignedWord => {
            let low = t.out.x_low(i.rs1);
            t.out.a.op2(Code::Mov_r32_rm32, RAX, low);
            (long, Rm::R(RAX))
        }
    };
    // The result does not depend on what the register held.
    t.out.a.float3(Code::VEX_Vxorps_xmm_xmm_xmmm128, A, A, Vm::R(A));
    t.out.a.float_from(code, A, from);
    f.store(t, i.rd);
}
