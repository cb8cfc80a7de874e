//! Vector integer arithmetic, compares, multiplication, fixed point and reductions against an independent model:
//! every row of their tables, with random states and operands.

mod element;
mod manual;
mod model;

use capvec_isa::{Decoded, Ext, Op, encode};
use capvec_sim::Cause;
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, Rng, config};
use capvec_sim::vector::VType;
use model::{Rule, State, reserved};
use std::collections::HashMap;

/// Mnemonics of a table file.
fn mnemonics(table: &str) -> Vec<String> {
    let path = format!("{}/../../isa/{table}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let names = text.lines().filter_map(|l| l.split_once("name = \"")?.1.split_once('"'));
    names.map(|(name, _)| name.to_string()).collect()
}

const X: u8 = 10;

/// The vector state of the rig's hart, with the model's other inputs.
pub fn state_of(rig: &Rig) -> State {
    let v = &rig.h.v;
    State {
        vlenb: v.vlenb(),
        regs: v.bytes(0).to_vec(),
        sew: v.vtype.sew,
        lmul: v.vtype.lmul as i32,
        vta: v.vtype.vta,
        vma: v.vtype.vma,
        vl: v.vl as usize,
        vstart: v.vstart as usize,
        vxrm: v.vxrm,
        vxsat: v.vxsat,
        ones: rig.h.config.agnostic == Agnostic::Ones,
        x: rig.h.x(X),
    }
}

/// Random registers, with many elements at the ends of their range or equal to others.
fn random_registers(rng: &mut Rng, rig: &mut Rig) {
    let regs = rig.h.v.bytes_mut(0);
    rng.fill(regs);
    let style = rng.below(4);
    for chunk in regs.chunks_mut(8) {
        let special = [0, u64::MAX, 0x8080_8080_8080_8080, 0x7f7f_7f7f_7f7f_7f7f, 1 << 63, 1 << 31];
        if style == 1 && rng.one_in(2) {
            let v = rng.pick(&special) ^ if rng.one_in(3) { rng.below(3) } else { 0 };
            chunk.copy_from_slice(&v.to_le_bytes());
        } else if style == 2 {
            chunk.iter_mut().for_each(|b| *b = rng.pick(&[0, 1, 0x7f, 0x80, 0xff]));
        }
    }
}

fn random_state(rng: &mut Rng, rig: &mut Rig) {
    let vlen = rig.h.v.vlen();
    let vtype = loop {
        let bits = rng.below(4) << 3 | rng.below(8) | rng.below(4) << 6;
        let t = VType::decode(bits, 64);
        if !t.vill {
            break t;
        }
    };
    let vlmax = vtype.vlmax(vlen);
    let v = &mut rig.h.v;
    v.vtype = vtype;
    v.vl = match rng.below(6) {
        0 => 0,
        1 => 1,
        2 => vlmax - 1,
        3 | 4 => vlmax,
        _ => rng.below(vlmax + 1),
    };
    v.vstart = match rng.below(8) {
        0 => rng.below(v.vl + 1),
        1 => rng.below(vlen),
        _ => 0,
    };
    v.vxrm = rng.below(4) as u8;
    v.vxsat = rng.one_in(4);
    let x = rng.next() >> rng.below(64);
    rig.h.write_x(X, if rng.one_in(2) { x } else { !x });
    random_registers(rng, rig);
}

/// Random operands: mostly aligned to the largest likely group, sometimes equal, sometimes v0.
fn random_operands(rng: &mut Rng, op: Op, name: &str, lmul: i8) -> Decoded {
    let mut d = Decoded::new(op);
    let align = match rng.below(8) {
        0 => 1,
        1 | 2 => 1 << (lmul.max(0) as u64),
        _ => 1 << (lmul + 1).clamp(0, 3) as u64,
    };
    let few = rng.pick(&[3, 8, 32]);
    let mut reg = || (rng.below(few) * align % 32) as u8;
    (d.rd, d.rs2, d.rs1) = (reg(), reg(), reg());
    let suffix = name.split_once('.').unwrap().1;
    if suffix.contains('x') || suffix == "v.x" {
        d.rs1 = X;
    }
    d.imm = if suffix.contains('i') { rng.below(32) as i64 } else { 0 };
    if name.starts_with("vmv") {
        d.rs2 = 0;
    }
    if suffix.starts_with("vf") || suffix.contains('i') {
        d.rs1 = 0;
    }
    d.vm = rng.one_in(2);
    // Some of these operands cannot be encoded: if there is no vm bit, or if the immediate is signed.
    for _ in 0..4 {
        if encode(&d).is_some() {
            return d;
        }
        if d.imm >= 16 {
            d.imm -= 32;
        } else {
            d.vm = !d.vm;
        }
    }
    panic!("no encoding: {d:?}");
}

