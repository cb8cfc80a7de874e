//! The address space compared with a model that tracks each page separately.

use super::layout::MMAP_TOP;
use super::*;
use crate::fs::Xoshiro256;
use std::collections::HashMap;

/// Pages of the window that the random operations work in.
const WINDOW: u64 = 48;
const BASE: u64 = 0x100_0000;

/// A page in the model: permission, whether it is charged, the byte that fills it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Page {
    perm: Perm,
    charged: bool,
    fill: u8,
}

struct Model {
    pages: HashMap<u64, Page>,
}

impl Model {
    fn range(at: u64, len: u64) -> impl Iterator<Item = u64> {
        (at / PAGE)..(at + len) / PAGE
    }

    fn charged(&self) -> u64 {
        self.pages.values().map(|p| if p.charged { PAGE } else { 0 }).sum()
    }

    fn check(&self, space: &Space, account: &Account, step: &str) {
        for page in (BASE / PAGE - 1)..(BASE / PAGE + 2 * WINDOW) {
            let at = page * PAGE;
            let known = self.pages.get(&page);
            let area = space.area(at).map(|(_, v)| v.perm);
            assert_eq!(area, known.map(|p| p.perm), "{step}: area of page {page:#x}");
            assert_eq!(space.mem.perm(at), known.map(|p| p.perm), "{step}: page {page:#x}");
            let mut byte = [0];
            if let Some(p) = known {
                space.mem.read_as(at + 77, &mut byte, Perm::NONE).expect("it is mapped");
                assert_eq!(byte[0], p.fill, "{step}: contents of page {page:#x}");
            }
        }
        let used = account.used() - space.records.bytes() - space.tables.charge.bytes();
        assert_eq!(used, self.charged(), "{step}: memory account");
    }
}

fn fill(space: &Space, model: &mut Model, at: u64, len: u64, byte: u8) {
    for page in Model::range(at, len) {
        space.mem.write_as(page * PAGE, &[byte; PAGE as usize], Perm::NONE).expect("mapped");
        if let Some(p) = model.pages.get_mut(&page) {
            p.fill = byte;
        }
    }
}

fn step(rng: &mut Xoshiro256, space: &mut Space, model: &mut Model) -> String {
    let page = rng.next_u64() % WINDOW;
    let (at, len) = (BASE + page * PAGE, (1 + rng.next_u64() % (WINDOW - page)) * PAGE);
    let perm = Perm(rng.next_u64() as u8 & 7);
    let pages: Vec<u64> = Model::range(at, len).collect();
    let whole = pages.iter().all(|p| model.pages.contains_key(p));
    match rng.next_u64() % 5 {
        0 => {
            let vma = Vma::anon(at + len, perm);
            let page = Page { perm, charged: vma.charged, fill: 0 };
            space.map(at, vma).expect("memory suffices");
            model.pages.extend(pages.iter().map(|p| (*p, page)));
            // An inaccessible page holds zeros: nothing can have written to it.
            let byte = rng.next_u64() as u8;
            fill(space, model, at, len, if page.charged { byte } else { 0 });
            format!("map {at:#x}+{len:#x}")
        }
        1 => {
            space.unmap(at, len).expect("memory suffices");
            model.pages.retain(|p, _| !pages.contains(p));
            format!("unmap {at:#x}+{len:#x}")
        }
        2 => {
            assert_eq!(space.protect(at, len, perm).is_ok(), whole);
            for p in pages.iter().filter(|_| whole) {
                let page = model.pages.get_mut(p).expect("a mapped page");
                page.perm = perm;
                page.charged |= perm != Perm::NONE;
            }
            format!("protect {at:#x}+{len:#x} {perm:?}")
        }
        3 => {
            assert_eq!(space.discard(at, len).is_ok(), whole);
            for p in &pages {
                if let Some(page) = model.pages.get_mut(p) {
                    page.fill = 0;
                }
            }
            format!("discard {at:#x}+{len:#x}")
        }
        _ => remap(rng, space, model, at, len),
    }
}

