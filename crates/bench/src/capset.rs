//! Capability sets: what a run may use.

use anyhow::{Context, Result};
use capvec_isa::capability::{openssl_known, openssl_riscvcap};
use capvec_isa::{Ext, ExtSet, Isa, isa_string};

/// A capability set, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapSet {
    /// As given: `scalar`, `auto`, `full`, or extensions joined by `_`.
    pub name: String,
    /// The hart's extensions, closed.
    pub exts: ExtSet,
    /// The value of OPENSSL_riscvcap; `None` lets the library detect.
    pub capstring: Option<String>,
}

/// What every set stands on: a stock distribution's baseline (rv64gc) and the counters.
const BASE: ExtSet = ExtSet::of(&[
    Ext::I,
    Ext::M,
    Ext::A,
    Ext::F,
    Ext::D,
    Ext::C,
    Ext::Zicsr,
    Ext::Zifencei,
    Ext::Zicntr,
]);

impl CapSet {
    /// The set of this name on a core with `isa`.
    ///
    /// `scalar` is rv64gc, `full` everything that OpenSSL knows, `auto` the core as it is with the library's own
    /// detection. Other names list extensions, such as `zvkb_zvkned`; what they imply is added, and vector
    /// extensions bring V, without which OpenSSL dispatches to none of them.
    pub fn parse(name: &str, isa: &Isa) -> Result<CapSet> {
        let make = |exts: ExtSet| CapSet {
            name: name.to_string(),
            exts: BASE.union(exts).closed(),
            capstring: Some(openssl_riscvcap(exts)),
        };
        match name {
            "scalar" => Ok(make(ExtSet::EMPTY)),
            "full" => Ok(make(openssl_known().collect())),
            "auto" => Ok(CapSet {
                name: name.into(),
                exts: isa.exts.union(BASE).closed(),
                capstring: None,
            }),
            _ => {
                let mut exts = ExtSet::EMPTY;
                for w in name.split('_') {
                    let set =
                        isa_string::word(name, w).with_context(|| format!("--caps {name}"))?;
                    exts = exts.union(set);
                }
                let vector = exts.closed().has(Ext::Zve32x);
                Ok(make(if vector { exts.with(Ext::V) } else { exts }))
            }
        }
    }

    /// Number of extensions beyond the base: the smaller of two equally fast sets is named as the best.
    pub fn size(&self) -> usize {
        self.exts.minus(BASE.closed()).iter().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn isa() -> Isa {
        "rv64gcv_zvkng_zbb".parse().unwrap()
    }

    #[test]
    fn vector_sets_bring_v_and_what_they_imply() {
        let s = CapSet::parse("zvkb_zvknhb", &isa()).unwrap();
        assert_eq!(s.capstring.as_deref(), Some("rv64gc_v_zvkb_zvknha_zvknhb"));
        assert!(s.exts.has(Ext::V) && s.exts.has(Ext::Zve64d) && !s.exts.has(Ext::Zbb));
    }

    #[test]
    fn scalar_has_no_vectors_and_auto_has_no_variable() {
        let s = CapSet::parse("scalar", &isa()).unwrap();
        assert_eq!(s.capstring.as_deref(), Some("rv64gc"));
        assert!(!s.exts.has(Ext::V) && s.exts.has(Ext::Zicntr));
        let a = CapSet::parse("auto", &isa()).unwrap();
        assert!(a.capstring.is_none() && a.exts.has(Ext::Zvkg));
    }

    #[test]
    fn unknown_words_are_errors() {
        let e = format!("{:#}", CapSet::parse("zvkned_zzz", &isa()).unwrap_err());
        assert!(e.contains("zzz") && e.contains("--caps"), "{e}");
    }
}
