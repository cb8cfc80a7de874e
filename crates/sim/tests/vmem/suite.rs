//! Random words in random states, on a model and on the simulator.

use super::state::{Machine, Outcome};
use capvec_isa::op::OPS;
use capvec_isa::row::Row;
use capvec_isa::{Ext, decode};
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{DATA, DATA_LEN, Rig, Rng, config};
use capvec_sim::{Cause, Trap};
use std::collections::BTreeMap;

/// How often each outcome occurred for an instruction. Tests demand a minimum.
#[derive(Default, Debug, Clone, Copy)]
pub struct Tally {
    pub done: u32,
    pub illegal: u32,
    pub faults: u32,
}

/// By mnemonic; reserved words that are not instructions are under "".
pub type Tallies = BTreeMap<&'static str, Tally>;

/// One family of instructions.
pub struct Suite {
    pub name: &'static str,
    /// Generates a word and sets up the state for it.
    pub word: fn(&mut Rng, &mut Machine) -> u32,
    /// The word's effect according to the manual.
    pub model: fn(&mut Machine, u32) -> Outcome,
    /// Size of the memory in bytes.
    pub window: fn(vlen: usize) -> u64,
}

impl Suite {
    /// Runs many random words in random states on harts of all kinds.
    pub fn run(&self, cases: u32) -> Tallies {
        let mut rng = Rng::new(self.name);
        let mut tallies = Tallies::new();
        for vlen in [128, 256, 512, 1024, 65536] {
            let share = if vlen == 65536 { cases / 100 } else { cases };
            for exts in [&[Ext::V][..], &[Ext::Zve32x]] {
                for agnostic in [Agnostic::Undisturbed, Agnostic::Ones] {
                    let elen = if exts == [Ext::V] { 64 } else { 32 };
                    let n = if elen == 64 { share } else { share / 4 };
                    let mut rig = Rig::new(config(exts, vlen, agnostic));
                    let mut m = self.machine(&mut rng, &mut rig, vlen as usize, elen);
                    m.ones = agnostic == Agnostic::Ones;
                    (0..n).for_each(|_| self.case(&mut rng, &mut rig, &mut m, &mut tallies));
                }
            }
        }
        tallies
    }

    fn machine(&self, rng: &mut Rng, rig: &mut Rig, vlen: usize, elen: usize) -> Machine {
        let window = (self.window)(vlen);
        rig.h.mem.unmap(DATA, DATA_LEN).unwrap();
        let mut pages = vec![Perm::RW; (window / PAGE) as usize];
        // Holes of each kind inside the memory; beyond both ends nothing is mapped.
        if let [.., a, _, _, b, _, _, c, _] = &mut pages[..] {
            (*a, *b, *c) = (Perm::R, Perm::NONE, Perm::W);
        }
        for (k, perm) in pages.iter().enumerate() {
            rig.h.mem.map(DATA + k as u64 * PAGE, PAGE, *perm).unwrap();
        }
        let mut mem = vec![0; window as usize];
        rng.fill(&mut mem);
        rig.h.mem.write_as(DATA, &mem, Perm::NONE).unwrap();
        Machine {
            vlen,
            elen,
            ones: false,
            vill: false,
            sew: 8,
            lmul: 8,
            vta: false,
            vma: false,
            vl: 0,
            vstart: 0,
            v: vec![0; vlen * 4],
            x: [0; 32],
            mem,
            pages,
            accesses: Vec::new(),
        }
    }

    fn case(&self, rng: &mut Rng, rig: &mut Rig, m: &mut Machine, tallies: &mut Tallies) {
        m.randomize(rng);
        let word = (self.word)(rng, m);
        let op = decode(word, 64, rig.h.config.exts).map_or("", |d| d.op.name());
        let tally = tallies.entry(op).or_default();
        m.write_to(rig);
        let what = format!(
            "{word:#010x}, VLEN {} SEW {} LMUL {}/8 vl {} vstart {} vill {} ta {} ma {} ones {}",
            m.vlen, m.sew, m.lmul, m.vl, m.vstart, m.vill, m.vta, m.vma, m.ones
        );
        m.accesses.clear();
        let before = m.clone();
        let outcome = (self.model)(m, word);
        let trap = if rng.one_in(2) {
            let (trap, accesses) = rig.run_observed(&[word]);
            if outcome == Outcome::Done {
                assert_eq!(accesses, m.accesses, "accesses of {what}");
            }
            trap
        } else {
            rig.run(&[word])
        };
        match outcome {
            Outcome::Done => tally.done += 1,
            Outcome::Illegal => {
                *m = before;
                tally.illegal += 1;
            }
            Outcome::Fault { .. } => tally.faults += 1,
        }
        assert_trap(&trap, &outcome, word, &what);
        m.assert_same(rig, &what);
    }
}

fn assert_trap(trap: &Trap, outcome: &Outcome, word: u32, what: &str) {
    let expected = match *outcome {
        Outcome::Done => (Cause::Breakpoint, 0),
        Outcome::Illegal => (Cause::Illegal, word as u64),
        Outcome::Fault { at, store: false } => (Cause::LoadPage, at),
        Outcome::Fault { at, store: true } => (Cause::StorePage, at),
    };
    assert_eq!((trap.cause, trap.tval), expected, "{:?} of {what}", trap.why);
}

/// A register number that is often aligned for a group.
pub fn register(rng: &mut Rng) -> u32 {
    let align = rng.pick(&[1, 2, 4, 8, 8]);
    rng.below(32) as u32 / align * align
}

/// Asserts that each row that `of` selects was tried, also with reserved operands.
pub fn assert_covered(tallies: &Tallies, of: impl Fn(&Row) -> bool) {
    for row in OPS.iter().map(|op| op.row()).filter(|row| of(row)) {
        let t = tallies.get(row.name).copied().unwrap_or_default();
        // A single whole register is always aligned, and never masked.
        let single = ["vl1r", "vs1r"].iter().any(|name| row.name.starts_with(name));
        assert!(t.done >= 30 && (t.illegal >= 5 || single), "{}: {t:?}", row.name);
        let memory =
            row.class.name().starts_with("vload") || row.class.name().starts_with("vstore");
        assert!(!memory || t.faults >= 5, "{}: {t:?}", row.name);
    }
}
