//! Finds the ISA string or the names in what people paste: values, but also lines of /proc/cpuinfo, device-tree
//! properties, compiler flags and printouts of riscv_hwprobe.

use super::compiler::{features, toggled};
use super::device_tree::device_tree;
use super::hwprobe::hwprobe;
use super::paste::{Form, Paste, Written, begins, is_name, spelled, tokens};
use crate::foreign_isa_string;

/// OpenSSL's environment variable.
const VARIABLE: &str = crate::variable::OPENSSL_RISCVCAP;

/// Finds the ISA string or names in `text`. A text of no other form is a value.
///
/// ```
/// use capvec_isa::lint::{Form, Written, read};
/// let found = read("isa\t\t: rv64imafdcv_zba");
/// assert_eq!(found.form, Form::Cpuinfo);
/// assert_eq!(found.written, Written::String("rv64imafdcv_zba".into()));
/// ```
pub fn read(text: &str) -> Paste {
    hwprobe(text)
        .or_else(|| variable(text))
        .or_else(|| device_tree(text))
        .or_else(|| strings(text))
        .or_else(|| features(text))
        .or_else(|| list(text))
        .unwrap_or_else(|| Paste::string(Form::Value, text))
}

/// Arguments as the texts to judge: one text, such as `isa : rv64gcv`, unless several of them begin like ISA strings.
pub fn each(arguments: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let several = arguments.first().is_some_and(|first| begins(first.trim_start()));
    for argument in arguments {
        match texts.last_mut().filter(|_| !(several && begins(argument.trim_start()))) {
            Some(text) => *text += &format!(" {argument}"),
            None => texts.push(argument.clone()),
        }
    }
    texts
}

/// `export OPENSSL_riscvcap="…"`, or what `openssl info -cpusettings` prints.
fn variable(text: &str) -> Option<Paste> {
    let lower = text.to_ascii_lowercase();
    let places: Vec<usize> = lower.match_indices("openssl_riscvcap=").map(|(at, _)| at).collect();
    let ends = places.iter().skip(1).copied().chain([text.len()]);
    let each = places.iter().zip(ends).filter_map(|(at, end)| assignment(&text[..end], *at));
    let found: Vec<(Form, Written)> = each.collect();
    let form = found.first()?.0;
    Paste::of(form, found.into_iter().filter(|(f, _)| *f == form).map(|(_, w)| w).collect())
}

/// The assignment to the variable at this position.
fn assignment(text: &str, at: usize) -> Option<(Form, Written)> {
    let form = if text[at..].starts_with(VARIABLE) { Form::Variable } else { Form::OtherVariable };
    let rest = &text[at + VARIABLE.len() + 1..];
    if rest
        .split_whitespace()
        .skip(1)
        .take(1)
        .any(|w| w.starts_with("vlen:") || w.starts_with("env:"))
    {
        let words = rest.split_whitespace().next()?.split('_');
        let words = words.filter(|w| is_name(w)).map(str::to_ascii_lowercase);
        return Some((Form::Settings, Written::Names(words.collect())));
    }
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    // `Environment="OPENSSL_riscvcap=…"` has the quote before the name.
    let outer = text[..at].chars().next_back().filter(|c| matches!(c, '"' | '\''));
    let value = match (quote, outer) {
        (Some(q), _) => rest[1..].split(q).next(),
        (None, Some(q)) => rest.split(q).next(),
        _ => rest.split(|c: char| c.is_whitespace() || c == ';').next(),
    };
    Some((form, Written::String(value.unwrap_or_default().into())))
}

/// ISA strings that the text before them identifies.
fn strings(text: &str) -> Option<Paste> {
    let trimmed = text.trim();
    if begins(trimmed) {
        return None;
    }
    let mut found: Vec<(Form, &str)> = Vec::new();
    for line in trimmed.lines() {
        for word in tokens(line).filter(|w| begins(w)) {
            let at = word.as_ptr() as usize - line.as_ptr() as usize;
            found.push((form(&line[..at]), word));
        }
    }
    // Of several flags the last one counts; of several lines the first: in /proc/cpuinfo, `isa` comes before `hart isa`.
    let flag = found.iter().rev().find(|(form, _)| *form == Form::March);
    let (form, value) = *flag.or_else(|| found.first())?;
    if form == Form::March
        && let Some(names) = toggled(text, march(value))
    {
        return Some(Paste::names(Form::Features, names));
    }
    let same = found.iter().filter(|(f, _)| *f == form && form != Form::March);
    let values = std::iter::once(value).chain(same.map(|(_, other)| *other));
    Paste::of(form, values.map(|v| Written::String(v.into())).collect())
}

/// The extension names in an ISA string.
fn march(value: &str) -> Vec<String> {
    let words = value.split('_').enumerate();
    words.flat_map(|(i, w)| if i == 0 { letters(w) } else { vec![w.into()] }).collect()
}

/// The extension names in the first word of an ISA string.
fn letters(first: &str) -> Vec<String> {
    let base = foreign_isa_string::base(&first.to_ascii_lowercase());
    base.map_or(Vec::new(), |b| b.exts.iter().map(|e| e.name().to_string()).collect())
}

/// The form of an ISA string, derived from the text before it in its line.
fn form(before: &str) -> Form {
    let lower = before.to_ascii_lowercase();
    let label = lower.trim_end_matches(|c: char| c.is_whitespace() || "\"'=:,".contains(c));
    match label.trim_start() {
        l if l.ends_with("-march") => Form::March,
        l if l.contains("riscv,isa") => Form::DeviceTree,
        "isa" | "hart isa" => Form::Cpuinfo,
        l if l.contains("attribute") || l.contains("riscv_arch") || l.contains(".option") => {
            Form::Attribute
        }
        _ => Form::Text,
    }
}

/// Names separated by spaces, commas or null characters, of which at least half are known.
fn list(text: &str) -> Option<Paste> {
    let words: Vec<&str> = tokens(text).collect();
    let known = words.iter().filter(|w| is_name(w)).count();
    let plain = words.iter().all(|w| w.chars().all(|c| c.is_ascii_alphanumeric()));
    let is_list = words.len() > 1 && plain && is_name(words[0]) && 2 * known >= words.len();
    is_list.then(|| Paste::names(Form::List, spelled(words.iter().map(|w| w.to_ascii_lowercase()))))
}
