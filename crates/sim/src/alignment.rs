//! Which of an instruction's memory accesses are not aligned, for core models and observers.

use crate::hart::Access;
use crate::vector::VType;
use capvec_isa::{Class, Op};

/// Number of misaligned accesses. A scalar access is aligned to its size, an element of a vector access to EEW.
/// `vtype` is that under which the instruction was executed.
pub fn misaligned(op: Op, vtype: VType, accesses: &[Access]) -> u64 {
    let element = element(op, vtype);
    let count = |a: &Access| {
        let size = element.unwrap_or(a.size);
        let aligned = size <= 1 || a.addr.is_multiple_of(size.into());
        if aligned { 0 } else { u64::from(a.size / size) }
    };
    accesses.iter().map(count).sum()
}

/// Bytes of a vector instruction's elements in memory. `None` for other instructions, and for custom ones: each of their accesses
/// counts on its own.
fn element(op: Op, vtype: VType) -> Option<u32> {
    let row = op.row();
    let bits = match row.class {
        _ if op.custom().is_some() => return None,
        Class::VloadIndexed | Class::VstoreIndexed => vtype.sew,
        Class::Vload | Class::VloadStrided | Class::Vstore | Class::VstoreStrided => {
            encoded(row.name)
        }
        _ => return None,
    };
    Some(bits / 8)
}

/// EEW of `vle32.v`, `vlse32.v`, `vle32ff.v`, `vl2re32.v`; masks, and stores of whole registers, are accessed as bytes.
fn encoded(name: &str) -> u32 {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches("ff");
    let from = stem.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    stem[from..].parse().unwrap_or(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_every_vector_access() {
        let vtype = VType { sew: 16, ..VType::ILLEGAL };
        for (name, bytes) in [
            ("vle8.v", 1),
            ("vle32.v", 4),
            ("vse64.v", 8),
            ("vle16ff.v", 2),
            ("vlse32.v", 4),
            ("vluxei8.v", 2),
            ("vsoxei64.v", 2),
            ("vl1re8.v", 1),
            ("vl8re64.v", 8),
            ("vs2r.v", 1),
            ("vlm.v", 1),
            ("vsm.v", 1),
        ] {
            let op = Op::from_name(name).expect(name);
            assert_eq!(element(op, vtype), Some(bytes), "{name}");
        }
        for name in ["ld", "amoadd.w", "vadd.vv", "cbo.zero"] {
            assert_eq!(element(Op::from_name(name).expect(name), vtype), None, "{name}");
        }
    }

    #[test]
    fn misaligned_accesses_are_counted() {
        let of = |name: &str, addr, size| {
            let op = Op::from_name(name).expect(name);
            misaligned(op, VType::ILLEGAL, &[Access { addr, size, store: false }])
        };
        assert_eq!((of("ld", 8, 8), of("ld", 4, 8), of("lw", 4, 4), of("lbu", 3, 1)), (0, 1, 0, 0));
        assert_eq!((of("vle32.v", 4, 64), of("vle32.v", 2, 64), of("vle8.v", 1, 64)), (0, 16, 0));
        assert_eq!(of("vle32.v", 2, 0), 0);
    }
}
