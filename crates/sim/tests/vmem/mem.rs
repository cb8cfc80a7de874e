//! Random loads and stores.

use super::state::{Legal, Machine, Outcome, Regs, bits, vm};
use super::suite::{Suite, assert_covered, register};
use capvec_sim::hart::Access;
use capvec_sim::mem::Perm;
use capvec_sim::testing::{DATA, Rng};

const UNIT: usize = 0;
const STRIDED: usize = 2;

fn width_bits(word: u32) -> usize {
    [8, 0, 0, 0, 0, 16, 32, 64][bits(word, 12, 3)]
}

/// A load or store, possibly reserved, whose base, stride and indices mostly stay inside the memory.
fn word(rng: &mut Rng, m: &mut Machine) -> u32 {
    let store = rng.one_in(2);
    let mop = rng.pick(&[0, 0, 1, 2, 3]);
    let any = rng.below(32) as u32;
    let unit_kind = rng.pick(&[0, 0, 8, 8, 11, 16, any]);
    let rs2 = if mop == 0 { unit_kind } else { register(rng) };
    // Whole-register accesses have no mask and a power-of-two count; mask accesses have no count and no width.
    let whole = mop == 0 && unit_kind == 8;
    let mask = mop == 0 && unit_kind == 11 && !rng.one_in(4);
    let width = if mask { 0 } else { rng.pick(&[0, 5, 6, 7]) };
    let any = rng.below(8) as u32;
    let nf = match (mask, whole) {
        (true, _) => 0,
        (_, true) => rng.pick(&[0, 1, 3, 7, any]),
        _ => rng.pick(&[0, any]),
    };
    let vm = u32::from(mask || whole || rng.one_in(2));
    let mew = u32::from(rng.one_in(64));
    let vd = register(rng);
    let rs1 = if rng.one_in(50) { 0 } else { 10 };
    let word = nf << 29 | mew << 28 | mop << 26 | vm << 25 | rs2 << 20 | rs1 << 15 | width << 12;
    let word = word | vd << 7 | if store { 0x27 } else { 0x07 };
    let len = m.mem.len() as u64;
    m.x[10] = DATA.wrapping_add(match rng.below(5) {
        0 => rng.below(len),
        1 => rng.below(len / 2),
        2 => rng.below(len / 4),
        3 => len - rng.below(64),
        _ => 0u64.wrapping_sub(rng.below(32)),
    });
    if mop as usize == STRIDED {
        m.x[rs2 as usize] = stride(rng, m, word);
        m.x[0] = 0;
    } else if mop as usize != UNIT {
        indices(rng, m, word);
    }
    word
}

fn stride(rng: &mut Rng, m: &Machine, word: u32) -> u64 {
    let size = (width_bits(word) / 8 * (bits(word, 29, 3) + 1)) as i64;
    let near = rng.below(200) as i64 - 100;
    // Base and stride may be the same register.
    let same = m.x[10] as i64;
    let huge = rng.next() as i64;
    let stride = rng.pick(&[0, size, -size, 3, near, near, near / 10, huge, same]);
    if bits(word, 20, 5) == 10 { m.x[10] } else { stride as u64 }
}

fn indices(rng: &mut Rng, m: &mut Machine, word: u32) {
    let (vs2, size) = (bits(word, 20, 5), width_bits(word) / 8);
    let end = (vs2 * m.vlenb() + 8 * m.vlenb()).min(m.v.len());
    let (limit, wild) = (m.mem.len() as u64 / 3, rng.one_in(4));
    for at in (vs2 * m.vlenb()..end).step_by(size) {
        let far = wild && rng.one_in(60);
        let index = if far { rng.next() } else { rng.below(limit) };
        m.v[at..at + size].copy_from_slice(&index.to_le_bytes()[..size]);
    }
}

/// A load or store with legal operands.
struct Plan {
    first: usize,
    /// Eighths.
    emul: usize,
    size: usize,
    fields: usize,
    end: usize,
    tail_agnostic: bool,
    fault_only_first: bool,
}

impl Plan {
    fn register(&self, field: usize) -> usize {
        self.first + field * self.emul.div_ceil(8)
    }
}

/// The data registers. A masked load must not have v0 among them, and a store must not read them at two widths.
fn data_registers(m: &Machine, word: u32, p: &Plan) -> Legal<Regs> {
    let regs = m.groups(p.first, p.emul, p.fields)?;
    (p.size * 8 <= m.elen && (vm(word) || regs & 1 == 0)).then_some(regs)
}

