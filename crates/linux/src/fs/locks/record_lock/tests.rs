//! Record locks compared with a model that has a cell for each byte.

use super::*;
use crate::base::charge::Meter;
use crate::fs::Xoshiro256;
use std::cell::Cell;
use std::rc::Rc;

const SEED: u64 = 0x10c4_0001;
const BYTES: i64 = 24;
const OWNERS: usize = 3;

/// Guest memory with this many bytes left.
struct Memory(Cell<u64>);

impl Meter for Memory {
    fn charge(&self, bytes: u64) -> Result<()> {
        let left = self.0.get().checked_sub(bytes).ok_or(Errno::ENOMEM)?;
        self.0.set(left);
        Ok(())
    }

    fn release(&self, bytes: u64) {
        self.0.set(self.0.get() + bytes);
    }
}

fn locks(memory: u64) -> (Rc<Memory>, RecordLocks) {
    let memory = Rc::new(Memory(Cell::new(memory)));
    let charge = Charge::new(Rc::clone(&memory) as Rc<dyn Meter>, 0).unwrap();
    (memory, RecordLocks::new(charge))
}

fn owner(number: usize) -> LockOwner {
    if number == 0 { LockOwner::Description(1) } else { LockOwner::Table(number as u64) }
}

fn lock(number: usize, exclusive: bool, first: i64, last: i64) -> RecordLock {
    let pid = number as i32;
    RecordLock { owner: owner(number), pid, exclusive, span: Span { first, last } }
}

/// Each owner's lock on each byte.
type Model = [[Option<bool>; BYTES as usize]; OWNERS];

/// The runs of equal locks in the model, as an owner's spans.
fn runs(cells: &[Option<bool>]) -> BTreeMap<i64, (i64, bool)> {
    let mut runs: BTreeMap<i64, (i64, bool)> = BTreeMap::new();
    for (at, cell) in (0..).zip(cells) {
        let Some(kind) = *cell else { continue };
        match runs.last_entry().filter(|run| *run.get() == (at - 1, kind)) {
            Some(mut run) => run.get_mut().0 = at,
            None => drop(runs.insert(at, (at, kind))),
        }
    }
    runs
}

fn check(locks: &RecordLocks, model: &Model, memory: u64) {
    let mut number = 0;
    for (n, cells) in model.iter().enumerate() {
        let expected = runs(cells);
        number += expected.len() as u64;
        let owners = locks.owners.borrow();
        let held = owners.iter().find(|held| held.owner == owner(n));
        assert_eq!(held.map_or_else(BTreeMap::new, |held| held.spans.clone()), expected);
    }
    assert_eq!(memory, number * LOCK);
}

#[test]
fn random_locks_agree_with_a_model_with_a_cell_for_each_byte() {
    println!("seed {SEED:#x}");
    let mut generator = Xoshiro256::from_seed(SEED);
    let mut random = |below: u64| (generator.next_u64() % below) as i64;
    for _ in 0..200 {
        const MEMORY: u64 = 1 << 20;
        let (memory, locks) = locks(MEMORY);
        let mut model: Model = [[None; BYTES as usize]; OWNERS];
        for _ in 0..200 {
            let (n, exclusive) = (random(OWNERS as u64) as usize, random(2) == 0);
            let (a, b) = (random(BYTES as u64), random(BYTES as u64));
            let wanted = lock(n, exclusive, a.min(b), a.max(b));
            let cells = a.min(b) as usize..=a.max(b) as usize;
            let clash = |m: usize| {
                m != n && model[m][cells.clone()].iter().flatten().any(|kind| *kind || exclusive)
            };
            let clashes = (0..OWNERS).any(clash);
            let found = locks.conflict(&wanted);
            assert_eq!(found.is_some(), clashes);
            assert_eq!(
                locks.own_lock(owner(n), wanted.span).is_some(),
                model[n][cells.clone()].iter().any(Option::is_some)
            );
            if let Some(found) = found {
                assert!(found.owner != wanted.owner && (found.exclusive || exclusive));
            }
            match random(10) {
                0 => {
                    let had = model[n].iter().any(Option::is_some);
                    assert_eq!(locks.release(owner(n)), had);
                    model[n] = [None; BYTES as usize];
                }
                1..5 => {
                    let freed = model[n][cells.clone()].iter().any(Option::is_some);
                    assert_eq!(locks.set(&wanted, false), Ok(freed));
                    model[n][cells].fill(None);
                }
                _ if !clashes => {
                    let freed = model[n][cells.clone()].contains(&Some(true)) && !exclusive;
                    assert_eq!(locks.set(&wanted, true), Ok(freed));
                    model[n][cells].fill(Some(exclusive));
                }
                _ => {}
            }
            check(&locks, &model, MEMORY - memory.0.get());
        }
    }
}

#[test]
fn the_ends_of_all_offsets() {
    let (_memory, locks) = locks(1 << 20);
    locks.set(&lock(1, true, 0, END), true).unwrap();
    locks.set(&lock(1, true, END, END), false).unwrap();
    locks.set(&lock(1, true, 0, 0), false).unwrap();
    let own = |first, last| locks.own_lock(owner(1), Span { first, last }).map(|lock| lock.span);
    assert_eq!(own(0, END), Some(Span { first: 1, last: END - 1 }));
    assert_eq!((own(0, 0), own(END, END)), (None, None));
    locks.set(&lock(1, true, END, END), true).unwrap();
    assert_eq!(own(END, END), Some(Span { first: 1, last: END }));
}

#[test]
fn locks_are_charged_to_the_guest() {
    let (memory, locks) = locks(3 * LOCK);
    let set = |first, lock: bool| locks.set(&self::lock(1, true, first, first), lock);
    for first in [0, 2, 4] {
        assert_eq!(set(first, true), Ok(false));
    }
    assert_eq!(set(6, true), Err(Errno::ENOLCK));
    // Adjacent locks merge.
    assert_eq!(set(1, true), Ok(false));
    assert_eq!(set(6, true), Ok(false));
    // A hole would split the lock; the failed call changes nothing.
    assert_eq!(set(1, false), Err(Errno::ENOLCK));
    assert!(locks.own_lock(owner(1), Span { first: 1, last: 1 }).is_some());
    assert!(locks.release(owner(1)));
    assert_eq!(memory.0.get(), 3 * LOCK);
}
