//! The state of a check, shared by the engine and what follows the threads.

use crate::findings::{Finding, Kind, Step};
use crate::functions::Functions;
use crate::held::{Arrival, Store};
use crate::instruction_findings::Assumed;
use crate::marks::Marks;
use crate::origin::{Id, Origins, Sites};
use crate::pending::{Called, Loading, Pending};
use crate::report::Report;
use crate::request_sequence::RequestSequence;
use crate::source_lines::Lines;
use crate::used::Used;
use capvec_isa::disasm::disassemble_word;
use capvec_isa::{Class, ExtSet};
use capvec_profile::Recorder;
use capvec_sim::Hart;
use capvec_sim::calls::{Area, Frame};
use capvec_sim::hart::Config;
use capvec_sim::mem::{OutOfMemory, Perm};
use capvec_taint::{Registers, Shadow};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What is kept of a thread while another runs.
#[derive(Clone, Default)]
pub struct Thread {
    pub registers: Registers,
    pub origins: Origins,
}

/// The state.
pub struct State {
    pub shadow: Shadow,
    pub origins: Origins,
    pub sites: Sites,
    pub marks: Marks,
    pub recorder: Rc<RefCell<Recorder>>,
    pub threads: HashMap<i32, Thread>,
    pub tid: i32,
    pub space: u64,
    pub pending: Vec<Pending>,
    pub loading: Vec<Loading>,
    pub arriving: Vec<Arrival>,
    /// Executable areas of address spaces.
    pub areas: HashMap<u64, Vec<Area>>,
    /// Addresses of client requests, by address space, where they have been looked for.
    pub requests: HashMap<u64, Vec<u64>>,
    /// What the system holds.
    pub held: Store,
    /// The files that are mapped, and the numbers of the shared memory that has their bytes.
    pub mapped: HashMap<(u64, u64), u64>,
    /// The system call in flight.
    pub called: Option<Called>,
    /// Where the registers are in the frame of a signal handler.
    pub frame: Option<Frame>,
    /// Functions whose calls and returns matter.
    pub functions: Functions,
    pub lines: Lines,
    /// What the run has shown of the marks, and the files that their symbols have been looked for in.
    pub used: Used,
    pub searched: HashSet<Loaded>,
    /// The code that indirect functions turned out to be: the file, the offset in it, and the function.
    pub chosen: BTreeSet<(Rc<[u8]>, u64, String)>,
    /// Processes that have not run since they were made.
    pub unborn: HashSet<i32>,
    pub assumed: Assumed,
    pub request_sequence: RequestSequence,
    /// No operating system: `ecall` is a trap like any other.
    pub bare: bool,
    pub findings: Vec<Finding>,
    /// The findings by address space and address, with the version of the code that was there.
    known: BTreeMap<(Kind, u64, u64), (u64, usize)>,
    /// Whether anything was secret.
    marked: bool,
    /// The host had no memory for the shadow.
    pub failed: bool,
}

/// A file's code in an address space: the space, the file, and the difference between addresses and places in the file.
pub type Loaded = (u64, Rc<[u8]>, u64);

/// A check of a run.
#[derive(Clone)]
pub struct Checker(pub(crate) Rc<RefCell<State>>);

impl Checker {
    /// Nothing checked yet.
    ///
    /// # Errors
    /// The host has no memory for the shadow.
    pub fn new(marks: Marks, config: &Config) -> Result<Checker, OutOfMemory> {
        Ok(Checker(Rc::new(RefCell::new(State {
            shadow: Shadow::new(config)?,
            origins: Origins::default(),
            sites: Sites::default(),
            marks,
            recorder: Rc::new(RefCell::new(Recorder::new(false))),
            threads: HashMap::new(),
            tid: 0,
            space: 0,
            pending: Vec::new(),
            loading: Vec::new(),
            arriving: Vec::new(),
            areas: HashMap::new(),
            requests: HashMap::new(),
            held: Store::default(),
            mapped: HashMap::new(),
            called: None,
            frame: None,
            functions: Functions::default(),
            lines: Lines::default(),
            used: Used::default(),
            searched: HashSet::new(),
            chosen: BTreeSet::new(),
            unborn: HashSet::new(),
            assumed: Assumed::default(),
            request_sequence: RequestSequence::default(),
            bare: false,
            findings: Vec::new(),
            known: BTreeMap::new(),
            marked: false,
            failed: false,
        }))))
    }

    /// The time of these classes of instructions depends on their operands, although Zkt or Zvkt lists them.
    pub fn vary(&self, classes: &[Class]) {
        self.0.borrow_mut().assumed.varies = classes.to_vec();
    }

    /// The time of these extensions' instructions does not depend on operands, although neither Zkt nor Zvkt lists them.
    pub fn accept(&self, independent: ExtSet) {
        self.0.borrow_mut().assumed.independent = independent;
    }

    /// Follows symbolic links in the paths of secret files; `link` returns the target of one in the guest.
    pub fn follow_links(&self, link: &dyn Fn(&Path) -> Option<PathBuf>) {
        self.0.borrow_mut().marks.follow_links(link);
    }

    /// Memory of an address space becomes secret before its next instruction.
    pub fn mark(&self, space: u64, addr: u64, bytes: u64, text: &str) {
        let secret = Pending { space, addr, bytes, text: text.into(), file: None };
        self.0.borrow_mut().pending.push(secret);
    }

