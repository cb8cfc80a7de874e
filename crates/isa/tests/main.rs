//! The tests of this crate except `custom` are one program, because each program costs a link.

mod table;
mod test_files;
mod variables;
