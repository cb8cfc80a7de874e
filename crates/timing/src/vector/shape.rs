//! Which vector registers an instruction reads and writes, from its row of the table.

use crate::params::StepKind;
use capvec_isa::row::Slot;
use capvec_isa::{Class, Op};

/// Width of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// vl elements of SEW·2^n.
    Sew(i8),
    /// vl elements of this many bits.
    Eew(u32),
    /// vl bits.
    Mask,
    /// One element or one element group: part of one register.
    Single,
    /// Whole registers, independent of vl.
    Registers(u32),
    /// An element group of this many bits, independent of vl.
    Group(u32),
}

/// The functional units of a queued vector unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Integer, moves, reductions.
    Alu,
    /// Multiplication, division, floating point.
    Multiplier,
    /// Slides and gathers.
    Slide,
    /// Mask operations and moves to scalar registers.
    Mask,
    /// Loads.
    Load,
    /// Stores.
    Store,
    /// Operations on element groups, and carry-less multiplication.
    Crypto,
}

/// Number of functional units.
pub const UNITS: usize = 7;

/// Bits of the element group of a Keccak state.
pub const KECCAK_GROUP: u32 = 2048;

/// The vector operands of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Index of its cost.
    pub step: StepKind,
    /// The functional unit.
    pub unit: Unit,
    /// Destination.
    pub vd: Option<Width>,
    /// Whether the destination is also a source.
    pub accumulates: bool,
    /// vs2 is written, too.
    pub writes_vs2: bool,
    /// First source.
    pub vs1: Option<Width>,
    /// Second source.
    pub vs2: Option<Width>,
    /// Third source.
    pub vs3: Option<Width>,
    /// The result goes to an x or f register.
    pub to_scalar: bool,
}

impl Shape {
    /// The shape of `op`, which must be of a vector class, on a hart with this VLEN.
    pub fn at_vlen(op: Op, vlen: u32) -> Shape {
        let fixed = op == Op::VkeccakViZvknhk0p1 || op == Op::VkeccakViZvknhk0p2 && vlen == 128;
        let shape = Shape::of(op);
        if fixed { Shape { vd: Some(Width::Group(KECCAK_GROUP)), ..shape } } else { shape }
    }

    /// The shape of `op`, apart from what depends on VLEN.
    fn of(op: Op) -> Shape {
        let row = op.row();
        let (name, class) = (row.name, row.class);
        let has =
            |word: &str| row.args.split(|c: char| !c.is_ascii_alphanumeric()).any(|w| w == word);
        let own = op.model();
        let masks = |slot| own.is_some_and(|m| m.masks.contains(&slot));
        let inout = |slot| own.is_some_and(|m| m.inout.contains(&slot));
        let widths = if own.is_some() {
            let wide = |slot| own.is_some_and(|m| m.wide.contains(&slot));
            let width = |slot| match () {
                () if masks(slot) => Width::Mask,
                () => Width::Sew(wide(slot).into()),
            };
            let data = if has("vd") { Slot::Rd } else { Slot::Rs3 };
            Widths { data: width(data), vs1: width(Slot::Rs1), vs2: width(Slot::Rs2) }
        } else if is_memory(class) {
            memory(name, class)
        } else {
            arithmetic(name, class)
        };
        let only = |word: &str, w: Width| has(word).then_some(w);
        Shape {
            step: step(name, class),
            unit: unit(class),
            vd: only("vd", widths.data),
            accumulates: if own.is_some() {
                inout(Slot::Rd)
            } else {
                has("vd") && accumulates(name, class, row.args)
            },
            writes_vs2: inout(Slot::Rs2),
            vs1: only("vs1", widths.vs1),
            vs2: only("vs2", widths.vs2),
            vs3: only("vs3", widths.data),
            to_scalar: class == Class::VmoveScalar,
        }
    }

    /// Whether it accesses memory.
    pub fn is_memory(&self) -> bool {
        matches!(self.unit, Unit::Load | Unit::Store)
    }
}

/// Widths of vd or vs3, of vs1 and of vs2.
struct Widths {
    data: Width,
    vs1: Width,
    vs2: Width,
}

fn is_memory(class: Class) -> bool {
    matches!(unit(class), Unit::Load | Unit::Store)
}

fn unit(class: Class) -> Unit {
    use Class::*;
    match class {
        Vload | VloadStrided | VloadIndexed => Unit::Load,
        Vstore | VstoreStrided | VstoreIndexed => Unit::Store,
        Vmul | Vmulq | Vdiv | Vfp | Vfcmp | Vfdiv | Vfred => Unit::Multiplier,
        Vslide | Vgather => Unit::Slide,
        Vmask | VmoveScalar => Unit::Mask,
        Vaes | VaesAll | Vsha2 | Vsm3 | Vsm4 | Vghash | Vclmul | Vkeccak => Unit::Crypto,
        _ => Unit::Alu,
    }
}

