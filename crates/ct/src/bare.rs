//! Checks of programs without an operating system, on RV64 and RV32.

use crate::checker::Checker;
use capvec_sim::Hart;
use capvec_sim::calls::Area;
use object::elf::PF_X;
use object::{File, Object, ObjectSegment, SegmentFlags};
use std::rc::Rc;

/// The number of the only thread.
const THREAD: i32 = 1;

impl Checker {
    /// Follows the program of this file, which a hart is about to run without an operating system: a trap goes to its own handler.
    pub fn follow_bare(&self, name: &str, file: &[u8], h: &Hart) {
        self.0.borrow_mut().bare = true;
        let path: Rc<[u8]> = name.as_bytes().into();
        let read = |wanted: &[u8]| (wanted == &*path).then(|| file.to_vec());
        let follower = self.follower();
        let mut follower = follower.borrow_mut();
        let base = name.rsplit('/').next().unwrap_or(name);
        follower.program(THREAD, THREAD, base);
        follower.image(h.mem.id(), code(file, &path), &read);
        follower.resume(THREAD, h);
    }
}

/// The executable areas of the file.
fn code(file: &[u8], path: &Rc<[u8]>) -> Vec<Area> {
    let Ok(elf) = File::parse(file) else { return Vec::new() };
    let executable = |flags| matches!(flags, SegmentFlags::Elf { p_flags } if p_flags & PF_X != 0);
    let all = elf.segments().filter(|s| executable(s.flags()));
    all.map(|s| Area {
        addresses: s.address()..s.address().saturating_add(s.size()),
        offset: s.file_range().0,
        file: Some((Rc::clone(path), 1)),
    })
    .collect()
}
