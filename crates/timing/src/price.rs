//! Costs of single instructions that replace those of their classes: of a user's own instructions, which may state
//! them, and for questions such as what an instruction would gain if it cost nothing.

use crate::core::{Core, Model};
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
    /// The cost that replaces that of the class, if there is one.
    pub(crate) fn of(&self, op: Op) -> Option<Price> {
        let given = self.0.iter().find(|(o, _)| *o == op).map(|(_, price)| *price);
        given.or_else(|| op.model()?.cost.map(Price::Cost))
    }
}

impl Core {
    /// This core with other costs for these instructions. `what` says so in the label of its figures. A core without a
    /// model of cycles stays as it is.
    pub fn priced(&self, what: &str, prices: &[(Op, Price)]) -> Core {
        let mut core = self.clone();
        if let Model::InOrder(params) = &mut core.model {
            params.prices = Prices(prices.to_vec());
            core.identity.label = format!("{} ({what})", self.identity.label);
            core.identity.base.clone_from(&core.identity.label);
        }
        core
    }
}
