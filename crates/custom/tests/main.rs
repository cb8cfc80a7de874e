//! The tests of the crate from outside, as one program. What a file registers stays until the process ends, so each
//! example is registered once.

mod butterfly;
mod engines;
mod faults;
mod header;
mod keccak;
mod lengths;
mod prices;
mod reach;
mod rotate;
mod widths;

use capvec_isa::{Ext, Op};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The file of an example.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/instructions")
        .join(name)
        .with_extension("toml")
}

fn registered(name: &str) -> (Ext, Vec<Op>) {
    let extension = capvec_custom::read(&example(name)).unwrap_or_else(|e| panic!("{e}"));
    extension.register().unwrap_or_else(|e| panic!("{e}"))
}

macro_rules! examples {
    ($($name:ident)*) => { $(
        pub fn $name() -> &'static (Ext, Vec<Op>) {
            static ONCE: OnceLock<(Ext, Vec<Op>)> = OnceLock::new();
            ONCE.get_or_init(|| registered(stringify!($name)))
        }
    )* };
}

examples! { xrotxor xbutterfly xkeccak xreach xwiden }
