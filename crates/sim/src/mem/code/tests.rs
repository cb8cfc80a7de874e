//! The code of a program in memory.

use super::*;
use crate::mem::Object;

const AT: u64 = 1 << 20;
const RWX: Perm = Perm(7);

/// Three watched pages of code between two pages that are not watched.
fn watched() -> Memory {
    let mem = Memory::new().expect("an address space");
    mem.map(AT, 5 * PAGE, RWX).expect("pages");
    (1..4).for_each(|n| mem.watch_code(AT + n * PAGE));
    mem
}

/// The pages, counted from `AT`, that may have changed since the version.
fn changes(mem: &Memory, version: u64) -> Vec<u64> {
    let ranges = mem.code_changes(version).expect("the log goes back that far");
    let pages: BTreeSet<u64> = ranges.into_iter().flatten().map(|p| p - AT / PAGE).collect();
    pages.into_iter().collect()
}

#[test]
fn a_write_is_reported() {
    let mem = watched();
    let version = mem.code_version();
    mem.store(AT + 2 * PAGE + 8, 1u64).expect("a writable page");
    assert_eq!(changes(&mem, version), [2], "at once");
    mem.code_changed();
    assert_eq!(changes(&mem, version), [2]);
    assert_eq!(changes(&mem, mem.code_version()), [0; 0], "only once");
    // The page is not watched any more.
    mem.store(AT + 2 * PAGE + 8, 2u64).expect("a writable page");
    mem.code_changed();
    assert_eq!(changes(&mem, version), [2]);
    assert_eq!(changes(&mem, version + 1), [0; 0]);
}

#[test]
fn every_kind_of_write_is_reported() {
    type Write = fn(&Memory);
    let writes: [(&str, &[u64], Write); 5] = [
        ("across", &[1, 2], |m| m.store(AT + 2 * PAGE - 1, 1u16).expect("writable")),
        ("write", &[1, 2, 3], |m| m.write(AT, &[1; 5 * PAGE as usize]).expect("writable")),
        ("loader", &[3], |m| m.write_as(AT + 3 * PAGE, &[1], Perm::NONE).expect("mapped")),
        ("discard", &[2], |m| m.discard(AT + 2 * PAGE, PAGE).expect("pages")),
        ("protect", &[0, 1], |m| assert!(m.protect(AT, 2 * PAGE, Perm::RW))),
    ];
    for (name, pages, write) in writes {
        let mem = watched();
        let version = mem.code_version();
        write(&mem);
        mem.code_changed();
        assert_eq!(changes(&mem, version), pages, "{name}");
    }
}

#[test]
fn a_page_that_cannot_be_written_is_watched() {
    let mem = Memory::new().expect("an address space");
    mem.map(AT, PAGE, Perm(5)).expect("a page");
    mem.watch_code(AT);
    assert_eq!(mem.store(AT, 1u8), None);
    let version = mem.code_version();
    mem.write_as(AT, &[1], Perm::NONE).expect("a mapped page");
    assert_eq!(mem.store(AT, 1u8), None, "still not writable");
    mem.code_changed();
    assert_eq!(changes(&mem, version), [0]);
}

#[test]
fn the_guest_sees_the_same_permissions() {
    let mem = watched();
    assert_eq!(mem.perm(AT + PAGE), Some(RWX));
    assert_eq!(mem.mapped(), [(AT..AT + 5 * PAGE, RWX)]);
    assert!(mem.allows(AT, 5 * PAGE, RWX));
    assert_eq!(mem.first_fault(AT, 6 * PAGE, Perm::W), AT + 5 * PAGE);
}

/// Generated code that writes to a page, or from a page into the next.
#[test]
fn generated_code_may_write_where_nothing_is_watched() {
    let mem = watched();
    let entry = |page: u64| {
        let byte = mem.perm_byte(AT / PAGE + page);
        (byte & table::WRITE != 0, byte & table::WRITE_ACROSS != 0)
    };
    let all = || [entry(0), entry(1), entry(2), entry(3), entry(4)];
    let (none, page, both) = ((false, false), (true, false), (true, true));
    assert_eq!(all(), [page, none, none, none, page]);
    mem.store(AT + PAGE, 1u8).expect("a writable page");
    assert_eq!(all(), [both, page, none, none, page]);
    mem.store(AT + 2 * PAGE, 1u8).expect("a writable page");
    assert_eq!(all(), [both, both, page, none, page]);
}

