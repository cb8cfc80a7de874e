//! Disassembler: fills a row's operand template.

use crate::csr::csr_name;
use crate::decode::Decoded;
use crate::row::Slot;
use capvec_text::abi;
use std::fmt::Write;

fn f_name(r: u8) -> String {
    abi::F.get(r as usize).map_or_else(|| format!("f{r}"), |s| s.to_string())
}

fn x_name(r: u8) -> String {
    abi::X.get(r as usize).map_or_else(|| format!("x{r}"), |s| s.to_string())
}

/// A vset's vtype operand as text: SEW, LMUL and policies, or the number if it is reserved.
pub fn vtype_name(v: i64) -> String {
    let sew = v >> 3 & 7;
    let lmul = ["m1", "m2", "m4", "m8", "", "mf8", "mf4", "mf2"][(v & 7) as usize];
    if v >> 8 != 0 || sew > 3 || lmul.is_empty() {
        return format!("{v:#x}");
    }
    let policy =
        |bit: i64, name: &str| format!("{name}{}", if v >> bit & 1 != 0 { 'a' } else { 'u' });
    format!("e{}, {lmul}, {}, {}", 8 << sew, policy(6, "t"), policy(7, "m"))
}

fn fence_set(v: i64) -> String {
    let names = [(8, 'i'), (4, 'o'), (2, 'r'), (1, 'w')];
    let s: String = names.iter().filter(|(bit, _)| v & bit != 0).map(|(_, c)| *c).collect();
    if s.is_empty() { "0".into() } else { s }
}

/// One operand of the template, as text.
fn operand(d: &Decoded, name: &str, pc: u64) -> String {
    let rm = ["rne", "rtz", "rdn", "rup", "rmm", "rm5", "rm6", ""];
    match name {
        "rd" => x_name(d.rd),
        "rs1" => x_name(d.rs1),
        "rs2" => x_name(d.rs2),
        "rs3" => x_name(d.rs3),
        "fd" => f_name(d.rd),
        "fs1" => f_name(d.rs1),
        "fs2" => f_name(d.rs2),
        "fs3" => f_name(d.rs3),
        "vd" => format!("v{}", d.rd),
        "vs1" => format!("v{}", d.rs1),
        "vs2" => format!("v{}", d.rs2),
        "vs3" => format!("v{}", d.rs3),
        "v0" | "sp" => name.to_string(),
        "zimm" => d.rs1.to_string(),
        "imm" | "uimm" => d.imm.to_string(),
        "imm20" => format!("{:#x}", d.imm as u64 >> 12 & 0xfffff),
        "target" => format!("{:#x}", pc.wrapping_add_signed(d.imm)),
        "csr" => csr_name(d.imm as u16).into_owned(),
        "vtype" => vtype_name(d.imm),
        // binutils omits the dynamic rounding mode, too.
        "rm" if d.aux == 7 => String::new(),
        "rm" => rm[d.aux as usize & 7].to_string(),
        "pred" => fence_set(d.imm >> 4 & 15),
        "succ" => fence_set(d.imm & 15),
        "vm" => {
            if d.vm {
                String::new()
            } else {
                "v0.t".into()
            }
        }
        other => other.to_string(),
    }
}

/// The mnemonic with segments and ordering: `vlseg2e32.v`, `amoadd.w.aq`.
fn mnemonic(d: &Decoded) -> String {
    let row = d.op.row();
    let has = |slot| row.fields.iter().any(|f| f.slot == slot);
    let name = row.name;
    if !has(Slot::Aux) || d.aux == 0 || row.args.contains("rm") {
        return name.to_string();
    }
    if name.starts_with('v') {
        let at = name.find("e").unwrap_or(name.len());
        return format!("{}seg{}{}", &name[..at], d.aux + 1, &name[at..]);
    }
    let order = ["", ".rl", ".aq", ".aqrl"][d.aux as usize & 3];
    format!("{name}{order}")
}

/// Assembly text of `d` at address `pc`.
pub fn disassemble(d: &Decoded, pc: u64) -> String {
    let mut s = mnemonic(d);
    let args = d.op.row().args;
    let mut out = String::new();
    for part in args.split(", ").filter(|p| !p.is_empty()) {
        let (outer, inner) = match part.split_once('(') {
            Some((o, i)) => (o, Some(i.trim_end_matches(')'))),
            None => (part, None),
        };
        let mut text = if outer.is_empty() { String::new() } else { operand(d, outer, pc) };
        if let Some(inner) = inner {
            let _ = write!(text, "({})", operand(d, inner, pc));
        }
        if text.is_empty() {
            continue;
        }
        out += if out.is_empty() { " " } else { ", " };
        out += &text;
    }
    s += &out;
    s
}

/// Assembly text of the word at address `pc` with all extensions enabled; `None` if it is not an instruction.
pub fn disassemble_word(word: u32, xlen: u8, pc: u64) -> Option<String> {
    let all = crate::ext::Ext::all().collect();
    crate::decode::decode(word, xlen, all).ok().map(|d| disassemble(&d, pc))
}
