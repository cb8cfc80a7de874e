//! Drafts that cannot be in one hart, because an instruction of one has an encoding in common with one of the other.

use crate::ext::{Ext, ExtSet};
use crate::op::{OPS, Op};
use std::sync::{LazyLock, PoisonError, RwLock};

/// Two instructions with a common encoding, and the drafts or extensions that they belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The instructions, in the table's order.
    pub ops: [Op; 2],
    /// The extension of each.
    pub exts: [Ext; 2],
}

/// Every pair in the table. Extensions that are not drafts share encodings on purpose: those of hints, for example.
static PAIRS: LazyLock<Vec<Clash>> = LazyLock::new(|| {
    let ext = |op: &Op| op.row().exts.iter().find(|e| e.info().draft.is_some());
    let drafts = || OPS.iter().filter_map(|op| Some((*op, ext(op)?)));
    let mut pairs = Vec::new();
    for (a, draft) in drafts() {
        for b in
            OPS.into_iter().filter(|b| *b != a && a.row().pattern().overlaps(b.row().pattern()))
        {
            // A pair of drafts comes up twice.
            match ext(&b) {
                Some(other) if a < b => pairs.push(Clash { ops: [a, b], exts: [draft, other] }),
                Some(_) => {}
                None => {
                    pairs.extend(
                        b.row().exts.iter().map(|e| Clash { ops: [a, b], exts: [draft, e] }),
                    );
                }
            }
        }
    }
    pairs
});

/// Pairs of which one is a custom instruction.
static ADDED: RwLock<Vec<Clash>> = RwLock::new(Vec::new());

/// Adds the pairs of a custom extension with these instructions.
pub(crate) fn add(own: Ext, ops: &[Op]) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    for a in ops {
        for b in Op::all().filter(|b| b != a && a.row().pattern().overlaps(b.row().pattern())) {
            added.extend(b.row().exts.iter().map(|e| Clash { ops: [*a, b], exts: [own, e] }));
        }
    }
}

impl ExtSet {
    /// Two instructions of a hart with these extensions that have a common encoding, if there are any.
    pub fn clash(self) -> Option<Clash> {
        let found = PAIRS.iter().copied().find(|pair| pair.exts.iter().all(|e| self.has(*e)));
        let own = || {
            let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
            added.iter().copied().find(|pair| pair.exts.iter().all(|e| self.has(*e)))
        };
        found.or_else(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_of_the_same_encoding_exclude_each_other() {
        let clash = |exts: &[Ext]| ExtSet::of(exts).closed().clash().map(|c| c.exts);
        let versions = [Ext::Zvknhk0p1, Ext::Zvknhk0p2];
        assert_eq!(clash(&versions), Some(versions));
        assert_eq!(
            clash(&[Ext::Zvkk0p2024, Ext::Zvkgs0p7]),
            Some([Ext::Zvkgs0p7, Ext::Zvkk0p2024])
        );
        for draft in Ext::all().filter(|e| e.info().draft.is_some()) {
            let set: ExtSet = Ext::ratified().chain([draft]).collect();
            assert_eq!(set.clash(), None, "{draft:?} clashes with a ratified extension");
        }
    }
}
