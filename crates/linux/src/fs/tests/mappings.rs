//! Shared mappings of files.

use super::*;
use crate::interface::Bind;
use crate::space::{Account, SharedFiles, StopRequest};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reloading the mappings of a large file that was written may take long.
#[test]
fn pages_are_reloaded_until_the_run_must_stop() {
    let (w, asked) = (World::new(), Arc::new(AtomicUsize::new(0)));
    let stop_request = StopRequest::new(None, Some(Arc::clone(&asked)));
    let account = Rc::new(Account::limited(1 << 30, stop_request));
    account.stop_request().start();
    let file = w.vfs.memfd(b"large", 0).unwrap();
    file.truncate(1 << 20).unwrap();
    let object = SharedFiles::default().get(&file, &account).unwrap();
    object.populate(0, 1 << 20).unwrap();
    assert_eq!(file.truncate(1 << 20), Ok(()));
    asked.store(15, Ordering::Relaxed);
    assert_eq!(object.reload(0, u64::MAX), Err(Errno::EINTR));
}

#[test]
fn mappings_of_a_host_file_share_the_pages_of_its_inode() {
    let w = World::new();
    w.create("/tmp/f", b"old").unwrap();
    let (reader, writer) = (w.open("/tmp/f", o::RDWR).unwrap(), w.open("/tmp/f", o::RDWR).unwrap());
    let account = Rc::new(Account::new(1 << 30));
    let object = SharedFiles::default().get(&reader, &account).unwrap();
    let known = writer.object().mappable().mapped_inode().unwrap().0.mapped_pages().unwrap();
    assert!(std::ptr::addr_eq(Rc::as_ptr(&known), Rc::as_ptr(&object)));
}

/// Two binds show one file of the host under different device numbers.
#[test]
fn mappings_through_two_binds_share_their_pages() {
    let host = tempfile::tempdir().unwrap();
    for dir in ["sysroot", "files"] {
        std::fs::create_dir(host.path().join(dir)).unwrap();
    }
    let mut config = VfsConfig::new(host.path().join("sysroot"));
    for guest in ["/a", "/b"] {
        let (guest, host) = (guest.into(), host.path().join("files"));
        config.binds.push(Bind { host, guest, writable: true });
    }
    let w = World::with(host, &config);
    w.create("/a/f", b"contents").unwrap();
    w.create("/a/other", b"contents").unwrap();
    let account = Rc::new(Account::new(1 << 30));
    let mut files = SharedFiles::default();
    let mut map = |path| files.get(&w.open(path, o::RDONLY).unwrap(), &account).unwrap();
    let object = map("/a/f");
    assert_ne!(w.stat("/a/f").unwrap().dev, w.stat("/b/f").unwrap().dev);
    assert!(Rc::ptr_eq(&object, &map("/b/f")));
    assert!(!Rc::ptr_eq(&object, &map("/b/other")));
}
