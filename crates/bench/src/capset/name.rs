//! Capability sets by name, as given to `--caps`.

use super::{CapSet, known};
use crate::case;
use anyhow::{Context, Result, bail};
use capvec_isa::capability::{libcapvec_drafts, openssl_with_v};
use capvec_isa::lint::{lint, vector};
use capvec_isa::{Ext, ExtSet, Isa, isa_string};
use capvec_text::{escape, suggest};

/// Names of sets, and of families of sets, that are not extensions.
const NAMES: [&str; 7] =
    ["scalar", "full", "auto", "published", "singles", "dispatch", "all-subsets"];

/// Prefix of a set that is a value of OPENSSL_riscvcap, passed on unchanged.
pub const VERBATIM: &str = "string:";

impl CapSet {
    /// Refuses a list with a blank name.
    ///
    /// # Errors
    /// Names the flag and the place.
    pub fn refuse_blank(names: &[String]) -> Result<()> {
        case::refuse_blank("--caps", names, "`capvec bench --help` lists the sets")
    }

    /// The set of this name on a core with `isa`.
    ///
    /// `scalar` is rv64gc; `full` is everything that OpenSSL knows; `auto` is the core as it is, with the library's own
    /// detection. `string:VALUE` passes VALUE to the library unchanged, on a hart that has the extensions that VALUE
    /// names. `full_` followed by extensions adds them to `full`. A name that begins with `rv` is an ISA string or
    /// profile, such as `rva23u64_zvkng`, and means exactly that. Other names list extensions, such as `zvkb_zvkned`;
    /// what they imply is added, and vector extensions add V, without which OpenSSL uses none of them.
    ///
    /// # Errors
    /// Names the flag and the word that is not an extension.
    pub fn parse(name: &str, isa: &Isa) -> Result<CapSet> {
        CapSet::refuse_blank(&[name.into()])?;
        CapSet::of(name, isa).with_context(|| format!("--caps {}", escape::line(name)))
    }

    /// The same for a name that was not given to `--caps`.
    ///
    /// # Errors
    /// Names the word that is not an extension.
    pub fn of(name: &str, isa: &Isa) -> Result<CapSet> {
        Ok(CapSet::named(name, isa)?.on(isa))
    }

    fn named(name: &str, isa: &Isa) -> Result<CapSet> {
        match name {
            "scalar" => return Ok(CapSet::exactly(name, ExtSet::EMPTY)),
            "full" => return Ok(CapSet::exactly(name, known())),
            "auto" => return Ok(CapSet::detected(isa)),
            _ => {}
        }
        if let Some(value) = name.strip_prefix(VERBATIM) {
            return CapSet::verbatim(name, value);
        }
        if name.starts_with("rv") {
            return CapSet::isa(name);
        }
        if let Some(meant) =
            suggest::nearest(name, NAMES).filter(|_| Ext::from_name(name).is_none())
        {
            bail!("there is no such set (did you mean {meant}?)");
        }
        // `full_zvknhk0p2`: everything that OpenSSL knows, and more.
        let (mut exts, words) = match name.strip_prefix("full_") {
            Some(words) => (known(), words),
            None => (ExtSet::EMPTY, name),
        };
        let (mut warnings, mut only_libcapvec) = (Vec::new(), Vec::new());
        for w in words.split('_') {
            let set = isa_string::word(w, w).with_context(|| {
                format!("give extensions joined by _, or one of the sets {}", NAMES.join(", "))
            })?;
            if !set.closed().intersects(known()) {
                let (list, who) = if libcapvec_drafts().any(|e| set.has(e)) {
                    (&mut only_libcapvec, "only libcapvec uses it")
                } else {
                    (&mut warnings, "the library does not test for it")
                };
                list.push(format!(
                    "--caps {name}: OpenSSL has no capability for {w}: the hart has it, but {who}"
                ));
            }
            exts = exts.union(set);
        }
        let exts = exts.closed();
        isa_string::compatible(name, exts)?;
        Ok(CapSet { warnings, only_libcapvec, ..CapSet::exactly(name, openssl_with_v(exts)) })
    }

    fn isa(name: &str) -> Result<CapSet> {
        let isa: Isa = name.parse()?;
        if isa.xlen != 64 {
            bail!("the library is 64-bit; begin with rv64");
        }
        let mut set = CapSet::exactly(name, isa.exts);
        let gated = set.expected.intersection(vector());
        if !gated.is_empty() && !set.exts.has(Ext::V) {
            set.warnings.push(format!(
                "--caps {name}: without v, OpenSSL does not use {gated}; add v to the set"
            ));
        }
        Ok(set)
    }

    /// The library gets `value` unchanged; the hart has the extensions that it names, however the library reads it.
    fn verbatim(name: &str, value: &str) -> Result<CapSet> {
        if value.contains('\0') {
            bail!("an environment variable cannot hold a null character");
        }
        let read = lint(value);
        let set = CapSet::exactly(name, read.says);
        let warnings = read.problems().iter().map(|p| format!("--caps {name}: {p}")).collect();
        Ok(CapSet { capstring: Some(value.into()), warnings, ..set })
    }

