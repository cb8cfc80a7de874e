//! The encoding, and the operands in it.

use crate::faults::Faults;
use crate::file::Insn;
use crate::operand::{NAMES, Operand, field};
use capvec_encoding::Encoding;
use capvec_isa::custom::NewField;
use capvec_isa::row::{Piece, Slot};

/// The encoding, with the operands that it has.
pub fn encoding(insn: &Insn, faults: &mut Faults) -> Option<(Encoding, Vec<NewField>)> {
    let text = insn.enc.as_ref();
    text.split_whitespace().try_for_each(|token| check_token(token, insn, faults))?;
    if let Some(what) = wrong_length(text) {
        let remedy = "end enc in a major opcode of 32-bit instructions, such as 0001011 (custom-0) or 0101011 (custom-1)";
        faults.at(&insn.enc, what, remedy);
        return None;
    }
    let encoding = match Encoding::parse(text, &[]) {
        Ok(encoding) => encoding,
        Err(e) => {
            faults.at(&insn.enc, format!("{e:#}"), "write 32 bits, from the highest to the lowest");
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

/// What is wrong with the lowest bits, which say how long an instruction is.
fn wrong_length(text: &str) -> Option<String> {
    let bits = |token: &&str| token.bytes().all(|b| b == b'0' || b == b'1');
    let last = text.split_whitespace().next_back()?;
    let mut fixed: Vec<&str> = text.split_whitespace().rev().take_while(bits).collect();
    fixed.reverse();
    let fixed = fixed.concat();
    let lowest = |n: usize| fixed.get(fixed.len().checked_sub(n)?..);
    match (lowest(2), lowest(5)) {
        (None, _) => Some(format!("the encoding ends in {last} instead of the bits of an opcode")),
        (_, Some("11111")) => {
            Some("the lowest five bits are 11111, as in instructions of more than 32 bits".into())
        }
        (Some("11"), _) => None,
        (Some(two), _) => Some(format!(
            "the lowest two bits are {two}, as in compressed instructions, which have 16 bits"
        )),
    }
}

/// Checks one word of the encoding.
fn check_token(token: &str, insn: &Insn, faults: &mut Faults) -> Option<()> {
    let name = token.split('[').next().unwrap_or_default();
    let bits = token.bytes().all(|b| b == b'0' || b == b'1');
    if !bits && Operand::named(name).is_none() {
        let what = format!("{token} is neither bits nor an operand");
        faults.at(&insn.enc, what, format!("operands are {NAMES}; an immediate is uimm[4:0]"));
        return None;
    }
    if name == "v0" {
        let remedy = "leave v0 out of enc, write 0 in the place of vm, and name v0 in args";
        faults.at(&insn.enc, "v0 is not encoded", remedy);
        return None;
    }
    let immediate = matches!(Operand::named(name), Some(Operand::Imm(_)));
    if !bits && immediate != token.contains('[') {
        let what =
            format!("{token}: only an immediate has bits in brackets, and it always needs them");
        faults.at(&insn.enc, what, "write uimm[4:0], and registers as rs1");
        return None;
    }
    Some(())
}

/// Whether the mask operand, which is one bit, is where assemblers put it.
pub fn mask_is_bit_25(fields: &[NewField]) -> bool {
    field(fields, Operand::Mask).is_none_or(|f| f.pieces.len() == 1 && f.pieces[0].at == 25)
}
