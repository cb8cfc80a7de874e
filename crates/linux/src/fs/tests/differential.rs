//! Random paths and calls, against the host's kernel.

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{self, AtFlags, Mode, OFlags, RenameFlags, ResolveFlags};

use super::*;

const SEED: u64 = 0x5eed_0001;

fn open_root(path: &Path) -> OwnedFd {
    fs::open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap()
}

/// A path of random components, with doubled and trailing slashes.
fn random_path(pick: &mut impl FnMut(usize) -> usize, names: &[&str]) -> String {
    let mut path = String::from(if pick(2) == 0 { "/" } else { "" });
    for i in 0..1 + pick(5) {
        if i > 0 {
            path.push_str(if pick(8) == 0 { "//" } else { "/" });
        }
        path.push_str(names[pick(names.len())]);
    }
    if pick(5) == 0 {
        path.push('/');
    }
    path
}

/// The kernel's resolution. It gives up with `EAGAIN` if anything on the machine is renamed while it resolves a `..`.
fn resolve_in_root(root: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    loop {
        match fs::openat2(root, path, flags, Mode::empty(), ResolveFlags::IN_ROOT) {
            Err(rustix::io::Errno::AGAIN) => {}
            result => return result,
        }
    }
}

/// Resolution must agree with the kernel's own with `RESOLVE_IN_ROOT`, down to the inode.
#[test]
fn resolution_agrees_with_resolve_in_root() {
    let host = tempfile::tempdir().unwrap();
    let root = host.path().join("root");
    for dir in ["a/b/c", "a/d", "e"] {
        std::fs::create_dir_all(root.join(dir)).unwrap();
    }
    for file in ["f", "a/f", "a/b/f", "e/f"] {
        std::fs::write(root.join(file), file).unwrap();
    }
    for (link, target) in [
        ("l1", "a/b"),
        ("l2", "/a/d"),
        ("a/l3", "../../../e/"),
        ("a/b/l4", "l5"),
        ("a/b/l5", "../l3/./f"),
        ("e/l6", "/l6"),
        ("l6", "e/l6"),
        ("a/l7", "missing"),
        ("l8", "/"),
        ("e/l9", "f/"),
        ("l10", "."),
    ] {
        symlink(target, root.join(link)).unwrap();
    }
    let w = World::with(host, &VfsConfig::new(&root));
    let oracle = open_root(&root);
    let names = [
        "a", "b", "c", "d", "e", "f", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", "l10",
        ".", "..", "missing",
    ];
    let mut pick = rng(SEED);
    for round in 0..20_000 {
        let path = random_path(&mut pick, &names);
        let nofollow = pick(2) == 0;
        let mut flags = OFlags::PATH | OFlags::CLOEXEC;
        flags.set(OFlags::NOFOLLOW, nofollow);
        let want = resolve_in_root(&oracle, &path, flags)
            .and_then(|fd| fs::fstat(&fd))
            .map(|stat| stat.st_ino)
            .map_err(Errno::from);
        let at_flags = if nofollow { at::SYMLINK_NOFOLLOW } else { 0 };
        let got = w
            .vfs
            .locate(&w.c(), at::FDCWD, path.as_bytes(), at_flags)
            .map(|place| fs::fstat(place.host_fd().expect("a host object")).expect("fstat").st_ino);
        assert_eq!(got, want, "seed {SEED:#x} round {round}: {path:?} nofollow {nofollow}");
    }
}

/// One random change of a tree.
#[derive(Debug)]
enum Change {
    Mkdir(String),
    Rmdir(String),
    Unlink(String),
    Symlink(String, String),
    Link(String, String),
    Rename(String, String, u32),
    Open(String, u32),
}

fn random_change(pick: &mut impl FnMut(usize) -> usize) -> Change {
    // No `..`: the oracle works in a plain directory, and `..` would lead out of it.
    const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "."];
    let mut path = || random_path(pick, &NAMES).trim_start_matches('/').to_string();
    let (one, two) = (path(), path());
    match pick(8) {
        0 | 1 => Change::Mkdir(one),
        2 => Change::Rmdir(one),
        3 => Change::Unlink(one),
        4 => Change::Symlink(["a", "b/c", "d/", "e/./a", "missing"][pick(5)].into(), one),
        5 => Change::Link(one, two),
        6 => Change::Rename(one, two, [0, 0, 1, 2][pick(4)]),
        _ => {
            let access = [o::RDONLY, o::WRONLY, o::RDWR][pick(3)];
            let more = [0, o::CREAT, o::CREAT | o::EXCL, o::DIRECTORY, o::NOFOLLOW, o::PATH];
            let both = [0, 0, o::NOFOLLOW, o::TRUNC][pick(4)];
            Change::Open(one, access | more[pick(6)] | both)
        }
    }
}

