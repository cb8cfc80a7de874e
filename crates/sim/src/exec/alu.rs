//! Common shapes of integer instructions.
//!
//! Each macro defines handlers named after their mnemonics; its expressions may use `M: Mode`.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

/// Sign extension of the low word: what every W instruction does with its result.
#[inline(always)]
pub(super) fn sext_w(v: u64) -> u64 {
    v as i32 as u64
}

/// An operation on the byte of rs2 that the immediate `bs` selects: `f` of the low words of rs1 and rs2, and `bs`.
#[inline(always)]
pub(super) fn byte_step<M: Mode>(h: &mut Hart, i: &Insn, f: impl Fn(u32, u32, u32) -> u32) -> Exec {
    let word = f(h.x(i.rs1) as u32, h.x(i.rs2) as u32, i.imm as u32);
    h.set_x::<M>(i.rd, sext_w(word as u64));
    Ok(())
}

/// Result of two registers.
macro_rules! alu {
    ($($name:ident: |$a:ident, $b:ident| $e:expr;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            let ($a, $b) = (h.x(i.rs1), h.x(i.rs2));
            h.set_x::<M>(i.rd, $e);
            Ok(())
        }
    )* };
}

/// Result of two registers, for which the host may have an instruction on RV64.
macro_rules! words {
    ($($name:ident($step:ident): |$a:ident, $b:ident| $e:expr;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            let ($a, $b) = (h.x(i.rs1), h.x(i.rs2));
            let done = if M::XLEN == 64 { h.host.words(Words::$step, $a, $b) } else { None };
            h.set_x::<M>(i.rd, done.unwrap_or_else(|| $e));
            Ok(())
        }
    )* };
}

/// Result of a register and the immediate.
macro_rules! alu_imm {
    ($($name:ident: |$a:ident, $b:ident| $e:expr;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            let ($a, $b) = (h.x(i.rs1), i.imm as u64);
            h.set_x::<M>(i.rd, $e);
            Ok(())
        }
    )* };
}

/// Result of one register.
macro_rules! alu_unary {
    ($($name:ident: |$a:ident| $e:expr;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            let $a = h.x(i.rs1);
            h.set_x::<M>(i.rd, $e);
            Ok(())
        }
    )* };
}

/// Shift amounts: the low 5 or 6 bits.
macro_rules! shamt {
    ($b:expr) => {
        $b as u32 & (M::XLEN - 1)
    };
}

/// The operand of a logical right shift: registers of RV32 hold it sign-extended.
macro_rules! zext {
    ($a:expr) => {
        if M::XLEN == 32 { $a as u32 as u64 } else { $a }
    };
}

pub(super) use {alu, alu_imm, alu_unary, shamt, words, zext};
