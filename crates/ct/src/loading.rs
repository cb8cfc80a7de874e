//! Variables that flags name. The dynamic linker maps a library's parts one after the other and clears some of them, so
//! variables become secret only when control leaves the linker.

use crate::checker::State;
use crate::marks::readable;
use crate::pending::{Loading, Pending};
use capvec_sim::Hart;
use capvec_sim::calls::Area;

impl State {
    /// Marks a secret, or has it wait if the dynamic linker, which is about to run, may still load what it is in.
    pub fn begin_secret(&mut self, h: &Hart, secret: Pending) {
        let mut code = self.areas.get(&self.space).into_iter().flatten();
        let running = code.find(|area| area.addresses.contains(&h.pc));
        let is_other = |area: &&Area| match (&area.file, &secret.file) {
            (Some((running, _)), Some(own)) => running != own,
            _ => false,
        };
        match running.filter(is_other) {
            None => self.mark_readable(h, &secret),
            Some(linker) => {
                let linker = linker.addresses.clone();
                self.loading.push(Loading { tid: self.tid, linker, variable: secret });
            }
        }
    }

    /// Control arrives at `pc`.
    pub fn leave_linker(&mut self, h: &Hart, pc: u64) {
        let (space, tid) = (self.space, self.tid);
        let waits =
            |l: &Loading| l.variable.space != space || l.tid != tid || l.linker.contains(&pc);
        if self.loading.iter().all(waits) {
            return;
        }
        let (waiting, loaded) = std::mem::take(&mut self.loading).into_iter().partition(waits);
        self.loading = waiting;
        for Loading { variable, .. } in loaded {
            self.mark_readable(h, &variable);
        }
    }

    fn mark_readable(&mut self, h: &Hart, secret: &Pending) {
        let bytes = readable(h, secret.addr, secret.bytes);
        self.mark(secret.addr, bytes, &secret.text);
    }
}
