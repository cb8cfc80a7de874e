//! `capvec isa`: pages of the instruction table.

use crate::cmd::isa_files::{IsaFiles, warn};
use crate::cmd::{CheckFailed, Usage, say, usage};
use anyhow::Result;
use capvec_custom::{Extension, Overlap};
use capvec_isa::custom::Model;
use capvec_isa::row::{Dit, Row};
use capvec_isa::{
    Ext, ExtSet, Isa, Op, decode, disasm, disassemble, foreign_isa_string, isa_string,
};
use capvec_text::suggest;
use comfy_table::{Table, presets};
use std::path::PathBuf;
use std::process::ExitCode;

/// Show the instruction table: extensions, instructions, encodings
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec isa                     every extension, and every draft\n  \
    capvec isa zvkned              an extension with its instructions\n  \
    capvec isa vaesem.vv           an instruction\n  \
    capvec isa zvknhk              the versions of a draft\n  \
    capvec isa rva23u64_zvkng      what an ISA string or profile contains\n  \
    capvec isa --decode a2082077   the instruction that a word encodes\n  \
    capvec isa --assemble 'vaesem.vv v2, v4; ret'   the words of instructions\n  \
    capvec isa --isa-file my.toml xmine   instructions of your own (docs/custom.md)\n  \
    capvec isa header my.toml      macros that emit them, for C and assembler")]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Sub>,
    /// An extension, an instruction, or an ISA string
    name: Option<String>,
    /// Decode an instruction word, in hexadecimal
    #[arg(long, value_name = "WORD", conflicts_with = "name")]
    decode: Option<String>,
    /// Assemble instructions, separated by semicolons, and print their words in hexadecimal
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["name", "decode"])]
    assemble: Option<String>,
    #[command(flatten)]
    isa_files: IsaFiles,
}

#[derive(clap::Subcommand)]
enum Sub {
    /// Print a C header with macros that emit instructions of your own
    ///
    /// In preprocessed assembly (.S), the macros are named after the mnemonics. In C, each instruction on x registers is a
    /// function, and each vector instruction is a string for inline assembly.
    #[command(after_help = "Example:\n  capvec isa header my.toml > my.h")]
    Header {
        /// File with custom instructions (docs/custom.md)
        file: PathBuf,
    },
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(Sub::Header { file }) = &args.command {
        let extension = capvec_custom::read(file).map_err(usage)?;
        warn(&extension);
        warn_of_clashes(&extension);
        crate::cmd::print(&extension.header())?;
        return Ok(ExitCode::SUCCESS);
    }
    args.isa_files.register_after(warn_of_clashes)?;
    let text = match (&args.name, &args.decode, &args.assemble) {
        (_, Some(word), _) => decode_page(word)?,
        (_, _, Some(text)) => words(text)?,
        (Some(name), ..) => named_page(name)?,
        (None, None, None) => extensions_page(),
    };
    crate::cmd::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The words of these instructions, each on a line with its text.
fn words(text: &str) -> Result<String> {
    let everything = Isa { xlen: 64, exts: Ext::all().collect() };
    let code =
        capvec_asm::assemble(text, 0, everything).map_err(|e| Usage(format!("--assemble: {e}")))?;
    let (mut rest, mut lines) = (&code[..], String::new());
    while let [low, high, ..] = *rest {
        let length = usize::from(decode::length(u16::from_le_bytes([low, high])).unwrap_or(4));
        let (insn, after) = rest.split_at(length);
        let word = insn.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        let text = disasm::disassemble_word(word, 64, (code.len() - rest.len()) as u64);
        lines += &format!("{word:0width$x}  {}\n", text.unwrap_or_default(), width = 2 * length);
        rest = after;
    }
    Ok(lines)
}

/// Warns of instructions that a hart with one of these cannot have.
fn warn_of_clashes(extension: &Extension) {
    for Overlap { insn, enc, op, ext } in extension.clashes() {
        let (op, ext) = (op.name(), ext.name());
        say!(
            "warning: {enc}: {insn} has an encoding in common with {op}: a hart with {ext} cannot have {insn}"
        );
    }
}

fn table(head: &[&str]) -> Table {
    let mut t = Table::new();
    t.load_preset(presets::NOTHING).set_header(head);
    t
}

fn rows_of(ext: Ext) -> impl Iterator<Item = &'static Row> {
    Op::all().map(|op| op.row()).filter(move |r| r.exts.has(ext))
}

