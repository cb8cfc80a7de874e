use super::*;
use capvec_record::{Record, Row};

/// A core with a parameter that was set to `datapath`, and one that was not; its rows have two capability sets.
fn run() -> Loaded {
    let mut record = Record::default();
    for datapath in ["128", "256"] {
        let label = format!("c (vector.datapath {datapath})");
        let own: Value = json!({
            "name": "c", "label": label, "base": "c", "settings": [["vector.datapath", datapath]],
            "parameters": [
                { "key": "vector.datapath", "value": 64 },
                { "key": "vector.issue", "value": "in-order" },
            ],
        });
        record.cores.push(serde_json::from_value(own).unwrap());
        record.rows.extend(["scalar", "full"].map(|capset| Row {
            core: label.clone(),
            vlen: 256,
            capset: capset.into(),
            ..Row::default()
        }));
    }
    Loaded { name: "x".into(), record: record.evaluate().unwrap() }
}

fn given(text: &str) -> Result<Given> {
    Given::of("area.csv", text, &[run()])
}

#[test]
fn lines_are_joined_by_what_the_columns_say() {
    let lines = |text: &str| given(text).unwrap().rows;
    let all = "\u{feff}vector.datapath, area [kGE] ,source\r\n128.0,1.5,a\r\n256,2,\"b, c\"\r\n";
    assert_eq!(lines(all), [Some(0), Some(0), Some(1), Some(1)]);
    let sets = "core,vlen,caps,area [kGE],power [mW],source\nc,256,full,1,2,a\n";
    assert_eq!(lines(sets), [None, Some(0), None, Some(0)]);
    // A parameter that was not set has the core's own value.
    let own = "vector.issue,area [kGE],source\nin-order,1,a\n";
    assert_eq!(lines(own), [Some(0); 4]);
}

#[test]
fn the_page_has_figures_with_sources_and_says_what_has_none() {
    let text = "vector.datapath,caps,area [kGE],source\n128,full,1.5,<b> & c\n";
    let given = given(text).unwrap();
    let html = given.html();
    assert!(
        html.contains("area.csv") && html.contains("&lt;b&gt; &amp; c") && html.contains("1.5")
    );
    for without in ["128, caps scalar", "256, caps full", "256, caps scalar"] {
        assert!(html.contains(&format!("vector.datapath {without}")), "{html}");
    }
    assert!(!html.contains("128, caps full"), "{html}");
    assert!(given.said().contains("area [kGE]") && given.said().contains("area.csv"));
}

#[test]
fn errors_name_the_place_and_the_remedy() {
    for (text, error) in [
        ("", "no column \"source\"; add one"),
        ("core,area [kGE]\n", "no column \"source\"; add one"),
        ("core,source\n", "no column with a figure; add one with its unit"),
        ("area [kGE],source\n", "no column says which configurations a line is of; add core"),
        ("core,area,source\n", "column \"area\" is neither a figure nor a parameter"),
        ("core,core,area [kGE],source\n", "two columns \"core\"; remove one"),
        (
            "core,area [kGE],source\nc,big,a\n",
            "line 1 of data: area [kGE]: \"big\" is not a number",
        ),
        (
            "core,area [kGE],source\nc,inf,a\n",
            "line 1 of data: area [kGE]: \"inf\" is not a number",
        ),
        ("core,area [kGE],source\nc,1\n", "line 1 of data: 2 fields, not 3"),
        ("core,area [kGE],source\nc,1,\n", "line 1 of data: no source; say where"),
        (
            "core,area [kGE],source\nc,1,a\nother,1,a\n",
            "line 2 of data is of no configuration in these records: core other; correct or remove it",
        ),
        (
            "vlen,area [kGE],source\n256,1,a\n256.0,2,a\n",
            "lines 1 and 2 of data are of the same configuration; remove one",
        ),
    ] {
        let found = format!("{:#}", given(text).unwrap_err());
        assert!(found.contains(error), "{text:?}: {found}");
    }
}

#[test]
fn an_unreadable_file_is_named() {
    let error = Given::read(Path::new("/nowhere/area.csv"), &[run()]).unwrap_err().to_string();
    assert!(error.starts_with("--figures /nowhere/area.csv: cannot be read: "), "{error}");
}
