//! Private pages that come from a file of the host: the host reads a page when it is first touched, and copies it when it is
//! first written. So a large library costs what is used of it, and processes share what they only read.
//!
//! If the file is truncated, an access beyond its end raises SIGBUS in this process. So the caller maps only files that the guest
//! cannot change.

use super::{Memory, OutOfMemory, PAGE, protection, reserve_mapping, table, touched};
use rustix::mm::MapFlags;
use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

impl Memory {
    /// Replaces the contents of `len` mapped private bytes at `addr` by those of the file from `offset` on; the file must have
    /// them. Permissions stay. Panics unless all three are multiples of the page size. After an error of the mapping itself, nothing has changed.
    pub fn map_image(
        &self,
        addr: u64,
        len: u64,
        file: &Rc<OwnedFd>,
        offset: u64,
    ) -> Result<(), OutOfMemory> {
        Self::page_range(addr, len);
        if len == 0 {
            return Ok(());
        }
        reserve_mapping()?;
        self.note_writes(addr, len);
        let prot = protection::OPEN;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        // SAFETY: replaces pages inside our own region; no Rust reference points into it.
        unsafe {
            let at = self.base.add(addr as usize).cast();
            rustix::mm::mmap(at, len as usize, prot, flags, file.as_fd(), offset)?;
        }
        self.protect_open(addr / PAGE..(addr + len) / PAGE)?;
        self.region.images.borrow_mut().add(addr..addr + len, Rc::clone(file), offset);
        self.region.changes.note(addr, len);
        Ok(())
    }

    /// Copies private pages to `child`, which has zeroed pages there. Pages of files are mapped there too, and copied if they were
    /// written. Skips pages that were never touched or are zero. Stops early when `go_on` returns false.
    ///
    /// # Errors
    /// The host does not open pages that the guest cannot read.
    pub fn copy_pages_to(
        &self,
        child: &Memory,
        addr: u64,
        len: u64,
        go_on: impl Fn() -> bool,
    ) -> Result<(), OutOfMemory> {
        Self::page_range(addr, len);
        let mut at = addr;
        let mut images = self.region.images.borrow().within(&(addr..addr + len));
        images.sort_by_key(|(pages, ..)| pages.start);
        for (pages, file, offset) in images {
            self.copy_range(child, at..pages.start, touched::Pages::NotZero, &go_on)?;
            at = pages.end;
            let mapped = child.map_image(pages.start, pages.end - pages.start, &file, offset);
            let which = if mapped.is_ok() { touched::Pages::Written } else { touched::Pages::Any };
            self.copy_range(child, pages, which, &go_on)?;
        }
        self.copy_range(child, at..addr + len, touched::Pages::NotZero, &go_on)
    }

