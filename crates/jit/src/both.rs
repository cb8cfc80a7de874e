//! Runs two engines in lockstep: one runs the hart, the other a copy of it. After each piece of the run both must be
//! in the same state.

use capvec_sim::engine::Histogram;
use capvec_sim::mem::Perm;
use capvec_sim::{Engine, Hart, Memory, Stop};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::os::fd::{AsFd, OwnedFd};

/// Piece lengths in instructions, used in turn: single blocks, so that the first block that differs can be named, and
/// longer runs, in which blocks follow each other without returning to the run loop.
const PIECES: [u64; 12] = [1, 1, 1, 1, 1, 1, 1, 1, 7, 60, 500, 20_000];

/// Bytes compared at a time.
const CHUNK: usize = 1 << 16;

/// The first state in which the engines differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Address at which the piece began.
    pub start: u64,
    /// Instructions retired when it began.
    pub instret: u64,
    /// What differs: its name, the reference engine's value, the other engine's value.
    pub what: Vec<(String, String, String)>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the engines differ after the block at {:#x} ({} retired before it):",
            self.start, self.instret
        )?;
        for (name, judge, other) in &self.what {
            write!(f, "\n  {name}: {judge} by the interpreter, {other} by the translator")?;
        }
        Ok(())
    }
}

/// The reference engine's copy of an address space.
struct Copy {
    mem: Memory,
    map_version: u64,
    code_version: u64,
    /// Ranges whose bytes may change: writable pages, and shared pages, which others may write.
    changing: Vec<std::ops::Range<u64>>,
}

/// Both engines. `other` runs the caller's hart, `judge` runs a copy.
pub struct Both<F> {
    judge: Box<dyn Engine>,
    other: Box<dyn Engine>,
    copies: HashMap<u64, Copy>,
    turn: usize,
    report: F,
}

impl<F: FnMut(&Difference)> Both<F> {
    /// Compares `other` with `judge`; calls `report` with each difference.
    pub fn new(judge: Box<dyn Engine>, other: Box<dyn Engine>, report: F) -> Both<F> {
        Both { judge, other, copies: HashMap::new(), turn: 0, report }
    }

    /// The up-to-date copy of the hart's memory.
    fn copy(&mut self, mem: &Memory) -> Result<Copy, capvec_sim::mem::OutOfMemory> {
        match self.copies.remove(&mem.id()) {
            Some(mut c) if c.map_version == mem.map_version() => {
                c.changing.iter().for_each(|r| update(mem, &c.mem, r));
                if c.code_version != mem.code_version() {
                    c.mem.code_changed();
                    c.code_version = mem.code_version();
                }
                Ok(c)
            }
            old => {
                if let Some(c) = old {
                    self.judge.forget(c.mem.id());
                }
                whole(mem)
            }
        }
    }

    /// Runs one piece on both engines.
    fn piece(&mut self, h: &mut Hart, judged: &mut Hart, budget: u64) -> Stop {
        let (start, instret) = (h.pc, h.instret);
        let expected = self.judge.run(judged, budget);
        let stop = self.other.run(h, budget);
        let mut what = differences(judged, h);
        if stop != expected {
            what.push(("stop".into(), format!("{expected:?}"), format!("{stop:?}")));
        }
        if !what.is_empty() {
            (self.report)(&Difference { start, instret, what });
        }
        stop
    }

    fn pieces(&mut self, h: &mut Hart, judged: &mut Hart, budget: u64) -> Stop {
        let until = h.instret.saturating_add(budget);
        loop {
            self.turn = (self.turn + 1) % PIECES.len();
            let piece = PIECES[self.turn].min(until.saturating_sub(h.instret));
            let stop = self.piece(h, judged, piece);
            if stop != Stop::Budget || h.instret >= until {
                return stop;
            }
        }
    }
}

/// Maps the shared pages of `mem` in `copy` so that pages that alias in one alias in the other.
fn share(
    mem: &Memory,
    copy: &Memory,
    mapped: &[(std::ops::Range<u64>, Perm)],
) -> Result<(), capvec_sim::mem::OutOfMemory> {
    let shared = mem.shared_pages();
    let mut files: HashMap<u64, (OwnedFd, u64)> = HashMap::new();
    for (run, object, offset) in &shared {
        let end = offset + (run.end - run.start);
        let (_, len) = match files.entry(*object) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let fd = rustix::fs::memfd_create("copy", rustix::fs::MemfdFlags::CLOEXEC)?;
                new.insert((fd, 0))
            }
        };
        *len = end.max(*len);
    }
    for (fd, len) in files.values() {
        rustix::fs::ftruncate(fd, *len)?;
    }
    for (run, object, offset) in &shared {
        let Some((fd, _)) = files.get(object) else { continue };
        for (part, perm) in mapped {
            let (start, end) = (part.start.max(run.start), part.end.min(run.end));
            if start < end {
                let place = (*object, offset + (start - run.start));
                copy.map_shared(start, end - start, *perm, fd.as_fd(), place)?;
            }
        }
    }
    Ok(())
}

