//! Programs that only tests run in the guest, with their sources from `crypto/test/guest/` and
//! `crypto/test/provider/`.

#![warn(missing_docs)]

use capvec_guest::{Program, ProgramSpec};

mod parts {
    include!(concat!(env!("OUT_DIR"), "/parts.rs"));
}

/// Checks what kernels leave in registers. See `crypto/test/guest/abi.c`.
pub const ABI: Program = Program::Described(&ProgramSpec {
    name: "abi",
    parts: &[&parts::ABI],
    library: true,
    secrets: false,
});
/// Checks which memory kernels read and write, and that they agree with portable C. See `crypto/test/guest/guard.c`.
pub const GUARD: Program = Program::Described(&ProgramSpec {
    name: "guard",
    parts: &[&parts::GUARD],
    library: true,
    secrets: false,
});
/// Checks the bounds on which lazy reductions rely. See `crypto/test/guest/bounds.c`.
pub const BOUNDS: Program = Program::Described(&ProgramSpec {
    name: "bounds",
    parts: &[&parts::BOUNDS],
    library: true,
    secrets: false,
});
/// Works with keys that are marked as secret; takes the name of a scheme. See `crypto/test/guest/secrets.c`.
pub const SECRETS: Program = Program::Described(&ProgramSpec {
    name: "secrets",
    parts: &[&parts::SECRETS],
    library: true,
    secrets: true,
});
/// Prints which kernel serves which operation. See `crypto/test/guest/table.c`.
pub const TABLE: Program = Program::Described(&ProgramSpec {
    name: "table",
    parts: &[&parts::TABLE],
    library: true,
    secrets: false,
});
/// Measures many messages hashed at once. See `crypto/test/guest/many.c`.
pub const MANY: Program = Program::Described(&ProgramSpec {
    name: "many",
    parts: &[&parts::MANY],
    library: true,
    secrets: false,
});
/// Compares the provider with OpenSSL's own algorithms; reads `PATH SEED ROUNDS`. See `crypto/test/provider/compare.c`.
pub const COMPARE: Program = Program::Described(&ProgramSpec {
    name: "compare",
    parts: &[&parts::COMPARE],
    library: false,
    secrets: false,
});
