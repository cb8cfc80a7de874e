//! The plots of a design space, on a record whose cycles depend on parameters in a known way.

use crate::browser::{found_by, working};
use crate::changed;
use capvec_record::read::{Loaded, load};
use capvec_record::{CoreRecord, Row};
use capvec_report::{Given, page, page_with_figures};
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

/// A page of a record with figures from a CSV file.
fn page_with_csv(run: Loaded, csv: &str) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), csv).unwrap();
    let given = Given::read(file.path(), std::slice::from_ref(&run)).unwrap();
    page_with_figures(&[run], &[], Some(&given), "Areas").unwrap()
}

/// Of the cores, `3 b` has no area, and is not drawn. The largest has the most cycles, and is not therefore the cheapest.
#[test]
fn areas_that_the_user_gives_are_axes_of_the_front_and_the_heat_map() {
    let Some(browser) = working() else { return };
    let csv = "slow,name,area [kGE],source\n2,a,5,x\n3,a,12,x\n2,b,7,x\n";
    let page = page_with_csv(varied(), csv);
    let script = "
        const area = GIVEN[0];
        const heat = PLOTS.heat(() => {}).view().lines.slice(1).filter((l) => l[1] === area.name);
        const all = heat.length > 0 && heat.every((l) => Math.abs(l.at(-1) - 2) < 1e-6);
        const { lines: [head, ...lines] } = PLOTS.front(() => {}).view();
        const column = (name) => [...new Set(lines.map((l) => l[head.indexOf(name)]))].join(' ');
        const drawn = [...document.querySelectorAll('#plot-front .drawing text')].map((t) => t.textContent);
        const label = drawn.find((t) => t.includes('kGE'));
        return `${all}; ${column('area [kGE]')}; ${costsCycles(area, SPACE)}; ${label}`;";
    let found = found_by(&browser, &page, script);
    assert_eq!(found, "true; 5 12 7; false; area [kGE], given by the user");
}

/// Areas of capability sets, on one core as shipped.
#[test]
fn areas_need_no_parameters_that_were_set() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/simulator.json");
    let csv = "core,caps,area [kGE],source\nkaru64,scalar,50,x\nkaru64,full,120.5,x\n";
    let page = page_with_csv(load(&file).unwrap(), csv);
    let has = |plot: &str| page.contains(&format!("data-plot=\"{plot}\""));
    assert!(has("heat") && has("front") && !has("parallel") && !has("sensitivity"));
    let Some(browser) = working() else { return };
    let script = "
        const { lines: [head, ...lines] } = PLOTS.front(() => {}).view();
        const pairs = lines.map((l) => `${l[head.indexOf('capset')]} ${l[head.indexOf('area [kGE]')]}`);
        return `${[...new Set(pairs)].sort()}; ${PLOTS.heat(() => {}).view().count > 0}`;";
    assert_eq!(found_by(&browser, &page, script), "full 120.5,scalar 50; true");
}
