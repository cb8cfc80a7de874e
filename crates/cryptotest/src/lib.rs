//! libcapvec on the host: compares every algorithm and mode with RustCrypto, in functions that take their decisions
//! (lengths, alignments, splits, in-place operation, wrong tags) from a [`Source`]. `tests/` supplies random numbers,
//! `fuzz/` libFuzzer's input. Every buffer and context lies between guard pages ([`guarded`]).

#![warn(missing_docs)]

pub mod accumulated;
pub mod acvp;
mod aeads;
pub mod after_end;
mod blocks;
mod caps;
pub mod ffi;
pub mod guarded;
mod hash;
pub mod hashes;
mod in_out;
mod key;
pub mod length_limits;
mod macs;
mod mldsa;
mod mlkem;
pub mod oracle;
mod prehash;
pub mod slhdsa;
mod source;
mod streams;

pub use hash::cshake_of;
pub use macs::kmac_of;
pub use source::Source;

/// A target, which panics on a failure.
pub type Target = fn(&mut Source);

/// Every target. Their corpora are `fuzz/corpus/crypto_<name>`.
pub const TARGETS: &[(&str, Target)] = &[
    ("caps", caps::caps),
    ("cbc", blocks::cbc),
    ("ccm", aeads::ccm),
    ("cfb", streams::cfb),
    ("cfb1", streams::cfb1),
    ("cfb8", streams::cfb8),
    ("chacha20", streams::chacha20),
    ("chacha20_poly1305", aeads::chacha20_poly1305),
    ("cmac", macs::cmac),
    ("cshake", hash::cshake),
    ("ctr", streams::ctr),
    ("ecb", blocks::ecb),
    ("gcm", aeads::gcm),
    ("hash", hash::hash),
    ("hash_many", hash::hash_many),
    ("hmac", macs::hmac),
    ("kmac", macs::kmac),
    ("mldsa", mldsa::mldsa),
    ("mlkem", mlkem::mlkem),
    ("ocb", aeads::ocb),
    ("ofb", streams::ofb),
    ("poly1305", macs::poly1305),
    ("slhdsa", slhdsa::slhdsa),
    ("xof", hash::xof),
    ("xts", blocks::xts),
    ("xts_gb", blocks::xts_gb),
];

/// Runs a target on a fuzzer's input.
///
/// # Panics
/// If there is no such target, or if it fails.
pub fn fuzz(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|t| t.0 == name).expect("a known target").1;
    target(&mut Source::fuzzed(data));
}
