//! Parallel work on all processors.

use anyhow::{Result, ensure};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of usable processors; at least one.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// The results of `work` for all items, in the order of the items, regardless of which finishes first.
///
/// # Errors
/// The first failure in that order. After a failure no further work is begun.
pub fn each<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    each_on(processors(), items, work)
}

/// As [`each`], on at most `workers` processors.
pub fn each_on<T: Sync, R: Send>(
    workers: usize,
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let slots: Vec<Mutex<Option<Result<R>>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        let i = next.fetch_add(1, Ordering::Relaxed);
        Some((items.get(i)?, slots.get(i)?))
    };
    let worker = || {
        while let Some((item, slot)) = take() {
            let result = work(item);
            if result.is_err() {
                next.store(items.len(), Ordering::Relaxed);
            }
            if let Ok(mut slot) = slot.lock() {
                *slot = Some(result);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers.min(items.len())).map(|_| scope.spawn(worker)).collect();
        // A worker that panics has reported it, and leaves its slot empty.
        workers.into_iter().for_each(|w| drop(w.join()));
    });
    let mut done = Vec::new();
    for slot in slots {
        if let Some(result) = slot.into_inner().ok().flatten() {
            done.push(result?);
        }
    }
    ensure!(done.len() == items.len(), "a worker stopped early");
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn results_are_in_the_order_of_their_items() {
        let items: Vec<u64> = (0..100).collect();
        let squares = each(&items, |n| {
            // The first ones end last.
            std::thread::sleep(std::time::Duration::from_micros(100 - n));
            Ok(n * n)
        });
        assert_eq!(squares.unwrap(), items.iter().map(|n| n * n).collect::<Vec<_>>());
        assert!(each(&[] as &[u64], |_| Ok(())).unwrap().is_empty());
    }

    #[test]
    fn the_first_failure_is_returned_and_no_item_begins_after_it() {
        let begun = AtomicUsize::new(0);
        let items: Vec<usize> = (0..10_000).collect();
        let result = each(&items, |n| {
            begun.fetch_add(1, Ordering::Relaxed);
            if *n == 3 {
                bail!("item {n}")
            }
            // Gives the other workers time to see the failure.
            std::thread::sleep(std::time::Duration::from_millis(1));
            Ok(())
        });
        assert_eq!(result.unwrap_err().to_string(), "item 3");
        assert!(begun.into_inner() < items.len());
    }

    #[test]
    fn a_worker_that_panics_is_an_error() {
        let result = each(&[1], |_| -> Result<()> { panic!("on purpose") });
        assert_eq!(result.unwrap_err().to_string(), "a worker stopped early");
    }
}
