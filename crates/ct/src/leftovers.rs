//! Secrets that a function has left behind when it returns: in registers that it need not preserve, on the stack below its
//! frame, and in memory that has been freed.

use crate::checker::State;
use crate::findings::{Finding, Kind};
use crate::origin::{GRANULE, Id};
use capvec_sim::Hart;
use std::collections::BTreeMap;

/// Caller-saved x and f registers without a0 and fa0, which hold results (RISC-V calling convention): t0 to t6 and a1 to a7;
/// ft0 to ft11 and fa1 to fa7. A call may change all vector registers.
const X: [(u8, &str); 14] = [
    (5, "t0"),
    (6, "t1"),
    (7, "t2"),
    (11, "a1"),
    (12, "a2"),
    (13, "a3"),
    (14, "a4"),
    (15, "a5"),
    (16, "a6"),
    (17, "a7"),
    (28, "t3"),
    (29, "t4"),
    (30, "t5"),
    (31, "t6"),
];
const F: [u8; 19] = [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31];
/// Bytes of the stack that are looked at: more than any function of a cryptographic library uses.
const STACK: u64 = 1 << 20;
/// Memory is looked at in pieces of this size first.
const PIECE: u64 = 4096;
const SP: u8 = 2;

impl State {
    /// Reports what `function` has left behind; it has just returned.
    pub fn leftovers(&mut self, h: &Hart, function: &str) {
        let mut registers: BTreeMap<Id, Vec<String>> = BTreeMap::new();
        let mut freed: BTreeMap<Id, u64> = BTreeMap::new();
        let [x, f, v] = self.origins.registers;
        for (r, name) in X.iter().filter(|(r, _)| self.shadow.x(*r) != 0) {
            registers.entry(x[*r as usize]).or_default().push((*name).into());
        }
        for r in F.iter().filter(|r| self.shadow.f(**r) != 0) {
            registers.entry(f[*r as usize]).or_default().push(format!("f{r}"));
        }
        let vlenb = h.v.vlenb();
        let secret = |r: &u8| self.shadow.v(*r).iter().take(vlenb).any(|b| *b != 0);
        for r in (0..32).filter(secret) {
            registers.entry(v[r as usize]).or_default().push(format!("v{r}"));
        }
        let sp = h.config.address(h.x(SP));
        let stack = self.secrets(sp.saturating_sub(STACK), sp);
        for (at, size) in self.functions.heap.freed(self.space) {
            for (from, bytes) in self.secrets(at, at.saturating_add(size)) {
                *freed.entry(from).or_default() += bytes;
            }
        }
        let registers = registers.into_iter().map(|(from, all)| (from, all.join(", ")));
        let stack = stack.into_iter().map(|(from, n)| (from, format!("{n} bytes of the stack")));
        let freed = freed.into_iter().map(|(from, n)| (from, format!("{n} bytes of freed memory")));
        let all: Vec<(Id, String)> = registers.chain(stack).chain(freed).collect();
        for (from, place) in all {
            self.left(h, from, format!("{place} after {function}"));
        }
    }

    /// Bytes with secrets in the range, by the instruction that wrote them.
    fn secrets(&self, start: u64, end: u64) -> BTreeMap<Id, u64> {
        let mut all = BTreeMap::new();
        let mut piece = start;
        while piece < end {
            let next = ((piece / PIECE + 1) * PIECE).min(end);
            if self.shadow.memory(piece, next - piece) {
                let mut at = piece;
                while at < next {
                    let after = ((at / GRANULE + 1) * GRANULE).min(next);
                    let mut masks = [0; GRANULE as usize];
                    let masks = &mut masks[..(after - at) as usize];
                    self.shadow.read_memory(at, masks);
                    let bytes = masks.iter().filter(|m| **m != 0).count() as u64;
                    if bytes != 0 {
                        *all.entry(self.sites.at(self.space, at)).or_default() += bytes;
                    }
                    at = after;
                }
            }
            piece = next;
        }
        all
    }

    /// Reports what the instruction of this origin has left behind.
    fn left(&mut self, h: &Hart, from: Id, place: String) {
        let (secret, chain) = self.sites.chain(from);
        let mut steps = chain.into_iter().map(|pc| self.step(h, pc));
        // Without an instruction, the secret is still where it was marked.
        let at = steps.next().unwrap_or_else(|| self.step(h, h.pc));
        let chain = steps.collect();
        let same = |f: &&mut Finding| {
            f.kind == Kind::Leftover && f.at == at && f.left_in.as_ref() == Some(&place)
        };
        if let Some(known) = self.findings.iter_mut().find(same) {
            known.count += 1;
            return;
        }
        let path = self.recorder.borrow().path();
        let kind = Kind::Leftover;
        self.findings.push(Finding {
            kind,
            at,
            count: 1,
            path,
            secret,
            chain,
            left_in: Some(place),
        });
    }
}
