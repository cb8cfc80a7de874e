//! Random states of a hart, random taint, and the differences between two states.

use capvec_isa::decode::Decoded;
use capvec_isa::{Class, Ext, Op, decode};
use capvec_sim::Hart;
use capvec_sim::csr::number::{FCSR, FFLAGS, FRM, VCSR, VL, VLENB, VSTART, VTYPE, VXRM, VXSAT};
use capvec_sim::mem::PAGE;
use capvec_sim::testing::{DATA, Rng};
use capvec_sim::vector::VType;
use capvec_taint::{Roles, Shadow};

/// Bytes of memory that instructions access.
pub const WINDOW: usize = PAGE as usize;
/// Where they access it.
const MIDDLE: u64 = DATA + PAGE / 2;

/// Whatever an instruction reads, or the masks of its tainted bits.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub x: [u64; 32],
    pub f: [u64; 32],
    pub v: Vec<u8>,
    pub fflags: u8,
    pub frm: u8,
    pub vxrm: u8,
    pub vxsat: bool,
    pub memory: Vec<u8>,
}

impl State {
    pub fn zero(vlenb: usize) -> State {
        State {
            x: [0; 32],
            f: [0; 32],
            v: vec![0; 32 * vlenb],
            fflags: 0,
            frm: 0,
            vxrm: 0,
            vxsat: false,
            memory: vec![0; WINDOW],
        }
    }

    /// Random values: often those at which the behaviour of instructions changes.
    pub fn random(rng: &mut Rng, vlenb: usize) -> State {
        let mut state = State::zero(vlenb);
        state.x = std::array::from_fn(|r| if r == 0 { 0 } else { number(rng) });
        state.f = std::array::from_fn(|_| float(rng));
        let v = state.v.chunks_mut(8);
        v.for_each(|c| c.copy_from_slice(&number(rng).to_le_bytes()[..c.len()]));
        rng.fill(&mut state.memory);
        (state.frm, state.vxrm) = (rng.below(5) as u8, rng.below(4) as u8);
        (state.fflags, state.vxsat) = (rng.below(32) as u8, rng.one_in(2));
        state
    }

    /// Random taint.
    pub fn taint(rng: &mut Rng, vlenb: usize, density: u64) -> State {
        let mut state = State::zero(vlenb);
        let mask = |rng: &mut Rng| match rng.below(density) {
            0 => u64::MAX,
            1 => rng.next(),
            2 => rng.next() & rng.next() & rng.next() & rng.next(),
            3 => 1 << rng.below(64),
            _ => 0,
        };
        state.x = std::array::from_fn(|r| if r == 0 { 0 } else { mask(rng) });
        state.f = std::array::from_fn(|_| mask(rng));
        state.v.chunks_mut(8).for_each(|c| c.copy_from_slice(&mask(rng).to_le_bytes()));
        state.memory.chunks_mut(8).for_each(|c| c.copy_from_slice(&mask(rng).to_le_bytes()));
        if rng.one_in(8) {
            // Every rounding mode that these bits can make is legal.
            (state.vxrm, state.fflags) = (rng.below(4) as u8, rng.below(32) as u8);
        }
        state
    }

    /// This state with random bits where `taint` is 1.
    pub fn vary(&self, rng: &mut Rng, taint: &State) -> State {
        let mut state = self.clone();
        let sparse = rng.one_in(3);
        let mut bits = || if sparse { rng.next() & rng.next() & rng.next() } else { rng.next() };
        state.x.iter_mut().zip(&taint.x).for_each(|(x, t)| *x ^= t & bits());
        state.f.iter_mut().zip(&taint.f).for_each(|(x, t)| *x ^= t & bits());
        state.v.iter_mut().zip(&taint.v).for_each(|(x, t)| *x ^= t & bits() as u8);
        let memory = state.memory.iter_mut().zip(&taint.memory);
        memory.filter(|(_, t)| **t != 0).for_each(|(x, t)| *x ^= t & bits() as u8);
        state.vxrm ^= taint.vxrm & bits() as u8;
        state.fflags ^= taint.fflags & bits() as u8;
        state
    }

