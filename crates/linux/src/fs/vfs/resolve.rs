//! Path resolution in the guest's name space, one component at a time (path_resolution(7)).

use std::rc::Rc;

use super::Vfs;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, at, limit, s};
use crate::fs::caller::Caller;
use crate::fs::host;
use crate::fs::mount::{Hit, Source};
use crate::fs::path::located::{Dir, Node, Place};
use crate::fs::virtual_access::link::Target;
use crate::interface::SetupError;

/// What to do with the last component.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    /// Follow it if it is a symbolic link.
    Follow,
    /// Follow it only if a slash comes after it.
    NoFollow,
    /// Follow it if it is a symbolic link; a slash after it is an error, `EISDIR`, as `O_CREAT`
    /// makes no directories.
    Create,
    /// Never follow it: the entry itself is created, removed or replaced.
    Name,
}

impl Last {
    /// Whether a symbolic link is followed, given whether it is the last component and whether a slash comes after it.
    fn follows(self, is_last: bool, slash: bool) -> bool {
        match self {
            _ if !is_last => true,
            Last::Follow | Last::Create => true,
            Last::NoFollow => slash,
            Last::Name => false,
        }
    }
}

/// Where a path leads.
pub(crate) struct Found {
    /// The directory of the last component.
    pub dir: Dir,
    /// The last component; `.`, `..` or empty (for `/`) when the path ends so.
    pub name: Vec<u8>,
    /// The object there, if any.
    pub place: Option<Dir>,
    /// Whether a slash comes after the last component.
    pub slash: bool,
}

impl Found {
    /// The object there.
    ///
    /// # Errors
    /// `ENOENT` when there is none.
    pub fn existing(self) -> Result<Dir> {
        self.place.ok_or(Errno::ENOENT)
    }

    /// Checks that the name can be given to a new entry.
    ///
    /// # Errors
    /// `EEXIST`; `ENOENT` in `/proc`, where Linux's lookup of an unknown name fails instead of finding it free.
    pub fn check_free(&self) -> Result<()> {
        match (&self.place, self.dir.virtual_tree()) {
            (Some(_), _) => Err(Errno::EEXIST),
            (None, Some(Source::Proc)) => Err(Errno::ENOENT),
            (None, _) => Ok(()),
        }
    }

    /// Whether the path ends in `.`, `..` or is the root, so that it names no entry.
    pub fn is_special(&self) -> bool {
        matches!(&self.name[..], b"" | b"." | b"..")
    }
}

impl Vfs {
    /// Resolves `path` from `dirfd`.
    pub(crate) fn resolve(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: &[u8],
        last: Last,
    ) -> Result<Found> {
        check_path(path)?;
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        let start = if path[0] == b'/' { self.root() } else { c.base(dirfd)? };
        Walk { vfs: self, caller: Some(c), links: 0 }.run(start, path.to_vec(), last)
    }

    /// The object `name` in the directory `dir`, not followed.
    pub(crate) fn entry(&self, c: &Caller<'_>, dir: &Dir, name: &[u8]) -> Result<Option<Dir>> {
        Walk { vfs: self, caller: Some(c), links: 0 }.lookup(dir, name)
    }

    /// Resolves `path` to an existing object as the `*at` calls do: `AT_SYMLINK_NOFOLLOW` and
    /// `AT_EMPTY_PATH` in `flags`.
    pub(crate) fn locate(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: &[u8],
        flags: u32,
    ) -> Result<Dir> {
        if path.is_empty() && flags & at::EMPTY_PATH != 0 {
            if dirfd == at::FDCWD {
                return Ok(Rc::clone(c.cwd));
            }
            return self.place_of_open(&c.file(dirfd)?);
        }
        let nofollow = flags & at::SYMLINK_NOFOLLOW != 0;
        self.resolve(c, dirfd, path, if nofollow { Last::NoFollow } else { Last::Follow })?
            .existing()
    }
}

fn check_path(path: &[u8]) -> Result<()> {
    if path.len() >= limit::PATH_MAX {
        return Err(Errno::ENAMETOOLONG);
    }
    // The system-call layer ends paths at NUL; a NUL here would end them early on the host.
    if path.contains(&0) { Err(Errno::EINVAL) } else { Ok(()) }
}

/// One resolution under way.
struct Walk<'a> {
    vfs: &'a Vfs,
    /// Absent while mounts are set up: then there are no processes.
    caller: Option<&'a Caller<'a>>,
    links: u32,
}

/// How the walk continues after a symbolic link.
enum Step {
    /// From this directory with this path.
    Path(Dir, Vec<u8>),
    /// The link stands for this object.
    Object(Dir),
}

