//! Pasted texts: their forms, what was found in them, and how their words are separated.

use crate::foreign_isa_string::{self, Name};
use std::fmt;

/// The form that a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A bare value.
    Value,
    /// An assignment to the variable.
    Variable,
    /// An assignment to a variable whose name differs in case, which OpenSSL does not read.
    OtherVariable,
    /// The settings that `openssl info -cpusettings` prints.
    Settings,
    /// A line of /proc/cpuinfo.
    Cpuinfo,
    /// A device-tree property.
    DeviceTree,
    /// A compiler's `-march`.
    March,
    /// An attribute of an object file or assembly.
    Attribute,
    /// A compiler's target features, such as `+v,+zba`.
    Features,
    /// Bits or names of riscv_hwprobe.
    Hwprobe,
    /// An ISA string within other text.
    Text,
    /// A list of extension names.
    List,
}

impl Form {
    /// Whether it was written for OpenSSL; the other forms describe a hart or a program.
    pub fn is_value(self) -> bool {
        matches!(self, Form::Value | Form::Variable | Form::OtherVariable)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Value => "a value",
            Form::Variable => "an assignment",
            Form::OtherVariable => {
                "an assignment of another variable (OpenSSL reads OPENSSL_riscvcap)"
            }
            Form::Settings => "what OpenSSL says that it uses",
            Form::Cpuinfo => "a line of /proc/cpuinfo",
            Form::DeviceTree => "a property of a device tree",
            Form::March => "a compiler's -march",
            Form::Attribute => "an attribute of an object file",
            Form::Features => "a compiler's target features",
            Form::Hwprobe => "what riscv_hwprobe says",
            Form::Text => "a text with an ISA string",
            Form::List => "a list of names",
        })
    }
}

/// The contents of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// One string of words separated by underscores.
    String(String),
    /// Extension names.
    Names(Vec<String>),
}

/// A pasted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paste {
    /// Its form.
    pub form: Form,
    /// Its contents.
    pub written: Written,
    /// Other contents of the same form in the text, for example for harts that differ.
    pub others: Vec<Written>,
}

impl Paste {
    pub(super) fn string(form: Form, value: &str) -> Paste {
        Paste { form, written: Written::String(value.into()), others: Vec::new() }
    }

    pub(super) fn names(form: Form, names: Vec<String>) -> Paste {
        Paste { form, written: Written::Names(names), others: Vec::new() }
    }

    /// The first of several contents, and those that differ from it; `None` if there are none.
    pub(super) fn of(form: Form, all: Vec<Written>) -> Option<Paste> {
        let mut all = all.into_iter();
        let written = all.next()?;
        let mut others: Vec<Written> = Vec::new();
        for other in all {
            if other != written && !others.contains(&other) {
                others.push(other);
            }
        }
        Some(Paste { form, written, others })
    }

    /// The other contents, each as if it stood alone.
    pub fn alone(&self) -> impl Iterator<Item = Paste> + '_ {
        let form = self.form;
        self.others.iter().map(move |w| Paste { form, written: w.clone(), others: Vec::new() })
    }
}

/// The rest of `text` after `part`, which is in lower case.
pub(super) fn after<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    let at = text.to_ascii_lowercase().find(part)?;
    text.get(at + part.len()..)
}

/// The words of `text` up to the first other character.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || "_+-.".contains(c))).filter(|t| !t.is_empty())
}

pub(super) fn is_name(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower == "g"
        || (!lower.starts_with('x') && matches!(foreign_isa_string::name(&lower), Name::Known(_)))
}

/// Expands `g`, which abbreviates a base and extensions.
pub(super) fn spelled(words: impl Iterator<Item = String>) -> Vec<String> {
    let letters = |w: String| match w.as_str() {
        "g" => ["i", "m", "a", "f", "d", "zicsr", "zifencei"].map(String::from).to_vec(),
        _ => vec![w],
    };
    words.flat_map(letters).collect()
}

/// Whether the word begins like an ISA string or a profile.
pub(super) fn begins(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let profile = lower.split('_').next().is_some_and(|p| crate::rva_profile::profile(p).is_some());
    profile || lower.starts_with("rv64") || lower.starts_with("rv32")
}
