//! Extensions and sets of them.

pub use crate::ext_set::{ExtInfo, ExtSet};
use crate::generated::ext::EXTS;
pub use crate::generated::ext::Ext;
use crate::registry;
use std::fmt;

impl Ext {
    /// Every extension, in canonical order, custom ones last. Some drafts exclude each other ([`ExtSet::clash`]).
    pub fn all() -> impl Iterator<Item = Ext> {
        EXTS.iter().map(|e| e.ext).chain(registry::exts())
    }

    /// Every extension that is not a draft, in canonical order.
    pub fn ratified() -> impl Iterator<Item = Ext> {
        EXTS.iter().filter(|e| e.draft.is_none()).map(|e| e.ext)
    }

    /// The versions of a draft, by its name without a version; none if there is no draft of this name.
    pub fn versions(draft: &str) -> impl Iterator<Item = Ext> {
        Ext::all().filter(move |e| e.info().draft == Some(draft))
    }

    /// Its data.
    pub fn info(self) -> &'static ExtInfo {
        EXTS.get(self as usize).unwrap_or_else(|| registry::info(self))
    }

    /// Lower-case name.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The extension of this lower-case name, if there is one.
    pub fn from_name(name: &str) -> Option<Ext> {
        Ext::all().find(|e| e.name() == name)
    }
}

impl ExtSet {
    /// The members in canonical order.
    pub fn iter(self) -> impl Iterator<Item = Ext> {
        Ext::all().filter(move |e| self.has(*e))
    }

    /// The extension to which an instruction that any of these provides is attributed on `hart`: the first that the hart
    /// has and that no other of them implies. Zvkb's instructions are also Zvbb's, and Zvknha's also Zvknhb's.
    pub fn on(self, hart: ExtSet) -> Option<Ext> {
        let own = self.intersection(hart);
        let implied = |e: &Ext| own.iter().any(|o| o != *e && ExtSet::of(&[o]).closed().has(*e));
        own.iter().find(|e| !implied(e))
    }

    /// This set and everything that its members imply, transitively.
    pub fn closed(self) -> ExtSet {
        let mut set = self;
        loop {
            let next = set.iter().fold(set, |s, e| s.union(ExtSet::of(e.info().implies)));
            if next == set {
                return set;
            }
            set = next;
        }
    }
}

/// The extensions that give a minimum VLEN, in bits.
const ZVL: [(u32, Ext); 12] = [
    (32, Ext::Zvl32b),
    (64, Ext::Zvl64b),
    (128, Ext::Zvl128b),
    (256, Ext::Zvl256b),
    (512, Ext::Zvl512b),
    (1024, Ext::Zvl1024b),
    (2048, Ext::Zvl2048b),
    (4096, Ext::Zvl4096b),
    (8192, Ext::Zvl8192b),
    (16384, Ext::Zvl16384b),
    (32768, Ext::Zvl32768b),
    (65536, Ext::Zvl65536b),
];

impl ExtSet {
    /// This set and every Zvl*b of a hart with vectors of `vlen` bits; unchanged without vectors.
    pub fn with_vlen(self, vlen: u32) -> ExtSet {
        if !self.has(Ext::Zve32x) {
            return self;
        }
        ZVL.iter().filter(|(bits, _)| *bits <= vlen).fold(self, |s, (_, e)| s.with(*e))
    }

    /// The minimum VLEN of the set in bits; 0 without vectors.
    pub fn min_vlen(self) -> u32 {
        ZVL.iter().filter(|(_, e)| self.has(*e)).map(|(bits, _)| *bits).max().unwrap_or(0)
    }
}

impl FromIterator<Ext> for ExtSet {
    fn from_iter<I: IntoIterator<Item = Ext>>(iter: I) -> Self {
        iter.into_iter().fold(ExtSet::EMPTY, ExtSet::with)
    }
}

impl fmt::Display for ExtSet {
    /// The names, separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, e) in self.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { " " }, e.name())?;
        }
        Ok(())
    }
}

impl fmt::Debug for ExtSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}
