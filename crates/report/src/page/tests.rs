use super::*;
use capvec_record::testing::record;
use capvec_record::{ConfigurationRecord, CoreRecord, ParameterRecord};

fn loaded(name: &str, record: Record) -> Loaded {
    Loaded { name: name.into(), record: record.evaluate().unwrap() }
}

fn shown(record: Record) -> String {
    page(&[loaded("out/x/record.json", record)], "capvec report").unwrap()
}

/// The cells of every line of a page's tables. The page's own markup only: no cell holds another element.
pub fn cells(page: &str) -> Vec<Vec<String>> {
    let text = |t: &str| {
        let inner = t.split_once('>').map_or("", |(_, rest)| rest);
        let inner = inner.split('<').next().unwrap_or("");
        inner.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    };
    let lines = page.split("<tr>").skip(1).filter_map(|l| l.split("</tr>").next());
    lines.map(|l| l.split("<t").filter(|c| c.starts_with(['h', 'd'])).map(text).collect()).collect()
}

#[test]
fn every_number_in_the_table_is_from_the_record() {
    let record = record();
    let cells = cells(&shown(record.clone()));
    let [scalar, best] = [0, 1].map(|i| &record.rows[i]);
    let line = cells.iter().find(|l| l[0] == "aes-128-ecb").unwrap();
    let expected = [
        "aes-128-ecb".into(),
        "AES-128-ECB".into(),
        format!("{:.1}", scalar.kbps().unwrap()),
        "zvkned *".into(),
        format!("{:.1}", best.kbps().unwrap()),
        format!("{:.2}", 1e7 / 312_345.25),
        format!("{:.1} → {:.2}", 1e7 / 3.7 / 16384.0, 312_345.25 / 3.7 / 16384.0),
        format!("{:.1} → {:.2}", 1e7 / 16384.0, 312_345.25 / 16384.0),
        "pass".into(),
    ];
    assert_eq!(line, &expected);
    // Each row once more, as in the CSV.
    for row in record.evaluate().unwrap().figures() {
        let fields = row.fields();
        let same = |l: &&Vec<String>| {
            l[0] == row.case
                && [row.capset.clone(), fields[12].clone()].iter().all(|c| l.contains(c))
        };
        assert_eq!(cells.iter().filter(same).count(), 1, "{fields:?}");
    }
}

/// A record of many settings says how many there are, and its long table is folded and cut.
#[test]
fn what_is_long_is_counted_and_folded() {
    let with = |settings: usize| {
        let mut all = record();
        let rows = std::mem::take(&mut all.rows);
        for n in 0..settings {
            let (label, key) = (format!("karu64 (modified: {n})"), "dcache.miss".to_string());
            let (base, settings) = ("karu64".into(), vec![(key, n.to_string())]);
            let core = CoreRecord { label: label.clone(), base, settings, ..CoreRecord::default() };
            all.cores.push(core);
            all.rows.extend(rows.iter().map(|r| Row { core: label.clone(), ..r.clone() }));
        }
        shown(all)
    };
    let few = with(2);
    assert!(few.contains("karu64 (modified: 0), karu64 (modified: 1)"));
    assert!(!few.contains(" lines</summary>") && !few.contains("<summary>The first"));
    let many = with(700);
    assert!(many.contains("karu64 with 700 settings of dcache.miss"));
    assert!(!many.contains("karu64 (modified: 0), karu64 (modified: 1)"));
    assert!(many.contains("<summary>The first 600 of "));
}

#[test]
fn sections_exist_only_for_contents_of_the_record() {
    let has = |r: &Record, plot: &str| shown(r.clone()).contains(&format!("data-plot=\"{plot}\""));
    let mut r = record();
    assert!(has(&r, "cases"));
    assert!(["sets", "sizes", "vlens", "published"].iter().all(|p| !has(&r, p)));
    assert!(!shown(r.clone()).contains("id=\"tables\""));
    let with = |change: fn(&mut Row)| {
        let mut r = record();
        r.rows.push(r.rows[1].clone());
        change(&mut r.rows[4]);
        r
    };
    let (sizes, vlens) = (with(|r| r.bytes = 64), with(|r| r.vlen = 512));
    assert!(has(&sizes, "sizes") && !has(&sizes, "vlens"));
    assert!(has(&vlens, "vlens") && !has(&vlens, "sizes"));
    // A second VLEN counts only for the same core.
    assert!(!has(&with(|r| (r.vlen, r.core) = (512, "x".into())), "vlens"));
    // 209.5 kB/s were published for SHA-256; without configurations, the name of the set counts.
    r.configurations.clear();
    let row = &mut r.rows[2];
    (row.case, row.capstring) = ("sha256".into(), "rv64gc".into());
    row.ops_per_s = Some(209.5 * 1.05 * 1e3 / row.bytes as f64);
    assert!(has(&r, "published") && shown(r).contains("+5 %"));
}

