//! Properties of the whole table.

use capvec_isa::decode::length;
use capvec_isa::op::OPS;
use capvec_isa::row::Field;
use capvec_isa::{DecodeError, Decoded, Ext, ExtSet, Op, decode, encode};

/// xorshift64*: reproducible operands.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// A hart that has `op` and everything else that it can have.
fn all(op: Op) -> ExtSet {
    let draft = op.row().exts.iter().find(|e| e.info().draft.is_some());
    Ext::ratified().chain(draft).collect()
}

/// An instruction word of `op` with random operands.
fn random_word(op: Op, rng: &mut Random) -> u32 {
    let row = op.row();
    row.value | rng.next() as u32 & !row.mask & if row.len == 2 { 0xffff } else { u32::MAX }
}

#[test]
fn every_row_decodes_to_itself_or_something_more_specific() {
    let mut rng = Random(0x5eed_0001);
    for op in OPS {
        let row = op.row();
        for _ in 0..200 {
            let word = random_word(op, &mut rng);
            assert_eq!(length(word as u16), Some(row.len), "{}", row.name);
            let xlen = if row.xlen == 0 { 64 } else { row.xlen };
            match decode(word, xlen, all(op)) {
                Ok(d) => {
                    let got = d.op.row();
                    assert!(
                        got.mask & row.mask == row.mask,
                        "{word:#010x}: {} for {}",
                        got.name,
                        row.name
                    );
                    assert_eq!(encode(&d), Some(word), "{} does not encode back", got.name);
                }
                Err(DecodeError::Reserved(_)) => assert!(row.fields.iter().any(|f| f.nonzero)),
                Err(e) => panic!("{word:#010x} of {}: {e:?}", row.name),
            }
        }
    }
}

/// The operands of a row say so, too.
#[test]
fn classes_know_which_instructions_use_vector_registers() {
    for op in OPS {
        let row = op.row();
        let mut operands = row.args.split(|c: char| !c.is_alphanumeric());
        let any = operands.any(|o| ["vd", "vs1", "vs2", "vs3"].contains(&o));
        assert_eq!(row.class.uses_vector_registers(), any, "{}: {}", row.name, row.args);
    }
}

#[test]
fn no_two_rows_are_equally_specific_for_a_word() {
    for a in OPS {
        for b in OPS {
            let (ra, rb) = (a.row(), b.row());
            if a >= b || ra.len != rb.len || (ra.xlen != 0 && rb.xlen != 0 && ra.xlen != rb.xlen) {
                continue;
            }
            if ra.exts.union(rb.exts).closed().clash().is_some() {
                continue;
            }
            let common = ra.mask & rb.mask;
            let ordered = ra.mask.count_ones() != rb.mask.count_ones();
            assert!(
                (ra.value ^ rb.value) & common != 0 || ordered,
                "{} and {} overlap",
                ra.name,
                rb.name
            );
        }
    }
}

#[test]
fn an_operand_takes_only_values_that_it_can_hold() {
    let mut rng = Random(0x5eed_0002);
    let check = |f: &Field, v: i64| {
        let w = f.set(0, v);
        if let Some(w) = w {
            assert_eq!(f.get(w), v);
        }
    };
    for op in OPS {
        for f in op.row().fields {
            (0..50).for_each(|_| check(f, (rng.next() as i64) >> (rng.next() % 64)));
        }
    }
    let mut addi = Decoded::new(Op::Addi);
    addi.imm = 2048;
    assert_eq!(encode(&addi), None);
    addi.imm = -2048;
    assert!(encode(&addi).is_some());
}

#[test]
fn words_decode_only_with_their_extensions() {
    let base = ExtSet::of(&[Ext::I]);
    let word = encode(&Decoded { rd: 1, rs1: 2, rs2: 3, ..Decoded::new(Op::Andn) }).unwrap();
    assert_eq!(
        decode(word, 64, base),
        Err(DecodeError::Needs(Op::Andn, ExtSet::of(&[Ext::Zbb, Ext::Zbkb])))
    );
    assert!(decode(word, 64, base.with(Ext::Zbkb)).is_ok());
    // Two versions of a draft have one encoding.
    let keccak = encode(&Decoded::new(Op::VkeccakViZvknhk0p2)).unwrap();
    let either = ExtSet::of(&[Ext::Zvknhk0p1, Ext::Zvknhk0p2]);
    assert_eq!(decode(keccak, 64, base), Err(DecodeError::Needs(Op::VkeccakViZvknhk0p1, either)));
    assert_eq!(decode(keccak, 64, base.with(Ext::Zvknhk0p2)).unwrap().op, Op::VkeccakViZvknhk0p2);
    // c.fld needs C and D.
    let fld = encode(&Decoded { rd: 8, rs1: 8, imm: 8, ..Decoded::new(Op::CFld) }).unwrap();
    assert!(matches!(decode(fld, 64, base.with(Ext::C)), Err(DecodeError::Needs(..))));
    assert!(decode(fld, 64, base.with(Ext::C).with(Ext::D)).is_ok());
    // Without Zicbop, a prefetch is the ori whose encoding it uses.
    let prefetch = encode(&Decoded { rs1: 5, ..Decoded::new(Op::PrefetchR) }).unwrap();
    assert_eq!(decode(prefetch, 64, base).unwrap().op, Op::Ori);
}

#[test]
fn known_encodings() {
    // Printed by `objdump -d -M no-aliases` of binutils 2.40, with tabs for spaces.
    let cases: [(u32, &str); 20] = [
        (0x1101, "c.addi sp, -32"),
        (0xe406, "c.sdsp ra, 8(sp)"),
        (0x8082, "c.jr ra"),
        (0x0ff0000f, "fence iorw, iorw"),
        (0xfe5216e3, "bne tp, t0, 0xfec"),
        (0x0c0572d7, "vsetvli t0, a0, e8, m1, ta, ma"),
        (0x02056407, "vle32.v v8, (a0)"),
        (0x02b50457, "vadd.vv v8, v11, v10"),
        (0x00beb457, "vadd.vi v8, v11, -3, v0.t"),
        (0xc2202573, "csrrs a0, vlenb, zero"),
        (0x0ab7f553, "fsub.d fa0, fa5, fa1"),
        (0x04a5b5af, "amoadd.d.aq a1, a0, (a1)"),
        (0x22056407, "vlseg2e32.v v8, (a0)"),
        (0x45455407, "vluxseg3ei16.v v8, (a0), v20, v0.t"),
        (0xb6456457, "vmacc.vx v8, a0, v4"),
        (0x68c59543, "fmadd.s fa0, fa1, fa2, fa3, rtz"),
        (0x757d, "c.lui a0, 0xfffff"),
        (0x0808, "c.addi4spn a0, sp, 16"),
        (0xa095, "c.j 0x1064"),
        (0x5c855257, "vfmerge.vfm v4, v8, fa0, v0"),
    ];
    for (word, text) in cases {
        let got = capvec_isa::disasm::disassemble_word(word, 64, 0x1000);
        assert_eq!(got.as_deref(), Some(text), "{word:#010x}");
    }
}
