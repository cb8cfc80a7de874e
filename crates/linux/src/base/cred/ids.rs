//! User and group IDs, and the rules by which system calls change them.

use crate::base::errno::{Errno, Result};

/// The four user IDs, or the four group IDs, of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    /// The user who started the process.
    pub real: u32,
    /// The user whose rights it has.
    pub effective: u32,
    /// A user whose rights it may assume again.
    pub saved: u32,
    /// The user whose rights to files it has.
    pub fs: u32,
}

/// "Leave this ID unchanged", in calls that set several.
const KEEP: u32 = u32::MAX;

impl Ids {
    /// The same ID in all four roles.
    #[cfg(test)]
    pub(super) fn all(id: u32) -> Ids {
        Ids { real: id, effective: id, saved: id, fs: id }
    }

    fn holds(self, id: u32) -> bool {
        [self.real, self.effective, self.saved].contains(&id)
    }

    /// `setuid`, `setgid`.
    ///
    /// # Errors
    /// `EINVAL`, `EPERM`.
    pub fn set(self, id: u32, privileged: bool) -> Result<Ids> {
        if id == KEEP {
            return Err(Errno::EINVAL);
        }
        if privileged {
            return Ok(Ids { real: id, effective: id, saved: id, fs: id });
        }
        if id != self.real && id != self.saved {
            return Err(Errno::EPERM);
        }
        Ok(Ids { effective: id, fs: id, ..self })
    }

    /// `setreuid`, `setregid`.
    ///
    /// # Errors
    /// `EPERM`.
    pub fn set_two(self, [real, effective]: [u32; 2], privileged: bool) -> Result<Ids> {
        let mut new = self;
        if real != KEEP {
            if !privileged && real != self.real && real != self.effective {
                return Err(Errno::EPERM);
            }
            new.real = real;
        }
        if effective != KEEP {
            if !privileged && !self.holds(effective) {
                return Err(Errno::EPERM);
            }
            new.effective = effective;
        }
        if real != KEEP || (effective != KEEP && effective != self.real) {
            new.saved = new.effective;
        }
        new.fs = new.effective;
        Ok(new)
    }

    /// `setresuid`, `setresgid`.
    ///
    /// # Errors
    /// `EPERM`.
    pub fn set_three(self, ids: [u32; 3], privileged: bool) -> Result<Ids> {
        if !privileged && ids.iter().any(|id| *id != KEEP && !self.holds(*id)) {
            return Err(Errno::EPERM);
        }
        let [real, effective, saved] = ids;
        let pick = |new, old| if new == KEEP { old } else { new };
        let effective = pick(effective, self.effective);
        let (real, saved) = (pick(real, self.real), pick(saved, self.saved));
        Ok(Ids { real, effective, saved, fs: effective })
    }

    /// `setfsuid`, `setfsgid`: an ID that is not permitted changes nothing.
    pub fn set_fs(self, id: u32, privileged: bool) -> Ids {
        let may = id != KEEP && (privileged || self.holds(id) || self.fs == id);
        if may { Ids { fs: id, ..self } } else { self }
    }

    pub(super) fn any_root(self) -> bool {
        self.holds(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: u32 = 65534;

    #[test]
    fn dropped_ids_cannot_be_regained() {
        let ids = Ids::all(0).set(NOBODY, true).expect("root may set it");
        assert_eq!(ids, Ids::all(NOBODY));
        assert_eq!(ids.set(0, false), Err(Errno::EPERM));
        assert_eq!(ids.set_two([0, 0], false), Err(Errno::EPERM));
        assert_eq!(ids.set_three([KEEP, 0, KEEP], false), Err(Errno::EPERM));
        assert_eq!(ids.set_fs(0, false), ids);
        assert_eq!(Ids::all(0).set(KEEP, true), Err(Errno::EINVAL));
    }

    #[test]
    fn a_saved_id_can_be_regained() {
        let ids = Ids::all(0).set_three([KEEP, 5, KEEP], true).expect("root may set it");
        assert_eq!(ids, Ids { effective: 5, fs: 5, ..Ids::all(0) });
        assert_eq!(ids.set(0, false), Ok(Ids::all(0)));
        // setreuid exchanges real and effective, and saves the new effective one.
        let swapped = Ids { real: 1, effective: 2, saved: 1, fs: 2 }.set_two([2, 1], false);
        assert_eq!(swapped, Ok(Ids { real: 2, effective: 1, saved: 1, fs: 1 }));
    }
}
