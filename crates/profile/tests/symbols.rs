//! Names of functions, of a small library compiled by Debian's gcc: f and h, of which f is exported, and a call of g through
//! the procedure linkage table. It is stripped in one file, and its symbols are in another.

use capvec_profile::Recorder;
use capvec_sim::calls::{Area, Follower};
use capvec_sim::hart::{Agnostic, Hart};
use capvec_sim::mem::Memory;
use capvec_sim::testing::config;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// Where the file is mapped.
const AT: u64 = 0x40_0000;

fn file(name: &str) -> Vec<u8> {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/symbols");
    std::fs::read(corpus.join(name)).expect("it is in the corpus")
}

/// The names of functions when /lib/library.so is mapped and these files can be read, in order of their addresses.
fn names(files: &[(&str, Vec<u8>)]) -> Vec<String> {
    let mut recorder = Recorder::new(true);
    let h = Hart::new(
        Arc::new(config(&[], 128, Agnostic::Undisturbed)),
        Memory::new().expect("an address space"),
    );
    let path: Rc<[u8]> = b"/lib/library.so".as_slice().into();
    let areas = vec![Area { addresses: AT..AT + 0x1000, offset: 0, file: Some((path, 1)) }];
    let read = |path: &[u8]| {
        files.iter().find(|(name, _)| name.as_bytes() == path).map(|(_, bytes)| bytes.clone())
    };
    recorder.program(1, 1, "program");
    recorder.image(h.mem.id(), areas, &read);
    recorder.resume(1, &h);
    let found: Vec<u32> = (AT..AT + 0x1000).step_by(2).map(|pc| recorder.locate(pc).0).collect();
    recorder.pause(&h);
    let functions = recorder.finish().functions;
    let mut names: Vec<String> =
        found.iter().map(|f| functions[*f as usize].name.clone()).collect();
    names.dedup();
    names.retain(|n| n != "[library.so]");
    names
}

/// The build ID of the library, as in the name of a file of a debug package.
fn debug_path() -> String {
    use object::Object;
    let bytes = file("library");
    let elf = object::File::parse(&*bytes).expect("an ELF file");
    let id = elf.build_id().expect("well formed").expect("a build ID");
    let hex: String = id.iter().map(|b| format!("{b:02x}")).collect();
    format!("/usr/lib/debug/.build-id/{}/{}.debug", &hex[..2], &hex[2..])
}

#[test]
fn symbols_come_from_the_best_table() {
    let all = ["[plt]", "g@plt", "h", "f"];
    let path = "/lib/library.so";
    assert_eq!(names(&[(path, file("library"))]), all);
    // The stripped one: by build ID, and by the name that it gives, library.debug.
    for debug in [&debug_path()[..], "/lib/library.debug", "/lib/.debug/library.debug"] {
        let files = [(path, file("stripped")), (debug, file("debug"))];
        assert_eq!(names(&files), all, "{debug}");
    }
    // Without it, the unwind table says where h begins.
    let unnamed = names(&[(path, file("stripped"))]);
    assert!(unnamed[2].starts_with("library.so+0x"), "{unnamed:?}");
    assert_eq!(
        (&unnamed[..2], &unnamed[3..]),
        (&all.map(String::from)[..2], &["f".to_string()][..])
    );
    // A file with another build ID is of another build.
    let mut other = file("debug");
    let id = object::read::File::parse(&*other)
        .ok()
        .and_then(|f| object::Object::build_id(&f).ok().flatten().map(<[u8]>::to_vec))
        .expect("a build ID");
    let at = other.windows(id.len()).position(|w| w == id).expect("it is in the file");
    other[at] ^= 1;
    assert_eq!(names(&[(path, file("stripped")), (&debug_path(), other.clone())]), unnamed);
    // It does not hide the right one.
    let both = [(&debug_path()[..], other), ("/lib/library.debug", file("debug"))];
    assert_eq!(names(&[&[(path, file("stripped"))][..], &both].concat()), all);
    // A file that cannot be read is one function.
    assert!(names(&[]).is_empty());
}
