//! Random vector instructions for the core's programs, each after a vset: the core's own and those of zvku.

use super::stimulus::BASES;
use crate::EXTENSIONS;
use crate::stimulus as unit;
use capvec_bare::testing::word;
use capvec_isa::op::OPS;
use capvec_isa::row::Slot;
use capvec_isa::{Class, Op};
use capvec_sim::testing::Rng;
use capvec_sim::vector::VType;

/// The package from which the core's decoder is generated.
const PACKAGE: &str = include_str!("../../../../rtl/core/zvcore_op_pkg.sv");

/// Instructions of the core's own vector units, and of zvku.
pub struct Ops {
    pub(super) own: Vec<Op>,
    pub(super) unit: Vec<Op>,
}

fn is_listed(op: Op) -> bool {
    let name = op.name().replace('.', "_").to_uppercase();
    PACKAGE.contains(&format!(" {name} = "))
}

/// All vector instructions of a core with these drafts.
pub fn ops(drafts: &[&str]) -> Ops {
    let own =
        OPS.iter().copied().filter(|op| op.row().class.is_vector() && is_listed(*op)).collect();
    Ops { own, unit: unit::ops(&[&EXTENSIONS[..], drafts].concat()) }
}

/// Whether a word is a vector instruction that the simulator's hart has and the core lacks.
pub fn is_lacking(word: u32) -> bool {
    let Ok(d) = capvec_isa::decode(word, 64, capvec_isa::Ext::ratified().collect()) else {
        return false;
    };
    let segments = d.aux != 0;
    d.op.row().class.is_vector()
        && (!is_listed(d.op) || segments)
        && !unit::ops(&EXTENSIONS).contains(&d.op)
}

/// Fills the vector registers from the memory at the first base.
pub fn prologue() -> Vec<u32> {
    let load = |n: u8| {
        let at = word(Op::Addi, 20, BASES[0], 0, 300 * i64::from(n));
        [at, capvec_sim::testing::word(Op::Vl8re8V, |d| (d.rd, d.rs1) = (8 * n, 20))]
    };
    (0..4).flat_map(load).collect()
}

/// A vset, sometimes a write to vstart, and an instruction.
pub fn words(ops: &Ops, vlen: u32, rng: &mut Rng) -> Vec<u32> {
    let request = match rng.below(3) {
        0 => unit::request(rng.pick(&ops.unit), vlen, rng),
        _ => own(rng.pick(&ops.own), vlen, rng),
    };
    let mut words = vec![
        word(Op::Addi, 20, 0, 0, request.vl.into()),
        word(Op::Vsetvli, 0, 20, 0, request.vtype.into()),
    ];
    words.extend(stride(21, rng));
    if request.vill {
        words[1] = word(Op::Vsetvli, 0, 20, 0, 0x3f);
    }
    if request.vstart != 0 {
        words.push(word(Op::Addi, 22, 0, 0, request.vstart.into()));
        words.push(word(Op::Csrrw, 0, 22, 0, 8));
    }
    // Eight-bit indices keep accesses nearby; wider ones mostly fault.
    words.push(request.insn);
    words
}

/// Sets a register to a stride: mostly a small one, of either sign; sometimes one of up to 64 bits, which only a core that
/// adds all of them gets right.
pub(super) fn stride(register: u8, rng: &mut Rng) -> Vec<u32> {
    let mut words = vec![word(Op::Addi, register, 0, 0, rng.below(161) as i64 - 80)];
    if rng.one_in(6) {
        words.push(word(Op::Slli, register, register, 0, rng.below(64) as i64));
    }
    words
}

/// One of the core's own instructions, with the state that it depends on.
fn own(op: Op, vlen: u32, rng: &mut Rng) -> crate::harness::Request {
    let vtype = loop {
        let bits = rng.below(256);
        if !VType::decode(bits, 64).vill {
            break bits;
        }
    };
    let decoded = VType::decode(vtype, 64);
    let vlmax = decoded.vlmax(vlen.into());
    let vl = if rng.one_in(4) { vlmax } else { rng.below(vlmax + 1) };
    let vstart = match rng.below(10) {
        0 => rng.below(vlen.into()),
        1 => rng.below(vl + 1),
        _ => 0,
    };
    crate::harness::Request {
        insn: instruction(op, rng, |rng| register(decoded.lmul, rng)),
        vtype: vtype as u8,
        vill: rng.one_in(100),
        vl: vl as u32,
        vstart: vstart as u32,
        rs1: 0,
    }
}

/// A register that is mostly the first of a group.
fn register(lmul: i8, rng: &mut Rng) -> u8 {
    let any = rng.below(32) as u8;
    if rng.one_in(10) { any } else { any & !((1 << lmul.max(0)) - 1) }
}

/// An instruction with these vector registers, and otherwise random.
pub(super) fn instruction(op: Op, rng: &mut Rng, register: impl Fn(&mut Rng) -> u8) -> u32 {
    let row = op.row();
    let has = |slot| row.fields.iter().any(|f| f.slot == slot);
    let stores = matches!(row.class, Class::Vstore | Class::VstoreStrided | Class::VstoreIndexed);
    let loads = matches!(row.class, Class::Vload | Class::VloadStrided | Class::VloadIndexed);
    let to_x = row.args.starts_with("rd");
    capvec_sim::testing::word(op, |d| {
        d.rd = if to_x { rng.pick(&[0, 5, 6, 7]) } else { register(rng) };
        d.rs3 = d.rd;
        d.rs2 = match row.class {
            Class::VloadStrided | Class::VstoreStrided => 21,
            _ => register(rng),
        };
        if has(Slot::Rs1) {
            d.rs1 = match row.args {
                _ if stores => rng.pick(&BASES[..4]),
                _ if loads => rng.pick(&BASES),
                a if a.contains("vs1") => register(rng),
                _ => rng.pick(&[5, 6, 20, 21]),
            };
        }
        d.vm = !has(Slot::Vm) || !rng.one_in(3);
        for f in row.fields.iter().filter(|f| f.slot == Slot::Imm) {
            let bits = f.pieces.iter().map(|p| p.to + p.width).max().unwrap_or(0);
            let any = (rng.next() & ((1 << bits) - 1)) as i64;
            d.imm = if f.signed { any << (64 - bits) >> (64 - bits) } else { any };
        }
    })
}
