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

/// Those that are families.
const FAMILIES: [&str; 4] = ["published", "singles", "dispatch", "all-subsets"];

/// Another name of the set `scalar`.
const BASE: &str = "rv64gc";

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
    /// `scalar` is rv64gc, and `rv64gc` another name for it; `full` is everything that OpenSSL knows; `auto` is the core as
    /// it is, with the library's own detection. `string:VALUE` passes VALUE to the library unchanged, on a hart that has the
    /// extensions that VALUE names. `full_` followed by extensions adds them to `full`. A name that begins with `rv` is an
    /// ISA string or profile, such as `rva23u64_zvkng`, and means exactly that. Other names list extensions, such as
    /// `zvkb_zvkned`; what they imply is added, and vector extensions add V, without which OpenSSL uses none of them.
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
            "scalar" | BASE => return Ok(CapSet::exactly("scalar", ExtSet::EMPTY)),
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
        if FAMILIES.contains(&name) {
            bail!(
                "this stands for several sets of a library; name each set, such as scalar or zvkb_zvkned"
            );
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
        let (mut warnings, mut unless_libcapvec) = (Vec::new(), Vec::new());
        for w in words.split('_') {
            let set = isa_string::word(w, w).with_context(|| {
                format!("give extensions joined by _, or one of the sets {}", NAMES.join(", "))
            })?;
            if !set.closed().intersects(known()) {
                let (list, who) = if libcapvec_drafts().any(|e| set.has(e)) {
                    (&mut unless_libcapvec, "only libcapvec uses it")
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
        Ok(CapSet { warnings, unless_libcapvec, ..CapSet::exactly(name, openssl_with_v(exts)) })
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
mod tests;
