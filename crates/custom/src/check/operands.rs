//! The operands in assembly.

use super::cost::is_memory;
use crate::faults::Faults;
use crate::file::Insn;
use crate::operand::{NAMES, Operand};
use capvec_isa::Class;
use capvec_isa::custom::NewField;

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
        let encoded = operand == Operand::V0
            || insn.enc.as_ref().split_whitespace().any(|t| t.split('[').next() == Some(name));
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
    let named = |f: &NewField| all.iter().any(|(_, o)| o.slot() == Some(f.slot));
    if let Some(missing) = fields.iter().find(|f| !named(f)) {
        let what = format!("the encoding has an operand that args lacks ({:?})", missing.slot);
        faults.at(&insn.args, what.to_lowercase(), "enc and args name the same operands");
        return None;
    }
    match unsuitable(insn, &all) {
        None => Some(all),
        Some((what, remedy)) => {
            faults.at(&insn.args, what, remedy);
            None
        }
    }
}

/// Why an instruction cannot have these operands together, and the remedy.
fn unsuitable(insn: &Insn, all: &[(String, Operand)]) -> Option<(&'static str, &'static str)> {
    let has = |f: fn(&Operand) -> bool| all.iter().any(|(_, o)| f(o));
    let vector = has(|o| matches!(o, Operand::V(_)));
    let memory = Class::from_name(insn.class.as_ref()).is_some_and(is_memory);
    let first = all.first().is_some_and(|(_, o)| o.is_destination());
    let written = has(|o| o.is_destination());
    if written != first || !written && !memory {
        let what = "the instruction has no destination as its first operand";
        return Some((what, "the destination comes first: rd, fd or vd; only stores have none"));
    }
    let masked = has(|o| *o == Operand::Mask);
    if !vector && (masked || has(|o| *o == Operand::V0)) {
        let what = "an instruction without vector operands has no mask";
        return Some((what, "leave out vm and v0"));
    }
    if insn.group.is_some() && masked {
        let remedy = "leave out vm; v0 is an array of bits";
        return Some(("an instruction on element groups has no mask", remedy));
    }
    let both = masked && has(|o| *o == Operand::V0);
    both.then_some((
        "the mask is vm and v0 at once",
        "vm says which elements are active, v0 is data",
    ))
}

/// The width of the f operands of an instruction without vector operands.
pub fn format(insn: &Insn, operands: &[(String, Operand)], faults: &mut Faults) -> u32 {
    let has = |f: fn(&Operand) -> bool| operands.iter().any(|(_, o)| f(o));
    let Some(fmt) = &insn.fmt else { return 64 };
    if !has(|o| matches!(o, Operand::F(_))) {
        faults.at(fmt, "the instruction has no f registers", "leave out fmt");
    } else if has(|o| matches!(o, Operand::V(_))) {
        let remedy = "leave out fmt, and list widths of 32 and 64 bits in sew";
        faults.at(fmt, "with vector operands, f operands have SEW bits", remedy);
    }
    match fmt.as_ref().as_str() {
        "s" => 32,
        "d" => 64,
        _ => {
            faults.at(fmt, "there is no such format", "write \"s\" or \"d\"");
            64
        }
    }
}
