//! Writes the decoder of the core around the unit in SystemVerilog (`rtl/core`): the identification of instructions,
//! and the expansion of compressed ones.

use crate::model::{Insn, Table};
use crate::rtl::{HEAD, constant, pattern};
use anyhow::{Context, Result, bail};
use capvec_encoding::{Encoding, Field, Piece};
use std::fmt::Write;

/// Files of `isa/` whose instructions the core implements completely.
const MODULES: [&str; 5] = ["i", "m", "zicsr", "machine", "v_config"];
/// Vector instructions of the core, by their names up to the first dot. It has loads and stores without segments only,
/// which the table does not distinguish.
const VECTOR: [&str; 23] = [
    "vadd",
    "vsub",
    "vrsub",
    "vminu",
    "vmin",
    "vmaxu",
    "vmax",
    "vand",
    "vor",
    "vxor",
    "vsll",
    "vsrl",
    "vsra",
    "vmerge",
    "vmv",
    "vid",
    "viota",
    "vslideup",
    "vslidedown",
    "vslide1up",
    "vslide1down",
    "vrgather",
    "vrgatherei16",
];
/// Positions of underscores in a compressed instruction: the manual's fields.
const FIELDS_16: [u8; 4] = [13, 12, 7, 2];

/// Path below the repository's root, and text, of every file.
pub fn files(t: &Table) -> Result<Vec<(String, String)>> {
    let has = |i: &&Insn| i.xlen != 32 && i.base.is_none() && has(i);
    let rows: Vec<&Insn> = t.insns.iter().filter(has).collect();
    Ok(vec![
        ("rtl/core/zvcore_op_pkg.sv".into(), package(&rows)?),
        ("rtl/core/zvcore_op_table.sv".into(), table(&rows)?),
        ("rtl/core/zvcore_expand.sv".into(), expander(t)?),
    ])
}

fn has(i: &Insn) -> bool {
    let stem = i.name.split('.').next().unwrap_or_default();
    match i.module.as_str() {
        "v_mem" => !i.name.contains("ff"),
        "v_int" | "v_mask" => VECTOR.contains(&stem),
        "v_cmp" => stem.starts_with("vms") && stem != "vmsbc",
        // vmv1r and its like, too.
        "v_perm" => VECTOR.contains(&stem) || i.class.as_deref() == Some("vmove"),
        module => MODULES.contains(&module),
    }
}

fn class(i: &Insn) -> String {
    constant(i.class.as_deref().unwrap_or_default()).replace('-', "_")
}

/// The position of an immediate, by the manual's names of formats ("Immediate Encoding Variants"); shift amounts and
/// the operands of vset have none there.
fn format(e: &Encoding) -> Result<&'static str> {
    let Some(f) = e.fields.iter().find(|f| f.slot == "Imm") else { return Ok("NO_IMM") };
    let pieces: Vec<_> = f.pieces.iter().map(|p| (p.at, p.width, p.to)).collect();
    Ok(match (pieces.as_slice(), f.signed) {
        ([(20, 12, 0)], _) => "IMM_I",
        ([(25, 7, 5), (7, 5, 0)], true) => "IMM_S",
        ([(12, 20, 12)], true) => "IMM_U",
        ([(31, 1, 12), (25, 6, 5), (8, 4, 1), (7, 1, 11)], true) => "IMM_B",
        ([(31, 1, 20), (21, 10, 1), (20, 1, 11), (12, 8, 12)], true) => "IMM_J",
        ([(20, 5 | 6, 0)], false) => "IMM_SHIFT",
        ([(20, 10 | 11, 0)], false) => "IMM_VTYPE",
        ([(15, 5, 0)], true) => "IMM_V",
        ([(15, 5, 0)], false) => "IMM_VU",
        // fence: its sets are ignored.
        _ if f.pieces.iter().all(|p| p.at >= 20) => "NO_IMM",
        other => bail!("no format has an immediate at {other:?}"),
    })
}

const FORMATS: [&str; 10] = [
    "NO_IMM",
    "IMM_I",
    "IMM_S",
    "IMM_B",
    "IMM_U",
    "IMM_J",
    "IMM_SHIFT",
    "IMM_VTYPE",
    "IMM_V",
    "IMM_VU",
];

