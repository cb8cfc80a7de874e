//! Two harts in the same state, one for each engine, and the checks that they stay equal.

#![allow(dead_code, reason = "not every test file uses all of it")]

pub mod campaign;
pub mod cores;
pub mod programs;
pub mod specials;

use capvec_jit::{Host, Kept, OfProgram, Options};
use capvec_sim::hart::{Agnostic, Config, MustAlign};
use capvec_sim::mem::{Object, PAGE, Perm, memory_file};
use capvec_sim::testing::{all_exts, config};
use capvec_sim::{Engine, Hart, Memory, Stop};
use capvec_timing::{Core, Model};
use capvec_util::testing::skipped;
use std::sync::{Arc, Once};

/// Address of the code: two pages.
pub const CODE: u64 = 0x1_0000;
/// Address of the data: two writable pages, one read-only, one unmapped, one writable, one without permissions.
pub const DATA: u64 = 0x10_0000;
/// Pages at `DATA`.
const PAGES: [Option<Perm>; 6] =
    [Some(Perm::RW), Some(Perm::RW), Some(Perm::R), None, Some(Perm::RW), Some(Perm::NONE)];

/// Translates at the first entry, so that short tests run generated code.
pub const EAGER: Options =
    Options { hot_threshold: 0, code_bytes: 1 << 20, host: Host::ALL, count: false, checked: 1 };

/// Both engines with their harts.
pub struct Pair {
    /// The reference interpreter.
    pub interp: (Box<dyn Engine>, Hart),
    /// The translating engine.
    pub jit: (Box<dyn Engine>, Hart),
    /// Cycles of all runs.
    pub spent: u64,
}

fn hart(vlen: u32, agnostic: Agnostic, must_align: MustAlign) -> Hart {
    let mem = Memory::new().expect("address space");
    mem.map(CODE, 2 * PAGE, Perm(7)).expect("code pages");
    for (k, perm) in PAGES.iter().enumerate() {
        if let Some(perm) = perm {
            mem.map(DATA + k as u64 * PAGE, PAGE, *perm).expect("data page");
        }
    }
    let config = Config { must_align, ..config(&all_exts(), vlen, agnostic) };
    Hart::new(Arc::new(config), mem)
}

/// A new object of so many pages.
pub fn object(pages: u64) -> Object {
    let file = memory_file("object").expect("memory");
    rustix::fs::ftruncate(&file, pages * PAGE).expect("it grows");
    Object::new(file)
}

/// The core, without its model where the engine counts no cycles: results and counts are compared all the same.
pub fn counted(core: Core) -> Core {
    static REPORT: Once = Once::new();
    if core.timing().is_none() || cfg!(target_arch = "x86_64") {
        return core;
    }
    REPORT.call_once(|| skipped("engine that counts cycles", "cores run without their models"));
    Core { model: Model::Ideal, ..core }
}

impl Pair {
    /// Two harts with all registers zero.
    pub fn new(vlen: u32, options: Options) -> Pair {
        Pair::on("ideal", vlen, options)
    }

    /// On this core, but with vector registers of `vlen` bits.
    pub fn on(core: &str, vlen: u32, options: Options) -> Pair {
        Pair::of(&Core { vlen, ..Core::load(core).expect("a core that is built in") }, options)
    }

    /// On this core.
    pub fn of(core: &Core, options: Options) -> Pair {
        let core = &counted(core.clone());
        let jit = capvec_jit::engine(options, core.timing()).expect("a host that has a translator");
        let interp = core.engine(options.count);
        let hart = || hart(core.vlen, Agnostic::Undisturbed, core.must_align);
        Pair { interp: (interp, hart()), jit: (jit, hart()), spent: 0 }
    }

    /// On this core, but with vector registers of `vlen` bits; the translating engine shares its translations.
    pub fn sharing(core: &str, vlen: u32, options: Options, kept: &Kept) -> Pair {
        let core = Core { vlen, ..Core::load(core).expect("a core that is built in") };
        let core = counted(core);
        let jit = || capvec_jit::sharing(options, core.timing(), kept);
        // The first engine of a kind keeps nothing until it runs a second address space.
        drop(jit());
        let jit = jit().expect("a host that has a translator");
        let pair = Pair::of(&core, options);
        Pair { jit: (jit, pair.jit.1), ..pair }
    }

