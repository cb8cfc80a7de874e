//! One instruction: its mnemonic chooses the row, whose template says what the operands are.

use crate::{AsmError, operand};
use capvec_isa::row::{Row, Slot};
use capvec_isa::{Ext, Isa, Op, decode};
use capvec_text::suggest;
use std::collections::HashMap;

/// The addresses of labels.
#[derive(Default)]
pub struct Labels {
    known: HashMap<String, u64>,
    /// While the addresses are being found, every label is the address of the instruction that names it.
    unknown: bool,
}

impl Labels {
    /// Labels whose addresses are not known yet.
    pub fn unknown() -> Labels {
        Labels { unknown: true, ..Labels::default() }
    }

    /// Adds a label; false if it is not a name, or defined already.
    pub fn define(&mut self, name: &str, addr: u64) -> bool {
        is_name(name) && self.known.insert(name.into(), addr).is_none()
    }

    /// The address that an operand at `pc` means: a label or a number.
    pub fn address(&self, text: &str, pc: u64) -> Result<u64, AsmError> {
        match self.known.get(text) {
            Some(addr) => Ok(*addr),
            None if self.unknown && is_name(text) => Ok(pc),
            None => operand::number(text).map(|n| n as u64).map_err(|_| AsmError::Operand {
                operand: text.into(),
                expected: "a label or an address".into(),
            }),
        }
    }
}

fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.');
    text.starts_with(letter) && text.chars().all(|c| letter(c) || c.is_ascii_digit())
}

/// The ways to split a mnemonic into the name of a row and the value of `Slot::Aux` that the rest stands for.
fn parts(mnemonic: &str) -> impl Iterator<Item = (String, i64)> {
    let ordered = [(".aqrl", 3), (".aq", 2), (".rl", 1)];
    let ordered = ordered
        .into_iter()
        .find_map(|(end, aux)| Some((mnemonic.strip_suffix(end)?.to_string(), aux)));
    let segments = (2..=8).find_map(|n| {
        let (before, after) = mnemonic.split_once(&format!("seg{n}"))?;
        mnemonic.starts_with('v').then(|| (format!("{before}{after}"), n - 1))
    });
    [Some((mnemonic.to_string(), 0)), ordered, segments].into_iter().flatten()
}

fn has(row: &Row, slot: Slot) -> bool {
    row.fields.iter().any(|f| f.slot == slot)
}

/// The rows with this mnemonic, each with the value of `Slot::Aux` that the mnemonic stands for.
fn rows(mnemonic: &str) -> Vec<(&'static Row, i64)> {
    let named = |(name, aux): (String, i64)| {
        let all = Op::all().map(Op::row).filter(move |r| r.name == name);
        all.filter(move |r| aux == 0 || has(r, Slot::Aux) && !r.args.contains("rm"))
            .map(move |r| (r, aux))
    };
    parts(mnemonic).flat_map(named).collect()
}

/// The word of the instruction at `pc`.
pub fn encode(text: &str, pc: u64, isa: Isa, labels: &Labels) -> Result<u32, AsmError> {
    let (mnemonic, given) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mnemonic = mnemonic.to_ascii_lowercase();
    let candidates = rows(&mnemonic);
    let unknown = || {
        let hint = suggest::hint(&mnemonic, Op::all().map(Op::name));
        AsmError::Unknown { name: mnemonic.clone(), hint }
    };
    let mut error = None;
    for (row, aux) in candidates {
        match of_row(row, aux, given.trim(), pc, isa, labels) {
            Ok(word) => return Ok(word),
            // The error of a row that the hart has is the most helpful one.
            Err(e) if error.is_none() || legal(row, isa).is_ok() => error = Some(e),
            Err(_) => {}
        }
    }
    Err(error.unwrap_or_else(unknown))
}

/// Whether the hart has the instruction.
fn legal(row: &Row, isa: Isa) -> Result<(), AsmError> {
    let name = row.name.to_string();
    if row.xlen != 0 && row.xlen != isa.xlen {
        return Err(AsmError::Xlen { name, xlen: row.xlen });
    }
    let lacks =
        [row.exts, row.base.row().exts].into_iter().find(|need| !isa.exts.intersects(*need));
    match lacks {
        None => Ok(()),
        Some(need) => {
            let names: Vec<&str> = need.iter().map(Ext::name).collect();
            Err(AsmError::Needs { name, needs: names.join(" or ") })
        }
    }
}

fn of_row(
    row: &'static Row,
    aux: i64,
    given: &str,
    pc: u64,
    isa: Isa,
    labels: &Labels,
) -> Result<u32, AsmError> {
    legal(row, isa)?;
    let mut values = operands(row, given, pc, labels)?;
    for (slot, default) in
        [(Slot::Aux, if row.args.contains("rm") { 7 } else { aux }), (Slot::Vm, 1)]
    {
        if has(row, slot) && values.iter().all(|v| v.slot != slot) {
            values.push(Value { slot, value: default, text: String::new() });
        }
    }
    let mut word = row.value;
    for v in &values {
        let fields = row.fields.iter().filter(|f| f.slot == v.slot);
        for f in fields {
            word = f.set(word, v.value).ok_or_else(|| range(row, v))?;
        }
    }
    // Operands that share bits must agree.
    let differs =
        |v: &&Value| row.fields.iter().any(|f| f.slot == v.slot && f.get(word) != v.value);
    if let Some(v) = values.iter().find(differs) {
        return Err(range(row, v));
    }
    // The word may be a more specific row's: `fence w, 0` is `pause`.
    match decode(word, isa.xlen, isa.exts) {
        Ok(_) => Ok(word),
        Err(_) => Err(AsmError::Reserved { text: format!("{} {given}", row.name) }),
    }
}

