//! The functions of `capvec_sim::crypto` against independent implementations: the RustCrypto
//! crates, the host's own cryptographic instructions and the formulas of the manual.

mod aes;
mod aes_all;
mod bits;
mod elements;
mod ghash;
mod groups;
mod host;
mod keccak;
mod kernels;
mod programs;
mod programs_sm;
mod reserved;
mod rows;
mod scalar;
mod seed;
mod setup;
mod sha2;
mod sm3;
mod sm4;
mod zkr;
