//! Capability sets: what a run may use.

mod dispatch;
mod family;
mod masks;
mod name;
mod r#override;
mod value;

pub use dispatch::Dispatch;
pub(crate) use dispatch::fits;
pub use family::{Wanted, expand, explained, explains};
pub use r#override::{Capability, Masked, Override};
pub use value::words;

use capvec_guest::LibraryKind;
use capvec_isa::capability::{BASELINE, openssl_detects, openssl_known, openssl_riscvcap};
use capvec_isa::{ExtSet, Isa};

/// A capability set, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapSet {
    /// As given: `scalar`, `auto`, `full`, a profile or ISA string, extensions joined by `_`, or `string:VALUE`.
    pub name: String,
    /// The hart's extensions, closed.
    pub exts: ExtSet,
    /// The value of OPENSSL_riscvcap; `None` lets the library detect.
    pub capstring: Option<String>,
    /// What the library should report that it uses.
    pub expected: ExtSet,
    /// What the user should know about this set before reading its figures.
    pub warnings: Vec<String>,
    /// Further warnings, shown unless the library is libcapvec.
    pub unless_libcapvec: Vec<String>,
    /// The set has extensions that the core's own ISA lacks: its figures are of a core that does not exist yet.
    pub beyond_core: bool,
    /// On architectures where the variable holds numbers: the capabilities of the set.
    pub masked: Option<Masked>,
}

fn known() -> ExtSet {
    openssl_known().collect()
}

impl CapSet {
    /// The set on a core with `isa`, which may lack some of it.
    fn on(self, isa: &Isa) -> CapSet {
        let beyond_core = !isa.exts.union(BASELINE).closed().contains(self.exts);
        CapSet { beyond_core, ..self }
    }

    /// A hart with `exts` in addition to the base, and a library configured for exactly these.
    fn exactly(name: &str, exts: ExtSet) -> CapSet {
        let exts = BASELINE.union(exts).closed();
        CapSet {
            name: name.to_string(),
            exts,
            capstring: Some(openssl_riscvcap(exts)),
            expected: exts.intersection(known()),
            warnings: Vec::new(),
            unless_libcapvec: Vec::new(),
            beyond_core: false,
            masked: None,
        }
    }

    fn detected(isa: &Isa) -> CapSet {
        let exts = isa.exts.union(BASELINE).closed();
        CapSet {
            name: "auto".into(),
            exts,
            capstring: None,
            expected: openssl_detects(exts),
            warnings: Vec::new(),
            unless_libcapvec: Vec::new(),
            beyond_core: false,
            masked: None,
        }
    }

    /// The same hart with a library configured for exactly `used`, under another name; with `None`, the library
    /// detects.
    pub fn configured(&self, name: &str, used: Option<ExtSet>) -> CapSet {
        CapSet {
            name: name.into(),
            capstring: used.map(openssl_riscvcap),
            expected: used.map_or(openssl_detects(self.exts), |t| t.closed().intersection(known())),
            warnings: Vec::new(),
            unless_libcapvec: Vec::new(),
            ..self.clone()
        }
    }

    /// The value that configures a library of this kind; `None` if the library reads no variable.
    pub fn capstring_for(&self, kind: LibraryKind) -> Option<&str> {
        self.capstring.as_deref().filter(|_| !kind.variables().is_empty())
    }

    /// What the user should know about this set before reading its figures; `libcapvec`: whether the figures are libcapvec's.
    pub fn warnings_for(&self, libcapvec: bool) -> Vec<String> {
        let others = self.unless_libcapvec.iter().filter(|_| !libcapvec);
        self.warnings.iter().chain(others).cloned().collect()
    }

    /// Number of extensions beyond the base: of two equally fast sets, the smaller one is named as the best.
    pub fn size(&self) -> usize {
        match &self.masked {
            Some(masked) => masked.names.len(),
            None => self.exts.minus(BASELINE.closed()).iter().count(),
        }
    }

    /// Whether hart and library have the same configuration in both sets.
    pub fn same_as(&self, other: &CapSet) -> bool {
        self.exts == other.exts && self.capstring == other.capstring
    }
}
