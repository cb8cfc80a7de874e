//! Collections that take little memory where they are empty or short: a large program has a hundred thousand blocks.

/// A list that is nearly always empty.
#[allow(clippy::box_collection, reason = "an empty one takes a word instead of three")]
#[derive(Debug)]
pub struct Few<T>(Option<Box<Vec<T>>>);

impl<T> Default for Few<T> {
    fn default() -> Few<T> {
        Few(None)
    }
}

impl<T> Few<T> {
    /// All of them.
    pub fn as_slice(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |all| all)
    }

    /// Removes all, and keeps the memory for others.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|all| all.clear());
    }

    /// Adds one at the end.
    pub fn push(&mut self, item: T) {
        self.0.get_or_insert_default().push(item);
    }
}

impl<T> Extend<T> for Few<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

/// A list in `Lists`: the number of its first node, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List(u32);

/// Many short lists of numbers, in one piece of memory.
#[derive(Debug, Default)]
pub struct Lists {
    /// Numbers, each with the rest of its list.
    nodes: Vec<(u32, List)>,
    free: List,
}

impl Lists {
    /// The number that was added last.
    pub fn first(&self, list: List) -> Option<u32> {
        self.node(list).map(|(number, _)| number)
    }

    fn node(&self, list: List) -> Option<(u32, List)> {
        self.nodes.get((list.0 as usize).checked_sub(1)?).copied()
    }

    /// Adds a number to a list.
    pub fn push(&mut self, list: &mut List, number: u32) {
        let node = (number, *list);
        *list = self.free;
        match self.node(self.free) {
            Some((_, rest)) => {
                self.nodes[self.free.0 as usize - 1] = node;
                self.free = rest;
            }
            None => {
                self.nodes.push(node);
                *list = List(self.nodes.len() as u32);
            }
        }
    }

    /// The numbers of a list, which is empty afterwards.
    pub fn take(&mut self, list: &mut List) -> Vec<u32> {
        let mut numbers = Vec::new();
        while let Some((number, rest)) = self.node(*list) {
            numbers.push(number);
            self.nodes[list.0 as usize - 1].1 = self.free;
            self.free = std::mem::replace(list, rest);
        }
        numbers
    }

    /// Empties all lists, which are not to be used afterwards.
    pub fn clear(&mut self) {
        *self = Lists::default();
    }
}

#[cfg(test)]
mod tests {
    use super::{Few, List, Lists};

    #[test]
    fn lists_do_not_mix_and_their_nodes_are_used_again() {
        let mut lists = Lists::default();
        for round in 0..3 {
            let (mut odd, mut even) = (List::default(), List::default());
            for n in 0..10 {
                lists.push(if n % 2 == 1 { &mut odd } else { &mut even }, n + round);
            }
            assert_eq!(lists.first(odd), Some(9 + round));
            assert_eq!(lists.take(&mut odd), [9, 7, 5, 3, 1].map(|n| n + round));
            assert_eq!((odd, lists.first(odd)), (List::default(), None));
            assert_eq!(lists.take(&mut even), [8, 6, 4, 2, 0].map(|n| n + round));
            assert_eq!(lists.nodes.len(), 10);
        }
    }

    #[test]
    fn few_are_small_while_there_are_none() {
        let mut few: Few<u64> = Few::default();
        assert_eq!((size_of_val(&few), few.as_slice()), (8, &[][..]));
        few.extend([1, 2]);
        few.push(3);
        assert_eq!(few.as_slice(), [1, 2, 3]);
        few.clear();
        assert!(few.as_slice().is_empty());
    }
}
