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
    let file = crate::mem::memory_file("code").expect("memory");
    rustix::fs::ftruncate(&file, 2 * PAGE).expect("it grows");
    Object::new(file)
}

/// Both of the object's pages, where they may be executed but not written, and further on, where it is the other way round.
fn mapped_twice(object: &Object) -> Memory {
    let mem = Memory::new().expect("an address space");
    mem.map_shared(AT, 2 * PAGE, Perm(5), object, 0).expect("pages");
    mem.map_shared(AT + 3 * PAGE, 2 * PAGE, Perm::RW, object, 0).expect("pages");
    mem
}

#[test]
fn a_shared_page_is_reported_when_it_is_written_through_any_mapping() {
    let object = object();
    let mem = mapped_twice(&object);
    type Write<'a> = &'a dyn Fn();
    let writes: [(&str, Write); 6] = [
        ("a store", &|| mem.store(AT + 3 * PAGE, 1u8).expect("writable")),
        ("across", &|| mem.store(AT + 4 * PAGE - 1, 1u16).expect("writable")),
        ("a debugger", &|| mem.write_as(AT, &[1], Perm::NONE).expect("mapped")),
        ("the file", &|| object.written(8..9)),
        ("new permissions", &|| {
            assert!(mem.protect(AT + 3 * PAGE, PAGE, Perm::R));
            assert!(mem.protect(AT + 3 * PAGE, PAGE, Perm::RW));
            mem.store(AT + 3 * PAGE, 1u8).expect("writable");
        }),
        ("a new mapping", &|| {
            mem.unmap(AT + 3 * PAGE, PAGE).expect("a page");
            mem.map_shared(AT + 3 * PAGE, PAGE, Perm::RW, &object, 0).expect("a page");
            mem.store(AT + 3 * PAGE, 1u8).expect("writable");
        }),
    ];
    for (name, write) in writes {
        mem.code_changed();
        (0..2).for_each(|n| mem.watch_code(AT + n * PAGE));
        let version = mem.code_version();
        mem.code_changed();
        assert_eq!(changes(&mem, version), [0; 0], "{name}, not written");
        write();
        let expected: &[u64] = if name == "across" { &[0, 1] } else { &[0] };
        assert_eq!(changes(&mem, version), expected, "{name}, at once");
        mem.code_changed();
        assert_eq!(changes(&mem, version), expected, "{name}");
        // It is not watched any more.
        let entry = mem.perm_byte(AT / PAGE + 3);
        assert_eq!(entry & (table::WRITE | table::CODE), table::WRITE, "{name}");
    }
}

/// Decodes both pages of an object again, as an engine does after a version, and asserts that they are reported at every version.
fn assert_compared(mem: &Memory) {
    mem.code_changed();
    (0..2).for_each(|n| mem.watch_code(AT + n * PAGE));
    for _ in 0..3 {
        let version = mem.code_version();
        mem.code_changed();
        assert_eq!(changes(mem, version), [0, 1]);
    }
    // No host mapping is closed.
    assert_eq!(mem.perm_byte(AT / PAGE + 3) & (table::WRITE | table::CODE), table::WRITE);
    mem.store(AT + 3 * PAGE, 1u8).expect("writable");
}

#[test]
fn pages_of_several_spaces_are_reported_at_every_version() {
    let object = object();
    let mem = mapped_twice(&object);
    (0..2).for_each(|n| mem.watch_code(AT + n * PAGE));
    let version = mem.code_version();
    let other = mapped_twice(&object);
    other.store(AT + 3 * PAGE, 1u8).expect("writable");
    assert_eq!(changes(&mem, version), [0, 1], "what was watched may have been written");
    assert_compared(&mem);
    assert_compared(&other);
    drop(other);
    assert_compared(&mem);
    mem.map(AT, 2 * PAGE, RWX).expect("pages");
    let version = mem.code_version();
    mem.code_changed();
    assert_eq!(changes(&mem, version), [0; 0], "they are not shared any more");
}

