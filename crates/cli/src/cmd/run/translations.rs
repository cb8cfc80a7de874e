//! Translations of the program that are kept for its next run, in capvec's store.

use crate::cmd::run::guest;
use crate::cmd::say;
use capvec_jit::OfProgram;
use capvec_sysroot::Store;
use std::path::PathBuf;

/// The translations of this guest's program; none if the user has no home directory, which other messages report where it
/// matters.
pub fn open(guest: &guest::Launch) -> Option<OfProgram> {
    let dir = Store::from_env().ok()?.home().join("translations");
    let mut program = PathBuf::from(&guest.program[0]);
    // Programs of one name in different directories have files of their own.
    if program.components().count() > 1 {
        program = std::env::current_dir().ok()?.join(program);
    }
    Some(OfProgram::kept_in(&dir, &format!("{} {program:?}", guest.sysroot)))
}

/// Writes the file of translations, and reports if the file that was read was not usable.
pub fn finish(translations: Option<OfProgram>) {
    let problem = translations.and_then(OfProgram::finish);
    problem.iter().for_each(|problem| say!("{problem}"));
}
