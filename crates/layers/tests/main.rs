//! Rules about the files of every crate.

mod check;
mod circles;
mod paths;
mod record;
mod site;
mod unit_tests;
