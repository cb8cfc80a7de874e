//! Translations in a file: a line that says what the file is; the SHA-256 and the length of a table of contents; the table, which
//! has the digest of each translation; and the translations one after the other, each read and compared with its digest when it
//! is needed. Those that a process adds are in a temporary file until it ends. So only the table is in memory, about a tenth of
//! the whole.

use super::places::{Place, Places, Sum};
use super::record::{decode, encode};
use super::translation::Translation;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::Path;

const MAGIC: &[u8] = b"capvec translations\n";
/// Bytes of SHA-256.
const DIGEST: usize = 32;
/// Bytes before the table of contents.
const HEAD: usize = MAGIC.len() + DIGEST + 8;
/// Most writings of the file that a translation survives without being used.
const MAX_AGE: u8 = 15;
/// Maximum number of bytes that were added and are not in the temporary file yet.
const PENDING: usize = 128 << 10;

/// What was wrong with a file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It is not one of ours, or too short.
    #[error("not a file of translations, or truncated")]
    Truncated,
    /// A digest differs.
    #[error("damaged: its SHA-256 differs from the one it names")]
    Digest,
    /// The table of contents cannot be read, or belongs to another file.
    #[error("not what its name says")]
    Contents,
}

/// The table of contents: what the translations are for; the address, the length in bytes, the digest and the age of each.
#[derive(Serialize, Deserialize)]
struct Contents<'a> {
    about: &'a str,
    records: Vec<(u64, u32, Sum, u8)>,
}

/// Encoded translations by the address of their first block.
#[derive(Default)]
pub struct Stored {
    /// The file that was read.
    file: Option<File>,
    /// Bytes of the translations in it, and of those among them that this process has used.
    size: usize,
    used: usize,
    /// Those that were added.
    added: Added,
    places: Places,
    /// The bytes of places that have been read and not been used yet.
    read: HashMap<u32, Box<[u8]>>,
    damage: Option<Damage>,
}

/// What this process has added: in a temporary file, except for the last bytes.
#[derive(Default)]
struct Added {
    file: Option<File>,
    /// Bytes in the file.
    written: usize,
    pending: Vec<u8>,
}

impl Stored {
    /// The translations in this file.
    ///
    /// # Errors
    /// The file is damaged, or not about `about`.
    pub fn read(file: File, about: &str) -> Result<Stored, Damage> {
        let len = file.metadata().map_or(0, |m| m.len());
        let mut head = [0; HEAD];
        file.read_exact_at(&mut head, 0).map_err(|_| Damage::Truncated)?;
        let (digest, contents) =
            head.strip_prefix(MAGIC).ok_or(Damage::Truncated)?.split_at(DIGEST);
        let contents = contents.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let at = (HEAD as u64).checked_add(contents).ok_or(Damage::Truncated)?;
        if at > len {
            return Err(Damage::Truncated);
        }
        let mut bytes = vec![0; contents as usize];
        file.read_exact_at(&mut bytes, HEAD as u64).map_err(|_| Damage::Truncated)?;
        if *Sha256::digest(&bytes) != *digest {
            return Err(Damage::Digest);
        }
        let contents =
            postcard::from_bytes::<Contents<'_>>(&bytes).map_err(|_| Damage::Contents)?;
        if contents.about != about {
            return Err(Damage::Contents);
        }
        let size = len - at;
        let mut places = Places::with_capacity(contents.records.len());
        // From the end, so that those that were used last are found first.
        let mut end = u32::try_from(len).map_err(|_| Damage::Truncated)?;
        for (start, len, sum, age) in contents.records.into_iter().rev() {
            end = end.checked_sub(len).ok_or(Damage::Truncated)?;
            places.add(start, Place::new(end, len, sum, age.saturating_add(1), false));
        }
        if u64::from(end) != at {
            return Err(Damage::Truncated);
        }
        Ok(Stored { file: Some(file), size: size as usize, places, ..Stored::default() })
    }

    /// Approximate number of bytes.
    pub fn size(&self) -> usize {
        self.size + self.added.len()
    }

    /// Approximate number of bytes of the translations that this process has used or added.
    pub fn in_use(&self) -> usize {
        self.used + self.added.len()
    }

    /// Approximate number of bytes that this process has added.
    pub fn added(&self) -> usize {
        self.added.len()
    }

    /// What has been found wrong with the file since its table was read, if anything.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// The first translation at this address for which `fits` returns something.
    pub fn find<T>(
        &mut self,
        start: u64,
        mut fits: impl FnMut(&Translation) -> Option<T>,
    ) -> Option<(Translation, T)> {
        let numbers: Vec<u32> = self.places.of(start).collect();
        for number in numbers {
            let Some(t) = self.load(number).and_then(decode) else { continue };
            if let Some(found) = fits(&t) {
                self.read.remove(&number);
                let place = self.places.get_mut(number)?;
                if place.age > 0 {
                    place.age = 0;
                    self.used += place.len as usize;
                }
                return Some((t, found));
            }
        }
        None
    }

