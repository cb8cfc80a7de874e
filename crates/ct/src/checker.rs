//! The state of a check, shared by the engine and what follows the threads.

use crate::arity;
use crate::findings::{Finding, Kind, Step};
use crate::marks::Marks;
use crate::origin::{Id, Origins, Sites};
use crate::report::Report;
use crate::requests::{self, Preamble};
use capvec_isa::disasm::disassemble_word;
use capvec_profile::Recorder;
use capvec_sim::hart::{Access, Config};
use capvec_sim::insn::Insn;
use capvec_sim::mem::{OutOfMemory, Perm};
use capvec_sim::{Cause, Hart, Trap};
use capvec_taint::{Dest, Registers, Roles, Shadow};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// First argument register of a system call, and the one with its number.
const A0: u8 = 10;
const A7: u8 = 17;
/// `rt_sigreturn`.
const SIGRETURN: u64 = 139;

/// What is kept of a thread while another runs.
#[derive(Clone, Default)]
pub struct Thread {
    pub registers: Registers,
    pub origins: Origins,
    /// The registers that signal handlers have interrupted, with the addresses of their frames.
    pub frames: Vec<(u64, Registers, Origins)>,
}

/// Memory that becomes secret before the next instruction.
pub struct Pending {
    pub space: u64,
    pub addr: u64,
    pub bytes: u64,
    pub text: String,
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
    /// Arguments that are secret when control arrives there, by address space and address.
    pub entries: HashMap<(u64, u64), Vec<usize>>,
    /// Names of marks that a file has, and where they have been applied.
    pub resolved: HashSet<String>,
    pub applied: HashSet<(u64, String)>,
    preamble: Preamble,
    findings: Vec<Finding>,
    known: BTreeMap<(Kind, u64, u64), usize>,
    /// Whether anything was secret.
    marked: bool,
    /// The host had no memory for the shadow.
    failed: bool,
}

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
            entries: HashMap::new(),
            resolved: HashSet::new(),
            applied: HashSet::new(),
            preamble: Preamble::default(),
            findings: Vec::new(),
            known: BTreeMap::new(),
            marked: false,
            failed: false,
        }))))
    }

    /// What was found.
    pub fn report(&self) -> Report {
        let state = self.0.borrow();
        let named = state.marks.symbols.iter().map(|(name, _)| name);
        let named = named.chain(state.marks.arguments.iter().map(|a| &a.function));
        Report {
            findings: state.findings.clone(),
            marked: state.marked,
            unresolved: named.filter(|n| !state.resolved.contains(*n)).cloned().collect(),
            incomplete: state.failed,
        }
    }
}

impl State {
    /// The engine is about to run this hart.
    pub fn begin(&mut self, h: &Hart) {
        self.space = h.mem.id();
        self.failed |= self.shadow.enter(self.space).is_err();
        h.mem.record_changes(false);
        for range in h.mem.take_changes() {
            self.shadow.fill(range.start, range.end - range.start, false);
        }
        let (now, later) =
            std::mem::take(&mut self.pending).into_iter().partition(|p| p.space == self.space);
        self.pending = later;
        for Pending { addr, bytes, text, .. } in now {
            self.mark(addr, bytes, &text);
        }
    }

    fn mark(&mut self, addr: u64, bytes: u64, text: &str) {
        self.shadow.fill(addr, bytes, true);
        let id = self.sites.mark(text);
        self.sites.write(self.space, addr, bytes, id);
        self.marked = true;
    }

    /// Control arrives at `pc`.
    pub fn arrive(&mut self, h: &Hart, pc: u64) {
        if self.entries.is_empty() {
            return;
        }
        let Some(all) = self.entries.get(&(self.space, pc)) else { return };
        for k in all.clone() {
            let a = self.marks.arguments[k].clone();
            let (addr, text) =
                (h.x(A0 + a.index), format!("argument {} of {}", a.index, a.function));
            // A null pointer, for what the caller leaves out.
            if h.mem.perm(addr).is_some() {
                self.mark(addr, a.bytes, &text);
            }
        }
    }

    /// Executes an instruction; `Err`: it has trapped. `flush` passes the calls so far to the recorder.
    pub fn execute(
        &mut self,
        h: &mut Hart,
        i: &Insn,
        pc: u64,
        flush: &mut dyn FnMut(),
    ) -> Result<(), ()> {
        if self.preamble.step(i) {
            self.request(h);
        }
        if self.shadow.is_clean() {
            let done = (i.exec)(h, i);
            h.accesses.clear();
            return done.map_err(|_| ());
        }
        let roles = self.shadow.roles(i);
        let from = self.source(h, i, &roles);
        if let Some(kind) = crate::examine::examine(h, i, &roles, &self.shadow) {
            flush();
            self.found(h, pc, kind, from);
        }
        let before = self.shadow.before(h, i);
        let done = (i.exec)(h, i);
        if let Some(before) = before {
            let accesses = std::mem::take(&mut h.accesses);
            match done.is_ok() {
                true => {
                    self.shadow.after(h, i, before, &accesses);
                    self.note(h, i, &roles, pc, from, &accesses);
                }
                false => self.shadow.trapped(i, before, &accesses),
            }
            h.accesses = accesses;
        }
        h.accesses.clear();
        done.map_err(|_| ())
    }

