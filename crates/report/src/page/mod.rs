//! The page: one file that fetches nothing.
//!
//! Everything from a record goes through [`markup`] or [`embed::json`]. In addition, the page's policy allows only scripts
//! with the digests that it lists, and forbids every connection.

use crate::given::Given;
use crate::method::{self, method, vlens};
use crate::other_record::{self, OtherRecord};
use crate::problems::problems;
use crate::summary::summary;
use crate::{embed, plot_data, plots, tables};
use anyhow::Result;
use capvec_record::best::distinct;
use capvec_record::labels;
use capvec_record::read::Loaded;
use capvec_record::shown::Tables;
use capvec_record::{Figure, Kind, Record, Row, TargetRecord};
use capvec_text::escape::markup;
use std::sync::LazyLock;

const STYLE: &str = include_str!("../../assets/page.css");
/// In the order in which they run: the libraries, then their users.
const SCRIPTS: [&str; 3] = [
    include_str!("../../assets/vendor/d3.min.js"),
    include_str!("../../assets/vendor/plot.umd.min.js"),
    concat!(
        include_str!("../../assets/page.js"),
        include_str!("../../assets/digits.js"),
        include_str!("../../assets/data.js"),
        include_str!("../../assets/controls.js"),
        include_str!("../../assets/draw.js"),
        include_str!("../../assets/plot_list.js"),
        include_str!("../../assets/design_space.js"),
        include_str!("../../assets/main.js"),
    ),
];
/// The licence of the libraries, which every copy has to include.
const LICENCE: &str = include_str!("../../assets/vendor/LICENSE-d3");
/// Runs before anything is drawn: sets the chosen theme, and marks the page as one with scripts.
const FIRST: &str = include_str!("../../assets/first.js");

/// The digests of all scripts, for the page's policy.
static SOURCES: LazyLock<String> = LazyLock::new(|| {
    std::iter::once(FIRST).chain(SCRIPTS).map(embed::script_source).collect::<Vec<_>>().join(" ")
});

/// A part of the page with a heading and an entry in the navigation.
struct Part {
    id: &'static str,
    title: &'static str,
    body: String,
}

/// The heading of a record among several: its label and its file.
fn run_heading(run: &Loaded, label: &str) -> String {
    if label.is_empty() {
        return String::new();
    }
    format!("<h3 class=\"run\">{}</h3>\n", markup(&format!("{label}: {}", run.name)))
}

fn parts(runs: &[Loaded], others: &[OtherRecord], given: Option<&Given>) -> Result<Vec<Part>> {
    let (mut first, mut more) = (String::new(), String::new());
    let (mut methods, mut figures) = (String::new(), String::new());
    let labels = crate::labels(runs);
    for (i, run) in runs.iter().enumerate() {
        let heading = run_heading(run, labels.record(i));
        let n = i + 1;
        let all = run.record.sections()?;
        for (j, s) in all.iter().enumerate() {
            let place = if j == 0 { &mut first } else { &mut more };
            *place += if j < 2 { &heading } else { "" };
            *place += &tables::section(s, &format!("table-{n}-{}", j + 1));
        }
        methods += &(heading.clone() + &method(run, n));
        let rows: Vec<Figure> = run.record.figures().chain(run.record.speed_figures()).collect();
        figures += &(heading + &tables::figures(&rows, &format!("figures-{n}")));
    }
    let all_figures = match figures.is_empty() {
        true => figures,
        false => "<div id=\"all-figures\"></div>\n".to_string() + &figures,
    };
    let [doctor, kat, explored, constant_time] = other_record::parts(others)?;
    let part = |id, title, body| Part { id, title, body };
    let parts = [
        part("results", "Results", first),
        part("plots", "Plots", plots::html(runs, given)),
        part("given", "Figures given by the user", given.map_or_else(String::new, Given::html)),
        part("tables", "More tables", more),
        part("explore", "What instructions buy", explored),
        part("doctor", "Doctor", doctor),
        part("kat", "Known answers", kat),
        part("constant-time", "Constant time", constant_time),
        part("method", "Machine and method", methods),
        part("figures", "All figures", all_figures),
    ];
    Ok(parts.into_iter().filter(|p| !p.body.is_empty()).collect())
}

