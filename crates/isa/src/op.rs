//! Instructions by number.

pub use crate::generated::op::Op;
pub use crate::generated::rows::OPS;
use crate::generated::rows::ROWS;
use crate::row::Row;

impl Op {
    /// The table's row.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Mnemonic.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The instruction with this mnemonic, if there is one.
    pub fn from_name(name: &str) -> Option<Op> {
        ROWS.iter().find(|r| r.name == name).map(|r| r.op)
    }
}