fn extensions_page() -> String {
    let drafts = Ext::all().filter(|e| e.info().draft.is_some());
    let ratified = extensions_table("extension", Ext::ratified());
    let drafts = extensions_table("draft", drafts);
    format!("{ratified}\n{drafts}Drafts are not ratified, and are named with their version.\n")
}

fn extensions_table(head: &str, exts: impl Iterator<Item = Ext>) -> String {
    let mut t = table(&[head, "instructions", "implies", "what it is"]);
    for e in exts {
        let info = e.info();
        let implies: Vec<_> = info.implies.iter().map(|i| i.name()).collect();
        let count = rows_of(e).count();
        let count = if count == 0 { String::new() } else { count.to_string() };
        t.add_row([info.name.to_string(), count, implies.join(" "), info.title.to_string()]);
    }
    t.trim_fmt() + "\n"
}

fn named_page(name: &str) -> Result<String> {
    let lower = name.to_ascii_lowercase();
    if let Some(e) = Ext::from_name(&lower) {
        return Ok(extension_page(e));
    }
    let versions: Vec<_> = Ext::versions(&lower).map(extension_page).collect();
    if !versions.is_empty() {
        return Ok(versions.join("\n"));
    }
    let rows: Vec<_> = Op::all().map(|op| op.row()).filter(|r| r.name == lower).collect();
    if !rows.is_empty() {
        return Ok(rows.into_iter().map(instruction_page).collect::<Vec<_>>().join("\n"));
    }
    if lower.starts_with("rv") {
        let (xlen, named) = isa_string::named(&lower).map_err(usage)?;
        let isa = Isa { xlen, exts: named.closed() };
        isa_string::compatible(&lower, isa.exts).map_err(usage)?;
        let implied = isa.exts.minus(named);
        return Ok(format!("{isa}\nimplied: {implied}\n"));
    }
    if let Some(title) = foreign_isa_string::ratified(&lower) {
        return Ok(format!("{lower}: {title}\nratified, but not modelled: no hart here has it\n"));
    }
    Err(Usage(format!(
        "\"{name}\" is not an extension, instruction or ISA string{}; `capvec isa` lists the extensions",
        meant(&lower)
    ))
    .into())
}

/// The instructions whose name is `name` followed by a dot and operand letters, or a similar name.
fn meant(name: &str) -> String {
    let names = || Op::all().map(|op| op.row().name);
    let with_dot = format!("{name}.");
    let forms: Vec<&str> = names().filter(|n| n.starts_with(&with_dot)).collect();
    if !forms.is_empty() {
        return format!(" (there are {})", forms.join(", "));
    }
    suggest::hint(name, Ext::all().map(Ext::name).chain(names()).filter(|n| n.len() > 1))
}

/// The encoding, highest bit first: fixed bits as digits, operands as dashes.
fn bits(row: &Row) -> String {
    (0..row.len as u32 * 8)
        .rev()
        .map(|b| match (row.mask >> b & 1, row.value >> b & 1) {
            (0, _) => '-',
            (_, v) => (b'0' + v as u8) as char,
        })
        .collect()
}

/// The XLEN of the harts that have the instruction, if there is only one.
fn xlen(row: &Row) -> &'static str {
    match row.xlen {
        32 => "32",
        64 => "64",
        _ => "",
    }
}

fn dit(row: &Row) -> &'static str {
    match row.dit {
        Dit::None => "",
        Dit::Zkt => "with Zkt",
        Dit::Zvkt => "with Zvkt",
        Dit::Always => "always",
    }
}

