//! The `vtype` CSR.

/// A decoded `vtype`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct VType {
    /// Selected element width in bits: 8, 16, 32, 64.
    pub sew: u32,
    /// Binary logarithm of LMUL: -3..=3.
    pub lmul: i8,
    /// Tail agnostic.
    pub vta: bool,
    /// Mask agnostic.
    pub vma: bool,
    /// The value is illegal: vector instructions trap.
    pub vill: bool,
}

impl VType {
    /// The value after reset and after an unsupported vset.
    pub const ILLEGAL: VType = VType { vill: true, sew: 8, lmul: 0, vta: false, vma: false };

    /// Decodes the operand of a vset. Illegal if a reserved bit is set, SEW exceeds `elen`, LMUL is
    /// reserved, or LMUL < SEW/ELEN (for which the manual does not require support).
    pub fn decode(bits: u64, elen: u32) -> VType {
        let sew_code = bits >> 3 & 7;
        let lmul = match bits & 7 {
            4 => return VType::ILLEGAL,
            n @ 0..4 => n as i8,
            n => n as i8 - 8,
        };
        if bits >> 8 != 0 || sew_code > 3 {
            return VType::ILLEGAL;
        }
        let sew = 8 << sew_code;
        if sew > elen || (lmul < 0 && sew > elen >> -lmul) {
            return VType::ILLEGAL;
        }
        VType { vill: false, sew, lmul, vta: bits & 0x40 != 0, vma: bits & 0x80 != 0 }
    }

    /// The CSR's value.
    pub fn bits(self, xlen: u32) -> u64 {
        if self.vill {
            return 1 << (xlen - 1);
        }
        let sew = self.sew.trailing_zeros() as u64 - 3;
        (self.lmul as u64 & 7) | sew << 3 | (self.vta as u64) << 6 | (self.vma as u64) << 7
    }

    /// Its eight bytes in memory as an integer, for engines that generate code.
    pub fn image(self) -> u64 {
        let [a, b, c, d] = self.sew.to_ne_bytes();
        let flags = [self.vta as u8, self.vma as u8, self.vill as u8];
        u64::from_ne_bytes([a, b, c, d, self.lmul as u8, flags[0], flags[1], flags[2]])
    }

    /// VLMAX = LMUL·VLEN/SEW.
    pub fn vlmax(self, vlen: u64) -> u64 {
        if self.vill {
            return 0;
        }
        // SEW is a power of two; a division would be the slowest part of a vset.
        shift(vlen >> self.sew.trailing_zeros(), self.lmul)
    }
}

/// `v·2^by`.
pub(super) fn shift(v: u64, by: i8) -> u64 {
    if by >= 0 { v << by } else { v >> -by }
}
