//! What `rtl/zkr` must do, written down once more: Cryptography Extensions Volume I, "Entropy Source", and the tests
//! that SP 800-90B requires of such a source.

use super::Inputs;

/// A self-test runs.
pub const BIST: u32 = 0;
/// There is no entropy yet.
pub const WAIT: u32 = 1;
/// 16 bits of entropy are there.
pub const ES16: u32 = 2;
/// It has failed for good.
pub const DEAD: u32 = 3;
/// Raw bits of the start-up test, and of a window of the adaptive proportion test.
pub const WINDOW: u32 = 1024;
/// Raw bits to a word.
pub const RAW: u32 = 128;

/// The status and what leads to the next one.
pub struct Rules {
    state: u32,
    word: u32,
    /// The last raw bit, and how many equal it without a break.
    last: bool,
    run: u32,
    /// Raw bits of the current window, the first one, and how many equal it.
    window: u32,
    first: bool,
    same: u32,
    collected: u32,
    crc: u32,
    /// Repetitions, and equal bits in a window, that raise an alarm.
    cutoffs: (u32, u32),
}

impl Rules {
    /// After reset, with these cutoffs: repetitions, and equal bits in a window.
    pub fn new(cutoffs: (u32, u32)) -> Rules {
        Rules {
            state: BIST,
            word: 0,
            last: false,
            run: 0,
            window: 0,
            first: false,
            same: 0,
            collected: 0,
            crc: 0,
            cutoffs,
        }
    }

    /// The CSR.
    pub fn seed(&self) -> u32 {
        self.state << 30 | self.word
    }

    /// Tests a raw bit. Returns whether it raises an alarm.
    fn test(&mut self, bit: bool) -> bool {
        self.run = if self.run > 0 && bit == self.last { self.run + 1 } else { 1 };
        self.last = bit;
        if self.window == WINDOW {
            self.window = 0;
        }
        if self.window == 0 {
            (self.first, self.same) = (bit, 0);
        }
        self.window += 1;
        self.same += u32::from(bit == self.first);
        self.run >= self.cutoffs.0 || self.same >= self.cutoffs.1
    }

    /// A cycle.
    pub fn clock(&mut self, i: &Inputs) {
        let legal = i.write != 0 && (i.machine | i.allowed) != 0;
        let takes = i.access != 0 && legal;
        let raw = (i.raw_valid != 0 && self.state != DEAD).then_some(i.raw != 0);
        let failed = raw.is_some_and(|bit| self.test(bit));
        let mut next = match self.state {
            BIST if raw.is_some() && self.window == WINDOW => WAIT,
            ES16 if takes => WAIT,
            same => same,
        };
        if self.state == WAIT
            && let Some(bit) = raw
        {
            let feedback = self.crc >> 31 ^ u32::from(bit);
            self.crc = self.crc << 1 ^ if feedback != 0 { 0x04c1_1db7 } else { 0 };
            self.collected += 1;
            if self.collected == RAW {
                (self.word, self.collected, next) = (self.crc >> 16, 0, ES16);
                self.crc &= 0xffff;
            }
        }
        if i.alarm != 0 || failed {
            next = if self.state == BIST { DEAD } else { BIST };
            (self.run, self.window) = (0, 0);
        }
        if i.fatal != 0 || self.state == DEAD {
            next = DEAD;
        }
        if next != ES16 {
            self.word = 0;
        }
        if next == BIST || next == DEAD {
            (self.collected, self.crc) = (0, 0);
        }
        self.state = next;
    }
}
