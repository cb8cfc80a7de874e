//! Checks an instruction's table, all but its semantics.

use crate::faults::Faults;
use crate::file::{Cost as CostTable, Insn};
use crate::operand::{NAMES, Operand, Port, field};
use capvec_encoding::Encoding;
use capvec_isa::custom::{Cost, NewField, Per};
use capvec_isa::row::{Piece, Slot};
use capvec_isa::{Class, Op};
use capvec_semantics::Direction;
use capvec_text::near;
use toml::Spanned;

/// Classes of instructions on x registers that compute.
const SCALAR: [Class; 8] = [
    Class::Alu,
    Class::Mul,
    Class::Div,
    Class::Clmul,
    Class::Aes,
    Class::Sha2,
    Class::Sm3,
    Class::Sm4,
];

/// Classes of vector instructions that compute, and whose operands all have SEW.
const VECTOR: [Class; 14] = [
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
];

/// What a mnemonic and the name of an extension may look like.
pub fn is_word(text: &str, also: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || also.contains(c))
        && text.len() <= 40
}

/// The encoding, with the operands that it has.
pub fn encoding(insn: &Insn, faults: &mut Faults) -> Option<(Encoding, Vec<NewField>)> {
    let text = insn.enc.as_ref();
    for token in text.split_whitespace() {
        let name = token.split('[').next().unwrap_or_default();
        let bits = token.bytes().all(|b| b == b'0' || b == b'1');
        if !bits && Operand::named(name).is_none() {
            let what = format!("{token} is neither bits nor an operand");
            faults.at(&insn.enc, what, format!("operands are {NAMES}; an immediate is uimm[4:0]"));
            return None;
        }
        let immediate = matches!(Operand::named(name), Some(Operand::Imm(_)));
        if !bits && immediate != token.contains('[') {
            let what = format!(
                "{token}: only an immediate has bits in brackets, and it always needs them"
            );
            faults.at(&insn.enc, what, "write uimm[4:0], and registers as rs1");
            return None;
        }
    }
    let encoding = match Encoding::parse(text, &[]) {
        Ok(encoding) => encoding,
        Err(e) => {
            faults.at(
                &insn.enc,
                format!("{e:#}"),
                "write 32 bits, from the highest to the lowest, the last two of which are 11",
            );
            return None;
        }
    };
    let named = |name| {
        text.split_whitespace().any(|t| t.split('[').next().is_some_and(|first| first == name))
    };
    if named("imm") && named("uimm") {
        faults.at(
            &insn.enc,
            "the encoding has imm and uimm",
            "use one immediate: its bits may lie apart",
        );
        return None;
    }
    if encoding.len != 4 {
        faults.at(&insn.enc, "the encoding has 16 bits", "write an instruction of 32 bits");
        return None;
    }
    let slots = [Slot::Rd, Slot::Rs1, Slot::Rs2, Slot::Rs3, Slot::Imm, Slot::Vm];
    let mut fields = Vec::new();
    for f in &encoding.fields {
        let slot = slots.into_iter().find(|s| format!("{s:?}") == f.slot)?;
        let mut bits = 0u64;
        for p in &f.pieces {
            let own = ((1u64 << p.width) - 1) << p.to;
            if bits & own != 0 || p.to + p.width > 32 {
                let what = "an operand is encoded twice, or has more than 32 bits";
                faults.at(&insn.enc, what, "give each bit of an operand one place");
                return None;
            }
            bits |= own;
        }
        let piece = |p: &capvec_encoding::Piece| Piece { at: p.at, width: p.width, to: p.to };
        let pieces = f.pieces.iter().map(piece).collect();
        fields.push(NewField { slot, signed: f.signed, pieces });
    }
    Some((encoding, fields))
}