fn unit(m: &Machine, word: u32, mut p: Plan) -> Legal<Plan> {
    let store = bits(word, 0, 7) == 0x27;
    match (bits(word, 20, 5), store) {
        (0b00000, _) => {}
        (0b10000, false) => p.fault_only_first = true,
        (0b01011, _) => {
            let plain = p.size == 1 && p.fields == 1 && vm(word);
            (p.emul, p.end, p.tail_agnostic) = (8, m.vl.div_ceil(8), true);
            return (plain && !m.vill).then_some(p);
        }
        (0b01000, _) => {
            // NFIELDS registers, whatever vtype is.
            p.emul = p.fields * 8;
            p.end = p.fields * m.vlenb() / p.size;
            let plain = vm(word) && p.fields.is_power_of_two() && (!store || p.size == 1);
            p.fields = 1;
            data_registers(m, word, &p)?;
            return plain.then_some(p);
        }
        _ => return None,
    }
    p.emul = m.emul(p.size * 8)?;
    data_registers(m, word, &p)?;
    (!m.vill).then_some(p)
}

fn indexed(m: &Machine, word: u32, mut p: Plan) -> Legal<Plan> {
    let store = bits(word, 0, 7) == 0x27;
    let index_width = p.size * 8;
    (p.size, p.emul) = (m.sew / 8, m.lmul);
    let data = data_registers(m, word, &p)?;
    let index_emul = m.emul(index_width)?;
    let index = m.groups(bits(word, 20, 5), index_emul, 1)?;
    let overlap = if store {
        data & index == 0 || index_width == m.sew
    } else if p.fields > 1 {
        data & index == 0
    } else {
        Machine::overlap_ok(data, m.sew, index, index_width, index_emul)
    };
    let legal = overlap && index_width <= m.elen && (vm(word) || index & 1 == 0) && !m.vill;
    legal.then_some(p)
}

fn plan(m: &Machine, word: u32) -> Legal<Plan> {
    let p = Plan {
        first: bits(word, 7, 5),
        emul: 0,
        size: width_bits(word) / 8,
        fields: bits(word, 29, 3) + 1,
        end: m.vl,
        tail_agnostic: m.vta,
        fault_only_first: false,
    };
    if bits(word, 28, 1) == 1 {
        return None;
    }
    match bits(word, 26, 2) {
        UNIT => unit(m, word, p),
        STRIDED => {
            let emul = m.emul(p.size * 8)?;
            let p = Plan { emul, ..p };
            data_registers(m, word, &p)?;
            (!m.vill).then_some(p)
        }
        _ => indexed(m, word, p),
    }
}

fn address(m: &Machine, word: u32, p: &Plan, k: usize) -> u64 {
    let offset = match bits(word, 26, 2) {
        UNIT => (k * p.size * p.fields) as u64,
        STRIDED => (k as u64).wrapping_mul(m.x[bits(word, 20, 5)]),
        _ => m.number(bits(word, 20, 5), k, width_bits(word) / 8),
    };
    m.x[bits(word, 15, 5)].wrapping_add(offset)
}

/// Merges contiguous accesses.
fn joined(accesses: &[Access]) -> Vec<Access> {
    let mut out: Vec<Access> = Vec::new();
    for a in accesses {
        match out.last_mut() {
            Some(last) if last.addr + last.size as u64 == a.addr => last.size += a.size,
            _ => out.push(*a),
        }
    }
    out
}

/// Transfers all segments; returns the address of the first fault.
fn move_all(m: &mut Machine, word: u32, p: &Plan, store: bool) -> Option<u64> {
    let need = if store { Perm::W } else { Perm::R };
    for k in m.vstart..p.end {
        let base = address(m, word, p, k);
        for f in 0..p.fields {
            if !m.active(word, k) {
                if !store {
                    m.inactive(p.register(f), k, p.size);
                }
                continue;
            }
            let addr = base.wrapping_add((f * p.size) as u64);
            if let Some(at) = m.fault(addr, p.size, need) {
                m.vstart = k;
                return Some(at);
            }
            m.move_element(addr, m.at(p.register(f), k, p.size), store);
        }
    }
    None
}

fn model(m: &mut Machine, word: u32) -> Outcome {
    let Some(p) = plan(m, word) else { return Outcome::Illegal };
    let store = bits(word, 0, 7) == 0x27;
    if m.vstart < p.end {
        if let Some(at) = move_all(m, word, &p, store) {
            if !p.fault_only_first || m.vstart == 0 {
                return Outcome::Fault { at, store };
            }
            m.vl = m.vstart;
        }
        if !store {
            for f in 0..p.fields {
                m.tail(p.register(f), p.end, p.size, p.emul, p.tail_agnostic);
            }
        }
    }
    m.vstart = 0;
    if bits(word, 26, 2) == UNIT && p.fields == 1 {
        m.accesses = joined(&m.accesses);
    }
    Outcome::Done
}

#[test]
fn random_loads_and_stores() {
    let window = |vlen: usize| if vlen > 1024 { 1 << 17 } else { 1 << 15 };
    let tallies = Suite { name: "v_mem", word, model, window }.run(9000);
    assert_covered(&tallies, |row| row.class.name().starts_with("vload"));
    assert_covered(&tallies, |row| row.class.name().starts_with("vstore"));
}
