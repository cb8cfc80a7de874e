//! The host's vector instructions (AVX-512 with VL, AVX2, SHA) for the assembler.

use super::operand::{Mem, Reg, Rm, Width};
use super::{Asm, avx2};
use iced_x86::{Code, Instruction, MemoryOperand, Register};

/// A vector register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V(pub u8);

/// The mask register.
pub const MASK: Register = Register::K1;

/// Width of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wide {
    /// 16 bytes.
    X = 0,
    /// 32 bytes.
    Y = 1,
    /// 64 bytes.
    Z = 2,
}

impl Wide {
    /// The width in bytes.
    pub fn bytes(self) -> u32 {
        16 << self as u32
    }

    /// The widest that fits in `bytes`, which is at least 16.
    pub fn within(bytes: u32) -> Wide {
        match bytes {
            64.. => Wide::Z,
            32.. => Wide::Y,
            _ => Wide::X,
        }
    }

    fn of(self, v: V) -> Register {
        let first = [Register::XMM0, Register::YMM0, Register::ZMM0][self as usize];
        first + v.0 as u32
    }

    /// The instruction of this width: the codes for 16, 32 and 64 bytes are consecutive.
    fn code(self, x: Code) -> Code {
        Code::try_from(x as usize + self as usize).unwrap_or(Code::INVALID)
    }
}

/// A source: a register or memory.
#[derive(Clone, Copy, Debug)]
pub enum Vm {
    /// A register.
    R(V),
    /// Memory.
    M(Mem),
}

/// Each takes the code for 16 bytes; `w` selects the width.
impl Asm {
    /// The instruction of width `w`; on a host without AVX-512, its AVX2 equivalent.
    fn code(&self, x: Code, w: Wide) -> Code {
        let avx2 = if self.avx2 { avx2::encoding(x) } else { None };
        w.code(avx2.unwrap_or(x))
    }

    /// `d = op s`.
    pub fn v2(&mut self, x: Code, w: Wide, d: V, s: Vm) {
        let (code, d) = (self.code(x, w), w.of(d));
        self.put(match s {
            Vm::R(s) => Instruction::with2(code, d, w.of(s)),
            Vm::M(m) => Instruction::with2(code, d, m.operand()),
        });
    }

    /// `d = op s, imm`.
    pub fn v2i(&mut self, x: Code, w: Wide, d: V, s: V, imm: u32) {
        self.put(Instruction::with3(self.code(x, w), w.of(d), w.of(s), imm));
    }

    /// `d = a op b`.
    pub fn v3(&mut self, x: Code, w: Wide, d: V, a: V, b: Vm) {
        let (code, d, a) = (self.code(x, w), w.of(d), w.of(a));
        self.put(match b {
            Vm::R(b) => Instruction::with3(code, d, a, w.of(b)),
            Vm::M(m) => Instruction::with3(code, d, a, m.operand()),
        });
    }

    /// `d = a op b, imm`.
    pub fn v3i(&mut self, x: Code, w: Wide, d: V, a: V, b: V, imm: u32) {
        self.put(Instruction::with4(self.code(x, w), w.of(d), w.of(a), w.of(b), imm));
    }

    /// `d = a op b` where MASK is one; other elements of `d` keep their values, unless it is a blend.
    pub fn v3_masked(&mut self, x: Code, w: Wide, d: V, a: V, b: V) {
        let i = Instruction::with3(w.code(x), w.of(d), w.of(a), w.of(b));
        self.put(masked(i));
    }

    /// `d = s` where MASK is one.
    pub fn v2_masked(&mut self, x: Code, w: Wide, d: V, s: V) {
        self.put(masked(Instruction::with2(w.code(x), w.of(d), w.of(s))));
    }

    /// `m = s`.
    pub fn v_store(&mut self, w: Wide, m: Mem, s: V) {
        let code = self.code(Code::EVEX_Vmovdqu64_xmmm128_k1z_xmm, w);
        self.put(Instruction::with2(code, m.operand(), w.of(s)));
    }

    /// Stores the bytes of `s` where MASK is one.
    pub fn v_store_masked(&mut self, w: Wide, m: Mem, s: V) {
        let code = w.code(Code::EVEX_Vmovdqu8_xmmm128_k1z_xmm);
        self.put(masked(Instruction::with2(code, m.operand(), w.of(s))));
    }

