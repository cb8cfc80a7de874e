//! Known answers of draft instructions (`vectors/instructions/`) on both engines, at every VLEN from 128 to 2048, with every
//! LMUL and both policies for agnostic elements.
#![cfg(translates)]

use crate::common::{CODE, EAGER, Pair};
use capvec_isa::op::OPS;
use capvec_isa::{Decoded, Ext, Op, encode};
use capvec_sim::Memory;
use capvec_sim::hart::{Agnostic, Hart};
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{Rng, config};
use capvec_sim::vector::VType;
use std::collections::BTreeMap;
use std::sync::Arc;

const FILE: &str = include_str!("../../../vectors/instructions/drafts.txt");
/// Registers of the operands: groups of LMUL 8, and at VLEN 128 a state of Keccak.
const VD: u8 = 16;
const VS2: u8 = 24;
const VS1: u8 = 8;
const RS1: u8 = 10;

/// The fields of a record.
struct Record(BTreeMap<&'static str, &'static str>);

impl Record {
    fn field(&self, name: &str) -> &'static str {
        self.0.get(name).copied().unwrap_or_default()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        let digits = self.field(name).as_bytes();
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        digits.chunks(2).map(byte).collect()
    }

    fn ext(&self) -> Ext {
        Ext::all().find(|e| e.info().name == self.field("isa")).expect("an extension")
    }

    fn decoded(&self) -> Decoded {
        let has = |op: &Op| op.row().name == self.field("insn") && op.row().exts.has(self.ext());
        let op = OPS.iter().copied().find(has).expect("an instruction of the extension");
        let rs1 = match op.row().args {
            args if args.contains("rs1") => RS1,
            args if args.contains("vs1") => VS1,
            _ => 0,
        };
        let rs2 = if op.row().args.contains("vs2") { VS2 } else { 0 };
        let imm = self.field("uimm").parse().unwrap_or(0);
        Decoded { rd: VD, rs2, rs1, imm, vm: true, ..Decoded::new(op) }
    }
}

fn records() -> Vec<Record> {
    let mut parts = FILE.split("\n\n").map(|part| {
        let fields = part.lines().filter(|line| !line.starts_with('#'));
        Record(fields.map(|line| line.split_once(" = ").expect("a field")).collect())
    });
    assert_eq!(parts.next().expect("a header").field("format"), "capvec-instructions 1");
    parts.collect()
}

/// Replaces both harts by ones that have the draft.
fn harts(pair: &mut Pair, r: &Record, vlen: u32, agnostic: Agnostic, code: &[u8]) {
    let exts: Vec<Ext> = Ext::ratified().filter(|e| *e != Ext::Zvbc).chain([r.ext()]).collect();
    pair.switch(true);
    pair.both(|h| {
        let mem = Memory::new().expect("an address space");
        mem.map(CODE, PAGE, Perm(7)).expect("a page");
        *h = Hart::new(Arc::new(config(&exts, vlen, agnostic)), mem);
    });
    pair.load(code);
}

/// Checks one record with this vtype; half of the time, with one group fewer than fit. Returns false if none fits.
fn check(pair: &mut Pair, r: &Record, vtype: VType, rng: &mut Rng) -> bool {
    let vlen = pair.jit.1.config.vlen;
    let out = r.bytes("out");
    let one = r.field("insn") == "vkeccak.vi"
        && (r.field("isa") == "zvknhk0p1" || r.field("isa") == "zvknhk0p2" && vlen == 128);
    let elements = out.len() as u64 * 8 / vtype.sew as u64;
    let fit = vtype.vlmax(vlen as u64) / elements;
    if fit == 0 && !one {
        return false;
    }
    let groups = if one { 1 } else { fit - (fit > 1 && rng.one_in(2)) as u64 };
    let seed: [u8; 32] = rng.bytes();
    let x = r.bytes("rs1");
    pair.both(|h| {
        (h.v.vtype, h.v.vl, h.v.vstart, h.pc) = (vtype, groups * elements, 0, CODE);
        if one {
            h.v.vl = 1;
        }
        let noise = h.v.bytes_mut(0).chunks_mut(32);
        noise.for_each(|chunk| chunk.copy_from_slice(&seed[..chunk.len()]));
        if let Ok(x) = x[..].try_into() {
            h.write_x(RS1, u64::from_le_bytes(x));
        }
        for (reg, name) in [(VD, "vd"), (VS2, "vs2"), (VS1, "vs1")] {
            let (all, first) = (r.bytes(name), r.bytes(&format!("scalar-{name}")));
            h.v.bytes_mut(reg)[..first.len()].copy_from_slice(&first);
            for g in 0..groups as usize * all.len().min(1) {
                h.v.bytes_mut(reg)[g * all.len()..][..all.len()].copy_from_slice(&all);
            }
        }
    });
    let before = pair.jit.1.v.bytes(0).to_vec();
    pair.run(1);
    let after = pair.jit.1.v.bytes(0);
    let at = VD as usize * vlen as usize / 8;
    let body = at..at + groups as usize * out.len();
    let (id, insn) = (r.field("id"), r.field("insn"));
    assert_eq!(pair.jit.1.pc, CODE + 4, "{id}: {insn} is legal");
    assert!(
        after[body.clone()] == out.repeat(groups as usize),
        "{id}: {insn}, VLEN {vlen}, {vtype:?}"
    );
    let end = if one { body.end } else { at + ((vlen as usize / 8) << vtype.lmul) };
    assert!(after[..at] == before[..at] && after[end..] == before[end..], "{id}: {insn}");
    true
}

#[test]
fn both_engines_give_the_known_answers() {
    let mut rng = Rng::new("both_engines_give_the_known_answers");
    let all = records();
    assert!(all.len() > 80, "{} records", all.len());
    for vlen in [128, 256, 512, 1024, 2048] {
        let mut pair = Pair::new(vlen, EAGER);
        for r in &all {
            let words =
                [r.decoded(), Decoded::new(Op::Ebreak)].map(|d| encode(&d).expect("a word"));
            let code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            let sew = r.field("sew").parse().expect("a number");
            let mut checked = 0;
            for agnostic in [Agnostic::Undisturbed, Agnostic::Ones] {
                harts(&mut pair, r, vlen, agnostic, &code);
                for lmul in 0..=3 {
                    let vtype = VType { vill: false, sew, lmul, vta: rng.one_in(2), vma: true };
                    checked += check(&mut pair, r, vtype, &mut rng) as u32;
                }
            }
            // The prototype cannot be used at VLEN 128.
            let none = vlen == 128 && r.field("isa") == "zvkk0p2024";
            assert_eq!(checked == 0, none, "{} at VLEN {vlen}", r.field("id"));
        }
    }
}