    /// On this core, but with vector registers of `vlen` bits; the translating engine uses these translations.
    pub fn of_program(core: &str, vlen: u32, options: Options, kept: &OfProgram) -> Pair {
        let core = Core { vlen, ..Core::load(core).expect("a core that is built in") };
        let core = counted(core);
        let jit = kept.engine(options, core.timing()).expect("a host that has a translator");
        let pair = Pair::of(&core, options);
        Pair { jit: (jit, pair.jit.1), ..pair }
    }

    /// Replaces the harts by new ones with this policy for agnostic elements.
    pub fn replace_harts(&mut self, agnostic: Agnostic) {
        self.both(|h| {
            let host = h.host;
            *h = hart(h.config.vlen, agnostic, h.config.must_align);
            h.host = host;
        });
    }

    /// Switches the context, or the address space.
    pub fn switch(&mut self, space: bool) {
        for e in [&mut self.interp.0, &mut self.jit.0] {
            if space { e.change_space() } else { e.switch() }
        }
    }

    /// Compares the instruction counts. An engine that counts in sets has none.
    pub fn compare_histograms(&self) {
        let counts = |e: &dyn Engine| e.histogram().map(|h| h.by_op);
        if let Some(jit) = counts(&*self.jit.0) {
            assert_eq!(Some(jit), counts(&*self.interp.0), "histogram");
        }
    }

    /// Applies the same change to both harts.
    pub fn both(&mut self, mut f: impl FnMut(&mut Hart)) {
        f(&mut self.interp.1);
        f(&mut self.jit.1);
    }

    /// Writes code at `CODE` and sets pc there.
    pub fn load(&mut self, code: &[u8]) {
        self.load_at(CODE, code);
    }

    /// Writes code at this address and sets pc there.
    pub fn load_at(&mut self, at: u64, code: &[u8]) {
        self.both(|h| {
            h.mem.write_as(at, code, Perm::NONE).expect("the code fits");
            h.mem.code_changed();
            h.pc = at;
        });
    }

    /// Runs both for a budget and compares everything but memory.
    pub fn run(&mut self, budget: u64) -> Stop {
        let before = self.interp.1.cycles;
        let a = self.interp.0.run(&mut self.interp.1, budget);
        self.spent += self.interp.1.cycles - before;
        let b = self.jit.0.run(&mut self.jit.1, budget);
        assert_eq!(b, a, "stop");
        self.compare();
        a
    }

    /// Compares the harts.
    pub fn compare(&self) {
        let (a, b) = (&self.interp.1, &self.jit.1);
        let x = |h: &Hart| -> Vec<u64> { (0..32).map(|r| h.x(r)).collect() };
        assert_eq!(x(b), x(a), "x registers");
        assert_eq!(b.pc, a.pc, "pc");
        assert_eq!((b.instret, b.cycles), (a.instret, a.cycles), "counters");
        assert_eq!((b.f, b.fflags, b.frm), (a.f, a.fflags, a.frm), "floating point");
        assert_eq!(b.v.bytes(0), a.v.bytes(0), "vector registers");
        let v = |h: &Hart| (h.v.vl, h.v.vtype.bits(64), h.v.vstart, h.v.vxrm, h.v.vxsat);
        assert_eq!(v(b), v(a), "vector CSRs");
        assert_eq!(b.reservation, a.reservation, "reservation");
    }

    /// Compares the data pages.
    pub fn compare_memory(&self) {
        for (k, perm) in PAGES.iter().enumerate() {
            if perm.is_some() {
                let page = |h: &Hart| {
                    let mut page = vec![0; PAGE as usize];
                    let at = DATA + k as u64 * PAGE;
                    h.mem.read_as(at, &mut page, Perm::NONE).expect("it is mapped");
                    page
                };
                assert!(page(&self.jit.1) == page(&self.interp.1), "data page {k}");
            }
        }
    }
}
