//! Code that changes: random programs that overwrite their own words, in pages that also hold data, with and without
//! fence.i, while mappings change around them. The interpreter compares every block with memory at every fence.i; the
//! translating engine compares only blocks that may have changed.
#![cfg(all(translates, target_os = "linux"))]

use crate::common::{EAGER, Pair, object};
use capvec_isa::Op;
use capvec_jit::Options;
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{Rng, word};
use capvec_sim::{Hart, Stop};

/// Pages of code and data; the last one is shared and is also mapped at `ALIAS`.
const PLACE: u64 = 0x20_0000;
const PAGES: u64 = 4;
const SHARED: u64 = PLACE + (PAGES - 1) * PAGE;
const ALIAS: u64 = 0x40_0000;
const RWX: Perm = Perm(7);
const RX: Perm = Perm(5);

/// Registers of the programs: pointers into the pages, instruction words, numbers.
const POINTERS: [u8; 4] = [5, 6, 7, 8];
const WORDS: [u8; 8] = [16, 17, 18, 19, 20, 21, 22, 23];
const NUMBERS: [u8; 6] = [10, 11, 12, 13, 14, 15];

/// A distance to a word nearby, forwards twice as often as backwards.
fn near(rng: &mut Rng) -> i64 {
    let n = 4 * (1 + rng.below(12) as i64);
    if rng.one_in(3) { -n } else { n }
}

/// A random instruction.
fn random_word(rng: &mut Rng) -> u32 {
    let (a, b, d) = (rng.pick(&NUMBERS), rng.pick(&NUMBERS), rng.pick(&NUMBERS));
    let (pointer, value) = (rng.pick(&POINTERS), rng.pick(&WORDS));
    let (near, far) = (near(rng), 4 * rng.below(512) as i64 - 1024);
    match rng.below(24) {
        0..6 => word(Op::Addi, |i| (i.rd, i.rs1, i.imm) = (d, a, far / 4)),
        6..9 => word(Op::Xor, |i| (i.rd, i.rs1, i.rs2) = (d, a, b)),
        9 => word(Op::Sw, |i| (i.rs1, i.rs2, i.imm) = (pointer, value, far)),
        10 => word(Op::Sd, |i| (i.rs1, i.rs2, i.imm) = (pointer, value, far)),
        11 => word(Op::AmoswapW, |i| (i.rd, i.rs1, i.rs2) = (d, pointer, value)),
        12..14 => word(Op::Lw, |i| (i.rd, i.rs1, i.imm) = (d, pointer, far)),
        14 => word(Op::Addi, |i| (i.rd, i.rs1, i.imm) = (pointer, pointer, far)),
        15..18 => word(Op::Bne, |i| (i.rs1, i.rs2, i.imm) = (a, b, near)),
        18 => word(Op::Beq, |i| (i.rs1, i.rs2, i.imm) = (a, b, near)),
        19 => word(Op::Jal, |i| (i.rd, i.imm) = (1, far)),
        20 => word(Op::Jalr, |i| i.rs1 = 1),
        21 => word(Op::Jalr, |i| (i.rd, i.rs1) = (1, pointer)),
        22 => word(Op::FenceI, |_| ()),
        // cycle
        _ => word(Op::Csrrs, |i| (i.rd, i.imm) = (d, 0xc00)),
    }
}

fn random_page(rng: &mut Rng) -> Vec<u8> {
    (0..PAGE / 4).flat_map(|_| random_word(rng).to_le_bytes()).collect()
}

/// The address of a word, often near a page boundary.
fn place(rng: &mut Rng) -> u64 {
    let at = if rng.one_in(2) { rng.below(1024) } else { 1024 - 16 + rng.below(32) };
    PLACE + (rng.below(PAGES) * PAGE + at * 4) % (PAGES * PAGE)
}

/// Maps the pages with random contents.
fn map_pages(rng: &mut Rng, pair: &mut Pair) {
    let pages: Vec<u8> = (0..PAGES).flat_map(|_| random_page(rng)).collect();
    pair.both(|h| {
        h.mem.map(PLACE, PAGES * PAGE, RWX).expect("pages");
        let object = object(1);
        for (at, perm) in [(SHARED, RWX), (ALIAS, Perm::RW)] {
            h.mem.map_shared(at, PAGE, perm, &object, 0).expect("a page");
        }
        h.mem.write(PLACE, &pages).expect("they are writable");
    });
}

