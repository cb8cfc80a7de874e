//! Writes the generated Rust files.

use crate::model::{Insn, Table};
use crate::{asm, caps, inline, rtl, rtl_core};
use anyhow::Result;
use capvec_encoding::{Encoding, Field};
use std::fmt::Write;

const HEAD: &str =
    "// Generated from isa/*.toml by capvec-isagen: `make generate`. Do not edit.\n\n";

/// How many custom extensions and instructions one process can have.
const CUSTOM_EXTS: usize = 8;
const CUSTOM_OPS: usize = 64;

/// Path below the repository's root and contents of every generated file.
pub fn files(t: &Table) -> Result<Vec<(String, String)>> {
    let mut all = vec![
        ("crates/isa/src/generated/ext.rs".into(), ext(t)?),
        ("crates/isa/src/generated/op.rs".into(), op(t)?),
        ("crates/isa/src/generated/rows.rs".into(), rows(t)?),
        ("crates/isa/src/generated/names.rs".into(), names(t)?),
        ("crates/sim/src/exec/generated.rs".into(), handlers(t)?),
        ("crypto/native/riscv64/insn_names.h".into(), asm::names()?),
        ("crypto/native/riscv32/insn.h".into(), inline::header(t)?),
        ("crypto/src/caps_table.h".into(), caps::table(t)?),
    ];
    all.extend(asm::files(t)?);
    all.extend(rtl::files(t)?);
    all.extend(rtl_core::files(t)?);
    Ok(all)
}

/// `vadd.vv` → `VaddVv`.
fn camel(name: &str) -> String {
    name.split(['.', '-'])
        .map(|p| {
            let mut c = p.chars();
            c.next().map(|f| f.to_ascii_uppercase().to_string() + c.as_str()).unwrap_or_default()
        })
        .collect()
}

fn ext(t: &Table) -> Result<String> {
    let mut s = HEAD.to_string();
    s += "/// An extension, in the canonical order of an ISA string.\n";
    s += "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[repr(u8)]\n";
    s += "pub enum Ext {\n";
    for e in &t.exts {
        writeln!(s, "    /// {}.\n    {},", e.title, camel(&e.name))?;
    }
    for n in 0..CUSTOM_EXTS {
        writeln!(s, "    /// A custom extension.\n    Custom{n},")?;
    }
    s += "}\n\nuse crate::ext_set::ExtInfo;\nuse Ext::*;\n\n";
    s += "/// What custom extensions are called until they are registered.\n#[rustfmt::skip]\n";
    let custom: Vec<String> = (0..CUSTOM_EXTS).map(|n| format!("Custom{n}")).collect();
    writeln!(s, "pub(crate) const CUSTOM: [Ext; {CUSTOM_EXTS}] = [{}];\n", custom.join(", "))?;
    writeln!(s, "#[rustfmt::skip]\npub(crate) static EXTS: [ExtInfo; {}] = [", t.exts.len())?;
    for e in &t.exts {
        let implies: Vec<_> = e.implies.iter().map(|i| camel(i)).collect();
        writeln!(
            s,
            "    ExtInfo {{ ext: {}, name: \"{}\", title: \"{}\", implies: &[{}], draft: {:?}, source: {:?} }},",
            camel(&e.name),
            e.name,
            e.title,
            implies.join(", "),
            e.draft,
            e.source
        )?;
    }
    s += "];\n";
    Ok(s)
}

fn list(exts: &[String]) -> String {
    exts.iter().map(|e| camel(e)).collect::<Vec<_>>().join(", ")
}

fn names(t: &Table) -> Result<String> {
    let mut s = HEAD.to_string();
    s += "use super::ext::Ext::{self, *};\nuse crate::ext_set::ExtSet;\n\n";
    let caps = &t.capabilities;
    s += "/// OPENSSL_riscvcap, by bit.\n#[rustfmt::skip]\n";
    writeln!(s, "pub(crate) static RISCVCAP: [Ext; {}] = [", caps.openssl_riscvcap.len())?;
    for e in &caps.openssl_riscvcap {
        writeln!(s, "    {},", camel(e))?;
    }
    s += "];\n\n/// Further extensions that libcapvec knows.\n#[rustfmt::skip]\n";
    writeln!(
        s,
        "pub(crate) static LIBCAPVEC: [Ext; {}] = [{}];",
        caps.libcapvec.len(),
        list(&caps.libcapvec)
    )?;
    s += "\n/// riscv_hwprobe, key IMA_EXT_0: bit, and what it needs.\n#[rustfmt::skip]\n";
    writeln!(s, "pub(crate) static HWPROBE: [(u8, ExtSet); {}] = [", caps.hwprobe.len())?;
    for b in &caps.hwprobe {
        writeln!(s, "    ({}, ExtSet::of(&[{}])),", b.bit, list(&b.needs))?;
    }
    s += "];\n\n/// Profiles, not closed.\n#[rustfmt::skip]\n";
    writeln!(s, "pub(crate) static PROFILES: [(&str, ExtSet); {}] = [", t.profiles.len())?;
    for p in &t.profiles {
        writeln!(s, "    (\"{}\", ExtSet::of(&[{}])),", p.name, list(&p.exts))?;
    }
    s += "];\n\n/// Ratified names that are not modelled: name, title, and what they imply, not closed.\n#[rustfmt::skip]\n";
    writeln!(s, "pub(crate) static RATIFIED: [(&str, &str, ExtSet); {}] = [", t.ratified.len())?;
    for e in &t.ratified {
        let implies = list(&e.implies);
        writeln!(s, "    (\"{}\", \"{}\", ExtSet::of(&[{implies}])),", e.name, e.title)?;
    }
    s += "];\n";
    Ok(s)
}

