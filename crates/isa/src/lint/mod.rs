//! How OpenSSL's parser reads a value of `OPENSSL_riscvcap`, word by word.
//!
//! The parser (OpenSSL 3.5, crypto/riscvcap.c) copies at most 255 bytes, converts them to upper case and sets a
//! capability if its name occurs anywhere after an underscore. It has no grammar, no implications and no words.
//! [`read`] finds the value in what people paste.

mod compiler;
mod foreign;
mod hwprobe;
mod paste;
mod problem;

pub use compiler::processor;
pub use foreign::{architecture, cpuinfo};
pub use paste::{Form, Paste, Written, each, read};
pub use problem::Problem;

use crate::capability::{openssl_known, openssl_parse, openssl_riscvcap};
use crate::ext::{Ext, ExtSet};
use crate::stated::{self, Name};

/// Bytes of the value that the parser reads: its buffer has 256, including the terminator.
pub const MAX_VALUE_BYTES: usize = 255;

/// Capabilities that OpenSSL also accepts in place of another one: it tests Zvkb as `ZVBB || ZVKB`
/// (include/crypto/riscv_arch.h) and Zvknha as `ZVKNHA || ZVKNHB` (crypto/sha/sha_riscv.c).
const COVERED: [(Ext, Ext); 2] = [(Ext::Zvbb, Ext::Zvkb), (Ext::Zvknhb, Ext::Zvknha)];

/// The meaning of a word as an ISA string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// These extensions, including all that they imply.
    Exts(ExtSet),
    /// These extensions, including all that they imply; names are not separated by underscores.
    Together(ExtSet),
    /// An empty word, between two underscores or before the first.
    Empty,
    /// Turned off by the text.
    Off,
    /// Not a known extension; with a suggestion, or an empty string.
    Unknown(String),
}

/// A word of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// As written.
    pub text: String,
    /// Whether it is before the first underscore, where the parser finds nothing.
    pub first: bool,
    /// Bytes of it that the parser reads.
    pub seen: usize,
    /// What it means as an ISA string.
    pub meaning: Meaning,
    /// The capabilities that the parser sets because of it.
    pub sets: ExtSet,
}

/// The kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value of the variable. If it names vector capabilities, they are meant to be used, so V is meant, too.
    Value,
    /// An ISA string of a hart or program, judged as a value: it means exactly what it says.
    Description,
    /// Extension names, which do not form a value.
    Names,
}

/// A value of `OPENSSL_riscvcap`: what it means and what the parser makes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// The kind of text.
    pub kind: Kind,
    /// Its words.
    pub words: Vec<Word>,
    /// Length in bytes.
    pub len: usize,
    /// The capabilities that the parser sets.
    pub sets: ExtSet,
    /// The capabilities that it means, of those that OpenSSL knows, with all that they imply. Includes V if the value
    /// names a vector capability, because OpenSSL takes no vector path without it.
    pub says: ExtSet,
    /// Whether V is in `says` although the text, which has vector capabilities, does not name it: the text names only a
    /// part of what a hart has.
    pub assumes_v: bool,
}

/// The word for V turned off.
const OFF_V: &str = "-v";

fn known() -> ExtSet {
    openssl_known().collect()
}

/// The vector capabilities, which OpenSSL does not use without V.
pub fn vector() -> ExtSet {
    openssl_known().filter(|e| ExtSet::of(&[*e]).closed().has(Ext::Zve32x)).collect()
}

fn meaning(text: &str, first: bool) -> Meaning {
    let whole = one(text, first);
    if !matches!(whole, Meaning::Unknown(_)) {
        return whole;
    }
    let parts = text.split(|c: char| !c.is_alphanumeric()).enumerate();
    let said = parts.filter_map(|(i, part)| match one(part, first && i == 0) {
        Meaning::Exts(e) => Some(e),
        _ => None,
    });
    said.reduce(ExtSet::union).map_or(whole, Meaning::Together)
}

fn one(text: &str, first: bool) -> Meaning {
    let lower = text.to_ascii_lowercase();
    if lower.is_empty() {
        return Meaning::Empty;
    }
    if first && let Some(base) = base(text) {
        return Meaning::Exts(base.exts);
    }
    match stated::name(&lower) {
        Name::Known(set) => Meaning::Exts(set),
        Name::Unknown(hint) => Meaning::Unknown(hint),
    }
}

/// The first word as the start of an ISA string, unless it contains other separators.
fn base(first: &str) -> Option<stated::Base> {
    let plain = first.chars().all(char::is_alphanumeric);
    plain.then(|| stated::base(&first.to_ascii_lowercase()))?
}

/// Compares how OpenSSL reads `value` with what it means.
///
/// ```
/// use capvec_isa::lint::lint;
/// // V is only set by "_v".
/// assert_eq!(lint("rv64gcv_zvkned").corrected(), "rv64gc_v_zvkned");
/// ```
pub fn lint(value: &str) -> Lint {
    string(value, Kind::Value)
}

