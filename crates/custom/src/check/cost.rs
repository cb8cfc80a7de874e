//! Checks of an instruction's latency class, its cost, and its widths and element groups.

use crate::faults::Faults;
use crate::file::{Cost as CostTable, Insn};
use crate::operand::Operand;
use capvec_isa::Class;
use capvec_isa::custom::{Cost, Per};
use capvec_text::suggest;
use toml::Spanned;

/// Classes of instructions on x and f registers.
const SCALAR: [Class; 15] = [
    Class::Alu,
    Class::Mul,
    Class::Div,
    Class::Clmul,
    Class::Aes,
    Class::Sha2,
    Class::Sm3,
    Class::Sm4,
    Class::Fp,
    Class::Fma,
    Class::Fdiv,
    Class::Fmove,
    Class::Load,
    Class::Store,
    Class::Amo,
];

/// Classes of vector instructions without a result in an x or f register.
const VECTOR: [Class; 21] = [
    Class::Valu,
    Class::Vmul,
    Class::Vdiv,
    Class::Vgather,
    Class::Vslide,
    Class::Vmove,
    Class::Vaes,
    Class::Vsha2,
    Class::Vsm3,
    Class::Vsm4,
    Class::Vghash,
    Class::Vclmul,
    Class::Vkeccak,
    Class::Vmulq,
    Class::Vmask,
    Class::Vload,
    Class::VloadStrided,
    Class::VloadIndexed,
    Class::Vstore,
    Class::VstoreStrided,
    Class::VstoreIndexed,
];

/// Whether instructions of the class, and no others, access memory.
pub fn is_memory(class: Class) -> bool {
    use Class::*;
    matches!(
        class,
        Load | Store
            | Amo
            | Vload
            | VloadStrided
            | VloadIndexed
            | Vstore
            | VstoreStrided
            | VstoreIndexed
    )
}

/// The latency class.
pub fn class(insn: &Insn, operands: &[(String, Operand)], faults: &mut Faults) -> Option<Class> {
    let has = |f: fn(&Operand) -> bool| operands.iter().any(|(_, o)| f(o));
    let vector = has(|o| matches!(o, Operand::V(_)));
    let allowed: &[Class] = match (vector, has(|o| o.is_scalar_destination())) {
        (false, _) => &SCALAR,
        (true, false) => &VECTOR,
        (true, true) => &[Class::VmoveScalar],
    };
    let name = insn.class.as_ref();
    let Some(class) = Class::from_name(name).filter(|c| allowed.contains(c)) else {
        let names: Vec<&str> = allowed.iter().map(|c| c.name()).collect();
        let hint = suggest::hint(name, names.iter().copied());
        let what = format!("the class {name} does not fit these operands{hint}");
        let remedy = format!("choose what costs about as much: {}", names.join(", "));
        faults.at(&insn.class, what, remedy);
        return None;
    };
    if vector && class.has_groups() && insn.group.is_none() {
        let what = format!("instructions of the class {name} work on element groups");
        faults.at(&insn.class, what, "add group, or choose a class such as valu or vmul");
    }
    Some(class)
}

/// The SEWs, or XLENs, that the instruction exists for.
pub fn widths(
    given: Option<&Spanned<Vec<u32>>>,
    allowed: &[u32],
    usual: &[u32],
    faults: &mut Faults,
) -> Vec<u32> {
    let Some(given) = given else { return usual.to_vec() };
    let list = given.as_ref();
    if list.is_empty() || list.iter().any(|w| !allowed.contains(w)) {
        let remedy = format!("list one or more of {allowed:?}");
        faults.at(given, "there is no such width", remedy);
    }
    list.clone()
}

/// The cost that the instruction states.
pub fn cost(insn: &Insn, vector: bool, faults: &mut Faults) -> Option<Cost> {
    const MOST: u32 = 10_000;
    let given = insn.cost.as_ref()?;
    let CostTable { latency, occupancy, per, first, next } = given.as_ref();
    let has_scalar = latency.is_some() || occupancy.is_some();
    let has_vector = per.is_some() || first.is_some() || next.is_some();
    let numbers = [latency, occupancy, first, next];
    let per = per.as_deref().map(|per| match per {
        "beat" => Ok(Per::Beat),
        "element" => Ok(Per::Element),
        "group" if insn.group.is_some() => Ok(Per::Group),
        "group" => Err("per is group, but the instruction has no element groups"),
        _ => Err("per is beat, element or, with element groups, group"),
    });
    let fault = match (vector, latency, per, first) {
        _ if numbers.into_iter().flatten().any(|n| !(1..=MOST).contains(n)) => {
            format!("costs are cycles, each from 1 to {MOST}")
        }
        (false, ..) if has_vector => "per, first and next are for vector instructions".into(),
        (false, None, ..) => "latency is missing".into(),
        (false, Some(latency), ..) => {
            return Some(Cost::Scalar { latency: *latency, occupancy: occupancy.unwrap_or(1) });
        }
        (true, ..) if has_scalar => "latency and occupancy are for x and f registers".into(),
        (true, _, Some(Err(what)), _) => what.into(),
        (true, _, None, _) => "per is missing".into(),
        (true, _, _, None) => "first is missing".into(),
        (true, _, Some(Ok(per)), Some(first)) => {
            return Some(Cost::Vector { per, first: *first, next: next.unwrap_or(*first) });
        }
    };
    let remedy = if vector {
        "write { per = \"beat\", first = 4, next = 1 }"
    } else {
        "write { latency = 3, occupancy = 1 }"
    };
    faults.at(given, fault, remedy);
    None
}

/// Elements of an element group; 1 without groups.
pub fn group(insn: &Insn, vector: bool, widths: &[u32], faults: &mut Faults) -> u32 {
    let Some(given) = &insn.group else { return 1 };
    let egs = *given.as_ref();
    if !vector {
        faults.at(given, "an instruction on x registers has no element groups", "leave out group");
    } else if !(2..=256).contains(&egs) || !egs.is_power_of_two() {
        faults.at(given, "not a size of an element group", "write a power of two from 2 to 256");
    } else if widths.iter().any(|sew| egs * sew > 8 * 2048) {
        faults.at(given, "the element group has more than 16384 bits", "use smaller groups");
    }
    egs
}
