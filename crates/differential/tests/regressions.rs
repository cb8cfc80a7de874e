//! Replays the differences that were decided.

use capvec_differential::regression::Regression;
use capvec_differential::run::EngineKind;
use std::path::Path;

#[test]
fn kept_differences_are_as_decided() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let mut count = 0;
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let test = Regression::read(&path).unwrap();
        assert!(!test.reason.contains("UNDECIDED"), "{}: who is right?", path.display());
        for engine in [EngineKind::Plain, EngineKind::Observed] {
            let outcome = test.replay(engine).unwrap();
            assert_eq!(outcome, test.expect, "{} ({engine:?})", path.display());
        }
        count += 1;
    }
    assert!(count > 0, "no test files");
}
