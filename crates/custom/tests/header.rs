//! The header for C and assembler.

use crate::example;

fn header(name: &str) -> String {
    capvec_custom::read(&example(name)).unwrap_or_else(|e| panic!("{e}")).header()
}

#[test]
fn scalar_instructions_are_functions() {
    let text = header("xrotxor");
    assert!(text.contains(".macro rotxor rd:req, rs1:req, rs2:req, uimm:req"), "{text}");
    assert!(text.contains("#define rotxor(rs1, rs2, imm)"), "{text}");
    assert!(text.contains(".insn r 0xb, %[f3_], %[f7_], %[rd_], %[rs1_], %[rs2_]"), "{text}");
    assert!(text.contains("CAPVEC_CHECK((((imm) & ~0x3f) == 0)"), "{text}");
}

#[test]
fn vector_instructions_are_text() {
    let text = header("xbutterfly");
    assert!(text.contains("#define VBFLY_VV(vd, vs2, vs1, vm)"), "{text}");
    let text = header("xkeccak");
    assert!(text.contains("#define XKECCAK_V(vd)"), "{text}");
}
