//! Files that processes have mapped as shared memory: the taint of their bytes is kept with that memory.

use crate::checker::State;
use crate::held::Byte;
use capvec_sim::calls::StoredByte;

/// A file, as `StoredByte` names it.
type File = (u64, u64);

impl State {
    /// Bytes have been written there.
    pub fn put(&mut self, to: StoredByte, bytes: &[Byte]) {
        let Some(memory) = self.mapped.get(&to.object).copied() else {
            return self.held.put(to, bytes);
        };
        let masks: Vec<u8> = bytes.iter().map(|b| b.0).collect();
        self.failed |= self.shadow.shared().write(memory, to.position, &masks).is_err();
        for (at, (_, origin)) in (to.position..).zip(bytes).filter(|(_, b)| b.0 != 0) {
            self.sites.write_shared(memory, at, *origin);
        }
    }

    /// The bytes there, if any is tainted.
    pub fn get(&mut self, from: StoredByte, len: u64) -> Option<Vec<Byte>> {
        let Some(memory) = self.mapped.get(&from.object).copied() else {
            return self.held.get(from, len);
        };
        let mut masks = vec![0; len as usize];
        self.shadow.shared().read(memory, from.position, &mut masks);
        let origin =
            |(at, mask)| (mask, if mask == 0 { 0 } else { self.sites.at_shared(memory, at) });
        let bytes: Vec<Byte> = (from.position..).zip(masks).map(origin).collect();
        bytes.iter().any(|b| b.0 != 0).then_some(bytes)
    }

    /// The file is now mapped as this memory.
    pub fn shares(&mut self, file: File, memory: u64) {
        if self.mapped.get(&file) == Some(&memory) {
            return;
        }
        if let Some(former) = self.mapped.get(&file).copied() {
            self.unshared(former);
        }
        let held = self.held.take(file);
        self.mapped.insert(file, memory);
        for (position, bytes) in held {
            self.put(StoredByte { object: file, position }, &bytes);
        }
    }

    /// The memory no longer exists; its file still does.
    pub fn unshared(&mut self, memory: u64) {
        let tainted = self.shadow.shared().take(memory);
        let file = self.mapped.iter().find(|(_, m)| **m == memory).map(|(file, _)| *file);
        if let Some(object) = file {
            self.mapped.remove(&object);
            for (position, masks) in tainted {
                let origin = |(at, mask)| (mask, self.sites.at_shared(memory, at));
                let bytes: Vec<Byte> = (position..).zip(masks).map(origin).collect();
                self.held.put(StoredByte { object, position }, &bytes);
            }
        }
        self.sites.forget_shared(memory);
    }

    /// The bytes from there on are gone.
    pub fn cut(&mut self, from: StoredByte) {
        match self.mapped.get(&from.object).copied() {
            None => self.held.cut(from),
            Some(memory) => {
                self.failed |= self.shadow.shared().cut(memory, from.position).is_err();
            }
        }
    }
}
