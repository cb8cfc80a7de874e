//! Taint of bytes that the system holds between two calls: in files, pipes, sockets and message queues.

use crate::origin::Id;
use capvec_sim::calls::StoredByte;
use std::collections::{BTreeMap, HashMap};

/// Bytes with one origin.
const GRANULE: u64 = 8;
/// For queues that are not files: a value in place of the device number, and the largest number of bytes in one.
const QUEUE: (u64, u64) = (u64::MAX, 1 << 21);

/// Secret bytes that the system has written to memory.
pub struct Arrival {
    pub space: u64,
    pub addr: u64,
    pub bytes: Vec<Byte>,
}

#[derive(Clone, Copy, Default)]
struct Granule {
    masks: [u8; GRANULE as usize],
    origin: Id,
}

/// A byte's mask, and where it comes from.
pub type Byte = (u8, Id);

/// What is held, by object and position.
#[derive(Default)]
pub struct Store(HashMap<(u64, u64), BTreeMap<u64, Granule>>);

impl Store {
    /// Bytes have been put there.
    pub fn put(&mut self, to: StoredByte, bytes: &[Byte]) {
        let clean = bytes.iter().all(|b| b.0 == 0);
        if clean && !self.0.contains_key(&to.object) {
            return;
        }
        let object = self.0.entry(to.object).or_default();
        if to.object.0 == QUEUE.0 {
            // Drops what has been read long ago.
            let first = to.position.saturating_sub(QUEUE.1) / GRANULE;
            *object = object.split_off(&first);
        }
        for (at, &(mask, origin)) in (to.position..).zip(bytes) {
            let (granule, byte) = (at / GRANULE, (at % GRANULE) as usize);
            match object.get_mut(&granule) {
                Some(granule) => {
                    granule.masks[byte] = mask;
                    granule.origin = if mask != 0 { origin } else { granule.origin };
                }
                None if mask != 0 => {
                    let mut new = Granule { origin, ..Granule::default() };
                    new.masks[byte] = mask;
                    object.insert(granule, new);
                }
                None => {}
            }
        }
    }

    /// The bytes from there on are gone.
    pub fn cut(&mut self, from: StoredByte) {
        let Some(object) = self.0.get_mut(&from.object) else { return };
        object.split_off(&from.position.div_ceil(GRANULE));
        if let Some(last) = object.get_mut(&(from.position / GRANULE)) {
            last.masks[(from.position % GRANULE) as usize..].fill(0);
        }
    }

    /// Takes all that an object holds, by position.
    pub fn take(&mut self, object: (u64, u64)) -> Vec<(u64, Vec<Byte>)> {
        let all = self.0.remove(&object).unwrap_or_default().into_iter();
        let bytes = |g: Granule| g.masks.iter().map(|mask| (*mask, g.origin)).collect();
        all.map(|(granule, g)| (granule * GRANULE, bytes(g))).collect()
    }

    /// The bytes there, if any is tainted.
    pub fn get(&self, from: StoredByte, len: u64) -> Option<Vec<Byte>> {
        let object = self.0.get(&from.object)?;
        let end = from.position.saturating_add(len);
        let range = from.position / GRANULE..end.div_ceil(GRANULE);
        object.range(range).next()?;
        let byte = |at: u64| {
            let granule = object.get(&(at / GRANULE)).copied().unwrap_or_default();
            (granule.masks[(at % GRANULE) as usize], granule.origin)
        };
        let bytes: Vec<Byte> = (from.position..end).map(byte).collect();
        bytes.iter().any(|b| b.0 != 0).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{QUEUE, Store};
    use capvec_sim::calls::StoredByte;

    #[test]
    fn bytes_come_back_from_where_they_were_put() {
        let at = |position| StoredByte { object: (1, 2), position };
        let mut store = Store::default();
        store.put(at(5), &[(0, 0); 4]);
        assert!(store.get(at(5), 4).is_none());
        store.put(at(6), &[(1, 7), (2, 7), (3, 7)]);
        assert_eq!(store.get(at(5), 3), Some(vec![(0, 7), (1, 7), (2, 7)]));
        store.put(at(6), &[(0, 0), (0, 0)]);
        assert!(store.get(at(0), 8).is_none());
        assert_eq!(store.get(at(8), 1), Some(vec![(3, 7)]));
        assert!(store.get(StoredByte { object: (1, 3), position: 6 }, 3).is_none());
    }

    #[test]
    fn what_is_cut_off_or_taken_is_gone() {
        let mut store = Store::default();
        let at = |position| StoredByte { object: (1, 2), position };
        store.put(at(0), &[(1, 7); 24]);
        store.cut(at(10));
        assert_eq!(store.get(at(8), 8), Some([vec![(1, 7); 2], vec![(0, 7); 6]].concat()));
        assert!(store.get(at(10), 100).is_none());
        store.cut(at(8));
        assert_eq!(store.take((1, 2)), [(0, vec![(1, 7); 8])]);
        assert!(store.get(at(0), 100).is_none() && store.take((1, 2)).is_empty());
    }

    #[test]
    fn queues_forget_what_was_read_long_ago() {
        let mut store = Store::default();
        let at = |position| StoredByte { object: (QUEUE.0, 1), position };
        (0..4).for_each(|k| store.put(at(k * QUEUE.1), &[(1, 1)]));
        assert!(store.get(at(0), 1).is_none() && store.get(at(3 * QUEUE.1), 1).is_some());
    }
}
