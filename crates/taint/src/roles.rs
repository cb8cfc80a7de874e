//! The operands of an instruction, derived from its row: where it reads, where it writes, and how wide vector elements are.

use crate::amounts::Shift;
use crate::dest::Dest;
use crate::names;
use capvec_isa::row::Taint;
use capvec_isa::{Class, Op};
use capvec_sim::insn::{Insn, SINK};
use capvec_sim::vector::VType;

/// Which of the registers `rs1`, `rs2` and `rs3` of a file are sources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// `Insn::rs1`.
    pub s1: bool,
    /// `Insn::rs2`.
    pub s2: bool,
    /// `Insn::rs3`.
    pub s3: bool,
}

impl Sources {
    fn of(tokens: &[&str], prefix: &str) -> Sources {
        let has = |n: &str| tokens.iter().any(|t| *t == format!("{prefix}{n}"));
        Sources { s1: has("s1"), s2: has("s2"), s3: has("s3") }
    }

    /// The registers.
    pub fn registers(self, i: &Insn) -> impl Iterator<Item = u8> {
        [(self.s1, i.rs1), (self.s2, i.rs2), (self.s3, i.rs3)]
            .into_iter()
            .filter_map(|(is, r)| is.then_some(r))
    }
}

/// The operands of an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roles {
    /// How taint passes through.
    pub rule: Taint,
    /// Its class.
    pub class: Class,
    /// Sources among x registers.
    pub x: Sources,
    /// Sources among f registers.
    pub f: Sources,
    /// Sources among vector registers.
    pub v: Sources,
    /// The destination.
    pub dest: Dest,
    /// The old destination is a source: a multiply-add.
    pub adds: bool,
    /// The rule applies to the operands in the opposite order: `vrsub` subtracts the first source from the second, and a > b
    /// and a ≤ b follow from b < a.
    pub reversed: bool,
    /// v0 is an operand, not a mask.
    pub v0: bool,
    /// It accesses memory.
    pub memory: bool,
    /// It is a vector load or store.
    pub vector_memory: bool,
    /// Its operands are x registers and immediates only.
    pub plain: bool,
    /// Its sources include masks, other than v0.
    pub masks: bool,
    /// It copies whole registers.
    pub whole: bool,
    /// A source is a single element group: the first one, unless there are three operands.
    pub scalar_group: bool,
    /// EEW of the destination and of the first source (vs2), as SEW·2^n.
    pub by: [i8; 2],
    /// EEW of the indices, if the name states it: vs1 of `vrgatherei16`, vs2 of an indexed load or store.
    pub index: Option<u32>,
    /// How it shifts, if it does.
    pub shift: Option<Shift>,
    /// It shifts a word of 32 bits.
    pub shifts_word: bool,
    /// Whether vs2 and vs1 are extended as signed numbers, where they are narrower than the destination.
    pub signed: [bool; 2],
    /// What a reduction does with each element.
    pub step: Option<Taint>,
    /// Of a multiply-add: the destination is a factor.
    pub replaces_factor: bool,
    /// Of a multiply-add: the product is subtracted.
    pub subtracts: bool,
    /// How the first operand is prepared: its lowest bits, as many as the second number says, are shifted to the left by the
    /// first number.
    pub prepared: (u32, u32),
    /// Only the lowest 32 bits of the operand count.
    pub word: bool,
    /// Only so many bits of the f register depend on the operand.
    pub boxed: Option<u32>,
    /// With the same register as both sources, the result is the same whatever that holds, as of `xor a0, a1, a1`.
    pub cancels: bool,
}