/// Judges a pasted text.
///
/// ```
/// use capvec_isa::lint::{judge, read};
/// let found = judge(&read("-march=rv64i2p1_m2p0_v1p0_zvkned1p0"));
/// assert!(found.problems().is_empty());
/// ```
pub fn judge(paste: &Paste) -> Lint {
    match &paste.written {
        Written::String(value) => {
            let kind = if paste.form.is_value() { Kind::Value } else { Kind::Description };
            string(value, kind)
        }
        Written::Names(names) => list(names, paste.form),
    }
}

fn string(value: &str, kind: Kind) -> Lint {
    let mut at = 0;
    let mut words = Vec::new();
    for (i, text) in value.split('_').enumerate() {
        let seen = MAX_VALUE_BYTES.saturating_sub(at).min(text.len());
        let visible = text.get(..seen).unwrap_or_default();
        let sets = if i == 0 { ExtSet::EMPTY } else { openssl_parse(&format!("_{visible}")) };
        // OpenSSL ignores the first word, so a blank before it changes nothing.
        let meaning = meaning(if i == 0 { text.trim_start() } else { text }, i == 0);
        words.push(Word { text: text.into(), first: i == 0, seen, meaning, sets });
        at += text.len() + 1;
    }
    let says = executable(&words);
    let meant = kind == Kind::Value && says.intersects(vector());
    let says = if meant { says.with(Ext::V) } else { says }.intersection(known());
    let sets = openssl_parse(value);
    Lint { kind, words, len: value.len(), sets, says, assumes_v: false }
}

/// Whether names are all that a hart has: that is so if letters of the base are among them, or OpenSSL has printed
/// them.
fn is_whole(names: &[String], form: Form) -> bool {
    form == Form::Settings || names.iter().any(|n| n.len() == 1 && n != "v" && n != "b")
}

fn list(names: &[String], form: Form) -> Lint {
    let word = |name: &String| Word {
        text: name.clone(),
        first: false,
        seen: name.len(),
        meaning: if name == OFF_V { Meaning::Off } else { one(name, false) },
        sets: ExtSet::EMPTY,
    };
    let words: Vec<Word> = names.iter().map(word).collect();
    let says = executable(&words).intersection(known());
    let off = words.iter().any(|w| w.meaning == Meaning::Off);
    let assumes_v =
        says.intersects(vector()) && !says.has(Ext::V) && !off && !is_whole(names, form);
    let says = if assumes_v { says.with(Ext::V) } else { says };
    Lint { kind: Kind::Names, words, len: 0, sets: ExtSet::EMPTY, says, assumes_v }
}

fn said(words: &[Word]) -> ExtSet {
    let all = words.iter().fold(ExtSet::EMPTY, |says, w| match &w.meaning {
        Meaning::Exts(e) | Meaning::Together(e) => says.union(*e),
        _ => says,
    });
    all.closed()
}

/// The word for a draft of V, such as `v0p7`.
fn draft_of_v(words: &[Word]) -> Option<String> {
    let is_draft = |text: &str| {
        let version = text.strip_prefix('v').filter(|v| stated::version(v) == v.len());
        version.is_some_and(stated::is_draft)
    };
    let unknown = |part: &str, first: bool| match base(part).filter(|_| first) {
        Some(base) => base.unknown.into_iter().map(|(word, _)| word).collect(),
        None => vec![part.to_ascii_lowercase()],
    };
    let parts = |w: &Word| -> Vec<String> {
        let parts = w.text.split(|c: char| !c.is_alphanumeric());
        parts.flat_map(|part| unknown(part, w.first)).collect()
    };
    words.iter().flat_map(parts).find(|text| is_draft(text))
}

/// The extensions that words name, without those of vectors if they name a draft of V: such a hart does not execute
/// code for V 1.0.
fn executable(words: &[Word]) -> ExtSet {
    let says = said(words);
    if draft_of_v(words).is_some() { says.minus(vector()) } else { says }
}

impl Word {
    /// The problem of this word in a value that sets `all`, if any.
    fn problem(&self, kind: Kind, all: ExtSet) -> Option<Problem> {
        let text = || self.text.clone();
        match &self.meaning {
            Meaning::Empty | Meaning::Off => None,
            // Reported once for all such words.
            Meaning::Exts(_) | Meaning::Together(_) if self.seen < self.text.len() => None,
            Meaning::Together(e) => {
                let lost = known().intersection(*e).minus(all);
                (!lost.is_empty()).then(|| Problem::Together(text(), lost))
            }
            Meaning::Exts(e) if self.first => {
                let lost = known().intersection(*e).minus(all);
                (!lost.is_empty()).then(|| Problem::First(text(), lost))
            }
            Meaning::Exts(_) if self.text.to_ascii_lowercase().starts_with("zvl") => {
                (kind == Kind::Value).then(|| Problem::Vlen(text()))
            }
            Meaning::Exts(e) => {
                let extra = self.sets.minus(*e);
                (!extra.is_empty()).then(|| Problem::Misread(text(), extra))
            }
            // Other separators hide everything after them.
            Meaning::Unknown(_) if self.first && !self.text.chars().all(char::is_alphanumeric) => {
                Some(Problem::Unknown(text(), "; separate names by underscores".into()))
            }
            // The parser never reads the start of the value, so anything may be there.
            Meaning::Unknown(_) if self.first => None,
            Meaning::Unknown(hint) if self.sets.is_empty() => {
                Some(Problem::Unknown(text(), hint.clone()))
            }
            Meaning::Unknown(_) => Some(Problem::Misread(text(), self.sets)),
        }
    }
}

