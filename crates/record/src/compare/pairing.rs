//! Finds the row of a record that another row is compared with.

use super::across::shown;
use super::dimension::Dimension;
use super::key::Key;
use crate::Row;
use std::collections::HashMap;

/// The properties in which rows must agree to be comparable.
pub type Place = Vec<(Dimension, String)>;

/// The properties of a row.
pub fn place(row: &Row, across: &[Dimension]) -> Place {
    let fixed = |d: &Dimension| *d != Dimension::Vlen && !across.contains(d);
    Dimension::ALL.into_iter().filter(fixed).map(|d| (d, d.of(row))).collect()
}

/// What differs between rows of the same key.
pub fn differs(old: &Place, new: &Place) -> (Vec<Dimension>, String) {
    let named = old.iter().zip(new).filter(|(a, b)| a.1 != b.1);
    let of = |((d, a), (_, b)): (&(Dimension, String), &(Dimension, String))| {
        (*d, format!("{} {} / {}", d.name(), shown(a), shown(b)))
    };
    let (which, text): (Vec<_>, Vec<_>) = named.map(of).unzip();
    (which, text.join(", "))
}

/// The rows of a record; where it has a row twice, the first.
pub struct Index<'a> {
    rows: HashMap<(Key, Place), &'a Row>,
    /// The first row of each key. Keys have neither core nor library here.
    places: HashMap<Key, Place>,
}

/// What an index has for a row of another record.
pub enum Found<'a> {
    /// The same row.
    Same(&'a Row),
    /// A row of the same key that differs in other properties.
    Different(&'a Place),
    /// No row of this key.
    Missing,
}

impl Index<'_> {
    pub fn of<'a>(rows: &'a [Row], across: &[Dimension]) -> Index<'a> {
        let mut index = Index { rows: HashMap::new(), places: HashMap::new() };
        for row in rows {
            let (key, place) = (Key::of(row, across).id(), place(row, across));
            index.places.entry(key.clone()).or_insert_with(|| place.clone());
            index.rows.entry((key, place)).or_insert(row);
        }
        index
    }

    pub fn find(&self, key: &Key, place: &Place) -> Found<'_> {
        let key = key.id();
        match (self.rows.get(&(key.clone(), place.clone())), self.places.get(&key)) {
            (Some(row), _) => Found::Same(row),
            (None, Some(place)) => Found::Different(place),
            (None, None) => Found::Missing,
        }
    }
}