    /// A client request: the words at `a4`, the result in `a3`.
    fn request(&mut self, h: &mut Hart) {
        let at = h.x(requests::WORDS);
        let word = |k: u64| h.mem.load::<u64>(at.wrapping_add(8 * k)).unwrap_or(0);
        let [request, addr, bytes] = [word(0), word(1), word(2)];
        let result = match request {
            requests::RUNNING => 1,
            requests::MAKE_UNDEFINED => {
                self.mark(addr, bytes, "client request");
                u64::MAX
            }
            requests::MAKE_DEFINED | requests::MAKE_DEFINED_IF_ADDRESSABLE => {
                self.shadow.fill(addr, bytes, false);
                u64::MAX
            }
            _ => return,
        };
        h.write_x(requests::RESULT, result);
        self.shadow.set_x(requests::RESULT, 0);
    }

    /// The origin of the first secret operand in a register.
    fn source(&self, h: &Hart, i: &Insn, roles: &Roles) -> Id {
        let (s, [x, f, v]) = (&self.shadow, &self.origins.registers);
        let of_x = roles.x.registers(i).find(|r| s.x(*r) != 0).map(|r| x[r as usize & 31]);
        let of_f = || roles.f.registers(i).find(|r| s.f(*r) != 0).map(|r| f[r as usize & 31]);
        let of_v = || {
            let (t, vlenb) = (h.v.vtype, h.v.vlenb());
            let groups = [
                (roles.v.s2, i.rs2, roles.span2(i, t, vlenb)),
                (roles.v.s1, i.rs1, roles.span1(i, t, vlenb)),
                (roles.v.s3, i.rs3, 8.min(32 - i.rs3)),
                (roles.dest == Dest::V, i.rd, roles.dest_span(i, t, vlenb)),
                (roles.class.is_vector() && (roles.v0 || !i.vm()), 0, 1),
            ];
            let registers =
                groups.into_iter().filter(|g| g.0).flat_map(|(_, reg, n)| reg..(reg + n).min(32));
            let mut tainted = registers.filter(|r| s.v_group(*r, 1));
            tainted.next().map(|r| v[r as usize])
        };
        of_x.or_else(of_f).or_else(of_v).unwrap_or(0)
    }

    /// Notes where the secret bits of the result come from.
    fn note(&mut self, h: &Hart, i: &Insn, roles: &Roles, pc: u64, from: Id, accesses: &[Access]) {
        let from = match from {
            0 => self.sites.read(self.space, accesses),
            id => id,
        };
        let stores = accesses.iter().any(|a| a.store && self.shadow.memory(a.addr, a.size.into()));
        let written = match roles.dest {
            Dest::X => i.rd < 32 && self.shadow.x(i.rd) != 0,
            Dest::F => self.shadow.f(i.rd) != 0,
            Dest::V | Dest::Mask => true,
            Dest::None => false,
        };
        if from == 0 || !(stores || written) {
            return;
        }
        let site = self.sites.insn(self.space, pc, from);
        match roles.dest {
            Dest::X if written => self.origins.registers[0][i.rd as usize] = site,
            Dest::F => self.origins.registers[1][i.rd as usize & 31] = site,
            Dest::V | Dest::Mask => {
                let n = roles.dest_span(i, h.v.vtype, h.v.vlenb());
                let all = i.rd..(i.rd + n).min(32);
                for r in all.filter(|r| self.shadow.v_group(*r, 1)) {
                    self.origins.registers[2][r as usize] = site;
                }
            }
            _ => {}
        }
        for a in accesses.iter().filter(|a| stores && a.store) {
            self.sites.write(self.space, a.addr, a.size.into(), site);
        }
    }

    /// The hart has trapped.
    pub fn trapped(&mut self, h: &Hart, trap: &Trap, flush: &mut dyn FnMut()) {
        if trap.cause != Cause::EcallU {
            return;
        }
        let number = h.x(A7);
        let arguments = A0..A0 + arity::arguments(number);
        let secret = arguments.chain([A7]).find(|r| self.shadow.x(*r) != 0);
        if let Some(r) = secret {
            flush();
            self.found(h, h.pc, Kind::SystemCall, self.origins.registers[0][r as usize]);
        }
        // The result is public, and Linux overwrites the vector registers.
        self.shadow.set_x(A0, 0);
        self.shadow.clean_v();
        if number == SIGRETURN {
            self.return_from_signal(h.x(2));
        }
    }

    fn return_from_signal(&mut self, frame: u64) {
        let Some(thread) = self.threads.get_mut(&self.tid) else { return };
        while let Some((at, registers, origins)) = thread.frames.pop() {
            if at == frame {
                self.shadow.restore(&registers);
                self.origins = origins;
                return;
            }
        }
    }

    fn found(&mut self, h: &Hart, pc: u64, kind: Kind, from: Id) {
        let key = (kind, self.space, pc);
        if let Some(k) = self.known.get(&key) {
            self.findings[*k].count += 1;
            return;
        }
        let (secret, chain) = self.sites.chain(from);
        let at = self.step(h, pc);
        let chain: Vec<Step> = chain.into_iter().map(|pc| self.step(h, pc)).collect();
        // The same code in another process.
        let same = |f: &Finding| f.kind == kind && f.at == at;
        if let Some(k) = self.findings.iter().position(same) {
            self.findings[k].count += 1;
            self.known.insert(key, k);
            return;
        }
        let path = self.recorder.borrow().path();
        self.known.insert(key, self.findings.len());
        self.findings.push(Finding { kind, at, count: 1, path, secret, chain });
    }

    fn step(&self, h: &Hart, pc: u64) -> Step {
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
        }
    }
}
