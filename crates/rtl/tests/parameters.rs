//! Values of parameters that the RTL does not support do not elaborate.

use crate::common;
use capvec_rtl::hart::{self, DIRECTORIES};
use capvec_rtl::model::Parameters as _;
use capvec_rtl::{DRAFTS, Design, Parameters, Source, Verilator};

/// Neither lint nor the build that makes a model accepts the design, and both say why.
fn refused(verilator: &Verilator, directories: &[&str], design: &Design, why: &str) {
    let source = Source::load(directories).expect("the sources");
    let models = tempfile::tempdir().expect("a directory");
    let lint = design.lint(verilator, &source, models.path());
    let build = design.build(verilator, &source, models.path()).map(|_| ());
    for outcome in [lint, build] {
        let text = format!("{:#}", outcome.expect_err("it elaborates"));
        assert!(text.contains("USERFATAL") && text.contains(why), "{text}");
    }
}

#[test]
fn the_unit_refuses_what_it_does_not_support() {
    let Some(verilator) = common::verilator() else { return };
    let all = Parameters::all(256, 128);
    for (parameters, why) in [
        (Parameters { vlen: 64, dlen: 64, ..all.clone() }, "VLEN must be"),
        (Parameters { vlen: 2048, ..all.clone() }, "VLEN must be"),
        (Parameters { dlen: 32, ..all.clone() }, "DLEN must be"),
        (Parameters { dlen: 512, ..all.clone() }, "DLEN must be"),
        (Parameters { on: vec![], ..all.clone() }, "one extension must be on"),
        (all.clone().with(&["Zvknhk0p1", "Zvknhk0p2"]), "the same encoding"),
    ] {
        refused(&verilator, &["zvku"], &parameters.design(), why);
    }
}

#[test]
fn the_core_refuses_what_it_does_not_support() {
    let Some(verilator) = common::verilator() else { return };
    let usual = hart::Parameters { vlen: 256, dlen: 128, memory: 1 << 20, drafts: &[] };
    for (parameters, why) in [
        (hart::Parameters { memory: (1 << 20) + 1, ..usual.clone() }, "multiples of 4096"),
        (hart::Parameters { memory: 0, ..usual.clone() }, "multiples of 4096"),
        (hart::Parameters { vlen: 192, ..usual.clone() }, "VLEN must be"),
        (hart::Parameters { drafts: &DRAFTS, ..usual.clone() }, "the same encoding"),
    ] {
        refused(&verilator, &DIRECTORIES, &parameters.design(), why);
    }
}
