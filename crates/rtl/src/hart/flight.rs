//! Vector instructions in flight. They retire before they write and access memory; this remembers what they must do.

use super::disassembly::disassemble_word;
use super::memory::Access;
use super::ports::Outputs;
use anyhow::{Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Instructions after which an earlier one must have written its registers: more than the core holds.
const MOST: usize = 16;

/// A vector instruction that has retired.
struct Retired {
    tag: u32,
    at: u64,
    insn: u32,
    /// The registers after it.
    after: Vec<u8>,
    /// Bytes of them that it changes and has not written yet.
    left: BTreeSet<usize>,
}

impl Retired {
    /// Compares bytes that it writes, by their number, and notes that they are written.
    fn check(&mut self, bytes: &BTreeMap<usize, u8>) -> Result<()> {
        for (&at, &byte) in bytes {
            ensure!(
                self.after[at] == byte,
                "{:#x}: {} writes {byte:#04x} into byte {at} of the vector registers, the simulator {:#04x}",
                self.at,
                disassemble_word(self.insn),
                self.after[at]
            );
            self.left.remove(&at);
        }
        Ok(())
    }
}

/// A write of a vector register.
struct Write {
    tag: u32,
    /// The bytes, by their number.
    bytes: BTreeMap<usize, u8>,
}

/// The accesses that an instruction must still make.
#[derive(Debug, Default)]
pub(super) struct Expected {
    pub(super) loaded: BTreeSet<u64>,
    /// The addresses, with the bytes that memory then holds.
    pub(super) stored: BTreeMap<u64, u8>,
}

impl Expected {
    pub(super) fn is_empty(&self) -> bool {
        self.loaded.is_empty() && self.stored.is_empty()
    }

    fn carry_out(&mut self, access: &Access) -> bool {
        match access.stored {
            Some(byte) => self.stored.remove(&access.at) == Some(byte),
            None => self.loaded.remove(&access.at),
        }
    }
}

/// What is in flight, and the vector registers as the core has written them.
pub(super) struct Flight {
    registers: Vec<u8>,
    retired: VecDeque<Retired>,
    /// Writes of an instruction that has not retired: one that is executed element by element.
    early: Vec<Write>,
    expected: VecDeque<Expected>,
}

impl Flight {
    pub(super) fn new(registers: usize) -> Flight {
        let (retired, expected) = (VecDeque::new(), VecDeque::new());
        Flight { registers: vec![0; registers], retired, early: Vec::new(), expected }
    }

    /// Takes the register writes of a cycle; `line` is the size of a word in bytes.
    pub(super) fn write(&mut self, out: &Outputs, line: usize) -> Result<()> {
        for port in (0..2).filter(|port| out.v_we >> port & 1 != 0) {
            let (tag, strb) = (out.v_tag[port], out.v_strb[port]);
            let from = out.v_addr[port] as usize * line;
            let written = (0..line).filter(|k| strb >> k & 1 != 0);
            let bytes = written.map(|k| (from + k, out.v_data[port][k])).collect();
            let write = Write { tag, bytes };
            match self.retired.iter().position(|r| r.tag == tag) {
                Some(n) => self.apply(n, write.bytes)?,
                None => self.early.push(write),
            }
        }
        Ok(())
    }

    fn apply(&mut self, n: usize, bytes: BTreeMap<usize, u8>) -> Result<()> {
        self.retired[n].check(&bytes)?;
        for (at, byte) in bytes {
            self.registers[at] = byte;
        }
        Ok(())
    }

    /// A vector instruction retires that changes the registers from `before` to `after`.
    pub(super) fn retire(&mut self, out: &Outputs, before: &[u8], after: &[u8]) -> Result<()> {
        let (tag, at, insn) = (out.tag, out.pc, out.insn);
        let left = (0..after.len()).filter(|n| before[*n] != after[*n]).collect();
        self.retired.push_back(Retired { tag, at, insn, after: after.to_vec(), left });
        if self.retired.len() > MOST
            && let Some(old) = self.retired.pop_front()
        {
            ensure!(
                old.left.is_empty(),
                "{:#x}: {} has not written {} bytes",
                old.at,
                disassemble_word(old.insn),
                old.left.len()
            );
        }
        // A byte of a mask is written once for each of its bits; only the last write counts.
        let mut bytes = BTreeMap::new();
        for write in std::mem::take(&mut self.early) {
            ensure!(write.tag == tag, "a write with tag {}, not {tag}", write.tag);
            bytes.extend(write.bytes);
        }
        self.apply(self.retired.len() - 1, bytes)
    }

    /// Adds accesses that follow.
    pub(super) fn expect(&mut self, expected: Expected) {
        self.expected.push_back(expected);
    }

    /// Carries out the expected accesses, and leaves those of an instruction that has not retired.
    pub(super) fn settle(&mut self, accesses: &mut Vec<Access>) -> Result<()> {
        let mut done = 0;
        for access in accesses.iter() {
            let Some(first) = self.expected.front_mut() else { break };
            if !first.carry_out(access) {
                bail!("the core made access {access:x?}; expected {first:x?}");
            }
            if first.is_empty() {
                self.expected.pop_front();
            }
            done += 1;
        }
        accesses.drain(..done);
        Ok(())
    }

    /// Whether everything has been done.
    pub(super) fn is_over(&self) -> bool {
        self.expected.is_empty() && self.retired.iter().all(|r| r.left.is_empty())
    }

    /// Compares the registers, if nothing is in flight.
    pub(super) fn compare(&self, registers: &[u8]) -> Result<()> {
        if !self.is_over() || self.registers == registers {
            return Ok(());
        }
        let n = (0..registers.len()).find(|n| self.registers[*n] != registers[*n]).unwrap_or(0);
        let vlenb = registers.len() / 32;
        let whole = n / vlenb * vlenb..(n / vlenb + 1) * vlenb;
        bail!(
            "v{} differs from byte {} on:\n  core      {}\n  simulator {}",
            n / vlenb,
            n % vlenb,
            hex::encode(&self.registers[whole.clone()]),
            hex::encode(&registers[whole])
        );
    }
}
