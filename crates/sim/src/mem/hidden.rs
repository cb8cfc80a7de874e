//! Pages that are hidden from an engine for a while, so that it stops at the first access to one of them.

use super::protection::Quota;
use super::{Memory, Perm, table};

/// The bits of an entry that are taken away.
const TAKEN: u8 = Perm::RW.0 | table::WRITE;

/// A page that is hidden, and what its entry was.
#[derive(Clone, Copy, Debug)]
pub struct Hidden {
    page: u64,
    entry: u8,
}

impl Hidden {
    /// The address of the page.
    pub fn addr(&self) -> u64 {
        self.page * super::PAGE
    }
}

impl Memory {
    /// Hides the page at this address: loads and stores fault until `show`. `None` if they fault already, or if the host refuses.
    pub fn hide(&self, addr: u64) -> Option<Hidden> {
        let page = addr / super::PAGE;
        let entry = self.perm_byte(page);
        if entry & Perm::RW.0 == 0 {
            return None;
        }
        self.follow(page, entry, entry & !TAKEN, Quota::Guests).ok()?;
        self.set_perm_byte(page, entry & !TAKEN);
        self.set_across(page..page + 1);
        Some(Hidden { page, entry })
    }

    /// Gives back the access to a page.
    pub fn show(&self, hidden: Hidden) {
        let now = self.perm_byte(hidden.page);
        let rights = (now | hidden.entry) & 7;
        // Code in it may have been decoded since: writes must be noted then.
        let entry = match now & table::CODE {
            0 => Perm(rights).entry(),
            code => Perm(rights).entry() & !table::WRITE | code,
        };
        // The host gives back what it had given before; if it does not, accesses go on faulting.
        if self.follow(hidden.page, now, entry, Quota::Reserve).is_err() {
            return;
        }
        self.set_perm_byte(hidden.page, entry);
        self.set_across(hidden.page..hidden.page + 1);
    }
}

#[cfg(test)]
mod tests {
    use crate::mem::{Memory, PAGE, Perm, table};

    #[test]
    fn a_hidden_page_faults_and_comes_back_as_it_was() {
        let mem = Memory::new().expect("an address space");
        mem.map(PAGE, 3 * PAGE, Perm::RW).expect("pages");
        mem.store(2 * PAGE, 7u64).expect("a writable page");
        let entries = || [1, 2, 3].map(|page| mem.perm_byte(page));
        let before = entries();
        let hidden = mem.hide(2 * PAGE + 8).expect("it was accessible");
        assert!(mem.hide(2 * PAGE).is_none());
        assert_eq!(mem.load::<u64>(2 * PAGE), None);
        assert!(!mem.allows(2 * PAGE - 4, 8, Perm::R) && mem.allows(3 * PAGE, 8, Perm::RW));
        mem.show(hidden);
        assert_eq!((mem.load(2 * PAGE), entries()), (Some(7u64), before));
    }

    /// Decoded code in it is noted while it is hidden, as through another mapping: then it can be written as before.
    #[test]
    fn a_hidden_page_that_is_not_watched_any_more_is_open_again() {
        let mem = Memory::new().expect("an address space");
        mem.map(PAGE, PAGE, Perm(7)).expect("a page");
        let before = mem.perm_byte(1);
        mem.watch_code(PAGE);
        let hidden = mem.hide(PAGE).expect("it was accessible");
        mem.note_page(1);
        mem.show(hidden);
        assert_eq!(mem.perm_byte(1), before);
        mem.watch_code(PAGE);
        mem.code_changed();
        mem.watch_code(PAGE);
        let hidden = mem.hide(PAGE).expect("it was accessible");
        mem.show(hidden);
        assert_eq!(mem.perm_byte(1) & (table::CODE | table::WRITE), table::CODE, "still watched");
    }
}
