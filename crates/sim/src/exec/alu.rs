//! Shapes that many integer instructions share.
//!
//! Each macro defines handlers named after their mnemonics; `M: Mode` is in scope of the expressions.

/// Sign extension of the low word: what every W instruction does with its result.
#[inline(always)]
pub(super) fn sext_w(v: u64) -> u64 {
    v as i32 as u64
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

/// The value that a logical right shift works on: registers of RV32 hold it sign-extended.
macro_rules! zext {
    ($a:expr) => {
        if M::XLEN == 32 { $a as u32 as u64 } else { $a }
    };
}

pub(super) use {alu, alu_imm, alu_unary, shamt, zext};
