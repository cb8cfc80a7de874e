//! Parses an encoding as the manual writes it: `imm[12|10:5] rs2 rs1 000 imm[4:1|11] 1100011`.
//!
//! Tokens run from the highest bit to the lowest. A token is a run of binary digits, a field of known width (`rd`;
//! `rs1'` for the three-bit form; `rd!0` if zero is reserved) or an immediate with the bits of the value that it
//! holds (`imm` is signed, `uimm` unsigned, `nzimm`/`nzuimm` not zero).
//!
//! A crate of its own, because the generator of `capvec-isa` needs it as well as the reader of custom instructions.

#![warn(missing_docs)]

use anyhow::{Context, Result, bail};

/// A run of bits of an operand in the instruction word.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Lowest bit in the instruction word.
    pub at: u8,
    /// Number of bits.
    pub width: u8,
    /// Lowest bit in the operand's value.
    pub to: u8,
}

/// One operand in the instruction word.
#[derive(Clone, Debug)]
pub struct Field {
    /// The operand, as a variant of `capvec_isa::row::Slot`.
    pub slot: &'static str,
    /// The value is sign-extended.
    pub signed: bool,
    /// Zero is reserved.
    pub nonzero: bool,
    /// Three-bit register field: 8 is added.
    pub prime: bool,
    /// The positions of its bits.
    pub pieces: Vec<Piece>,
}

/// An encoding.
#[derive(Debug)]
pub struct Encoding {
    /// The fixed bits.
    pub mask: u32,
    /// Their values.
    pub value: u32,
    /// Length in bytes.
    pub len: u8,
    /// Operands.
    pub fields: Vec<Field>,
    /// Operands of the base instruction that are constant in a compressed one.
    pub consts: Vec<(&'static str, i64)>,
}

/// A field's operand slot, width and lowest bit of the value; `None` if the token is not a field.
fn simple_field(name: &str) -> Option<(&'static str, u8, u8)> {
    Some(match name {
        "rd" | "vd" | "fd" => ("Rd", 5, 0),
        "rs1" | "vs1" | "fs1" | "zimm" => ("Rs1", 5, 0),
        "rs2" | "vs2" | "fs2" => ("Rs2", 5, 0),
        "rs3" | "vs3" | "fs3" => ("Rs3", 5, 0),
        "csr" => ("Imm", 12, 0),
        "rm" | "nf" => ("Aux", 3, 0),
        "aq" => ("Aux", 1, 1),
        "rl" => ("Aux", 1, 0),
        "vm" => ("Vm", 1, 0),
        "fm" => ("Imm", 4, 8),
        "pred" => ("Imm", 4, 4),
        "succ" => ("Imm", 4, 0),
        _ => return None,
    })
}

fn slot_of(name: &str) -> Result<&'static str> {
    match name {
        "imm" | "uimm" => Ok("Imm"),
        _ => Ok(simple_field(name).with_context(|| format!("no operand {name}"))?.0),
    }
}

/// `12|10:5` → [(12, 12), (10, 5)].
fn bit_ranges(text: &str) -> Result<Vec<(u8, u8)>> {
    text.split('|')
        .map(|part| {
            let (hi, lo) = part.split_once(':').unwrap_or((part, part));
            let (hi, lo) = (hi.parse::<u8>()?, lo.parse::<u8>()?);
            if hi < lo {
                bail!("write the bits {part} from high to low");
            }
            if hi > 63 {
                bail!("an operand has at most 64 bits, so there is no bit {hi}");
            }
            Ok((hi, lo))
        })
        .collect()
}

impl Encoding {
    /// Parses an encoding. `bindings`: operands of the base instruction that are constant (`rs1=2`) or the same as another
    /// operand (`rs1=rd`).
    ///
    /// # Errors
    /// Names the token that is wrong.
    pub fn parse(text: &str, bindings: &[String]) -> Result<Self> {
        let mut width = 0u32;
        for token in text.split_whitespace() {
            width = width.saturating_add(token_width(token)?);
        }
        if width != 16 && width != 32 {
            bail!("the encoding has {width} bits");
        }
        let mut e =
            Encoding { mask: 0, value: 0, len: (width / 8) as u8, fields: vec![], consts: vec![] };
        let mut at = width;
        for token in text.split_whitespace() {
            at -= token_width(token)?;
            e.token(token, at)?;
        }
        let expected = if e.len == 4 { 3 } else { e.value & 3 };
        if e.mask & 3 != 3 || e.value & 3 != expected || (e.len == 2 && e.value & 3 == 3) {
            bail!("the lowest two bits do not match the length");
        }
        for b in bindings {
            e.bind(b)?;
        }
        Ok(e)
    }

    fn token(&mut self, token: &str, at: u32) -> Result<()> {
        let width = token_width(token)?;
        if token.bytes().all(|b| b == b'0' || b == b'1') {
            self.mask |= (((1u64 << width) - 1) << at) as u32;
            self.value |= u32::from_str_radix(token, 2)? << at;
            return Ok(());
        }
        if let Some((name, bits)) = token.split_once('[') {
            let bits = bits.strip_suffix(']').context("missing ]")?;
            let mut at = at + width;
            for (hi, lo) in bit_ranges(bits)? {
                at -= (hi - lo + 1) as u32;
                let piece = Piece { at: at as u8, width: hi - lo + 1, to: lo };
                self.add("Imm", piece, !name.ends_with("uimm"), name.starts_with("nz"), false);
            }
            return Ok(());
        }
        let nonzero = token.ends_with("!0");
        let name = token.trim_end_matches("!0");
        let prime = name.ends_with('\'');
        let (slot, _, to) = simple_field(name.trim_end_matches('\'')).context("unknown field")?;
        self.add(slot, Piece { at: at as u8, width: width as u8, to }, false, nonzero, prime);
        Ok(())
    }

    fn add(&mut self, slot: &'static str, p: Piece, signed: bool, nonzero: bool, prime: bool) {
        match self.fields.iter_mut().find(|f| f.slot == slot) {
            Some(f) => f.pieces.push(p),
            None => self.fields.push(Field { slot, signed, nonzero, prime, pieces: vec![p] }),
        }
    }

    /// `rs1=rd` or `rs1=2`.
    fn bind(&mut self, text: &str) -> Result<()> {
        let (to, from) = text.split_once('=').with_context(|| format!("binding {text}"))?;
        let slot = slot_of(to)?;
        if let Ok(n) = from.parse::<i64>() {
            self.consts.push((slot, n));
            return Ok(());
        }
        let source = slot_of(from)?;
        if source == slot {
            return Ok(());
        }
        let field = self.fields.iter().find(|f| f.slot == source);
        let mut copy = field.with_context(|| format!("no field {from} to bind"))?.clone();
        copy.slot = slot;
        self.fields.push(copy);
        Ok(())
    }
}

fn token_width(token: &str) -> Result<u32> {
    if token.bytes().all(|b| b == b'0' || b == b'1') {
        return Ok(token.len() as u32);
    }
    if let Some((_, bits)) = token.split_once('[') {
        let ranges = bit_ranges(bits.trim_end_matches(']'))?;
        return Ok(ranges.iter().map(|(hi, lo)| (hi - lo + 1) as u32).sum());
    }
    let name = token.trim_end_matches("!0");
    if name.ends_with('\'') {
        return Ok(3);
    }
    Ok(simple_field(name).with_context(|| format!("unknown field {token}"))?.1 as u32)
}