impl Lint {
    /// The differences between what the value says and what OpenSSL does with it; empty if there are none.
    pub fn problems(&self) -> Vec<Problem> {
        let mut found: Vec<Problem> = self.base();
        let words = self.words.iter().filter_map(|w| w.problem(self.kind, self.sets));
        for p in words.chain(self.cut()) {
            if !found.contains(&p) {
                found.push(p);
            }
        }
        found.extend(self.off());
        found.extend(self.draft());
        found.extend(match self.kind {
            Kind::Names => self.names(),
            _ => self.missing(),
        });
        found
    }

    /// Problems of capabilities that the value means but does not set, beyond those reported for single words.
    fn missing(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        let covered = COVERED.iter().filter(|(by, _)| self.sets.has(*by)).map(|(_, e)| *e);
        let named = self.words.iter().fold(ExtSet::EMPTY, |s, w| match &w.meaning {
            Meaning::Together(e) => s.union(*e),
            Meaning::Exts(e) if w.first || w.seen < w.text.len() => s.union(*e),
            _ => s,
        });
        let missing = self.says.minus(self.sets).minus(covered.collect());
        let implied = missing.minus(named).minus(ExtSet::of(&[Ext::V]));
        if !implied.is_empty() {
            found.push(Problem::Implied(implied));
        }
        let vectors = vector().intersection(self.sets);
        let draft = self.draft().is_some();
        let useless = !vectors.is_empty() && !self.sets.has(Ext::V) && !draft;
        if (missing.has(Ext::V) || useless) && !named.has(Ext::V) {
            found.push(Problem::NoV(vectors));
        }
        found
    }

    fn names(&self) -> Vec<Problem> {
        let list = (!self.says.is_empty()).then_some(Problem::Names);
        let vectors = vector().intersection(self.says).minus(ExtSet::of(&[Ext::V]));
        let v = match (self.says.has(Ext::V), vectors.is_empty()) {
            (true, _) => self.assumes_v.then_some(Problem::AssumedV(vectors)),
            (false, true) => None,
            (false, false) => Some(Problem::NoV(vectors)),
        };
        list.into_iter().chain(v).collect()
    }

    /// Problems in the first word of an ISA string.
    fn base(&self) -> Vec<Problem> {
        let Some(first) = self.words.first().filter(|w| w.first) else { return Vec::new() };
        let name = first.text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let Some(base) = base(name) else { return Vec::new() };
        let unknown = base.unknown.into_iter().map(|(word, hint)| Problem::Unknown(word, hint));
        (base.xlen != 64).then(|| Problem::Xlen(name.into())).into_iter().chain(unknown).collect()
    }

    /// A value that names nothing and sets nothing is a mistake, unless it is an ISA string.
    fn off(&self) -> Option<Problem> {
        let first = self.words.first().filter(|w| w.first)?;
        let meant = !self.says.is_empty() || !self.sets.is_empty() || base(&first.text).is_some();
        (!meant).then_some(Problem::Off)
    }

    /// Vector capabilities together with a draft of V.
    fn draft(&self) -> Option<Problem> {
        let lost = said(&self.words).union(self.sets).intersection(vector());
        let lost = lost.minus(ExtSet::of(&[Ext::V]));
        draft_of_v(&self.words).filter(|_| !lost.is_empty()).map(|v| Problem::Draft(v, lost))
    }

    /// Words that are cut off and do not appear before.
    fn cut(&self) -> Option<Problem> {
        let mut lost: Vec<String> = Vec::new();
        for w in self.words.iter().filter(|w| w.seen < w.text.len()) {
            if let Meaning::Exts(e) | Meaning::Together(e) = &w.meaning
                && !self.sets.contains(e.intersection(known()))
                && !lost.contains(&w.text)
            {
                lost.push(w.text.clone());
            }
        }
        (!lost.is_empty()).then_some(Problem::Cut(lost))
    }

    /// The value that does what this one means.
    pub fn corrected(&self) -> String {
        openssl_riscvcap(self.says)
    }
}

#[cfg(test)]
mod tests;
