//! Flags and macros of compilers.

use super::OFF_V;
use super::paste::{Form, Paste, begins, is_name, read, spelled, tokens};

/// The flag and the processor, if a text names a processor instead of extensions, as `-mcpu=sifive-p670` does.
pub fn processor(text: &str) -> Option<(&str, &str)> {
    const FLAGS: [&str; 3] = ["-mcpu=", "-march=", "target-cpu="];
    if read(text).form != Form::Value {
        return None;
    }
    text.split_whitespace().find_map(|word| {
        let (flag, at) = FLAGS.iter().find_map(|flag| Some((flag, word.find(flag)?)))?;
        let name = word.get(at + flag.len()..)?;
        (!name.is_empty() && !begins(name)).then_some((flag.trim_end_matches('='), name))
    })
}

/// Target features that a text turns on and off, in order.
struct Toggles {
    on: Vec<String>,
    off: Vec<String>,
    /// Whether any feature that is on is an extension.
    known: bool,
}

/// Whether a word that begins with a minus sign turns a feature off: `-v` alone is a compiler's flag.
fn is_toggle(text: &str, token: &str) -> bool {
    let before = &text[..token.as_ptr() as usize - text.as_ptr() as usize];
    let listed = before.chars().next_back().is_some_and(|c| ",=\"'".contains(c));
    listed || before.split_whitespace().next_back().is_some_and(|w| w.starts_with("-Xclang"))
}

fn toggles(text: &str) -> Toggles {
    let mut found = Toggles { on: Vec::new(), off: Vec::new(), known: false };
    for token in tokens(text) {
        let lower = token.to_ascii_lowercase();
        if let Some(name) = lower.strip_prefix('-') {
            if is_toggle(text, token) {
                found.on.retain(|n| n != name);
                found.off.push(name.into());
            }
            continue;
        }
        let Some(name) = lower.strip_prefix('+').or_else(|| lower.strip_prefix("__riscv_")) else {
            continue;
        };
        let name = name.strip_prefix("experimental-").unwrap_or(name);
        // LLVM's features of other kinds contain hyphens, or are these.
        let other = name.contains('-') || ["64bit", "32bit", "relax"].contains(&name);
        if is_name(name) || (lower.starts_with('+') && !other) {
            found.known |= is_name(name);
            found.off.retain(|n| n != name);
            found.on.push(name.into());
        }
    }
    found
}

/// The names of a hart, with what a text adds to them and removes from them; `None` if it does neither.
pub(super) fn toggled(text: &str, mut names: Vec<String>) -> Option<Vec<String>> {
    let Toggles { on, off, known } = toggles(text);
    let before = names.len();
    names.retain(|n| !off.contains(n));
    let changes = known || names.len() < before;
    names.extend(on);
    names.extend(no_v(off));
    changes.then_some(names)
}

/// `-v` if V is turned off, so that other names do not imply it. The other disabled features are simply missing from
/// the names.
fn no_v(off: Vec<String>) -> Option<String> {
    off.iter().any(|n| n == "v").then(|| OFF_V.into())
}

/// `+v,+zvkned`, `-mattr=…`, `-C target-feature=…`, `"target-features"="…"`, `target_feature="v"`, `__riscv_v`.
pub(super) fn features(text: &str) -> Option<Paste> {
    let Toggles { on: mut names, off, mut known } = toggles(text);
    let quoted = text.split("target_feature=\"").skip(1).filter_map(|t| t.split('"').next());
    names.extend(quoted.filter(|n| is_name(n)).map(str::to_ascii_lowercase));
    known |= text.contains("target_feature=\"") && !names.is_empty();
    names.extend(no_v(off));
    known.then(|| Paste::names(Form::Features, spelled(names.into_iter())))
}