fn package(rows: &[&Insn]) -> Result<String> {
    let mut s = HEAD.to_string();
    s += "// The core's instructions except those of zvku, their latency classes and immediate formats.\n";
    s += "package zvcore_op_pkg;\n";
    let ops: Vec<String> = rows.iter().map(|i| constant(&i.name)).collect();
    enumeration(&mut s, "op_e", "NONE", &ops)?;
    let mut classes: Vec<String> = rows.iter().map(|i| format!("CLASS_{}", class(i))).collect();
    classes.sort();
    classes.dedup();
    enumeration(&mut s, "class_e", "NO_CLASS", &classes)?;
    enumeration(&mut s, "imm_e", FORMATS[0], &FORMATS[1..].map_owned())?;
    s += "endpackage\n";
    Ok(s)
}

trait Owned {
    fn map_owned(&self) -> Vec<String>;
}

impl Owned for [&str] {
    fn map_owned(&self) -> Vec<String> {
        self.iter().map(|s| s.to_string()).collect()
    }
}

fn enumeration(s: &mut String, name: &str, none: &str, values: &[String]) -> Result<()> {
    let width = usize::BITS - values.len().leading_zeros();
    write!(s, "  typedef enum logic [{}:0] {{\n    {none} = {width}'d0", width - 1)?;
    for (n, v) in values.iter().enumerate() {
        write!(s, ",\n    {v} = {width}'d{}", n + 1)?;
    }
    writeln!(s, "\n  }} {name};\n")?;
    Ok(())
}

fn table(rows: &[&Insn]) -> Result<String> {
    let mut s = HEAD.to_string();
    s += "// The instruction that a word encodes, its class, its immediate, and its operands.\n";
    s += "module zvcore_op_table (\n  input  logic [31:0] insn_i,\n";
    s += "  output zvcore_op_pkg::op_e    op_o,\n";
    s += "  output zvcore_op_pkg::class_e class_o,\n";
    s += "  output zvcore_op_pkg::imm_e   imm_o,\n";
    s += "  output logic has_rd_o,  // writes an x register\n";
    s += "  output logic has_vs2_o,\n  output logic has_vs1_o\n);\n  always_comb begin\n";
    s += "    op_o = zvcore_op_pkg::NONE;\n    class_o = zvcore_op_pkg::NO_CLASS;\n";
    s += "    imm_o = zvcore_op_pkg::NO_IMM;\n    {has_rd_o, has_vs2_o, has_vs1_o} = '0;\n    unique casez (insn_i)\n";
    for i in rows {
        let format = format(&i.encoding).with_context(|| i.name.clone())?;
        writeln!(
            s,
            "      {}: begin  // {}\n        op_o = zvcore_op_pkg::{};\n        class_o = \
             zvcore_op_pkg::CLASS_{};\n        imm_o = zvcore_op_pkg::{format};\n        \
             {{has_rd_o, has_vs2_o, has_vs1_o}} = 3'b{}{}{};\n      end",
            pattern(&i.encoding, &crate::rtl::FIELDS_32),
            i.name,
            constant(&i.name),
            class(i),
            u8::from(i.args.starts_with("rd")),
            u8::from(i.args.contains("vs2")),
            u8::from(i.args.contains("vs1")),
        )?;
    }
    s += "      default: ;\n    endcase\n  end\nendmodule\n";
    Ok(s)
}

fn expander(t: &Table) -> Result<String> {
    let mut rows: Vec<(&Insn, &Insn)> = t
        .insns
        .iter()
        .filter(|i| i.module == "c" && i.xlen != 32)
        .map(|i| (i, t.base(i)))
        .filter(|(_, base)| MODULES.contains(&base.module.as_str()))
        .collect();
    // If two match, the more specific one applies.
    rows.sort_by_key(|(i, _)| std::cmp::Reverse(i.encoding.mask.count_ones()));
    let mut s = HEAD.to_string();
    s += "// The expansion of a compressed instruction.\nmodule zvcore_expand (\n";
    s += "  input  logic [15:0] insn_i,\n  output logic [31:0] insn_o,\n";
    s += "  output logic        illegal_o  // no instruction, or one that is reserved\n);\n";
    s += "  always_comb begin\n    insn_o = '0;\n    illegal_o = 1'b0;\n    priority casez (insn_i)\n";
    for (i, base) in rows {
        let fields = &i.encoding.fields;
        writeln!(
            s,
            "      {}: begin  // {}\n{}",
            pattern(&i.encoding, &FIELDS_16),
            i.name,
            wrapped(&expanded(&i.encoding, &base.encoding))
        )?;
        for f in fields.iter().filter(|f| f.nonzero) {
            let bits: Vec<_> = f.pieces.iter().map(|p| slice(p.at + p.width - 1, p.at)).collect();
            writeln!(s, "        illegal_o = {{{}}} == '0;", bits.join(", "))?;
        }
        s += "      end\n";
    }
    s += "      default: illegal_o = 1'b1;\n    endcase\n  end\nendmodule\n";
    Ok(s)
}

