//! Records a run.

use super::passage::{Code, Counter, Key, Observed, Passage, Shape};
use super::recording::{ENTER_SPACE, Process, Recording, SWITCH};
use capvec_sim::insn::Insn;
use capvec_sim::timing::Seen;
use std::collections::{BTreeSet, HashMap};

/// A block that control is passing through. `passage.retired` is not known yet.
#[derive(Default)]
struct Entered {
    passage: Passage,
    lows: Vec<u32>,
}

/// What a process has done since its last read of a counter.
#[derive(Default)]
struct Later {
    calls: BTreeSet<u64>,
    /// Number of words until then.
    words: usize,
}

/// Records a run.
#[derive(Default)]
pub(super) struct Log {
    recording: Recording,
    by_code: HashMap<Key, u32>,
    by_passage: HashMap<Passage, u32>,
    /// By block: its last passage.
    recent: Vec<u32>,
    /// By address space: its process.
    by_space: HashMap<u64, usize>,
    later: Vec<Later>,
    /// The process that runs.
    current: usize,
    /// The hart has entered another address space, which is not known yet.
    entering: bool,
    entered: Entered,
    /// Whether control is passing through a block.
    inside: bool,
    /// `Hart::instret` when control entered it.
    instret: u64,
    /// How many more words can be recorded.
    room: usize,
}

impl Log {
    /// An empty log, which records up to so many words.
    pub fn new(room: usize) -> Log {
        Log { room, entering: true, ..Log::default() }
    }

    /// The number of a block.
    pub fn number(&mut self, start: u64, insns: &[Insn]) -> u32 {
        let key = Key::of(start, insns);
        if let Some(number) = self.by_code.get(&key) {
            return *number;
        }
        let number = self.recording.code.len() as u32;
        self.recording.code.push(Code::new(key.clone(), insns));
        self.recent.push(u32::MAX);
        self.by_code.insert(key, number);
        number
    }

    /// An engine starts to run a process, whose hart has retired `instret` instructions.
    pub fn begin(&mut self, space: u64, instret: u64) {
        let next = self.by_space.len();
        self.current = *self.by_space.entry(space).or_insert(next);
        if self.current == next {
            self.recording.processes.push(Process { whole: true, ..Process::default() });
            self.later.push(Later::default());
        }
        if std::mem::take(&mut self.entering) {
            self.push(ENTER_SPACE);
        }
        self.instret = instret;
    }

    /// The engine stops; `call` is the number of the system call for which it does.
    pub fn end(&mut self, instret: u64, call: Option<u64>) {
        self.pass((instret - self.instret) as u8);
        self.later[self.current].calls.extend(call);
    }

    /// Control enters a block.
    #[inline]
    pub fn enter(&mut self, code: u32, sequential: bool) {
        if self.inside {
            // Only the last block of a run can be left early.
            let whole = self.recording.code[self.entered.passage.code as usize].insns.len() as u8;
            self.pass(whole);
        }
        self.inside = true;
        (self.entered.passage.code, self.entered.passage.sequential) = (code, sequential);
    }

    /// An instruction of the block with a dynamic cost has executed.
    #[inline]
    pub fn execute(&mut self, seen: &Seen<'_>) {
        self.entered.passage.observed.push(Observed::new(seen));
        self.entered.passage.accesses.extend(seen.accesses.iter().map(Shape::of));
        self.entered.lows.extend(seen.accesses.iter().map(|a| a.addr as u32));
    }

    /// Control has passed through the block, of which so many instructions retired.
    fn pass(&mut self, retired: u8) {
        if !std::mem::take(&mut self.inside) {
            return;
        }
        self.instret += u64::from(retired);
        self.entered.passage.retired = retired;
        let code = self.entered.passage.code as usize;
        let number = self.passage(code);
        self.push(number);
        let Entered { passage, lows } = &mut self.entered;
        let process = &mut self.recording.processes[self.current];
        if process.whole && lows.len() <= self.room {
            self.room -= lows.len();
            process.words.extend_from_slice(lows);
            process.last = process.last.max(number);
        } else {
            process.whole = false;
        }
        passage.observed.clear();
        passage.accesses.clear();
        lows.clear();
        if let (Some(counter), true) = (self.recording.code[code].counter, retired > 0) {
            self.read(counter);
        }
    }

    /// The number of the passage through this block.
    fn passage(&mut self, code: usize) -> u32 {
        let passage = &self.entered.passage;
        let all = &mut self.recording.passages;
        if all.get(self.recent[code] as usize) == Some(passage) {
            return self.recent[code];
        }
        let next = all.len() as u32;
        let number = *self.by_passage.entry(passage.clone()).or_insert(next);
        if number == next {
            all.push(passage.clone());
        }
        self.recent[code] = number;
        number
    }

    fn push(&mut self, word: u32) {
        let process = &mut self.recording.processes[self.current];
        match self.room.checked_sub(1) {
            Some(room) if process.whole => {
                self.room = room;
                process.words.push(word);
            }
            _ => process.whole = false,
        }
    }

    /// The process has read a counter.
    fn read(&mut self, counter: Counter) {
        let process = &mut self.recording.processes[self.current];
        let later = &mut self.later[self.current];
        process.reads.push(counter);
        process.calls.append(&mut later.calls);
        later.words = process.words.len();
    }

    /// The hart switches to another context of the same address space.
    pub fn switch(&mut self) {
        if !self.entering {
            self.push(SWITCH);
        }
    }

    /// The hart switches to another address space.
    pub fn change_space(&mut self) {
        self.entering = true;
    }

    /// What was recorded. What processes did after their last read of a counter is left out.
    pub fn finish(&mut self) -> Recording {
        let mut recording = std::mem::take(&mut self.recording);
        for (process, later) in recording.processes.iter_mut().zip(&mut self.later) {
            match process.reads.is_empty() {
                true => process.calls.append(&mut later.calls),
                false => process.words.truncate(later.words),
            }
        }
        recording
    }
}
