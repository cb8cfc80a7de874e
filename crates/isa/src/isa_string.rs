//! ISA strings: `rv64gcv_zvkned`, or a profile with additions, such as `rva23u64_zvkng`.

use crate::ext::{Ext, ExtSet};
use crate::foreign_isa_string;
use crate::isa_error::IsaError;
use crate::rva_profile::{G, profile};
use capvec_text::suggest;
use std::fmt;
use std::str::FromStr;

/// XLEN and extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    /// 32 or 64.
    pub xlen: u8,
    /// Extensions, including all that they imply.
    pub exts: ExtSet,
}

/// The extensions of a name that may follow an underscore, with or without a version, as compilers write it: `zba1p0`.
pub fn word(isa: &str, word: &str) -> Result<ExtSet, IsaError> {
    if let Some(e) = Ext::from_name(word) {
        return Ok(ExtSet::of(&[e]));
    }
    let name = foreign_isa_string::without_version(word);
    if let Some(family) = foreign_isa_string::draft(word) {
        return Err(IsaError::Undated { isa: isa.into(), word: word.into(), family });
    }
    if name.len() < word.len() && Ext::from_name(name).is_some() {
        ratified(isa, word, name)?;
        return self::word(isa, name);
    }
    let (isa, word) = (isa.to_string(), word.to_string());
    if word.is_empty() {
        return Err(IsaError::Empty(isa));
    }
    if let Some(title) =
        foreign_isa_string::ratified(&word).or_else(|| foreign_isa_string::ratified(name))
    {
        return Err(IsaError::NotModelled { isa, word, title });
    }
    let hint = suggest::hint(name, Ext::all().map(Ext::name).filter(|n| n.len() > 1));
    Err(IsaError::Unknown { isa, word, hint })
}

/// Refuses the version of a draft, such as 0.7 of the vector extension, whose instructions differ from those of V.
fn ratified(isa: &str, word: &str, name: &str) -> Result<(), IsaError> {
    if !foreign_isa_string::is_draft(word.get(name.len()..).unwrap_or_default()) {
        return Ok(());
    }
    let (isa, word, name) = (isa.into(), word.into(), name.into());
    Err(IsaError::Draft { isa, word, name })
}

/// XLEN and exactly the extensions that the string names, without what they imply.
///
/// # Errors
/// The string is malformed or names something unknown.
pub fn named(text: &str) -> Result<(u8, ExtSet), IsaError> {
    let lower = text.trim().to_ascii_lowercase();
    let mut words = lower.split('_');
    let first = words.next().unwrap_or_default();
    let (xlen, mut exts) = match profile(first) {
        Some(exts) => (64, exts),
        None => base(text, first)?,
    };
    for w in words.filter(|w| !w.is_empty()) {
        exts = exts.union(word(text, w)?);
    }
    Ok((xlen, exts))
}

impl FromStr for Isa {
    type Err = IsaError;

    fn from_str(text: &str) -> Result<Isa, IsaError> {
        let (xlen, exts) = named(text)?;
        let exts = exts.closed();
        compatible(text, exts)?;
        Ok(Isa { xlen, exts })
    }
}

/// Refuses a set with two drafts that cannot be in one hart. `isa` is what named them.
///
/// # Errors
/// Names both instructions and both drafts.
pub fn compatible(isa: &str, exts: ExtSet) -> Result<(), IsaError> {
    exts.clash().map_or(Ok(()), |clash| Err(IsaError::Clash { isa: isa.into(), clash }))
}

/// `rv64gcv`, or with versions `rv64i2p1m2p0` → (64, {i, m, …}).
fn base(text: &str, first: &str) -> Result<(u8, ExtSet), IsaError> {
    let (xlen, letters) = match (first.strip_prefix("rv32"), first.strip_prefix("rv64")) {
        (Some(l), _) => (32, l),
        (_, Some(l)) => (64, l),
        _ => return Err(IsaError::Base(text.into())),
    };
    let mut exts = ExtSet::EMPTY;
    let mut rest = letters;
    while let Some(c) = rest.chars().next() {
        // A multi-letter extension may follow the letters without an underscore: it takes the rest.
        if matches!(c, 'x' | 'z') {
            exts = exts.union(word(text, rest)?);
            break;
        }
        let (letter, tail) = rest.split_at(c.len_utf8());
        if letters[..letters.len() - rest.len()].contains(c) {
            return Err(IsaError::Twice { isa: text.into(), letter: letter.into() });
        }
        exts = exts.union(if c == 'g' { G } else { word(text, letter)? });
        let (_, after) = tail.split_at(foreign_isa_string::version(tail));
        let versioned = &rest[..rest.len() - after.len()];
        ratified(text, versioned, letter)?;
        rest = after;
    }
    if !exts.has(Ext::I) {
        return Err(IsaError::NoBase(text.into()));
    }
    Ok((xlen, exts))
}

