//! Secrets on their way through the system: through what it holds, and through the frames of signal handlers.

use crate::checker::State;
use crate::findings::Kind;
use crate::held::{Arrival, Byte};
use crate::origin::Id;
use capvec_sim::Hart;
use capvec_sim::calls::{Frame, StoredByte};
use capvec_sim::csr::number::{FCSR, VCSR};

/// Bytes that are looked at together.
const CHUNK: u64 = 1 << 16;

impl State {
    /// What the system has written to this space and is secret.
    pub fn arrivals(&mut self) {
        let space = self.space;
        let (now, later) =
            std::mem::take(&mut self.arriving).into_iter().partition(|a| a.space == space);
        self.arriving = later;
        for Arrival { addr, bytes, .. } in now {
            let masks: Vec<u8> = bytes.iter().map(|b| b.0).collect();
            self.shadow.set_memory(addr, &masks);
            for (at, (_, origin)) in (addr..).zip(bytes).filter(|(_, b)| b.0 != 0) {
                self.sites.write(space, at, 1, origin);
            }
        }
    }

    /// The taint of memory, if any byte is tainted.
    pub fn bytes(&self, space: u64, addr: u64, len: u64) -> Option<Vec<Byte>> {
        let masks = self.shadow.masks(space, addr, len)?;
        let origin = |(at, mask)| (mask, if mask == 0 { 0 } else { self.sites.at(space, at) });
        Some((addr..).zip(masks).map(origin).collect())
    }

    /// Memory has been copied to something that holds it.
    pub fn sent(&mut self, to: StoredByte, space: u64, addr: u64, bytes: u64) {
        for at in (0..bytes).step_by(CHUNK as usize) {
            let len = CHUNK.min(bytes - at);
            let clean = || vec![(0, 0); len as usize];
            let chunk = self.bytes(space, addr + at, len).unwrap_or_else(clean);
            self.put(StoredByte { position: to.position + at, ..to }, &chunk);
        }
    }

    /// What is held has been copied to something else.
    pub fn copied(&mut self, from: StoredByte, to: StoredByte, bytes: u64) {
        for at in (0..bytes).step_by(CHUNK as usize) {
            let len = CHUNK.min(bytes - at);
            let place = |held: StoredByte| StoredByte { position: held.position + at, ..held };
            let clean = || vec![(0, 0); len as usize];
            let chunk = self.get(place(from), len).unwrap_or_else(clean);
            self.put(place(to), &chunk);
        }
    }

    /// Bytes of a secret file have been copied there.
    pub fn copied_secret(&mut self, to: StoredByte, bytes: u64, text: &str) {
        let id = self.secret(text);
        for at in (0..bytes).step_by(CHUNK as usize) {
            let place = StoredByte { position: to.position + at, ..to };
            self.put(place, &vec![(u8::MAX, id); CHUNK.min(bytes - at) as usize]);
        }
    }

    /// What is held has been copied to memory.
    pub fn received(&mut self, from: StoredByte, space: u64, addr: u64, bytes: u64) {
        for at in (0..bytes).step_by(CHUNK as usize) {
            let place = StoredByte { position: from.position + at, ..from };
            if let Some(bytes) = self.get(place, CHUNK.min(bytes - at)) {
                self.arriving.push(Arrival { space, addr: addr + at, bytes });
            }
        }
    }

    /// The registers of a thread have been written to a frame.
    pub fn framed(&mut self, tid: i32, h: &Hart, frame: &Frame) {
        let (base, space) = (h.x(2), h.mem.id());
        self.frame = Some(*frame);
        let thread = self.threads.entry(tid).or_default();
        let (registers, [x, f, v]) = (&thread.registers, &thread.origins.registers);
        let mut written: Vec<(u64, Vec<u8>, Id)> = Vec::new();
        for r in 0..32u8 {
            let (k, at) = (r as usize, 8 * u64::from(r));
            written.push((frame.x + at, registers.x(r).to_le_bytes().to_vec(), x[k]));
            written.push((frame.f + at, registers.f(r).to_le_bytes().to_vec(), f[k]));
            if let Some(address) = frame.v {
                let masks = registers.v(r).to_vec();
                let data = address + 8 + masks.len() as u64 * u64::from(r);
                written.push((data, masks, v[k]));
            }
        }
        let csrs = registers.csrs();
        for (at, csr) in [Some(frame.fcsr), frame.vcsr].into_iter().zip(csrs) {
            written.extend(at.map(|at| (at, csr.to_le_bytes()[..4].to_vec(), 0)));
        }
        // ra, the stack pointer and the handler's arguments.
        thread.registers.clean_x(&[1, 2, 10, 11, 12]);
        for (at, masks, origin) in written.into_iter().filter(|w| w.1.iter().any(|m| *m != 0)) {
            let bytes = masks.into_iter().map(|mask| (mask, origin)).collect();
            self.arriving.push(Arrival { space, addr: base + at, bytes });
        }
    }

    /// A signal handler returns: registers have what the frame has.
    pub fn unframed(&mut self, h: &Hart, flush: &mut dyn FnMut()) {
        let Some(frame) = self.frame else { return };
        let (base, space) = (h.x(2), self.space);
        let word = |state: &State, at: u64| {
            let mut masks = [0; 8];
            state.shadow.read_memory(at, &mut masks);
            (u64::from_le_bytes(masks), state.sites.at(space, at))
        };
        for r in 0..32u8 {
            let at = 8 * u64::from(r);
            let (x, f) = (word(self, base + frame.x + at), word(self, base + frame.f + at));
            if r != 0 {
                self.shadow.set_x(r, x.0);
            }
            self.shadow.set_f(r, f.0);
            self.origins.registers[0][r as usize] = x.1;
            self.origins.registers[1][r as usize] = f.1;
        }
        let fcsr = word(self, base + frame.fcsr);
        self.shadow.set_csr(FCSR, fcsr.0 & 0xff);
        self.rounding(h, fcsr.0 & 0xe0, fcsr.1, flush);
        let Some((vcsr, v)) = frame.vcsr.zip(frame.v) else { return };
        let vcsr = word(self, base + vcsr);
        self.shadow.set_csr(VCSR, vcsr.0 & 7);
        self.rounding(h, vcsr.0 & 6, vcsr.1, flush);
        let data = h.mem.load(base + v).unwrap_or(0);
        let mut masks = vec![0; self.shadow.v(0).len()];
        self.shadow.read_memory(data, &mut masks);
        self.shadow.change_v(|v| v.copy_from_slice(&masks));
        let len = masks.len() as u64 / 32;
        for (r, origin) in (0..).zip(&mut self.origins.registers[2]) {
            *origin = self.sites.at(space, data + r * len);
        }
    }

    /// A rounding mode comes from a frame; these bits of it are secret.
    fn rounding(&mut self, h: &Hart, secret: u64, from: Id, flush: &mut dyn FnMut()) {
        if secret != 0 {
            flush();
            self.found(h, h.pc, Kind::ControlRegister, from);
        }
    }
}
