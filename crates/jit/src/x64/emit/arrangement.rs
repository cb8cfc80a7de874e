//! Arrangements: where several paths of the code meet, the host registers must hold the same guest registers on each path.

use super::scalar_allocation::{Regs, Slot};
use crate::x64::analysis::uses::Uses;
use crate::x64::asm::{Asm, Rm};
use crate::x64::runtime::convention::{ALLOCATABLE, HOMES, has_home, x_slot};

/// The guest registers that the nine host registers hold where several paths meet, and whether `Hart::x` may be stale for each.
#[derive(Clone, Copy)]
pub struct Arrangement([(Option<u8>, bool); ALLOCATABLE]);

impl Arrangement {
    /// At entries and exits.
    const HOME: Arrangement = {
        let mut all = [(None, true); ALLOCATABLE];
        let mut k = 0;
        while k < ALLOCATABLE {
            all[k].0 = Some(HOMES[k].0);
            k += 1;
        }
        Arrangement(all)
    };

    /// At the start of a loop.
    pub fn of_loop(uses: &Uses) -> Arrangement {
        let mut wanted = uses.wanted();
        wanted.truncate(ALLOCATABLE);
        let mut all = HOMES.map(|(x, _)| (wanted.contains(&x).then_some(x), true));
        let mut others = wanted.into_iter().filter(|x| !has_home(*x));
        for slot in all.iter_mut().filter(|s| s.0.is_none()) {
            let x = others.next();
            *slot = (x, x.is_some_and(|x| uses.writes(x)));
        }
        Arrangement(all)
    }

    fn has(&self, x: u8) -> bool {
        self.0.iter().any(|(g, _)| *g == Some(x))
    }
}

impl Regs<'_> {
    /// Moves the guest registers to their homes. Keeps flags.
    pub fn restore_homes(&mut self, a: &mut Asm) {
        self.arrange(a, &Arrangement::HOME);
    }

    /// Moves the guest registers to this arrangement. Keeps flags.
    pub fn arrange(&mut self, a: &mut Asm, to: &Arrangement) {
        for k in 0..ALLOCATABLE {
            self.sign_extend(a, k);
            if self.slots[k].holds.is_some_and(|x| !to.has(x)) {
                self.write_back(a, k);
                self.slots[k] = Slot::default();
            }
        }
        self.permute(a, to);
        for (k, (x, dirty)) in to.0.into_iter().enumerate() {
            if let (Some(x), None) = (x, self.slots[k].holds) {
                a.mov(HOMES[k].1, Rm::M(x_slot(x)));
                self.slots[k].holds = Some(x);
            }
            if dirty {
                self.slots[k].dirty = true;
            } else {
                self.write_back(a, k);
            }
        }
        self.words = 1;
    }

    /// Moves registers to their places in the arrangement. A cycle is broken by spilling one register.
    fn permute(&mut self, a: &mut Asm, to: &Arrangement) {
        loop {
            let place = |k: usize| to.0.iter().position(|(x, _)| *x == self.slots[k].holds);
            let displaced = |k: &usize| self.slots[*k].holds.is_some() && place(*k) != Some(*k);
            let all: Vec<usize> = (0..ALLOCATABLE).filter(displaced).collect();
            let Some(first) = all.first() else { return };
            let free = |k: &&usize| place(**k).is_some_and(|to| self.slots[to].holds.is_none());
            match all.iter().find(free).and_then(|k| Some((*k, place(*k)?))) {
                Some((k, to)) => {
                    a.mov(HOMES[to].1, Rm::R(HOMES[k].1));
                    self.slots[to] = std::mem::take(&mut self.slots[k]);
                }
                None => {
                    self.write_back(a, *first);
                    self.slots[*first] = Slot::default();
                }
            }
        }
    }
}
