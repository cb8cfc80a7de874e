//! What `caps lint` says about a text with extensions: [`read()`] finds the value in what people paste, and this module reads it as
//! OpenSSL's parser of `OPENSSL_riscvcap` does, word by word.
//!
//! The parser (OpenSSL 3.5, crypto/riscvcap.c) copies at most 255 bytes, converts them to upper case and sets a
//! capability if its name occurs anywhere after an underscore. It has no grammar, no implications and no words.

mod compiler;
mod device_tree;
mod foreign;
mod hwprobe;
mod paste;
mod problem;
mod read;
mod word;

pub use foreign::{architecture, cpuinfo, processor};
pub use paste::{Form, Paste, Written};
pub use problem::Problem;
pub use read::{each, read};
pub use word::{Meaning, Word};

pub use crate::capability::MAX_VALUE_BYTES;
use crate::capability::{openssl_known, openssl_parse, openssl_riscvcap};
use crate::ext::{Ext, ExtSet};
use word::{base, draft_of_v, executable, meaning, one, said};

/// Capabilities that OpenSSL also accepts in place of another one: it tests Zvkb as `ZVBB || ZVKB`
/// (include/crypto/riscv_arch.h) and Zvknha as `ZVKNHA || ZVKNHB` (crypto/sha/sha_riscv.c).
const COVERED: [(Ext, Ext); 2] = [(Ext::Zvbb, Ext::Zvkb), (Ext::Zvknhb, Ext::Zvknha)];

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
    let meant = kind == Kind::Value && says.intersects(vector()) && !has_embedded_vectors(&words);
    let says = if meant { says.with(Ext::V) } else { says }.intersection(known());
    let sets = openssl_parse(value);
    Lint { kind, words, len: value.len(), sets, says, assumes_v: false }
}

/// Whether a word names vectors of an embedded hart, such as `zve64x`: then the hart has no V, unless another word says so.
fn has_embedded_vectors(words: &[Word]) -> bool {
    words.iter().any(|w| w.text.to_ascii_lowercase().starts_with("zve"))
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
            Meaning::Unseparated(e) => s.union(*e),
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

    /// Words that are cut off, unless other words set what they name.
    fn cut(&self) -> Option<Problem> {
        let mut lost: Vec<String> = Vec::new();
        for w in self.words.iter().filter(|w| w.seen < w.text.len()) {
            if let Meaning::Exts(e) | Meaning::Unseparated(e) = &w.meaning
                && !self.sets.contains(e.intersection(known()))
                && !lost.contains(&w.text)
            {
                lost.push(w.text.clone());
            }
        }
        (!lost.is_empty()).then_some(Problem::Cut(lost))
    }

    /// The value that does what this one means.
    ///
    /// A value without V has no vector capability, which OpenSSL would not use.
    pub fn corrected(&self) -> String {
        let useless = self.kind == Kind::Value && !self.says.has(Ext::V);
        openssl_riscvcap(if useless { self.says.minus(vector()) } else { self.says })
    }
}

#[cfg(test)]
mod tests;