/// What was measured, in one line.
fn subtitle(runs: &[Loaded]) -> String {
    let rows: Vec<Row> =
        runs.iter().flat_map(|r| r.record.rows.iter().chain(&r.record.speed)).cloned().collect();
    let rows = rows.as_slice();
    let mut targets: Vec<String> = Vec::new();
    for run in runs {
        let TargetRecord { name, kind, architecture, .. } = &run.record.target;
        let text = match kind {
            Kind::Modelled => "simulated".into(),
            _ if architecture.is_empty() => name.clone(),
            _ => format!("{name} ({architecture})"),
        };
        if !targets.contains(&text) {
            targets.push(text);
        }
    }
    let versions =
        distinct(
            rows,
            |r| if r.version.is_empty() { r.subject.clone() } else { r.version.clone() },
        );
    let known = [
        versions,
        cores(runs),
        match vlens(rows) {
            none if none.is_empty() => none,
            vlens => format!("VLEN {vlens}"),
        },
        targets.join(", "),
    ];
    known.into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// The cores of all records.
fn cores(runs: &[Loaded]) -> String {
    let mut all: Vec<String> = Vec::new();
    for run in runs {
        let new = method::cores(run).into_iter().filter(|c| !all.contains(c)).collect::<Vec<_>>();
        all.extend(new);
    }
    all.join(", ")
}

/// The records with distinct names for different cores of one name, if there are any.
fn distinct_cores(runs: &[Loaded]) -> Option<Vec<Loaded>> {
    let records: Vec<&Record> = runs.iter().map(|r| &*r.record).collect();
    let names = labels::distinct_cores(&records)?;
    let named =
        |run: &Loaded| Loaded { name: run.name.clone(), record: names.name_evaluated(&run.record) };
    Some(runs.iter().map(named).collect())
}

/// The page of these records.
///
/// # Errors
/// The published figures cannot be read.
pub fn page(runs: &[Loaded], title: &str) -> Result<String> {
    page_with(runs, &[], title)
}

/// The same with records of `capvec doctor`, `capvec kat`, `capvec explore` and `capvec ct --cases`.
///
/// # Errors
/// The published figures cannot be read.
pub fn page_with(runs: &[Loaded], others: &[OtherRecord], title: &str) -> Result<String> {
    page_with_figures(runs, others, None, title)
}

/// The same with figures of these records' configurations that the user gave.
///
/// # Errors
/// The published figures cannot be read.
pub fn page_with_figures(
    runs: &[Loaded],
    others: &[OtherRecord],
    given: Option<&Given>,
    title: &str,
) -> Result<String> {
    let renamed = distinct_cores(runs);
    let runs = renamed.as_deref().unwrap_or(runs);
    let parts = parts(runs, others, given)?;
    let nav = parts.iter().map(|p| format!("<a href=\"#{}\">{}</a>\n", p.id, p.title));
    let nav: String = nav.collect();
    let body = parts.iter().map(|p| {
        format!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{}</h2>\n{}</section>\n",
            p.title,
            p.body,
            id = p.id
        )
    });
    let scripts = SCRIPTS.map(|s| format!("<script>{s}</script>\n")).concat();
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; \
         img-src data:; style-src 'unsafe-inline'; script-src {sources}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<script>{FIRST}</script>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the results</a>\n\
         <header>\n<div class=\"bar\"><h1>{title}</h1><div id=\"theme\"></div></div>\n<p class=\"sub\">{subtitle}</p>\n</header>\n\
         <nav aria-label=\"Parts\">{nav}</nav>\n<main id=\"main\">\n{summary}{problems}{body}</main>\n\
         <footer>Made by capvec {version}. One file: it fetches nothing and can be passed on. Plots: Observable Plot and D3.</footer>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <!-- D3 and Observable Plot:\n{LICENCE}-->\n{scripts}</body>\n</html>\n",
        sources = *SOURCES,
        title = markup(title),
        subtitle = markup(&subtitle(runs)),
        summary = summary(runs, others),
        problems = problems(runs, others),
        body = body.collect::<String>(),
        version = env!("CARGO_PKG_VERSION"),
        data = embed::json(&plot_data::data(runs, others, given)?),
    ))
}

#[cfg(test)]
pub(crate) mod tests;
