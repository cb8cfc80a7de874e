//! The length limits of every mode.

use capvec_cryptotest::{Source, limits};

/// `CAPVEC_SEED`, or a new seed each time.
fn seed() -> u64 {
    let given =
        std::env::var("CAPVEC_SEED").map(|s| s.parse().expect("CAPVEC_SEED must be a number"));
    let seed = given.unwrap_or_else(|_| std::process::id().into());
    println!("CAPVEC_SEED={seed}");
    seed
}

macro_rules! limits {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                limits::$name(&mut Source::random(seed()));
            }
        )*
    };
}

limits! { ocb gcm ccm chacha20_poly1305 xts }