/// Moves a range to the pages after the window, which nothing else uses, and out of the model.
fn remap(rng: &mut Xoshiro256, space: &mut Space, model: &mut Model, at: u64, len: u64) -> String {
    let one_area = space.area(at).is_some_and(|(_, v)| v.end >= at + len);
    let to = BASE + WINDOW * PAGE;
    let new_len = (1 + rng.next_u64() % WINDOW) * PAGE;
    let moved = space.remap(at, len, new_len, Placement::Fixed(to));
    assert_eq!(moved.is_ok(), one_area, "remap {at:#x}+{len:#x}");
    if one_area {
        let old: Vec<Page> = Model::range(at, len).filter_map(|p| model.pages.remove(&p)).collect();
        for (i, page) in Model::range(to, new_len).enumerate() {
            let fill = old.get(i).map_or(0, |p| p.fill);
            model.pages.insert(page, Page { fill, ..old[0] });
        }
        model.check(space, &space.account, "remap");
        space.unmap(to, new_len).expect("memory suffices");
        model.pages.retain(|p, _| p * PAGE < to);
    }
    format!("remap {at:#x}+{len:#x} to {new_len:#x} bytes")
}

#[test]
fn random_operations_agree_with_a_model_of_pages() {
    for seed in 0..20 {
        let mut rng = Xoshiro256::from_seed(seed);
        let account = Rc::new(Account::new(1 << 30));
        let mut space = Space::new(&account).expect("host memory");
        let mut model = Model { pages: HashMap::new() };
        for n in 0..150 {
            let what = step(&mut rng, &mut space, &mut model);
            model.check(&space, &account, &format!("seed {seed}, step {n}, {what}"));
        }
        let child = space.fork().expect("memory suffices");
        let overhead = |s: &Space| s.records.bytes() + s.tables.charge.bytes();
        let records = overhead(&space) + overhead(&child);
        assert_eq!(account.used() - records, 2 * model.charged(), "a child is charged as well");
        fill(&space, &mut Model { pages: HashMap::new() }, BASE, 0, 0);
        drop(space);
        model.check(&child, &account, &format!("seed {seed}: the child"));
        drop(child);
        assert_eq!(account.used(), 0);
    }
}

#[test]
fn the_limit_holds_and_a_failed_call_charges_nothing() {
    let account = Rc::new(Account::new(20 * PAGE));
    let mut space = Space::new(&account).expect("host memory");
    space.map(BASE, Vma::anon(BASE + 10 * PAGE, Perm::RW)).expect("the range is free");
    let more = Vma::anon(BASE + 40 * PAGE, Perm::RW);
    assert_eq!(space.map(BASE + 20 * PAGE, more), Err(Errno::ENOMEM));
    let used = |space: &Space| account.used() - space.records.bytes() - space.tables.charge.bytes();
    assert_eq!(space.tables.charge.bytes(), 3 * PAGE, "permissions, and page tables of two levels");
    // Reserved without permission: nearly free until it can be used.
    let reserved = Vma::anon(BASE + 1000 * PAGE, Perm::NONE);
    space.map(BASE + 100 * PAGE, reserved).expect("little is charged");
    assert_eq!(used(&space), 10 * PAGE);
    assert_eq!(space.protect(BASE + 100 * PAGE, 7 * PAGE, Perm::R), Err(Errno::ENOMEM));
    space.protect(BASE + 100 * PAGE, 6 * PAGE, Perm::R).expect("memory for the pages");
    assert_eq!(used(&space), 16 * PAGE);
    assert_eq!(account.peak(), account.used());
}

#[test]
fn areas_are_charged() {
    let account = Rc::new(Account::new(64 * PAGE));
    let mut space = Space::new(&account).expect("host memory");
    let reserve = |space: &mut Space, i: u64| {
        space.map(BASE + 2 * i * PAGE, Vma::anon(BASE + (2 * i + 1) * PAGE, Perm::NONE))
    };
    let made = (0..).take_while(|i| reserve(&mut space, *i).is_ok()).count();
    assert!((900..1024).contains(&made), "{made}");
    // Unmapping returns the charge.
    space.unmap(BASE, 2000 * PAGE).expect("it is mapped");
    reserve(&mut space, 5000).expect("memory for the areas");
}

