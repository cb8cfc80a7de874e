//! Where the parts of an address space lie.

use crate::base::random::Xoshiro256;
use capvec_sim::mem::{PAGE, SPACE};

/// Where position-independent programs go: two thirds of the space, as Linux without randomisation.
pub const PIE_BASE: u64 = 0x2a_aaaa_a000;
/// The page with the signal return code.
pub const TRAMPOLINE: u64 = SPACE - PAGE;
/// End of the stack.
pub const STACK_TOP: u64 = TRAMPOLINE;
/// Where `mmap` begins to look, downwards: below the stack and Linux's gap of 128 MiB.
pub const MMAP_TOP: u64 = STACK_TOP - (128 << 20);

/// The alignment of the stack in the psABI, and of the blocks that allocators return.
const ALIGNMENT: u64 = 16;
/// Possible positions of programs, and of libraries: Linux has 2^18 on riscv64 (`ARCH_MMAP_RND_BITS_MIN`, `arch/riscv/Kconfig`).
const PAGES: u64 = 1 << 18;
/// Greatest distance of the heap from the program's end, in bytes: Linux's on riscv64 (`arch_randomize_brk`, `mm/util.c`).
const HEAP: u64 = 1 << 30;
/// Greatest distance that the stack moves, in bytes: more than one way of any modelled cache.
const STACK: u64 = 256 << 10;

/// How far each part lies from where it is without randomisation; with [`Layout::default`], it lies there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    program: u64,
    heap: u64,
    libraries: u64,
    stack: u64,
}

impl Layout {
    /// A random layout, which follows from `seed`. Programs and libraries move by whole pages, as on Linux. The stack moves by
    /// multiples of 16 bytes, as there. So does the heap, although Linux moves it by whole pages: where in its page a buffer
    /// lies depends on the program's earlier allocations anyway.
    pub fn random(seed: u64) -> Layout {
        let mut rng = Xoshiro256::from_seed(seed);
        let mut below = |n: u64| rng.next_u64() % n;
        Layout {
            program: below(PAGES) * PAGE,
            heap: below(HEAP / ALIGNMENT) * ALIGNMENT,
            libraries: below(PAGES) * PAGE,
            stack: below(STACK / ALIGNMENT) * ALIGNMENT,
        }
    }

    /// Where a position-independent program begins.
    pub fn program(&self) -> u64 {
        PIE_BASE + self.program
    }

    /// Where the heap begins if the program ends here.
    pub fn heap(&self, end: u64) -> u64 {
        end + self.heap
    }

    /// Where `mmap` begins to look, downwards.
    pub fn libraries(&self) -> u64 {
        MMAP_TOP - self.libraries
    }

    /// Bytes between the strings of the arguments and the rest of the initial stack.
    pub fn stack_gap(&self) -> u64 {
        self.stack
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn layouts_repeat_and_reach_every_set_of_a_cache() {
        assert_eq!(Layout::random(7), Layout::random(7));
        let plain = Layout::default();
        assert_eq!((plain.program(), plain.libraries()), (PIE_BASE, MMAP_TOP));
        assert_eq!((plain.heap(PAGE), plain.stack_gap()), (PAGE, 0));
        // A direct-mapped cache of 8 KiB with lines of 64 bytes has 128 sets.
        let sets = |of: fn(&Layout) -> u64| {
            let all = (0..4000).map(|seed| of(&Layout::random(seed)));
            all.map(|at| at / 64 % 128).collect::<BTreeSet<u64>>().len()
        };
        assert_eq!((sets(|l| l.heap(0)), sets(Layout::stack_gap)), (128, 128));
        // Whole pages: two places in such a cache.
        assert_eq!((sets(Layout::program), sets(Layout::libraries)), (2, 2));
        for l in (0..4000).map(Layout::random) {
            assert_eq!(l.program() % PAGE + l.libraries() % PAGE, 0);
            assert_eq!(l.heap(0) % ALIGNMENT + l.stack_gap() % ALIGNMENT, 0);
        }
    }
}
