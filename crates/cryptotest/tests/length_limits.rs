//! The length limits of every mode.

use capvec_cryptotest::{Source, length_limits};

macro_rules! limits {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                length_limits::$name(&mut Source::random(crate::seed()));
            }
        )*
    };
}

limits! { ocb gcm ccm chacha20_poly1305 xts }
