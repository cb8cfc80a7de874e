//! Translations of the program that are kept for its next run, in capvec's store.

use crate::cmd::run::guest;
use crate::cmd::say;
use capvec_jit::OfProgram;
use capvec_sysroot::Store;

/// The translations of this guest's program; none if the user has no home directory, which other messages report where it
/// matters.
pub fn open(guest: &guest::Launch) -> Option<OfProgram> {
    let dir = Store::from_env().ok()?.home().join("translations");
    Some(OfProgram::kept_in(&dir, &format!("{} {:?}", guest.sysroot, guest.program[0])))
}

/// Writes the file of translations, and reports if the file that was read was not usable.
pub fn finish(translations: Option<OfProgram>) {
    let problem = translations.and_then(OfProgram::finish);
    problem.iter().for_each(|problem| say!("{problem}"));
}
