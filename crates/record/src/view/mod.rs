//! Views of a record: the tables that people read, computed from its facts alone.

mod attempts;
mod best_sets;
mod builds;
mod call_and_byte;
pub mod calls;
mod core_columns;
mod divided;
pub mod doctor;
mod explanations;
mod files;
pub mod findings;
mod functions;
mod handshakes;
mod kernels;
mod layouts;
mod libraries;
mod library_operations;
pub mod meaning;
mod measured;
mod mix;
mod openssl_speed_table;
mod operations;
mod parts;
mod predictions;
mod print;
mod published_pqc;
mod regions;
pub mod speed_unit;
mod unused;

pub use print::{markdown, text};

use crate::best::several;
use crate::grid::Section;
use crate::shown::Tables;
use crate::{Evaluated, Kind, Record};
use anyhow::Result;

/// The subject of a record's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// One library on core models.
    Library,
    /// Several libraries on core models.
    Libraries,
    /// A machine, or an emulator.
    Target,
    /// The user's own code.
    Own,
}

impl Scope {
    fn of(record: &Record) -> Scope {
        match record.target.kind {
            _ if calls::is_own(record) => Scope::Own,
            Kind::Emulated | Kind::Real => Scope::Target,
            Kind::Modelled if several(&record.rows, |r| r.subject.clone()) => Scope::Libraries,
            Kind::Modelled => Scope::Library,
        }
    }
}

/// Makes sections; none if the record has nothing to show in them.
type View = fn(&Evaluated) -> Result<Vec<Section>>;

/// Every table: its scope, and the function that makes it, in the order in which they are shown.
const VIEWS: [(&[Scope], View); 20] = [
    (&[Scope::Own], |r| Ok(calls::sections(r))),
    (&[Scope::Own], |r| Ok(regions::sections(r))),
    (&[Scope::Target], |r| builds::sections(r)),
    (&[Scope::Target], |r| Ok(measured::sections(r))),
    (&[Scope::Libraries], |r| Ok(libraries::sections(r))),
    (&[Scope::Libraries], |r| Ok(library_operations::sections(r))),
    (&[Scope::Library], |r| Ok(best_sets::sections(r))),
    (&[Scope::Library, Scope::Libraries], |r| Ok(kernels::sections(r))),
    (&[Scope::Library], |r| Ok(operations::sections(r))),
    (&[Scope::Library, Scope::Libraries], |r| Ok(handshakes::sections(r))),
    (&[Scope::Library, Scope::Libraries], |r| published_pqc::sections(r)),
    (&[Scope::Library, Scope::Libraries], |r| Ok(attempts::sections(r))),
    (&[Scope::Library], |r| Ok(call_and_byte::sections(r))),
    (&[Scope::Library], |r| Ok(explanations::sections(r))),
    (&[Scope::Library], predictions::sections),
    (&[Scope::Library], |r| Ok(openssl_speed_table::sections(r))),
    (&[Scope::Library], |r| Ok(mix::sections(r))),
    (&[Scope::Library, Scope::Libraries], |r| Ok(parts::sections(r))),
    (&[Scope::Library], |r| Ok(functions::sections(r))),
    (&[Scope::Library, Scope::Libraries, Scope::Own], |r| Ok(layouts::sections(r))),
];

impl Tables for Evaluated {
    fn sections(&self) -> Result<Vec<Section>> {
        let scope = Scope::of(self);
        let mut sections = Vec::new();
        for (_, view) in VIEWS.iter().filter(|(scopes, _)| scopes.contains(&scope)) {
            sections.extend(view(self)?);
        }
        Ok(sections)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::best::MOST_COLUMNS;
    use crate::{Record, Row};

    /// An untrusted record may have a different library and case in each row: its tables must grow linearly with it.
    #[test]
    fn tables_grow_as_their_record_does() {
        let cells = |count: usize, kind: Kind| {
            let row = |i: usize| Row {
                subject: format!("s{i}"),
                kind,
                ..crate::testing::row(&format!("c{i}"), "auto", 16 + i, 100.0)
            };
            let mut record = Record { rows: (0..count).map(row).collect(), ..Record::default() };
            record.target.kind = kind;
            let mut record = record.evaluate().unwrap();
            record.derived.iter_mut().for_each(|d| d.kernel_needs = "v".into());
            let sections = record.sections().unwrap();
            let said = |s: &Section| s.legend.contains(&format!("Of {count} "));
            assert_eq!(sections.iter().any(said), count > MOST_COLUMNS);
            sections.iter().flat_map(|s| &s.grid.body).map(Vec::len).sum::<usize>()
        };
        for kind in [Kind::Modelled, Kind::Emulated, Kind::Real] {
            assert!(cells(4, kind) > 0);
            let (few, many) = (cells(500, kind), cells(2000, kind));
            assert!(many <= 4 * few, "{kind:?}: {few} cells, then {many}");
            assert!(many < 200 * 2000, "{kind:?}: {many}");
        }
    }
}
