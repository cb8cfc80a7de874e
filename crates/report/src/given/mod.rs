//! Figures of configurations that capvec does not measure, such as areas: the user gives them in a CSV file.

use crate::tables;
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use capvec_record::grid::Grid;
use capvec_record::read::{Loaded, one_line};
use capvec_record::{CoreRecord, Figure};
use capvec_text::csv;
use capvec_text::escape::{self, markup};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

const CORE: &str = "core";
const VLEN: &str = "vlen";
const CAPS: &str = "caps";
const SOURCE: &str = "source";
/// The report names at most this many configurations without figures.
const MOST_NAMED: usize = 20;

/// A line of the file.
#[derive(Clone, Debug)]
struct Line {
    /// The values of the parameters.
    of: Vec<String>,
    figures: Vec<f64>,
    source: String,
}

/// Figures that the user gave, joined to the configurations of records.
#[derive(Clone, Debug)]
pub struct Given {
    /// The file.
    name: String,
    /// The columns that say which configurations a line is of.
    by: Vec<String>,
    /// The figures, with their units.
    figures: Vec<String>,
    lines: Vec<Line>,
    /// For each row of all records, the line with its figures.
    rows: Vec<Option<usize>>,
    /// What the columns `by` would have to say for the configurations that no line is of.
    missing: BTreeSet<Vec<String>>,
}

/// A row's configuration.
struct Configuration<'a> {
    row: Figure<'a>,
    core: Option<&'a CoreRecord>,
}

/// The rows of all records in the order of the page's data.
fn configurations(runs: &[Loaded]) -> impl Iterator<Item = Configuration<'_>> {
    runs.iter().flat_map(|run| {
        let rows = run.record.figures().chain(run.record.speed_figures());
        let cores: HashMap<&str, &CoreRecord> =
            run.record.cores.iter().map(|c| (c.label.as_str(), c)).collect();
        rows.map(move |row| Configuration { core: cores.get(row.core.as_str()).copied(), row })
    })
}

impl Configuration<'_> {
    /// What it has in a column: also parameters that were not set have a value.
    fn value(&self, column: &str) -> Option<String> {
        let core = self.core;
        match column {
            CORE => Some(core.map_or(&self.row.core, |c| &c.base).clone()),
            VLEN => Some(self.row.vlen.to_string()),
            CAPS => Some(self.row.capset.clone()),
            key => {
                let set = core?.settings.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
                let own = || core?.parameters.iter().find(|p| p.key == key).map(|p| &p.value);
                let text = |v: &Value| v.as_str().map_or_else(|| v.to_string(), String::from);
                set.or_else(|| own().map(text))
            }
        }
    }
}

/// Whether two values of a parameter are equal, as texts or as numbers.
fn same(a: &str, b: &str) -> bool {
    a == b || a.parse::<f64>().ok().zip(b.parse::<f64>().ok()).is_some_and(|(a, b)| a == b)
}

/// What the columns of the head are: parameters, figures and the source, by their places.
struct Columns {
    by: Vec<usize>,
    figures: Vec<usize>,
    source: usize,
}

/// Whether a column is a figure: its unit is in brackets.
fn has_unit(column: &str) -> bool {
    let unit = column.strip_suffix(']').and_then(|c| c.split_once(" ["));
    unit.is_some_and(|(name, unit)| !name.trim().is_empty() && !unit.trim().is_empty())
}

/// What the head's columns are.
fn columns(head: &[String], runs: &[Loaded]) -> Result<Columns> {
    let is = |column: &str| {
        let mut all = configurations(runs);
        [CORE, VLEN, CAPS].contains(&column) || all.any(|c| c.value(column).is_some())
    };
    let (mut by, mut figures, mut source) = (Vec::new(), Vec::new(), None);
    for (i, column) in head.iter().enumerate() {
        ensure!(!head[..i].contains(column), "two columns {column:?}; remove one");
        match column.as_str() {
            SOURCE => source = Some(i),
            figure if has_unit(figure) => figures.push(i),
            parameter if is(parameter) => by.push(i),
            _ => bail!(
                "column {column:?} is neither a figure nor a parameter of these records' cores; give a figure its unit, as in \
                 \"area [kGE]\"; parameters are {CORE}, {VLEN}, {CAPS}, and the keys that `capvec cores show` lists"
            ),
        }
    }
    let source = source.with_context(|| {
        format!("no column {SOURCE:?}; add one that says where the figures are from")
    })?;
    ensure!(
        !figures.is_empty(),
        "no column with a figure; add one with its unit, as \"area [kGE]\""
    );
    ensure!(
        !by.is_empty(),
        "no column says which configurations a line is of; add {CORE}, {VLEN}, {CAPS}, or a parameter such as vector.datapath"
    );
    Ok(Columns { by, figures, source })
}

/// A line of the data.
fn line(head: &[String], columns: &Columns, cells: &[String]) -> Result<Line> {
    ensure!(cells.len() == head.len(), "{} fields, not {}", cells.len(), head.len());
    let figure = |&i: &usize| {
        let number = cells[i].trim().parse().ok().filter(|n: &f64| n.is_finite());
        number.with_context(|| format!("{}: {:?} is not a number", head[i], cells[i]))
    };
    let source = cells[columns.source].trim();
    ensure!(!source.is_empty(), "no {SOURCE}; say where the figures are from");
    Ok(Line {
        of: columns.by.iter().map(|&i| cells[i].trim().into()).collect(),
        figures: columns.figures.iter().map(figure).collect::<Result<_>>()?,
        source: source.into(),
    })
}

