//! Custom extensions. A program of its own, because what it registers stays until the process ends.

use capvec_isa::custom::{Model, NewExtension, NewField, NewInsn, register};
use capvec_isa::row::{Piece, Slot};
use capvec_isa::{Class, DecodeError, Ext, ExtSet, Isa, Op, decode, disassemble, encode};

fn piece(slot: Slot, at: u8) -> NewField {
    NewField { slot, signed: false, pieces: vec![Piece { at, width: 5, to: 0 }] }
}

/// An instruction in the major opcode of Zvk, which clashes with none there, or in custom-0.
fn extension(name: &str, value: u32) -> NewExtension {
    let fields = vec![piece(Slot::Rd, 7), piece(Slot::Rs1, 15), piece(Slot::Rs2, 20)];
    let insn = NewInsn {
        name: format!("{name}.do"),
        mask: 0xfe00707f,
        value,
        xlen: 64,
        class: Class::Alu,
        args: "rd, rs1, rs2".into(),
        fields,
        model: Model::default(),
    };
    NewExtension {
        name: name.into(),
        title: "A test".into(),
        implies: vec![Ext::Zbb],
        source: "a test".into(),
        insns: vec![insn],
    }
}

#[test]
fn a_registered_instruction_is_in_the_table() {
    let (ext, ops) = register(extension("xtest", 0x0200000b)).expect("there is room");
    assert_eq!(Ext::from_name("xtest"), Some(ext));
    let isa: Isa = "rv64i_xtest".parse().expect("it is known");
    assert!(isa.exts.has(Ext::Zbb), "implied");
    let word = 0x0200000b | 10 << 7 | 11 << 15 | 12 << 20;
    let d = decode(word, 64, isa.exts).expect("it is legal");
    assert_eq!((d.op, d.rd, d.rs1, d.rs2), (ops[0], 10, 11, 12));
    assert_eq!(encode(&d), Some(word));
    assert_eq!(disassemble(&d, 0), "xtest.do a0, a1, a2");
    let plain: Isa = "rv64i".parse().expect("it is known");
    let needs = DecodeError::Needs(ops[0], ExtSet::of(&[ext]));
    assert_eq!(decode(word, 64, plain.exts), Err(needs));
    assert_eq!(decode(word, 32, isa.exts), Err(DecodeError::Unknown));
    assert_eq!(Op::from_name("xtest.do"), Some(ops[0]));
}

#[test]
fn a_clash_names_both() {
    let (one, _) = register(extension("xone", 0x0400000b)).expect("there is room");
    let (two, _) = register(extension("xtwo", 0x0400000b)).expect("there is room");
    let (add, _) = register(extension("xadd", 0x00000033)).expect("there is room");
    let clash = |exts: &[Ext]| ExtSet::of(exts).closed().clash().map(|c| c.exts);
    assert_eq!(clash(&[one, two]), Some([two, one]));
    assert_eq!(clash(&[one, Ext::I]), None);
    assert_eq!(clash(&[add, Ext::I]), Some([add, Ext::I]));
    assert!("rv64i_xone_xtwo".parse::<Isa>().unwrap_err().to_string().contains("xtwo.do"));
}
