//! Rules about the files of every crate.

mod check;
mod circles;
mod dependencies;
mod figures;
mod paths;
mod record;
mod site;
mod unit_tests;
mod unsafe_code;
mod versions;