    /// The registers of RV32 hold sign-extended values.
    pub fn extend_signs(&mut self) {
        self.x.iter_mut().for_each(|x| *x = *x as i32 as u64);
    }

    /// The bits in which they differ.
    pub fn difference(&self, other: &State) -> State {
        let bytes = |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| a ^ b).collect();
        State {
            x: std::array::from_fn(|r| self.x[r] ^ other.x[r]),
            f: std::array::from_fn(|r| self.f[r] ^ other.f[r]),
            v: bytes(&self.v, &other.v),
            fflags: self.fflags ^ other.fflags,
            frm: self.frm ^ other.frm,
            vxrm: self.vxrm ^ other.vxrm,
            vxsat: self.vxsat ^ other.vxsat,
            memory: bytes(&self.memory, &other.memory),
        }
    }

    /// The first bits that are set here and not in `taint`.
    pub fn beyond(&self, taint: &State) -> Option<String> {
        let words = |name: &str, a: &[u64], b: &[u64]| {
            let at = a.iter().zip(b).position(|(a, b)| a & !b != 0)?;
            Some(format!("{name}{at}: {:#x} outside {:#x}", a[at], b[at]))
        };
        let bytes = |name: &str, a: &[u8], b: &[u8]| {
            let at = a.iter().zip(b).position(|(a, b)| a & !b != 0)?;
            Some(format!("byte {at} of {name}: {:#x} outside {:#x}", a[at], b[at]))
        };
        let csrs = [self.fflags, self.frm, self.vxrm, self.vxsat.into()];
        let tainted = [taint.fflags, taint.frm, taint.vxrm, taint.vxsat.into()];
        words("x", &self.x, &taint.x)
            .or_else(|| words("f", &self.f, &taint.f))
            .or_else(|| bytes("v", &self.v, &taint.v))
            .or_else(|| bytes("memory", &self.memory, &taint.memory))
            .or_else(|| bytes("fflags, frm, vxrm, vxsat", &csrs, &tainted))
    }

    pub fn load(&self, h: &mut Hart) {
        (1..32u8).for_each(|r| h.write_x(r, self.x[r as usize]));
        h.f = self.f;
        h.v.bytes_mut(0).copy_from_slice(&self.v);
        (h.fflags, h.frm, h.v.vxrm, h.v.vxsat) = (self.fflags, self.frm, self.vxrm, self.vxsat);
        h.mem.write(DATA, &self.memory).expect("the window is mapped");
    }

    pub fn of(h: &Hart) -> State {
        let mut memory = vec![0; WINDOW];
        h.mem.read(DATA, &mut memory).expect("the window is mapped");
        State {
            x: std::array::from_fn(|r| h.x(r as u8)),
            f: h.f,
            v: h.v.bytes(0).to_vec(),
            fflags: h.fflags,
            frm: h.frm,
            vxrm: h.v.vxrm,
            vxsat: h.v.vxsat,
            memory,
        }
    }

    /// Taints the shadow with this.
    pub fn taint_shadow(&self, s: &mut Shadow) {
        (1..32u8).for_each(|r| s.set_x(r, self.x[r as usize]));
        (0..32u8).for_each(|r| s.set_f(r, self.f[r as usize]));
        s.change_v(|v| v.copy_from_slice(&self.v));
        s.set_csr(FCSR, u64::from(self.frm) << 5 | u64::from(self.fflags));
        s.set_csr(VCSR, u64::from(self.vxrm) << 1 | u64::from(self.vxsat));
        s.set_memory(DATA, &self.memory);
    }

    pub fn from_shadow(s: &Shadow) -> State {
        let mut memory = vec![0; WINDOW];
        s.read_memory(DATA, &mut memory);
        State {
            x: std::array::from_fn(|r| s.x(r as u8)),
            f: std::array::from_fn(|r| s.f(r as u8)),
            v: s.v(0).to_vec(),
            fflags: s.csr(FFLAGS) as u8,
            frm: s.csr(FRM) as u8,
            vxrm: s.csr(VXRM) as u8,
            vxsat: s.csr(VXSAT) != 0,
            memory,
        }
    }
}

