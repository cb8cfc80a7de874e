//! From the tables of a file to rows of the instruction table and compiled semantics.

use crate::Extension;
use crate::check;
use crate::faults::Faults;
use crate::file::{File, Insn};
use crate::operand::{Operand, Port};
use crate::scalar::Scalar;
use crate::variant::Variant;
use crate::vector::Vector;
use capvec_isa::custom::{Model, NewExtension, NewInsn};
use capvec_isa::{Class, Ext, ExtSet};
use capvec_semantics::{Errors, Port as Typed, Program, Source, Type, compile};
use capvec_sim::Semantics;
use capvec_text::near;
use std::ops::Range;

/// Most instructions of a file.
const MOST: usize = 32;

/// Checks everything and compiles the semantics.
pub fn extension(file: &str, text: &str, parsed: &File) -> Result<Extension, Errors> {
    let mut faults = Faults::default();
    let name = parsed.ext.as_ref();
    if !check::is_word(name, "") || !name.starts_with('x') || name.len() < 2 {
        let remedy = "write lower-case letters and digits after an x, such as xrotate";
        faults.at(&parsed.ext, format!("{name:?} is not the name of a custom extension"), remedy);
    } else if Ext::from_name(name).is_some_and(|e| !e.is_custom()) {
        faults.at(
            &parsed.ext,
            format!("there is an extension {name} already"),
            "choose another name",
        );
    } else if name.ends_with(|c: char| c.is_ascii_digit()) && !has_version(name) {
        let remedy = "end the name in a letter, or in a version such as 0p1";
        faults.at(
            &parsed.ext,
            format!("{name}: ISA strings take the digits for a version"),
            remedy,
        );
    }
    let mut implies = Vec::new();
    for other in &parsed.implies {
        match Ext::from_name(other.as_ref()) {
            Some(e) => implies.push(e),
            None => {
                let hint = near::hint(other.as_ref(), Ext::all().map(Ext::name));
                faults.at(
                    other,
                    format!("there is no extension {}{hint}", other.as_ref()),
                    "`capvec isa` lists them",
                );
            }
        }
    }
    let table = parsed.insn.as_ref();
    if table.is_empty() || table.len() > MOST {
        faults.at(
            &parsed.insn,
            format!("{} instructions", table.len()),
            format!("define 1 to {MOST}"),
        );
    }
    let (mut insns, mut semantics) = (Vec::new(), Vec::new());
    let mut programs = Errors(Vec::new());
    for (n, insn) in table.iter().enumerate().take(MOST) {
        check::mnemonic(insn, &table[..n], &mut faults);
        let place = Place { file, text };
        match instruction(&place, insn, &mut faults) {
            Ok(Some((row, run))) => {
                if let Some(other) = insns.iter().find(|i| share_an_encoding(i, &row)) {
                    let what = format!("{} and {} have a common encoding", row.name, other.name);
                    faults.at(&insn.enc, what, "choose another opcode, funct3 or funct7");
                }
                insns.push(row);
                semantics.push(run);
            }
            Ok(None) => {}
            Err(errors) => programs.0.extend(errors.0),
        }
    }
    let checked = faults.into_result(file, text);
    if checked.is_err() || !programs.0.is_empty() {
        let mut all = checked.err().map_or(Vec::new(), |e| e.0);
        all.extend(programs.0);
        return Err(Errors(all));
    }
    // Vector instructions need vectors.
    if insns.iter().any(|i| i.class.is_vector())
        && !implies.iter().copied().collect::<ExtSet>().closed().has(Ext::Zve32x)
    {
        implies.push(Ext::Zve32x);
    }
    let rows = NewExtension {
        name: name.clone(),
        title: parsed.title.clone().unwrap_or_else(|| format!("Custom instructions of {file}")),
        implies,
        source: parsed.source.clone().unwrap_or_else(|| file.into()),
        insns,
    };
    Ok(Extension { rows, semantics })
}

fn share_an_encoding(a: &NewInsn, b: &NewInsn) -> bool {
    let xlen = a.xlen == b.xlen || a.xlen == 0 || b.xlen == 0;
    xlen && (a.value ^ b.value) & a.mask & b.mask == 0
}

/// Whether a name ends in a version: `xvmulq0p1`.
fn has_version(name: &str) -> bool {
    let digits = |s: &str| s.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let minor = &name[..digits(name)];
    let Some(major) = minor.strip_suffix('p') else { return false };
    digits(major) < major.len()
}

struct Place<'a> {
    file: &'a str,
    text: &'a str,
}

