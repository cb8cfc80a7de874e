//! The model's state, its operand rules, and the comparison with the simulator's state.

use capvec_sim::hart::Access;
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{DATA, Rig, Rng};
use capvec_sim::vector::VType;

/// The model's outcome of an instruction.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// Nothing changes.
    Illegal,
    /// A page fault at this address; everything before it is done.
    Fault {
        at: u64,
        store: bool,
    },
}

/// `None`: the encoding or state is reserved.
pub type Legal<T = ()> = Option<T>;

/// A set of vector registers.
pub type Regs = u32;

#[derive(Clone)]
pub struct Machine {
    pub vlen: usize,
    pub elen: usize,
    pub ones: bool,
    pub vill: bool,
    /// Bits.
    pub sew: usize,
    /// Eighths.
    pub lmul: usize,
    pub vta: bool,
    pub vma: bool,
    pub vl: usize,
    pub vstart: usize,
    pub v: Vec<u8>,
    pub x: [u64; 32],
    pub mem: Vec<u8>,
    pub pages: Vec<Perm>,
    pub accesses: Vec<Access>,
}

/// Bits of a word.
pub fn bits(word: u32, at: u32, width: u32) -> usize {
    (word >> at & ((1 << width) - 1)) as usize
}

pub fn vm(word: u32) -> bool {
    bits(word, 25, 1) == 1
}

impl Machine {
    pub fn vlenb(&self) -> usize {
        self.vlen / 8
    }

    pub fn vlmax(&self) -> usize {
        self.vlen * self.lmul / self.sew / 8
    }

    /// The EMUL, in eighths, of an operand of width `eew`.
    pub fn emul(&self, eew: usize) -> Legal<usize> {
        let emul = self.lmul * eew / self.sew;
        (1..=64).contains(&emul).then_some(emul)
    }

    /// The registers of `n` groups from `reg` on.
    pub fn groups(&self, reg: usize, emul: usize, n: usize) -> Legal<Regs> {
        let each = emul.div_ceil(8);
        let all = each * n;
        (reg.is_multiple_of(each) && all <= 8 && reg + all <= 32)
            .then(|| (reg..reg + all).fold(0, |set, r| set | 1 << r))
    }

    /// Whether destination `dst` of width `dw` may overlap source `src` of width `sw` and EMUL `src_emul` (in eighths).
    pub fn overlap_ok(dst: Regs, dw: usize, src: Regs, sw: usize, src_emul: usize) -> bool {
        let common = dst & src;
        let shared = common.count_ones();
        if common == 0 || dw == sw {
            true
        } else if dw < sw {
            common.trailing_zeros() == src.trailing_zeros()
                && common >> common.trailing_zeros() == ((1u64 << shared) - 1) as u32
        } else {
            src_emul >= 8 && common.leading_zeros() == dst.leading_zeros()
        }
    }

    pub fn mask(&self, reg: usize, k: usize) -> bool {
        self.v[reg * self.vlenb() + k / 8] >> (k % 8) & 1 == 1
    }

    pub fn set_mask(&mut self, reg: usize, k: usize, bit: bool) {
        let at = reg * self.vlenb() + k / 8;
        self.v[at] = self.v[at] & !(1 << (k % 8)) | u8::from(bit) << (k % 8);
    }

    pub fn active(&self, word: u32, k: usize) -> bool {
        vm(word) || self.mask(0, k)
    }

    /// The bytes of element `k`, `size` bytes wide, of the group at `reg`.
    pub fn at(&self, reg: usize, k: usize, size: usize) -> std::ops::Range<usize> {
        let from = reg * self.vlenb() + k * size;
        from..from + size
    }

    pub fn number(&self, reg: usize, k: usize, size: usize) -> u64 {
        self.v[self.at(reg, k, size)].iter().rev().fold(0, |n, b| n << 8 | *b as u64)
    }

    /// Applies the mask policy to an inactive element.
    pub fn inactive(&mut self, reg: usize, k: usize, size: usize) {
        if self.vma && self.ones {
            let at = self.at(reg, k, size);
            self.v[at].fill(0xff);
        }
    }

    /// Applies the tail policy from element `k` on, in a group of this EMUL.
    pub fn tail(&mut self, reg: usize, k: usize, size: usize, emul: usize, agnostic: bool) {
        if agnostic && self.ones {
            let end = (reg + emul.div_ceil(8)) * self.vlenb();
            let from = self.at(reg, k, size).start;
            self.v[from..end].fill(0xff);
        }
    }

