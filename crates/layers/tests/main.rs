//! Rules about the files of every crate.

mod check;
mod circles;
mod record;
mod unit_tests;