fn number(rng: &mut Rng) -> u64 {
    match rng.below(6) {
        0 => rng.below(4),
        1 => (rng.below(4) as i64 - 2) as u64,
        2 => rng.below(256),
        _ => rng.next(),
    }
}

fn float(rng: &mut Rng) -> u64 {
    let simple = |rng: &mut Rng| (rng.below(64) as f64 - 32.0) / 4.0;
    match rng.below(4) {
        0 => simple(rng).to_bits(),
        1 => 0xffff_ffff_0000_0000 | u64::from((simple(rng) as f32).to_bits()),
        2 => 0xffff_ffff_0000_0000 | rng.next(),
        _ => rng.next(),
    }
}

/// A random vtype, vl and vstart.
pub fn configure(rng: &mut Rng, h: &mut Hart) {
    let elen = if h.has(Ext::Zve64x) { 64 } else { 32 };
    h.v.vtype = loop {
        let t = VType::decode(rng.below(256), elen);
        if !t.vill {
            break t;
        }
    };
    let max = h.v.vlmax();
    h.v.vl = match rng.below(4) {
        0 => rng.below(max + 1),
        1 => rng.below(max / 8 + 1) * 8,
        _ => max,
    };
    // Many instructions trap otherwise.
    h.v.vstart = if rng.one_in(6) { rng.below(h.v.vl.max(1)) } else { 0 };
}

/// A random encoding of `op`.
pub fn encoding(rng: &mut Rng, op: Op, h: &Hart) -> Option<Decoded> {
    let row = op.row();
    let mut word = row.value | (rng.next() as u32 & !row.mask);
    if row.class == Class::Csr {
        let csrs = [FFLAGS, FRM, FCSR, VXRM, VXSAT, VCSR, VL, VTYPE, VLENB, VSTART];
        word = word & 0xf_ffff | u32::from(rng.pick(&csrs)) << 20;
    }
    // Most immediates of vsetvli and vsetivli are no legal vtype.
    if row.class == Class::Vset && rng.one_in(2) {
        word &= !(0x7000_0000 & !row.mask);
    }
    // Groups of several registers are at multiples of their size.
    if row.class.is_vector() && rng.one_in(2) {
        word &= !(0x0070_0380 & !row.mask);
        word &= !(if row.args.contains("vs1") { 0x0003_8000 & !row.mask } else { 0 });
    }
    // Both sources are the same register more often than by chance.
    let both = |first, second| row.args.contains(first) && row.args.contains(second);
    if (both("rs1", "rs2") || both("vs1", "vs2")) && rng.one_in(6) {
        word = word & !0x01f0_0000 | (word & 0x000f_8000) << 5;
    }
    decode(word, h.config.xlen, h.config.exts).ok().filter(|d| d.op == op)
}

/// Puts addresses into the operands of an instruction that accesses memory, without taint.
pub fn aim(rng: &mut Rng, d: &Decoded, roles: &Roles, state: &mut State, taint: &mut State) {
    if !roles.memory {
        return;
    }
    let base =
        MIDDLE + 8 * rng.below(32) + if roles.class == Class::Amo { 0 } else { rng.below(8) };
    let index = roles.vector_memory && roles.v.s2;
    if index {
        let eew = roles.index.unwrap_or(8) as usize / 8;
        let from = d.rs2 as usize * (state.v.len() / 32);
        for element in state.v[from..].chunks_exact_mut(eew) {
            let at = rng.below(256).to_le_bytes();
            element.copy_from_slice(&at[..eew]);
        }
        taint.v[from..].fill(0);
    }
    if roles.vector_memory {
        if roles.x.s2 && d.rs2 != 0 {
            state.x[d.rs2 as usize] = (rng.below(9) as i64 - 4) as u64;
            taint.x[d.rs2 as usize] = 0;
        }
        if !d.vm {
            let vlenb = taint.v.len() / 32;
            taint.v[..vlenb].fill(0);
        }
    }
    if d.rs1 != 0 {
        let offset = if roles.vector_memory { 0 } else { d.imm };
        state.x[d.rs1 as usize] = base.wrapping_add_signed(-offset);
        taint.x[d.rs1 as usize] = 0;
    }
}