fn extension_page(ext: Ext) -> String {
    let info = ext.info();
    let mut s = format!("{}: {}\n", info.name, info.title);
    let implied = ExtSet::of(&[ext]).closed().minus(ExtSet::of(&[ext]));
    if !implied.is_empty() {
        s += &format!("implies: {implied}\n");
    }
    let excluded: Vec<_> = excluded(ext).map(Ext::name).collect();
    if !excluded.is_empty() {
        s += &format!(
            "cannot be combined, because of shared encodings or mnemonics, with: {}\n",
            excluded.join(" ")
        );
    }
    let rows: Vec<_> = rows_of(ext).collect();
    if let Some(first) = rows.first() {
        s += &format!("source: {}\n", info.source.unwrap_or(first.source));
        let head = ["instruction", "operands", "encoding", "class", "XLEN", "data-independent"];
        let mut t = table(&head);
        for r in rows {
            let encoding = bits(r);
            t.add_row([r.name, r.args, &encoding, r.class.name(), xlen(r), dit(r)]);
        }
        s += &t.trim_fmt();
        s += "\n";
    }
    s
}

/// The drafts that cannot be in one hart with this extension.
fn excluded(ext: Ext) -> impl Iterator<Item = Ext> {
    Ext::all()
        .filter(move |other| *other != ext && ExtSet::of(&[ext, *other]).closed().clash().is_some())
}

fn instruction_page(row: &Row) -> String {
    let mut s = format!("{} {}\n", row.name, row.args);
    s += &format!("encoding: {}\n", bits(row));
    s += &format!("mask {:#010x} match {:#010x}\n", row.mask, row.value);
    if row.xlen != 0 {
        s += &format!("only with XLEN: {}\n", row.xlen);
    }
    let any: Vec<_> = row.exts.iter().map(Ext::name).collect();
    s += &format!("extension: {}\n", any.join(" or "));
    if row.base != row.op {
        s += &format!("expands to: {}\n", row.base.name());
    }
    s += &format!("class: {}\n", row.class.name());
    if let Some(model) = row.op.model() {
        return s + &custom_part(model);
    }
    if row.dit != Dit::None {
        s += &format!("data-independent latency: {}\n", dit(row));
    }
    s + &format!("source: {}\n", row.source)
}

/// The part of a page that only custom instructions have.
fn custom_part(model: &Model) -> String {
    let cost = match model.cost {
        None => "that of its class; --set insn.… changes it (docs/custom.md)".into(),
        Some(cost) => cost.to_string(),
    };
    let mut s = format!("cost in cycles: {cost}\n");
    if !model.sew.is_empty() {
        let sew: Vec<String> = model.sew.iter().map(u32::to_string).collect();
        s += &format!("SEW: {}\n", sew.join(", "));
    }
    if let Some(group) = model.group {
        s += &format!("element group: {group} elements\n");
    }
    let lines =
        model.semantics.lines().map(|line| format!("{}\n", format!("    {line}").trim_end()));
    s + &format!("defined at: {}\nsemantics:\n{}", model.place, lines.collect::<String>())
}

fn decode_page(word: &str) -> Result<String> {
    let digits = word.trim_start_matches("0x");
    let value = u32::from_str_radix(digits, 16)
        .map_err(|_| Usage(format!("--decode {word}: not a 32-bit hexadecimal number")))?;
    let lines: Vec<String> = match (meanings(value, 64), meanings(value, 32)) {
        (wide, narrow) if wide == narrow => wide,
        (wide, narrow) => {
            let of =
                |xlen, all: Vec<String>| all.into_iter().map(move |m| format!("rv{xlen}: {m}"));
            of(64, wide).chain(of(32, narrow)).collect()
        }
    };
    if lines.is_empty() {
        return Err(CheckFailed(format!("{value:#010x} is not an instruction of the table")).into());
    }
    Ok(lines.join("\n") + "\n")
}

/// The instructions that a word encodes at this XLEN: with all ratified extensions, and with each draft that gives the word another
/// meaning.
fn meanings(word: u32, xlen: u8) -> Vec<String> {
    let ratified = decode(word, xlen, Ext::ratified().collect()).ok();
    let with = |ext| decode(word, xlen, ExtSet::of(&[ext])).ok().map(|d| (ext, d));
    let drafts = Ext::all().filter(|e| e.info().draft.is_some()).filter_map(with);
    let other = drafts.filter(|(_, d)| Some(*d) != ratified);
    let named = other.map(|(ext, d)| format!("{} ({})", disassemble(&d, 0), ext.name()));
    ratified.map(|d| disassemble(&d, 0)).into_iter().chain(named).collect()
}
