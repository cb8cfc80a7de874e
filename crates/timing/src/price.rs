//! Costs of single instructions that replace those of their classes: a custom instruction may state its own, and
//! `explore` sets them to answer questions such as what an instruction would gain if it cost nothing.

use capvec_isa::Op;
use capvec_isa::custom::Cost;

/// The cost of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// It takes no issue slot, no unit and no time; only its bytes are fetched.
    Free,
    /// As stated, in place of its class's cost. What the core adds to every vector instruction, such as its startup, stays.
    Cost(Cost),
}

/// Costs by instruction; few, so that a search is fast.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices(Vec<(Op, Price)>);

impl Prices {
    /// These costs.
    pub fn new(prices: &[(Op, Price)]) -> Prices {
        Prices(prices.to_vec())
    }

    /// These costs, and the others as they are.
    pub fn with(&self, prices: &[(Op, Price)]) -> Prices {
        // A search finds the first.
        Prices(prices.iter().chain(&self.0).copied().collect())
    }

    /// The cost that replaces that of the class, if there is one.
    pub(crate) fn of(&self, op: Op) -> Option<Price> {
        let given = self.0.iter().find(|(o, _)| *o == op).map(|(_, price)| *price);
        given.or_else(|| op.model()?.cost.map(Price::Cost))
    }
}
