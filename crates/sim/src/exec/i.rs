//! RV32I and RV64I.

use super::alu::{alu, alu_imm, sext_w, shamt, zext};
use crate::hart::{Hart, Privilege};
use crate::insn::{Exec, Insn};
use crate::mem::Scalar;
use crate::mode::Mode;
use crate::trap::Cause;

alu! {
    add: |a, b| a.wrapping_add(b);
    sub: |a, b| a.wrapping_sub(b);
    sll: |a, b| a << shamt!(b);
    slt: |a, b| ((a as i64) < b as i64) as u64;
    sltu: |a, b| (a < b) as u64;
    xor: |a, b| a ^ b;
    srl: |a, b| zext!(a) >> shamt!(b);
    sra: |a, b| (a as i64 >> shamt!(b)) as u64;
    or: |a, b| a | b;
    and: |a, b| a & b;
    addw: |a, b| sext_w(a.wrapping_add(b));
    subw: |a, b| sext_w(a.wrapping_sub(b));
    sllw: |a, b| sext_w(a << (b & 31));
    srlw: |a, b| sext_w((a as u32 >> (b & 31)) as u64);
    sraw: |a, b| (a as i32 >> (b & 31)) as u64;
}

alu_imm! {
    addi: |a, b| a.wrapping_add(b);
    slti: |a, b| ((a as i64) < b as i64) as u64;
    sltiu: |a, b| (a < b) as u64;
    xori: |a, b| a ^ b;
    ori: |a, b| a | b;
    andi: |a, b| a & b;
    slli: |a, b| a << shamt!(b);
    srli: |a, b| zext!(a) >> shamt!(b);
    srai: |a, b| (a as i64 >> shamt!(b)) as u64;
    addiw: |a, b| sext_w(a.wrapping_add(b));
    slliw: |a, b| sext_w(a << (b & 31));
    srliw: |a, b| sext_w((a as u32 >> (b & 31)) as u64);
    sraiw: |a, b| (a as i32 >> (b & 31)) as u64;
}

pub fn lui<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.set_x::<M>(i.rd, i.imm as u64);
    Ok(())
}

/// The immediate is absolute: see `Insn::imm`.
pub fn auipc<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.set_x::<M>(i.rd, i.imm as u64);
    Ok(())
}

pub fn jal<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let link = h.pc;
    h.pc = M::address(i.imm as u64);
    h.set_x::<M>(i.rd, link);
    Ok(())
}

pub fn jalr<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let link = h.pc;
    h.pc = M::address(h.x(i.rs1).wrapping_add(i.imm as u64)) & !1;
    h.set_x::<M>(i.rd, link);
    Ok(())
}

macro_rules! branch {
    ($($name:ident: |$a:ident, $b:ident| $e:expr;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            let ($a, $b) = (h.x(i.rs1), h.x(i.rs2));
            if $e {
                h.pc = M::address(i.imm as u64);
            }
            Ok(())
        }
    )* };
}

branch! {
    beq: |a, b| a == b;
    bne: |a, b| a != b;
    blt: |a, b| (a as i64) < b as i64;
    bge: |a, b| a as i64 >= b as i64;
    bltu: |a, b| a < b;
    bgeu: |a, b| a >= b;
}

#[inline(always)]
fn load<M: Mode, T: Scalar>(h: &mut Hart, i: &Insn, extend: impl Fn(T) -> u64) -> Exec {
    let v = h.load::<M, T>(h.x(i.rs1).wrapping_add(i.imm as u64))?;
    h.set_x::<M>(i.rd, extend(v));
    Ok(())
}

macro_rules! load {
    ($($name:ident $t:ty;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            load::<M, $t>(h, i, |v| v as u64)
        }
    )* };
}
load!(lb i8; lh i16; lw i32; ld u64; lbu u8; lhu u16; lwu u32;);

macro_rules! store {
    ($($name:ident $t:ty;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            let addr = h.x(i.rs1).wrapping_add(i.imm as u64);
            h.store::<M, $t>(addr, h.x(i.rs2) as $t)
        }
    )* };
}
store!(sb u8; sh u16; sw u32; sd u64;);

/// One hart executes in program order, so there is nothing to order.
pub fn fence<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}

pub fn ecall<M: Mode>(h: &mut Hart, _: &Insn) -> Exec {
    let cause = match h.privilege {
        Privilege::User => Cause::EcallU,
        Privilege::Supervisor => Cause::EcallS,
        Privilege::Machine => Cause::EcallM,
    };
    h.raise(cause, 0)
}

pub fn ebreak<M: Mode>(h: &mut Hart, _: &Insn) -> Exec {
    h.raise(Cause::Breakpoint, 0)
}
