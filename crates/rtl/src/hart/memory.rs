//! Memory as an array, on the core's two ports. It answers in the next cycle, or later if it stalls.

use super::ports::{Inputs, Outputs};
use crate::model::Wide;
use capvec_sim::testing::Rng;
use std::collections::VecDeque;

/// First address of the memory.
pub const RAM: u64 = 0x8000_0000;

/// An access to a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Its address.
    pub at: u64,
    /// The byte, if it is stored.
    pub stored: Option<u8>,
}

/// The memory and its ports.
pub struct Bus {
    /// Contents, starting at `RAM`.
    pub bytes: Vec<u8>,
    line: usize,
    stalls: Option<Rng>,
    imem: VecDeque<u64>,
    dmem: VecDeque<Wide>,
    /// Accesses that have not been compared.
    pub accesses: Vec<Access>,
}

impl Bus {
    /// Memory filled with zeros, with a data port of `line` bytes; if `stalls` gives random numbers, it stalls at random.
    pub fn new(len: u64, line: usize, stalls: Option<Rng>) -> Bus {
        let bytes = vec![0; len as usize];
        let (imem, dmem) = (VecDeque::new(), VecDeque::new());
        Bus { bytes, line, stalls, imem, dmem, accesses: Vec::new() }
    }

    /// Reads the bytes at an address; those outside of memory are zero.
    fn read(&self, at: u64, to: &mut [u8]) {
        for (at, byte) in (at..).zip(to) {
            *byte = self.bytes.get(at.wrapping_sub(RAM) as usize).copied().unwrap_or(0);
        }
    }

    fn go(&mut self) -> bool {
        self.stalls.as_mut().is_none_or(|r| !r.one_in(3))
    }

    /// The ports' signals in this cycle.
    pub(super) fn inputs(&mut self) -> Inputs {
        let mut inputs =
            Inputs { imem_gnt: self.go().into(), dmem_gnt: self.go().into(), ..Inputs::default() };
        if self.go()
            && let Some(word) = self.imem.pop_front()
        {
            (inputs.imem_rvalid, inputs.imem_rdata) = (1, word);
        }
        if self.go()
            && let Some(line) = self.dmem.pop_front()
        {
            (inputs.dmem_rvalid, inputs.dmem_rdata) = (1, line);
        }
        inputs
    }

    /// Carries out the core's requests of this cycle.
    pub(super) fn serve(&mut self, inputs: &Inputs, out: &Outputs) {
        if inputs.imem_gnt & out.imem_req != 0 {
            let mut word = [0; 8];
            self.read(out.imem_addr, &mut word);
            self.imem.push_back(u64::from_le_bytes(word));
        }
        if inputs.dmem_gnt & out.dmem_req != 0 {
            let bytes = (0..self.line).filter(|k| out.dmem_strb >> k & 1 != 0);
            let mut line = Wide::default();
            if out.dmem_we != 0 {
                for k in bytes {
                    let at = out.dmem_addr + k as u64;
                    self.accesses.push(Access { at, stored: Some(out.dmem_wdata[k]) });
                    if let Some(byte) = self.bytes.get_mut(at.wrapping_sub(RAM) as usize) {
                        *byte = out.dmem_wdata[k];
                    }
                }
            } else {
                self.read(out.dmem_addr, &mut line[..self.line]);
                let at = bytes.map(|k| out.dmem_addr + k as u64);
                self.accesses.extend(at.map(|at| Access { at, stored: None }));
            }
            self.dmem.push_back(line);
        }
    }
}
