//! The parts of a page for what `capvec doctor`, `capvec kat` and `capvec explore` found.

use crate::doctor::{self, Doctor};
use crate::{plots, tables};
use capvec_record::explored::{Explored, Point};
use capvec_record::grid::Section;
use capvec_record::kat;
use capvec_text::digits::TIMES;
use capvec_text::escape::markup;

/// The content of a file that is not a record of `bench`.
#[derive(Clone, Debug)]
pub enum What {
    /// Output of `capvec doctor --format json`.
    Doctor(Doctor),
    /// Output of `capvec kat --format json` or `--out`.
    Kat(kat::Record),
    /// Output of `capvec explore --format json` or `--out`.
    Explored(Explored),
}

/// That content with the name of its file.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file, as the user named it.
    pub name: String,
    /// Its content.
    pub what: What,
}

impl Found {
    fn sections(&self) -> Vec<Section> {
        match &self.what {
            What::Doctor(d) => doctor::sections(d),
            What::Kat(k) => vec![k.section()],
            What::Explored(e) => e.sections(),
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let own = match &self.what {
            What::Doctor(d) => doctor::facts(d),
            What::Kat(k) => vec![
                ("Target", k.target.clone()),
                ("Subject", k.subject.clone()),
                ("Command", crate::method::command(&k.command)),
                ("Tool", k.tool.clone()),
            ],
            What::Explored(e) => vec![
                ("Core", e.core.clone()),
                ("Library", format!("{} ({})", e.subject, e.version)),
                ("Added to", e.base_text()),
                ("Command", crate::method::command(&e.command)),
                ("Tool", e.tool.clone()),
            ],
        };
        std::iter::once(("Record", self.name.clone())).chain(own).collect()
    }

    /// What a reader must know before reading the rest.
    pub fn warnings(&self) -> Vec<String> {
        match &self.what {
            What::Doctor(d) => doctor::warnings(d),
            What::Kat(k) => {
                let bad = k.rows.iter().filter(|r| !r.good());
                bad.map(|r| {
                    let why = match (&r.failure, r.failed, r.absent) {
                        (Some(f), 1.., _) => {
                            format!(
                                "{} of {} vectors failed: {} of {}: {}",
                                r.failed, r.vectors, f.id, f.file, f.what
                            )
                        }
                        (_, _, 1..) => "not available in this library: not checked".into(),
                        _ if r.unlike_scalar > 0 => {
                            format!("{} vectors are not as on the scalar path", r.unlike_scalar)
                        }
                        _ => format!("nothing was tested by {}", r.untested.join(", ")),
                    };
                    format!("{} with {}: {why}", r.algorithm, r.place())
                })
                .collect()
            }
            What::Explored(e) => {
                let why = |p: &Point| p.wrong.clone().unwrap_or_default();
                let mut all: Vec<String> =
                    e.wrong().map(|p| format!("{} with {}: {}", p.case, p.with, why(p))).collect();
                all.dedup();
                all
            }
        }
    }

    /// The figures for the top of the page, and what each counts; `named` adds the file to the target, where that is not
    /// known or others have the same.
    pub fn tiles(&self, named: bool) -> Vec<(String, String)> {
        let file = if named { format!(" in {}", self.name) } else { String::new() };
        let on = self.on() + &file;
        match &self.what {
            What::Doctor(d) => {
                let (all, counts) = doctor::counts(d);
                let tile = |(n, what)| (format!("{n} of {all}"), format!("{what}{on}"));
                counts.into_iter().map(tile).collect()
            }
            What::Kat(k) => {
                let (failed, all) = k.failed();
                let each = match k.counted() {
                    one if one.configurations < 2 => String::new(),
                    several => format!(", counted in each configuration: {several}"),
                };
                vec![(format!("{failed} of {all}"), format!("vectors failed{on}{each}"))]
            }
            What::Explored(e) => {
                let own = e.own_gains();
                let least = own.iter().map(|(_, gain)| *gain).min_by(f64::total_cmp);
                let others = match least.filter(|_| own.len() > 1) {
                    Some(least) => {
                        format!("; the best of {}, the least is {}×", own.len(), TIMES.text(least))
                    }
                    None => String::new(),
                };
                let tile = |(p, gain): (&Point, f64)| {
                    (
                        format!("{}×", TIMES.text(gain)),
                        format!("{} with {}{on}, modelled{others}", p.case, p.with),
                    )
                };
                e.best().map(tile).into_iter().collect()
            }
        }
    }

    /// The exploration, if it is one.
    pub fn explored(&self) -> Option<&Explored> {
        match &self.what {
            What::Explored(explored) => Some(explored),
            What::Doctor(_) | What::Kat(_) => None,
        }
    }

    /// The target.
    fn place(&self) -> Option<String> {
        match &self.what {
            What::Doctor(d) => doctor::place(d),
            What::Kat(k) => Some(k.target.clone()),
            What::Explored(e) => Some(e.core.clone()),
        }
        .filter(|place| !place.is_empty())
    }

    /// Whether only its file's name tells it apart from others of its kind.
    pub fn is_ambiguous(&self, all: &[Found]) -> bool {
        let kind = std::mem::discriminant(&self.what);
        let same = |f: &&Found| {
            std::mem::discriminant(&f.what) == kind
                && (f.place() == self.place() || self.place().is_none())
        };
        all.iter().filter(same).count() > 1
    }

    fn on(&self) -> String {
        self.place().map_or(String::new(), |place| format!(" on {place}"))
    }

    /// The heading, if there are several.
    fn heading(&self) -> String {
        let place = self.place().map_or(String::new(), |place| format!("{place}: "));
        format!("<h3 class=\"run\">{}</h3>\n", markup(&(place + &self.name)))
    }

    /// The HTML of a part of the page; `number` makes its identifiers unique.
    fn html(&self, number: usize) -> String {
        let facts = self
            .facts()
            .into_iter()
            .map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>\n", markup(&value)));
        let facts: String = facts.collect();
        let sections = self.sections();
        let tables = sections.iter().enumerate();
        let tables: String =
            tables.map(|(i, s)| tables::section(s, &format!("found-{number}-{}", i + 1))).collect();
        format!("{tables}<dl>\n{facts}</dl>\n")
    }
}

/// The parts of the page: of the doctor, of known answers and of explorations.
pub fn parts(all: &[Found]) -> [String; 3] {
    let mut parts = [const { String::new() }; 3];
    let part = |f: &Found| match f.what {
        What::Doctor(_) => 0,
        What::Kat(_) => 1,
        What::Explored(_) => 2,
    };
    for (i, found) in all.iter().enumerate() {
        let several = all.iter().filter(|f| part(f) == part(found)).count() > 1;
        let place = &mut parts[part(found)];
        *place += &if several { found.heading() } else { String::new() };
        *place += &found.html(i + 1);
    }
    let explored: Vec<&Explored> = all.iter().filter_map(Found::explored).collect();
    parts[2].insert_str(0, &plots::explored(&explored));
    parts
}
