//! The tests of this crate are one program, because each program costs a link. `random.rs` has a process of its own: it changes
//! the state that all threads share.

mod accumulated;
mod acvp;
mod after_end;
mod builds;
mod length_limits;
mod nist_samples;
mod slhdsa;

/// `CAPVEC_SEED`, or a new seed each time.
fn seed() -> u64 {
    let given =
        std::env::var("CAPVEC_SEED").map(|s| s.parse().expect("CAPVEC_SEED must be a number"));
    let seed = given.unwrap_or_else(|_| std::process::id().into());
    println!("CAPVEC_SEED={seed}");
    seed
}