/// An object of two pages.
fn object() -> Object {
    let file = rustix::fs::memfd_create("code", rustix::fs::MemfdFlags::CLOEXEC).expect("memory");
    rustix::fs::ftruncate(&file, 2 * PAGE).expect("it grows");
    Object::new(file)
}

/// Both of the object's pages, where they may be executed but not written, and a page further on, where it is the other way round.
fn mapped_twice(object: &Object) -> Memory {
    let mem = Memory::new().expect("an address space");
    mem.map_shared(AT, 2 * PAGE, Perm(5), object, 0).expect("pages");
    mem.map_shared(AT + 3 * PAGE, 2 * PAGE, Perm::RW, object, 0).expect("pages");
    mem
}

#[test]
fn a_shared_page_is_reported_when_it_is_written_through_any_mapping() {
    let object = object();
    let (mem, other) = (mapped_twice(&object), mapped_twice(&object));
    type Write<'a> = &'a dyn Fn();
    let writes: [(&str, Write); 8] = [
        ("a store", &|| mem.store(AT + 3 * PAGE, 1u8).expect("writable")),
        ("across", &|| mem.store(AT + 4 * PAGE - 1, 1u16).expect("writable")),
        ("a debugger", &|| mem.write_as(AT, &[1], Perm::NONE).expect("mapped")),
        ("another space", &|| other.store(AT + 3 * PAGE, 1u8).expect("writable")),
        ("its debugger", &|| other.write_as(AT, &[1], Perm::NONE).expect("mapped")),
        ("the file", &|| object.written(8..9)),
        ("a new mapping", &|| {
            other.map_shared(AT + 8 * PAGE, PAGE, Perm::RW, &object, 0).expect("a page");
            other.store(AT + 8 * PAGE, 1u8).expect("writable");
        }),
        ("new permissions", &|| {
            assert!(mem.protect(AT + 3 * PAGE, PAGE, Perm::R));
            assert!(mem.protect(AT + 3 * PAGE, PAGE, Perm::RW));
            mem.store(AT + 3 * PAGE, 1u8).expect("writable");
        }),
    ];
    for (name, write) in writes {
        [&mem, &other].iter().for_each(|m| m.code_changed());
        let versions = [&mem, &other].map(|m| {
            m.watch_code(AT);
            m.watch_code(AT + PAGE);
            m.code_version()
        });
        let both = || [changes(&mem, versions[0]), changes(&other, versions[1])];
        mem.code_changed();
        assert_eq!(both(), [[0; 0]; 2], "{name}, not written");
        write();
        let first: &[u64] = if name == "across" { &[0, 1] } else { &[0] };
        assert_eq!(both(), [first; 2], "{name}, at once");
        [&mem, &other].iter().for_each(|m| m.code_changed());
        assert_eq!(both(), [first; 2], "{name}");
        // It is not watched any more.
        let entry = mem.perm_byte(AT / PAGE + 3);
        assert_eq!(entry & (table::WRITE | table::CODE), table::WRITE, "{name}");
    }
}

#[test]
fn a_page_that_is_not_shared_any_more_is_not_reported() {
    let object = object();
    let (mem, other) = (mapped_twice(&object), mapped_twice(&object));
    mem.watch_code(AT);
    mem.map(AT, PAGE, RWX).expect("a page");
    mem.code_changed();
    let version = mem.code_version();
    other.store(AT + 3 * PAGE, 1u8).expect("writable");
    mem.code_changed();
    assert_eq!(changes(&mem, version), [0; 0]);
    // Nor is a space that is gone.
    mem.watch_code(AT + PAGE);
    drop(mem);
    other.store(AT + 4 * PAGE, 1u8).expect("writable");
}

#[test]
fn an_old_version_needs_all_pages() {
    let mem = watched();
    let version = mem.code_version();
    for _ in 0..LOG + 2 {
        mem.watch_code(AT + PAGE);
        mem.store(AT + PAGE, 1u8).expect("a writable page");
        mem.code_changed();
    }
    assert_eq!(mem.code_changes(version), None);
    assert_eq!(changes(&mem, mem.code_version() - 1), [1]);
}
