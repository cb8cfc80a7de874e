//! Where encoded translations are, by the address of their first block. A large program has a hundred thousand, so all are in one piece
//! of memory.

use std::collections::HashMap;

/// The first half of a SHA-256.
pub type Sum = [u8; 16];

/// Where an encoded translation is.
pub struct Place {
    /// Its offset in its file.
    pub at: u32,
    /// Its bytes.
    pub len: u32,
    /// Their digest.
    pub sum: Sum,
    /// The number of another place of the same address, or `END`.
    next: u32,
    /// How often the file has been written since a process used or added it.
    pub age: u8,
    /// In the temporary file instead of the one that was read.
    pub added: bool,
}

/// The number of no place.
const END: u32 = u32::MAX;

impl Place {
    /// A place.
    pub fn new(at: u32, len: u32, sum: Sum, age: u8, added: bool) -> Place {
        Place { at, len, sum, next: END, age, added }
    }
}

/// All places.
#[derive(Default)]
pub struct Places {
    all: Vec<Place>,
    /// The number of the place that was added last, by address.
    last: HashMap<u64, u32>,
}

impl Places {
    /// None yet, and room for this many.
    pub fn with_capacity(places: usize) -> Places {
        Places { all: Vec::with_capacity(places), last: HashMap::with_capacity(places) }
    }

    /// Adds a place.
    pub fn add(&mut self, start: u64, place: Place) {
        let number = self.all.len() as u32;
        let next = self.last.insert(start, number).unwrap_or(END);
        self.all.push(Place { next, ..place });
    }

    /// The numbers of an address's places; those that were added last come first.
    pub fn of(&self, start: u64) -> impl Iterator<Item = u32> {
        self.list(self.last.get(&start).copied().unwrap_or(END))
    }

    fn list(&self, first: u32) -> impl Iterator<Item = u32> {
        let there = |number: u32| (number != END).then_some(number);
        std::iter::successors(there(first), move |n| there(self.get(*n)?.next))
    }

    /// The place with this number.
    pub fn get(&self, number: u32) -> Option<&Place> {
        self.all.get(number as usize)
    }

    /// See `get`.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Place> {
        self.all.get_mut(number as usize)
    }

    /// All places with their addresses, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Place)> {
        let of = move |(start, last): (&u64, &u32)| {
            let start = *start;
            self.list(*last).filter_map(move |n| Some((start, self.get(n)?)))
        };
        self.last.iter().flat_map(of)
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Places};

    #[test]
    fn places_are_small_and_found_by_address() {
        assert_eq!(size_of::<Place>(), 32);
        let mut places = Places::with_capacity(2);
        for (start, at) in [(8, 0), (4, 1), (8, 2), (8, 3)] {
            places.add(start, Place::new(at, 1, [0; 16], 0, false));
        }
        let of = |places: &Places, start| places.of(start).collect::<Vec<u32>>();
        assert_eq!((of(&places, 8), of(&places, 4)), (vec![3, 2, 0], vec![1]));
        assert_eq!(of(&places, 6), []);
        let mut all: Vec<(u64, u32)> = places.iter().map(|(start, p)| (start, p.at)).collect();
        all.sort_unstable();
        assert_eq!(all, [(4, 1), (8, 0), (8, 2), (8, 3)]);
    }
}
