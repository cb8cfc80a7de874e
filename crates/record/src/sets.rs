//! What the capability sets of rows mean: the configurations of their record, or else what their names say.

use crate::{ConfigurationRecord, Row};
use capvec_isa::capability::{BASELINE, openssl_known, openssl_with_v};
use capvec_isa::{Ext, ExtSet, Isa, IsaError, isa_string};
use std::borrow::Cow;
use std::collections::HashMap;

/// The configurations of a record, by what rows name.
pub(crate) struct Sets<'a> {
    by_name: HashMap<(&'a str, &'a str, u32, &'a str), &'a ConfigurationRecord>,
}

impl<'a> Sets<'a> {
    pub(crate) fn of(all: &'a [ConfigurationRecord]) -> Sets<'a> {
        let key = |c: &'a ConfigurationRecord| {
            (c.subject.as_str(), c.core.as_str(), c.vlen, c.capset.as_str())
        };
        Sets { by_name: all.iter().map(|c| (key(c), c)).collect() }
    }

    /// The configuration of a row. Without any, as in a CSV, it is what the name of the row's set means.
    pub(crate) fn find(&self, row: &Row) -> Option<Cow<'a, ConfigurationRecord>> {
        match self.by_name.is_empty() {
            true => named(row).map(Cow::Owned),
            false => self.listed(row).map(Cow::Borrowed),
        }
    }

    /// The configuration of a row in the record. In old records, it names neither subject nor core.
    pub(crate) fn listed(&self, row: &Row) -> Option<&'a ConfigurationRecord> {
        let subjects = [row.subject.as_str(), ""];
        let mut places = subjects.into_iter().flat_map(|s| [(s, row.core.as_str()), (s, "")]);
        places.find_map(|(subject, core)| {
            self.by_name.get(&(subject, core, row.vlen, row.capset.as_str())).copied()
        })
    }
}

/// What the capability set of a row means if nothing but its name says so. `auto` depends on the processor, a verbatim value
/// names no set, and on other architectures than RISC-V names mean something else.
fn named(row: &Row) -> Option<ConfigurationRecord> {
    let hart = hart(&row.capset).filter(|_| row.capstring.starts_with("rv64"))?;
    Some(ConfigurationRecord {
        capset: row.capset.clone(),
        capstring: Some(row.capstring.clone()),
        hart: hart.to_string(),
        ..ConfigurationRecord::default()
    })
}

/// The extensions of the hart for a set of this name, as `--caps` takes it: scalar, full, extensions, full with
/// extensions, a profile or an ISA string.
pub(crate) fn hart(name: &str) -> Option<ExtSet> {
    match name {
        "scalar" => Some(on_baseline(ExtSet::EMPTY)),
        "full" => Some(on_baseline(openssl_known().collect())),
        isa if isa.starts_with("rv") => {
            Some(BASELINE.union(isa.parse::<Isa>().ok()?.exts).closed())
        }
        _ => {
            let (all, more) = match name.strip_prefix("full_") {
                Some(more) => (openssl_known().collect(), more),
                None => (ExtSet::EMPTY, name),
            };
            Some(on_baseline(all.union(words(more).ok()?)))
        }
    }
}

/// The extensions that a set's name lists.
pub(crate) fn words(name: &str) -> Result<ExtSet, IsaError> {
    name.split('_').try_fold(ExtSet::EMPTY, |all, w| Ok(all.union(isa_string::word(name, w)?)))
}

/// A set as records have it: names, separated by spaces.
pub(crate) fn exts(names: &str) -> ExtSet {
    names.split_whitespace().filter_map(Ext::from_name).collect()
}

/// A hart of rv64gc with these extensions and what they imply. Vector extensions add V, without which OpenSSL uses none of them.
pub(crate) fn on_baseline(exts: ExtSet) -> ExtSet {
    BASELINE.union(openssl_with_v(exts.closed())).closed()
}