    /// The taint of the hart that ran last: its x, f and vector registers, then this memory.
    pub fn taint(&self, h: &Hart, addr: u64, len: u64) -> Vec<u8> {
        let shadow = &self.0.borrow().shadow;
        let mut all: Vec<u8> = (0..32).flat_map(|r| shadow.x(r).to_le_bytes()).collect();
        all.extend((0..32).flat_map(|r| shadow.f(r).to_le_bytes()));
        all.extend(shadow.v(0));
        all.extend(shadow.masks(h.mem.id(), addr, len).unwrap_or_else(|| vec![0; len as usize]));
        all
    }

    /// What was found.
    pub fn report(&self) -> Report {
        let state = self.0.borrow();
        let missing = state.marks.names().filter(|n| !state.used.resolved.contains(*n));
        let mut findings = state.findings.clone();
        let mut steps: Vec<&mut Step> = findings.iter_mut().flat_map(Finding::steps).collect();
        state.lines.resolve(&mut steps);
        Report {
            marked: state.marked,
            unresolved: missing.map(String::from).collect(),
            without_effect: state.used.without_effect(&state.marks),
            assumed: state.assumed.independent.iter().map(|ext| ext.name().into()).collect(),
            unused_declassifications: state.used.not_declassified(&state.marks),
            incomplete: state.failed,
            status: 0,
            ..Report::new(findings)
        }
    }
}

impl State {
    /// The engine is about to run this hart.
    pub fn begin(&mut self, h: &Hart) {
        self.space = h.mem.id();
        self.failed |= self.shadow.enter(self.space).is_err();
        h.mem.record_changes(false);
        match self.shadow.share(h) {
            Ok(true) => self.sites.share(self.space, h.mem.shared_pages()),
            Ok(false) => {}
            Err(_) => self.failed = true,
        }
        for range in h.mem.take_changes() {
            if !self.shadow.is_shared(&range) {
                self.shadow.fill(range.start, range.end - range.start, false);
            }
        }
        let (now, later) =
            std::mem::take(&mut self.pending).into_iter().partition(|p| p.space == self.space);
        self.pending = later;
        now.into_iter().for_each(|secret| self.begin_secret(h, secret));
        self.arrivals();
    }

    pub fn mark(&mut self, addr: u64, bytes: u64, text: &str) {
        if bytes == 0 {
            return;
        }
        self.shadow.fill(addr, bytes, true);
        let id = self.secret(text);
        self.sites.write(self.space, addr, bytes, id);
    }

    /// The origin of bytes that become secret by this mark.
    pub fn secret(&mut self, text: &str) -> Id {
        if !self.used.secrets.contains(text) {
            self.used.secrets.insert(text.into());
        }
        self.marked = true;
        self.sites.mark(text)
    }

    /// Makes the bits of memory that are set in these masks secret, and the others public.
    pub fn mark_bits(&mut self, addr: u64, masks: &[u8], text: &str) {
        if masks.iter().all(|mask| *mask == 0) {
            return self.shadow.fill(addr, masks.len() as u64, false);
        }
        self.shadow.set_memory(addr, masks);
        let id = self.secret(text);
        for (at, _) in (addr..).zip(masks).filter(|(_, mask)| **mask != 0) {
            self.sites.write(self.space, at, 1, id);
        }
    }

    /// Whether nothing can be found before control arrives at a marked place or memory that has been tainted is accessed.
    pub fn is_quiet(&self) -> bool {
        self.shadow.has_clean_registers() && self.loading.is_empty()
    }

    /// Where a run without checks has to stop: functions that flags name, where these return, client requests, and secret code.
    pub fn stops(&self, h: &Hart) -> BTreeSet<u64> {
        let requests = self.requests.values().flatten().copied();
        self.functions.stops().chain(requests).chain(self.secret_code(h)).collect()
    }

    /// Something depends on a secret at `pc`.
    pub fn found(&mut self, h: &Hart, pc: u64, kind: Kind, from: Id) {
        let key = (kind, self.space, pc);
        let version = h.mem.code_version();
        if let Some((_, k)) = self.known.get(&key).filter(|(then, _)| *then == version) {
            self.findings[*k].count += 1;
            return;
        }
        let (secret, chain) = self.sites.chain(from);
        let at = self.step(h, pc);
        let chain: Vec<Step> = chain.into_iter().map(|pc| self.step(h, pc)).collect();
        // The same code in another process, or code elsewhere has changed.
        let same = |f: &Finding| f.kind == kind && f.at == at;
        if let Some(k) = self.findings.iter().position(same) {
            self.findings[k].count += 1;
            self.known.insert(key, (version, k));
            return;
        }
        let path = self.recorder.borrow().path();
        self.known.insert(key, (version, self.findings.len()));
        self.findings.push(Finding { kind, at, count: 1, path, secret, chain, left_in: None });
    }

    pub fn step(&self, h: &Hart, pc: u64) -> Step {
        let (function, address) = self.recorder.borrow_mut().place(pc);
        let mut word = [0; 4];
        // It has been executed, so it can be read; a compressed one may end its page.
        if h.mem.read_as(pc, &mut word, Perm::X).is_err() {
            let _ = h.mem.read_as(pc, &mut word[..2], Perm::X);
        }
        if word[0] & 3 != 3 {
            word[2..].fill(0);
        }
        let word = u32::from_le_bytes(word);
        let text = disassemble_word(word, h.config.xlen, address);
        Step {
            offset: address.wrapping_sub(function.address),
            function: function.name,
            object: function.object.to_string(),
            address,
            instruction: text.unwrap_or_else(|| format!(".word {word:#x}")),
            source: None,
        }
    }
}
