//! Runs an engine block by block, and notices when the guest reads its own counter of retired instructions.

use capvec_sim::engine::Histogram;
use capvec_sim::{Engine, Hart, Stop};

/// A block that was executed: its address, and its cycles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub pc: u64,
    pub cycles: u64,
}

/// Watches a run. `space` is the address space of the process.
pub trait Watcher {
    /// The counter has been read.
    fn counter_read(&mut self, space: u64, engine: &dyn Engine);

    /// A block that does not read the counter was executed.
    fn executed(&mut self, space: u64, block: Block) {
        let _ = (space, block);
    }
}

/// An engine that runs another block by block.
pub struct Stepping<W> {
    inner: Box<dyn Engine>,
    watcher: W,
}

impl<W: Watcher> Stepping<W> {
    pub fn new(inner: Box<dyn Engine>, watcher: W) -> Stepping<W> {
        Stepping { inner, watcher }
    }
}

/// Whether the next instruction reads the counter: `csrrs rd, instret, x0`, which is always a block of its own.
fn reads_counter(h: &Hart) -> bool {
    const RDINSTRET: u32 = 0xc02 << 20 | 0b010 << 12 | 0b111_0011;
    const RD: u32 = 31 << 7;
    let low = h.mem.fetch(h.pc);
    if low.is_none_or(|l| u32::from(l) & 0x7f != RDINSTRET & 0x7f) {
        return false;
    }
    let high = h.mem.fetch(h.pc.wrapping_add(2));
    let word = low.zip(high).map(|(low, high)| u32::from(low) | u32::from(high) << 16);
    word.is_some_and(|w| w & !RD == RDINSTRET)
}

impl<W: Watcher> Engine for Stepping<W> {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let until = h.instret.saturating_add(budget);
        loop {
            let (reads, space, pc, cycles) = (reads_counter(h), h.mem.id(), h.pc, h.cycles);
            let stop = self.inner.run(h, 1);
            match reads && matches!(stop, Stop::Budget) {
                true => self.watcher.counter_read(space, &*self.inner),
                false => {
                    let cycles = h.cycles.wrapping_sub(cycles);
                    self.watcher.executed(space, Block { pc, cycles });
                }
            }
            if !matches!(stop, Stop::Budget) || h.instret >= until {
                return stop;
            }
        }
    }

    fn forget(&mut self, space: u64) {
        self.inner.forget(space);
    }

    fn switch(&mut self) {
        self.inner.switch();
    }

    fn change_space(&mut self) {
        self.inner.change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        self.inner.histogram()
    }
}
