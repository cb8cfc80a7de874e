//! What OpenSSL's parser makes of a value of `OPENSSL_riscvcap`, word by word.
//!
//! The parser (OpenSSL 3.5, crypto/riscvcap.c) copies at most 255 bytes, turns them to upper case and sets a
//! capability if its name stands anywhere behind an underscore. It knows no grammar, no implication and no words.

use crate::capability::{openssl_known, openssl_parse, openssl_riscvcap};
use crate::ext::{Ext, ExtSet};
use crate::isa_string::{self, IsaError};
use std::fmt;

/// Bytes of the value that the parser looks at: its buffer has 256, the last for the end mark.
pub const LONGEST: usize = 255;

/// Capabilities that OpenSSL also has when another one is set: it asks for Zvkb as `ZVBB || ZVKB`
/// (include/crypto/riscv_arch.h) and for Zvknha as `ZVKNHA || ZVKNHB` (crypto/sha/sha_riscv.c).
const COVERED: [(Ext, Ext); 2] = [(Ext::Zvbb, Ext::Zvkb), (Ext::Zvknhb, Ext::Zvknha)];

/// What a word means to a reader who knows ISA strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// These extensions, closed.
    Exts(ExtSet),
    /// These extensions, closed: names with something else than underscores between.
    Together(ExtSet),
    /// Nothing: between two underscores, or before the first.
    Empty,
    /// No known extension; a near name, or nothing.
    Unknown(String),
}

/// A word of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// As written.
    pub text: String,
    /// Whether it stands before the first underscore, where the parser finds nothing.
    pub first: bool,
    /// Bytes of it that the parser looks at.
    pub seen: usize,
    /// What it says.
    pub meaning: Meaning,
    /// What the parser sets because of it.
    pub sets: ExtSet,
}

/// A value of `OPENSSL_riscvcap`, as written and as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// Its words.
    pub words: Vec<Word>,
    /// Length in bytes.
    pub len: usize,
    /// What the parser sets.
    pub sets: ExtSet,
    /// What the value says, closed, of what OpenSSL knows; with V if anything vector is named, as OpenSSL takes
    /// no vector path without it.
    pub says: ExtSet,
}

/// A difference between what a value says and what OpenSSL does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The value begins as that of a 32-bit hart, where the parser does not look.
    Xlen(String),
    /// Names with something else than underscores between, of which these are lost.
    Together(String, ExtSet),
    /// Words behind the end of the parser's buffer, wholly or in part, each once.
    Cut(Vec<String>),
    /// The first word names capabilities, where the parser does not look.
    First(String, ExtSet),
    /// A word that is no extension sets a capability, by its beginning.
    Misread(String, ExtSet),
    /// A word that nothing knows; with a near name, or nothing.
    Unknown(String, String),
    /// A least VLEN, which OpenSSL reads from `vlenb` instead.
    Vlen(String),
    /// Implied by what is written, but the parser implies nothing.
    Implied(ExtSet),
    /// Vector capabilities without V: VLEN is then 0, and no vector path is taken.
    NoV(ExtSet),
}

fn known() -> ExtSet {
    openssl_known().collect()
}

/// The capabilities of which OpenSSL makes no use without V: the vector ones.
pub fn vector() -> ExtSet {
    openssl_known().filter(|e| ExtSet::of(&[*e]).closed().has(Ext::Zve32x)).collect()
}

/// `zbb1p0` → `zbb`: an ISA string may state versions.
fn without_version(word: &str) -> &str {
    let digit = |c: char| c.is_ascii_digit();
    let minor = word.trim_end_matches(digit);
    let major = minor.strip_suffix('p').map(|w| (w, w.trim_end_matches(digit)));
    match major {
        Some((with, name)) if minor.len() < word.len() && name.len() < with.len() => name,
        _ => word,
    }
}

fn meaning(value: &str, text: &str, first: bool) -> Meaning {
    let whole = one(value, text, first);
    if !matches!(whole, Meaning::Unknown(_)) {
        return whole;
    }
    let parts = text.split(|c: char| !c.is_alphanumeric()).enumerate();
    let said = parts.filter_map(|(i, part)| match one(value, part, first && i == 0) {
        Meaning::Exts(e) => Some(e),
        _ => None,
    });
    said.reduce(ExtSet::union).map_or(whole, Meaning::Together)
}

