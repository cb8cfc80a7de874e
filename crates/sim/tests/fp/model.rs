//! A model of the element loop of "V": which elements are written, and what becomes of the others, under both
//! agnostic policies and at several VLEN.

use capvec_isa::Op;
use capvec_sim::Cause;
use capvec_sim::fp::{Env, F32, F64, Float, Rm};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, all_exts, config, word};
use capvec_sim::vector::VType;

use super::patterns::{Random, specials};

/// Registers of all tests, disjoint at LMUL up to 4 and with wide results.
pub const VD: u8 = 8;
pub const VS1: u8 = 16;
pub const VS2: u8 = 24;
pub const FS: u8 = 5;

/// From the old element of vd, the element of vs2 and the second operand to the result.
pub type Model = fn(&mut Env, u64, u64, u64) -> u64;

/// Element widths in bits: old and new vd, vs2, vs1.
pub struct Widths {
    pub vd: u32,
    pub vs2: u32,
    pub vs1: u32,
}

/// A hart about to execute an instruction.
pub struct Case {
    pub rig: Rig,
    /// Unmasked.
    pub vm: bool,
    /// Agnostic elements become ones.
    pub ones: bool,
    /// The register file.
    pub before: Vec<u8>,
}

/// Element `k` of a group in a register file.
pub fn element(file: &[u8], vlenb: usize, reg: u8, k: u64, width: u32) -> u64 {
    let bytes = width as usize / 8;
    let at = reg as usize * vlenb + k as usize * bytes;
    let mut value = [0; 8];
    value[..bytes].copy_from_slice(&file[at..at + bytes]);
    u64::from_le_bytes(value)
}

/// A random state: VLEN, policy, vtype with this SEW and LMUL up to 2, vl, sometimes vstart.
pub fn state(random: &mut Random, sew: u32) -> Case {
    let vlen = 128 << random.below(4);
    let ones = random.below(2) == 1;
    let policy = if ones { Agnostic::Ones } else { Agnostic::Undisturbed };
    let mut rig = Rig::new(config(&all_exts(), vlen, policy));
    let sew_code = u64::from(sew.trailing_zeros() - 3);
    let lmul = if sew == 64 { random.below(2) } else { [0, 1, 7][random.below(3) as usize] };
    let v = &mut rig.h.v;
    v.vtype = VType::decode(lmul | sew_code << 3 | random.below(4) << 6, 64);
    assert!(!v.vtype.vill);
    v.vl = random.below(v.vlmax() + 1);
    v.vstart = if random.below(4) == 0 { random.below(v.vlmax()) } else { 0 };
    let (singles, doubles) = (specials::<F32>(), specials::<F64>());
    for chunk in v.bytes_mut(0).chunks_mut(8) {
        let mut single = || match random.below(3) {
            0 => singles[random.below(singles.len() as u64) as usize],
            _ => random.float(),
        };
        let pair = u64::from(single().0) << 32 | u64::from(single().0);
        let bits = match random.below(4) {
            0 | 1 => pair,
            2 => doubles[random.below(doubles.len() as u64) as usize].0,
            _ => random.float::<F64>().0,
        };
        chunk.copy_from_slice(&bits.to_le_bytes());
    }
    rig.h.frm = random.below(5) as u8;
    rig.h.f[FS as usize] = match random.below(3) {
        0 => random.bits(),
        1 => random.float::<F32>().nan_box(),
        _ => random.float::<F64>().0,
    };
    let before = rig.h.v.bytes(0).to_vec();
    Case { rig, vm: random.below(2) == 1, ones, before }
}

/// `op` on the registers of these tests; masked unless `vm`, if it has a mask.
pub fn encode(op: Op, vm: bool) -> u32 {
    let has_mask = op.row().args.ends_with("vm");
    let scalar = op.row().args.contains("fs1");
    let binary = scalar || op.row().args.contains("vs1");
    word(op, |d| {
        (d.rd, d.rs2) = (VD, VS2);
        d.rs1 = match (binary, scalar) {
            (true, true) => FS,
            (true, false) => VS1,
            _ => 0,
        };
        d.vm = vm || !has_mask;
    })
}

impl Case {
    /// The f register's value at SEW.
    pub fn scalar(&self) -> u64 {
        let register = self.rig.h.f[FS as usize];
        if self.rig.h.v.vtype.sew == 64 { register } else { F32::unbox(register).bits() }
    }

    /// Whether element `k` is active.
    pub fn active(&self, k: u64) -> bool {
        self.vm || self.before[k as usize / 8] >> (k % 8) & 1 == 1
    }

    /// Runs `op` and checks every byte of the register file, the flags and vstart.
    pub fn check(&mut self, op: Op, widths: Widths, model: Model) {
        self.vm |= !op.row().args.ends_with("vm");
        let h = &self.rig.h;
        let (vlenb, vl, vstart, vtype) = (h.v.vlenb(), h.v.vl, h.v.vstart, h.v.vtype);
        let scalar =
            if vtype.sew == 64 { h.f[FS as usize] } else { F32::unbox(h.f[FS as usize]).bits() };
        let mut env = Env::new(Rm::from_bits(h.frm).unwrap());
        let mut want = self.before.clone();
        let emul = vtype.lmul as i32 + widths.vd.ilog2() as i32 - vtype.sew.ilog2() as i32;
        let end = (vlenb as u64) << emul.max(0);
        let bytes = u64::from(widths.vd / 8);
        let mut write = |k: u64, value: u64| {
            let at = VD as usize * vlenb + (k * bytes) as usize;
            want[at..at + bytes as usize].copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        };
        for k in vstart..vl {
            if self.active(k) {
                let get = |reg, width| element(&self.before, vlenb, reg, k, width);
                let second = match op.row().args.contains("fs1") {
                    true => scalar,
                    false => get(VS1, widths.vs1),
                };
                write(k, model(&mut env, get(VD, widths.vd), get(VS2, widths.vs2), second));
            } else if self.ones && vtype.vma {
                write(k, u64::MAX);
            }
        }
        if vstart < vl && self.ones && vtype.vta {
            (vl..end / bytes).for_each(|k| write(k, u64::MAX));
        }
        let trap = self.rig.run(&[encode(op, self.vm)]);
        let h = &self.rig.h;
        assert_eq!(trap.cause, Cause::Breakpoint, "{}: {trap:?}", op.name());
        assert!(h.v.bytes(0) == want, "{} {vtype:?} vl {vl} vstart {vstart}", op.name());
        assert_eq!((h.fflags, h.v.vstart), (env.flags.bits(), 0), "{}", op.name());
    }
}
