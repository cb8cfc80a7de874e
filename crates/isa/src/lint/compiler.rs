//! Flags and macros of compilers.

use super::OFF_V;
use super::paste::{Form, Paste, is_name, spelled, tokens};
use crate::capability::openssl_known;
use crate::ext::{Ext, ExtSet};
use crate::foreign_isa_string::{self, Name};

/// A target feature that a text turns on or off.
enum Toggle {
    On(String),
    Off(String),
}

/// Extensions after some have been turned on and off.
#[derive(Default)]
struct Features {
    names: Vec<String>,
    /// V has been turned off, by its name or with an extension that it needs.
    no_v: bool,
}

/// Whether a word that begins with a minus sign turns a feature off: `-v` alone is a compiler's flag.
fn is_toggle(text: &str, token: &str) -> bool {
    let before = &text[..token.as_ptr() as usize - text.as_ptr() as usize];
    let listed = before.chars().next_back().is_some_and(|c| ",=\"'".contains(c));
    listed || before.split_whitespace().next_back().is_some_and(|w| w.starts_with("-Xclang"))
}

fn toggles(text: &str) -> Vec<Toggle> {
    let mut found = Vec::new();
    for token in tokens(text) {
        let lower = token.to_ascii_lowercase();
        if let Some(name) = lower.strip_prefix('-') {
            if is_toggle(text, token) {
                found.push(Toggle::Off(name.into()));
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
            found.push(Toggle::On(name.into()));
        }
    }
    found
}

/// Whether any feature that is turned on is an extension.
fn any_known(toggles: &[Toggle]) -> bool {
    toggles.iter().any(|t| matches!(t, Toggle::On(name) if is_name(name)))
}

/// The extensions that a name stands for, including all that they imply.
fn closed(name: &str) -> ExtSet {
    match foreign_isa_string::name(name) {
        Name::Known(set) => set.closed(),
        Name::Unknown(_) => ExtSet::EMPTY,
    }
}

/// Whether `name` is `other` or requires it.
fn needs(name: &str, other: &str) -> bool {
    name == other || Ext::from_name(other).is_some_and(|e| closed(name).has(e))
}

impl Features {
    fn toggle(&mut self, toggle: &Toggle) {
        match toggle {
            Toggle::On(name) => {
                self.no_v &= !needs(name, "v");
                self.names.push(name.clone());
            }
            Toggle::Off(name) => self.remove(name),
        }
    }

    /// Removes an extension and all that need it, as LLVM does (`ClearImpliedBits` of `MCSubtargetInfo.cpp`). If a name
    /// stands for several, such as `zvkn`, the others stay.
    fn remove(&mut self, name: &str) {
        let (gone, kept): (Vec<String>, _) =
            std::mem::take(&mut self.names).into_iter().partition(|n| needs(n, name));
        self.names = kept;
        let capabilities: ExtSet = openssl_known().collect();
        for ext in gone.iter().flat_map(|n| closed(n).intersection(capabilities).iter()) {
            let other = ext.name();
            if !needs(other, name) && !self.names.iter().any(|n| n == other) {
                self.names.push(other.into());
            }
        }
        self.no_v |= needs("v", name);
    }

    /// The names, with `-v` if V is off, so that other names do not imply it.
    fn names(self) -> Vec<String> {
        let off = self.no_v.then(|| OFF_V.into());
        self.names.into_iter().chain(off).collect()
    }
}

/// The names of a hart's extensions, with those that a text adds and without those that it removes; `None` if it does neither.
pub(super) fn toggled(text: &str, names: Vec<String>) -> Option<Vec<String>> {
    let before = names.len();
    let toggles = toggles(text);
    let mut features = Features { names, no_v: false };
    toggles.iter().for_each(|t| features.toggle(t));
    let changes = any_known(&toggles) || features.names.len() != before;
    changes.then(|| features.names())
}

/// `+v,+zvkned`, `-mattr=…`, `-C target-feature=…`, `"target-features"="…"`, `target_feature="v"`, `__riscv_v`.
pub(super) fn features(text: &str) -> Option<Paste> {
    let toggles = toggles(text);
    let mut features = Features::default();
    toggles.iter().for_each(|t| features.toggle(t));
    let quoted = text.split("target_feature=\"").skip(1).filter_map(|t| t.split('"').next());
    let quoted: Vec<_> = quoted.filter(|n| is_name(n)).map(str::to_ascii_lowercase).collect();
    let known = any_known(&toggles) || !quoted.is_empty();
    features.names.extend(quoted);
    known.then(|| Paste::names(Form::Features, spelled(features.names().into_iter())))
}