impl Given {
    /// Reads a file, and joins it to these records.
    ///
    /// # Errors
    /// Names the file, what is wrong with it, and the remedy: also if a line is of no configuration, or two are of the same.
    pub fn read(path: &Path, runs: &[Loaded]) -> Result<Given> {
        let name = escape::path(path);
        let text = std::fs::read_to_string(path).map_err(|e| anyhow!("cannot be read: {e}"));
        let given = text.and_then(|text| Given::of(&name, &text, runs));
        given.map_err(|e| one_line(e.context(format!("--figures {name}"))))
    }

    fn of(name: &str, text: &str, runs: &[Loaded]) -> Result<Given> {
        // Spreadsheets begin a CSV with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let mut all = csv::lines(text).map_err(Error::msg)?.into_iter();
        let head: Vec<String> =
            all.next().unwrap_or_default().iter().map(|h| h.trim().into()).collect();
        let columns = columns(&head, runs)?;
        let lines = all.enumerate().map(|(i, cells)| {
            line(&head, &columns, &cells).with_context(|| format!("line {} of data", i + 1))
        });
        let of = |places: &[usize]| places.iter().map(|&i| head[i].clone()).collect();
        let mut given = Given {
            name: name.into(),
            by: of(&columns.by),
            figures: of(&columns.figures),
            lines: lines.collect::<Result<_>>()?,
            rows: Vec::new(),
            missing: BTreeSet::new(),
        };
        given.join(runs)?;
        Ok(given)
    }

    /// Finds the line of each row.
    fn join(&mut self, runs: &[Loaded]) -> Result<()> {
        let mut used = vec![false; self.lines.len()];
        for c in configurations(runs) {
            let own: Vec<Option<String>> = self.by.iter().map(|column| c.value(column)).collect();
            let fits = |line: &Line| {
                let mut pairs = own.iter().zip(&line.of);
                pairs.all(|(own, of)| own.as_ref().is_some_and(|own| same(own, of)))
            };
            let mut fitting = (0..self.lines.len()).filter(|&i| fits(&self.lines[i]));
            let found = fitting.next();
            if let Some((first, second)) = found.zip(fitting.next()) {
                let (first, second) = (first + 1, second + 1);
                bail!(
                    "lines {first} and {second} of data are of the same configuration; remove one"
                );
            }
            match found {
                Some(i) => used[i] = true,
                None => {
                    self.missing.insert(own.into_iter().map(Option::unwrap_or_default).collect());
                }
            }
            self.rows.push(found);
        }
        if let Some(i) = used.iter().position(|used| !used) {
            let of = self.configuration(&self.lines[i].of);
            bail!(
                "line {} of data is of no configuration in these records: {of}; correct or remove it",
                i + 1
            );
        }
        Ok(())
    }

    /// A configuration, as far as the columns say which it is.
    fn configuration(&self, values: &[String]) -> String {
        let pairs = self.by.iter().zip(values).map(|(column, value)| format!("{column} {value}"));
        pairs.collect::<Vec<_>>().join(", ")
    }

    /// For the caption of a plot that has these figures.
    pub fn said(&self) -> String {
        let figures = self.figures.join(", ");
        format!("{figures}: not of capvec, but given by the user in {}; less is better.", self.name)
    }

    /// For the scripts: `names`, `by` (as the page's script names its axes), `rows` (the line of each row, or null), `lines` (their figures).
    pub fn data(&self) -> Value {
        let axis = |column: &String| if column == VLEN { "VLEN".into() } else { column.clone() };
        let by: Vec<String> = self.by.iter().map(axis).collect();
        let lines: Vec<_> = self.lines.iter().map(|l| &l.figures).collect();
        json!({ "names": self.figures, "by": by, "rows": self.rows, "lines": lines })
    }

    /// The figures with their sources, and the configurations that have none.
    pub fn html(&self) -> String {
        let title =
            |column: &String| if column == CAPS { "capability set".into() } else { column.clone() };
        let head = self.by.iter().map(title).chain(self.figures.iter().cloned());
        let head = head.chain([SOURCE.into()]).collect();
        let cells = |l: &Line| {
            let figures = l.figures.iter().map(f64::to_string);
            l.of.iter().cloned().chain(figures).chain([l.source.clone()]).collect()
        };
        let grid = Grid { head, body: self.lines.iter().map(cells).collect() };
        let intro = "From the file that the report was given with --figures. capvec did not measure or check them.";
        let table = tables::table(&grid, "Figures given by the user", "given");
        let name = markup(&self.name);
        format!("<p>{name}: {intro}</p>\n{table}{}", self.not_drawn())
    }

    /// The configurations without figures, as a paragraph; empty if there are none.
    fn not_drawn(&self) -> String {
        if self.missing.is_empty() {
            return String::new();
        }
        let named = self.missing.iter().take(MOST_NAMED).map(|m| self.configuration(m));
        let named = named.collect::<Vec<_>>().join("; ");
        let more = match self.missing.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            n => format!("; and {n} more"),
        };
        let text = markup(&format!("{named}{more}"));
        format!("<p>Without a line in the file, and not drawn against its figures: {text}.</p>\n")
    }
}

#[cfg(test)]
mod tests;
