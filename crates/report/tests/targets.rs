//! A report's sentences fit the target of its record. The records of each target are real ones, shortened.

use crate::changed;
use capvec_record::compare::{Options, compare};
use capvec_record::read::{Loaded, load};
use capvec_record::shown::Tables;
use capvec_record::{Evaluated, Figure, Row, view};
use capvec_report::page;
use std::path::Path;

const ALL: [&str; 7] =
    ["simulator", "ideal", "native", "qemu-aarch64", "qemu-x86_64", "qemu-riscv64", "ssh"];

fn record(name: &str) -> Loaded {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/records/{name}.json"));
    load(&file).unwrap()
}

/// The board's record, with another architecture.
fn board(arch: &str) -> Loaded {
    changed(&record("ssh"), |board| board.target.architecture = arch.into())
}

/// The text of the page before scripts run, with one element on each line.
fn text(run: &Loaded) -> String {
    let page = page(std::slice::from_ref(run), "A report").unwrap();
    let body = page.split("<body>").nth(1).unwrap();
    let body = body.split("<script type=\"application/json\"").next().unwrap();
    let parts = body.split('<').filter_map(|p| p.split_once('>')).map(|(_, text)| text.trim());
    let lines: Vec<String> = parts
        .filter(|t| !t.is_empty())
        .map(|t| t.replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'"))
        .collect();
    lines.join("\n")
}

/// Checks which texts the page contains, and which it must not contain.
fn check(run: &Loaded, says: &[&str], never: &[&str]) {
    let text = text(run);
    for s in says {
        assert!(text.contains(s), "{}: missing: {s}\n{text}", run.name);
    }
    for s in never {
        assert!(!text.contains(s), "{}: must not contain: {s}\n{text}", run.name);
    }
}

/// Texts that are true only for the simulator.
const MODELLED: [&str; 5] =
    ["core model", "plain rv64gc", "simulated", "extensions of the hart", "cycles/byte"];

#[test]
fn a_report_of_the_simulator_says_that_cycles_are_modelled() {
    for (name, core) in [("simulator", "karu64"), ("ideal", "ideal")] {
        let says = [
            &format!("OpenSSL 3.5.7 9 Jun 2026 · {core} · VLEN 256 · simulated") as &str,
            "How many times the speed of the set scalar, on the same core model (scalar: plain rv64gc).",
            "Speed-up by case",
            "largest speed-up over scalar, decryption not counted: AES-128-ECB encryption with",
            "a loop of known length is counted exactly",
            "extensions of the hart",
            "nothing is wall-clock time",
        ];
        check(
            &record(name),
            &says,
            &["Before you read", "clock of the same machine", "OPENSSL_ia32cap", "spread %"],
        );
    }
}

#[test]
fn a_report_of_a_machine_says_how_good_its_clock_and_counter_are() {
    let run = record("native");
    let says = [
        "native (x86_64)",
        "How many times the speed of the set scalar, by the clock of the same machine (scalar: the library is configured by \
         OPENSSL_ia32cap to use none of the extensions that capvec knows).",
        "largest speed-up over scalar, decryption not counted: AES-128-ECB encryption with auto",
        "nothing counts instructions there",
        "measured times vary by more than 2 %",
        "/usr/lib/x86_64-linux-gnu/libcrypto.so.3 (SHA-256 ",
        "spread % scalar → best",
        "extensions of the set",
    ];
    let never = ["VLEN", "rv64gc", "riscv", "exact", "vlen 0"];
    check(&run, &says, &[&never[..], &MODELLED].concat());
    // Findings do not name a VLEN either.
    let wrong = changed(&run, |r| {
        r.rows[1].answers = "wrong answer".into();
        r.configurations[0].unchanged = vec!["aes-128-ecb".into()];
    });
    let says = [
        "aes-128-ecb dec with scalar: answers: wrong answer",
        "capability set scalar: aes-128-ecb cost the same as with the largest set",
    ];
    check(&wrong, &says, &["VLEN"]);
}

#[test]
fn a_report_of_a_board_names_the_variable_of_its_architecture() {
    let scalar = [
        ("x86_64", "configured by OPENSSL_ia32cap to use none"),
        ("aarch64", "configured by OPENSSL_armcap to use none"),
        ("riscv64", "configured by OPENSSL_riscvcap to use rv64gc only"),
    ];
    for (arch, configured) in scalar {
        let place = format!("ssh:board ({arch})");
        let says = [place.as_str(), configured, "clock of the same machine"];
        check(&board(arch), &says, &[&["exact"][..], &MODELLED].concat());
    }
    // A CSV, or a record from a version that did not store the architecture.
    check(&board(""), &["configured to use no extension"], &["()", "OPENSSL_armcap to", "rv64gc"]);
}

#[test]
fn a_report_of_an_emulator_has_counts_and_no_speeds() {
    let scalar = [
        ("x86_64", "configured by OPENSSL_ia32cap to use none"),
        ("aarch64", "configured by OPENSSL_armcap to use none"),
        ("riscv64", "configured by OPENSSL_riscvcap to use rv64gc only"),
    ];
    for (arch, configured) in scalar {
        let run = record(&format!("qemu-{arch}"));
        let says = [
            &format!("qemu:{arch} ({arch})") as &str,
            configured,
            "How many times as many instructions the set scalar takes",
            "not times",
            "Fewer instructions by case",
            "largest ratio of instructions over scalar, decryption not counted: AES-128-ECB encryption with auto",
            "trace: a loop of known length is counted correctly",
            "libcrypto.so.3 (SHA-256 ",
        ];
        let never = ["speed-up", "Speed-up", "kB/s", "ops/s", "speed of", "clock", "spread"];
        check(&run, &says, &[&never[..], &MODELLED].concat());
        assert_eq!(text(&run).contains("VLEN"), arch == "riscv64");
        // An older record calls the ratio a speed-up; the page does not, and neither does the record when it is written again.
        check(&run, &["insns_ratio", "insns ratio"], &["speedup"]);
        assert!(run.record.figures().all(|r| r.derived.speedup.is_none()));
        assert!(run.record.figures().any(|r| r.derived.insns_ratio.is_some()));
    }
}

/// The largest figure at the top is also in a table, so it cannot belong to decryption, which has no line there.
#[test]
fn the_card_shows_a_figure_of_the_table() {
    for name in ALL {
        let run = changed(&record(name), |r| {
            let faster = |r: &&mut Row| r.direction == "dec" && r.capset != "scalar";
            r.rows.iter_mut().filter(faster).for_each(|r| {
                assert_ne!(r.bytes, 0);
                r.ops_per_s = r.ops_per_s.map(|n| n * 3.0);
                r.insns_per_op = r.insns_per_op.map(|n| n / 3.0);
            });
        });
        let largest = run.record.figures().max_by(|a, b| {
            let [a, b] = [a, b].map(|r| r.derived.over_scalar().unwrap_or(0.0));
            a.total_cmp(&b)
        });
        assert_eq!(largest.unwrap().direction, "dec");
        let text = text(&run);
        let card =
            text.lines().find(|l| l.ends_with('×')).unwrap().trim_end_matches('×').to_string();
        let tables = run.record.sections().unwrap();
        let cells = tables.iter().flat_map(|t| &t.grid.body).flatten();
        let mut figures = cells.filter_map(|c| c.trim_end_matches(" ?").parse::<f64>().ok());
        let card: f64 = card.parse().unwrap();
        assert!(figures.any(|f| (f - card).abs() < 0.06), "{name}: {card}");
    }
}

/// Table, plots and the figure at the top agree however much times vary, and whether or not sets differ by more than the
/// spread.
#[test]
fn table_plots_and_card_agree_on_the_best_set() {
    let mut found = Vec::new();
    for (spread, alike) in [(0.1, false), (5.0, false), (60.0, false), (99.0, false), (5.0, true)] {
        let run = changed(&record("native"), |r| {
            r.rows.iter_mut().for_each(|r| {
                r.mad_percent = Some(spread);
                if alike {
                    r.ops_per_s = Some(if r.capset == "scalar" { 98.0 } else { 100.0 });
                }
            });
        });
        let page = page(std::slice::from_ref(&run), "A report").unwrap();
        let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        let rows = data["best"].as_array().unwrap().iter().map(|i| i.as_u64().unwrap() as usize);
        let figures: Vec<Figure> = run.record.figures().collect();
        let rows = rows.map(|i| figures[i]).filter(|r| r.is_shown());
        let mut drawn: Vec<_> = rows
            .map(|r| {
                (r.case.clone(), r.capset.clone(), format!("{:.2}", r.derived.speedup.unwrap()))
            })
            .collect();
        let sections = run.record.sections().unwrap();
        let mut shown = Vec::new();
        for s in sections {
            let at = |name: &str| s.grid.head.iter().position(|h| h == name);
            let (case, best) = (at("case").unwrap(), at("best capability set").unwrap());
            let ratio = at("speed-up").unwrap();
            let figure = |cell: &str| cell.trim_end_matches(" ?").to_string();
            let cells = |l: &Vec<String>| (l[case].clone(), l[best].clone(), figure(&l[ratio]));
            shown.extend(s.grid.body.iter().map(cells));
        }
        drawn.sort();
        shown.sort();
        assert_eq!(drawn, shown, "{spread} %");
        let card = text(&run)
            .contains("no set is faster than scalar by more than the spread of the times");
        assert_eq!(card, drawn.iter().all(|(_, set, _)| set == "scalar"), "{spread} %: {drawn:?}");
        found.push(card);
    }
    assert_eq!(found, [false, false, false, false, true]);
}

/// A ratio of times that vary widely is at the top only if there is no other, and the spread is shown with it.
#[test]
fn the_card_shows_how_much_its_times_vary() {
    let card = |spreads: [f64; 4]| {
        let run = changed(&record("native"), |r| {
            r.rows.retain(|r| r.is_shown() && r.bytes > 0);
            for row in &mut r.rows {
                let place = usize::from(row.bytes == 16384) * 2 + usize::from(row.capset == "auto");
                row.mad_percent = Some(spreads[place]);
            }
        });
        let text = text(&run);
        let (before, _) = text.split_once("figures have right answers").unwrap();
        let card: Vec<&str> = before.lines().skip_while(|l| !l.ends_with('×')).take(2).collect();
        card.join(" ")
    };
    assert_eq!(card([1.0; 4]), "62.1× largest speed-up over scalar: AES-128-ECB with auto, 16 KiB");
    assert_eq!(
        card([1.0, 4.0, 1.0, 4.4]),
        "62.1× largest speed-up over scalar: AES-128-ECB with auto, 16 KiB (measured times vary: scalar by 1 %, best by 4 %)"
    );
    let reliable = "61.4× largest speed-up over scalar, among times that vary by at most 5 %: AES-128-ECB with auto, 1 KiB";
    assert_eq!(card([1.0, 1.0, 22.0, 1.0]), reliable);
    assert_eq!(card([1.0, 1.0, 1.0, 31.0]), reliable);
    assert_eq!(
        card([22.0, 31.0, 22.0, 31.0]),
        "62.1× largest speed-up over scalar: AES-128-ECB with auto, 16 KiB (measured times vary: scalar by 22 %, best by 31 %)"
    );
}

#[test]
fn several_targets_in_one_report_are_each_explained() {
    let runs = ["simulator", "native", "qemu-aarch64"].map(record);
    let page = page(&runs, "A report").unwrap();
    for text in [
        "Speed-up, or fewer instructions, by case",
        "plain rv64gc",
        "OPENSSL_ia32cap to use none",
        "not times",
        "native, OpenSSL 3.0.22 25 Aug 2026: How many times the speed of the set scalar, by the clock",
    ] {
        assert!(page.contains(text), "{text}");
    }
    // A sentence that applies to all records names none of them.
    let runs = ["simulator", "ideal"].map(record);
    let page = capvec_report::page(&runs, "A report").unwrap();
    assert!(page.contains("<p>How many times the speed of the set scalar, on the same core model"));
}

/// The name of a core comes from a file and may be anything.
#[test]
fn labels_of_plots_cannot_become_markup() {
    let evil = "<img src=x onerror=alert(1)>";
    let mut runs = ["simulator", "native"].map(record);
    runs[0] = changed(&runs[0], |r| r.rows.iter_mut().for_each(|r| r.core = evil.into()));
    let page = page(&runs, "A report").unwrap();
    assert!(!page.contains("<img") && page.contains("&lt;img"));
}

/// table.md has the same texts as the page.
#[test]
fn markdown_has_warnings_and_the_library_too() {
    let text = view::markdown(&record("native").record).unwrap();
    let (before, after) = text.split_once("### Best capability set").unwrap();
    assert!(before.starts_with("### Before you read the figures\n\n- "), "{before}");
    assert!(before.contains("measured times vary by more than 2 %"), "{before}");
    assert!(
        after.contains("- Library: /usr/lib/x86_64-linux-gnu/libcrypto.so.3 (SHA-256 "),
        "{after}"
    );
    assert!(
        after.contains("- Counter of instructions: nothing counts instructions there"),
        "{after}"
    );
    let text = view::markdown(&record("simulator").record).unwrap();
    assert!(text.starts_with("### Best capability set") && !text.contains("- Library"), "{text}");
}

/// The CSV of a record gives the same tables as the record, and no sentence about another kind of target.
#[test]
fn a_csv_has_the_tables_of_its_target() {
    for name in ALL {
        let run = record(name);
        let csv = capvec_record::read::parse(run.record.csv().as_bytes()).unwrap();
        assert_eq!(csv.target.kind, run.record.target.kind);
        let heads = |r: &Evaluated| {
            let all = r.sections().unwrap().into_iter();
            all.map(|s| (s.title, s.grid.head)).collect::<Vec<_>>()
        };
        assert_eq!(heads(&csv), heads(&run.record), "{name}");
        if name != "simulator" && name != "ideal" {
            check(&Loaded { name: name.into(), record: csv }, &[], &MODELLED);
        }
    }
}

/// Whoever edits a file can change what was measured, but not what follows from it.
#[test]
fn a_falsified_speed_up_or_published_figure_is_not_shown() {
    let whole = record("simulator");
    let mut file = serde_json::to_value(&whole.record).unwrap();
    for row in file["rows"].as_array_mut().unwrap() {
        for figure in ["speedup", "published_kBps", "ratio", "over_estimate"] {
            row[figure] = 777.0.into();
        }
    }
    let read = capvec_record::read::parse(file.to_string().as_bytes()).unwrap();
    let shown = |record: &Evaluated| {
        let name = "x".to_string();
        page(&[Loaded { name, record: record.clone() }], "A report").unwrap()
    };
    assert_eq!(shown(&read), shown(&whole.record));
    let old = compare(&whole.record, &read, &Options::default()).unwrap();
    assert_eq!(
        old.csv(),
        compare(&whole.record, &whole.record, &Options::default()).unwrap().csv()
    );
}
