//! Encodes A64 instructions on general-purpose registers (Arm Architecture Reference Manual, "A64 Instruction Set Encoding").
//! Each function returns the instruction word. The base values have zeros in all fields that a function fills in.

/// A general-purpose register. Number 31 is the zero register or the stack pointer, depending on the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reg(pub u8);

/// The zero register.
pub const ZR: Reg = Reg(31);
/// The stack pointer.
pub const SP: Reg = Reg(31);

/// The width of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 32 bits. The upper half of the destination becomes zero.
    W,
    /// 64 bits.
    X,
}

/// Operations on two registers.
#[derive(Clone, Copy, Debug)]
pub enum Op3 {
    Add = 0x0b00_0000,
    Sub = 0x4b00_0000,
    Subs = 0x6b00_0000,
    And = 0x0a00_0000,
    Bic = 0x0a20_0000,
    Orr = 0x2a00_0000,
    Orn = 0x2a20_0000,
    Eor = 0x4a00_0000,
    Eon = 0x4a20_0000,
    Ands = 0x6a00_0000,
    Udiv = 0x1ac0_0800,
    Sdiv = 0x1ac0_0c00,
    Lsl = 0x1ac0_2000,
    Lsr = 0x1ac0_2400,
    Asr = 0x1ac0_2800,
    Ror = 0x1ac0_2c00,
    /// Only 64 bits wide.
    Smulh = 0x1b40_7c00,
    /// Only 64 bits wide.
    Umulh = 0x1bc0_7c00,
}

/// Operations on a register and an immediate of 12 bits, which may be shifted left by 12.
#[derive(Clone, Copy, Debug)]
pub enum OpImm {
    Add = 0x1100_0000,
    Sub = 0x5100_0000,
    Adds = 0x3100_0000,
    Subs = 0x7100_0000,
}

/// Operations on a register and a mask.
#[derive(Clone, Copy, Debug)]
pub enum OpMask {
    And = 0x1200_0000,
    Orr = 0x3200_0000,
    Eor = 0x5200_0000,
    Ands = 0x7200_0000,
}

/// Operations on one register.
#[derive(Clone, Copy, Debug)]
pub enum Op2 {
    Rbit = 0x5ac0_0000,
    Clz = 0x5ac0_1000,
}

/// Moves of 16 bits.
#[derive(Clone, Copy, Debug)]
pub enum OpWide {
    /// The other bits become ones, and all are inverted.
    Movn = 0x1280_0000,
    /// The other bits become zeros.
    Movz = 0x5280_0000,
    /// The other bits stay.
    Movk = 0x7280_0000,
}

/// Moves of bit fields.
#[derive(Clone, Copy, Debug)]
pub enum OpField {
    /// Extends the sign.
    Sbfm = 0x1300_0000,
    /// The other bits stay.
    Bfm = 0x3300_0000,
    /// Extends with zeros.
    Ubfm = 0x5300_0000,
}

/// Selections by a condition: the first operand, or else a function of the second one.
#[derive(Clone, Copy, Debug)]
pub enum OpSelect {
    /// The second operand.
    Csel = 0x1a80_0000,
    /// The second operand plus 1.
    Csinc = 0x1a80_0400,
    /// The second operand inverted.
    Csinv = 0x5a80_0000,
}

/// Shifts of an operand.
#[derive(Clone, Copy, Debug)]
pub enum Shift {
    Lsl = 0,
    Lsr = 1,
    Asr = 2,
}

/// A condition on the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cond {
    Eq = 0,
    Ne = 1,
    /// Unsigned, at least.
    Hs = 2,
    /// Unsigned, below.
    Lo = 3,
    /// Unsigned, at most.
    Ls = 9,
    /// Unsigned, above.
    Hi = 8,
    Ge = 10,
    Lt = 11,
    Gt = 12,
    Le = 13,
}

impl Cond {
    /// The condition that holds where this does not.
    pub fn opposite(self) -> Cond {
        match self {
            Cond::Eq => Cond::Ne,
            Cond::Ne => Cond::Eq,
            Cond::Hs => Cond::Lo,
            Cond::Lo => Cond::Hs,
            Cond::Ls => Cond::Hi,
            Cond::Hi => Cond::Ls,
            Cond::Ge => Cond::Lt,
            Cond::Lt => Cond::Ge,
            Cond::Gt => Cond::Le,
            Cond::Le => Cond::Gt,
        }
    }
}

fn d(r: Reg) -> u32 {
    r.0 as u32
}

fn n(r: Reg) -> u32 {
    (r.0 as u32) << 5
}

fn m(r: Reg) -> u32 {
    (r.0 as u32) << 16
}

fn sf(w: Width) -> u32 {
    if w == Width::X { 1 << 31 } else { 0 }
}

/// `rd = rn op rm`.
pub fn op3(op: Op3, w: Width, rd: Reg, rn: Reg, rm: Reg) -> u32 {
    op as u32 | sf(w) | m(rm) | n(rn) | d(rd)
}

/// `rd = rn op (rm shifted by by)`; not for divisions, shifts and products.
pub fn op3_shifted(op: Op3, w: Width, rd: Reg, rn: Reg, (rm, shift, by): (Reg, Shift, u32)) -> u32 {
    op3(op, w, rd, rn, rm) | (shift as u32) << 22 | by << 10
}

