//! The page in a real browser, if there is one: no script fails, every plot is drawn, no request is made.

use crate::changed;
use capvec_record::read::{Loaded, load};
use capvec_record::{FunctionShare, Row};
use capvec_report::{Input, input, page, page_with};
use capvec_util::testing::skipped;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The browser: `CAPVEC_CHROMIUM`, or one on the path.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CAPVEC_CHROMIUM") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).flat_map(|d| NAMES.map(|n| d.join(n)));
    files.find(|f| f.is_file())
}

/// A page after a browser has loaded it.
struct Seen {
    /// The document after its scripts have run.
    dom: String,
    /// What was written to its console.
    console: Vec<String>,
}

fn show(browser: &Path, page: &str, width: u32, dark: bool) -> Option<Seen> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("page.html");
    std::fs::write(&file, page).unwrap();
    let [out, log] = ["out", "log"].map(|n| dir.path().join(n));
    let create = |p: &Path| std::fs::File::create(p).unwrap();
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
    ]);
    command.args(["--disable-sync", "--disable-component-update", "--no-first-run"]);
    command.args(["--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", dir.path().join("profile").display()));
    command.arg(format!("--window-size={width},900"));
    if dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    command.arg(format!("file://{}", file.display()));
    command.stdin(Stdio::null()).stdout(create(&out)).stderr(create(&log));
    let mut child = command.spawn().ok()?;
    let end = Instant::now() + Duration::from_secs(300);
    while child.try_wait().ok()?.is_none() {
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let read = |p: &Path| String::from_utf8_lossy(&std::fs::read(p).unwrap()).into_owned();
    let console = read(&log).lines().filter(|l| l.contains(":CONSOLE")).map(String::from).collect();
    Some(Seen { dom: read(&out), console })
}

/// A browser that can show a page. Without one, reports that the test is skipped.
pub fn working() -> Option<PathBuf> {
    let Some(browser) = browser() else {
        skipped("browser", format_args!("none of {NAMES:?} on the path, and no CAPVEC_CHROMIUM"));
        return None;
    };
    // The script also fails on purpose: a console that does not show this would hide the errors of the real page.
    let trivial = "<p id=x>a</p><script>x.textContent = 'shown'; nothing.here();</script>";
    match show(&browser, trivial, 800, false) {
        Some(seen) if seen.dom.contains(">shown<") && !seen.console.is_empty() => Some(browser),
        _ => {
            let why = format_args!("{} shows no page or no console", browser.display());
            skipped("browser", why);
            None
        }
    }
}

fn record(name: &str) -> Loaded {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/report");
    load(&dir.join(name)).unwrap()
}

#[test]
fn every_plot_is_drawn_without_errors_and_nothing_is_fetched() {
    let Some(browser) = working() else { return };
    let page = page(&[record("plots")], "A report").unwrap();
    let mut before = 0;
    // Chromium makes no window narrower than 500 pixels.
    for (width, dark) in [(1280, false), (500, true)] {
        let seen = show(&browser, &page, width, dark).unwrap();
        // A request that the page's policy refuses also appears on the console.
        assert!(seen.console.is_empty(), "{:?}", seen.console);
        let figures: Vec<&str> = seen.dom.split("data-plot=\"").skip(1).collect();
        let names: Vec<&str> = figures.iter().map(|f| f.split('"').next().unwrap()).collect();
        assert_eq!(names, ["cases", "sets", "sizes", "vlens", "mix", "published"]);
        for figure in figures {
            let drawing = figure.split("class=\"drawing\"").nth(1).unwrap();
            let svg = drawing.split("</svg>").next().unwrap();
            assert!(svg.contains("<svg") && svg.contains("role=\"img\""), "{}", &svg[..200]);
            assert!(svg.contains("<rect") || svg.contains(" d=\"M"), "nothing is drawn");
            assert!(!svg.contains("NaN"), "a coordinate is not a number");
            let wide = svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap();
            assert!(wide.parse::<u32>().unwrap() < width, "wider than the window: {wide}");
        }
        // A table that is wider than the page is marked.
        let wide = seen.dom.matches("class=\"table wide\"").count();
        assert!(wide > std::mem::replace(&mut before, wide), "{wide} at {width}");
        // Every table can be copied, and every plot.
        let copies = seen.dom.matches(">Copy CSV<").count();
        let tables = seen.dom.matches("<div class=\"table").count();
        assert_eq!(copies, tables + names.len());
    }
}

