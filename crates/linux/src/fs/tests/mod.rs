//! Tests on real host directories, with the host's kernel as oracle where possible.

mod charges;
mod differential;
mod host_files;
mod hostile;
mod mappings;
mod objects;
mod paths;
mod permission;
mod virtual_trees;
mod watch;

use crate::interface::Bind;
use std::cell::RefCell;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::rc::Rc;

use tempfile::TempDir;

use super::abi::{at, o};
use super::*;
use crate::base::cred::Cred;
use crate::base::errno::{Errno, Result};

/// A guest with a small sysroot, `/tmp` and binds `/ro` and `/rw`.
struct World {
    host: TempDir,
    vfs: Vfs,
    platform: Rc<FixedPlatform>,
    cwd: Dir,
    cred: Cred,
    fds: Rc<RefCell<FdTable>>,
    procs: SingleProcess,
}

/// The guest's clock at the start of a test.
const EPOCH: Timespec = Timespec { sec: 1_700_000_000, nsec: 0 };

impl World {
    fn new() -> World {
        let host = tempfile::tempdir().expect("temporary directory");
        let root = host.path().join("sysroot");
        for dir in ["etc", "usr/lib", "usr/bin", "root", "tmp"] {
            std::fs::create_dir_all(root.join(dir)).expect("mkdir");
        }
        std::fs::create_dir_all(host.path().join("ro/sub")).expect("mkdir");
        std::fs::create_dir_all(host.path().join("rw/sub")).expect("mkdir");
        std::fs::write(host.path().join("secret"), b"outside").expect("write");
        std::fs::write(host.path().join("ro/file"), b"read-only").expect("write");
        std::fs::write(host.path().join("rw/file"), b"writable").expect("write");
        std::fs::write(root.join("etc/passwd"), b"root:x:0:0::/root:/bin/sh\n").expect("write");
        std::fs::write(root.join("usr/bin/prog"), b"#!/bin/sh\n").expect("write");
        symlink("usr/lib", root.join("lib")).expect("symlink");
        symlink("/usr/bin", root.join("bin")).expect("symlink");
        let mut config = VfsConfig::new(&root);
        for (name, writable) in [("ro", false), ("rw", true)] {
            let guest = format!("/{name}").into_bytes();
            config.binds.push(Bind { host: host.path().join(name), guest, writable });
        }
        Self::with(host, &config)
    }

    fn with(host: TempDir, config: &VfsConfig) -> World {
        let platform = Rc::new(FixedPlatform::new(EPOCH, 42));
        let vfs = Vfs::new(config, Rc::clone(&platform) as Rc<dyn Platform>).expect("set-up");
        let cwd = vfs.root();
        let procs = SingleProcess { exe: b"/usr/bin/prog".to_vec() };
        World { host, vfs, platform, cwd, cred: Cred::root(), fds: Rc::default(), procs }
    }

    fn host_path(&self, path: &str) -> PathBuf {
        self.host.path().join(path)
    }

