//! The code of a program in memory.

use super::*;

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

#[test]
fn shared_pages_may_have_changed_at_every_version() {
    use std::os::fd::AsFd;
    let file = rustix::fs::memfd_create("code", rustix::fs::MemfdFlags::CLOEXEC).expect("memory");
    rustix::fs::ftruncate(&file, PAGE).expect("it grows");
    let mem = watched();
    mem.map_shared(AT + 2 * PAGE, PAGE, RWX, file.as_fd(), (1, 0)).expect("a page");
    mem.watch_code(AT + 2 * PAGE);
    for _ in 0..3 {
        let version = mem.code_version();
        mem.code_changed();
        assert_eq!(changes(&mem, version), [2]);
    }
    mem.map(AT + 2 * PAGE, PAGE, RWX).expect("a page");
    let version = mem.code_version();
    mem.code_changed();
    assert_eq!(changes(&mem, version), [0; 0]);
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
