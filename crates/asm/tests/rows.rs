//! Every row of the table: what the disassembler prints is assembled to the same instruction.

use capvec_asm::assemble;
use capvec_isa::{Ext, Isa, Op, decode, disassemble};
use capvec_sim::testing::Rng;

/// An ISA that has `op` and everything else that it can have.
fn isa_with(op: Op) -> Isa {
    let draft = op.row().exts.iter().find(|e| e.info().draft.is_some());
    let xlen = if op.row().xlen == 32 { 32 } else { 64 };
    Isa { xlen, exts: Ext::ratified().chain(draft).collect() }
}

#[test]
fn what_the_disassembler_prints_is_assembled_to_the_same_instruction() {
    let mut rng = Rng::new("assemble");
    let mut checked = 0;
    for op in Op::all() {
        let (row, isa) = (op.row(), isa_with(op));
        for _ in 0..16 {
            let random = rng.next() as u32 & if row.len == 2 { 0xffff } else { u32::MAX };
            let word = row.value | random & !row.mask;
            // Some words of a row are a more specific row's, or reserved.
            let Ok(expected) = decode(word, isa.xlen, isa.exts) else { continue };
            if expected.op != op {
                continue;
            }
            let pc = 0x8000_0000;
            let text = disassemble(&expected, pc);
            let code = assemble(&text, pc, isa).unwrap_or_else(|e| panic!("{text}: {e}"));
            let code: Vec<u8> = code.into_iter().chain([0; 4]).take(4).collect();
            let back = u32::from_le_bytes(code.try_into().unwrap());
            let got = decode(back, isa.xlen, isa.exts).unwrap();
            // What is not printed, such as fm of a fence, is zero now, and may make the word a more specific row's.
            assert_eq!(back & row.mask, row.value, "{text}");
            if got.op == op {
                assert_eq!(disassemble(&got, pc), text, "{word:#010x} became {back:#010x}");
            }
            checked += 1;
        }
    }
    assert!(checked > 8_000, "{checked}");
}
