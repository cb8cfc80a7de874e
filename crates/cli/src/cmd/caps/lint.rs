//! `capvec caps lint`: what OpenSSL makes of a value of OPENSSL_riscvcap.

use anyhow::Result;
use capvec_isa::ExtSet;
use capvec_isa::capability::openssl_known;
use capvec_isa::lint::{LONGEST, Meaning, Word, lint};
use comfy_table::{Table, presets};
use std::process::ExitCode;

/// Say what OpenSSL's parser makes of a value of OPENSSL_riscvcap, word by word
///
/// The exit status is 1 if it does something else than the value says; then a value that does is proposed. A value, whatever
/// it says, replaces detection: what it does not set is not used. OpenSSL 3.0 knows no such variable, 3.1 and 3.2 know
/// zba to zkt only, and nothing is detected before 3.4.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec caps lint rv64gcv_zvkned\n  \
    capvec caps lint \"$OPENSSL_riscvcap\"")]
pub struct Args {
    /// The value
    #[arg(value_name = "STRING", allow_hyphen_values = true)]
    value: String,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let read = lint(&args.value);
    let mut t = Table::new();
    t.load_preset(presets::NOTHING).set_header(["word", "says", "OpenSSL sets"]);
    for word in &read.words {
        let text = word.text.escape_debug().to_string();
        t.add_row([text, says(word), list(word.sets, "nothing")]);
    }
    let mut s = t.trim_fmt() + "\n\n";
    s += &format!("sets: {}\n", list(read.sets, "nothing"));
    if read.len > LONGEST {
        s += &format!("length: {} bytes, of which OpenSSL reads {LONGEST}\n", read.len);
    }
    let problems = read.problems();
    for p in &problems {
        s += &format!("{p}\n");
    }
    if !problems.is_empty() {
        s += &format!("write: {}\n", read.corrected());
    }
    crate::cmd::print(&s)?;
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn list(set: ExtSet, none: &str) -> String {
    if set.is_empty() { none.into() } else { set.to_string() }
}

fn says(word: &Word) -> String {
    let known: ExtSet = openssl_known().collect();
    match &word.meaning {
        Meaning::Exts(e) | Meaning::Together(e) => {
            list(e.intersection(known), "nothing that OpenSSL knows")
        }
        Meaning::Empty => "–".into(),
        Meaning::Unknown(_) if word.first => "nothing".into(),
        Meaning::Unknown(_) => "no extension".into(),
    }
}
