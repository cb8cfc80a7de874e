//! Names and lines of the RTL.

use capvec_rtl::{Source, style};

#[test]
fn names_and_lines_of_the_rtl_follow_the_rules() {
    let mut complaints = Vec::new();
    for directory in ["zvku", "core", "zkr", "sim", "formal"] {
        let source = Source::load(&[directory]).expect("the sources");
        assert!(!source.files.is_empty(), "{directory}");
        complaints
            .extend(source.files.iter().flat_map(|(file, text)| style::complaints(file, text)));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