/// The cost of an instruction, as far as it does not depend on vtype.
fn step(name: &str, class: Class) -> StepKind {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    match stem {
        "vsll" | "vsrl" | "vsra" | "vror" | "vrol" | "vwsll" | "vnsrl" | "vnsra" | "vssrl"
        | "vssra" => StepKind::SHIFT,
        "vand" | "vor" | "vxor" | "vandn" => StepKind::LOGIC,
        _ => StepKind::of(class),
    }
}

/// The first number in `text`.
fn number(text: &str) -> Option<u32> {
    let from = text.find(|c: char| c.is_ascii_digit())?;
    let digits = &text[from..];
    let to = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..to].parse().ok()
}

/// `vle32.v`, `vlm.v`, `vl2re8.v`, `vs2r.v`, `vlse16.v`, `vluxei8.v`.
fn memory(name: &str, class: Class) -> Widths {
    let n = number(name).unwrap_or(8);
    let whole = name.starts_with("vl") && name.contains("re") || name.ends_with("r.v");
    let (data, vs2) = match class {
        Class::VloadIndexed | Class::VstoreIndexed => (Width::Sew(0), Width::Eew(n)),
        _ if whole => (Width::Registers(n), Width::Sew(0)),
        _ if name == "vlm.v" || name == "vsm.v" => (Width::Mask, Width::Sew(0)),
        _ => (Width::Eew(n), Width::Sew(0)),
    };
    Widths { data, vs1: Width::Sew(0), vs2 }
}

fn arithmetic(name: &str, class: Class) -> Widths {
    use Width::{Eew, Mask, Registers, Sew, Single};
    let (stem, suffix) = name.split_once('.').unwrap_or((name, ""));
    let mut w = Widths { data: Sew(0), vs1: Sew(0), vs2: Sew(0) };
    let wide_source = suffix.split('.').any(|s| ["wv", "wx", "wi", "wf", "w"].contains(&s));
    if wide_source {
        w.vs2 = Sew(1);
    }
    if stem.starts_with("vw") || stem.starts_with("vfw") {
        w.data = Sew(1);
    }
    match class {
        Class::Vred | Class::Vfred => (w.data, w.vs1) = (Single, Single),
        Class::Vfcmp => w.data = Mask,
        Class::Vmask if stem == "viota" => w.vs2 = Mask,
        Class::Vmask if stem != "vid" => (w.data, w.vs1, w.vs2) = (Mask, Mask, Mask),
        Class::VmoveScalar if suffix == "m" => w.vs2 = Mask,
        Class::VmoveScalar => w.vs2 = Single,
        Class::Vmove if suffix.starts_with("s.") => w.data = Single,
        Class::Vmove if stem.ends_with('r') => {
            let n = Registers(number(stem).unwrap_or(1));
            (w.data, w.vs2) = (n, n);
        }
        Class::Vgather if stem == "vrgatherei16" => w.vs1 = Eew(16),
        Class::Vgather if stem == "vcompress" => w.vs1 = Mask,
        Class::Vaes | Class::Vsm4 | Class::Vghash if suffix == "vs" => w.vs2 = Single,
        Class::VaesAll if suffix == "vs" => {
            w.vs1 = Single;
            // The other half of a key of 256 bits.
            if stem.ends_with("256") {
                w.vs2 = Single;
            }
        }
        Class::Valu if writes_mask(stem) => w.data = Mask,
        Class::Valu if stem.ends_with("ext") => {
            // vf2, vf4, vf8: sources of SEW/2, SEW/4, SEW/8.
            w.vs2 = Sew(-(number(suffix).unwrap_or(1).ilog2() as i8));
        }
        _ => {}
    }
    w
}

/// Integer comparisons and carries.
fn writes_mask(stem: &str) -> bool {
    let compares = ["vmseq", "vmsne", "vmslt", "vmsle", "vmsgt"];
    compares.iter().any(|c| stem.starts_with(c)) || stem == "vmadc" || stem == "vmsbc"
}

