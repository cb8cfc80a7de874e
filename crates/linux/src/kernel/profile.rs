//! What a profile needs of the system: which thread runs which program, and which files its code comes from.

use crate::fs::{Caller, Vfs};
use crate::kernel::{Kernel, Run, Tasks};
use crate::space::Space;
use capvec_sim::Hart;
use capvec_sim::calls::Area;
use capvec_sim::mem::Perm;

/// The areas with code.
fn areas(space: &Space) -> Vec<Area> {
    let executable = space.areas().filter(|(_, vma)| vma.perm.allows(Perm::X));
    executable
        .map(|(start, vma)| Area {
            addresses: start..vma.end,
            offset: vma.offset,
            file: vma.id.as_ref().map(|id| (id.path.as_slice().into(), id.ino)),
        })
        .collect()
}

/// Larger files are not read: the guest decides how large its files are.
const MAX_FILE: usize = 1 << 30;

/// The contents of a file, without any effect that the guest could notice.
pub fn contents(vfs: &Vfs, c: &Caller<'_>, path: &[u8]) -> Option<Vec<u8>> {
    let file = vfs.open_unnoticed(c, path).ok()?;
    let size = usize::try_from(file.stat().ok()?.size).ok()?;
    if size > MAX_FILE {
        return None;
    }
    let mut bytes = vec![0; size];
    let mut done = 0;
    while done < size {
        match file.object().positioned().pread(&mut bytes[done..], done as u64).ok()? {
            0 => return None,
            n => done += n,
        }
    }
    Some(bytes)
}

impl Kernel {
    /// The current thread is about to run.
    pub fn profile_resume(&mut self) {
        let Some(mut profiling) = self.run.profile.take() else { return };
        let mem = &self.hart.mem;
        let (space, version) = (mem.id(), mem.code_version());
        let mut recorder = profiling.recorder.borrow_mut();
        if profiling.versions.insert(space, version) != Some(version) {
            let areas = areas(&self.space());
            let read = |path: &[u8]| self.with_caller(|vfs, c| contents(vfs, c, path));
            recorder.image(space, areas, &read);
        }
        recorder.resume(self.tasks.current, &self.hart);
        drop(recorder);
        self.run.profile = Some(profiling);
    }
}

impl Run {
    /// The current thread has stopped.
    pub fn profile_pause(&self, hart: &Hart) {
        if let Some(profiling) = &self.profile {
            profiling.recorder.borrow_mut().pause(hart);
        }
    }

    /// The current process runs a new program.
    pub fn profile_program(&self, tasks: &Tasks) {
        let Some(profiling) = &self.profile else { return };
        let name = String::from_utf8_lossy(&tasks.thread().comm).into_owned();
        profiling.recorder.borrow_mut().program(tasks.current, tasks.thread().pid, &name);
    }

    /// Thread `by` has made another.
    pub fn profile_clone(&self, by: i32, tid: i32, pid: i32) {
        if let Some(profiling) = &self.profile {
            profiling.recorder.borrow_mut().cloned(by, tid, pid);
        }
    }

    /// A thread has ended.
    pub fn profile_end(&self, tid: i32) {
        if let Some(profiling) = &self.profile {
            profiling.recorder.borrow_mut().ended(tid);
        }
    }

    /// An address space no longer exists.
    pub fn profile_forget(&mut self, space: u64) {
        if let Some(profiling) = &mut self.profile {
            profiling.versions.remove(&space);
            profiling.recorder.borrow_mut().forget(space);
        }
    }
}
