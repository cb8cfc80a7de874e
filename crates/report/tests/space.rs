//! The plots of a design space, on a record whose cycles depend on parameters in a known way.

use crate::browser::{found_by, working};
use crate::changed;
use capvec_record::read::{Loaded, load};
use capvec_record::{CoreRecord, Row};
use capvec_report::page;
use std::path::Path;

/// Every row on four cores: `slow` = 3 takes twice the cycles of `slow` = 2, and `name` changes nothing.
fn varied() -> Loaded {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/simulator.json");
    changed(&load(&file).unwrap(), |record| {
        let rows = std::mem::take(&mut record.rows);
        for (slow, name) in [("2", "a"), ("3", "a"), ("2", "b"), ("3", "b")] {
            let label = format!("karu64 ({slow} {name})");
            let set = [("slow", slow), ("name", name)].map(|(k, v)| (k.into(), v.into()));
            let (base, settings) = ("karu64".into(), set.to_vec());
            record.cores.push(CoreRecord {
                label: label.clone(),
                base,
                settings,
                ..CoreRecord::default()
            });
            let times = if slow == "3" { 2.0 } else { 1.0 };
            let own = |r: &Row| Row {
                core: label.clone(),
                cycles_per_op: r.cycles_per_op.map(|n| n * times),
                ..r.clone()
            };
            record.rows.extend(rows.iter().map(own));
        }
    })
}

#[test]
fn the_effect_of_a_parameter_is_what_it_does_to_cycles() {
    let Some(browser) = working() else { return };
    let page = page(&[varied()], "Space").unwrap();
    let script = "
        const lines = (name) => PLOTS[name](() => {}).view().lines.slice(1);
        const round = (v) => typeof v === 'number' ? Math.round(v * 1000) / 1000 : v;
        const spans = lines('sensitivity').map((l) => l.slice(1).map(round).join(' '));
        const others = lines('heat').filter((l) => l[1] === 'slow' && round(l.at(-1)) !== 2);
        return [...spans, others.length].join('; ');";
    let found = found_by(&browser, &page, script);
    assert_eq!(found, "slow 2 0.707 3 1.414 2; name a 1 b 1 1; 0");
}

#[test]
fn every_configuration_is_a_line_and_the_front_has_what_nothing_beats() {
    let Some(browser) = working() else { return };
    let page = page(&[varied()], "Space").unwrap();
    let script = "
        const drawn = (name, what) => document.querySelectorAll(`#plot-${name} .drawing ${what}`).length;
        const table = PLOTS.parallel(() => {}).view().lines.slice(1);
        const lines = drawn('parallel', 'g[aria-label=line] path');
        const rows = [{ x: 1, c: 9 }, { x: 2, c: 9 }, { x: 2, c: 5 }, { x: 3, c: 7 }, { x: 4, c: 1 }];
        const best = front(rows.map((r) => ({ x: r.x, cycles_per_op: r.c })), (r) => r.x);
        return `${lines === table.length} ${lines > 7} ${best.map((r) => `${r.x}:${r.cycles_per_op}`)} ${drawn('front', 'svg') > 0}`;";
    let found = found_by(&browser, &page, script);
    assert_eq!(found, "true true 1:9,2:5,4:1 true");
}

/// A parameter that costs cycles, such as a latency, is cheapest to build where it is highest.
#[test]
fn the_front_of_a_latency_begins_at_its_highest_value() {
    let Some(browser) = working() else { return };
    let page = page(&[varied()], "Space").unwrap();
    let script = "
        const slow = { ...AXES.find((a) => a.name === 'slow') };
        const most = costsCycles(slow, SPACE);
        const rows = [{ x: 3, c: 7 }, { x: 3, c: 8 }, { x: 2, c: 5 }, { x: 2, c: 9 }, { x: 1, c: 6 }];
        const best = front(rows.map((r) => ({ x: r.x, cycles_per_op: r.c })), (r) => r.x, most);
        return `${most} ${best.map((r) => `${r.x}:${r.cycles_per_op}`)}`;";
    assert_eq!(found_by(&browser, &page, script), "true 3:7,2:5");
}

/// A record in which nothing was set has none of these plots.
#[test]
fn a_record_without_settings_has_no_such_plots() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/simulator.json");
    let one = page(&[load(&file).unwrap()], "One").unwrap();
    assert!(!one.contains("data-plot=\"sensitivity\""));
    let varied = page(&[varied()], "Space").unwrap();
    for plot in ["sensitivity", "heat", "parallel", "front"] {
        assert!(varied.contains(&format!("data-plot=\"{plot}\"")), "{plot}");
    }
}
