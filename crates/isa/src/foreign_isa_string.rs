//! ISA strings as kernels, device trees and compilers write them: with versions, privileged-mode letters, and
//! extensions that are not modelled. [`crate::Isa`] is stricter, because it defines a hart.

use crate::ext::{Ext, ExtSet};
use crate::generated::names::RATIFIED;
use crate::rva_profile::{G, profile};
use capvec_text::suggest;

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// These extensions with all that they imply; empty for a known extension that is not modelled.
    Known(ExtSet),
    /// Unknown, with a suggestion or an empty string.
    Unknown(String),
}

/// The part before the first underscore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// 32 or 64.
    pub xlen: u8,
    /// The extensions of its letters with all that they imply.
    pub exts: ExtSet,
    /// Unknown letters and names, each with a suggestion or an empty string.
    pub unknown: Vec<(String, String)>,
}

/// The title of a ratified extension that is known but not modelled.
pub fn ratified(name: &str) -> Option<&'static str> {
    RATIFIED.iter().find(|r| r.0 == name).map(|r| r.1)
}

fn exact(name: &str) -> Option<ExtSet> {
    let listed = || RATIFIED.iter().find(|r| r.0 == name).map(|r| r.2.closed());
    Ext::from_name(name).map(|e| ExtSet::of(&[e]).closed()).or_else(listed)
}

/// Length of the version at the beginning of `text`, `2p1` or `2`; 0 if there is none.
pub(crate) fn version(text: &str) -> usize {
    let digits = |t: &str| t.len() - t.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let major = digits(text);
    let minor = text[major..].strip_prefix('p').map_or(0, digits);
    if major > 0 && minor > 0 { major + 1 + minor } else { major }
}

/// `zbb1p0` → `zbb`, `zbb1` → `zbb`.
pub(crate) fn without_version(word: &str) -> &str {
    let digits = |w: &str| w.len() - w.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let whole = &word[..word.len() - digits(word)];
    match whole.strip_suffix('p').map(|w| (w, digits(w))) {
        Some((with, n)) if n > 0 && whole.len() < word.len() => &with[..with.len() - n],
        _ => whole,
    }
}

/// The names of a draft's versions, for messages.
pub(crate) fn versions(draft: &str) -> String {
    Ext::versions(draft).map(Ext::name).collect::<Vec<_>>().join(", ")
}

/// The draft that `word` names without a version that is modelled: `zvknhk` or `zvknhk0p9`.
pub(crate) fn draft(word: &str) -> Option<&'static str> {
    let of = |name: &str| Ext::all().filter_map(|e| e.info().draft).find(|d| *d == name);
    let missing = Ext::from_name(word).is_none();
    of(word).or_else(|| of(without_version(word))).filter(|_| missing)
}

/// Whether a version, such as `0p7`, is that of a draft: the vector instructions of 0.7 differ from those of V.
pub(crate) fn is_draft(version: &str) -> bool {
    let major = version.split('p').next().unwrap_or_default();
    !major.is_empty() && major.bytes().all(|c| c == b'0')
}

/// The note on such a name.
const DRAFT: &str = " (a draft: its version is before 1.0)";

/// The meaning of a name in lower case, with or without a version. Names that begin with x are vendors' and always
/// known.
///
/// ```
/// use capvec_isa::foreign_isa_string::{Name, name};
/// assert!(matches!(name("sstc"), Name::Known(e) if e.is_empty()));
/// assert_eq!(name("zbb1p0"), name("zbb"));
/// ```
pub fn name(word: &str) -> Name {
    if let Some(set) = exact(word) {
        return Name::Known(set);
    }
    if let Some(family) = draft(word) {
        return Name::Unknown(format!(" (a draft: its versions are {})", versions(family)));
    }
    let plain = without_version(word);
    match exact(plain) {
        Some(_) if is_draft(&word[plain.len()..]) => return Name::Unknown(DRAFT.into()),
        Some(set) => return Name::Known(set),
        None => {}
    }
    if word.len() > 1 && word.starts_with('x') {
        return Name::Known(ExtSet::EMPTY);
    }
    let names = Ext::all().map(Ext::name).chain(RATIFIED.iter().map(|r| r.0));
    Name::Unknown(suggest::hint(word, names.filter(|n| n.len() > 1)))
}

