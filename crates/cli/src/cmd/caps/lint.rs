//! `capvec caps lint`: what OpenSSL makes of a value of OPENSSL_riscvcap.

use crate::cmd::Usage;
use anyhow::{Context, Result};
use capvec_isa::capability::{openssl_known, openssl_parse, openssl_riscvcap};
use capvec_isa::lint::{
    Form, Kind, Lint, MAX_VALUE_BYTES, Meaning, Paste, Problem, Word, Written, architecture,
    cpuinfo, each, judge, processor, read,
};
use capvec_isa::{Ext, ExtSet};
use capvec_text::escape;
use clap::ValueEnum;
use comfy_table::{Table, presets};
use serde_json::{Value, json};
use std::io::Read;
use std::process::ExitCode;

/// Explain how OpenSSL's parser reads a value of OPENSSL_riscvcap, word by word
///
/// STRING may also be a description of a hart or a program: a line of /proc/cpuinfo, a device tree's riscv,isa or
/// riscv,isa-extensions, a compiler's -march or target features, an object file's attribute, the bits of riscv_hwprobe
/// as `capvec caps` prints them. The value for OpenSSL is then proposed. If a text has several different strings, each is
/// judged; if they describe harts, a value with the extensions that all of them have is proposed as well.
///
/// The exit status is 1 if OpenSSL would not do what the value says; a value that works is then proposed. Any value
/// replaces detection: OpenSSL uses no extension that the value does not name. OpenSSL 3.0 does not have the variable, 3.1
/// and 3.2 know only zba to zkt, and detection begins with 3.4.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec caps lint rv64gcv_zvkned\n  \
    capvec caps lint \"$OPENSSL_riscvcap\"\n  \
    capvec caps lint -march=rv64gcv_zba\n  \
    grep -m1 isa /proc/cpuinfo | capvec caps lint -\n  \
    tr '\\0' ' ' < /proc/device-tree/cpus/cpu@0/riscv,isa-extensions | capvec caps lint -")]
pub struct Args {
    /// The value, or a description of a hart or a program; - reads it from standard input
    #[arg(value_name = "STRING", required_unless_present_any = ["m", "feature", "assembler"])]
    value: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// A compiler's -march=… or -mattr=…
    #[arg(short, hide = true)]
    m: Vec<String>,
    /// A compiler's -C target-feature=…
    #[arg(short = 'C', hide = true)]
    feature: Vec<String>,
    /// A compiler's -Wa,-march=…
    #[arg(short = 'W', hide = true)]
    assembler: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Json,
}

/// Reads standard input, up to a limit that exceeds every sensible input.
fn standard_input() -> Result<String> {
    const MOST: u64 = 1 << 20;
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MOST).read_to_end(&mut bytes);
    read.context("standard input cannot be read")?;
    Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_string())
}

