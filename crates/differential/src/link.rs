//! Links a batch into one ELF executable.

use crate::asm::Asm;
use crate::case::{Batch, Csrs, Image, Job, Registers, State, read_only_page};
use crate::elf::{Segment, write};
use crate::harness::{ACTION_FLAGS, Harness, assemble};
use crate::layout::{
    CODE, CONTROL, DATA, PAGE, RESULT, TABLE, WRITABLE, control, job_result, row, state,
};
use capvec_isa::Op;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// Instructions of the landing pad. Each adds one to t0, so t0 shows where control came back.
pub const PAD: usize = 16;

/// The register that they add to, t0.
pub const PAD_REGISTER: u8 = 5;

/// The address range of a job's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// First instruction.
    pub start: u64,
    /// Address after the last instruction, which is the landing pad.
    pub end: u64,
    leave: u64,
}

/// An executable of a batch.
pub struct Linked {
    /// The ELF file.
    pub elf: Vec<u8>,
    /// The address range of each job.
    pub places: Vec<Place>,
}

/// Collects the contents of distinct `Rc`s as bytes.
struct Pool {
    known: HashMap<*const u8, u64>,
    bytes: Vec<u8>,
}

impl Pool {
    fn new() -> Self {
        Pool { known: HashMap::new(), bytes: Vec::new() }
    }

    /// Offset of the item in `bytes`, which is added if necessary.
    fn place<T: ?Sized>(&mut self, item: &Rc<T>, bytes: impl FnOnce(&T, &mut Vec<u8>)) -> u64 {
        let at = self.bytes.len() as u64;
        match self.known.entry(Rc::as_ptr(item).cast()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(slot) => {
                bytes(item, &mut self.bytes);
                *slot.insert(at)
            }
        }
    }
}

/// Appends a state, except vtype and vstart.
pub(crate) fn state_image(r: &Registers, c: &Csrs, to: &mut Vec<u8>) {
    let start = to.len();
    r.x.iter().chain(&r.f).for_each(|v| to.extend(v.to_le_bytes()));
    [c.vl, c.vcsr, c.fcsr].iter().for_each(|v| to.extend(v.to_le_bytes()));
    to.resize(start + state::V as usize, 0);
    to.extend(&r.v);
}

fn state_images(states: &[State], to: &mut Vec<u8>) {
    for s in states {
        let c = Csrs { vl: s.vl, vcsr: s.vcsr, fcsr: s.fcsr, ..Csrs::default() };
        state_image(&s.registers, &c, to);
    }
}

/// Whether there are vector instructions, which may change vl or vstart depending on data.
fn has_vectors(words: &[u32]) -> bool {
    words.iter().filter_map(|w| crate::coverage::row(*w)).any(|r| r.class.is_vector())
}

/// Appends the program of these words and its landing pad.
///
/// A program with vector instructions does not cross a page. QEMU ends a block before an instruction that does, and
/// links it with the next block that it finds, for later runs, too. But what that block was translated for may not
/// hold in those: whether vl is VLMAX and vstart 0, after a trimmed fault-only-first load, or after an instruction
/// that clears the vstart of a trap.
fn program(a: &mut Asm, words: &[u32], done: u64) -> Place {
    let most = 4 * words.len() as u64 + 2 * PAD as u64;
    if has_vectors(words) && a.here() % PAGE + most > PAGE {
        while !a.here().is_multiple_of(PAGE) {
            a.op(Op::CNop, |_| {});
        }
    }
    let start = a.here();
    words.iter().for_each(|w| a.word(*w));
    let end = a.here();
    for _ in 0..PAD {
        a.op(Op::CAddi, |d| (d.rd, d.rs1, d.imm) = (PAD_REGISTER, PAD_REGISTER, 1));
    }
    let leave = a.here();
    a.far(done);
    // The next program starts at a word boundary, whatever the length of the last word.
    while !a.here().is_multiple_of(4) {
        a.op(Op::CNop, |_| {});
    }
    Place { start, end, leave }
}

fn control_block(rows: u64, image: u64, read_only: u64, handler: u64) -> Vec<u8> {
    let mut block = vec![0; control::SIZE];
    let mut put = |at: i64, v: u64| {
        block[at as usize..at as usize + 8].copy_from_slice(&v.to_le_bytes());
    };
    put(control::JOB, TABLE);
    put(control::END, TABLE + rows * row::SIZE);
    put(control::RESULT, RESULT);
    put(control::DATA, DATA);
    put(control::IMAGE, image);
    let (at, size) = control::SIGNAL_STACK;
    put(control::STACK, CONTROL + at);
    put(control::STACK + 16, size);
    put(control::ACTION, handler);
    put(control::ACTION + 8, ACTION_FLAGS);
    put(control::READ_ONLY, read_only);
    block
}

/// The states and memory images of a batch, and their addresses.
struct Images {
    states: Pool,
    memory: Pool,
    vlenb: u64,
}

