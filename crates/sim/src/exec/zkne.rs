//! Zkne: AES encryption.

use super::alu::alu;
use crate::crypto::aes_scalar as aes;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

alu! {
    aes64es: |a, b| aes::aes64es(a, b);
    aes64esm: |a, b| aes::aes64esm(a, b);
}
