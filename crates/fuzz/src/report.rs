//! Records from an untrusted source.

use capvec_record::Evaluated;
use capvec_record::compare::{Options, compare};
use capvec_record::read::parse;
use capvec_record::view;
use capvec_report::{Input, page, page_with, parse_any};

/// Record files. A file that parses is written back with the same meaning, and its tables can be made.
pub fn record(data: &[u8]) {
    let Ok(record) = parse(data) else { return };
    let json = |record: &Evaluated| serde_json::to_string(record).unwrap_or_else(|e| panic!("{e}"));
    let again = |text: &str| parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e:#}: {text}"));
    let text = json(&record);
    let same = again(&text);
    // The figures of a CSV are rounded, so its ratios differ from those of a record with all digits.
    let text = if data.trim_ascii_start().starts_with(b"{") { text } else { json(&same) };
    assert_eq!(json(&again(&text)), text);
    view::text(&record, Some(80)).unwrap_or_else(|e| panic!("{e:#}"));
    if let Ok(same) =
        compare(&record, &record, &Options { fail_over: Some(0.0), ..Options::default() })
    {
        assert!(!same.failed(), "{}", same.text(false, None));
        same.markdown(true);
    }
}

/// Report pages. A record can add text to a page, but no element that the page does not make itself.
pub fn report(data: &[u8]) {
    let name = String::from_utf8_lossy(data).into_owned();
    let page = match parse_any(&name, data) {
        Ok(Input::Record(run)) => page(&[*run], &name),
        Ok(Input::Other(found)) => page_with(&[], &[*found], &name),
        Err(_) => return,
    };
    let page = page.unwrap_or_else(|e| panic!("{e:#}"));
    // The first script, the data, two libraries, the page's own script.
    assert_eq!(page.matches("<script").count(), 5, "{name:?}");
    assert_eq!(page.matches("</script").count(), 5, "{name:?}");
    assert_eq!(page.matches("<!--").count(), 1, "{name:?}");
    assert!(!page.contains("<img"), "{name:?}");
}
