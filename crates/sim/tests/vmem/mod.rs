//! Vector configuration, loads and stores, mask instructions and permutations, against a model that interprets the
//! instruction words byte by byte, following the manual's text.

mod access;
mod config;
mod mask;
mod mem;
mod perm;
mod state;
mod suite;
