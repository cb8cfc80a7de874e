//! Interest lists (epoll(7)).

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use super::anonymous_stat;
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{o, poll};
use crate::fs::events::Events;
use crate::fs::object::{FileObject, Pollable};
use crate::fs::open_file::{FileRef, OpenFile};
use crate::fs::shared_state::Shared;
use crate::fs::stat::Stat;
use crate::fs::vfs::Vfs;

/// A registered descriptor.
struct Interest {
    file: Weak<OpenFile>,
    events: u32,
    data: u64,
    /// What was reported last: the object's generation and the events (edge triggering).
    reported: Option<(u64, u32)>,
}

/// An interest list. An entry ends when the last descriptor of its description is closed.
pub struct Epoll {
    /// By the numbers of descriptor and description, since a descriptor may be reused for another description.
    interests: RefCell<BTreeMap<(i32, u64), Interest>>,
    /// Whether it has ever been an entry of another list. Lists nest one level deep (Linux allows five), so that
    /// querying readiness stays cheap whatever the guest builds.
    nested: Cell<bool>,
    /// Memory for the entries.
    charge: Charge,
    shared: Rc<Shared>,
}

/// Bytes charged for an entry: itself, its place in the table, and the description, whose memory stays allocated as
/// long as an entry refers to it.
const INTEREST: u64 = 256;

const FLAG_BITS: u32 =
    poll::EPOLL_ET | poll::EPOLL_ONESHOT | poll::EPOLL_EXCLUSIVE | poll::EPOLL_WAKEUP;

fn key(fd: i32, file: &FileRef) -> (i32, u64) {
    (fd, file.number())
}

impl Epoll {
    /// The list of an open file.
    ///
    /// # Errors
    /// `EINVAL` for another kind of file.
    pub fn of(file: &OpenFile) -> Result<&Epoll> {
        file.kind().ok_or(Errno::EINVAL)
    }

    /// `EPOLL_CTL_ADD` (1), `EPOLL_CTL_DEL` (2) and `EPOLL_CTL_MOD` (3) for descriptor `fd`,
    /// which refers to `file`.
    ///
    /// # Errors
    /// As epoll_ctl(2): `EEXIST`, `ENOENT`, `EPERM` for a file that cannot be polled, `ELOOP` for
    /// lists nested more than one level deep, `EINVAL`.
    pub fn control(&self, op: u32, fd: i32, file: &FileRef, events: u32, data: u64) -> Result<()> {
        const ADD: u32 = 1;
        const DEL: u32 = 2;
        const MOD: u32 = 3;
        if file.is_path() {
            return Err(Errno::EBADF);
        }
        if Epoll::of(file).is_ok_and(|other| std::ptr::eq(other, self)) {
            return Err(Errno::EINVAL);
        }
        self.forget_closed();
        let known = self.interests.borrow().contains_key(&key(fd, file));
        let interest = Interest { file: Rc::downgrade(file), events, data, reported: None };
        match (op, known) {
            (ADD, true) => return Err(Errno::EEXIST),
            (DEL | MOD, false) => return Err(Errno::ENOENT),
            (DEL, true) => {
                self.interests.borrow_mut().remove(&key(fd, file));
                self.charge.shrink(INTEREST);
            }
            (ADD, false) => self.add(fd, file, interest)?,
            (MOD, true) => drop(self.interests.borrow_mut().insert(key(fd, file), interest)),
            _ => return Err(Errno::EINVAL),
        }
        self.shared.note_activity();
        Ok(())
    }

    /// Adds an entry and charges it.
    ///
    /// # Errors
    /// `EPERM`, `ELOOP`, `ENOMEM`; nothing has changed then.
    fn add(&self, fd: i32, file: &FileRef, interest: Interest) -> Result<()> {
        check_pollable(file)?;
        let inner = Epoll::of(file).ok();
        inner.map_or(Ok(()), |inner| inner.check_nesting(self))?;
        self.charge.grow(INTEREST)?;
        if let Some(inner) = inner {
            inner.nested.set(true);
        }
        self.interests.borrow_mut().insert(key(fd, file), interest);
        Ok(())
    }