fn range(row: &Row, v: &Value) -> AsmError {
    let (name, operand) = (row.name.into(), row.args.into());
    AsmError::Range { name, operand, value: v.text.clone() }
}

/// The value of an operand.
struct Value {
    slot: Slot,
    value: i64,
    text: String,
}

/// The operands of the row's template.
fn operands(row: &Row, given: &str, pc: u64, labels: &Labels) -> Result<Vec<Value>, AsmError> {
    let mismatch = || AsmError::Operands {
        name: row.name.into(),
        takes: row.args.into(),
        given: given.into(),
    };
    let template: Vec<&str> = row.args.split(", ").filter(|p| !p.is_empty()).collect();
    // A vtype has commas, and is the last operand.
    let parts = given.splitn(template.len().max(1), ',').map(str::trim).filter(|p| !p.is_empty());
    let mut parts = parts.peekable();
    let mut values = Vec::new();
    for name in template {
        let Some(text) = parts.next() else {
            // A mask and a rounding mode may be left out.
            if matches!(name, "vm" | "rm") {
                continue;
            }
            return Err(mismatch());
        };
        let outer_and_inner = match name.split_once('(') {
            Some((outer, inner)) => {
                let (offset, base) = text.split_once('(').ok_or_else(mismatch)?;
                let base = base.strip_suffix(')').ok_or_else(mismatch)?;
                [(outer, offset.trim()), (inner.trim_end_matches(')'), base.trim())]
            }
            None => [(name, text), ("", "")],
        };
        for (name, text) in outer_and_inner {
            match (name, text) {
                ("", "") => {}
                // Compilers write `0(a0)` for `(a0)`, the address of an access that takes no offset.
                ("", "0") => {}
                ("", _) => return Err(mismatch()),
                ("imm" | "uimm", "") if row.args.contains('(') => {
                    values.push(Value { slot: Slot::Imm, value: 0, text: "0".into() })
                }
                _ => values.extend(value(name, text, pc, labels)?),
            }
        }
    }
    if parts.next().is_some() {
        return Err(mismatch());
    }
    Ok(merge(values))
}

/// The sets of a fence are parts of one operand.
fn merge(values: Vec<Value>) -> Vec<Value> {
    let (imm, mut others): (Vec<Value>, Vec<Value>) =
        values.into_iter().partition(|v| v.slot == Slot::Imm);
    let joined = imm.into_iter().reduce(|a, b| Value {
        slot: Slot::Imm,
        value: a.value | b.value,
        text: format!("{}, {}", a.text, b.text),
    });
    others.extend(joined);
    others
}

/// The value of the operand of this name; `None` if it is fixed.
fn value(name: &str, text: &str, pc: u64, labels: &Labels) -> Result<Option<Value>, AsmError> {
    let (slot, value) = match name {
        "rd" => (Slot::Rd, operand::x(text)?),
        "rs1" => (Slot::Rs1, operand::x(text)?),
        "rs2" => (Slot::Rs2, operand::x(text)?),
        "rs3" => (Slot::Rs3, operand::x(text)?),
        "fd" => (Slot::Rd, operand::f(text)?),
        "fs1" => (Slot::Rs1, operand::f(text)?),
        "fs2" => (Slot::Rs2, operand::f(text)?),
        "fs3" => (Slot::Rs3, operand::f(text)?),
        "vd" => (Slot::Rd, operand::v(text)?),
        "vs1" => (Slot::Rs1, operand::v(text)?),
        "vs2" => (Slot::Rs2, operand::v(text)?),
        "vs3" => (Slot::Rs3, operand::v(text)?),
        "zimm" => (Slot::Rs1, operand::number(text)?),
        "imm" | "uimm" => (Slot::Imm, operand::number(text)?),
        // Sign-extended from bit 31, as the hart does.
        "imm20" => (Slot::Imm, upper(text)?),
        "target" => (Slot::Imm, labels.address(text, pc)?.wrapping_sub(pc) as i64),
        "csr" => (Slot::Imm, operand::csr(text)?),
        "vtype" => (Slot::Imm, operand::vtype(text)?),
        "rm" => (Slot::Aux, operand::rounding(text)?),
        "pred" => (Slot::Imm, operand::fence_set(text)? << 4),
        "succ" => (Slot::Imm, operand::fence_set(text)?),
        "vm" if text == "v0.t" => (Slot::Vm, 0),
        fixed if fixed == text || fixed == "sp" && operand::x(text) == Ok(2) => return Ok(None),
        "vm" => return Err(AsmError::Operand { operand: text.into(), expected: "v0.t".into() }),
        fixed => return Err(AsmError::Operand { operand: text.into(), expected: fixed.into() }),
    };
    Ok(Some(Value { slot, value, text: text.into() }))
}

/// The upper 20 bits of a word, as `lui` takes them.
fn upper(text: &str) -> Result<i64, AsmError> {
    match operand::number(text)? {
        n @ -0x8_0000..=0xf_ffff => Ok(i64::from((n as i32) << 12)),
        _ => {
            Err(AsmError::Operand { operand: text.into(), expected: "a number of 20 bits".into() })
        }
    }
}