#[test]
fn the_stack_grows_where_it_may() {
    let account = Rc::new(Account::new(1 << 30));
    let mut space = Space::new(&account).expect("host memory");
    space.map_stack().expect("the range is free");
    assert!(!space.grow_stack(STACK_TOP - 8), "it is already mapped");
    assert!(space.grow_stack(STACK_TOP - (1 << 20)));
    assert!(space.mem.allows(STACK_TOP - (1 << 20), 1 << 20, Perm::RW));
    assert!(space.grow_stack(STACK_TOP - STACK_LIMIT));
    assert!(!space.grow_stack(STACK_TOP - STACK_LIMIT - 1), "beyond the limit");
    assert_eq!(space.areas().count(), 1, "the stack remains one area");
    // A mapping in the way stops the stack from growing.
    let mut space = Space::new(&account).expect("host memory");
    space.map_stack().expect("the range is free");
    let at = STACK_TOP - (2 << 20);
    space.map(at, Vma::anon(at + PAGE, Perm::R)).expect("the range is free");
    assert!(!space.grow_stack(at - PAGE));
    assert!(space.grow_stack(at + PAGE));
}

#[test]
fn gaps_are_found_from_the_top() {
    let account = Rc::new(Account::new(1 << 30));
    let mut space = Space::new(&account).expect("host memory");
    let first = space.find_gap(4 * PAGE).expect("a gap");
    assert_eq!(first, MMAP_TOP - 4 * PAGE);
    space.map(first, Vma::anon(MMAP_TOP, Perm::R)).expect("the range is free");
    space.unmap(first + PAGE, 2 * PAGE).expect("the range is mapped");
    assert_eq!(space.find_gap(2 * PAGE), Some(first + PAGE), "the hole");
    assert_eq!(space.find_gap(3 * PAGE), Some(first - 3 * PAGE));
    assert_eq!(space.find_gap(SPACE), None);
    assert!(!space.is_free(SPACE - PAGE, 2 * PAGE) && !space.is_free(u64::MAX, 2));
}

#[test]
fn the_heap_ends_before_the_next_area() {
    let account = Rc::new(Account::new(1 << 30));
    let mut space = Space::new(&account).expect("host memory");
    (space.brk_start, space.brk) = (BASE, BASE);
    space.map(BASE + 8 * PAGE, Vma::anon(BASE + 9 * PAGE, Perm::R)).expect("the range is free");
    assert_eq!(space.set_brk(0), BASE, "a query");
    assert_eq!(space.set_brk(BASE + 100), BASE + 100);
    assert_eq!(space.set_brk(BASE + 8 * PAGE), BASE + 100, "it would touch the next area");
    assert_eq!(space.set_brk(BASE + 7 * PAGE), BASE + 7 * PAGE);
    assert_eq!(space.set_brk(BASE), BASE);
    assert!(space.area(BASE).is_none());
}

/// In random layouts, the heap begins at any address: every byte between its ends is mapped, from the first on.
#[test]
fn a_heap_may_begin_within_a_page() {
    let account = Rc::new(Account::new(1 << 30));
    for seed in 0..20 {
        let mut space = Space::new(&account).expect("host memory");
        space.layout = Layout::random(seed);
        space.begin_heap(BASE).expect("the range is free");
        let start = space.brk_start;
        assert_eq!((start, space.set_brk(0)), (space.layout.heap(BASE), start), "seed {seed}");
        for bytes in [1, PAGE - 1, 3 * PAGE + 7] {
            assert_eq!(space.set_brk(start + bytes), start + bytes, "seed {seed}");
            assert!(space.mem.allows(start, bytes, Perm::RW), "seed {seed}");
        }
        assert_eq!(space.set_brk(start), start, "seed {seed}");
    }
}

/// Two shared pages and a private one.
fn shared_and_private() -> Space {
    let account = Rc::new(Account::new(1 << 30));
    let mut space = Space::new(&account).expect("host memory");
    let mut vma = Vma::anon(BASE + 2 * PAGE, Perm::RW);
    vma.backing = Backing::Shared(SharedObject::anonymous(&account).expect("host memory"));
    space.map(BASE, vma).expect("the range is free");
    space.map(BASE + 2 * PAGE, Vma::anon(BASE + 3 * PAGE, Perm::RW)).expect("the range is free");
    space
}