    /// Loads the bytes of `d` where MASK is one; the other bytes of `m` are not accessed.
    pub fn v_load_masked(&mut self, w: Wide, d: V, m: Mem) {
        let code = w.code(Code::EVEX_Vmovdqu8_xmm_k1z_xmmm128);
        self.put(masked(Instruction::with2(code, w.of(d), m.operand())));
    }

    /// The low eight bytes of `d` = `s`; clears the rest.
    pub fn v_from(&mut self, d: V, s: Rm) {
        let (code, d) = (Code::VEX_Vmovq_xmm_rm64, Wide::X.of(d));
        self.put(match s {
            Rm::R(s) => Instruction::with2(code, d, s.at(Width::Q)),
            Rm::M(m) => Instruction::with2(code, d, m.operand()),
        });
    }

    /// Bytes 8 to 15 of `d` = `s`.
    pub fn v_insert_high(&mut self, d: V, s: Rm) {
        let (code, d) = (Code::VEX_Vpinsrq_xmm_xmm_rm64_imm8, Wide::X.of(d));
        self.put(match s {
            Rm::R(s) => Instruction::with4(code, d, d, s.at(Width::Q), 1),
            Rm::M(m) => Instruction::with4(code, d, d, m.operand(), 1),
        });
    }

    /// The low eight bytes of `d` = `m`; clears the rest. AVX-512.
    pub fn v_load_low(&mut self, d: V, m: Mem) {
        let code = Code::EVEX_Vmovq_xmm_xmmm64;
        self.put(Instruction::with2(code, Wide::X.of(d), m.operand()));
    }

    /// Bytes 8 to 15 of `d` = `m`. AVX-512.
    pub fn v_load_high(&mut self, d: V, m: Mem) {
        let (code, d) = (Code::EVEX_Vmovhps_xmm_xmm_m64, Wide::X.of(d));
        self.put(Instruction::with3(code, d, d, m.operand()));
    }

    /// `m` = the low eight bytes of `s`. AVX-512.
    pub fn v_store_low(&mut self, m: Mem, s: V) {
        let code = Code::EVEX_Vmovq_xmmm64_xmm;
        self.put(Instruction::with2(code, m.operand(), Wide::X.of(s)));
    }

    /// `m` = bytes 8 to 15 of `s`. AVX-512.
    pub fn v_store_high(&mut self, m: Mem, s: V) {
        let code = Code::EVEX_Vmovhps_m64_xmm;
        self.put(Instruction::with2(code, m.operand(), Wide::X.of(s)));
    }

    /// Copies 4 or 8 bytes through `v`.
    pub fn v_word(&mut self, size: u32, v: V, from: Mem, to: Mem) {
        let (load, store) = match size {
            4 => (Code::VEX_Vmovd_xmm_rm32, Code::VEX_Vmovd_rm32_xmm),
            _ => (Code::VEX_Vmovq_xmm_xmmm64, Code::VEX_Vmovq_xmmm64_xmm),
        };
        self.put(Instruction::with2(load, Wide::X.of(v), from.operand()));
        self.put(Instruction::with2(store, to.operand(), Wide::X.of(v)));
    }

    /// `d` = the low eight bytes of `s`.
    pub fn v_to(&mut self, d: Reg, s: V) {
        let code = Code::VEX_Vmovq_rm64_xmm;
        self.put(Instruction::with2(code, d.at(Width::Q), Wide::X.of(s)));
    }

    /// `d` = bytes 8 to 15 of `s`.
    pub fn v_high_to(&mut self, d: Reg, s: V) {
        let code = Code::VEX_Vpextrq_rm64_xmm_imm8;
        self.put(Instruction::with3(code, d.at(Width::Q), Wide::X.of(s), 1));
    }

    /// Loads the elements of `d` where MASK is one from `base` plus the elements of `index`. Clears MASK.
    pub fn v_gather(&mut self, eew: u32, w: Wide, d: V, base: Mem, index: V) {
        let x = match eew {
            32 => Code::EVEX_Vpgatherdd_xmm_k1_vm32x,
            _ => Code::EVEX_Vpgatherqq_xmm_k1_vm64x,
        };
        let m = vector_indexed(base, w, index);
        self.put(masked(Instruction::with2(w.code(x), w.of(d), m)));
    }

