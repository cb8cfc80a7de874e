//! File events and the watches that receive them (`include/linux/fsnotify.h` of Linux 6.12).
//!
//! Each inode's record has its watches. An event goes first to the watches of the directory in which the file
//! was found, then to those of the file.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use crate::fs::abi::inotify as ev;

/// A receiver of the events of an inode.
pub(crate) trait Watch {
    /// Passes an event on, if it is wanted. `gone`: the name had been removed before.
    fn notify(&self, mask: u32, name: &[u8], cookie: u32, gone: bool);

    /// Ends the watch.
    fn end(&self);
}

/// The name under which an open file was found, which may change meanwhile.
pub(crate) struct Name {
    /// The directory's watches and the name in it.
    at: RefCell<(Rc<Watched>, Vec<u8>)>,
    /// The name has been removed.
    gone: Cell<bool>,
}

/// The watches of an inode.
#[derive(Default)]
pub(crate) struct Watched {
    watches: RefCell<Vec<Weak<dyn Watch>>>,
    /// The names under which it is open.
    names: RefCell<Vec<Weak<Name>>>,
    /// Open descriptions.
    open: Cell<u32>,
    /// Its last name has been removed.
    unlinked: Cell<bool>,
}

/// Counts an inode as open. For watchers, an inode is deleted when its last name and the last of these are gone.
pub(crate) struct Opened(Rc<Watched>);

/// The file that an event comes from.
pub struct EventSource {
    watched: Rc<Watched>,
    is_dir: bool,
    /// Its directory and its name there.
    name: Option<(Rc<Watched>, Vec<u8>)>,
    /// The name has been removed.
    gone: bool,
}

/// Adds to a list of weak references; dead ones are dropped before the list would grow.
fn push<T: ?Sized>(list: &RefCell<Vec<Weak<T>>>, new: &Rc<T>) {
    let mut list = list.borrow_mut();
    if list.len() == list.capacity() {
        list.retain(|old| old.strong_count() > 0);
    }
    list.push(Rc::downgrade(new));
}

impl Opened {
    /// Notes that the inode with these watches is opened.
    pub fn new(watched: &Rc<Watched>) -> Opened {
        watched.open.set(watched.open.get() + 1);
        Opened(Rc::clone(watched))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let watched = &self.0;
        watched.open.set(watched.open.get() - 1);
        watched.forget_names();
        watched.end_if_deleted();
    }
}

impl Watched {
    /// Adds a watch.
    pub fn add(&self, watch: &Rc<dyn Watch>) {
        push(&self.watches, watch);
    }

    /// Passes an event to all watches.
    pub fn notify(&self, mask: u32, name: &[u8], cookie: u32, gone: bool) {
        // An event may end a watch (`IN_ONESHOT`).
        let all: Vec<Rc<dyn Watch>> =
            self.watches.borrow().iter().filter_map(Weak::upgrade).collect();
        all.iter().for_each(|watch| watch.notify(mask, name, cookie, gone));
    }

    /// Notes that the inode is opened under `name` in `dir`.
    pub fn opened_as(&self, dir: &Rc<Watched>, name: &[u8]) -> Rc<Name> {
        let at = RefCell::new((Rc::clone(dir), name.to_vec()));
        let name = Rc::new(Name { at, gone: Cell::new(false) });
        push(&self.names, &name);
        name
    }

    /// Forgets names that are no longer open, once they are the majority.
    fn forget_names(&self) {
        let mut names = self.names.borrow_mut();
        if names.len() > 2 * self.open.get() as usize {
            names.retain(|name| name.strong_count() > 0);
            names.shrink_to_fit();
        }
    }

    /// The capacity of the list of names.
    #[cfg(test)]
    pub fn name_capacity(&self) -> usize {
        self.names.borrow().capacity()
    }

    /// Forgets watches that have ended.
    pub fn forget_watches(&self) {
        let mut watches = self.watches.borrow_mut();
        watches.retain(|watch| watch.strong_count() > 0);
        watches.shrink_to_fit();
    }

    /// Notes that it has a name.
    pub fn note_linked(&self) {
        self.unlinked.set(false);
    }

    /// Notes that its last name has been removed.
    pub fn note_unlinked(&self) {
        self.unlinked.set(true);
        self.end_if_deleted();
    }

    fn end_if_deleted(&self) {
        if self.unlinked.get() && self.open.get() == 0 {
            self.notify(ev::DELETE_SELF, b"", 0, false);
            let all = self.watches.take();
            all.iter().filter_map(Weak::upgrade).for_each(|watch| watch.end());
        }
    }

    /// Notes that the name `name` in `dir` has been renamed, or removed.
    pub fn renamed(&self, dir: &Rc<Watched>, name: &[u8], to: Option<(&Rc<Watched>, &[u8])>) {
        for open in self.names.borrow().iter().filter_map(Weak::upgrade) {
            let mut at = open.at.borrow_mut();
            if !Rc::ptr_eq(&at.0, dir) || at.1 != name || open.gone.get() {
                continue;
            }
            match to {
                Some((dir, name)) => *at = (Rc::clone(dir), name.to_vec()),
                None => open.gone.set(true),
            }
        }
    }
}

impl EventSource {
    /// The source for an open file of the host.
    pub(crate) fn file(watched: &Rc<Watched>, name: Option<&Rc<Name>>) -> EventSource {
        let gone = name.is_some_and(|name| name.gone.get());
        let name = name.map(|name| name.at.borrow().clone());
        EventSource { watched: Rc::clone(watched), is_dir: false, name, gone }
    }

    /// The source for an inode; `name` is the directory and the name there under which it was found, if any.
    pub(crate) fn found(
        watched: &Rc<Watched>,
        is_dir: bool,
        name: Option<(Rc<Watched>, Vec<u8>)>,
    ) -> EventSource {
        EventSource { watched: Rc::clone(watched), is_dir, name, gone: false }
    }

    /// Notifies the watchers of the directory and of the file.
    pub(crate) fn notify(&self, mask: u32) {
        let mask = if self.is_dir { mask | ev::ISDIR } else { mask };
        if let Some((dir, name)) = &self.name {
            dir.notify(mask, name, 0, self.gone);
        }
        self.watched.notify(mask, b"", 0, false);
    }
}