    /// The bytes of a translation. If they are damaged, no other from that file is used.
    fn load(&mut self, number: u32) -> Option<&[u8]> {
        let place = self.places.get(number).filter(|place| self.is_usable(place))?;
        if !self.read.contains_key(&number) {
            let bytes = self.bytes(place);
            if bytes.is_none() {
                self.damage = Some(Damage::Digest);
            }
            self.read.insert(number, bytes?);
        }
        self.read.get(&number).map(|bytes| &**bytes)
    }

    /// Whether a translation was added, or is in a file that is not damaged.
    fn is_usable(&self, place: &Place) -> bool {
        place.added || self.damage.is_none()
    }

    /// The same, without keeping them; `None` if they are damaged.
    fn bytes(&self, place: &Place) -> Option<Box<[u8]>> {
        let mut bytes = vec![0; place.len as usize].into_boxed_slice();
        match place.added {
            true => self.added.read(place.at.into(), &mut bytes)?,
            false => self.file.as_ref()?.read_exact_at(&mut bytes, place.at.into()).ok()?,
        }
        (sum(&bytes) == place.sum).then_some(bytes)
    }

    /// Adds a translation at this address, unless there is one like it, or this process has used or added `most` others. Nothing
    /// is added that cannot be encoded. A temporary file in `dir` holds what is added.
    pub fn add(&mut self, start: u64, t: &Translation, most: usize, dir: &Path) {
        let Some(record) = encode(t) else { return };
        let sum = sum(&record);
        let known = self.places.of(start).filter_map(|number| self.places.get(number));
        let known: Vec<&Place> = known.filter(|place| self.is_usable(place)).collect();
        // What a translation is for determines its bytes, so those that are alike have the same bytes.
        let full = known.iter().filter(|place| place.age == 0).count() >= most;
        if full || known.iter().any(|place| place.sum == sum) {
            return;
        }
        let Ok(at) = u32::try_from(self.added.len()) else { return };
        if self.added.push(&record, dir).is_some() {
            self.places.add(start, Place::new(at, record.len() as u32, sum, 0, true));
        }
    }

    /// What the next file has: at most `bytes` bytes, and at most `most` translations for an address. Those that have not been used
    /// for longest make room.
    fn kept(&self, bytes: usize, most: usize) -> Vec<(u64, &Place)> {
        let all = self.places.iter().filter(|(_, place)| self.is_usable(place));
        let mut kept: Vec<_> = all.filter(|(_, place)| place.age <= MAX_AGE).collect();
        // The order does not depend on that of the map, so that equal runs write equal files.
        kept.sort_unstable_by_key(|(start, place)| (place.age, *start, place.sum));
        let mut at_address: HashMap<u64, usize> = HashMap::new();
        let mut all = 0;
        kept.retain(|(start, place)| {
            let here = at_address.entry(*start).or_default();
            let fits = *here < most && all + place.len as usize <= bytes;
            if fits {
                *here += 1;
                all += place.len as usize;
            }
            fits
        });
        kept
    }

    /// Writes the content of a file: at most about `bytes` bytes, and at most `most` translations for an address.
    ///
    /// # Errors
    /// Something cannot be read or written.
    pub fn write(
        &self,
        about: &str,
        bytes: usize,
        most: usize,
        to: &mut impl Write,
    ) -> std::io::Result<()> {
        let kept = self.kept(bytes, most);
        let record = |(start, place): &(u64, &Place)| (*start, place.len, place.sum, place.age);
        let records = kept.iter().map(record).collect();
        let contents = Contents { about, records };
        let contents = postcard::to_allocvec(&contents).map_err(std::io::Error::other)?;
        to.write_all(MAGIC)?;
        to.write_all(&Sha256::digest(&contents))?;
        to.write_all(&(contents.len() as u64).to_le_bytes())?;
        to.write_all(&contents)?;
        for (_, place) in kept {
            let bytes = self.bytes(place).ok_or_else(|| std::io::Error::other(Damage::Digest))?;
            to.write_all(&bytes)?;
        }
        Ok(())
    }
}

impl Added {
    fn len(&self) -> usize {
        self.written + self.pending.len()
    }

    /// Appends bytes. `None` if the file cannot be made or written.
    fn push(&mut self, bytes: &[u8], dir: &Path) -> Option<()> {
        if self.pending.len() + bytes.len() > PENDING {
            if self.file.is_none() {
                private(dir).ok()?;
                self.file = Some(tempfile::tempfile_in(dir).ok()?);
            }
            self.file.as_ref()?.write_all_at(&self.pending, self.written as u64).ok()?;
            self.written += self.pending.len();
            self.pending.clear();
        }
        self.pending.extend_from_slice(bytes);
        Some(())
    }

    /// Reads the bytes at this position, all of which were added at once.
    fn read(&self, at: u64, bytes: &mut [u8]) -> Option<()> {
        match (at as usize).checked_sub(self.written) {
            Some(at) => bytes.copy_from_slice(self.pending.get(at..)?.get(..bytes.len())?),
            None => self.file.as_ref()?.read_exact_at(bytes, at).ok()?,
        }
        Some(())
    }
}

/// Makes a directory that only its owner can use, unless it is there.
pub fn private(dir: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

fn sum(bytes: &[u8]) -> Sum {
    let digest = Sha256::digest(bytes);
    std::array::from_fn(|n| digest[n])
}
