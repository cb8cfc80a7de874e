//! Cryptographic semantics as pure functions, independent of the hart.
//!
//! Everything here works on plain integers and arrays, so that the scalar instructions, the
//! vector instructions, a translating engine and an RTL test bench share one definition. An
//! element group is passed as an array with element 0 first, or as an integer whose least
//! significant bits are element 0: both are the register's own (little-endian) order.
//!
//! Source: *The RISC-V Instruction Set Manual, Volume I*, chapters "Scalar Cryptography",
//! "Vector Cryptography" and "B Extension", and the standards named in each module.

pub mod aes;
pub mod aes_all;
pub mod aes_scalar;
pub mod bits;
pub mod clmul;
pub(crate) mod gf256;
pub mod ghash;
pub mod health;
pub mod keccak;
pub mod sha2;
pub mod sha512_rv32;
pub mod sm3;
pub mod sm4;
pub mod zkr;