    /// Stores the elements of `s` where MASK is one at `base` plus the elements of `index`, in order. Clears MASK.
    pub fn v_scatter(&mut self, eew: u32, w: Wide, base: Mem, index: V, s: V) {
        let x = match eew {
            32 => Code::EVEX_Vpscatterdd_vm32x_k1_xmm,
            _ => Code::EVEX_Vpscatterqq_vm64x_k1_xmm,
        };
        let m = vector_indexed(base, w, index);
        self.put(masked(Instruction::with2(w.code(x), m, w.of(s))));
    }

    /// `d = s`.
    pub fn v_mov(&mut self, w: Wide, d: V, s: Vm) {
        if !matches!(s, Vm::R(s) if s == d) {
            self.v2(Code::EVEX_Vmovdqu64_xmm_k1z_xmmm128, w, d, s);
        }
    }

    /// Copies the low 16 bytes of `s`, or 16 bytes of memory, to every lane of `d`.
    pub fn v_lanes(&mut self, w: Wide, d: V, s: Vm) {
        match (s, w) {
            (_, Wide::X) => self.v_mov(w, d, s),
            (Vm::M(m), _) if self.avx2 => {
                let code = Code::VEX_Vbroadcasti128_ymm_m128;
                self.put(Instruction::with2(code, w.of(d), m.operand()));
            }
            (Vm::R(s), _) if self.avx2 => {
                let code = Code::VEX_Vinserti128_ymm_ymm_xmmm128_imm8;
                self.put(Instruction::with4(code, w.of(d), w.of(s), Wide::X.of(s), 1));
            }
            (Vm::M(_), _) => {
                // There is no form for 16 bytes: the codes begin with 32.
                let x = Code::EVEX_Vbroadcasti32x4_ymm_k1z_m128 as usize - 1;
                let code = Code::try_from(x).unwrap_or(Code::INVALID);
                self.v2(code, w, d, s);
            }
            (Vm::R(s), _) => {
                let x = Code::EVEX_Vshufi32x4_ymm_k1z_ymm_ymmm256b32_imm8 as usize - 1;
                let code = Code::try_from(x).unwrap_or(Code::INVALID);
                self.v3i(code, w, d, s, s, 0);
            }
        }
    }

    /// The words from number `by` on of the concatenation `high`:`low`. Without AVX-512, per 16-byte lane.
    pub fn v_align(&mut self, w: Wide, d: V, high: V, low: V, by: u32) {
        if self.avx2 {
            let code = Code::VEX_Vpalignr_xmm_xmm_xmmm128_imm8;
            return self.v3i(code, w, d, high, low, 4 * by);
        }
        self.v3i(Code::EVEX_Valignd_xmm_k1z_xmm_xmmm128b32_imm8, w, d, high, low, by);
    }

    /// `d` = `b` where `choice` is ones, otherwise `a`; AVX2.
    pub fn v_choose(&mut self, w: Wide, d: V, a: V, b: V, choice: V) {
        let code = w.code(Code::VEX_Vpblendvb_xmm_xmm_xmmm128_xmm);
        self.put(Instruction::with4(code, w.of(d), w.of(a), w.of(b), w.of(choice)));
    }

    /// The first `n` words of `d` = those of `s`, both 16 bytes wide; AVX2.
    pub fn v_choose_first(&mut self, d: V, s: V, n: u32) {
        let (code, d) = (Code::VEX_Vpblendd_xmm_xmm_xmmm128_imm8, Wide::X.of(d));
        self.put(Instruction::with4(code, d, d, Wide::X.of(s), (1u32 << n) - 1));
    }

    /// Word `n` of `d` = `m`; the other words of its low 16 bytes stay.
    pub fn v_replace_word(&mut self, d: V, m: Mem, n: u32) {
        let (code, d) = (Code::VEX_Vpinsrd_xmm_xmm_rm32_imm8, Wide::X.of(d));
        self.put(Instruction::with4(code, d, d, m.operand(), n));
    }

    /// `m` = word `n` of `s`.
    pub fn v_store_word(&mut self, m: Mem, s: V, n: u32) {
        let code = Code::VEX_Vpextrd_rm32_xmm_imm8;
        self.put(Instruction::with3(code, m.operand(), Wide::X.of(s), n));
    }

