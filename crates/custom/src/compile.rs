//! From the tables of a file to rows of the instruction table and compiled semantics.

use crate::Extension;
use crate::check;
use crate::faults::Faults;
use crate::file::{File, Insn};
use crate::operand::{Operand, Port, Width};
use crate::program::{Place, compiled};
use crate::scalar::{Form, Scalar};
use crate::variant::Variant;
use crate::vector::{Variants, Vector};
use capvec_isa::custom::{Model, NewExtension, NewInsn};
use capvec_isa::row::Slot;
use capvec_isa::{Class, Ext, ExtSet};
use capvec_language::Errors;
use capvec_sim::Semantics;

/// Maximum number of instructions of a file.
const MOST: usize = 32;

/// Checks everything and compiles the semantics.
pub fn extension(file: &str, text: &str, parsed: &File) -> Result<Extension, Errors> {
    let mut faults = Faults::default();
    check::extension_name(parsed, &mut faults);
    let mut implies = check::implied(parsed, &mut faults);
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
                check::overlaps(insn, &row, &insns, &mut faults);
                insns.push(row);
                semantics.push(run);
            }
            Ok(None) => {}
            Err(errors) => programs.0.extend(with_widths(&place, insn, errors).0),
        }
    }
    let warnings = match faults.into_result(file, text) {
        Ok(warnings) if programs.0.is_empty() => warnings,
        checked => {
            let mut all = checked.err().map_or(Vec::new(), |e| e.0);
            all.extend(programs.0);
            return Err(Errors(all));
        }
    };
    let needs = |ext| insns.iter().any(|i| needed(i).any(|e| e == ext));
    for ext in [Ext::Zve32x, Ext::F, Ext::D] {
        if needs(ext) && !implies.iter().copied().collect::<ExtSet>().closed().has(ext) {
            implies.push(ext);
        }
    }
    let rows = NewExtension {
        name: parsed.ext.as_ref().clone(),
        title: parsed.title.clone().unwrap_or_else(|| format!("Custom instructions of {file}")),
        implies,
        source: parsed.source.clone().unwrap_or_else(|| file.into()),
        insns,
    };
    Ok(Extension { rows, semantics, warnings })
}

/// What a hart needs for the operands of an instruction: vectors, and f registers of the width that it reads or writes.
fn needed(insn: &NewInsn) -> impl Iterator<Item = Ext> + use<> {
    let operands = insn.args.split(", ").filter_map(Operand::named);
    let vector = insn.class.is_vector().then_some(Ext::Zve32x);
    let float = operands.clone().any(|o| matches!(o, Operand::F(_)));
    let wide = insn.model.sew.contains(&64) || !insn.class.is_vector() && insn.model.flen == 64;
    let float = float.then_some(if wide { Ext::D } else { Ext::F });
    vector.into_iter().chain(float)
}

/// What the table of an instruction says, without its semantics.
struct Checked {
    ports: Vec<Port>,
    xlens: Vec<u32>,
    sews: Vec<u32>,
    egs: u32,
    /// The value of a result in an x or f register before the first element.
    start: u64,
    row: NewInsn,
}

impl Checked {
    fn vector(&self) -> bool {
        self.row.class.is_vector()
    }

    /// The port of a vector instruction that is its result in an x or f register.
    fn result(&self) -> Option<usize> {
        self.ports.iter().position(|p| p.operand.is_scalar_destination())
    }

    /// Whether the semantics of a vector instruction depend on XLEN, as addresses and results in x registers do.
    fn by_xlen(&self) -> bool {
        self.vector() && (check::is_memory(self.row.class) || self.result().is_some())
    }

    /// The extension that has the f registers that it names.
    fn float(&self) -> Option<Ext> {
        needed(&self.row).find(|e| *e != Ext::Zve32x)
    }
}

/// The row and the semantics; `None` if the table of the instruction is faulty.
fn instruction(
    place: &Place<'_>,
    insn: &Insn,
    faults: &mut Faults,
) -> Result<Option<(NewInsn, Semantics)>, Errors> {
    let Some(checked) = table(place, insn, faults) else { return Ok(None) };
    let memory = check::is_memory(checked.row.class);
    let mut accesses = false;
    let mut used = vec![false; checked.ports.len()];
    let mut program = |sew: Option<u32>, xlen: Option<u32>| {
        let program = compiled(place, insn, &checked.ports, checked.egs, [sew, xlen])?;
        accesses |= program.accesses_memory();
        used.iter_mut().enumerate().for_each(|(port, used)| *used |= program.uses(port));
        Ok(Variant::new(program))
    };
    let (ports, float) = (checked.ports.clone(), checked.float());
    let semantics: Semantics = if checked.vector() {
        let result = checked.result();
        let by_xlen = checked.by_xlen();
        let mut variants = |xlen: Option<u32>| -> Result<Variants, Errors> {
            let mut all = Variants::default();
            for (variant, sew) in all.iter_mut().zip([8, 16, 32, 64]) {
                if checked.sews.contains(&sew) {
                    *variant = Some(program(Some(sew), xlen)?);
                }
            }
            Ok(all)
        };
        let (wide, narrow) = (checked.xlens.contains(&64), checked.xlens.contains(&32));
        let v = Vector {
            egs: checked.egs.into(),
            variants: match (wide, by_xlen) {
                (false, true) => Variants::default(),
                (_, by_xlen) => variants(by_xlen.then_some(64))?,
            },
            variants32: if narrow && by_xlen { Some(variants(Some(32))?) } else { None },
            ports,
            float,
            by_xlen,
            in_order: memory,
            element: checked.ports.iter().position(|p| p.operand == Operand::Element),
            result: result.map(|port| (port, checked.start)),
        };
        Box::new(move |h, i, observe| v.execute(h, i, observe))
    } else {
        let mut of = |xlen: u32| -> Result<Option<Form>, Errors> {
            let exists = checked.xlens.contains(&xlen);
            exists.then(|| Ok(Form::new(program(None, Some(xlen))?, &ports))).transpose()
        };
        let (rv64, rv32) = (of(64)?, of(32)?);
        let s = Scalar { float: float.map(|e| (checked.row.model.flen, e)), rv64, rv32 };
        Box::new(move |h, i, observe| s.execute(h, i, observe))
    };
    if !class_agrees(accesses, &checked, insn, faults) {
        return Ok(None);
    }
    let names = checked.ports.iter().zip(used).filter(|(p, used)| !used && p.operand.is_given());
    check::unused(place.text, insn, names.map(|(p, _)| p.name.as_str()), faults);
    Ok(Some((checked.row, semantics)))
}