    /// Checks that the list can become an entry of `outer`.
    ///
    /// # Errors
    /// `ELOOP`.
    fn check_nesting(&self, outer: &Epoll) -> Result<()> {
        let is_list = |i: &Interest| i.file.upgrade().is_some_and(|f| Epoll::of(&f).is_ok());
        if outer.nested.get() || self.interests.borrow().values().any(is_list) {
            return Err(Errno::ELOOP);
        }
        Ok(())
    }

    /// Removes the entries of closed descriptions, and returns what was charged for them.
    fn forget_closed(&self) {
        let mut interests = self.interests.borrow_mut();
        let before = interests.len();
        interests.retain(|_, interest| interest.file.strong_count() > 0);
        self.charge.shrink((before - interests.len()) as u64 * INTEREST);
    }

    /// Up to `max` ready entries as (events, data), in the order of descriptor numbers, then of opening. If there are
    /// none, the caller has to wait.
    #[must_use]
    pub fn take_ready(&self, max: usize) -> Vec<(u32, u64)> {
        self.forget_closed();
        let mut ready = Vec::new();
        for interest in self.interests.borrow_mut().values_mut() {
            if ready.len() == max {
                break;
            }
            let Some((events, generation)) = interest.ready() else { continue };
            ready.push((events, interest.data));
            interest.reported = Some((generation, events));
            if interest.events & poll::EPOLL_ONESHOT != 0 {
                interest.events &= FLAG_BITS;
                interest.reported = None;
            }
        }
        ready
    }

    /// The first time at which an entry becomes ready by itself, in nanoseconds of the monotonic clock.
    fn next_deadline(&self) -> Option<u64> {
        self.shared.platform().ensure_running().ok()?;
        let interests = self.interests.borrow();
        let files = interests.values().filter_map(|i| i.file.upgrade());
        files.filter_map(|file| file.object().pollable().deadline()).min()
    }
}

impl Interest {
    /// The events to report with the object's generation; `None` when there is nothing to report.
    fn ready(&self) -> Option<(u32, u64)> {
        let file = self.file.upgrade()?;
        let wanted = self.events & !FLAG_BITS;
        // After a one-shot report not even errors are reported.
        if wanted == 0 && self.events & poll::EPOLL_ONESHOT != 0 {
            return None;
        }
        let events = file.poll_ready().wanted(wanted);
        let generation = file.object().pollable().generation();
        let repeated =
            self.events & poll::EPOLL_ET != 0 && self.reported == Some((generation, events));
        (events != 0 && !repeated).then_some((events, generation))
    }
}

/// Regular files and directories cannot be polled.
fn check_pollable(file: &FileRef) -> Result<()> {
    use crate::fs::abi::s;
    match file.stat()?.file_type() {
        s::IFREG | s::IFDIR => Err(Errno::EPERM),
        _ => Ok(()),
    }
}

impl FileObject for Epoll {
    fn stat(&self) -> Result<Stat> {
        Ok(anonymous_stat())
    }

    fn label(&self) -> Vec<u8> {
        b"anon_inode:[eventpoll]".to_vec()
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }
}

impl Pollable for Epoll {
    fn poll_ready(&self) -> Events {
        // A list of lists queries each of them, and a call may name it a thousand times: stop when the run must stop.
        if self.shared.platform().ensure_running().is_err() {
            return Events::default();
        }
        let any = self.interests.borrow().values().any(|interest| interest.ready().is_some());
        if any { Events::IN } else { Events::default() }
    }

    fn depends_on_host(&self) -> bool {
        let interests = self.interests.borrow();
        let mut files = interests.values().filter_map(|i| i.file.upgrade());
        files.any(|file| file.object().pollable().depends_on_host())
    }

    fn deadline(&self) -> Option<u64> {
        self.next_deadline()
    }
}

impl Vfs {
    /// `epoll_create1`; `flags` is `EPOLL_CLOEXEC` or 0.
    ///
    /// # Errors
    /// `EINVAL` for another flag.
    pub fn epoll(&self, flags: u32) -> Result<FileRef> {
        if flags & !o::CLOEXEC != 0 {
            return Err(Errno::EINVAL);
        }
        let object = Epoll {
            interests: RefCell::default(),
            nested: Cell::new(false),
            charge: self.shared.charge(0)?,
            shared: Rc::clone(&self.shared),
        };
        Ok(OpenFile::new(Box::new(object), o::RDWR))
    }
}