fn one(value: &str, text: &str, first: bool) -> Meaning {
    let lower = text.to_ascii_lowercase();
    if lower.is_empty() {
        return Meaning::Empty;
    }
    if first && let Ok(isa) = lower.parse::<crate::Isa>() {
        return Meaning::Exts(isa.exts);
    }
    let name = if Ext::from_name(&lower).is_some() { &lower } else { without_version(&lower) };
    match isa_string::word(value, name) {
        Ok(set) => Meaning::Exts(set.closed()),
        Err(IsaError::Unknown { hint, .. }) => Meaning::Unknown(hint),
        Err(_) => Meaning::Unknown(String::new()),
    }
}

/// Reads `value` as OpenSSL does, and as it is meant.
///
/// ```
/// use capvec_isa::lint::lint;
/// // V is only set by "_v".
/// assert_eq!(lint("rv64gcv_zvkned").corrected(), "rv64gc_v_zvkned");
/// ```
pub fn lint(value: &str) -> Lint {
    let mut at = 0;
    let mut words = Vec::new();
    let mut says = ExtSet::EMPTY;
    for (i, text) in value.split('_').enumerate() {
        let seen = LONGEST.saturating_sub(at).min(text.len());
        let visible = text.get(..seen).unwrap_or_default();
        let sets = if i == 0 { ExtSet::EMPTY } else { openssl_parse(&format!("_{visible}")) };
        let meaning = meaning(value, text, i == 0);
        if let Meaning::Exts(e) | Meaning::Together(e) = &meaning {
            says = says.union(*e);
        }
        words.push(Word { text: text.into(), first: i == 0, seen, meaning, sets });
        at += text.len() + 1;
    }
    let says = says.closed();
    let says = if says.intersects(vector()) { says.with(Ext::V) } else { says };
    let says = says.intersection(known());
    Lint { words, len: value.len(), sets: openssl_parse(value), says }
}

impl Word {
    fn problem(&self) -> Option<Problem> {
        let text = || self.text.clone();
        match &self.meaning {
            Meaning::Empty => None,
            // Told of all such words at once.
            Meaning::Exts(_) | Meaning::Together(_) if self.seen < self.text.len() => None,
            Meaning::Together(e) => {
                let lost = known().intersection(*e).minus(self.sets);
                (!lost.is_empty()).then(|| Problem::Together(text(), lost))
            }
            Meaning::Exts(e) if self.first => {
                let lost = known().intersection(*e);
                (!lost.is_empty()).then(|| Problem::First(text(), lost))
            }
            Meaning::Exts(_) if self.text.to_ascii_lowercase().starts_with("zvl") => {
                Some(Problem::Vlen(text()))
            }
            Meaning::Exts(e) => {
                let extra = self.sets.minus(*e);
                (!extra.is_empty()).then(|| Problem::Misread(text(), extra))
            }
            // Other separators hide all that follows them.
            Meaning::Unknown(_) if self.first && !self.text.chars().all(char::is_alphanumeric) => {
                Some(Problem::Unknown(text(), "; words follow underscores".into()))
            }
            // Whatever begins the value is a matter of taste: the parser never looks there.
            Meaning::Unknown(_) if self.first => None,
            Meaning::Unknown(hint) if self.sets.is_empty() => {
                Some(Problem::Unknown(text(), hint.clone()))
            }
            Meaning::Unknown(_) => Some(Problem::Misread(text(), self.sets)),
        }
    }
}

impl Lint {
    /// Where OpenSSL does not do what the value says; empty if it does.
    pub fn problems(&self) -> Vec<Problem> {
        let mut found: Vec<Problem> = self.xlen().into_iter().collect();
        for p in self.words.iter().filter_map(Word::problem).chain(self.cut()) {
            if !found.contains(&p) {
                found.push(p);
            }
        }
        let covered = COVERED.iter().filter(|(by, _)| self.sets.has(*by)).map(|(_, e)| *e);
        let covered: ExtSet = covered.collect();
        let told = self.words.iter().fold(ExtSet::EMPTY, |s, w| match &w.meaning {
            Meaning::Together(e) => s.union(*e),
            Meaning::Exts(e) if w.first || w.seen < w.text.len() => s.union(*e),
            _ => s,
        });
        let missing = self.says.minus(self.sets).minus(covered);
        let implied = missing.minus(told).minus(ExtSet::of(&[Ext::V]));
        if !implied.is_empty() {
            found.push(Problem::Implied(implied));
        }
        let vectors = vector().intersection(self.sets);
        if missing.has(Ext::V) && !told.has(Ext::V) {
            found.push(Problem::NoV(vectors));
        }
        found
    }