#[test]
fn text_from_a_record_cannot_become_markup_or_script() {
    let evil = "</script><img src=x onerror=alert(1)>\"'--><!--";
    let mut r = record();
    for row in &mut r.rows {
        for field in
            [&mut row.case, &mut row.algorithm, &mut row.capset, &mut row.answers, &mut row.version]
        {
            field.push_str(evil);
        }
    }
    r.command = vec![evil.into()];
    r.tool = evil.into();
    r.method = evil.into();
    let ConfigurationRecord { library, warnings, .. } = &mut r.configurations[0];
    (*library, *warnings) = (evil.into(), vec![evil.into()]);
    let plain = shown(record());
    let page = page(&[loaded(evil, r)], evil).unwrap();
    assert!(!page.contains("<img"));
    // The page has no more scripts and comments than that of an ordinary record.
    for mark in ["<script", "</script", "<!--", "-->", "onerror=alert(1)>"] {
        assert_eq!(page.matches(mark).count(), plain.matches(mark).count(), "{mark}");
    }
}

#[test]
fn faults_are_shown_before_the_figures() {
    let mut r = record();
    assert!(!shown(r.clone()).contains("Before you read"));
    r.rows[1].answers = "wrong: block 3".into();
    r.self_check = "1001 instead of 1000".into();
    let page = shown(r);
    let before = page.split("<section").next().unwrap();
    assert!(before.contains("wrong: block 3") && before.contains("1001 instead of 1000"));
    assert!(page.contains("<td class=\"fail\">wrong: block 3</td>"));
}

/// The page's policy forbids every request; the markup must not even try one.
#[test]
fn nothing_is_fetched_and_the_file_is_small() {
    let page = shown(record());
    let (head, _) = page.split_once("<script type=\"application/json\"").unwrap();
    let markup = head.replace(STYLE, "");
    for mark in [" src=", "<link", "@import", "url(", "<iframe", "<base"] {
        assert!(!markup.contains(mark), "{mark}");
    }
    assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
    assert!(page.contains("default-src 'none'"));
    // Browsers take the digest of what they have parsed, in which CR LF has become LF.
    assert!(SCRIPTS.iter().chain([&FIRST]).all(|s| !s.contains('\r') && !s.contains("</script")));
    assert!(page.len() < 600_000, "{}", page.len());
}

/// The files are those that their publishers released: see assets/vendor/README.md.
#[test]
fn libraries_have_the_pinned_digests() {
    use sha2::{Digest, Sha256};
    let readme = include_str!("../../assets/vendor/README.md");
    for script in &SCRIPTS[..2] {
        let digest: String =
            Sha256::digest(script.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        assert!(readme.contains(&digest), "{digest}");
    }
}

/// No two cores share a name anywhere in the page.
#[test]
fn cores_of_one_name_have_two_names_in_the_page() {
    let runs = [("aa", 7.5), ("bb", 4.0)].map(|(digest, startup)| {
        let mut record = record();
        record.rows.iter_mut().for_each(|r| r.core_digest = digest.into());
        let key = "vector.startup".to_string();
        record.cores = vec![CoreRecord {
            name: "karu64".into(),
            label: "karu64".into(),
            base: "karu64".into(),
            digest: digest.into(),
            parameters: vec![
                ParameterRecord { key, value: startup.into(), ..Default::default() }.into(),
            ],
            ..CoreRecord::default()
        }];
        loaded("out/record.json", record)
    });
    let page = page(&runs, "Two").unwrap();
    let line = page.lines().find(|l| l.contains("class=\"sub\"")).unwrap();
    let names = ["karu64 (vector.startup 7.5)", "karu64 (vector.startup 4)"];
    assert!(line.contains(&names.join(", ")), "{line}");
    let data = page.split("id=\"data\"").nth(1).unwrap();
    for name in names {
        assert!(
            page.contains(&format!("<h3 class=\"run\">{name}: out/record.json</h3>")),
            "{name}"
        );
        assert!(data.contains(&format!("\"{name}\"")), "{name}");
    }
}

/// Headings, warnings, the card and the data of plots have the same labels.
#[test]
fn records_that_differ_in_vlen_are_called_by_it() {
    let runs = [128, 512].map(|vlen| {
        let mut record = record();
        record.rows.iter_mut().for_each(|r| r.vlen = vlen);
        record.target.warnings = vec!["noisy".into()];
        loaded(&format!("out/{vlen}.json"), record)
    });
    let page = page(&runs, "Two").unwrap();
    for said in [
        "<h3 class=\"run\">karu64, VLEN 128: out/128.json</h3>",
        "<h3 class=\"run\">karu64, VLEN 512: out/512.json</h3>",
        "<li>karu64, VLEN 128: noisy</li>",
        "AES-128-ECB with zvkned, karu64, VLEN ",
        "\"karu64, VLEN 128\",",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("run 1") && !page.contains("Run 1"));
}
