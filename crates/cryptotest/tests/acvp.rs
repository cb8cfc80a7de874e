//! Signatures of NIST's ACVP: the selection of `vectors/signatures`, or all of a file that `capvec-vectorgen --acvp DIR OUT` wrote.

use capvec_cryptotest::acvp::vectors;

/// The vectors of a file that libcapvec fails, and how many there are.
fn failures(text: &str) -> (Vec<String>, usize) {
    let vectors = vectors(text);
    let wrong = vectors.iter().filter(|v| !v.holds()).map(|v| v.id().to_string());
    (wrong.collect(), vectors.len())
}

#[test]
fn signatures_of_acvp() {
    let (wrong, count) = failures(include_str!("../../../vectors/signatures/acvp.txt"));
    assert!(count >= 100, "{count} vectors");
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_wrong_answer_is_noticed() {
    let text = include_str!("../../../vectors/signatures/acvp.txt");
    let swapped = text.replace("out-fnv1a64 = ", "out-fnv1a64 = 0").replace("result = invalid", "");
    let (wrong, count) = failures(&swapped);
    let accepted =
        text.matches("operation = verify").count() - text.matches("result = invalid").count();
    assert_eq!(wrong.len(), count - accepted);
}

#[test]
#[ignore = "minutes: CAPVEC_SIGNATURES=FILE cargo test -p capvec-cryptotest --test all -- --ignored acvp::"]
fn all_signatures_of_a_file() {
    let file = std::env::var("CAPVEC_SIGNATURES").expect("CAPVEC_SIGNATURES names a file");
    let text = std::fs::read_to_string(&file).expect("the file");
    let (wrong, count) = failures(&text);
    println!("{} of {count} vectors fail: {wrong:?}", wrong.len());
    assert!(count > 0 && wrong.is_empty());
}
