//! Makes one ELF executable of a batch.

use crate::asm::Asm;
use crate::case::{Batch, Case, Registers, read_only_page};
use crate::elf::{Segment, write};
use crate::harness::{ACTION_FLAGS, Harness, assemble};
use crate::layout::{
    CODE, CONTROL, DATA, PAGE, RESULT, TABLE, WRITABLE, control, record, registers, row,
};
use capvec_isa::Op;
use std::rc::Rc;

/// Instructions of the landing pad: each adds one to t0, so that t0 tells where control came back.
pub const PAD: usize = 16;

/// Where a case's program lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// First instruction.
    pub start: u64,
    /// Behind the last: the landing pad.
    pub end: u64,
    leave: u64,
}

/// A batch as an executable.
pub struct Linked {
    /// The ELF file.
    pub elf: Vec<u8>,
    /// Of each case.
    pub places: Vec<Place>,
    /// Offset of each case's record in the output, and the whole length.
    pub records: Vec<usize>,
}

/// Numbers distinct `Rc`s in order of appearance and collects what `bytes` makes of each.
struct Pool<T: ?Sized> {
    last: Vec<(*const T, u64)>,
    bytes: Vec<u8>,
}

impl<T: ?Sized> Pool<T> {
    fn new() -> Self {
        Pool { last: Vec::new(), bytes: Vec::new() }
    }

    /// Offset of the item in `bytes`.
    fn place(&mut self, item: &Rc<T>, bytes: impl FnOnce(&T, &mut Vec<u8>)) -> u64 {
        let key = Rc::as_ptr(item);
        if let Some(&(_, at)) = self.last.iter().find(|(k, _)| std::ptr::addr_eq(*k, key)) {
            return at;
        }
        let at = self.bytes.len() as u64;
        self.last.push((key, at));
        bytes(item, &mut self.bytes);
        at
    }
}

fn register_image(r: &Registers, to: &mut Vec<u8>) {
    r.x.iter().chain(&r.f).for_each(|v| to.extend(v.to_le_bytes()));
    to.extend(&r.v);
}

/// Appends the program of these words and its landing pad.
fn program(a: &mut Asm, words: &[u32], done: u64) -> Place {
    let start = a.here();
    words.iter().for_each(|w| a.word(*w));
    let end = a.here();
    for _ in 0..PAD {
        a.op(Op::CAddi, |d| (d.rd, d.rs1, d.imm) = (5, 5, 1));
    }
    let leave = a.here();
    a.far(done);
    // Whatever a word that starts here is long, the next program begins at a word.
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
    put(control::CASE, TABLE);
    put(control::END, TABLE + rows * row::SIZE);
    put(control::RECORD, RESULT);
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

fn table_row(case: &Case, place: Place, registers: u64, image: u64, size: u64) -> [u64; 13] {
    let mut out = [0; row::SIZE as usize / 8];
    let c = &case.csrs;
    for (at, v) in [
        (row::START, place.start),
        (row::END, place.end),
        (row::LEAVE, place.leave),
        (row::RA, case.ra.unwrap_or(place.end)),
        (row::REGISTERS, registers),
        (row::VTYPE, c.vtype),
        (row::VL, c.vl),
        (row::VSTART, c.vstart),
        (row::VCSR, c.vcsr),
        (row::FCSR, c.fcsr),
        (row::IMAGE, image),
        (row::DIGEST, case.writes as u64),
        (row::RECORD, size),
    ] {
        out[at as usize / 8] = v;
    }
    out
}

/// Links a batch for this VLEN in bytes.
pub fn link(batch: &Batch, vlenb: u64) -> Linked {
    let Harness { code, done, handler } = assemble(CODE);
    let mut a = Asm::new((CODE + code.len() as u64).next_multiple_of(PAGE));
    let mut places: Vec<Place> = Vec::new();
    for (n, case) in batch.cases.iter().enumerate() {
        let same = n > 0 && Rc::ptr_eq(&batch.cases[n - 1].words, &case.words);
        let place = if same { places[n - 1] } else { program(&mut a, &case.words, done) };
        places.push(place);
    }
    let mut code = code;
    code.resize(code.len().next_multiple_of(PAGE as usize), 0);
    code.extend(a.finish());

    let rows = batch.cases.len() as u64;
    let (mut pool, mut images) = (Pool::new(), Pool::new());
    let raw = |b: &[u8], to: &mut Vec<u8>| to.extend(b);
    images.place(&batch.image, raw);
    let placed: Vec<(u64, Option<u64>)> = batch
        .cases
        .iter()
        .map(|c| {
            let image = c.image.as_ref().map(|i| images.place(i, raw));
            (pool.place(&c.registers, register_image), image)
        })
        .collect();
    let pool_at = TABLE + rows * row::SIZE;
    let images_at = pool_at + pool.bytes.len() as u64;
    let mut table = Vec::new();
    let mut records = vec![0];
    for ((case, place), (registers, image)) in batch.cases.iter().zip(&places).zip(placed) {
        let size = record::size(vlenb, case.memory());
        records.push(records[records.len() - 1] + size as usize);
        let image = image.map_or(0, |i| images_at + i);
        let row = table_row(case, *place, pool_at + registers, image, size);
        row.iter().for_each(|v| table.extend(v.to_le_bytes()));
    }
    debug_assert!((pool.bytes.len() as u64).is_multiple_of(registers::size(vlenb)));
    table.extend(&pool.bytes);
    table.extend(&images.bytes);

    let total = records[records.len() - 1] as u64;
    let read_only = TABLE + table.len() as u64;
    table.extend(read_only_page());
    // Copying knows one length only.
    table.extend([0; (WRITABLE - PAGE) as usize]);
    let control = control_block(rows, images_at, read_only, handler);
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
    );
    Linked { elf, places, records }
}
