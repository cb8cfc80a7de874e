//! Translations of the program that are kept for its next run, in capvec's store.

use crate::cmd::run::guest;
use crate::cmd::say;
use capvec_jit::OfProgram;
use capvec_sysroot::Store;

/// Those of this guest's program; none if the user has no home, which other messages report where it matters.
pub fn open(guest: &guest::Launch) -> Option<OfProgram> {
    let dir = Store::from_env().ok()?.home().join("translations");
    Some(OfProgram::kept_in(&dir, &format!("{} {:?}", guest.sysroot, guest.program[0])))
}

/// Writes their file, and reports one that was not usable.
pub fn finish(translations: Option<OfProgram>) {
    let problem = translations.and_then(OfProgram::finish);
    problem.iter().for_each(|problem| say!("{problem}"));
}