/// The meaning of `first`, in lower case, if it begins like an ISA string: `rv64gcv1p0`, or `rva23u64`.
///
/// After the letters, a name that begins with s, x or z takes the rest. Old kernels and QEMU write `su`, the two
/// modes, among the letters; they are skipped, as Linux does (arch/riscv/kernel/cpufeature.c).
pub fn base(first: &str) -> Option<Base> {
    if let Some(exts) = profile(first) {
        return Some(Base { xlen: 64, exts, unknown: Vec::new() });
    }
    let xlen = if first.starts_with("rv32") { 32 } else { 64 };
    let mut rest = first.strip_prefix("rv32").or_else(|| first.strip_prefix("rv64"))?;
    let mut base = Base { xlen, exts: ExtSet::EMPTY, unknown: Vec::new() };
    while let Some(c) = rest.chars().next() {
        let modes = rest == "s" || rest.starts_with("su");
        let multi = matches!(c, 'x' | 'z') || (c == 's' && !modes);
        let (word, tail) = if multi { (rest, "") } else { rest.split_at(c.len_utf8()) };
        let (version, after) = tail.split_at(version(tail));
        match if word == "g" { Name::Known(G.closed()) } else { name(word) } {
            Name::Known(_) if is_draft(version) => {
                base.unknown.push((format!("{word}{version}"), DRAFT.into()));
            }
            Name::Known(set) => base.exts = base.exts.union(set),
            Name::Unknown(hint) => base.unknown.push((word.into(), hint)),
        }
        rest = after;
    }
    Some(base)
}

/// All modelled extensions of an ISA string with all that they imply; `None` if it is not one. For strings from
/// kernels, whose unknown names are not errors.
pub fn exts(text: &str) -> Option<ExtSet> {
    let lower = text.trim().to_ascii_lowercase();
    let mut words = lower.split('_');
    let base = base(words.next()?)?;
    let set = words.fold(base.exts, |all, word| match name(word) {
        Name::Known(set) => all.union(set),
        Name::Unknown(_) => all,
    });
    Some(set.closed())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(first: &str) -> ExtSet {
        let base = base(first).unwrap();
        assert!(base.unknown.is_empty(), "{first}: {:?}", base.unknown);
        base.exts
    }

    #[test]
    fn letters_of_boards_and_compilers_are_read() {
        let plain: crate::Isa = "rv64imafdcv".parse().unwrap();
        for first in
            ["rv64imafdcv", "rv64imafdcvh", "rv64imafdcvsu", "rv64imafdcvsuh", "rv64imafdvcsuh"]
        {
            assert_eq!(letters(first), plain.exts, "{first}");
        }
        for first in ["rv64i2p1m2p0a2p1f2p2d2p2c2p0v1p0", "rv64i2m2a2f2d2c2v1", "rv64imafdcvs"] {
            assert_eq!(letters(first), plain.exts, "{first}");
        }
        assert!(letters("rv64gcv1p0").has(Ext::V) && letters("rv64gczba").has(Ext::Zba));
        assert!(!letters("rv64gcsstc").has(Ext::V) && letters("rv64e").is_empty());
        assert_eq!(base("rv32gc").unwrap().xlen, 32);
        assert_eq!(base("rv64gcw").unwrap().unknown, [("w".to_string(), String::new())]);
        let draft = base("rv64gcv0p7").unwrap();
        assert!(!draft.exts.has(Ext::V) && draft.unknown[0].0 == "v0p7", "{draft:?}");
        assert!(base("x86").is_none() && base("").is_none() && base("rv6").is_none());
    }

    #[test]
    fn names_that_are_not_modelled_are_known() {
        for word in [
            "zfh",
            "sstc",
            "svinval",
            "sv39",
            "smaia",
            "ss1p13",
            "ssu64xl",
            "zic64b1p0",
            "xtheadba",
        ] {
            assert!(matches!(name(word), Name::Known(_)), "{word}");
        }
        assert!(
            matches!(name("zvfh"), Name::Known(e) if e.has(Ext::Zvfhmin) && e.has(Ext::Zve32f))
        );
        for (word, meant) in [
            ("v0p7", "a draft"),
            ("zba0p93", "a draft"),
            ("zbbb", "zbb"),
            ("sscofpm", "sscofpmf"),
            ("zvkend", "zvkned"),
        ] {
            let Name::Unknown(hint) = name(word) else { panic!("{word}") };
            assert!(hint.contains(meant), "{word}: {hint}");
        }
        for word in ["", "q7", "vendor", "é", "1p0", "p0"] {
            assert!(!matches!(name(word), Name::Unknown(h) if !h.is_empty()), "{word}");
        }
    }

    #[test]
    fn a_boards_string_is_read_whole() {
        let text = "rv64imafdcvh_zicbom_zicboz_zfh_zba_zbb_zvfh_zvkned_sscofpmf_sstc_svinval_svnapot_xventana";
        let set = exts(text).unwrap();
        assert!([Ext::V, Ext::Zba, Ext::Zvkned, Ext::Zicboz].iter().all(|e| set.has(*e)));
        assert_eq!(exts("x86-64"), None);
    }
}