impl Images {
    fn memory(&mut self, image: &Image) -> u64 {
        self.memory.place(image, |b, to| to.extend(b))
    }

    /// A job's row. State addresses are relative to the first state, memory addresses to the first image, from 1.
    fn row(&mut self, job: &Job, place: Place) -> [u64; row::SIZE as usize / 8] {
        let mut out = [0; row::SIZE as usize / 8];
        let mut put = |at: i64, v: u64| out[at as usize / 8] = v;
        put(row::START, place.start);
        put(row::END, place.end);
        put(row::LEAVE, place.leave);
        put(row::RA, place.end);
        match job {
            Job::Program(p) => {
                let pool = self.states.place(&p.states, state_images);
                let before = p.range.start as u64 * state::size(self.vlenb);
                put(row::STATES, pool + before);
                put(row::COUNT, p.runs());
                put(row::VTYPE, p.vtype);
                put(row::VSTART, p.vstart);
                put(row::KEEP, p.keep as u64);
                put(row::LIMIT, p.runs() * job_result::MAX_SIGNALS as u64);
            }
            Job::Case(c) => {
                put(row::RA, c.ra.unwrap_or(place.end));
                // CSRs are part of the state, so cases share none.
                put(row::STATES, self.states.bytes.len() as u64);
                state_image(&c.registers, &c.csrs, &mut self.states.bytes);
                put(row::COUNT, 1);
                put(row::VTYPE, c.csrs.vtype);
                put(row::VSTART, c.csrs.vstart);
                put(row::IMAGE, c.image.as_ref().map_or(0, |i| 1 + self.memory(i)));
                put(row::WHOLE, job_result::whole(self.vlenb));
                put(row::LIMIT, job_result::MAX_SIGNALS as u64);
            }
        }
        out
    }
}

/// Largest size of a job's result.
fn max_result_size(job: &Job, vlenb: u64) -> u64 {
    match job {
        Job::Program(p) => job_result::digest(vlenb, p.runs() * job_result::MAX_SIGNALS as u64),
        Job::Case(_) => job_result::whole(vlenb),
    }
}

/// The programs of all jobs, after the harness.
fn programs(batch: &Batch, harness: Harness) -> (Vec<u8>, Vec<Place>) {
    let Harness { mut code, done, .. } = harness;
    let mut a = Asm::new((CODE + code.len() as u64).next_multiple_of(PAGE));
    let mut places: Vec<Place> = Vec::new();
    for (n, job) in batch.jobs.iter().enumerate() {
        let same = n > 0 && Rc::ptr_eq(batch.jobs[n - 1].words(), job.words());
        let place = if same { places[n - 1] } else { program(&mut a, job.words(), done) };
        places.push(place);
    }
    code.resize(code.len().next_multiple_of(PAGE as usize), 0);
    code.extend(a.finish());
    (code, places)
}

/// Links a batch for this VLEN in bytes. Only the jobs in `select` run, but all keep their places.
pub fn link(batch: &Batch, vlenb: u64, select: &[usize]) -> Linked {
    let harness = assemble(CODE);
    let handler = harness.handler;
    let (code, all) = programs(batch, harness);
    let mut images = Images { states: Pool::new(), memory: Pool::new(), vlenb };
    images.memory(&batch.image);
    let jobs = || select.iter().map(|n| (&batch.jobs[*n], all[*n]));
    let mut rows: Vec<_> = jobs().map(|(job, place)| images.row(job, place)).collect();
    let states_at = TABLE + rows.len() as u64 * row::SIZE;
    let images_at = states_at + images.states.bytes.len() as u64;
    let mut table = Vec::new();
    for row in &mut rows {
        row[row::STATES as usize / 8] += states_at;
        let image = &mut row[row::IMAGE as usize / 8];
        *image = image.checked_sub(1).map_or(0, |at| images_at + at);
        row.iter().for_each(|v| table.extend(v.to_le_bytes()));
    }
    table.extend(&images.states.bytes);
    table.extend(&images.memory.bytes);
    let read_only = TABLE + table.len() as u64;
    table.extend(read_only_page());
    // The copy routine has a fixed length.
    table.extend([0; (WRITABLE - PAGE) as usize]);
    let control = control_block(rows.len() as u64, images_at, read_only, handler);
    let total: u64 = jobs().map(|(job, _)| max_result_size(job, vlenb)).sum();
    let (r, w, x) = (4, 2, 1);
    let whole = |addr, bytes, flags| Segment { addr, bytes, memory: bytes.len() as u64, flags };
    let elf = write(
        CODE,
        &[
            whole(CODE, &code, r | x),
            Segment { addr: CONTROL, bytes: &control, memory: control::MEMORY, flags: r | w },
            whole(TABLE, &table, r),
            Segment { addr: RESULT, bytes: &[], memory: total.max(1), flags: r | w },
        ],
        &[],
    );
    Linked { elf, places: jobs().map(|(_, place)| place).collect() }
}