/// Whether the old value of vd is an input.
fn accumulates(name: &str, class: Class, args: &str) -> bool {
    match class {
        Class::Vsha2 | Class::Vghash | Class::Vkeccak => true,
        Class::VaesAll => ["vaese256", "vaesd256"].iter().any(|stem| name.starts_with(stem)),
        Class::Vaes => name != "vaeskf1.vi",
        Class::Vsm3 => name == "vsm3c.vi",
        Class::Vsm4 => name != "vsm4k.vi",
        Class::Vslide => name.starts_with("vslideup"),
        _ if is_memory(class) => false,
        // Multiply-add instructions name vs1 before vs2.
        _ => {
            let at = |word| args.find(word);
            let first = at("vs1").or(at("rs1")).or(at("fs1"));
            matches!((first, at("vs2")), (Some(a), Some(b)) if a < b)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Width::{Eew, Group, Mask, Registers, Sew, Single};

    #[track_caller]
    fn check(name: &str, vd: Option<Width>, vs2: Option<Width>, vs1: Option<Width>) -> Shape {
        let s = Shape::of(Op::from_name(name).unwrap());
        assert_eq!((s.vd, s.vs2, s.vs1), (vd, vs2, vs1), "{name}");
        s
    }

    #[test]
    fn operand_widths() {
        let (one, two, none) = (Some(Sew(0)), Some(Sew(1)), None);
        assert!(!check("vadd.vv", one, one, one).accumulates);
        assert!(check("vmacc.vv", one, one, one).accumulates);
        assert!(check("vwmaccu.vx", two, one, none).accumulates);
        check("vwaddu.wv", two, two, one);
        check("vwsll.vi", two, one, none);
        check("vnsrl.wi", one, two, none);
        check("vnclip.wv", one, two, one);
        check("vfncvt.f.f.w", one, two, none);
        check("vfwcvt.x.f.v", two, one, none);
        check("vzext.vf4", one, Some(Sew(-2)), none);
        check("vmseq.vv", Some(Mask), one, one);
        check("vmsgtu.vi", Some(Mask), one, none);
        check("vmfle.vf", Some(Mask), one, none);
        check("vmand.mm", Some(Mask), Some(Mask), Some(Mask));
        check("vmsbf.m", Some(Mask), Some(Mask), none);
        check("viota.m", one, Some(Mask), none);
        check("vid.v", one, none, none);
        assert!(check("vcpop.m", none, Some(Mask), none).to_scalar);
        assert!(check("vmv.x.s", none, Some(Single), none).to_scalar);
        check("vmv.s.x", Some(Single), none, none);
        check("vmv.v.i", one, none, none);
        check("vmerge.vvm", one, one, one);
        check("vmv4r.v", Some(Registers(4)), Some(Registers(4)), none);
        check("vredsum.vs", Some(Single), one, Some(Single));
        check("vwredsum.vs", Some(Single), one, Some(Single));
        check("vrgatherei16.vv", one, one, Some(Eew(16)));
        check("vcompress.vm", one, one, Some(Mask));
    }

    #[test]
    fn memory_and_element_groups() {
        let (one, none) = (Some(Sew(0)), None);
        check("vle32.v", Some(Eew(32)), none, none);
        check("vle8ff.v", Some(Eew(8)), none, none);
        check("vlm.v", Some(Mask), none, none);
        check("vl8re64.v", Some(Registers(8)), none, none);
        check("vlse16.v", Some(Eew(16)), none, none);
        assert!(!check("vluxei64.v", one, Some(Eew(64)), none).accumulates);
        assert_eq!(check("vs2r.v", none, none, none).vs3, Some(Registers(2)));
        assert_eq!(check("vse64.v", none, none, none).vs3, Some(Eew(64)));
        assert_eq!(check("vsse8.v", none, none, none).vs3, Some(Eew(8)));
        assert!(check("vaesem.vs", one, Some(Single), none).accumulates);
        assert!(check("vaesem.vv", one, one, none).accumulates);
        assert!(!check("vaeskf1.vi", one, one, none).accumulates);
        assert!(check("vsha2cl.vv", one, one, one).accumulates);
        assert!(!check("vsm3me.vv", one, one, one).accumulates);
        assert!(check("vghsh.vv", one, one, one).accumulates);
        assert!(check("vghsh.vs", one, Some(Single), one).accumulates);
    }

    #[test]
    fn drafts() {
        let (one, single, none) = (Some(Sew(0)), Some(Single), None);
        assert!(!check("vaese128.vs", one, one, single).accumulates);
        assert!(check("vaesd256.vs", one, single, single).accumulates);
        assert!(!check("vaes256k13.vv", one, one, one).accumulates);
        assert!(!check("vmulq.vx", one, one, none).accumulates);
        assert!(check("vmacq.vv", one, one, one).accumulates);
        for (op, vlen, vd) in [
            (Op::VkeccakViZvkk0p2024, 256, Sew(0)),
            (Op::VkeccakViZvknhk0p1, 256, Group(2048)),
            (Op::VkeccakViZvknhk0p2, 256, Sew(0)),
            (Op::VkeccakViZvknhk0p2, 128, Group(2048)),
        ] {
            let shape = Shape::at_vlen(op, vlen);
            assert_eq!((shape.vd, shape.vs2, shape.vs1), (Some(vd), none, none), "{op:?}");
            assert!(shape.accumulates);
        }
    }
}
