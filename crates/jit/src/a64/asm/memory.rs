//! Encodes A64 loads and stores.

use super::encode::Reg;

/// What a load or store transfers.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Transfer {
    Strb = 0x3800_0000,
    Ldrb = 0x3840_0000,
    /// Extends the sign to 64 bits.
    Ldrsb = 0x3880_0000,
    Strh = 0x7800_0000,
    Ldrh = 0x7840_0000,
    /// Extends the sign to 64 bits.
    Ldrsh = 0x7880_0000,
    /// 32 bits.
    StrW = 0xb800_0000,
    /// 32 bits.
    LdrW = 0xb840_0000,
    /// Extends the sign to 64 bits.
    Ldrsw = 0xb880_0000,
    Str = 0xf800_0000,
    Ldr = 0xf840_0000,
}

/// Pairs of 64-bit registers.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Pair {
    /// At the base plus the offset.
    Stp = 0xa900_0000,
    Ldp = 0xa940_0000,
    /// The offset is added to the base first.
    StpBefore = 0xa980_0000,
    /// The offset is added to the base afterwards.
    LdpAfter = 0xa8c0_0000,
}

fn t(r: Reg) -> u32 {
    r.0 as u32
}

fn n(r: Reg) -> u32 {
    (r.0 as u32) << 5
}

fn m(r: Reg) -> u32 {
    (r.0 as u32) << 16
}

/// A transfer at `rn` plus `offset`; `None` if the offset cannot be encoded.
pub fn at(what: Transfer, rt: Reg, rn: Reg, offset: i64) -> Option<u32> {
    let scale = what as u32 >> 30;
    let word = what as u32 | n(rn) | t(rt);
    let scaled = offset >> scale;
    if scaled << scale == offset && (0..1 << 12).contains(&scaled) {
        Some(word | 1 << 24 | (scaled as u32) << 10)
    } else {
        (-256..256).contains(&offset).then_some(word | (offset as u32 & 0x1ff) << 12)
    }
}

/// A transfer at `rn` plus `rm`.
pub fn indexed(what: Transfer, rt: Reg, rn: Reg, rm: Reg) -> u32 {
    what as u32 | 1 << 21 | m(rm) | 0b011 << 13 | 0b10 << 10 | n(rn) | t(rt)
}

/// A transfer of two registers at `rn` plus `offset`; `None` if the offset cannot be encoded.
pub fn pair(what: Pair, [first, second]: [Reg; 2], rn: Reg, offset: i64) -> Option<u32> {
    let fits = offset % 8 == 0 && (-512..512).contains(&offset);
    let offset = (offset / 8) as u32 & 0x7f;
    fits.then_some(what as u32 | offset << 15 | t(second) << 10 | n(rn) | t(first))
}

/// Loads 64 bits from the address of this instruction plus this number of words.
pub fn literal(rt: Reg, by: i32) -> u32 {
    0x5800_0000 | (by as u32 & 0x7_ffff) << 5 | t(rt)
}
