//! Writes the decoder of the vector crypto unit in SystemVerilog (`rtl/zvku`).
//!
//! Names are qualified and vectors are flat: the yosys of Debian 12 supports neither `import` nor packed arrays.

use crate::model::{Insn, Table};
use anyhow::Result;
use capvec_encoding::Encoding;
use std::fmt::Write;

/// Files of `isa/` whose instructions the unit executes.
const MODULES: [&str; 11] = [
    "zvbb",
    "zvbc",
    "zvkg",
    "zvkned",
    "zvknh",
    "zvksed",
    "zvksh",
    "zvknhk0p1",
    "zvknhk0p2",
    "xcapvecmulq0p1",
    "zvknf0p2022",
];
/// The extensions of these files, in the order of their bits.
const EXTS: [&str; 13] = [
    "zvbb",
    "zvkb",
    "zvbc",
    "zvkg",
    "zvkned",
    "zvknha",
    "zvknhb",
    "zvksed",
    "zvksh",
    "zvknhk0p1",
    "zvknhk0p2",
    "xcapvecmulq0p1",
    "zvknf0p2022",
];

pub const HEAD: &str =
    "// Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.\n\n";

/// Path below the repository's root and contents of every file.
pub fn files(t: &Table) -> Result<Vec<(String, String)>> {
    let rows = rows(t);
    Ok(vec![
        ("rtl/zvku/zvku_op_pkg.sv".into(), package(&rows)?),
        ("rtl/zvku/zvku_op_table.sv".into(), table(&rows)?),
    ])
}

/// An instruction, and the extensions that have it with this encoding: drafts of one extension share instructions.
struct Row<'a> {
    insn: &'a Insn,
    exts: Vec<&'a str>,
}

fn rows(t: &Table) -> Vec<Row<'_>> {
    let mut rows: Vec<Row> = Vec::new();
    for insn in t.insns.iter().filter(|i| MODULES.contains(&i.module.as_str())) {
        let exts = insn.exts.iter().map(String::as_str);
        match rows
            .iter_mut()
            .find(|r| (&r.insn.name, r.insn.encoding.value) == (&insn.name, insn.encoding.value))
        {
            Some(row) => row.exts.extend(exts),
            None => rows.push(Row { insn, exts: exts.collect() }),
        }
    }
    rows
}

/// `vaesdf.vv` → `VAESDF_VV`.
pub fn constant(name: &str) -> String {
    name.replace('.', "_").to_uppercase()
}

fn package(rows: &[Row]) -> Result<String> {
    let mut s = HEAD.to_string();
    s += "// The unit's instructions, and the extensions that make them legal.\npackage zvku_op_pkg;\n";
    s += "  typedef enum logic [5:0] {\n    NONE = 6'd0";
    for (n, i) in rows.iter().enumerate() {
        write!(s, ",\n    {} = 6'd{}", constant(&i.insn.name), n + 1)?;
    }
    s += "\n  } op_e;\n\n  // Bits of a set of extensions.\n";
    for (n, e) in EXTS.iter().enumerate() {
        writeln!(s, "  parameter int unsigned {} = {n};", constant(e))?;
    }
    writeln!(s, "  parameter int unsigned EXT_COUNT = {};\nendpackage", EXTS.len())?;
    Ok(s)
}

fn table(rows: &[Row]) -> Result<String> {
    let mut s = HEAD.to_string();
    s += "// The instruction that a word encodes, the extensions any of which makes it legal, and its\n";
    s += "// operands.\n";
    s += "module zvku_op_table (\n  input  logic [31:0] insn_i,\n";
    s += "  output zvku_op_pkg::op_e op_o,\n";
    s += "  output logic [zvku_op_pkg::EXT_COUNT-1:0] exts_o,\n";
    s += "  output logic has_vs1_o,  // a vector register\n";
    s += "  output logic has_rs1_o,  // an integer register\n";
    s += "  output logic has_imm_o,  // an immediate\n";
    s += "  output logic has_vm_o    // may be masked\n);\n";
    s += "  always_comb begin\n    {has_vs1_o, has_rs1_o, has_imm_o, has_vm_o} = 4'b0;\n";
    s += "    op_o = zvku_op_pkg::NONE;\n    exts_o = '0;\n    unique casez (insn_i)\n";
    for i in rows {
        row(&mut s, i)?;
    }
    s += "      default: ;\n    endcase\n  end\nendmodule\n";
    Ok(s)
}

fn row(s: &mut String, Row { insn: i, exts }: &Row) -> Result<()> {
    let has = |operand: &str| u8::from(i.args.split(", ").any(|a| a == operand));
    let exts: String =
        EXTS.iter().rev().map(|e| if exts.contains(e) { '1' } else { '0' }).collect();
    writeln!(
        s,
        "      {}: begin  // {}\n        op_o = zvku_op_pkg::{};\n        exts_o = {}'b{exts};\n        \
         {{has_vs1_o, has_rs1_o, has_imm_o, has_vm_o}} = 4'b{}{}{}{};\n      end",
        pattern(&i.encoding, &FIELDS_32),
        i.name,
        constant(&i.name),
        EXTS.len(),
        has("vs1"),
        has("rs1"),
        has("uimm"),
        has("vm"),
    )
    .map_err(Into::into)
}

/// The lowest bits of the fields of 32-bit instructions, as the manual draws them.
pub const FIELDS_32: [u8; 6] = [26, 25, 20, 15, 12, 7];

/// The encoding as a pattern of `casez`, with an underscore after each of these bits.
pub fn pattern(e: &Encoding, fields: &[u8]) -> String {
    let bits = e.len * 8;
    let mut s = format!("{bits}'b");
    for bit in (0..bits).rev() {
        let fixed = e.mask >> bit & 1 != 0;
        s.push(match (fixed, e.value >> bit & 1) {
            (false, _) => '?',
            (true, 0) => '0',
            (true, _) => '1',
        });
        if fields.contains(&bit) {
            s.push('_');
        }
    }
    s
}