/// Copies everything that is mapped.
fn whole(mem: &Memory) -> Result<Copy, capvec_sim::mem::OutOfMemory> {
    let copy = Memory::new()?;
    let mapped = mem.mapped();
    for (run, perm) in &mapped {
        copy.map(run.start, run.end - run.start, *perm)?;
    }
    share(mem, &copy, &mapped)?;
    let mut changing: Vec<_> = mem.shared_pages().into_iter().map(|(run, ..)| run).collect();
    for (run, perm) in mapped {
        if perm != Perm::NONE {
            update(mem, &copy, &run);
        }
        if perm.allows(Perm::W) {
            changing.push(run);
        }
    }
    let (map_version, code_version) = (mem.map_version(), mem.code_version());
    Ok(Copy { mem: copy, map_version, code_version, changing })
}

/// Calls `f` with each chunk of the range, as both memories hold it.
fn chunks(
    a: &Memory,
    b: &Memory,
    range: &std::ops::Range<u64>,
    mut f: impl FnMut(u64, &[u8], &[u8]),
) {
    let (mut in_a, mut in_b) = (vec![0; CHUNK], vec![0; CHUNK]);
    for at in range.clone().step_by(CHUNK) {
        let len = CHUNK.min((range.end - at) as usize);
        // Cannot fail: the range is mapped in both.
        let _ = a.read_as(at, &mut in_a[..len], Perm::NONE);
        let _ = b.read_as(at, &mut in_b[..len], Perm::NONE);
        f(at, &in_a[..len], &in_b[..len]);
    }
}

fn update(from: &Memory, to: &Memory, range: &std::ops::Range<u64>) {
    chunks(from, to, range, |at, new, old| {
        if new != old {
            // Cannot fail: the range is mapped.
            let _ = to.write_as(at, new, Perm::NONE);
        }
    });
}

/// The registers and counters in which two harts differ.
fn differences(a: &Hart, b: &Hart) -> Vec<(String, String, String)> {
    let mut what = Vec::new();
    let mut one = |name: String, a: u64, b: u64| {
        if a != b {
            what.push((name, format!("{a:#x}"), format!("{b:#x}")));
        }
    };
    (1..32).for_each(|r| one(format!("x{r}"), a.x(r), b.x(r)));
    (0..32).for_each(|r| one(format!("f{r}"), a.f[r], b.f[r]));
    one("pc".into(), a.pc, b.pc);
    one("instret".into(), a.instret, b.instret);
    one("cycles".into(), a.cycles, b.cycles);
    one("fcsr".into(), fcsr(a), fcsr(b));
    one("vl".into(), a.v.vl, b.v.vl);
    one("vtype".into(), a.v.vtype.bits(64), b.v.vtype.bits(64));
    one("vstart".into(), a.v.vstart, b.v.vstart);
    one("vcsr".into(), vcsr(a), vcsr(b));
    for r in 0..32 {
        let v = |h: &Hart| h.v.bytes(r)[..h.v.vlenb()].to_vec();
        let (a, b) = (v(a), v(b));
        if a != b {
            what.push((format!("v{r}"), format!("{a:02x?}"), format!("{b:02x?}")));
        }
    }
    if a.reservation != b.reservation {
        let text = |h: &Hart| format!("{:x?}", h.reservation);
        what.push(("reservation".into(), text(a), text(b)));
    }
    what
}

fn fcsr(h: &Hart) -> u64 {
    (h.frm as u64) << 5 | h.fflags as u64
}

fn vcsr(h: &Hart) -> u64 {
    (h.v.vxrm as u64) << 1 | h.v.vxsat as u64
}

/// The first byte of the writable ranges that differs.
fn memory_difference(copy: &Copy, mem: &Memory) -> Option<(u64, u8, u8)> {
    let mut first = None;
    for range in &copy.changing {
        chunks(&copy.mem, mem, range, |at, a, b| {
            if first.is_none()
                && let Some(k) = (0..a.len()).find(|k| a[*k] != b[*k])
            {
                first = Some((at + k as u64, a[k], b[k]));
            }
        });
    }
    first
}

impl<F: FnMut(&Difference)> Engine for Both<F> {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let (start, instret) = (h.pc, h.instret);
        let copy = match self.copy(&h.mem) {
            Ok(c) => c,
            Err(e) => {
                let what = vec![("memory for the comparison".into(), e.to_string(), String::new())];
                (self.report)(&Difference { start, instret, what });
                return self.other.run(h, budget);
            }
        };
        let mut judged = h.on(copy.mem.clone());
        let stop = self.pieces(h, &mut judged, budget);
        if let Some((at, a, b)) = memory_difference(&copy, &h.mem) {
            let what = vec![(format!("byte at {at:#x}"), format!("{a:#x}"), format!("{b:#x}"))];
            (self.report)(&Difference { start, instret, what });
        }
        // Both engines have executed the guest's fence.i.
        let code_version = h.mem.code_version();
        self.copies.insert(h.mem.id(), Copy { code_version, ..copy });
        stop
    }

    fn forget(&mut self, space: u64) {
        self.other.forget(space);
        if let Some(c) = self.copies.remove(&space) {
            self.judge.forget(c.mem.id());
        }
    }

    fn switch(&mut self) {
        self.judge.switch();
        self.other.switch();
    }

    fn change_space(&mut self) {
        self.judge.change_space();
        self.other.change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        self.judge.histogram()
    }
}
