//! `/proc/PID/mounts` and `/proc/PID/mountinfo`.

use std::rc::Rc;

use crate::fs::mount::Mount;
use crate::fs::stat::split_dev;

/// Appends the guest path of a mount, with octal escapes as getmntent(3) expects them.
fn put_path(out: &mut Vec<u8>, path: &[u8]) {
    if path.is_empty() {
        out.push(b'/');
    }
    for &byte in path {
        match byte {
            b' ' | b'\t' | b'\n' | b'\\' => out.extend(format!("\\{byte:03o}").into_bytes()),
            _ => out.push(byte),
        }
    }
}

/// The device of a mount. Paths of the host do not appear.
fn device(mount: &Mount) -> &'static str {
    if mount.path.is_empty() { "/dev/root" } else { mount.kind() }
}

fn access(mount: &Mount) -> &'static str {
    if mount.writable { "rw" } else { "ro" }
}

/// `/proc/PID/mounts`.
pub(crate) fn mounts<'a>(mounts: impl Iterator<Item = &'a Rc<Mount>>) -> Vec<u8> {
    let mut out = Vec::new();
    for mount in mounts {
        out.extend(format!("{} ", device(mount)).into_bytes());
        put_path(&mut out, &mount.path);
        out.extend(format!(" {} {},relatime 0 0\n", mount.kind(), access(mount)).into_bytes());
    }
    out
}

/// `/proc/PID/mountinfo`. All mounts but the root are mounted on it.
pub(crate) fn mountinfo<'a>(mounts: impl Iterator<Item = &'a Rc<Mount>>) -> Vec<u8> {
    let mut out = Vec::new();
    for mount in mounts {
        let parent = if mount.path.is_empty() { 0 } else { 1 };
        let (major, minor) = split_dev(mount.dev());
        out.extend(format!("{} {parent} {major}:{minor} / ", mount.id).into_bytes());
        put_path(&mut out, &mount.path);
        let (access, kind) = (access(mount), mount.kind());
        let rest = format!(" {access},relatime - {kind} {} {access}\n", device(mount));
        out.extend(rest.into_bytes());
    }
    out
}