    /// A byte of memory, if the access is permitted.
    fn byte(&mut self, addr: u64, need: Perm) -> Option<&mut u8> {
        let at = addr.checked_sub(DATA).filter(|at| *at < self.mem.len() as u64)? as usize;
        self.pages[at / PAGE as usize].allows(need).then(|| &mut self.mem[at])
    }

    /// The first of these bytes that may not be accessed.
    pub fn fault(&mut self, addr: u64, size: usize, need: Perm) -> Option<u64> {
        (0..size as u64).map(|b| addr.wrapping_add(b)).find(|a| self.byte(*a, need).is_none())
    }

    pub fn move_element(&mut self, addr: u64, at: std::ops::Range<usize>, store: bool) {
        let need = if store { Perm::W } else { Perm::R };
        self.accesses.push(Access { addr, size: at.len() as u32, store });
        for (k, r) in at.enumerate() {
            let reg = self.v[r];
            let byte = self.byte(addr.wrapping_add(k as u64), need).unwrap();
            if store {
                *byte = reg;
            } else {
                self.v[r] = *byte;
            }
        }
    }

    /// A random state of this configuration, sometimes with vill.
    pub fn randomize(&mut self, rng: &mut Rng) {
        self.vill = rng.one_in(40);
        loop {
            self.sew = 8 << rng.below(4);
            self.lmul = 1 << rng.below(7);
            if self.sew <= self.elen && self.lmul * self.elen >= self.sew * 8 {
                break;
            }
        }
        (self.vta, self.vma) = (rng.one_in(2), rng.one_in(2));
        let max = self.vlmax();
        let any = rng.below(max as u64 + 1) as usize;
        self.vl = rng.pick(&[0, 1, max - 1, max, max, any]);
        if self.vill {
            self.vl = 0;
        }
        let start = rng.below(max.min(self.vlen - 2) as u64 + 2) as usize;
        self.vstart = rng.pick(&[0, 0, 0, start]);
        rng.fill(&mut self.v);
        let density = rng.below(4);
        for b in &mut self.v[..self.vlen / 8] {
            match density {
                0 => *b = 0xff,
                1 => *b &= rng.next() as u8,
                2 => *b |= rng.next() as u8,
                _ => {}
            }
        }
        for x in &mut self.x[1..] {
            *x = match rng.below(4) {
                0 => rng.below(4),
                1 => rng.below(2 * max as u64),
                2 => (rng.below(130) as i64 - 65) as u64,
                _ => rng.next(),
            };
        }
    }

    pub fn write_to(&self, rig: &mut Rig) {
        let v = &mut rig.h.v;
        let lmul = self.lmul.trailing_zeros() as i8 - 3;
        let (sew, vta, vma) = (self.sew as u32, self.vta, self.vma);
        v.vtype =
            if self.vill { VType::ILLEGAL } else { VType { vill: false, sew, lmul, vta, vma } };
        v.bytes_mut(0).copy_from_slice(&self.v);
        (v.vl, v.vstart) = (self.vl as u64, self.vstart as u64);
        (1..32).for_each(|r| rig.h.write_x(r, self.x[r as usize]));
    }

    pub fn assert_same(&self, rig: &Rig, what: &str) {
        assert_eq!(rig.h.v.vl, self.vl as u64, "vl of {what}");
        assert_eq!(rig.h.v.vstart, self.vstart as u64, "vstart of {what}");
        let x: Vec<u64> = (0..32).map(|r| rig.h.x(r)).collect();
        assert_eq!(x, self.x, "x of {what}");
        let differ = |a: &[u8], b: &[u8]| a.iter().zip(b).position(|(a, b)| a != b);
        if let Some(k) = differ(rig.h.v.bytes(0), &self.v) {
            let (reg, byte) = (k / self.vlenb(), k % self.vlenb());
            panic!("v{reg} byte {byte}: {:#x} for {:#x} of {what}", rig.h.v.bytes(0)[k], self.v[k]);
        }
        let mut mem = vec![0; self.mem.len()];
        rig.h.mem.read_as(DATA, &mut mem, Perm::NONE).unwrap();
        if let Some(k) = differ(&mem, &self.mem) {
            panic!("memory at {k:#x}: {:#x} for {:#x} of {what}", mem[k], self.mem[k]);
        }
    }
}
