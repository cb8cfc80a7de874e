//! Zicond: integer conditional operations.

use super::alu::alu;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

alu! {
    czero_eqz: |a, b| if b == 0 { 0 } else { a };
    czero_nez: |a, b| if b != 0 { 0 } else { a };
}
