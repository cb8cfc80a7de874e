//! Encodes instructions on general-purpose registers, and those of scalar floating point, by a table (`forms`). Most
//! generated instructions are of these kinds, and iced-x86, which encodes all others, takes several times as long. The
//! tests compare the two. Source: Intel SDM, volume 2, "Instruction Format" and the instructions' opcode tables.

mod forms;

use super::operand::{Mem, Reg, Rm};
use forms::Map;
pub use forms::{Form, form, relative};

/// The longest instruction, in bytes, rounded up.
const MAX_BYTES: usize = 16;

/// The opcode that sign-extends an immediate of 8 bits.
const SIGN_EXTENDS: u8 = 0x83;

/// The operands of an instruction.
pub struct Operands {
    /// The register in the field `reg`, if no digit is there.
    pub reg: Reg,
    /// The operand in the field `rm`, or the register in the opcode.
    pub rm: Rm,
    /// The third operand of a VEX instruction; RAX if there is none.
    pub third: Reg,
    /// The immediate; 0 if there is none.
    pub immediate: i32,
}

impl Operands {
    /// Operands that an instruction does not have.
    pub const NONE: Operands =
        Operands { reg: Reg::RAX, rm: Rm::R(Reg::RAX), third: Reg::RAX, immediate: 0 };
}

/// Bytes of an instruction under construction.
struct Bytes {
    bytes: [u8; MAX_BYTES],
    len: usize,
}

impl Bytes {
    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    fn push_all(&mut self, bytes: [u8; 4]) {
        self.bytes[self.len..self.len + 4].copy_from_slice(&bytes);
        self.len += 4;
    }
}

/// The extension bits of the registers: of `reg`, of the index, of the base or `rm`.
fn extensions(reg: u8, rm: &Rm) -> (u8, u8, u8) {
    let high = |reg: Reg| reg.number() >> 3;
    match rm {
        Rm::R(r) => (reg >> 3, 0, high(*r)),
        Rm::M(m) => (reg >> 3, m.index.map_or(0, |(x, _)| high(x)), m.base.map_or(0, high)),
    }
}

/// Appends the instruction. Returns whether its operands can be encoded.
pub fn encode(out: &mut Vec<u8>, form: &Form, o: &Operands) -> bool {
    let mut b = Bytes { bytes: [0; MAX_BYTES], len: 0 };
    let reg = form.digit.unwrap_or(if form.in_opcode { 0 } else { o.reg.number() });
    let (r, x, base) = extensions(reg, &o.rm);
    if form.prefix != 0 {
        b.push(form.prefix);
    }
    match form.map {
        // The short form has neither the other extension bits nor W, and only the map 0F.
        Map::Vex(1, prefix) if !form.wide && x == 0 && base == 0 => {
            b.push(0xc5);
            b.push((r ^ 1) << 7 | (o.third.number() ^ 15) << 3 | prefix);
        }
        Map::Vex(map, prefix) => {
            b.push(0xc4);
            b.push((r ^ 1) << 7 | (x ^ 1) << 6 | (base ^ 1) << 5 | map);
            b.push((form.wide as u8) << 7 | (o.third.number() ^ 15) << 3 | prefix);
        }
        _ => {
            // SPL, BPL, SIL and DIL exist only with a REX prefix.
            let low = |r: u8| (4..8).contains(&r);
            let byte = form.bytes.0 && low(reg)
                || form.bytes.1 && matches!(o.rm, Rm::R(r) if low(r.number()));
            let rex = (form.wide as u8) << 3 | r << 2 | x << 1 | base;
            if rex != 0 || byte {
                b.push(0x40 | rex);
            }
            if matches!(form.map, Map::Secondary) {
                b.push(0x0f);
            }
        }
    }
    match o.rm {
        Rm::R(r) if form.in_opcode => b.push(form.opcode | r.number() & 7),
        Rm::R(r) => {
            b.push(form.opcode);
            b.push(0xc0 | (reg & 7) << 3 | r.number() & 7);
        }
        Rm::M(m) => {
            b.push(form.opcode);
            if form.in_opcode || !address(&mut b, reg & 7, &m) {
                return false;
            }
        }
    }
    let signed = i8::try_from(o.immediate).is_ok();
    match form.immediate {
        1 if signed || form.opcode != SIGN_EXTENDS && u8::try_from(o.immediate).is_ok() => {
            b.push(o.immediate as u8);
        }
        4 => b.push_all(o.immediate.to_le_bytes()),
        0 => {}
        _ => return false,
    }
    out.extend_from_slice(&b.bytes[..b.len]);
    true
}

/// ModRM, SIB and displacement of a memory operand. Returns whether it can be encoded.
fn address(b: &mut Bytes, reg: u8, m: &Mem) -> bool {
    const SIB: u8 = 4;
    let Ok(displ) = i32::try_from(m.displ) else { return false };
    let index = match m.index {
        Some((x, scale)) if x != Reg::RSP && [1, 2, 4, 8].contains(&scale) => {
            (scale.trailing_zeros() as u8) << 6 | (x.number() & 7) << 3
        }
        Some(_) => return false,
        // No index.
        None => 4 << 3,
    };
    let Some(base) = m.base.map(|base| base.number() & 7) else {
        b.push(reg << 3 | SIB);
        b.push(index | 5);
        b.push_all(displ.to_le_bytes());
        return true;
    };
    // Without a displacement, the encoding of RBP and R13 means that there is no base.
    let size = match displ {
        0 if base != 5 => 0,
        -128..128 => 1,
        _ => 2,
    };
    if m.index.is_some() || base == SIB {
        b.push(size << 6 | reg << 3 | SIB);
        b.push(index | base);
    } else {
        b.push(size << 6 | reg << 3 | base);
    }
    match size {
        0 => {}
        1 => b.push(displ as u8),
        _ => b.push_all(displ.to_le_bytes()),
    }
    true
}

#[cfg(test)]
mod tests;