    fn xlen(&self) -> Option<Problem> {
        let first = &self.words.first()?.text;
        let name = first.split(|c: char| !c.is_alphanumeric()).next()?;
        let isa = name.to_ascii_lowercase().parse::<crate::Isa>().ok()?;
        (isa.xlen != 64).then(|| Problem::Xlen(name.into()))
    }

    /// What is cut off and stands nowhere else.
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

    /// The value that does what this one says.
    pub fn corrected(&self) -> String {
        openssl_riscvcap(self.says)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Xlen(word) => write!(
                f,
                "\"{word}\" says a 32-bit hart, but OpenSSL does not look at it: the 64-bit code of what follows runs"
            ),
            Problem::Together(word, e) => {
                write!(
                    f,
                    "\"{word}\": OpenSSL finds names only behind an underscore, so {e} is lost"
                )
            }
            Problem::Cut(words) => {
                let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
                let are = if words.len() == 1 { "is" } else { "are" };
                write!(f, "{} {are} cut off: OpenSSL reads {LONGEST} characters", words.join(" "))
            }
            Problem::First(word, e) => {
                write!(f, "\"{word}\" says {e}, but OpenSSL finds only what follows an underscore")
            }
            Problem::Misread(word, e) => {
                write!(f, "\"_{word}\" sets {e}, because it begins with that name")
            }
            Problem::Unknown(word, hint) => {
                write!(f, "\"{word}\" is no extension that capvec knows and is ignored{hint}")
            }
            Problem::Vlen(word) => {
                write!(f, "\"{word}\" tells OpenSSL nothing: it reads VLEN from vlenb")
            }
            Problem::Implied(e) => {
                write!(f, "{e}: implied by what is written, but OpenSSL implies nothing")
            }
            Problem::NoV(e) if e.is_empty() => {
                f.write_str("V is not set: OpenSSL takes no vector path without \"_v\"")
            }
            Problem::NoV(e) => {
                write!(f, "V is not set: OpenSSL takes no path of {e} without \"_v\"")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(value: &str) -> Vec<Problem> {
        lint(value).problems()
    }

    fn set(exts: &[Ext]) -> ExtSet {
        exts.iter().copied().collect()
    }

    #[test]
    fn what_the_tool_writes_is_clean() {
        for e in openssl_known() {
            let with_v = if vector().has(e) { set(&[e, Ext::V]) } else { set(&[e]) };
            let value = openssl_riscvcap(with_v);
            assert!(problems(&value).is_empty(), "{value}: {:?}", problems(&value));
        }
        let all = openssl_riscvcap(openssl_known().collect());
        assert!(all.len() <= LONGEST && problems(&all).is_empty());
    }

    #[test]
    fn v_without_underscore_is_not_v() {
        assert_eq!(problems("rv64gcv_zvkned"), [Problem::First("rv64gcv".into(), set(&[Ext::V]))]);
        assert_eq!(lint("rv64gcv_zvkned").corrected(), "rv64gc_v_zvkned");
        assert_eq!(problems("rv64gc_zvkned"), [Problem::NoV(set(&[Ext::Zvkned]))]);
    }

    #[test]
    fn beginnings_are_misread() {
        assert_eq!(
            problems("rv64gc_v_zvkgs"),
            [Problem::Misread("zvkgs".into(), set(&[Ext::Zvkg]))]
        );
        assert_eq!(problems("rv64gc_vendor"), [Problem::Misread("vendor".into(), set(&[Ext::V]))]);
        assert!(problems("rv64gc_v1p0_zbb1p0").is_empty());
    }

    #[test]
    fn groups_imply_nothing_but_zvbb_counts_as_zvkb() {
        let e = problems("rv64gc_b");
        assert_eq!(e, [Problem::Implied(set(&[Ext::Zba, Ext::Zbb, Ext::Zbs]))]);
        assert!(problems("rv64gc_v_zvbb_zvknhb").is_empty());
        let e = problems("rv64gc_v_zvkn");
        let n = set(&[Ext::Zvkned, Ext::Zvknhb, Ext::Zvkb, Ext::Zvknha]);
        assert_eq!(e, [Problem::Implied(n)]);
    }

    #[test]
    fn the_buffer_ends_at_255() {
        // "_zbb" ends exactly at the limit, then one character later.
        for (pad, cut) in [(LONGEST - 4, false), (LONGEST - 3, true)] {
            let value = "x".repeat(pad) + "_zbb";
            assert_eq!(lint(&value).sets.has(Ext::Zbb), !cut, "{pad}");
            let expected = if cut { vec![Problem::Cut(vec!["zbb".into()])] } else { vec![] };
            assert_eq!(problems(&value), expected, "{pad}");
        }
    }

    #[test]
    fn unknown_words_are_named() {
        let e = problems("rv64gc_zvkne");
        assert!(matches!(&e[..], [Problem::Unknown(w, h)] if w == "zvkne" && h.contains("zvkn")));
        assert!(problems("rv64gc__zbb_").is_empty() && problems("").is_empty());
        assert!(problems("_zbb").is_empty());
    }

    #[test]
    fn a_32_bit_value_is_told_of() {
        assert_eq!(problems("rv32gc_zbb"), [Problem::Xlen("rv32gc".into())]);
        assert_eq!(lint("RV32GC_zbb").corrected(), "rv64gc_zbb");
        let both = problems("rv32gcv_zvkned");
        assert_eq!(both[0], Problem::Xlen("rv32gcv".into()));
        assert_eq!(both.len(), 2, "{both:?}");
    }

    #[test]
    fn what_is_cut_off_is_told_once() {
        let pad = "x".repeat(LONGEST);
        let e = problems(&format!("{pad}_zbb_zbc_zbb"));
        assert_eq!(e, [Problem::Cut(vec!["zbb".into(), "zbc".into()])]);
        assert_eq!(e[0].to_string(), "\"zbb\" \"zbc\" are cut off: OpenSSL reads 255 characters");
        // It stands before the end as well.
        assert!(
            problems(&format!("rv64gc_zbb_{pad}_zbb"))
                .iter()
                .all(|p| !matches!(p, Problem::Cut(_)))
        );
    }

    #[test]
    fn vlen_is_not_read_from_the_value() {
        assert_eq!(problems("rv64gc_v_zvl512b"), [Problem::Vlen("zvl512b".into())]);
        assert_eq!(lint("rv64gc_V_Zvl512b").corrected(), "rv64gc_v");
    }

    #[test]
    fn other_separators_hide_what_follows() {
        for (value, lost, write) in [
            ("rv64gc zbb", Ext::Zbb, "rv64gc_zbb"),
            ("rv64gc,zbb", Ext::Zbb, "rv64gc_zbb"),
            ("rv64gc-zbb_v", Ext::Zbb, "rv64gc_zbb_v"),
            ("rv64gc_v_zvkned zvkb", Ext::Zvkb, "rv64gc_v_zvkb_zvkned"),
        ] {
            let found = problems(value);
            assert!(
                matches!(&found[..], [Problem::Together(_, e)] if *e == set(&[lost])),
                "{value}: {found:?}"
            );
            assert_eq!(lint(value).corrected(), write);
        }
        // V is lost too.
        let found = problems("rv64gcv_zvkned zvkb");
        assert!(found.contains(&Problem::First("rv64gcv".into(), set(&[Ext::V]))), "{found:?}");
        assert_eq!(lint("rv64gcv_zvkned zvkb").corrected(), "rv64gc_v_zvkb_zvkned");
        assert!(matches!(&problems("rv64gc x_zbb")[..], []), "nothing is lost");
        assert!(matches!(&problems("any thing_zbb")[..], [Problem::Unknown(..)]));
        assert!(problems("anything_zbb").is_empty());
        assert_eq!(lint("RV64GC_ZBB").sets, set(&[Ext::Zbb]), "small and capital letters are one");
    }

    #[test]
    fn no_value_makes_it_panic() {
        // Miri takes minutes for what is quadratic.
        let many = "_é".repeat(if cfg!(miri) { 20 } else { 300 });
        for value in ["é_é_zbb", "_", "____", "rv64gc_\u{0}zbb", &many, "rva23u64_v"] {
            let l = lint(value);
            let words = l.words.iter().filter(|w| !w.first);
            assert_eq!(words.fold(ExtSet::EMPTY, |s, w| s.union(w.sets)), l.sets, "{value}");
        }
    }
}
