//! Output of `doctor` and `kat` in a report. The files are real output, shortened.

use capvec_record::read::load;
use capvec_report::{Input, OtherRecord, input, page_with, parse_any};
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/records/{name}.json"))
}

fn found(name: &str) -> OtherRecord {
    match input(&file(name)).unwrap() {
        Input::Other(found) => *found,
        Input::Record(r) => panic!("{} is a record", r.name),
    }
}

#[test]
fn verdicts_and_known_answers_have_tables() {
    let page = page_with(&[], &[found("doctor"), found("kat")], "Both").unwrap();
    for text in [
        "<h2 id=\"doctor-h\">Doctor</h2>",
        "<td>hidden by kernel</td>",
        "<strong>1 of 2</strong> <span>operations slower than this library could be on sim (karu64)</span>",
        "<dt>Target</dt><dd>sim</dd>",
        "<h2 id=\"kat-h\">Known answers</h2>",
        "<strong>1 of 677</strong> <span>vectors failed on native, counted in each configuration: 339 vectors in 2 configurations</span>",
        "sha256 with scalar: 1 of 339 vectors failed: wrong of wrong.txt: ",
        "<td class=\"fail\">1 FAIL</td>",
    ] {
        assert!(page.contains(text), "{text}\n{}", page.split("<script type").next().unwrap());
    }
    // Without figures, the page does not mention figures.
    assert!(!page.contains("id=\"figures\"") && !page.contains("0 of 0"));
}

/// The gains of an exploration are in its tables, and in the data of three plots.
#[test]
fn explorations_have_plots() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/report/explore");
    let Input::Other(explored) = input(&path).unwrap() else { panic!("no record") };
    let page = page_with(&[], &[*explored], "Gains").unwrap();
    let section = page.split("<section id=\"explore\"").nth(1).unwrap();
    let section = section.split("</section>").next().unwrap();
    let plots: Vec<&str> = section.split("data-plot=\"").skip(1).collect();
    let plots: Vec<&str> = plots.iter().map(|p| p.split('"').next().unwrap()).collect();
    assert_eq!(plots, ["gains", "latencies", "gains-by-vlen"]);
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let gains = data["explored"].as_array().unwrap();
    assert_eq!(gains.len(), 4);
    let at = |vlen: u64, price: serde_json::Value| {
        let own = gains.iter().find(|g| g["vlen"] == vlen && g["price"] == price);
        own.and_then(|g| g["gain"].as_f64()).unwrap()
    };
    assert_eq!(at(256, "core".into()), 40683.84375 / 7439.09375);
    assert_eq!(at(512, "core".into()), 40683.84375 / 8533.09375);
    assert_eq!(at(256, "free".into()), 40683.84375 / 7080.09375);
    assert_eq!(at(256, 25.into()), 40683.84375 / 7441.09375);
}

/// Cards distinguish two targets in one page, and verdicts have the doctor's names.
#[test]
fn cards_name_their_target_and_verdicts_have_the_doctors_names() {
    let dir = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(file("doctor")).unwrap();
    let text = text.replace("\"sim\"", "\"native\"").replace("\"riscv64\"", "\"x86_64\"");
    let path = dir.path().join("other.json");
    std::fs::write(&path, text.replace("hidden-by-kernel", "faster-exists")).unwrap();
    let Input::Other(other) = input(&path).unwrap() else { panic!("a record") };
    let page = page_with(&[], &[found("doctor"), *other], "Both").unwrap();
    for text in [
        "slower than this library could be on sim (karu64)</span>",
        "<strong>1 of 2</strong> <span>operations for which faster code exists on native (x86_64)</span>",
        "<h3 class=\"run\">sim (karu64): ",
        "<h3 class=\"run\">native (x86_64): ",
        "<td>faster code exists</td>",
    ] {
        assert!(page.contains(text), "{text}\n{}", page.split("<script type").next().unwrap());
    }
}

/// If two diagnoses share a target, or if only files were examined, cards name the input file.
#[test]
fn cards_of_one_target_name_their_file() {
    let [mut first, mut second] = [found("doctor"), found("doctor")];
    (first.name, second.name) = ("a.json".into(), "b.json".into());
    let page = page_with(&[], &[first, second, found("kat")], "Both").unwrap();
    for text in [
        "could be on sim (karu64) in a.json</span>",
        "could be on sim (karu64) in b.json</span>",
        "vectors failed on native, counted",
    ] {
        assert!(page.contains(text), "{text}\n{}", page.split("<script type").next().unwrap());
    }
    let files = br#"{"diagnosis":null,"files":[{"path":"x","slower":true}]}"#;
    let files = |name: &str| match parse_any(name, files).unwrap() {
        Input::Other(found) => *found,
        Input::Record(_) => panic!("a record"),
    };
    let page = page_with(&[], &[files("a.json"), files("b.json")], "Files").unwrap();
    assert!(page.contains("could be in a.json</span>"), "{page}");
}

#[test]
fn output_of_doctor_and_kat_is_shown_with_records_but_is_no_record() {
    let run = load(&file("native")).unwrap();
    let page = page_with(&[run], &[found("doctor")], "Both").unwrap();
    assert!(page.contains("id=\"doctor\"") && page.contains("id=\"results\""));
    assert!(!page.contains("id=\"kat\""));
    let e = format!("{:#}", load(&file("kat")).unwrap_err());
    assert!(
        e.contains("it was written by `capvec kat` and is not a record of `capvec bench`"),
        "{e}"
    );
}

#[test]
fn text_from_doctor_and_kat_cannot_become_markup() {
    let evil = "</script><img src=x onerror=alert(1)>";
    for name in ["doctor", "kat"] {
        let dir = tempfile::tempdir().unwrap();
        let text = std::fs::read_to_string(file(name)).unwrap();
        let text = text.replace("SHA-256", evil).replace("sha256", evil).replace("sim", evil);
        let path = dir.path().join("x.json");
        std::fs::write(&path, text).unwrap();
        let Input::Other(found) = input(&path).unwrap() else { panic!("a record") };
        let page = page_with(&[], &[*found], evil).unwrap();
        assert!(!page.contains("<img") && page.contains("&lt;img"), "{name}");
    }
}