/// Runs `d` in the rig's state and compares with the model. Returns the rule that made it trap.
pub fn check(rig: &mut Rig, d: &Decoded) -> Option<Rule> {
    let name = d.op.name();
    let word = encode(d).unwrap();
    // The checks depend on the encoded vm bit.
    let masked = Decoded { vm: word >> 25 & 1 != 0, ..*d };
    let before = state_of(rig);
    let rule = reserved(name, &masked, &before);
    let trap = rig.run(&[word]);
    let after = state_of(rig);
    let context = || {
        let s = State { regs: Vec::new(), ..before.clone() };
        format!("{name} {d:?} in {s:?}: {rule:?}, {:?}", trap.why)
    };
    if rule.is_some() {
        assert_eq!(trap.cause, Cause::Illegal, "{}", context());
        assert!(before == after, "state changed by a trap: {}", context());
        return rule;
    }
    assert_eq!(trap.cause, Cause::Breakpoint, "{}", context());
    let expected = before.after(name, &masked);
    let same = |s: &State| (s.vstart, s.vxsat, s.vl, s.x);
    assert_eq!(same(&after), same(&expected), "{}", context());
    let wrong = (0..after.regs.len()).find(|&k| after.regs[k] != expected.regs[k]);
    if let Some(k) = wrong {
        let (reg, byte) = (k / before.vlenb, k % before.vlenb);
        let (got, want) = (after.regs[k], expected.regs[k]);
        panic!("v{reg} byte {byte}: {got:#x}, expected {want:#x}: {}", context());
    }
    None
}

/// Runs every instruction of a table file `n` times on each VLEN and policy. Returns how often each rule of the
/// reserved encodings was exercised; `None` counts the legal runs.
fn sweep(table: &str, n: u64) -> HashMap<Option<Rule>, u64> {
    let mut rng = Rng::new(table);
    let names = mnemonics(table);
    assert!(names.len() >= 10, "{table} has {} rows", names.len());
    let mut met = HashMap::new();
    for vlen in [128, 256, 512, 1024] {
        for agnostic in [Agnostic::Undisturbed, Agnostic::Ones] {
            let mut rig = Rig::new(config(&[Ext::V], vlen, agnostic));
            for name in &names {
                let op = Op::from_name(name).unwrap();
                for _ in 0..n {
                    random_state(&mut rng, &mut rig);
                    let d = random_operands(&mut rng, op, name, rig.h.v.vtype.lmul);
                    *met.entry(check(&mut rig, &d)).or_default() += 1;
                }
            }
        }
    }
    println!("{table}: {met:?}");
    met
}

/// Asserts that the sweep exercised these rules.
fn assert_met(met: &HashMap<Option<Rule>, u64>, rules: &[Rule]) {
    for rule in rules.iter().map(|&r| Some(r)).chain([None]) {
        assert!(met.get(&rule).is_some_and(|&n| n > 20), "{rule:?} hardly met: {met:?}");
    }
}

#[test]
fn integer() {
    use Rule::*;
    assert_met(&sweep("v_int", 60), &[Emul, Eew, Alignment, Overlap, MaskedV0, TwoWidths]);
}

#[test]
fn compare() {
    use Rule::*;
    assert_met(&sweep("v_cmp", 60), &[Alignment, Overlap, TwoWidths]);
}

#[test]
fn multiply() {
    use Rule::*;
    assert_met(&sweep("v_mul", 60), &[Emul, Eew, Alignment, Overlap, MaskedV0, TwoWidths]);
}

#[test]
fn fixed_point() {
    use Rule::*;
    assert_met(&sweep("v_fixed", 80), &[Emul, Eew, Alignment, Overlap, MaskedV0, TwoWidths]);
}

#[test]
fn reduction() {
    use Rule::*;
    assert_met(&sweep("v_red", 150), &[Eew, Alignment, TwoWidths, Vstart]);
}