fn set_registers(rng: &mut Rng, pair: &mut Pair) {
    let (pc, link) = (place(rng), place(rng));
    let pointers = POINTERS.map(|_| if rng.one_in(5) { ALIAS + 2048 } else { place(rng) });
    let words = WORDS.map(|_| (random_word(rng) as u64) << 32 | random_word(rng) as u64);
    let numbers = NUMBERS.map(|_| rng.below(3));
    pair.both(|h| {
        (h.pc, h.reservation) = (pc, None);
        h.write_x(1, link);
        let all = POINTERS.iter().zip(pointers).chain(WORDS.iter().zip(words));
        all.chain(NUMBERS.iter().zip(numbers)).for_each(|(r, v)| h.write_x(*r, v));
    });
}

/// The address of a word, often near the pc.
fn recent(rng: &mut Rng, pair: &Pair) -> u64 {
    let near = (pair.jit.1.pc & !3).wrapping_add_signed(near(rng) - 8);
    let inside = (PLACE..PLACE + PAGES * PAGE).contains(&near);
    if inside && !rng.one_in(3) { near } else { place(rng) }
}

/// What a system call, or another process, may do between two runs.
fn change(rng: &mut Rng, pair: &mut Pair) {
    let (at, new, contents) = (recent(rng, pair), random_word(rng).to_le_bytes(), random_page(rng));
    let page = PLACE + rng.below(PAGES - 1) * PAGE;
    let apply: &dyn Fn(&Hart) = match rng.below(12) {
        _ if at >= SHARED => &|h| h.mem.write(ALIAS + at % PAGE, &new).expect("it is writable"),
        0..6 => &|h| h.mem.write_as(at, &new, Perm::NONE).expect("it is mapped"),
        6..9 => &|h| h.mem.code_changed(),
        9 => &|h| assert!(h.mem.protect(page, PAGE, RX)),
        10 => &|h| assert!(h.mem.protect(PLACE, PAGES * PAGE, RWX)),
        _ => &|h| {
            h.mem.unmap(page, PAGE).expect("a page");
            h.mem.map(page, PAGE, RWX).expect("a page");
            h.mem.write(page, &contents).expect("it is writable");
        },
    };
    pair.both(|h| apply(h));
    if rng.one_in(2) {
        pair.both(|h| h.mem.code_changed());
    }
}

fn contents(h: &Hart) -> Vec<u8> {
    let mut all = vec![0; (PAGES * PAGE) as usize];
    h.mem.read_as(PLACE, &mut all, Perm::NONE).expect("they are mapped");
    all
}

fn changing(core: &str, options: Options, programs: u64) {
    let name = format!("changing code, {core}, {}", options.hot_threshold);
    let mut rng = Rng::new(&name);
    let mut pair = Pair::on(core, 128, options);
    for _ in 0..programs {
        map_pages(&mut rng, &mut pair);
        for _ in 0..12 {
            set_registers(&mut rng, &mut pair);
            for _ in 0..12 {
                let budget = rng.below(150);
                if let Stop::Trap(_) = pair.run(budget) {
                    set_registers(&mut rng, &mut pair);
                }
                if rng.one_in(4) {
                    change(&mut rng, &mut pair);
                }
            }
        }
        assert!(contents(&pair.jit.1) == contents(&pair.interp.1), "memory");
    }
    pair.compare_histograms();
}

#[test]
fn code_that_keeps_changing() {
    for hot_threshold in [0, 1, 4] {
        let options = Options { hot_threshold, count: hot_threshold == 1, ..EAGER };
        changing("ideal", options, 60);
        changing("karu64", options, 40);
    }
}

#[test]
fn code_that_keeps_changing_in_a_small_buffer() {
    let options = Options { hot_threshold: 1, code_bytes: 64 << 10, ..EAGER };
    changing("ideal", options, 40);
    changing("karu64", options, 40);
}
