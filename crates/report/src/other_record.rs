//! The parts of a page for records of other commands than `capvec bench`.

use crate::{plots, tables};
use anyhow::Result;
use capvec_record::constant_time::Checks;
use capvec_record::explored::Explored;
use capvec_record::shown::Summary;
use capvec_record::{doctor, kat};
use capvec_text::escape::markup;
use serde::de::IgnoredAny;

/// The content of a file that is not a record of `bench`.
#[derive(Clone, Debug)]
pub enum Content {
    /// Output of `capvec doctor --format json`, without the scans of files, which a report does not show.
    Doctor(Box<doctor::Record<IgnoredAny>>),
    /// Output of `capvec kat --format json` or `--out`.
    Kat(kat::Record),
    /// Output of `capvec explore --format json` or `--out`.
    Explored(Explored),
    /// Output of `capvec ct --cases --format json`.
    ConstantTime(Checks),
}

/// That content with the name of its file.
#[derive(Clone, Debug)]
pub struct OtherRecord {
    /// The file, as the user named it.
    pub name: String,
    /// Its content.
    pub content: Content,
}

impl OtherRecord {
    fn summary(&self) -> &dyn Summary {
        match &self.content {
            Content::Doctor(d) => &**d,
            Content::Kat(k) => k,
            Content::Explored(e) => e,
            Content::ConstantTime(c) => c,
        }
    }

    /// What a reader must know before reading the rest.
    pub fn warnings(&self) -> Vec<String> {
        self.summary().warnings()
    }

    /// The figures for the top of the page, and what each counts; `named` adds the file to the target, where that is not
    /// known or others have the same.
    pub fn tiles(&self, named: bool) -> Vec<(String, String)> {
        let on = self.place().map_or(String::new(), |place| format!(" on {place}"));
        let file = if named { format!(" in {}", self.name) } else { String::new() };
        self.summary().headline(&(on + &file))
    }

    /// The exploration, if it is one.
    pub fn explored(&self) -> Option<&Explored> {
        match &self.content {
            Content::Explored(explored) => Some(explored),
            Content::Doctor(_) | Content::Kat(_) | Content::ConstantTime(_) => None,
        }
    }

    /// The target.
    fn place(&self) -> Option<String> {
        self.summary().place().filter(|place| !place.is_empty())
    }

    /// Whether it is of the same command.
    fn is_like(&self, other: &OtherRecord) -> bool {
        std::mem::discriminant(&self.content) == std::mem::discriminant(&other.content)
    }

    /// Whether only its file's name tells it apart from others of its kind.
    pub fn is_ambiguous(&self, all: &[OtherRecord]) -> bool {
        let same = |other: &&OtherRecord| {
            other.is_like(self) && (other.place() == self.place() || self.place().is_none())
        };
        all.iter().filter(same).count() > 1
    }

    /// The heading, if there are several.
    fn heading(&self) -> String {
        let place = self.place().map_or(String::new(), |place| format!("{place}: "));
        format!("<h3 class=\"run\">{}</h3>\n", markup(&(place + &self.name)))
    }

    /// The HTML of a part of the page; `number` makes its identifiers unique.
    fn html(&self, number: usize) -> Result<String> {
        let facts = std::iter::once(("Record", self.name.clone())).chain(self.summary().facts());
        let facts =
            facts.map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>\n", markup(&value)));
        let facts: String = facts.collect();
        let sections = self.summary().sections()?;
        let tables = sections.iter().enumerate();
        let tables: String =
            tables.map(|(i, s)| tables::section(s, &format!("found-{number}-{}", i + 1))).collect();
        Ok(format!("{tables}<dl>\n{facts}</dl>\n"))
    }
}

/// The parts of the page: of the doctor, of known answers, of explorations and of checks for constant time.
///
/// # Errors
/// As for the sections of a record.
pub fn parts(all: &[OtherRecord]) -> Result<[String; 4]> {
    let mut parts = [const { String::new() }; 4];
    for (i, other) in all.iter().enumerate() {
        let part = match other.content {
            Content::Doctor(_) => &mut parts[0],
            Content::Kat(_) => &mut parts[1],
            Content::Explored(_) => &mut parts[2],
            Content::ConstantTime(_) => &mut parts[3],
        };
        let several = all.iter().filter(|o| o.is_like(other)).count() > 1;
        *part += &if several { other.heading() } else { String::new() };
        *part += &other.html(i + 1)?;
    }
    let explored: Vec<&Explored> = all.iter().filter_map(OtherRecord::explored).collect();
    parts[2].insert_str(0, &plots::explored(&explored));
    Ok(parts)
}