/// As in a program that another has been executed in place of.
#[test]
fn pages_of_a_space_that_is_gone_are_watched() {
    let object = object();
    let first = mapped_twice(&object);
    first.watch_code(AT);
    drop(first);
    let mem = mapped_twice(&object);
    mem.watch_code(AT);
    let version = mem.code_version();
    mem.code_changed();
    assert_eq!(changes(&mem, version), [0; 0]);
}

#[test]
fn pages_with_many_mappings_are_reported_at_every_version() {
    let (of_page, of_space) = (object(), object());
    let [mem, crowded] = [&of_page, &of_space].map(mapped_twice);
    [&mem, &crowded].iter().for_each(|m| (0..2).for_each(|n| m.watch_code(AT + n * PAGE)));
    mem.map_shared(AT + 6 * PAGE, 2 * PAGE, Perm::R, &of_page, 0).expect("pages");
    let (elsewhere, far) = (object(), AT + 8 * PAGE);
    for n in 0..256 {
        let at = far + 2 * n * PAGE;
        crowded.map_shared(at, PAGE, Perm::RW, &elsewhere, 0).expect("a page");
    }
    crowded.store(AT + 3 * PAGE, 1u8).expect("writable");
    crowded.store(AT + 4 * PAGE, 1u8).expect("writable");
    assert_compared(&mem);
    assert_compared(&crowded);
}

/// The host refuses to protect pages one by one: stores go on, and pages are compared.
#[test]
fn pages_that_the_host_does_not_protect_are_reported_at_every_version() {
    use crate::mem::host_maps::tests::LEFT;
    let (before, after) = (object(), object());
    let (mem, shared) = (watched(), mapped_twice(&before));
    shared.watch_code(AT + PAGE);
    let unwatched = mapped_twice(&after);
    // Of its two mappings, the host refuses only the second: the first cannot be written in any case.
    let (half, half_mapped) = (object(), Memory::new().expect("an address space"));
    for (at, perm) in [(AT, Perm(5)), (AT + PAGE, RWX)] {
        half_mapped.map_shared(at, PAGE, perm, &half, 0).expect("a page");
    }
    let (version, of_shared) = (mem.code_version(), shared.code_version());
    LEFT.set(Some(0));
    mem.store(AT + 2 * PAGE, 1u8).expect("writable");
    assert_eq!(changes(&mem, version), [1, 2, 3], "all that were watched");
    shared.store(AT + 4 * PAGE, 1u8).expect("writable");
    assert_eq!(changes(&shared, of_shared), [1]);
    assert_compared(&shared);
    assert_compared(&unwatched);
    [AT + PAGE, AT].iter().for_each(|at| half_mapped.watch_code(*at));
    let of_half = half_mapped.code_version();
    half_mapped.store(AT + PAGE, 1u8).expect("writable");
    half_mapped.code_changed();
    assert_eq!(changes(&half_mapped, of_half), [0, 1]);
    mem.code_changed();
    for _ in 0..3 {
        (1..4).for_each(|n| mem.watch_code(AT + n * PAGE));
        let version = mem.code_version();
        mem.code_changed();
        assert_eq!(changes(&mem, version), [1, 2, 3]);
    }
    LEFT.set(None);
}

/// The refusal comes when a page is to be watched, while others are: all are opened at once, whatever is mapped later.
#[test]
fn a_refusal_opens_all_watched_pages() {
    use crate::mem::host_maps::tests::LEFT;
    let (mem, far) = (watched(), AT + (1 << 20));
    mem.map(far, PAGE, RWX).expect("a page");
    let version = mem.code_version();
    LEFT.set(Some(0));
    mem.watch_code(far);
    LEFT.set(None);
    assert_eq!(changes(&mem, version), [1, 2, 3]);
    for page in [AT + PAGE, AT + 3 * PAGE, far] {
        assert_eq!(mem.perm_byte(page / PAGE) & table::CODE, 0);
    }
    mem.unmap(far, PAGE).expect("a page");
    let object = object();
    mem.map_shared(AT, 2 * PAGE, Perm(5), &object, 0).expect("pages");
    mem.map_shared(AT + 3 * PAGE, 2 * PAGE, Perm::RW, &object, 0).expect("pages");
    assert_compared(&mem);
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
