//! The parts of a release have the same version.

use std::path::Path;

#[test]
fn the_library_has_the_version_of_the_tool() {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crypto/include/capvec.h");
    let header = std::fs::read_to_string(header).expect("the header");
    let line = concat!("#define CV_VERSION \"", env!("CARGO_PKG_VERSION"), "\"");
    assert!(header.lines().any(|l| l == line), "capvec.h lacks: {line}");
}
