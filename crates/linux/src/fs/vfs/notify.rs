//! Notifying watchers of events at places and names.

use std::rc::Rc;

use super::Vfs;
use crate::fs::abi::inotify as ev;
use crate::fs::path::located::Dir;
use crate::fs::vfs::resolve::Found;
use crate::fs::watch::EventSource;

impl Vfs {
    /// The event source at a place, if anything is watched at all.
    pub(in crate::fs) fn event_source(&self, place: &Dir) -> Option<EventSource> {
        if self.shared.watches() > 0 { place.event_source() } else { None }
    }

    /// Notifies watchers of an event at a place.
    pub(in crate::fs) fn notify(&self, place: &Dir, mask: u32) {
        if let Some(event_source) = self.event_source(place) {
            event_source.notify(mask);
        }
    }

    /// Notifies watchers of the inode at a place, whatever its name.
    pub(in crate::fs) fn notify_inode(&self, place: &Dir, mask: u32) {
        if let Some(inode) = place.inode() {
            inode.watched.notify(mask, b"", 0, false);
        }
    }

    /// Notifies watchers of a directory of an event of its entry `name`.
    pub(in crate::fs) fn notify_entry(&self, dir: &Dir, mask: u32, name: &[u8], is_dir: bool) {
        notify_entry(dir, mask, name, is_dir, 0);
    }

    /// Notifies watchers that `from` has been renamed to `to`, and with `exchange` also `to` to `from`.
    pub(in crate::fs) fn notify_rename(&self, from: &Found, to: &Found, exchange: bool) {
        let (Some(source), target) = (&from.place, &to.place) else { return };
        let same = |a: &Dir, b: &Dir| match (a.inode(), b.inode()) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        if target.as_ref().is_some_and(|target| same(source, target)) {
            // Both names belong to one file: nothing has changed.
            return;
        }
        // Open files report their events under the new name from now on.
        if let (Some(target), true) = (target, exchange) {
            rename_open_names(target, to, from);
        }
        rename_open_names(source, from, to);
        self.notify_move(source, from, to);
        match target {
            Some(target) if exchange => {
                self.notify_inode(source, ev::MOVE_SELF);
                self.notify_move(target, to, from);
                self.notify_inode(target, ev::MOVE_SELF);
            }
            Some(target) => {
                self.notify_inode(target, ev::ATTRIB);
                self.notify_inode(source, ev::MOVE_SELF);
            }
            None => self.notify_inode(source, ev::MOVE_SELF),
        }
    }

    fn notify_move(&self, what: &Dir, from: &Found, to: &Found) {
        let (is_dir, cookie) = (what.is_dir(), self.shared.fresh_cookie());
        notify_entry(&from.dir, ev::MOVED_FROM, &from.name, is_dir, cookie);
        notify_entry(&to.dir, ev::MOVED_TO, &to.name, is_dir, cookie);
    }
}

fn notify_entry(dir: &Dir, mask: u32, name: &[u8], is_dir: bool, cookie: u32) {
    if let Some(inode) = dir.inode() {
        let kind = if is_dir { ev::ISDIR } else { 0 };
        inode.watched.notify(mask | kind, name, cookie, false);
    }
}

/// Changes the name under which `what` is open from `from` to `to`.
fn rename_open_names(what: &Dir, from: &Found, to: &Found) {
    if let (Some(inode), Some(old), Some(new)) = (what.inode(), from.dir.inode(), to.dir.inode()) {
        let (old, new) = (&old.watched, &new.watched);
        inode.watched.renamed(old, &from.name, Some((new, &to.name)));
    }
}