/// The row and the semantics; `None` if the table of the instruction is faulty.
fn instruction(
    place: &Place<'_>,
    insn: &Insn,
    faults: &mut Faults,
) -> Result<Option<(NewInsn, Semantics)>, Errors> {
    let before = faults.count();
    let Some((encoding, fields)) = check::encoding(insn, faults) else { return Ok(None) };
    let Some(operands) = check::operands(insn, &fields, faults) else { return Ok(None) };
    let vector = operands.iter().any(|(_, o)| matches!(o, Operand::V(_)));
    let ports = check::ports(insn, &operands, faults);
    let class = check::class(insn, vector, faults).unwrap_or(Class::Alu);
    let cost = check::cost(insn, vector, faults);
    if !check::mask_is_bit_25(&fields) {
        faults.at(&insn.enc, "vm is not bit 25", "put vm where all vector instructions have it");
    }
    let usual: &[u32] = if vector { &[32, 64] } else { &[64] };
    let xlens = check::widths(insn.xlen.as_ref(), &[32, 64], usual, faults);
    let sews = check::widths(insn.sew.as_ref(), &[8, 16, 32, 64], &[8, 16, 32, 64], faults);
    if let Some(sew) = insn.sew.as_ref().filter(|_| !vector) {
        faults.at(sew, "an instruction on x registers has no SEW", "leave out sew");
    }
    let egs = check::group(insn, vector, &sews, faults);
    if faults.count() > before {
        return Ok(None);
    }
    let semantics: Semantics = if vector {
        let program =
            |sew: u32| sews.contains(&sew).then(|| vector_program(place, insn, &ports, sew, egs));
        let variants = [8, 16, 32, 64].map(program);
        let mut all = Vec::new();
        for variant in variants {
            all.push(variant.transpose()?.map(Variant::new));
        }
        let Ok(variants) = all.try_into() else { unreachable!("four of four") };
        let v = Vector { ports: ports.clone(), egs: u64::from(egs), variants };
        Box::new(move |h, i| v.execute(h, i))
    } else {
        let program = |xlen: u32| {
            let compiled = xlens.contains(&xlen).then(|| scalar_program(place, insn, &ports, xlen));
            Ok(compiled.transpose()?.map(Variant::new))
        };
        let s = Scalar { rv64: program(64)?, rv32: program(32)?, ports: ports.clone() };
        Box::new(move |h, i| s.execute(h, i))
    };
    let inout = ports.iter().filter(|p| p.is_read() && p.is_written()).map(|p| p.operand.slot());
    let row = NewInsn {
        name: insn.name.as_ref().clone(),
        mask: encoding.mask,
        value: encoding.value,
        xlen: match xlens[..] {
            [one] => one as u8,
            _ => 0,
        },
        class,
        args: operands.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>().join(", "),
        fields,
        model: Model { inout: inout.collect(), group: (egs > 1).then_some(egs), cost },
    };
    Ok(Some((row, semantics)))
}

fn scalar_program(
    place: &Place<'_>,
    insn: &Insn,
    ports: &[Port],
    xlen: u32,
) -> Result<Program, Errors> {
    let ports: Vec<Typed> = ports.iter().map(|p| typed(p, Type::bits(xlen))).collect();
    program(place, insn, &ports, &[("XLEN", u128::from(xlen))], &format!("XLEN {xlen}"))
}

fn vector_program(
    place: &Place<'_>,
    insn: &Insn,
    ports: &[Port],
    sew: u32,
    egs: u32,
) -> Result<Program, Errors> {
    let ty = |p: &Port| match p.operand {
        Operand::V(_) if egs > 1 => Type::array(sew, egs),
        _ => Type::bits(sew),
    };
    let ports: Vec<Typed> = ports.iter().map(|p| typed(p, ty(p))).collect();
    program(place, insn, &ports, &[("SEW", u128::from(sew))], &format!("SEW {sew}"))
}

fn typed(port: &Port, ty: Type) -> Typed {
    Typed { name: port.name.clone(), ty, direction: port.direction }
}

/// Compiles the semantics where they stand in the file: everything before them is blanked out, so that lines and columns
/// are those of the file.
fn program(
    place: &Place<'_>,
    insn: &Insn,
    ports: &[Typed],
    params: &[(&str, u128)],
    variant: &str,
) -> Result<Program, Errors> {
    let value = insn.semantics.as_ref();
    let Range { start, end } = insn.semantics.span();
    let raw = place.text.get(start..end).unwrap_or_default();
    // A string with escapes differs from its text: only its line is known.
    let (line, text) = match raw.find(value.as_str()) {
        Some(at) => {
            let blank = |c: char| if c == '\n' { c } else { ' ' };
            let before: String = place.text[..start + at].chars().map(blank).collect();
            (1, before + value)
        }
        None => (1 + place.text[..start].matches('\n').count(), value.clone()),
    };
    compile(&Source { file: place.file, line, text: &text }, ports, params).map_err(|mut errors| {
        for error in &mut errors.0 {
            error.what = format!("{} ({}, {variant})", error.what, insn.name.as_ref());
        }
        errors
    })
}
