//! Vector configuration, loads and stores, mask instructions and permutations, against a model that
//! interprets the raw words byte by byte, as the text of the manual puts it.

mod access;
mod config;
mod machine;
mod mask;
mod mem;
mod perm;
mod suite;
