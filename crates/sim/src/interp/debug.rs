//! Blocks that are executed one instruction at a time, for a debugger.

use super::{Blocks, Interpreter, NOT_SEQUENTIAL, table};
use crate::debug::{Debug, Ended, execute_one, execute_plain};
use crate::engine::Stop;
use crate::hart::Hart;
use crate::timing::Timing;

impl<T: Timing> Interpreter<T> {
    /// Runs the next block if it has to be executed one instruction at a time; returns whether it was.
    #[cold]
    pub(super) fn debugged(&mut self, blocks: &mut Blocks, h: &mut Hart) -> Result<bool, Stop> {
        let Some(mut debug) = self.debug.take() else { return Ok(false) };
        let result = self.in_pieces(&mut debug, blocks, h);
        self.debug = Some(debug);
        result
    }

    fn in_pieces(
        &mut self,
        debug: &mut Debug,
        blocks: &mut Blocks,
        h: &mut Hart,
    ) -> Result<bool, Stop> {
        let (index, from) = match self.resumed(debug, blocks, h) {
            Some(suspended) => suspended,
            None => {
                let index = self.find(blocks, h)? as usize;
                let b = &blocks.all[index];
                if !debug.enter(h, b).map_err(Stop::Paused)? {
                    return Ok(false);
                }
                let sequential = b.start == self.last_end;
                self.last_end = NOT_SEQUENTIAL;
                h.cycles += self.timing.enter(b.start, b.end, &b.plan, sequential);
                (index, 0)
            }
        };
        let b = &mut blocks.all[index];
        let table = table(h.config.xlen, true);
        let ended = debug.execute(h, b, from, T::ACTIVE, |h, k| match T::ACTIVE {
            true => execute_one(&mut self.timing, h, b, k),
            false => execute_plain(table, h, b, k),
        });
        match ended {
            Ended::Finished(pause) => {
                let n = b.insns.len() as u64;
                h.instret += n;
                h.cycles += if T::ACTIVE { b.cycles() } else { n };
                self.last_end = if h.pc == b.end { b.end } else { NOT_SEQUENTIAL };
                b.entered += 1;
                self.calls.iter_mut().for_each(|calls| calls.after(b, h));
                pause.map_or(Ok(true), |pause| Err(Stop::Paused(pause)))
            }
            Ended::Suspended(pause) => Err(Stop::Paused(pause)),
            Ended::Trap(k) => {
                let b = &blocks.all[index];
                Err(self.raised(h, b, k))
            }
        }
    }

    /// The suspended block that resumes at the hart's pc, and the index of its next instruction.
    fn resumed(
        &mut self,
        debug: &mut Debug,
        blocks: &mut Blocks,
        h: &mut Hart,
    ) -> Option<(usize, usize)> {
        let start = debug.suspended(h)?;
        let pc = std::mem::replace(&mut h.pc, start);
        let found = self.find(blocks, h);
        h.pc = pc;
        let index = found.ok()? as usize;
        Some((index, debug.resume(h, &blocks.all[index], T::ACTIVE)?))
    }
}