    /// Broadcasts a register to every element of `d`; the code gives the element width, and `from` matches it.
    pub fn v_broadcast(&mut self, x: Code, w: Wide, d: V, s: Reg, from: Width) {
        if self.avx2 {
            let x = match x {
                Code::EVEX_Vpbroadcastb_xmm_k1z_r32 => Code::VEX_Vpbroadcastb_xmm_xmmm8,
                Code::EVEX_Vpbroadcastw_xmm_k1z_r32 => Code::VEX_Vpbroadcastw_xmm_xmmm16,
                Code::EVEX_Vpbroadcastd_xmm_k1z_r32 => Code::VEX_Vpbroadcastd_xmm_xmmm32,
                _ => Code::VEX_Vpbroadcastq_xmm_xmmm64,
            };
            self.v_from(d, Rm::R(s));
            return self.put(Instruction::with2(w.code(x), w.of(d), Wide::X.of(d)));
        }
        self.put(Instruction::with2(w.code(x), w.of(d), s.at(from)));
    }

    /// The words of `d` = the low words of its elements of 64 bits, of which it has four. Clobbers `scratch`.
    pub fn v_halves(&mut self, d: V, scratch: V) {
        let (high, code) =
            (Code::VEX_Vextracti128_xmmm128_ymm_imm8, Code::VEX_Vshufps_xmm_xmm_xmmm128_imm8);
        self.put(Instruction::with3(high, Wide::X.of(scratch), Wide::Y.of(d), 1));
        self.v3i(code, Wide::X, d, d, scratch, 0x88);
    }

    /// Word `n` of `d` = `m`; word 0 clears the rest.
    pub fn v_insert_word(&mut self, d: V, m: Mem, n: u32) {
        if n > 0 {
            return self.v_replace_word(d, m, n);
        }
        self.put(Instruction::with2(Code::VEX_Vmovd_xmm_rm32, Wide::X.of(d), m.operand()));
    }

    /// `d` = word `n` of `s`.
    pub fn v_word_to(&mut self, d: Reg, s: V, n: u32) {
        let code = Code::VEX_Vpextrd_rm32_xmm_imm8;
        self.put(Instruction::with3(code, d.at(Width::D), Wide::X.of(s), n));
    }

    /// `d` = the signs of the four words of `s`, a bit each.
    pub fn v_signs(&mut self, d: Reg, s: V) {
        self.put(Instruction::with2(Code::VEX_Vmovmskps_r32_xmm, d.at(Width::D), Wide::X.of(s)));
    }

    /// An instruction of the SHA extension: `d = d op s`.
    pub fn sha(&mut self, code: Code, d: V, s: V) {
        self.put(Instruction::with2(code, Wide::X.of(d), Wide::X.of(s)));
    }

    /// SHA256RNDS2, whose third source is implicitly register 0.
    pub fn sha_rounds(&mut self, d: V, s: V) {
        let code = Code::Sha256rnds2_xmm_xmmm128;
        self.put(Instruction::with2(code, Wide::X.of(d), Wide::X.of(s)));
    }

    /// Loads MASK from memory; the code gives the number of bits.
    pub fn mask_load(&mut self, code: Code, m: Mem) {
        self.put(Instruction::with2(code, MASK, m.operand()));
    }

    /// MASK >>= `by`, on 8 bits.
    pub fn mask_shift(&mut self, by: u32) {
        self.put(Instruction::with3(Code::VEX_Kshiftrb_kr_kr_imm8, MASK, MASK, by));
    }

    /// MASK = ones for the first `n` elements, fewer than 64. Clobbers `scratch`.
    pub fn mask_first(&mut self, scratch: Reg, n: u32) {
        self.mov_imm(scratch, (1 << n) - 1);
        self.mask_set(scratch);
    }

    /// MASK = the low bits of a register.
    pub fn mask_set(&mut self, s: Reg) {
        self.put(Instruction::with2(Code::VEX_Kmovq_kr_r64, MASK, s.at(Width::Q)));
    }

    /// Clears the upper halves of registers 0 to 15, which would slow SSE instructions down.
    pub fn v_zero_upper(&mut self) {
        self.put(Ok(Instruction::with(Code::VEX_Vzeroupper)));
    }
}

/// The memory operand at `base` plus each element of a vector.
fn vector_indexed(base: Mem, w: Wide, index: V) -> MemoryOperand {
    MemoryOperand { index: w.of(index), ..base.operand() }
}

fn masked(i: Result<Instruction, iced_x86::IcedError>) -> Result<Instruction, iced_x86::IcedError> {
    i.map(|mut i| {
        i.set_op_mask(MASK);
        i
    })
}
