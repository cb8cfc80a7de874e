//! Drafts that cannot be in one hart, because an instruction of one has an encoding or a mnemonic in common with one of the other.

use crate::ext::{Ext, ExtSet};
use crate::op::{OPS, Op};
use std::fmt;
use std::sync::{LazyLock, PoisonError, RwLock};

/// What two instructions have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Common {
    /// An instruction word would have two meanings.
    Encoding,
    /// A line of assembly would have two encodings.
    Mnemonic,
}

/// Two instructions that cannot be in one hart, and the drafts or extensions that they belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// What they have in common.
    pub common: Common,
    /// The instructions, in the table's order.
    pub ops: [Op; 2],
    /// The extension of each.
    pub exts: [Ext; 2],
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for n in [0, 1] {
            write!(f, "{} of {}", self.ops[n].name(), self.exts[n].name())?;
            if let Some(model) = self.ops[n].model() {
                write!(f, " ({})", model.enc)?;
            }
            f.write_str(if n == 0 { " and " } else { " have " })?;
        }
        f.write_str(match self.common {
            Common::Encoding => "a common encoding",
            Common::Mnemonic => "one mnemonic with two encodings",
        })
    }
}

/// What two instructions have in common that one hart cannot have twice.
fn common(a: Op, b: Op) -> Option<Common> {
    let (x, y) = (a.row(), b.row());
    if a == b {
        None
    } else if x.pattern().overlaps(y.pattern()) {
        Some(Common::Encoding)
    } else if x.name == y.name && (x.xlen == y.xlen || x.xlen == 0 || y.xlen == 0) {
        Some(Common::Mnemonic)
    } else {
        None
    }
}

/// Every pair in the table. Extensions that are not drafts share encodings on purpose: those of hints, for example.
static PAIRS: LazyLock<Vec<Clash>> = LazyLock::new(|| {
    let draft_of = |op: &Op| op.row().exts.iter().find(|e| e.info().draft.is_some());
    let drafts = || OPS.iter().filter_map(|op| Some((*op, draft_of(op)?)));
    let mut pairs = Vec::new();
    for (a, draft) in drafts() {
        for (b, common) in OPS.into_iter().filter_map(|b| Some((b, common(a, b)?))) {
            let clash = |other| Clash { common, ops: [a, b], exts: [draft, other] };
            // A pair of drafts comes up twice.
            match draft_of(&b) {
                Some(other) if a < b => pairs.push(clash(other)),
                Some(_) => {}
                None => pairs.extend(b.row().exts.iter().map(clash)),
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
        for (b, common) in Op::all().filter_map(|b| Some((b, common(*a, b)?))) {
            let clash = |e| Clash { common, ops: [*a, b], exts: [own, e] };
            added.extend(b.row().exts.iter().map(clash));
        }
    }
}

impl ExtSet {
    /// Two instructions that a hart with these extensions cannot have at once, if there are any.
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
        // Their encodings differ, but no assembler could have both.
        let versions = [Ext::Zvkk0p2024, Ext::Zvknhk0p2];
        let two = ExtSet::of(&versions).closed().clash();
        assert_eq!(two.map(|c| (c.common, c.exts)), Some((Common::Mnemonic, versions)));
        for draft in Ext::all().filter(|e| e.info().draft.is_some()) {
            let set: ExtSet = Ext::ratified().chain([draft]).collect();
            assert_eq!(set.clash(), None, "{draft:?} clashes with a ratified extension");
        }
    }
}
