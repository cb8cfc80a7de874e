//! The tests of this crate are one program, because each program costs a link.

mod browser;
mod digits;
mod found;
mod list_of_pages;
mod space;
mod targets;

use capvec_record::Record;
use capvec_record::read::Loaded;

/// The record with other facts.
fn changed(run: &Loaded, change: impl FnOnce(&mut Record)) -> Loaded {
    let mut facts = run.record.clone().into_facts();
    change(&mut facts);
    Loaded { name: run.name.clone(), record: facts.evaluate().unwrap() }
}