fn apply_host(root: &OwnedFd, change: &Change) -> Result<()> {
    let fd = root.as_fd();
    let done = match change {
        Change::Mkdir(p) => fs::mkdirat(fd, &**p, Mode::RWXU),
        Change::Rmdir(p) => fs::unlinkat(fd, &**p, AtFlags::REMOVEDIR),
        Change::Unlink(p) => fs::unlinkat(fd, &**p, AtFlags::empty()),
        Change::Symlink(target, p) => fs::symlinkat(&**target, fd, &**p),
        Change::Link(p, q) => fs::linkat(fd, &**p, fd, &**q, AtFlags::empty()),
        Change::Rename(p, q, flags) => {
            fs::renameat_with(fd, &**p, fd, &**q, RenameFlags::from_bits_retain(*flags))
        }
        // The guest's flags equal the host's on every host except AArch64.
        Change::Open(p, flags) => {
            let flags = OFlags::from_bits_retain(*flags) | OFlags::CLOEXEC;
            fs::openat(fd, &**p, flags, Mode::from(0o600)).map(drop)
        }
    };
    done.map_err(Errno::from)
}

fn apply_guest(w: &World, change: &Change) -> Result<()> {
    let guest = |p: &str| format!("/tmp/{p}");
    match change {
        Change::Mkdir(p) => w.mkdir(&guest(p)),
        Change::Rmdir(p) => w.rmdir(&guest(p)),
        Change::Unlink(p) => w.unlink(&guest(p)),
        Change::Symlink(target, p) => w.symlink(target, &guest(p)),
        Change::Link(p, q) => w.link(&guest(p), &guest(q)),
        Change::Rename(p, q, flags) => {
            let (p, q) = (guest(p), guest(q));
            let (old, new) = ((at::FDCWD, p.as_bytes()), (at::FDCWD, q.as_bytes()));
            w.vfs.renameat2(&w.c(), old, new, *flags)
        }
        Change::Open(p, flags) => w.open(&guest(p), *flags).map(drop),
    }
}

/// Every name below a directory with its type and link target.
fn tree(root: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let kind = std::fs::symlink_metadata(&path).unwrap().file_type();
            let target = std::fs::read_link(&path).ok();
            all.push(format!("{:?} {kind:?} {target:?}", path.strip_prefix(root).unwrap()));
            if kind.is_dir() {
                pending.push(path);
            }
        }
    }
    all.sort();
    all
}

/// Creating, removing, renaming and opening must have the same effect and result as in the kernel.
#[cfg(target_arch = "x86_64")]
#[test]
fn changes_agree_with_the_kernel() {
    let w = World::new();
    let oracle_dir = w.host_path("oracle");
    std::fs::create_dir(&oracle_dir).unwrap();
    let oracle = open_root(&oracle_dir);
    let guest_dir = {
        let place = w.vfs.locate(&w.c(), at::FDCWD, b"/tmp", 0).unwrap();
        use std::os::fd::AsRawFd;
        let link = format!("/proc/self/fd/{}", place.host_fd().unwrap().as_raw_fd());
        std::fs::read_link(link).unwrap()
    };
    let mut pick = rng(SEED);
    let mut errors = std::collections::BTreeMap::new();
    for round in 0..20_000 {
        let change = random_change(&mut pick);
        let want = apply_host(&oracle, &change);
        let got = apply_guest(&w, &change);
        assert_eq!(got, want, "seed {SEED:#x} round {round}: {change:?}");
        *errors.entry(got.err()).or_insert(0) += 1;
        if round % 500 == 0 {
            assert_eq!(tree(&guest_dir), tree(&oracle_dir), "seed {SEED:#x} round {round}");
        }
    }
    assert!(errors.len() >= 8, "too few different outcomes: {errors:?}");
}
