//! What may differ between two records that are compared.

use super::dimension::Dimension;
use super::key::Key;
use crate::Row;
use anyhow::{Result, bail};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// If there are more values than this, they are counted, not named: each row may have one of its own.
const MOST: usize = 4;

/// A value, or "none".
pub(super) fn shown(value: &str) -> &str {
    if value.is_empty() { "none" } else { value }
}

/// A property in which the records may differ because the user said so: each record has one value of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Across {
    /// The property.
    pub dimension: Dimension,
    /// Its value in the old record.
    pub old: String,
    /// Its value in the new record.
    pub new: String,
}

/// The values of these dimensions in two records.
///
/// # Errors
/// A record has several values of a dimension, so that it is not known which of its rows are meant.
pub(super) fn across(wanted: &[Dimension], old: &[Row], new: &[Row]) -> Result<Vec<Across>> {
    let one = |d: Dimension, which: &str, rows: &[Row]| -> Result<String> {
        let mut found: HashMap<Key, String> = HashMap::new();
        let (mut seen, mut values) = (HashSet::new(), Vec::new());
        for row in rows {
            let value = d.of(row);
            if seen.insert(value.clone()) {
                values.push(value.clone());
            }
            let first = found.entry(Key::of(row, wanted).id()).or_insert_with(|| value.clone());
            if *first != value {
                let name = d.name();
                bail!(
                    "--across {name}: the {which} record has several: {} and {}; measure one for each record",
                    shown(first),
                    shown(&value)
                );
            }
        }
        let named = values.iter().take(MOST).map(|v| shown(v)).collect::<Vec<_>>().join(", ");
        Ok(match values.len().saturating_sub(MOST) {
            0 => named,
            n => format!("{named} and {n} more"),
        })
    };
    let mut all = Vec::new();
    for d in Dimension::ALL.into_iter().filter(|d| wanted.contains(d)) {
        all.push(Across { dimension: d, old: one(d, "old", old)?, new: one(d, "new", new)? });
    }
    Ok(all)
}