    fn copy_range(
        &self,
        child: &Memory,
        range: Range<u64>,
        which: touched::Pages,
        go_on: impl Fn() -> bool,
    ) -> Result<(), OutOfMemory> {
        let mut result = Ok(());
        let start = self.base.wrapping_add(range.start as usize);
        touched::each_page(start, range.end - range.start, which, go_on, |offset| {
            let at = range.start + offset;
            // SAFETY: both ranges are mapped, opened, page-aligned and in different regions.
            let copy = || unsafe {
                let from = std::slice::from_raw_parts(self.base.add(at as usize), PAGE as usize);
                let to = child.base.add(at as usize);
                if which != touched::Pages::NotZero || from.iter().any(|b| *b != 0) {
                    std::ptr::copy_nonoverlapping(from.as_ptr(), to, PAGE as usize);
                }
            };
            let page = (at, PAGE);
            let copied = self.opened(page, table::READ, || child.opened(page, table::WRITE, copy));
            if let Err(e) = copied.and_then(|copied| copied) {
                result = Err(e);
            }
        });
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::Perm;
    use rustix::fs::MemfdFlags;

    const AT: u64 = 1 << 32;
    const PAGES: u64 = 8;

    /// A file in which the bytes of each page are the page's number plus one. All pages but the first are mapped.
    fn mapped() -> (Memory, Rc<OwnedFd>) {
        let file = rustix::fs::memfd_create("file", MemfdFlags::CLOEXEC).expect("memory");
        for page in 0..=PAGES {
            let bytes = [page as u8 + 1; PAGE as usize];
            assert_eq!(rustix::io::pwrite(&file, &bytes, page * PAGE), Ok(bytes.len()));
        }
        let (file, mem) = (Rc::new(file), Memory::new().expect("an address space"));
        mem.map(AT - PAGE, (PAGES + 2) * PAGE, Perm::RW).expect("pages");
        mem.map_image(AT, PAGES * PAGE, &file, PAGE).expect("a mapping");
        (mem, file)
    }

    /// The first bytes of the pages, the one before and the one after included.
    fn bytes(mem: &Memory) -> Vec<u8> {
        let pages = (0..PAGES + 2).map(|page| mem.load(AT - PAGE + page * PAGE));
        pages.map(|byte| byte.expect("a readable page")).collect()
    }

    #[test]
    fn writes_stay_private() {
        let (mem, file) = mapped();
        assert_eq!(bytes(&mem), [0, 2, 3, 4, 5, 6, 7, 8, 9, 0]);
        mem.store(AT + 2 * PAGE, 99u8).expect("a writable page");
        let mut byte = [0];
        assert_eq!(rustix::io::pread(&*file, &mut byte, 3 * PAGE), Ok(1));
        assert_eq!((byte, mem.load(AT + 2 * PAGE)), ([4], Some(99u8)));
    }

    #[test]
    fn a_child_has_the_same_contents() {
        let (mem, _file) = mapped();
        mem.store(AT + PAGE, 77u8).expect("a writable page");
        mem.store(AT + PAGES * PAGE, 88u8).expect("a writable page");
        // Written back to what the file has.
        mem.store(AT + 4 * PAGE, 66u8).expect("a writable page");
        mem.store(AT + 4 * PAGE, 6u8).expect("a writable page");
        // Other pages in the place of some of the file's.
        mem.map(AT + 6 * PAGE, PAGE, Perm::RW).expect("a page");
        let before = bytes(&mem);
        assert_eq!(before, [0, 2, 77, 4, 5, 6, 7, 0, 9, 88]);
        let child = Memory::new().expect("an address space");
        child.map(AT - PAGE, (PAGES + 2) * PAGE, Perm::RW).expect("pages");
        mem.copy_pages_to(&child, AT - PAGE, (PAGES + 2) * PAGE, || true).expect("a copy");
        assert_eq!(bytes(&child), before);
        // Neither sees the other's later writes, and a grandchild sees its parent's.
        mem.store(AT, 1u8).expect("a writable page");
        child.store(AT + 3 * PAGE, 55u8).expect("a writable page");
        assert_eq!((bytes(&mem)[4], bytes(&child)[1]), (5, 2));
        let grandchild = Memory::new().expect("an address space");
        grandchild.map(AT, PAGES * PAGE, Perm::RW).expect("pages");
        child.copy_pages_to(&grandchild, AT, PAGES * PAGE, || true).expect("a copy");
        drop((mem, child));
        let bytes: Vec<u8> = (0..PAGES).filter_map(|p| grandchild.load(AT + p * PAGE)).collect();
        assert_eq!(bytes, [2, 77, 4, 55, 6, 7, 0, 9]);
    }

    #[test]
    fn code_that_a_file_replaces_is_reported() {
        let (mem, file) = mapped();
        assert!(mem.protect(AT, PAGES * PAGE, Perm(7)));
        mem.watch_code(AT);
        let version = mem.code_version();
        mem.map_image(AT, 2 * PAGE, &file, 0).expect("a mapping");
        mem.code_changed();
        let changed = mem.code_changes(version).expect("the log goes back that far");
        assert!(changed.iter().any(|pages| pages.contains(&(AT / PAGE))));
    }
}