#[test]
fn children_share_what_is_shared() {
    let mut space = shared_and_private();
    // Splitting an area keeps its offset in the object.
    space.protect(BASE, PAGE, Perm::R).expect("the range is mapped");
    let child = space.fork().expect("memory for the child");
    space.mem.store(BASE + PAGE, 5u64).expect("writable");
    space.mem.store(BASE + 2 * PAGE, 6u64).expect("writable");
    assert_eq!(child.mem.load::<u64>(BASE + PAGE), Some(5));
    assert_eq!(child.mem.load::<u64>(BASE + 2 * PAGE), Some(0));
}

/// mremap(2): with an old size of 0, a shared mapping gets a second place; a private one does not.
#[test]
fn shared_pages_can_be_mapped_again() {
    let mut space = shared_and_private();
    let fixed = BASE + 8 * PAGE;
    for (to, expected) in [
        (Placement::Fixed(fixed), Ok(fixed)),
        (Placement::Stay, Err(Errno::EINVAL)),
        (Placement::Fixed(fixed + 1), Err(Errno::EINVAL)),
    ] {
        assert_eq!(space.remap(BASE + PAGE, 0, PAGE, to), expected, "{to:?}");
    }
    let again = space.remap(BASE + PAGE, 0, PAGE, Placement::MayMove).expect("a second place");
    space.mem.store(BASE + PAGE, 5u64).expect("still writable");
    assert_eq!([again, fixed].map(|at| space.mem.load::<u64>(at)), [Some(5); 2]);
    let private = space.remap(BASE + 2 * PAGE, 0, PAGE, Placement::MayMove);
    assert_eq!(private, Err(Errno::EINVAL));
}

#[test]
fn page_tables_are_charged_as_long_as_the_host_keeps_them() {
    let account = Rc::new(Account::new(1 << 40));
    let mut space = Space::new(&account).expect("host memory");
    let tables = |space: &Space| space.tables.charge.bytes() / PAGE;
    // A reserved range needs a page of permissions for each 16 MiB.
    space.map(1 << 30, Vma::anon(2 << 30, Perm::NONE)).expect("the range is free");
    assert_eq!(tables(&space), 64);
    // An accessible range also needs a page table for each 2 MiB, and one above them.
    space.protect(1 << 30, 1 << 30, Perm::R).expect("the range is mapped");
    assert_eq!(tables(&space), 64 + 512 + 1);
    // 2 MiB that are still mapped in part keep their table, even if they are no longer accessible.
    space.unmap(1 << 30, (1 << 30) - PAGE).expect("the range is mapped");
    space.protect((2 << 30) - PAGE, PAGE, Perm::NONE).expect("the range is mapped");
    assert_eq!(tables(&space), 1 + 1 + 1);
    space.unmap((2 << 30) - PAGE, PAGE).expect("the range is mapped");
    assert_eq!(tables(&space), 1, "the host keeps this table");
}

#[test]
fn ranges_that_were_never_accessible_are_not_read() {
    let account = Rc::new(Account::new(1 << 30));
    let mut space = Space::new(&account).expect("host memory");
    // 64 GiB; reading would need a page table for each 2 MiB.
    let (at, len) = (1 << 30, 64 << 30);
    space.map(at, Vma::anon(at + len, Perm::NONE)).expect("little is charged");
    let tables = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("VmPTE:"));
        line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0)
    };
    let before = tables();
    space.remap(at, len, len, Placement::Fixed(at + 2 * len)).expect("the range is free");
    drop(space.fork().expect("memory for the child"));
    // Reading would need 128 MiB of page tables; the margin is for tests that run at the same time.
    assert!(tables() < before + (64 << 10), "{} KiB of page tables", tables() - before);
}

/// The host needs separate tree nodes for each such page.
#[test]
fn scattered_pages_of_a_file_are_charged_more() {
    let account = Rc::new(Account::new(1 << 30));
    let object = SharedObject::anonymous(&account).expect("host memory");
    let cost = |page: u64| {
        let before = account.used();
        object.populate(page * PAGE, PAGE).expect("memory");
        account.used() - before
    };
    let apart = cost(1 << 40);
    assert!(apart >= PAGE + 9 * 576, "{apart}");
    assert_eq!([1 << 40, (1 << 40) + 1, (1 << 40) - 1].map(cost), [0, PAGE, PAGE]);
    assert_eq!(cost(1 << 30), apart);
    drop(object);
    assert_eq!(account.used(), 0);
}