/// `rd = rn + (zero-extended low word of rm << by)`, with by at most 4. `rn` 31 is the stack pointer.
pub fn add_uxtw(rd: Reg, rn: Reg, (rm, by): (Reg, u32)) -> u32 {
    0x8b20_4000 | m(rm) | by << 10 | n(rn) | d(rd)
}

/// `rd = ra + rn * rm`.
pub fn madd(w: Width, rd: Reg, rn: Reg, rm: Reg, ra: Reg) -> u32 {
    0x1b00_0000 | sf(w) | m(rm) | (ra.0 as u32) << 10 | n(rn) | d(rd)
}

/// `rd = ra - rn * rm`.
pub fn msub(w: Width, rd: Reg, rn: Reg, rm: Reg, ra: Reg) -> u32 {
    madd(w, rd, rn, rm, ra) | 1 << 15
}

/// `rd = rn op imm`, with an immediate of 12 bits, shifted left by 12 if `high`. Register 31 is the stack pointer, except as the
/// destination of operations that set flags.
pub fn op_imm(op: OpImm, w: Width, rd: Reg, rn: Reg, imm: u32, high: bool) -> u32 {
    op as u32 | sf(w) | (high as u32) << 22 | (imm & 0xfff) << 10 | n(rn) | d(rd)
}

/// `rd = rn op mask`; `None` if the mask cannot be encoded. `rd` 31 is the stack pointer, except for `Ands`.
pub fn op_mask(op: OpMask, w: Width, rd: Reg, rn: Reg, mask: u64) -> Option<u32> {
    Some(op as u32 | sf(w) | bitmask(w, mask)? | n(rn) | d(rd))
}

/// The fields N, immr and imms of a mask: copies of an element of 2 to 64 bits, which is a rotated run of ones.
fn bitmask(w: Width, mask: u64) -> Option<u32> {
    let mask = if w == Width::X { mask } else { mask << 32 | mask & 0xffff_ffff };
    if mask == 0 || mask == u64::MAX {
        return None;
    }
    let mut size = 64;
    while size > 2 && mask.rotate_right(size / 2) == mask {
        size /= 2;
    }
    let element = mask & (u64::MAX >> (64 - size));
    let ones = element.count_ones();
    // Rotates the run of ones in the lowest bits to the right by this much.
    let by = match element & 1 {
        0 => size - element.trailing_zeros(),
        // The ones that are not among the lowest bits.
        _ => ones - element.trailing_ones(),
    };
    let run = u64::MAX >> (64 - ones);
    let rotated = match by {
        0 => run,
        by => (run >> by | run << (size - by)) & (u64::MAX >> (64 - size)),
    };
    let imms = !(size * 2 - 1) & 0x3f | (ones - 1);
    let fields = ((size == 64) as u32) << 22 | (by % size) << 16 | imms << 10;
    (rotated == element).then_some(fields)
}

/// A move of 16 bits to half-word `at` of a register.
pub fn wide(op: OpWide, w: Width, rd: Reg, half: u16, at: u32) -> u32 {
    op as u32 | sf(w) | at << 21 | (half as u32) << 5 | d(rd)
}

/// A move of a bit field, with the fields immr and imms of the encoding.
pub fn field(op: OpField, w: Width, rd: Reg, rn: Reg, immr: u32, imms: u32) -> u32 {
    op as u32 | sf(w) | sf(w) >> 9 | immr << 16 | imms << 10 | n(rn) | d(rd)
}

/// `rd` = the bits of `rn:rm` from bit `by` of `rm` on; a rotation if both are the same.
pub fn extr(w: Width, rd: Reg, rn: Reg, rm: Reg, by: u32) -> u32 {
    0x1380_0000 | sf(w) | sf(w) >> 9 | m(rm) | by << 10 | n(rn) | d(rd)
}

/// `rd = op rn`.
pub fn op2(op: Op2, w: Width, rd: Reg, rn: Reg) -> u32 {
    op as u32 | sf(w) | n(rn) | d(rd)
}

/// `rd` = the bytes of `rn` in reverse order.
pub fn rev(rd: Reg, rn: Reg) -> u32 {
    0xdac0_0c00 | n(rn) | d(rd)
}

/// `rd = cond ? rn : f(rm)`.
pub fn select(op: OpSelect, w: Width, rd: Reg, rn: Reg, rm: Reg, cond: Cond) -> u32 {
    op as u32 | sf(w) | m(rm) | (cond as u32) << 12 | n(rn) | d(rd)
}

/// A jump by this number of instructions.
pub fn b(by: i32) -> u32 {
    0x1400_0000 | by as u32 & 0x03ff_ffff
}

/// A jump under a condition.
pub fn b_cond(cond: Cond, by: i32) -> u32 {
    0x5400_0000 | (by as u32 & 0x7_ffff) << 5 | cond as u32
}

/// A jump if the register is zero.
pub fn cbz(w: Width, r: Reg, by: i32) -> u32 {
    0x3400_0000 | sf(w) | (by as u32 & 0x7_ffff) << 5 | d(r)
}

/// A jump if the register is not zero.
pub fn cbnz(w: Width, r: Reg, by: i32) -> u32 {
    cbz(w, r, by) | 1 << 24
}

/// A jump to the address in a register.
pub fn br(r: Reg) -> u32 {
    0xd61f_0000 | n(r)
}

/// A call of the function at the address in a register.
pub fn blr(r: Reg) -> u32 {
    0xd63f_0000 | n(r)
}

/// Returns to the address in the link register.
pub fn ret() -> u32 {
    0xd65f_03c0
}