impl Roles {
    /// The operands of an instruction of the table.
    pub fn of(op: Op) -> Roles {
        let row = op.row().base.row();
        let tokens: Vec<&str> =
            row.args.split([',', ' ', '(', ')']).filter(|t| !t.is_empty()).collect();
        let (stem, suffix) = row.name.split_once('.').unwrap_or((row.name, ""));
        let class = row.class;
        let vector_memory = ["vload", "vstore"].iter().any(|kind| class.name().starts_with(kind));
        let memory = matches!(class, Class::Load | Class::Store | Class::Amo | Class::Cache)
            || vector_memory
            || op.custom().is_some();
        let at = |name: &str| tokens.iter().position(|t| *t == name);
        let second = ["vs1", "rs1", "fs1"].into_iter().find_map(at);
        let (x, f, v) =
            (Sources::of(&tokens, "r"), Sources::of(&tokens, "f"), Sources::of(&tokens, "v"));
        let dest = names::dest(tokens.first().copied().unwrap_or_default(), stem, suffix, class);
        let others = class.is_vector() || has_flags(class) || class == Class::Csr;
        let adds = second.zip(at("vs2")).is_some_and(|(second, first)| second < first);
        Roles {
            rule: row.taint,
            class,
            x,
            f,
            v,
            dest,
            adds,
            reversed: names::reversed(stem),
            v0: at("v0").is_some(),
            memory,
            vector_memory,
            plain: !memory
                && !others
                && f == Sources::default()
                && matches!(dest, Dest::X | Dest::None),
            masks: suffix == "mm" || suffix == "m" || stem == "vcompress",
            whole: stem.starts_with("vmv") && stem.ends_with('r'),
            scalar_group: suffix == "vs" && row.taint != Taint::Reduce,
            by: names::widths(stem, suffix),
            index: if stem == "vrgatherei16" { Some(16) } else { names::index_width(stem) },
            shift: Shift::of(stem),
            shifts_word: stem.ends_with('w'),
            signed: names::signed(stem),
            step: names::step(stem),
            replaces_factor: stem.ends_with("madd") || stem.ends_with("msub"),
            subtracts: stem.starts_with("vnms"),
            prepared: names::prepared(row.name),
            boxed: names::boxed(row.name),
            word: matches!(stem, "clzw" | "ctzw" | "cpopw"),
            cancels: names::cancels(row.taint) && !has_flags(class) && !stem.starts_with("vw"),
        }
    }

    /// How many registers the destination has at most.
    pub fn dest_span(&self, i: &Insn, t: VType, vlenb: usize) -> u8 {
        match (self.dest, self.rule) {
            (Dest::Mask, _) => 1,
            // The data of an indexed access is as wide as SEW, whatever its indices are.
            _ if self.vector_memory && self.index.is_some() => {
                to_end(i.rd, (1u8 << t.lmul.clamp(0, 3)) * (i.aux() + 1))
            }
            _ if self.vector_memory => to_end(i.rd, 8),
            _ if self.whole => to_end(i.rd, 8),
            (_, Taint::Reduce) => 1,
            _ => self.span(i.rd, self.by[0], t, vlenb),
        }
    }

    /// How many registers the group at `reg` has, with EEW = SEW·2^by.
    pub fn span(&self, reg: u8, by: i8, t: VType, vlenb: usize) -> u8 {
        let lmul = 1u8 << (t.lmul + by).clamp(0, 3);
        // The state of Keccak has 2048 bits, whatever LMUL is.
        let keccak =
            if self.class == Class::Vkeccak { (256 / vlenb).clamp(1, 32) as u8 } else { 1 };
        // What a custom instruction reads and writes is not in its row: it may widen.
        let custom = if self.rule == Taint::Any { 1u8 << (t.lmul + 1).clamp(0, 3) } else { 1 };
        to_end(reg, lmul.max(keccak).max(custom))
    }

    /// The group of the first source (vs2).
    pub fn span2(&self, i: &Insn, t: VType, vlenb: usize) -> u8 {
        match self.masks {
            true if i.op().row().base.name() != "vcompress.vm" => 1,
            _ if self.whole => to_end(i.rs2, 8),
            // With a third operand, the names do not say which one is a single group.
            _ if self.scalar_group && !self.v.s1 => to_end(i.rs2, (32 / vlenb).max(1) as u8),
            _ => self.span(i.rs2, self.by[1], t, vlenb),
        }
    }

    /// The group of the second source (vs1).
    pub fn span1(&self, i: &Insn, t: VType, vlenb: usize) -> u8 {
        if self.masks || self.rule == Taint::Reduce {
            return 1;
        }
        let by = self.index.map_or(0, |eew| eew.ilog2() as i8 - t.sew.ilog2() as i8);
        self.span(i.rs1, by, t, vlenb)
    }