/// The bars of a post-quantum operation consist of its parts.
#[test]
fn parts_of_operations_are_stacked() {
    let Some(browser) = working() else { return };
    let divide = |row: &mut Row| {
        row.case = "ml-kem-768".into();
        let share = |(name, cycles): (&str, f64)| FunctionShare {
            name: name.into(),
            insns: cycles,
            cycles,
        };
        row.functions =
            [("KeccakF1600", 60.0), ("scalar_ntt", 30.0), ("main", 10.0)].map(share).to_vec();
    };
    let run = changed(&record("plots"), |r| r.rows.iter_mut().for_each(divide));
    let seen = show(&browser, &page(&[run], "Parts").unwrap(), 1280, true).unwrap();
    assert!(seen.console.is_empty(), "{:?}", seen.console);
    let plot = seen.dom.split("data-plot=\"parts\"").nth(1).unwrap();
    let plot = plot.split("</figure>").next().unwrap();
    // In the order of the tables.
    let places = ["Keccak", "NTT", "rest"].map(|part| plot.find(&format!(">{part}</button>")));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    let svg = plot.split("<svg").last().unwrap();
    assert!(svg.matches("<rect").count() >= 3 && !svg.contains("NaN"), "{svg}");
}

#[test]
fn plots_of_explorations_are_drawn() {
    let Some(browser) = working() else { return };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/report/explore");
    let Input::Other(explored) = input(&path).unwrap() else { panic!("no record") };
    let page = page_with(&[], &[*explored], "Gains").unwrap();
    let seen = show(&browser, &page, 1280, false).unwrap();
    assert!(seen.console.is_empty(), "{:?}", seen.console);
    let figures: Vec<&str> = seen.dom.split("data-plot=\"").skip(1).collect();
    assert_eq!(figures.len(), 3);
    for figure in figures {
        let drawing = figure.split("class=\"drawing\"").nth(1).unwrap();
        let svg = drawing.split("</svg>").next().unwrap();
        assert!(svg.contains("<rect") || svg.contains(" d=\"M"), "nothing is drawn");
        assert!(!svg.contains("NaN"), "a coordinate is not a number");
    }
}

/// The result of a script in the page. The page's policy is removed so that the script may run.
pub fn found_by(browser: &Path, page: &str, script: &str) -> String {
    let policy = "http-equiv=\"Content-Security-Policy\"";
    let page = page.replace(policy, "name=\"policy\"");
    let script =
        format!("<p id=found></p><script>found.textContent = (() => {{ {script} }})()</script>");
    let page = page.replace("</body>", &format!("{script}</body>"));
    let seen = show(browser, &page, 1200, false).unwrap();
    assert!(seen.console.is_empty(), "{:?}", seen.console);
    let text = seen.dom.split("<p id=\"found\">").nth(1).unwrap();
    text.split("</p>").next().unwrap().to_string()
}

/// With names of narrow letters, and figures with many digits.
#[test]
fn no_label_of_a_bar_is_cut_off_at_1200_pixels() {
    let Some(browser) = working() else { return };
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    let runs = ["simulator", "ideal"].map(|n| load(&dir.join(format!("{n}.json"))).unwrap());
    let wide = |row: &mut Row| {
        row.case += "-illi-till-fill-illi-till-fill";
        row.insns_per_op = row.insns_per_op.map(|n| n * 1e5);
        let more = if row.capset == "scalar" { 1e1 } else { 1e5 };
        row.ops_per_s = row.ops_per_s.map(|n| n * more);
    };
    let runs = runs.map(|run| changed(&run, |r| r.rows.iter_mut().for_each(wide)));
    let script = "
        document.querySelectorAll('#plot-runs select').forEach((s) => {
            const many = [...s.options].findIndex((o) => o.value === 'insns_per_op');
            if (many >= 0) { s.selectedIndex = many; s.dispatchEvent(new Event('change')); }
        });
        const texts = [...document.querySelectorAll('.drawing text')];
        const cut = texts.filter((t) => {
            const [own, all] = [t.getBoundingClientRect(), t.closest('svg').getBoundingClientRect()];
            return t.textContent.includes('…') || own.left < all.left - 1 || own.right > all.right + 1;
        });
        return `${texts.length > 20} ${cut.map((t) => t.textContent).join()}`;";
    let found = found_by(&browser, &page(&runs, "Wide").unwrap(), script);
    assert_eq!(found, "true ");
}

