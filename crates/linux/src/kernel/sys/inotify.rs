//! The inotify calls (inotify(7)).

use super::Args;
use crate::fs::Inotify;
use crate::kernel::{Kernel, Sys};

pub fn inotify_init1(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.files.vfs.inotify(a.word(0))?;
    k.install(file, a.word(0))
}

pub fn inotify_add_watch(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(1))?;
    Ok(k.with_caller(|vfs, c| vfs.watch(c, a.int(0), &path, a.word(2)))? as u64)
}

pub fn inotify_rm_watch(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.file(a.int(0))?;
    Inotify::of(&file)?.remove(a.int(1))?;
    Ok(0)
}
