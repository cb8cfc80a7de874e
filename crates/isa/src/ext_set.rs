//! Sets of extensions as bits, and the data on an extension: what needs no table.

use crate::generated::ext::Ext;

/// The table's data on an extension.
pub struct ExtInfo {
    /// The extension.
    pub ext: Ext,
    /// Lower-case name.
    pub name: &'static str,
    /// A short description.
    pub title: &'static str,
    /// The extensions that it implies directly.
    pub implies: &'static [Ext],
    /// For a draft, that is, a version that is not ratified: the name without the version, `zvknhk` of `zvknhk0p1`.
    pub draft: Option<&'static str>,
    /// Where it is defined, if not where its instructions are.
    pub source: Option<&'static str>,
}

/// A set of extensions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ExtSet(u128);

impl ExtSet {
    /// The empty set.
    pub const EMPTY: ExtSet = ExtSet(0);

    /// A bit for each extension, by its number.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Exactly these extensions, without what they imply.
    pub const fn of(exts: &[Ext]) -> ExtSet {
        let mut bits = 0;
        let mut i = 0;
        while i < exts.len() {
            bits |= 1 << exts[i] as u8;
            i += 1;
        }
        ExtSet(bits)
    }

    /// Whether `ext` is in the set.
    pub const fn has(self, ext: Ext) -> bool {
        self.0 >> ext as u8 & 1 != 0
    }

    /// Whether the two sets share an extension.
    pub const fn intersects(self, other: ExtSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every extension of `other` is in this set.
    pub const fn contains(self, other: ExtSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union of both sets.
    pub const fn union(self, other: ExtSet) -> ExtSet {
        ExtSet(self.0 | other.0)
    }

    /// The intersection of both sets.
    pub const fn intersection(self, other: ExtSet) -> ExtSet {
        ExtSet(self.0 & other.0)
    }

    /// This set without the extensions of `other`.
    pub const fn minus(self, other: ExtSet) -> ExtSet {
        ExtSet(self.0 & !other.0)
    }

    /// This set and `ext`, without what it implies.
    pub const fn with(self, ext: Ext) -> ExtSet {
        ExtSet(self.0 | 1 << ext as u8)
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}