/// Bars of two records are in one plot, in one unit.
#[test]
fn bars_of_two_records_are_in_one_plot() {
    let Some(browser) = working() else { return };
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    let of = |name: &str| load(&dir.join(format!("{name}.json"))).unwrap();
    let drawn = |names: [&str; 2]| {
        let page = page(&names.map(of), "Two").unwrap();
        let seen = show(&browser, &page, 1280, false).unwrap();
        assert!(seen.console.is_empty(), "{:?}", seen.console);
        let plot = seen.dom.split("data-plot=\"runs\"").nth(1).unwrap();
        plot.split("</figure>").next().unwrap().to_string()
    };
    let plot = drawn(["simulator", "ideal"]);
    assert!(plot.contains(">karu64</button>") && plot.contains(">ideal</button>"), "{plot}");
    assert!(plot.contains("<option value=\"kBps\">Speed, MB/s</option>"), "{plot}");
    let svg = plot.split("<svg").last().unwrap();
    assert!(!svg.contains("NaN") && svg.matches("<rect").count() >= 2, "{svg}");
    // Measured times and emulated counts have no figure in common.
    let page = page(&["native", "qemu-x86_64"].map(of), "Two").unwrap();
    assert!(!page.contains("data-plot=\"runs\""));
}

/// The records differ in VLEN and have names in the legend. They share one size; one record has a larger size, too.
#[test]
fn records_of_two_vlens_and_sizes_are_named_and_open_at_a_common_size() {
    let Some(browser) = working() else { return };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/simulator.json");
    let runs = [256, 512].map(|vlen| {
        changed(&load(&file).unwrap(), |record| {
            record.rows.iter_mut().for_each(|r| r.vlen = vlen);
            if vlen == 512 {
                let longer = record.rows.iter().filter(|r| r.bytes > 0).cloned();
                let longer: Vec<_> = longer.map(|r| Row { bytes: 1 << 30, ..r }).collect();
                record.rows.extend(longer);
            }
        })
    });
    let script = "
        const plot = document.getElementById('plot-runs');
        const names = [...plot.querySelectorAll('.keys button')].map((b) => b.textContent);
        const sizes = plot.querySelector('select[aria-label=Size]');
        const chosen = sizes.options[sizes.selectedIndex].textContent;
        return [...names, chosen, [...sizes.options].at(-1).textContent].join('; ');";
    let found = found_by(&browser, &page(&runs, "Two").unwrap(), script);
    assert_eq!(found, "karu64, VLEN 256; karu64, VLEN 512; 16 KiB; 1 GiB");
}

#[test]
fn the_pages_policy_blocks_other_scripts_and_requests() {
    let Some(browser) = working() else { return };
    let page = page(&[record("plots")], "A report").unwrap();
    let evil = "<p id=evil>a</p><script>evil.textContent = 'ran'</script>\
        <img src=\"http://127.0.0.1:9/x.png\">";
    let seen = show(&browser, &page.replace("<footer>", &format!("{evil}<footer>")), 1280, false);
    let seen = seen.unwrap();
    assert!(seen.dom.contains("<p id=\"evil\">a</p>"));
    let refused =
        |what: &str| seen.console.iter().any(|l| l.contains("Security Policy") && l.contains(what));
    assert!(refused("script-src") && refused("img-src"), "{:?}", seen.console);
}