/// The operands in assembly, each with its name.
pub fn operands(
    insn: &Insn,
    fields: &[NewField],
    faults: &mut Faults,
) -> Option<Vec<(String, Operand)>> {
    let mut all: Vec<(String, Operand)> = Vec::new();
    for name in insn.args.as_ref().split(',').map(str::trim).filter(|a| !a.is_empty()) {
        let Some(operand) = Operand::named(name) else {
            faults.at(
                &insn.args,
                format!("there is no operand {name}"),
                format!("operands are {NAMES}"),
            );
            return None;
        };
        let encoded =
            insn.enc.as_ref().split_whitespace().any(|t| t.split('[').next() == Some(name));
        let what = if all.iter().any(|(n, _)| n == name) {
            format!("{name} is named twice")
        } else if let Some((other, _)) = all.iter().find(|(_, o)| o.slot() == operand.slot()) {
            format!("{name} and {other} have the same place in every encoding")
        } else if !encoded {
            format!("{name} is not in the encoding")
        } else {
            all.push((name.into(), operand));
            continue;
        };
        faults.at(&insn.args, what, "enc and args name the same operands, each once");
        return None;
    }
    if let Some(missing) = fields.iter().find(|f| !all.iter().any(|(_, o)| o.slot() == f.slot)) {
        let what = format!("the encoding has an operand that args lacks ({:?})", missing.slot);
        faults.at(&insn.args, what.to_lowercase(), "enc and args name the same operands");
        return None;
    }
    let has = |f: fn(&Operand) -> bool| all.iter().any(|(_, o)| f(o));
    let destination = |o: &Operand| matches!(o, Operand::X(Slot::Rd) | Operand::V(Slot::Rd));
    let vector = has(|o| matches!(o, Operand::V(_)));
    let first = insn.args.as_ref().split(',').next().map(str::trim);
    if !all.iter().any(|(_, o)| destination(o)) || !matches!(first, Some("rd" | "vd")) {
        let remedy = "the destination comes first: rd, or vd";
        faults.at(&insn.args, "the instruction has no destination", remedy);
    } else if vector && has(|o| *o == Operand::X(Slot::Rd)) {
        let remedy = "write to vd, and move an element to x by vmv.x.s";
        faults.at(&insn.args, "an instruction with vector operands writes to rd", remedy);
    } else if !vector && has(|o| *o == Operand::Mask) {
        faults.at(&insn.args, "an instruction on x registers has no mask", "leave out vm");
    } else if insn.group.is_some() && has(|o| *o == Operand::Mask) {
        faults.at(&insn.args, "an instruction on element groups has no mask", "leave out vm");
    } else {
        return Some(all);
    }
    None
}

/// The operands that the semantics see.
pub fn ports(insn: &Insn, operands: &[(String, Operand)], faults: &mut Faults) -> Vec<Port> {
    for name in &insn.inout {
        let known = operands.iter().find(|(n, _)| n == name.as_ref());
        match known {
            Some((_, Operand::V(Slot::Rd | Slot::Rs2))) => {}
            _ => faults.at(
                name,
                format!("{} cannot be read and written", name.as_ref()),
                "inout may name vd, and vs2 for a second result; instructions on x registers read rs3",
            ),
        }
    }
    let direction = |name: &str| match insn.inout.iter().any(|i| i.as_ref() == name) {
        true => Direction::InOut,
        false if name == "rd" || name == "vd" => Direction::Out,
        false => Direction::In,
    };
    operands
        .iter()
        .filter(|(_, o)| *o != Operand::Mask)
        .map(|(name, operand)| Port {
            name: name.clone(),
            operand: *operand,
            direction: direction(name),
        })
        .collect()
}

/// The latency class.
pub fn class(insn: &Insn, vector: bool, faults: &mut Faults) -> Option<Class> {
    let allowed: &[Class] = if vector { &VECTOR } else { &SCALAR };
    let name = insn.class.as_ref();
    let Some(class) = Class::from_name(name).filter(|c| allowed.contains(c)) else {
        let names: Vec<&str> = allowed.iter().map(|c| c.name()).collect();
        let hint = near::hint(name, names.iter().copied());
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
        let remedy = format!("write a list of some of {allowed:?}");
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
        (true, ..) if has_scalar => "latency and occupancy are for x registers".into(),
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

/// Words that cannot be the name of a function or macro in C, and `main`.
const C_WORDS: &str = " asm auto break case char const continue default do double else enum extern float for goto if inline int long main \
                       register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while ";

/// A mnemonic that is free.
pub fn mnemonic(insn: &Insn, others: &[Insn], faults: &mut Faults) {
    let name = insn.name.as_ref();
    let (what, remedy) = if !is_word(name, ".") {
        (
            format!("{name:?} is not a mnemonic"),
            "write lower-case letters, digits and dots, such as vrot.vx",
        )
    } else if others.iter().any(|other| other.name.as_ref() == name) {
        (format!("{name} is defined twice"), "choose another name")
    } else if C_WORDS.contains(&format!(" {name} ")) {
        (
            format!("{name} is a keyword of C, and the header makes a function of it"),
            "choose another name",
        )
    } else if Op::from_name(name)
        .is_some_and(|op| !op.row().exts.iter().all(|e| e.info().draft.is_some()))
    {
        (
            format!("{name} is an instruction already"),
            "choose another name: assemblers know that one",
        )
    } else {
        return;
    };
    faults.at(&insn.name, what, remedy);
}

/// Whether the mask operand, which is one bit, is where assemblers put it.
pub fn mask_is_bit_25(fields: &[NewField]) -> bool {
    field(fields, Slot::Vm).is_none_or(|f| f.pieces.len() == 1 && f.pieces[0].at == 25)
}