/// If the semantics of a vector instruction compile only for some widths, and its table does not list its widths, adds to the
/// remedy of the first error how to restrict the instruction to those.
fn with_widths(place: &Place<'_>, insn: &Insn, mut errors: Errors) -> Errors {
    let checked = table(place, insn, &mut Faults::default()).filter(Checked::vector);
    let Some(checked) = checked else { return errors };
    let suits = |sew: u32, xlen: u32| {
        let xlen = checked.by_xlen().then_some(xlen);
        compiled(place, insn, &checked.ports, checked.egs, [Some(sew), xlen]).is_ok()
    };
    let narrow = |sews: &[u32], xlen: u32| -> Vec<u32> {
        sews.iter()
            .copied()
            .filter(|sew| checked.by_xlen() && !checked.xlens.contains(&xlen) || suits(*sew, xlen))
            .collect()
    };
    let on_64 = narrow(&checked.sews, 64);
    let on_both = if checked.by_xlen() { narrow(&on_64, 32) } else { on_64.clone() };
    let keys = if on_64 == checked.sews && insn.xlen.is_none() {
        "xlen = [64]".to_string()
    } else if !on_both.is_empty() && insn.sew.is_none() {
        format!("sew = {on_both:?}")
    } else {
        return errors;
    };
    if let Some(first) = errors.0.first_mut() {
        first.remedy +=
            &format!("; or restrict the instruction to the widths that suit it: {keys}");
    }
    errors
}

/// Whether the class and the semantics agree on accesses to memory.
fn class_agrees(accesses: bool, checked: &Checked, insn: &Insn, faults: &mut Faults) -> bool {
    let class = checked.row.class;
    let memory = check::is_memory(class);
    if accesses && !memory {
        let what = format!(
            "the semantics access memory, and instructions of the class {} do not",
            class.name()
        );
        let classes = if checked.vector() { "vload or vstore" } else { "load, store or amo" };
        faults.at(&insn.class, what, format!("choose {classes}"));
    }
    if memory && !accesses {
        let what = format!("the class {} is for instructions that access memory", class.name());
        let remedy = "choose another class, or use load(address, 64) or store(address, value)";
        faults.at(&insn.class, what, remedy);
    }
    accesses == memory
}

/// Checks the table of an instruction, all but its semantics.
fn table(place: &Place<'_>, insn: &Insn, faults: &mut Faults) -> Option<Checked> {
    let before = faults.count();
    let (encoding, fields) = check::encoding(insn, faults)?;
    let operands = check::operands(insn, &fields, faults)?;
    let has = |f: fn(&Operand) -> bool| operands.iter().any(|(_, o)| f(o));
    let vector = has(|o| matches!(o, Operand::V(_)));
    let ports = check::ports(insn, &operands, faults);
    let class = check::class(insn, &operands, faults).unwrap_or(Class::Alu);
    let cost = check::cost(insn, vector, faults);
    let flen = check::format(insn, &operands, faults);
    if !check::mask_is_bit_25(&fields) {
        faults.at(&insn.enc, "vm is not bit 25", "put vm where all vector instructions have it");
    }
    let usual: &[u32] = if vector { &[32, 64] } else { &[64] };
    let xlens = check::widths(insn.xlen.as_ref(), &[32, 64], usual, faults);
    // f registers have 32 or 64 bits; with wide operands, twice SEW is at most 64.
    let first = if has(|o| matches!(o, Operand::F(_))) { 2 } else { 0 };
    let end = if insn.wide.is_empty() { 4 } else { 3 };
    let all = &[8, 16, 32, 64][first..end];
    let sews = check::widths(insn.sew.as_ref(), all, all, faults);
    if let Some(sew) = insn.sew.as_ref().filter(|_| !vector) {
        faults.at(sew, "only vector instructions have a SEW", "leave out sew");
    }
    let egs = check::group(insn, vector, &sews, faults);
    let start = check::start(insn, &operands, faults);
    if faults.count() > before {
        return None;
    }
    let slots = |f: fn(&&Port) -> bool| -> Vec<Slot> {
        ports.iter().filter(f).filter_map(|p| p.operand.slot()).collect()
    };
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
        model: Model {
            inout: slots(|p| p.is_read() && p.is_written()),
            masks: slots(|p| p.width == Width::Bit),
            wide: slots(|p| p.width == Width::Double),
            sew: if vector { sews.clone() } else { Vec::new() },
            group: (egs > 1).then_some(egs),
            flen,
            cost,
            place: place.of(&insn.name),
            enc: place.exactly(&insn.enc),
            semantics: insn.semantics.as_ref().trim().into(),
        },
    };
    Some(Checked { ports, xlens, sews, egs, start, row })
}