/// The assignment of a concatenation to `insn_o`, in lines of at most 100 columns.
fn wrapped(parts: &[String]) -> String {
    let mut line = "        insn_o = {".to_string();
    let mut s = String::new();
    for (n, part) in parts.iter().enumerate() {
        let end = if n + 1 < parts.len() { "," } else { "};" };
        if line.len() + part.len() + end.len() > 100 {
            s += line.trim_end();
            s += "\n";
            line = " ".repeat(12);
        }
        line += &format!("{part}{end} ");
    }
    s + line.trim_end()
}

fn slice(high: u8, low: u8) -> String {
    if high == low { format!("insn_i[{high}]") } else { format!("insn_i[{high}:{low}]") }
}

/// A bit of the word to which a compressed instruction expands.
#[derive(Clone, Copy, PartialEq)]
enum Bit {
    Constant(bool),
    Of(u8),
}

/// The parts of the concatenation that builds the base instruction's word.
fn expanded(c: &Encoding, base: &Encoding) -> Vec<String> {
    let bits: Vec<Bit> = (0..32).rev().map(|at| bit(c, base, at)).collect();
    let mut parts: Vec<String> = Vec::new();
    let mut n = 0;
    while n < bits.len() {
        let run =
            |next: &dyn Fn(usize) -> bool| (n + 1..bits.len()).take_while(|k| next(*k)).count();
        let len = 1 + match bits[n] {
            Bit::Constant(_) => run(&|k| matches!(bits[k], Bit::Constant(_))),
            Bit::Of(b) if bits.get(n + 1) == Some(&Bit::Of(b)) => run(&|k| bits[k] == Bit::Of(b)),
            Bit::Of(b) => run(&|k| bits[k] == Bit::Of(b.wrapping_sub((k - n) as u8))),
        };
        parts.push(match bits[n] {
            Bit::Constant(_) => {
                let digits: String = bits[n..n + len]
                    .iter()
                    .map(|b| if *b == Bit::Constant(true) { '1' } else { '0' })
                    .collect();
                format!("{len}'b{digits}")
            }
            Bit::Of(b) if len > 1 && bits[n + 1] == Bit::Of(b) => {
                format!("{{{len}{{insn_i[{b}]}}}}")
            }
            Bit::Of(b) => slice(b, b + 1 - len as u8),
        });
        n += len;
    }
    parts
}

/// Bit `at` of the base instruction's word.
fn bit(c: &Encoding, base: &Encoding, at: u8) -> Bit {
    if base.mask >> at & 1 != 0 {
        return Bit::Constant(base.value >> at & 1 != 0);
    }
    let within = |p: &&Piece| (p.at..p.at + p.width).contains(&at);
    for f in &base.fields {
        if let Some(p) = f.pieces.iter().find(within) {
            return operand(c, f.slot, at - p.at + p.to);
        }
    }
    Bit::Constant(false)
}

/// Bit `n` of an operand's value in a compressed instruction.
fn operand(c: &Encoding, slot: &str, n: u8) -> Bit {
    if let Some((_, value)) = c.consts.iter().find(|(s, _)| *s == slot) {
        return Bit::Constant(value >> n & 1 != 0);
    }
    let Some(f) = c.fields.iter().find(|f| f.slot == slot) else { return Bit::Constant(false) };
    let source = |n: u8| {
        let p = f.pieces.iter().find(|p| (p.to..p.to + p.width).contains(&n))?;
        Some(Bit::Of(p.at + n - p.to))
    };
    let top = |f: &Field| f.pieces.iter().map(|p| p.to + p.width - 1).max().unwrap_or(0);
    match source(n) {
        Some(bit) => bit,
        None if f.prime => Bit::Constant(n == 3),
        None if f.signed && n > top(f) => source(top(f)).unwrap_or(Bit::Constant(false)),
        None => Bit::Constant(false),
    }
}