impl Walk<'_> {
    fn run(&mut self, start: Dir, path: Vec<u8>, last: Last) -> Result<Found> {
        let mut cur = start;
        let mut rest = path;
        // The directory in which a final `.` or `..` stands, and which of them it is.
        let mut dots: (Dir, Vec<u8>) = (self.vfs.root(), Vec::new());
        loop {
            let Some((name, after)) = split_first(&rest) else {
                let (dir, name) = dots;
                return Ok(Found { dir, name, place: Some(cur), slash: true });
            };
            if !cur.is_dir() {
                return Err(Errno::ENOTDIR);
            }
            if let Some(c) = self.caller {
                cur.permit(c.cred, access::X_OK)?;
            }
            if name == b"." || name == b".." {
                dots = (Rc::clone(&cur), name.to_vec());
                if name == b".." {
                    cur = Rc::clone(cur.parent());
                }
                rest = after.to_vec();
                continue;
            }
            let is_last = after.iter().all(|&b| b == b'/');
            let slash = is_last && !after.is_empty();
            if slash && last == Last::Create {
                return Err(Errno::EISDIR);
            }
            let found = self.lookup(&cur, name)?;
            let Some(mut place) = found else {
                if !is_last {
                    return Err(Errno::ENOENT);
                }
                return Ok(Found { dir: cur, name: name.to_vec(), place: None, slash });
            };
            if last.follows(is_last, slash) && place.kind() == s::IFLNK {
                match self.follow(&cur, &place, after)? {
                    Step::Path(dir, path) => {
                        dots = (self.vfs.root(), Vec::new());
                        (cur, rest) = (dir, path);
                        continue;
                    }
                    Step::Object(object) => place = object,
                }
            }
            if is_last {
                if slash && last != Last::Name && !place.is_dir() {
                    return Err(Errno::ENOTDIR);
                }
                return Ok(Found { dir: cur, name: name.to_vec(), place: Some(place), slash });
            }
            (cur, rest) = (place, after.to_vec());
        }
    }

    /// The object `name` in `dir`, if there is one.
    fn lookup(&self, dir: &Dir, name: &[u8]) -> Result<Option<Dir>> {
        if name.len() > limit::NAME_MAX {
            return Err(Errno::ENAMETOOLONG);
        }
        let path = dir.join(name);
        // Linux has no limit on the depth of directories; here a limit bounds the descriptors and
        // the memory that a chain of directories holds.
        if path.len() >= limit::PATH_MAX {
            return Err(Errno::ENAMETOOLONG);
        }
        let hit = self.vfs.mounts.at(&path);
        if let Hit::Mount(mount) = hit {
            return Place::mounted(&self.vfs.inodes, dir, path, mount).map(Some);
        }
        let node = match &dir.node {
            Node::Host(node) => match node.entry(&self.vfs.inodes, name) {
                Ok(entry) => Some(Node::Host(entry)),
                Err(Errno::ENOENT) => None,
                Err(e) => return Err(e),
            },
            Node::Virtual(node) => {
                self.caller.and_then(|c| node.lookup(c, name)).map(Node::Virtual)
            }
            Node::Ancestor | Node::Open(_) => None,
        };
        let ancestor = matches!(hit, Hit::Ancestor).then_some(Node::Ancestor);
        node.or(ancestor).map(|node| Place::child(dir, path, node)).transpose()
    }

    /// Follows the symbolic link `link` in `dir`, before the components `after`.
    fn follow(&mut self, dir: &Dir, link: &Dir, after: &[u8]) -> Result<Step> {
        self.links += 1;
        if self.links > limit::MAX_SYMLINKS {
            return Err(Errno::ELOOP);
        }
        let target = match (&link.node, self.caller) {
            (Node::Host(node), _) => Target::Path(host::read_link(node.fd())?),
            (Node::Virtual(node), Some(c)) => node.target(c)?,
            _ => return Err(Errno::EINVAL),
        };
        Ok(match target {
            Target::Path(text) => {
                if text.is_empty() {
                    return Err(Errno::ENOENT);
                }
                let base = if text[0] == b'/' { self.vfs.root() } else { Rc::clone(dir) };
                Step::Path(base, [&text, after].concat())
            }
            Target::Place(place) => Step::Object(place),
            Target::File(file) => Step::Object(match file.place() {
                Some(place) => Rc::clone(place),
                None => Place::child(dir, file.label(), Node::Open(file.shared_object()))?,
            }),
        })
    }
}

/// The first component and the rest; `None` when only slashes are left.
fn split_first(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let start = path.iter().position(|&b| b != b'/')?;
    let path = &path[start..];
    let end = path.iter().position(|&b| b == b'/').unwrap_or(path.len());
    Some(path.split_at(end))
}

/// Resolves the guest path of a mount as far as it exists; the rest is taken literally.
pub(crate) fn mount_point(vfs: &Vfs, path: &[u8]) -> std::result::Result<Vec<u8>, SetupError> {
    let bad = |reason: &str| SetupError::BadGuestPath {
        path: String::from_utf8_lossy(path).into_owned(),
        reason: reason.to_string(),
    };
    if path.first() != Some(&b'/') {
        return Err(bad("it is relative"));
    }
    check_path(path).map_err(|e| bad(&e.to_string()))?;
    let mut walk = Walk { vfs, caller: None, links: 0 };
    let mut resolved = vfs.root();
    let mut beyond: Option<Vec<u8>> = None;
    for name in path.split(|&b| b == b'/').filter(|name| !name.is_empty() && *name != b".") {
        if name == b".." {
            return Err(bad("it contains `..`"));
        }
        if name.len() > limit::NAME_MAX {
            return Err(bad(&Errno::ENAMETOOLONG.to_string()));
        }
        if let Some(beyond) = &mut beyond {
            beyond.push(b'/');
            beyond.extend_from_slice(name);
            continue;
        }
        match walk.run(Rc::clone(&resolved), name.to_vec(), Last::Follow) {
            Ok(Found { place: Some(place), .. }) => resolved = place,
            Ok(Found { dir, name, .. }) => beyond = Some(dir.join(&name)),
            Err(Errno::ENOMEM) => return Err(SetupError::Memory),
            Err(e) => return Err(bad(&e.to_string())),
        }
    }
    match beyond.unwrap_or_else(|| resolved.path().to_vec()) {
        root if root == b"/" => Err(bad("it is `/`")),
        path => Ok(path),
    }
}