impl Args {
    /// The texts to judge, one by one: a compiler's flags are put together again.
    fn texts(&self) -> Result<Vec<String>> {
        if self.value == ["-"] {
            return Ok(vec![standard_input()?]);
        }
        let flags = [("-m", &self.m), ("-C ", &self.feature), ("-W", &self.assembler)];
        let flags = flags.iter().flat_map(|(f, all)| all.iter().map(move |v| format!("{f}{v}")));
        Ok(each(&self.value.iter().cloned().chain(flags).collect::<Vec<_>>()))
    }
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let texts = args.texts()?;
    texts.iter().try_for_each(|text| refuse(text))?;
    let pastes: Vec<Paste> = texts.iter().map(|text| read(text)).collect();
    let all = pastes.iter().flat_map(|p| std::iter::once(p.clone()).chain(p.alone()));
    let judged: Vec<Judged> = all.map(Judged::of).collect();
    let all = match &pastes[..] {
        [paste] => shared(paste, &judged),
        _ => None,
    };
    let text = match args.format {
        Format::Table => {
            let each: Vec<String> = judged.iter().map(Judged::table).collect();
            each.join("\n")
                + &all.map_or(String::new(), |all| format!("\nfor all of them: {all}\n"))
        }
        Format::Json => data(&judged, all.as_deref())?,
    };
    crate::cmd::print(&text)?;
    let other = pastes.iter().any(|p| p.form == Form::OtherVariable);
    let right = judged.iter().all(|j| j.problems.is_empty()) && !other;
    Ok(if right { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Refuses text that names no extensions of RISC-V.
fn refuse(text: &str) -> Result<()> {
    const ONLY: &str = "OPENSSL_riscvcap is for RISC-V only";
    if let Some(other) = cpuinfo(text) {
        let what = format!("this is the /proc/cpuinfo of an {other} processor; {ONLY}");
        return Err(Usage(what).into());
    }
    let Some((flag, name)) = processor(text) else { return Ok(()) };
    let what = match architecture(name) {
        Some(other) => format!("{flag}={name} is for {other} processors; {ONLY}"),
        None => format!(
            "{flag}={name} names a processor, not its extensions; a compiler that knows it can list them: \
             `clang --target=riscv64-linux-gnu -mcpu={name} -dM -E -x c /dev/null | capvec caps lint -`"
        ),
    };
    Err(Usage(what).into())
}

/// The judgement on one of a text's strings.
struct Judged {
    paste: Paste,
    found: Lint,
    problems: Vec<Problem>,
    write: Option<String>,
}

impl Judged {
    fn of(paste: Paste) -> Judged {
        let found = judge(&paste);
        let problems = found.problems();
        let write = proposal(&found, &problems);
        Judged { paste, found, problems, write }
    }
}

/// The value for several different harts: the extensions that all of them have, since a program may run on any.
fn shared(paste: &Paste, judged: &[Judged]) -> Option<String> {
    let harts = matches!(paste.form, Form::Cpuinfo | Form::DeviceTree | Form::Hwprobe);
    let says = judged.iter().map(|j| j.found.says);
    let all = says.reduce(ExtSet::intersection).filter(|_| harts && judged.len() > 1);
    all.map(openssl_riscvcap)
}

/// The value to write instead, if there is a sensible one and it changes anything.
fn proposal(found: &Lint, problems: &[Problem]) -> Option<String> {
    let write = found.corrected();
    let useless = |p: &Problem| matches!(p, Problem::NoV(_) | Problem::Off);
    let same = found.kind != Kind::Names && openssl_parse(&write) == found.sets;
    let no_v = problems.iter().any(|p| matches!(p, Problem::NoV(_))) && !found.says.has(Ext::V);
    let harmless = |p: &Problem| useless(p) || matches!(p, Problem::Vlen(_));
    let nothing = problems.is_empty()
        || (same && problems.iter().all(useless))
        || (no_v && problems.iter().all(harmless));
    (!nothing).then_some(write)
}

impl Judged {
    fn table(&self) -> String {
        let Judged { paste, found, problems, write } = self;
        let mut s = String::new();
        if paste.form != Form::Value {
            s += &format!("read as: {}\n", paste.form);
        }
        if let (Written::String(value), false) = (&paste.written, paste.form == Form::Value) {
            s += &format!("string: {}\n", escape::line(value));
        }
        let mut t = Table::new();
        t.load_preset(presets::NOTHING).set_header(["word", "says", "OpenSSL sets"]);
        for word in &found.words {
            let text = escape::line(&word.text).into_owned();
            t.add_row([text, says(word), list(word.sets, "nothing")]);
        }
        let gap = if s.is_empty() { "" } else { "\n" };
        s += &format!("{gap}{}\n\nsets: {}\n", t.trim_fmt(), list(found.sets, "nothing"));
        if found.len > MAX_VALUE_BYTES {
            let read = MAX_VALUE_BYTES;
            s += &format!("length: {} bytes, of which OpenSSL reads {read}\n", found.len);
        }
        for p in problems {
            s += &format!("{p}\n");
        }
        if let Some(write) = write {
            s += &format!("write: {write}\n");
        } else if found.sets.is_empty() && problems.is_empty() {
            s += "OpenSSL then uses no capability: a value replaces detection\n";
        }
        s
    }

    fn data(&self) -> Value {
        let Judged { paste, found, problems, write } = self;
        let names = |set: ExtSet| set.iter().map(|e| e.name()).collect::<Vec<_>>();
        let words = found.words.iter().map(|w| {
            let known = !matches!(w.meaning, Meaning::Unknown(_));
            json!({ "word": w.text, "known": known, "sets": names(w.sets) })
        });
        let value = match &paste.written {
            Written::String(value) => Some(value),
            Written::Names(_) => None,
        };
        json!({
            "read_as": paste.form.to_string(),
            "value": value,
            "words": words.collect::<Vec<_>>(),
            "says": names(found.says),
            "sets": names(found.sets),
            "problems": problems.iter().map(Problem::to_string).collect::<Vec<_>>(),
            "write": write,
        })
    }
}

/// The first string; under `others` the strings that differ from it, and under `write_for_all` the value for all harts.
fn data(judged: &[Judged], all: Option<&str>) -> Result<String> {
    let mut each = judged.iter().map(Judged::data);
    let mut first = each.next().unwrap_or_default();
    first["others"] = each.collect();
    first["write_for_all"] = json!(all);
    Ok(serde_json::to_string_pretty(&first)? + "\n")
}

fn list(set: ExtSet, none: &str) -> String {
    if set.is_empty() { none.into() } else { set.to_string() }
}

fn says(word: &Word) -> String {
    let known: ExtSet = openssl_known().collect();
    match &word.meaning {
        Meaning::Exts(e) | Meaning::Unseparated(e) => {
            list(e.intersection(known), "nothing that OpenSSL knows")
        }
        Meaning::Empty => "–".into(),
        Meaning::Off => "off".into(),
        Meaning::Unknown(_) if word.first => "nothing".into(),
        Meaning::Unknown(_) => "no extension".into(),
    }
}
