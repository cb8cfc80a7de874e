//! Flags and macros of compilers.

use super::paste::{Form, Paste, begins, is_name, read, spelled, tokens};

/// The flag and the processor that a text names instead of extensions, as `-mcpu=sifive-p670` does; `None` if it names any.
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

/// `+v,+zvkned`, `-mattr=…`, `-C target-feature=…`, `"target-features"="…"`, `target_feature="v"`, `__riscv_v`.
pub(super) fn features(text: &str) -> Option<Paste> {
    let mut names: Vec<String> = Vec::new();
    let mut known = false;
    for token in tokens(text) {
        let lower = token.to_ascii_lowercase();
        if let Some(name) = lower.strip_prefix('-') {
            names.retain(|n| n != name);
            continue;
        }
        let Some(name) = lower.strip_prefix('+').or_else(|| lower.strip_prefix("__riscv_")) else {
            continue;
        };
        let name = name.strip_prefix("experimental-").unwrap_or(name);
        // LLVM's features of other kinds contain hyphens, or are these.
        let other = name.contains('-') || ["64bit", "32bit", "relax"].contains(&name);
        if is_name(name) || (lower.starts_with('+') && !other) {
            known |= is_name(name);
            names.push(name.into());
        }
    }
    let quoted = text.split("target_feature=\"").skip(1).filter_map(|t| t.split('"').next());
    names.extend(quoted.filter(|n| is_name(n)).map(str::to_ascii_lowercase));
    known |= text.contains("target_feature=\"") && !names.is_empty();
    known.then(|| Paste::names(Form::Features, spelled(names.into_iter())))
}
