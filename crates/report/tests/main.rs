//! The tests of this crate are one program, because each program costs a link.

mod browser;
mod dependencies;
mod digits;
mod found;
mod list_of_pages;
mod targets;