    /// Whether the value for the library is the user's own. If the library then reads it differently, that is a
    /// finding, and not a failure of the measurement.
    pub fn is_verbatim(&self) -> bool {
        self.name.starts_with(VERBATIM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn isa() -> Isa {
        "rv64gcv_zvkng_zbb".parse().unwrap()
    }

    fn parse(name: &str) -> CapSet {
        CapSet::parse(name, &isa()).unwrap()
    }

    #[test]
    fn vector_sets_include_v_and_what_they_imply() {
        let s = parse("zvkb_zvknhb");
        assert_eq!(s.capstring.as_deref(), Some("rv64gc_v_zvkb_zvknha_zvknhb"));
        assert!(s.exts.has(Ext::V) && s.exts.has(Ext::Zve64d) && !s.exts.has(Ext::Zbb));
        assert!(s.warnings.is_empty());
    }

    /// A CSV has no other description of a set than its name.
    #[test]
    fn records_understand_the_names_of_sets() {
        for name in [
            "scalar",
            "full",
            "full_zvknhk0p2",
            "zvkb_zvknhb",
            "zba1p0_zicond",
            "rva23u64_zvkng",
            "rv64gcv_zbb",
        ] {
            assert_eq!(capvec_record::testing::set(name).hart, parse(name).exts.to_string());
        }
    }

    #[test]
    fn scalar_has_no_vectors_and_auto_has_no_variable() {
        let s = parse("scalar");
        assert_eq!(s.capstring.as_deref(), Some("rv64gc"));
        assert!(!s.exts.has(Ext::V) && s.exts.has(Ext::Zicntr));
        let a = parse("auto");
        assert!(a.capstring.is_none() && a.exts.has(Ext::Zvkg) && a.expected.has(Ext::Zvkg));
    }

    #[test]
    fn profiles_and_isa_strings_mean_what_they_say() {
        let p = parse("rva22u64");
        assert_eq!(p.capstring.as_deref(), Some("rv64gc_zba_zbb_zbs_zkt"));
        let p = parse("rva23u64_zvkng");
        for e in [Ext::Zvbb, Ext::Zvkg, Ext::Zvknhb, Ext::V, Ext::Zicond] {
            assert!(p.exts.has(e), "{e:?}");
        }
        assert!(!p.exts.has(Ext::Zvksed) && p.warnings.is_empty());
        assert!(!parse("rvb23u64").exts.has(Ext::V));
        let e = parse("rv64gc_zvkned");
        assert!(!e.exts.has(Ext::V) && e.warnings[0].contains("zvkned"), "{:?}", e.warnings);
        let s = parse("rv64gcv_zbb");
        assert_eq!(s.capstring.as_deref(), Some("rv64gc_zbb_v"));
        assert!(CapSet::parse("rv32gc", &isa()).is_err());
    }

    #[test]
    fn a_verbatim_value_is_passed_on_with_a_warning() {
        let s = parse("string:rv64gcv_zvkned");
        assert_eq!(s.capstring.as_deref(), Some("rv64gcv_zvkned"));
        assert!(s.exts.has(Ext::V) && s.expected.has(Ext::V) && s.is_verbatim());
        assert!(s.warnings.iter().any(|w| w.contains("rv64gcv")), "{:?}", s.warnings);
        // The library reads it as Zvkg, which the hart does not have: what the user would see on silicon.
        assert!(!parse("string:rv64gc_v_zvkgs").exts.has(Ext::Zvkg));
    }

    #[test]
    fn words_that_the_library_does_not_know_cause_a_warning() {
        let s = parse("zicond_zbb");
        assert!(s.exts.has(Ext::Zicond) && s.warnings.len() == 1);
        assert!(s.warnings[0].contains("zicond") && s.warnings[0].contains("--caps"));
    }

    #[test]
    fn drafts_of_libcapvec_cause_a_warning_for_other_libraries_only() {
        let s = parse("full_zvknhk0p2");
        assert!(s.warnings_for(true).is_empty());
        let others = s.warnings_for(false);
        assert!(others.len() == 1 && others[0].contains("only libcapvec uses it"), "{others:?}");
        assert_eq!(parse("zicond").warnings_for(true).len(), 1);
    }

    #[test]
    fn unknown_words_are_errors() {
        for name in ["zvkned_zzz", "rv64gc_zzz", "rva23u64_zzz"] {
            let e = format!("{:#}", CapSet::parse(name, &isa()).unwrap_err());
            assert!(e.contains("zzz") && e.contains("--caps"), "{e}");
        }
        for (name, meant) in [
            ("scaler", "did you mean scalar"),
            ("zvkend", "did you mean zvkned"),
            ("", "it names nothing"),
            ("zvkned+zvkb", "joined by _"),
        ] {
            let e = format!("{:#}", CapSet::parse(name, &isa()).unwrap_err());
            assert!(e.contains("--caps") && e.contains(meant), "{e}");
        }
    }
}
