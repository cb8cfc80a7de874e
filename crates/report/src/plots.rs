//! The plots of a page: those that the records hold data for, and their names. `assets/plot_list.js` draws them.

use crate::given::Given;
use capvec_record::explored::{Explored, Point, Price};
use capvec_record::parts::parts;
use capvec_record::read::Loaded;
use capvec_record::{Figure, Kind, Row};
use capvec_text::escape::markup;
use std::collections::{HashMap, HashSet};

/// A plot: its name for the script, its heading, and what it shows.
struct Plot(&'static str, String, String);

/// The name of the ratios over the scalar set in these records, and their meaning; where that differs between records,
/// each sentence names its records.
fn ratios(runs: &[Loaded]) -> (&'static str, String) {
    let labels = crate::labels(runs);
    let mut texts: Vec<(String, Vec<&str>)> = Vec::new();
    for (i, run) in runs.iter().enumerate() {
        let text = run.record.ratios();
        match texts.iter_mut().find(|(t, _)| *t == text) {
            Some((_, of)) => of.push(labels.record(i)),
            None => texts.push((text, vec![labels.record(i)])),
        }
    }
    let several = texts.len() > 1;
    let said = texts.into_iter().map(|(text, of)| match several {
        true => format!("{}: {text}", of.join("; ")),
        false => text,
    });
    let said = said.collect::<Vec<_>>().join(" ");
    let counts = |r: &Loaded| r.record.target.kind == Kind::Emulated;
    let name = match (runs.iter().all(counts), runs.iter().any(counts)) {
        (true, _) => "Fewer instructions",
        (false, true) => "Speed-up, or fewer instructions,",
        (false, false) => "Speed-up",
    };
    (name, said)
}

/// Whether rows differ only in the first of these values.
fn several(runs: &[Loaded], f: fn(&Row) -> (u64, u64)) -> bool {
    let mut seen = HashMap::new();
    for (number, run) in runs.iter().enumerate() {
        for r in run.record.rows.iter().filter(|r| f(r).0 > 0) {
            let (value, other) = f(r);
            let place = (number, &r.target, &r.subject, &r.core);
            let key = (place, &r.case, &r.direction, &r.capset, other);
            if *seen.entry(key).or_insert(value) != value {
                return true;
            }
        }
    }
    false
}

/// Whether cores of a record differ in parameters that were set.
fn sets_parameters(runs: &[Loaded]) -> bool {
    let differ = |run: &Loaded, key| {
        let values = run.record.cores.iter().map(|c| run.record.setting(&c.label, key));
        values.collect::<HashSet<_>>().len() > 1
    };
    runs.iter().any(|run| run.record.settings().into_iter().any(|key| differ(run, key)))
}

/// The plots of a design space; without parameters that were set, those that have the figures that the user gave.
fn design_space(parameters: bool, given: Option<&Given>) -> Vec<Plot> {
    let plot = |id, title: &str, text: &str| Plot(id, title.into(), text.into());
    let mut plots = vec![
        plot(
            "sensitivity",
            "What each parameter changes",
            "Cycles over the geometric mean of all values of the parameter, with everything else the same. A bar reaches from the value with the fewest cycles to that with the most.",
        ),
        plot(
            "heat",
            "Which case depends on what",
            "The most over the fewest cycles among the values of a parameter, with everything else the same.",
        ),
        plot(
            "parallel",
            "Every configuration",
            "A line for each: through its core, its VLEN and its parameters, to its cycles, whose axis is logarithmic. Fewer cycles are further down.",
        ),
        plot(
            "front",
            "The best for each price",
            "The line is the Pareto front: the configurations that need fewer cycles than all others of the same or a lower price. More of a parameter counts as a higher price; if it costs cycles, as a latency does, as a lower one.",
        ),
    ];
    plots.retain(|Plot(id, ..)| parameters || (given.is_some() && ["heat", "front"].contains(id)));
    for Plot(id, _, text) in &mut plots {
        match given {
            Some(given) if ["heat", "front"].contains(id) => *text += &format!(" {}", given.said()),
            _ => {}
        }
    }
    plots
}

/// The figures by which records can be compared: `MEASURES` and `OPERATIONS` of assets/data.js.
fn comparable(r: Figure) -> [Option<f64>; 7] {
    [
        r.kbps(),
        r.cycles_per_byte(),
        r.insns_per_byte(),
        r.ops_per_s,
        r.insns_per_op,
        r.derived.speedup,
        r.derived.insns_ratio,
    ]
}

/// Whether two records have the same figure of the same operation.
fn have_common_figures(runs: &[Loaded]) -> bool {
    let mut seen = HashMap::new();
    let rows =
        runs.iter().enumerate().flat_map(|(i, run)| run.record.figures().map(move |r| (i, r)));
    let mut figures = rows.filter(|(_, r)| r.is_shown()).flat_map(|(i, r)| {
        let known = comparable(r).into_iter().enumerate().filter(|(_, f)| f.is_some());
        known.map(move |(figure, _)| (i, (figure, &r.row.case, &r.row.direction, r.bytes)))
    });
    figures.any(|(i, what)| *seen.entry(what).or_insert(i) != i)
}

/// The plots that the records hold data for.
fn plots(runs: &[Loaded], given: Option<&Given>) -> Vec<Plot> {
    let rows: Vec<Figure> = runs.iter().flat_map(|r| r.record.figures()).collect();
    let sped: Vec<&Figure> =
        rows.iter().filter(|r| r.derived.over_scalar().is_some() && r.capset != "scalar").collect();
    let sets: HashSet<&str> = sped.iter().map(|r| r.capset.as_str()).collect();
    let speed = runs.iter().flat_map(|r| r.record.speed_figures());
    let ratio = rows.iter().copied().chain(speed).any(|r| r.derived.ratio.is_some());
    let (name, what) = ratios(runs);
    let plot = |wanted: bool, id, title: String, text: &str| (wanted, Plot(id, title, text.into()));
    let all = [
        plot(!sped.is_empty(), "cases", format!("{name} by case"), &what),
        plot(
            have_common_figures(runs),
            "runs",
            "Records next to each other".into(),
            "The best measured set of each case, in each record.",
        ),
        plot(
            sets.len() > 1,
            "sets",
            format!("{name} by capability set"),
            &format!("One case with every capability set that was measured. {what}"),
        ),
        plot(
            several(runs, |r| (r.bytes as u64, r.vlen.into())),
            "sizes",
            "By message size".into(),
            "Both axes are logarithmic: the cost of a call, and of a byte.",
        ),
        plot(
            several(runs, |r| (r.vlen.into(), r.bytes as u64)),
            "vlens",
            "By VLEN".into(),
            "Both axes are logarithmic: a path that scales with VLEN gives a sloping straight line.",
        ),
        plot(
            rows.iter().any(|r| !r.mix.is_empty()),
            "mix",
            "Instruction mix".into(),
            "Instructions of an operation by latency class, exact: what a set executes, and what its extensions replace.",
        ),
        plot(
            rows.iter().any(|r| !parts(r).is_empty()),
            "parts",
            "What the cycles are spent on".into(),
            "Cycles of an operation by what its functions do, with warm caches.",
        ),
        plot(
            ratio,
            "published",
            "Predicted against published".into(),
            "Predicted over published speed, with the same capability set; 1 is an exact prediction.",
        ),
    ];
    let space = design_space(sets_parameters(runs), given);
    all.into_iter().filter(|(wanted, _)| *wanted).map(|(_, plot)| plot).chain(space).collect()
}

fn figure(Plot(name, title, text): &Plot) -> String {
    let text = markup(text);
    format!(
        "<figure class=\"plot\" id=\"plot-{name}\" data-plot=\"{name}\">\n<figcaption><h3>{title}</h3>\n<p>{text}</p></figcaption>\n</figure>\n"
    )
}

/// The plots as part of the page; empty if there are none.
pub fn html(runs: &[Loaded], given: Option<&Given>) -> String {
    drawn(&plots(runs, given))
}

/// The plots of explorations; empty if they have no gains.
pub fn explored(all: &[&Explored]) -> String {
    let gains: Vec<&Point> = all.iter().flat_map(|e| e.gains()).map(|(p, _)| p).collect();
    let vlens: HashSet<u32> = gains.iter().map(|p| p.vlen).collect();
    let plots = [
        (
            !gains.is_empty(),
            Plot(
                "gains",
                "Gain by case".into(),
                "Cycles without over cycles with, at the core's own VLEN and costs, and the limit if what was added took no time.".into(),
            ),
        ),
        (
            gains.iter().any(|p| matches!(p.price, Price::Cycles(_))),
            Plot(
                "latencies",
                "Gain by latency".into(),
                "The gain if each new instruction, or each of its element groups, took this many cycles. Both axes are logarithmic.".into(),
            ),
        ),
        (
            vlens.len() > 1,
            Plot(
                "gains-by-vlen",
                "Gain by VLEN".into(),
                "Compared with the same VLEN without the added instructions. Both axes are logarithmic.".into(),
            ),
        ),
    ];
    let wanted = plots.into_iter().filter(|(wanted, _)| *wanted);
    drawn(&wanted.map(|(_, plot)| plot).collect::<Vec<_>>())
}

fn drawn(plots: &[Plot]) -> String {
    let plots: String = plots.iter().map(figure).collect();
    if plots.is_empty() {
        return plots;
    }
    let without = "<noscript><p>The plots need JavaScript; the tables do not.</p></noscript>\n";
    without.to_string() + &plots
}
