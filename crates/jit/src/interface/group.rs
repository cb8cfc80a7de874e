//! Groups of accesses whose permission is checked together.

use super::addresses::{AddressRange, MAX_SPAN};

/// An access of a trace and later ones, which are checked together: their addresses have the same root (see
/// `addresses`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Number of the root.
    pub root: u32,
    /// Offsets from the root: of the first byte, and of the end.
    pub low: i64,
    /// See `low`.
    pub high: i64,
    /// Permission bits in the table.
    pub need: u8,
}

impl Group {
    /// The group of one access.
    pub fn of(p: &AddressRange) -> Group {
        Group { root: p.root, low: p.low, high: p.high, need: p.need }
    }

    /// The access `first`, at which `addresses` begins, and the later ones that can be checked with it.
    pub fn from(addresses: &[Option<AddressRange>], first: &AddressRange) -> Group {
        let others = addresses.iter().flatten().filter(|p| p.root == first.root && p.need > 0);
        others.fold(Group::of(first), |group, p| {
            let both = group.union(Group::of(p));
            if both.high - both.low > MAX_SPAN { group } else { both }
        })
    }

    /// The group of the accesses of both.
    fn union(self, other: Group) -> Group {
        Group {
            root: self.root,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            need: self.need | other.need,
        }
    }

    /// Whether this group's check covers the other's.
    pub fn covers(&self, other: &Group) -> bool {
        self.root == other.root
            && self.low <= other.low
            && other.high <= self.high
            && self.need & other.need == other.need
    }
}

/// The groups of accesses whose permission has been checked.
#[derive(Default)]
pub struct Checked(Vec<Group>);

impl Checked {
    /// Adds a group.
    pub fn add(&mut self, group: Group) {
        self.0.push(group);
    }

    /// Whether a check covers the group.
    pub fn covers(&self, group: &Group) -> bool {
        self.0.iter().any(|checked| checked.covers(group))
    }
}
