//! The static costs of a block's instructions, in little memory: a large program has a hundred thousand blocks.

use super::Dynamic;

/// Static cycles of a block's instructions, and which of them are dynamic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StaticCosts {
    /// Cycles of the first k instructions, for each k; then index, note and issue of each dynamic instruction.
    packed: Box<[u8]>,
    /// Number of instructions.
    insns: u8,
    /// Each value takes four bytes, since some do not fit in one.
    wide: bool,
}

impl StaticCosts {
    /// `cumulative[k]`: cycles of the first k instructions; the last entry is the cost of the whole block. `dynamic`: in order;
    /// contains all that access memory.
    pub fn new(cumulative: &[u32], dynamic: &[Dynamic]) -> StaticCosts {
        let of_dynamic = dynamic.iter().flat_map(|d| [d.index.into(), d.note.into(), d.issue]);
        let values = cumulative.iter().copied().chain(of_dynamic);
        let wide = values.clone().any(|v| v > u8::MAX.into());
        let packed = match wide {
            true => values.flat_map(u32::to_le_bytes).collect(),
            false => values.map(|v| v as u8).collect(),
        };
        StaticCosts { packed, insns: cumulative.len().saturating_sub(1) as u8, wide }
    }

    /// Value `n`; 0 if there are no costs.
    #[inline(always)]
    fn value(&self, n: usize) -> u32 {
        match self.wide {
            false => self.packed.get(n).copied().unwrap_or(0).into(),
            true => {
                let bytes = self.packed.get(4 * n..).and_then(|b| b.first_chunk());
                bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
            }
        }
    }

    /// Static cycles of the first `k` instructions.
    #[inline(always)]
    pub fn before(&self, k: usize) -> u32 {
        self.value(k)
    }

    /// Static cycles of all instructions.
    #[inline(always)]
    pub fn total(&self) -> u32 {
        self.before(self.insns.into())
    }

    /// The dynamic instructions, in order.
    #[inline(always)]
    pub fn dynamic(&self) -> impl Iterator<Item = Dynamic> {
        let first = usize::from(self.insns) + 1;
        let values = self.packed.len() >> if self.wide { 2 } else { 0 };
        (first..values).step_by(3).map(|n| Dynamic {
            index: self.value(n) as u8,
            note: self.value(n + 1) as u8,
            issue: self.value(n + 2),
        })
    }

    /// What is known of instruction `k`, if it is dynamic.
    pub fn dynamic_at(&self, k: usize) -> Option<Dynamic> {
        self.dynamic().find(|d| d.index as usize == k)
    }
}

#[cfg(test)]
mod tests {
    use super::{Dynamic, StaticCosts};

    #[test]
    fn packing_loses_nothing() {
        for last in [255, 256, u32::MAX] {
            let cumulative = [0, 1, 1, last];
            let dynamic = [(0, 3, 0), (2, 255, last)];
            let dynamic = dynamic.map(|(index, note, issue)| Dynamic { index, note, issue });
            let costs = StaticCosts::new(&cumulative, &dynamic);
            assert_eq!([0, 1, 2, 3].map(|k| costs.before(k)), cumulative);
            assert_eq!(costs.total(), last);
            assert_eq!(costs.dynamic().collect::<Vec<_>>(), dynamic);
            assert_eq!((costs.dynamic_at(1), costs.dynamic_at(2)), (None, Some(dynamic[1])));
        }
    }

    #[test]
    fn a_block_without_costs() {
        let costs = StaticCosts::default();
        assert_eq!((costs.total(), costs.dynamic().count()), (0, 0));
        let costs = StaticCosts::new(&[0, 7], &[]);
        assert_eq!((costs.total(), costs.dynamic().count()), (7, 0));
    }
}
