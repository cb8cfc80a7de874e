//! Page permissions, and the table that generated code reads.

/// How generated code looks up the permissions of a page: the byte at `Memory::host_base` minus `BEFORE` plus the page
/// number, for page numbers below `ENTRIES`.
pub mod table {
    /// Entries of the table.
    pub const ENTRIES: u64 = super::super::PAGES;
    /// Bytes from the start of the table to that of the address space.
    pub const BEFORE: u64 = ENTRIES + MORE + super::super::GUARD;
    /// Bytes after the table; the first eight hold the length of the address space.
    pub(in crate::mem) const MORE: u64 = super::super::PAGE;
    /// Bytes from these eight to the address space.
    pub const LIMIT: u64 = BEFORE - ENTRIES;
    /// An address that is at most this far below or above the space cannot be accessed.
    pub const NEAR: u64 = super::super::GUARD - super::super::PAGE;
    /// The page is readable.
    pub const READ: u8 = super::Perm::R.0;
    /// The page is readable and writable, and writes need not be noted, because `CODE` is not set.
    pub const WRITE: u8 = 8;
    /// This page and the next are readable, so an access may cross into the next.
    pub const READ_ACROSS: u8 = 16;
    /// This page and the next have `WRITE`.
    pub const WRITE_ACROSS: u8 = 128;
    /// The page has code that an engine has decoded, and has not been written since.
    pub const CODE: u8 = 64;
}

/// Page permissions, a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Perm(pub u8);

impl Perm {
    /// Mapped, no access.
    pub const NONE: Perm = Perm(0);
    /// Readable.
    pub const R: Perm = Perm(1);
    /// Writable.
    pub const W: Perm = Perm(2);
    /// Executable.
    pub const X: Perm = Perm(4);
    /// Readable and writable.
    pub const RW: Perm = Perm(3);
    /// Mapped, in an entry of the table.
    pub(super) const MAPPED: u8 = 32;

    /// The union of both.
    pub const fn union(self, other: Perm) -> Perm {
        Perm(self.0 | other.0)
    }

    /// Whether all of `need` is granted.
    pub const fn allows(self, need: Perm) -> bool {
        self.0 & need.0 == need.0
    }

    /// The entry of the table for a page with these permissions and without decoded code.
    pub(super) const fn entry(self) -> u8 {
        // The host's page is closed if it is not readable.
        let free = if self.allows(Perm::RW) { table::WRITE } else { 0 };
        self.0 | Perm::MAPPED | free
    }
}
