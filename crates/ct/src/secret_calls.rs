//! System calls that act on secrets.

use crate::checker::State;
use crate::findings::Kind;
use crate::pending::Called;
use capvec_sim::Hart;
use capvec_sim::calls::Used;

/// Registers with the arguments of a system call, and the one with its number.
const ARGUMENTS: [u8; 6] = [10, 11, 12, 13, 14, 15];
const NUMBER: u8 = 17;

impl State {
    /// A system call begins.
    pub fn calls(&mut self, h: &Hart, flush: &mut dyn FnMut()) {
        let of = |r: u8| (self.shadow.x(r), self.origins.registers[0][r as usize]);
        let number = of(NUMBER);
        self.called = Some(Called { pc: h.pc, arguments: ARGUMENTS.map(of) });
        if number.0 != 0 {
            flush();
            self.found(h, h.pc, Kind::SystemCall, number.1);
            self.called = None;
        }
    }

    /// The system call acts on these arguments and this memory. Of a call, one secret is reported.
    pub fn acted(&mut self, h: &Hart, on: &Used) {
        let Some(Called { pc, arguments }) = &self.called else { return };
        let (pc, mut all) = (*pc, arguments.iter().zip(on.arguments));
        let argument = all.find(|((taint, _), used)| taint & used != 0).map(|((_, from), _)| *from);
        let from = argument.or_else(|| {
            on.memory.iter().find_map(|(addr, len)| {
                let bytes = self.bytes(self.space, *addr, *len)?;
                bytes.into_iter().find(|(mask, _)| *mask != 0).map(|(_, from)| from)
            })
        });
        if let Some(from) = from {
            self.called = None;
            self.found(h, pc, Kind::SystemCall, from);
        }
    }
}