impl fmt::Display for Isa {
    /// The canonical string with all implied extensions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rv{}", self.xlen)?;
        let names = || self.exts.iter().map(Ext::name);
        names().filter(|n| n.len() == 1).try_for_each(|n| write!(f, "{n}"))?;
        names().filter(|n| n.len() > 1).try_for_each(|n| write!(f, "_{n}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_words_and_profiles_are_read() {
        let isa: Isa = "rv64gcv_Zvkned".parse().unwrap();
        for e in [Ext::I, Ext::D, Ext::C, Ext::V, Ext::Zve64d, Ext::Zvkned, Ext::Zifencei] {
            assert!(isa.exts.has(e), "{e:?}");
        }
        assert!(!isa.exts.has(Ext::Zvkg));
        assert_eq!(isa.to_string().parse::<Isa>().unwrap(), isa);
        let p: Isa = "rva23u64_zvkng".parse().unwrap();
        assert!(p.exts.has(Ext::Zvkb) && p.exts.has(Ext::Zbb) && p.exts.has(Ext::Zvkg));
    }

    /// The formats of compilers and object files.
    #[test]
    fn versions_are_read_and_drafts_refused() {
        let of = |text: &str| text.parse::<Isa>();
        assert_eq!(of("rv64gcv1p0_zvkn1p0"), of("rv64gcv_zvkn"));
        assert_eq!(of("rv64i2p1m2a2p1f2p2d2p2c2p0v1p0"), of("rv64imafdcv"));
        assert_eq!(of("rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zba1p0"), of("rv64imafdcv_zba"));
        assert_eq!(of("rv64gcv_zvl256b1p0_zve64d1p0"), of("rv64gcv_zvl256b_zve64d"));
        assert_eq!(of("rv64gczba1p0"), of("rv64gc_zba"));
        for (text, part) in [
            ("rv64gcv0p7", "v0p7 has a version before 1.0"),
            ("rv64gc_v0p10", "if v itself is meant"),
            ("rv64gc_zba0", "zba0"),
            ("rv64gc_zbab1p0", "unknown extension \"zbab1p0\" (did you mean zba"),
            ("rv64gc_zfh1p0", "does not model zfh1p0"),
            ("rv64gc1p", "\"p\""),
            ("rv64gc2c2", "letter c appears twice"),
            ("rv64gc_1p0", "unknown extension"),
        ] {
            let e = of(text).unwrap_err().to_string();
            assert!(e.contains(part), "{text}: {e}");
        }
    }

    #[test]
    fn drafts_are_named_with_their_version() {
        let of = |text: &str| text.parse::<Isa>();
        let isa = of("rv64gcv_zvknhk0p2_xcapvecmulq0p1").unwrap();
        assert!(isa.exts.has(Ext::Zvknhk0p2) && isa.exts.has(Ext::Xcapvecmulq0p1));
        assert_eq!(isa.to_string().parse::<Isa>().unwrap(), isa);
        assert_eq!(of("rv64gcvxcapvecmulq0p1"), of("rv64gcv_xcapvecmulq0p1"));
        for (text, part) in [
            (
                "rv64gcv_zvknhk",
                "zvknhk is a draft, and its versions are not compatible; name one: zvknhk0p1, zvknhk0p2",
            ),
            ("rv64gcv_zvknhk0p3", "there is no zvknhk0p3; capvec has zvknhk0p1, zvknhk0p2"),
            ("rv64gcv_zvknhk1p0", "there is no zvknhk1p0"),
            ("rv64gcv_zvbc32e", "zvbc32e is a draft; name its version: zvbc32e0p7"),
            ("rv64gcv_zvkk", "name its version: zvkk0p2024"),
            (
                "rv64gcv_zvknhk0p1_zvknhk0p2",
                "vkeccak.vi of zvknhk0p1 and vkeccak.vi of zvknhk0p2 have a common encoding",
            ),
            ("rv64gcv_zvkk0p2024_zvkgs0p7", "vgmul.vs of zvkgs0p7 and vkeccak.vi of zvkk0p2024"),
            (
                "rv64gcv_zvkk0p2024_zvknhk0p2",
                "have one mnemonic with two encodings; leave zvkk0p2024 or zvknhk0p2 out",
            ),
        ] {
            let e = of(text).unwrap_err().to_string();
            assert!(e.contains(part), "{text}: {e}");
        }
    }

    #[test]
    fn errors_name_the_word() {
        let e = "rv64gc_zvkne".parse::<Isa>().unwrap_err().to_string();
        assert!(e.contains("\"zvkne\"") && e.contains("zvkn"), "{e}");
        assert!(matches!("x86".parse::<Isa>(), Err(IsaError::Base(_))));
        assert!(matches!("rv64".parse::<Isa>(), Err(IsaError::NoBase(_))));
        assert!(matches!("rv64gcc".parse::<Isa>(), Err(IsaError::Twice { .. })));
        assert!(matches!("rv64gcé".parse::<Isa>(), Err(IsaError::Unknown { .. })));
        let e = "rv64gc_zfh".parse::<Isa>().unwrap_err().to_string();
        assert!(e.contains("does not model zfh (Half-precision"), "{e}");
        assert!(!word("x", "").unwrap_err().to_string().contains("did you mean"));
    }
}