    /// The group of the indices of an indexed load or store.
    pub fn span_index(&self, i: &Insn, t: VType) -> u8 {
        let by = self.index.map_or(0, |eew| eew.ilog2() as i8 - t.sew.ilog2() as i8);
        to_end(i.rs2, 1 << (t.lmul + by).clamp(0, 3))
    }

    /// Whether both sources are the same register, so that its value cancels out.
    pub fn is_constant(&self, i: &Insn) -> bool {
        let both = |s: Sources| s.s1 && s.s2;
        self.cancels && i.rs1 == i.rs2 && (both(self.x) || both(self.v))
    }

    /// The x register that it writes, if any.
    pub fn rd_x(&self, i: &Insn) -> Option<u8> {
        (self.dest == Dest::X && i.rd != SINK).then_some(i.rd)
    }
}

/// Whether the instructions of this class set floating-point flags and may round.
pub(crate) fn has_flags(class: Class) -> bool {
    use Class::{Fdiv, Fma, Fp, Vfcmp, Vfdiv, Vfp, Vfred};
    matches!(class, Fp | Fma | Fdiv | Vfp | Vfcmp | Vfdiv | Vfred)
}

fn to_end(reg: u8, n: u8) -> u8 {
    n.min(32 - (reg & 31))
}

#[cfg(test)]
mod tests {
    use super::{Dest, Roles};
    use capvec_isa::{Decoded, Op};
    use capvec_sim::insn::Insn;
    use capvec_sim::interp;
    use capvec_sim::vector::VType;

    #[test]
    fn names_say_what_is_read_and_written() {
        let of = |name| Roles::of(Op::from_name(name).expect(name));
        assert_eq!(of("vwaddu.wv").by, [1, 1]);
        assert_eq!(of("vwredsum.vs").by, [1, 0]);
        assert_eq!(of("vnclip.wi").by, [0, 1]);
        assert_eq!(of("vfncvt.x.f.w").by, [0, 1]);
        assert_eq!(of("vfwcvt.f.f.v").by, [1, 0]);
        assert_eq!(of("vzext.vf8").by, [0, -3]);
        assert!(of("vmacc.vv").adds && of("vfnmsub.vf").adds && !of("vadd.vv").adds);
        assert!(of("vmerge.vvm").v0 && !of("vadd.vv").v0);
        for mask in ["vmseq.vv", "vmadc.vv", "vmsbc.vvm", "vmsbf.m", "vmand.mm", "vmfeq.vf"] {
            assert_eq!(of(mask).dest, Dest::Mask, "{mask}");
        }
        for group in ["viota.m", "vid.v", "vmul.vv", "vmv.v.x", "vle8.v", "vmsbf.m"] {
            assert_ne!(of(group).dest, Dest::None, "{group}");
        }
        assert_eq!(
            (of("vcpop.m").dest, of("vmv.x.s").dest, of("vse8.v").dest),
            (Dest::X, Dest::X, Dest::None)
        );
        assert!(of("sd").x.s1 && of("sd").x.s2 && of("fsd").f.s2 && of("vse8.v").v.s3);
        for same in ["xor", "sub", "subw", "sltu", "vxor.vv", "vmsne.vv", "vmxnor.mm", "vmandn.mm"]
        {
            assert!(of(same).cancels, "{same}");
        }
        assert!(of("vmsle.vv").reversed && of("vmsgtu.vx").reversed && !of("vmslt.vv").reversed);
        assert_eq!((of("vrgatherei16.vv").index, of("vluxei64.v").index), (Some(16), Some(64)));
    }

    /// In `vaesef.vs`, vs2 is one group of 128 bits. In the forms of Zvknf with three operands, vs1 is, and vs2 has LMUL registers.
    #[test]
    fn the_single_group_is_the_first_of_two_sources() {
        let registers = |name| {
            let op = Op::from_name(name).expect(name);
            let i = Insn::new(&Decoded::new(op), interp::table(64, true)[op as usize], 0, 0);
            let lmul_4 = VType::decode(0b010_010, 64);
            Roles::of(op).span2(&i, lmul_4, 16)
        };
        assert_eq!((registers("vaesef.vs"), registers("vaese128.vs")), (2, 4));
    }
}
