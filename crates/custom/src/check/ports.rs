//! The operands as the semantics see them.

use super::cost::is_memory;
use crate::faults::Faults;
use crate::file::Insn;
use crate::operand::{Operand, Port, Width};
use capvec_isa::Class;
use capvec_isa::row::Slot;
use capvec_language::Direction;
use toml::Spanned;

/// The operands that the semantics see.
pub fn ports(insn: &Insn, operands: &[(String, Operand)], faults: &mut Faults) -> Vec<Port> {
    let vector = operands.iter().any(|(_, o)| matches!(o, Operand::V(_)));
    let known = |name: &str| operands.iter().find(|(n, _)| n == name).map(|(_, o)| *o);
    for name in &insn.inout {
        if !matches!(known(name.as_ref()), Some(Operand::V(Slot::Rd | Slot::Rs2))) {
            faults.at(
                name,
                format!("{} cannot be read and written", name.as_ref()),
                "inout may name vd, and vs2 for a second result; an instruction on x registers can read rs3 instead",
            );
        }
    }
    for name in &insn.masks {
        if !matches!(known(name.as_ref()), Some(Operand::V(_))) {
            let what = format!("{} is no vector operand", name.as_ref());
            faults.at(name, what, "masks lists vector operands that have one bit for each element");
        }
    }
    for name in &insn.wide {
        if !matches!(known(name.as_ref()), Some(Operand::V(_))) {
            let what = format!("{} is no vector operand", name.as_ref());
            faults.at(name, what, "wide lists vector operands whose elements have twice SEW");
        } else if insn.masks.iter().any(|m| m.as_ref() == name.as_ref()) {
            let what = format!("{} is in wide and in masks", name.as_ref());
            faults.at(name, what, "an operand has elements of one width: leave it out of one list");
        }
    }
    let in_list = |list: &[Spanned<String>], name: &str| list.iter().any(|i| i.as_ref() == name);
    let direction = |name: &str, operand: Operand| match in_list(&insn.inout, name) {
        true => Direction::InOut,
        // The value is carried from one element to the next.
        false if vector && operand.is_scalar_destination() => Direction::InOut,
        false if operand.is_destination() => Direction::Out,
        false => Direction::In,
    };
    let seen = operands.iter().filter(|(_, o)| *o != Operand::Mask);
    let mut ports: Vec<Port> = seen
        .map(|(name, operand)| Port {
            name: name.clone(),
            operand: *operand,
            direction: direction(name, *operand),
            width: match () {
                () if *operand == Operand::V0 || in_list(&insn.masks, name) => Width::Bit,
                () if in_list(&insn.wide, name) => Width::Double,
                () => Width::Sew,
            },
        })
        .collect();
    let memory = Class::from_name(insn.class.as_ref()).is_some_and(is_memory);
    if vector && (memory || operands.iter().any(|(_, o)| o.is_scalar_destination())) {
        ports.push(Port {
            name: "element".into(),
            operand: Operand::Element,
            direction: Direction::In,
            width: Width::Sew,
        });
    }
    ports
}

/// The initial value of a result in an x or f register, before the first element.
pub fn start(insn: &Insn, operands: &[(String, Operand)], faults: &mut Faults) -> u64 {
    let Some(start) = &insn.start else { return 0 };
    let has = |f: fn(&Operand) -> bool| operands.iter().any(|(_, o)| f(o));
    if !has(|o| matches!(o, Operand::V(_))) || !has(|o| o.is_scalar_destination()) {
        let what = "start is for vector instructions with a result in rd or fd";
        faults.at(start, what, "leave out start");
    }
    *start.as_ref() as u64
}
