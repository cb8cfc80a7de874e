//! Random programs on both engines.

use super::{CODE, DATA, Pair, specials};
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::PAGE;
use capvec_sim::testing::Rng;
use capvec_sim::{Hart, Stop};

/// Approximate number of instructions of a program.
pub const LENGTH: u64 = 48;

/// A value for registers: an address near a page boundary, or any number.
fn value(rng: &mut Rng) -> u64 {
    match rng.below(8) {
        0..4 => {
            let near = DATA + rng.below(7) * PAGE;
            near.wrapping_add(rng.below(64)).wrapping_sub(32)
        }
        4 => DATA + rng.below(2 * PAGE),
        5 => CODE + rng.below(LENGTH * 4),
        6 => rng.next() >> rng.below(64),
        _ => rng.next(),
    }
}

fn seed_registers(rng: &mut Rng, pair: &mut Pair) {
    let values: Vec<u64> = (0..32).map(|_| value(rng)).collect();
    pair.both(|h| (1..32).for_each(|r| h.write_x(r, values[r as usize])));
}

fn seed_rest(rng: &mut Rng, pair: &mut Pair) {
    let f: Vec<u64> = (0..32).map(|_| specials::value(rng)).collect();
    let mut v = vec![0; pair.jit.1.v.bytes(0).len()];
    rng.fill(&mut v);
    pair.both(|h| {
        h.f.copy_from_slice(&f);
        h.v.bytes_mut(0).copy_from_slice(&v);
    });
}

fn skip(h: &mut Hart, len: u64) {
    h.pc = h.pc.wrapping_add(len);
}

/// Runs random programs, resuming after each trap and switching contexts: half of them with agnostic elements unchanged, half
/// with agnostic elements set to ones. Returns the harts.
pub fn campaign(
    name: &str,
    mut pair: Pair,
    programs: u64,
    mut program: impl FnMut(&mut Rng) -> Vec<u8>,
) -> Pair {
    let mut rng = Rng::new(name);
    for n in 0..programs {
        if n == programs / 2 {
            pair.replace_harts(Agnostic::Ones);
        }
        let code = program(&mut rng);
        pair.load(&code);
        seed_registers(&mut rng, &mut pair);
        seed_rest(&mut rng, &mut pair);
        for _ in 0..60 {
            let budget = rng.below(40);
            if let Stop::Trap(_) = pair.run(budget) {
                let end = CODE + code.len() as u64;
                let (pc, inside) = (pair.jit.1.pc, (CODE..end).contains(&pair.jit.1.pc));
                let mut first = [0; 1];
                if inside && pair.jit.1.mem.read(pc, &mut first).is_ok() && pc & 1 == 0 {
                    let len = if first[0] & 3 == 3 { 4 } else { 2 };
                    pair.both(|h| skip(h, len));
                } else {
                    pair.both(|h| h.pc = CODE);
                }
                seed_registers(&mut rng, &mut pair);
            }
            if rng.one_in(20) {
                pair.switch(rng.one_in(2));
            }
        }
        pair.compare_memory();
    }
    pair.compare_histograms();
    pair
}
