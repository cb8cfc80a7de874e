//! Runs that are paused for a debugger. Blocks with breakpoints are interpreted one instruction at a time, and are never part of
//! generated code; while every instruction is watched or stepped, no generated code runs.

use super::Jit;
use super::run_loop::Progress;
use crate::space::Space;
use capvec_sim::debug::{Debug, Ended, execute_plain};
use capvec_sim::interp;
use capvec_sim::mem::{PAGE, SPACE};
use capvec_sim::{Hart, Stop};
use std::ops::Range;

/// The page of an address, as a range of pages.
fn page(at: u64) -> Range<u64> {
    at / PAGE..at / PAGE + 1
}

impl Jit {
    /// Runs the next block if it has to be interpreted one instruction at a time; returns whether it was.
    #[cold]
    pub(super) fn debugged(
        &mut self,
        space: &mut Space,
        h: &mut Hart,
        p: &mut Progress,
    ) -> Result<bool, Stop> {
        let Some(mut debug) = self.debug.take() else { return Ok(false) };
        let result = self.in_pieces(&mut debug, space, h, p);
        self.debug = Some(debug);
        result
    }

    fn in_pieces(
        &mut self,
        debug: &mut Debug,
        space: &mut Space,
        h: &mut Hart,
        p: &mut Progress,
    ) -> Result<bool, Stop> {
        let (index, from) = match self.resumed(debug, space, h, p) {
            Some(suspended) => suspended,
            None => {
                let index = self.find(space, h, p)?;
                let b = &mut space.blocks[index as usize];
                if debug.marks(&b.code) {
                    b.interpret_only(true, 0);
                }
                if !debug.enter(h, &b.code).map_err(Stop::Paused)? {
                    return Ok(false);
                }
                self.timed.iter_mut().for_each(|t| t.enter_interpreted(h, &b.code));
                (index, 0)
            }
        };
        (p.edge, p.previous) = (None, Some(index));
        let b = &space.blocks[index as usize];
        let timed = self.timed.is_some();
        let ended = debug.execute(h, &b.code, from, timed, |h, k| match &mut self.timed {
            Some(t) => t.execute_one(h, &b.code, k),
            None => execute_plain(interp::table(64, true), h, &b.code, k),
        });
        match ended {
            Ended::Finished(pause) => {
                self.timed.iter_mut().for_each(|t| t.executed(h, &b.code));
                self.retired(space, index, h);
                pause.map_or(Ok(true), |pause| Err(Stop::Paused(pause)))
            }
            Ended::Suspended(pause) => Err(Stop::Paused(pause)),
            Ended::Trap(k) => Err(self.trap(h, b, k)),
        }
    }

    /// The suspended block that resumes at the hart's pc, and the index of its next instruction.
    fn resumed(
        &mut self,
        debug: &mut Debug,
        space: &mut Space,
        h: &mut Hart,
        p: &mut Progress,
    ) -> Option<(u32, usize)> {
        let start = debug.suspended(h)?;
        let pc = std::mem::replace(&mut h.pc, start);
        p.previous = None;
        let found = self.find(space, h, p);
        h.pc = pc;
        let index = found.ok()?;
        let from = debug.resume(h, &space.blocks[index as usize].code, self.timed.is_some())?;
        Some((index, from))
    }

    /// These addresses have a breakpoint from now on, or none any more: drops the translations of the blocks that contain
    /// them. The blocks stay, since they hold the version of the code that the program runs.
    pub(super) fn breakpoints_changed(&mut self, debug: &Debug, addresses: &[u64]) {
        let mut spaces = std::mem::take(&mut self.spaces);
        for space in spaces.values_mut() {
            for &at in addresses.iter().filter(|at| **at < SPACE) {
                for index in space.depending(Some(Vec::from([page(at)]))) {
                    let code = &space.blocks[index as usize].code;
                    if code.is_live() && (code.start..code.end).contains(&at) {
                        let marked = debug.marks(code);
                        self.drop_all_translations(space, index);
                        space.blocks[index as usize].interpret_only(marked, self.hot_threshold);
                    }
                }
            }
        }
        self.spaces = spaces;
    }
}
