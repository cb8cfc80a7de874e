//! Code that is secret itself.

use crate::checker::State;
use crate::findings::Kind;
use capvec_sim::Hart;
use capvec_sim::mem::{PAGE, Perm};

/// Bytes of the shortest instruction, and its alignment.
pub const SHORTEST: u64 = 2;

impl State {
    /// Whether code in these bytes is secret.
    pub fn is_secret_code(&self, start: u64, end: u64) -> bool {
        self.shadow.memory(start, end.wrapping_sub(start))
    }

    /// The instruction in these bytes is about to be executed.
    pub fn fetch(&mut self, h: &Hart, start: u64, end: u64, flush: &mut dyn FnMut()) {
        let secret = |at: &u64| self.shadow.memory(*at, 1);
        if let Some(at) = (start..end).find(secret) {
            flush();
            self.found(h, start, Kind::Code, self.sites.at(self.space, at));
        }
    }

    /// Addresses at which an instruction with secret bytes may begin.
    pub fn secret_code(&self, h: &Hart) -> impl Iterator<Item = u64> {
        let executable = |page: &&u64| h.mem.perm(**page).is_some_and(|p| p.allows(Perm::X));
        let pages = self.shadow.pages().iter().filter(executable);
        let masks = pages.filter_map(|page| {
            self.shadow.masks(self.space, *page, PAGE).map(|masks| (*page..).zip(masks))
        });
        let secret =
            masks.flatten().filter(|(_, mask)| *mask != 0).map(|(at, _)| at & !(SHORTEST - 1));
        // An instruction may begin before its secret bytes.
        secret.flat_map(|at| [at.saturating_sub(SHORTEST), at])
    }
}
