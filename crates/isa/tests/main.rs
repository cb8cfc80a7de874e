//! The tests of this crate are one program, because each program costs a link.

mod table;
mod test_files;
mod variables;