    fn c(&self) -> Caller<'_> {
        Caller {
            pid: SingleProcess::PID,
            tid: SingleProcess::PID,
            cwd: &self.cwd,
            umask: 0o022,
            cred: &self.cred,
            fds: &self.fds,
            procs: &self.procs,
        }
    }

    fn open(&self, path: &str, flags: u32) -> Result<FileRef> {
        self.vfs.openat(&self.c(), at::FDCWD, path.as_bytes(), flags, 0o666)
    }

    fn fd(&self, path: &str, flags: u32) -> i32 {
        let file = self.open(path, flags).expect(path);
        self.fds.borrow_mut().insert(file, flags).expect("a free descriptor")
    }

    fn create(&self, path: &str, content: &[u8]) -> Result<()> {
        let file = self.open(path, o::CREAT | o::TRUNC | o::WRONLY)?;
        assert_eq!(file.write(content)?, content.len());
        Ok(())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>> {
        read_all(&*self.open(path, o::RDONLY)?)
    }

    fn stat(&self, path: &str) -> Result<Stat> {
        self.vfs.stat_at(&self.c(), at::FDCWD, path.as_bytes(), 0)
    }

    fn lstat(&self, path: &str) -> Result<Stat> {
        self.vfs.stat_at(&self.c(), at::FDCWD, path.as_bytes(), at::SYMLINK_NOFOLLOW)
    }

    fn mkdir(&self, path: &str) -> Result<()> {
        self.vfs.mkdirat(&self.c(), at::FDCWD, path.as_bytes(), 0o777)
    }

    fn symlink(&self, target: &str, path: &str) -> Result<()> {
        self.vfs.symlinkat(&self.c(), target.as_bytes(), at::FDCWD, path.as_bytes())
    }

    fn unlink(&self, path: &str) -> Result<()> {
        self.vfs.unlinkat(&self.c(), at::FDCWD, path.as_bytes(), 0)
    }

    fn rmdir(&self, path: &str) -> Result<()> {
        self.vfs.unlinkat(&self.c(), at::FDCWD, path.as_bytes(), at::REMOVEDIR)
    }

    fn rename(&self, old: &str, new: &str) -> Result<()> {
        let (old, new) = ((at::FDCWD, old.as_bytes()), (at::FDCWD, new.as_bytes()));
        self.vfs.renameat2(&self.c(), old, new, 0)
    }

    fn link(&self, old: &str, new: &str) -> Result<()> {
        let (old, new) = ((at::FDCWD, old.as_bytes()), (at::FDCWD, new.as_bytes()));
        self.vfs.linkat(&self.c(), old, new, 0)
    }

    fn readlink(&self, path: &str) -> Result<String> {
        let text = self.vfs.readlinkat(&self.c(), at::FDCWD, path.as_bytes())?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn list(&self, path: &str) -> Result<Vec<String>> {
        let dir = self.open(path, o::RDONLY | o::DIRECTORY)?;
        Ok(entries(&dir)?.into_iter().map(|e| e.name).collect())
    }
}

fn read_all(file: &OpenFile) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    let mut buf = [0; 100];
    loop {
        match file.read(&mut buf)? {
            0 => return Ok(all),
            n => all.extend_from_slice(&buf[..n]),
        }
    }
}

/// A decoded `linux_dirent64`.
#[derive(Debug)]
struct DirEntry {
    ino: u64,
    cookie: i64,
    kind: u8,
    name: String,
}

/// Reads a directory to its end with a small buffer.
fn entries(dir: &OpenFile) -> Result<Vec<DirEntry>> {
    let mut all = Vec::new();
    let mut buf = [0xaa; 300];
    loop {
        let n = dir.getdents64(&mut buf)?;
        if n == 0 {
            return Ok(all);
        }
        let mut rest = &buf[..n];
        while !rest.is_empty() {
            let word =
                |at: usize| u64::from_le_bytes(rest[at..at + 8].try_into().expect("8 bytes"));
            let len = usize::from(u16::from_le_bytes([rest[16], rest[17]]));
            assert_eq!(len % 8, 0);
            let name: Vec<u8> = rest[19..len].iter().copied().take_while(|&b| b != 0).collect();
            all.push(DirEntry {
                ino: word(0),
                cookie: word(8) as i64,
                kind: rest[18],
                name: String::from_utf8_lossy(&name).into_owned(),
            });
            rest = &rest[len..];
        }
    }
}

/// A small generator for random tests; the seed is in every failure message.
fn rng(seed: u64) -> impl FnMut(usize) -> usize {
    let mut generator = Xoshiro256::from_seed(seed);
    move |below| (generator.next_u64() % below as u64) as usize
}

fn err<T>(result: Result<T>) -> Errno {
    match result {
        Ok(_) => panic!("succeeded"),
        Err(e) => e,
    }
}
