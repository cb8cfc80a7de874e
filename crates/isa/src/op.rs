//! Instructions by number.

use crate::generated::op::CUSTOM;
pub use crate::generated::op::Op;
pub use crate::generated::rows::OPS;
use crate::generated::rows::ROWS;
use crate::registry;
use crate::row::Row;

impl Op {
    /// One more than the largest number of an instruction, for tables by number.
    pub const COUNT: usize = OPS.len() + CUSTOM.len();

    /// Every instruction, in the table's order, custom ones last.
    pub fn all() -> impl Iterator<Item = Op> {
        OPS.into_iter().chain(registry::rows().map(|r| r.op))
    }

    /// The table's row.
    pub fn row(self) -> &'static Row {
        ROWS.get(self as usize).unwrap_or_else(|| registry::row(self))
    }

    /// Mnemonic.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The instruction with this mnemonic, if there is one.
    pub fn from_name(name: &str) -> Option<Op> {
        Op::all().find(|op| op.name() == name)
    }
}