/// The instruction's name in Rust: `vadd.vv` → `VaddVv`; `Rev8Rv32` distinguishes the RV32 form from `Rev8`, and
/// `VkeccakViZvknhk0p1` the instruction of one draft from those of others.
fn op_name(t: &Table, i: &Insn) -> String {
    let rv32 = if t.is_twin(i) { "Rv32" } else { "" };
    camel(&i.name) + rv32 + &t.draft_of_several(i).map(camel).unwrap_or_default()
}

fn op(t: &Table) -> Result<String> {
    let mut s = HEAD.to_string();
    s += "/// An instruction: one per row of the table, compressed ones included.\n";
    s += "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[repr(u16)]\n";
    s += "pub enum Op {\n";
    for i in &t.insns {
        let only = match (t.is_twin(i), t.draft_of_several(i)) {
            (true, _) => " of RV32".to_string(),
            (_, Some(draft)) => format!(" of {draft}"),
            _ => String::new(),
        };
        writeln!(s, "    /// `{}`{only}\n    {},", i.name, op_name(t, i))?;
    }
    for n in 0..CUSTOM_OPS {
        writeln!(s, "    /// A custom instruction.\n    Custom{n},")?;
    }
    s += "}\n\n/// The numbers of custom instructions.\n#[rustfmt::skip]\n";
    writeln!(s, "pub(crate) const CUSTOM: [Op; {CUSTOM_OPS}] = [")?;
    for n in 0..CUSTOM_OPS {
        writeln!(s, "    Op::Custom{n},")?;
    }
    s += "];\n";
    Ok(s)
}

fn rows(t: &Table) -> Result<String> {
    let mut s = HEAD.to_string();
    s += "use super::ext::Ext::*;\nuse super::op::Op::{self, *};\n";
    s += "use crate::class::Class;\nuse crate::ext_set::ExtSet;\n";
    s += "use crate::row::{Dit, Field, Piece, Row, Slot, Taint};\n\n";
    s += "const fn p(at: u8, width: u8, to: u8) -> Piece {\n    Piece { at, width, to }\n}\n\n";
    writeln!(s, "#[rustfmt::skip]\npub(crate) static ROWS: [Row; {}] = [", t.insns.len())?;
    for i in &t.insns {
        row(&mut s, t, i)?;
    }
    s += "];\n\n/// Every instruction, in the table's order.\n#[rustfmt::skip]\n";
    writeln!(s, "pub static OPS: [Op; {}] = [", t.insns.len())?;
    for i in &t.insns {
        writeln!(s, "    {},", op_name(t, i))?;
    }
    s += "];\n";
    Ok(s)
}

fn row(s: &mut String, t: &Table, i: &Insn) -> Result<()> {
    let base = t.base(i);
    let e: &Encoding = &i.encoding;
    let fields: Vec<String> = e.fields.iter().map(field).collect();
    let consts: Vec<String> =
        e.consts.iter().map(|(slot, v)| format!("(Slot::{slot}, {v})")).collect();
    let exts: Vec<String> = i.exts.iter().map(|x| camel(x)).collect();
    let dit = match base.dit.as_deref() {
        None => "None",
        Some("zkt") => "Zkt",
        Some("zvkt") => "Zvkt",
        Some("always") => "Always",
        Some(other) => anyhow::bail!("{}: unknown value dit = \"{other}\"", i.name),
    };
    let class = base.class.as_deref().unwrap_or_default();
    let taint = camel(base.taint.as_deref().unwrap_or_default());
    writeln!(
        s,
        "    Row {{ op: {}, name: \"{}\", mask: {:#x}, value: {:#x}, len: {}, xlen: {}, exts: ExtSet::of(&[{}]), base: {}, class: Class::{}, dit: Dit::{}, taint: Taint::{}, args: \"{}\", source: {:?},\n          fields: &[{}], consts: &[{}] }},",
        op_name(t, i),
        i.name,
        e.mask,
        e.value,
        e.len,
        i.xlen.max(base.xlen),
        exts.join(", "),
        op_name(t, base),
        camel(class),
        dit,
        taint,
        i.args,
        i.source,
        fields.join(", "),
        consts.join(", "),
    )?;
    Ok(())
}

fn field(f: &Field) -> String {
    let pieces: Vec<String> =
        f.pieces.iter().map(|p| format!("p({}, {}, {})", p.at, p.width, p.to)).collect();
    format!(
        "Field {{ slot: Slot::{}, signed: {}, nonzero: {}, prime: {}, pieces: &[{}] }}",
        f.slot,
        f.signed,
        f.nonzero,
        f.prime,
        pieces.join(", ")
    )
}

/// Whether instructions of the class access memory. Only these need a second instance for observed runs.
fn accesses_memory(insn: &Insn) -> bool {
    let class = insn.class.as_deref().unwrap_or_default();
    let starts = |p: &str| class.starts_with(p);
    matches!(class, "load" | "store" | "amo" | "cache") || starts("vload") || starts("vstore")
}

fn handlers(t: &Table) -> Result<String> {
    let mut s = HEAD.to_string();
    s += "use super::*;\n\n/// The semantics of every instruction, indexed by `Op`.\n";
    s += "#[rustfmt::skip]\npub(crate) const fn handlers<M: Mode>() -> ";
    writeln!(s, "[Handler; {}] {{\n    [", t.insns.len() + CUSTOM_OPS)?;
    for i in &t.insns {
        let base = t.base(i);
        let f = base.name.replace(['.', '-'], "_");
        let mode = if accesses_memory(base) { "M" } else { "M::Plain" };
        writeln!(s, "        {}::{f}::<{mode}>,", base.module)?;
    }
    for _ in 0..CUSTOM_OPS {
        s += "        custom::run::<M>,\n";
    }
    s += "    ]\n}\n";
    Ok(s)
}
