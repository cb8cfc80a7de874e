use super::*;

#[test]
fn rules_give_small_figures_more_decimals() {
    let shown = [0.0742, 7.42, 74.2, 742.0].map(|v| PER_BYTE.show(Some(v)));
    assert_eq!(shown, ["0.074", "7.42", "74.20", "742.0"]);
    let shown = [0.5, 5.0, 50.0].map(|v| PEERS.show(Some(v)));
    assert_eq!(shown, ["0.5000", "5.000", "50.00"]);
    assert_eq!(
        (COMPARED.show(Some(-12.5)), COMPARED.show(Some(12_345.6))),
        ("-12.50".into(), "12346".into())
    );
    assert_eq!((BUILDS.show(Some(123.4)), BUILDS.show(None)), ("123".into(), "–".into()));
}

/// A missing figure is a dash in a table and nothing in a CSV, which programs read.
#[test]
fn missing_figures_and_changes() {
    assert_eq!((RATIO.show(None), RATIO.field(None)), ("–".into(), String::new()));
    assert_eq!((RATIO.show(Some(1.5)), RATIO.field(Some(1.5))), ("1.50".into(), "1.50".into()));
    let changes = [CHANGE.change(2.0), SMALL_CHANGE.change(-0.0003), CHANGE.change(-0.0003)];
    assert_eq!(changes, ["+2.00 %", "-0.0003 %", "-0.00 %"]);
    assert_eq!([9.9994, 10.0].map(|v| EVIDENCE.text(v)), ["9.999", "10.0"]);
}

#[test]
fn shares_of_a_run_have_two_decimals() {
    assert_eq!([share(1, 3), share(2, 2), share(0, 0)], ["33.33", "100.00", "0.00"]);
}

#[test]
fn sizes_are_whole_numbers_of_their_unit() {
    let shown = [1, 64, 1000, 1024, 1536, 16384, 1 << 20, 3 << 19, 1 << 30].map(size);
    let expected = [
        "1 byte",
        "64 bytes",
        "1000 bytes",
        "1 KiB",
        "1536 bytes",
        "16 KiB",
        "1 MiB",
        "1536 KiB",
        "1 GiB",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn space_is_rounded_to_a_tenth() {
    let shown = [0, 51, 52, 1536, (1 << 20) - 1, 3 << 19, (1 << 30) - 1, 2_362_955_858];
    let expected =
        ["0.0 KiB", "0.0 KiB", "0.1 KiB", "1.5 KiB", "1.0 MiB", "1.5 MiB", "1.0 GiB", "2.2 GiB"];
    assert_eq!(shown.map(space), expected);
    assert_eq!(space(u64::MAX), "17179869184.0 GiB");
}

#[test]
fn groups_have_three_digits() {
    let shown = [0, 999, 1_000, 12_345_678].map(|n| grouped(n, '_'));
    assert_eq!(shown, ["0", "999", "1_000", "12_345_678"]);
    assert_eq!(grouped(1_234_567, ','), "1,234,567");
}

#[test]
fn counts_keep_four_digits() {
    let shown =
        [0.0, 187.0, 9999.0, 9999.7, 10_000.0, 123_449.0, 999_960.0, 1_402_327.25, 4.1639e9];
    let shown = shown.map(|v| count(Some(v)));
    let expected = ["0", "187", "9999", "10.00k", "10.00k", "123.4k", "1.000M", "1.402M", "4.164G"];
    assert_eq!(shown, expected);
    assert_eq!(count(None), "–");
}

#[test]
fn rates_keep_three_digits() {
    let shown = [12345.67, 123.45, 12.345, 0.012345].map(|v| rate(Some(v)));
    assert_eq!(shown, ["12345.7", "123.5", "12.3", "0.0123"]);
    assert_eq!(rate(None), "–");
}
