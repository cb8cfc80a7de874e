//! No files of this crate import each other in a circle: neither those of a folder, nor a folder's own file and those in it.

use capvec_layers::{circles, files, imports, report};

use crate::layers::root;

#[test]
fn files_import_each_other_in_no_circle() {
    let lines = report(&circles(imports(&files(&root()))));
    assert!(lines.is_empty(), "these files import each other:\n{lines}");
}
