//! The files that hold the shadows of memory that several processes share.

use capvec_sim::mem::{Object, OutOfMemory, PAGE, SPACE, memory_file};
use rustix::fs::{SeekFrom, ftruncate, seek};
use rustix::io::{pread, pwrite};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::os::fd::BorrowedFd;

/// The shadows of shared objects.
#[derive(Default)]
pub struct Shares {
    files: HashMap<u64, Object>,
    /// The space that was looked at last, and its version then.
    pub(crate) seen: Option<(u64, u64)>,
}

impl Shares {
    /// The shadow of an object, with the same number.
    pub(crate) fn shadow(&mut self, object: u64) -> Result<&Object, OutOfMemory> {
        Ok(match self.files.entry(object) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let file = memory_file("taint")?;
                // Pages that nothing is written to take no memory.
                ftruncate(&file, SPACE)?;
                new.insert(Object::numbered(file, object))
            }
        })
    }

    /// The taint of an object that is shared, from a position on. Bytes that the host cannot read are clean.
    pub fn read(&self, object: u64, at: u64, masks: &mut [u8]) {
        masks.fill(0);
        if let Some(shadow) = self.files.get(&object) {
            // A file of SPACE bytes in memory is read in one go.
            let _ = pread(shadow.fd(), masks, at);
        }
    }

    /// Sets it.
    ///
    /// # Errors
    /// The host has no memory for it.
    pub fn write(&mut self, object: u64, at: u64, masks: &[u8]) -> Result<(), OutOfMemory> {
        let known = self.files.contains_key(&object);
        if known || masks.iter().any(|mask| *mask != 0) {
            pwrite(self.shadow(object)?.fd(), masks, at)?;
        }
        Ok(())
    }

    /// Cleans an object that is shared from a position on.
    ///
    /// # Errors
    /// The host has no memory for it.
    pub fn cut(&mut self, object: u64, at: u64) -> Result<(), OutOfMemory> {
        if let Some(shadow) = self.files.get(&object) {
            ftruncate(shadow.fd(), at)?;
            ftruncate(shadow.fd(), SPACE)?;
        }
        Ok(())
    }

    /// Forgets an object; returns the taint of its pages that have any, by position.
    pub fn take(&mut self, object: u64) -> Vec<(u64, Vec<u8>)> {
        let mut all = Vec::new();
        for range in self.files.get(&object).map_or_else(Vec::new, |shadow| pages(shadow.fd())) {
            for at in range.step_by(PAGE as usize) {
                let mut masks = vec![0; PAGE as usize];
                self.read(object, at, &mut masks);
                if masks.iter().any(|mask| *mask != 0) {
                    all.push((at, masks));
                }
            }
        }
        self.files.remove(&object);
        all
    }
}

/// The pages of the file that may have contents.
fn pages(file: BorrowedFd<'_>) -> Vec<Range<u64>> {
    let mut all = Vec::new();
    let mut at = 0;
    // Without contents beyond it, there is no next position.
    while let Ok(start) = seek(file, SeekFrom::Data(at)) {
        let end = seek(file, SeekFrom::Hole(start)).unwrap_or(SPACE);
        all.push(start..end);
        at = end;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{PAGE, Shares};

    #[test]
    fn the_taint_of_an_object_is_kept_until_it_is_cut_off_or_taken() {
        let mut shares = Shares::default();
        let read = |shares: &Shares, at: u64| {
            let mut masks = [1; 3];
            shares.read(7, at, &mut masks);
            masks
        };
        // Clean bytes need no file.
        shares.write(7, PAGE, &[0; 3]).unwrap();
        assert!(shares.files.is_empty());
        shares.write(7, 3 * PAGE - 1, &[4, 5, 6]).unwrap();
        assert_eq!((read(&shares, 3 * PAGE - 1), read(&shares, 0)), ([4, 5, 6], [0; 3]));
        shares.cut(7, 3 * PAGE + 1).unwrap();
        assert_eq!(read(&shares, 3 * PAGE - 1), [4, 5, 0]);
        let taken = shares.take(7);
        let at: Vec<u64> = taken.iter().map(|(at, _)| *at).collect();
        assert_eq!(at, [2 * PAGE, 3 * PAGE]);
        assert_eq!((taken[0].1.last(), taken[1].1[0]), (Some(&4), 5));
        assert!(shares.take(7).is_empty() && read(&shares, 3 * PAGE - 1) == [0; 3]);
    }
}
