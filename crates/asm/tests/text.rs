//! Forms of operands, and errors.

use capvec_asm::assemble;

fn word(text: &str, isa: &str) -> Result<u32, String> {
    let code = assemble(text, 0x1000, isa.parse().unwrap()).map_err(|e| e.to_string())?;
    Ok(u32::from_le_bytes(code.try_into().expect("one instruction of four bytes")))
}

/// Words of the GNU assembler 2.40.
#[test]
fn the_same_words_as_the_gnu_assembler() {
    let isa = "rv64gcv_zkn";
    for (text, expected) in [
        ("vadd.vv v1, v2, v3, v0.t", 0x0021_80d7),
        ("vsetvli t0, a0, e32, m2, ta, ma", 0x0d15_72d7),
        ("vsetivli zero, 4, e32, m1, ta, ma", 0xcd02_7057),
        ("vle32.v v8, (a1)", 0x0205_e407),
        ("vlseg2e32.v v8, (a1)", 0x2205_e407),
        ("amoadd.w.aqrl a0, a1, (a2)", 0x06b6_252f),
        ("fadd.d fa0, fa1, fa2", 0x02c5_f553),
        ("fcvt.w.d a0, fa0, rtz", 0xc205_1553),
        ("csrrs a0, vl, zero", 0xc200_2573),
        ("fence rw, w", 0x0310_000f),
        ("vloxseg3ei16.v v4, (a0), v12, v0.t", 0x4cc5_5207),
        ("vadc.vvm v1, v2, v3, v0", 0x4021_80d7),
        ("lr.w.aq t0, (a0)", 0x1405_22af),
        ("aes64ks1i a0, a1, 3", 0x3135_9513),
    ] {
        let got = word(text, isa).unwrap();
        assert_eq!(got, expected, "{text}: {got:#010x}");
    }
}

#[test]
fn errors_name_line_and_operand() {
    let isa = "rv64gcv";
    for (text, expected) in [
        ("nop\nadd a0, a1", "line 2: add takes the operands \"rd, rs1, rs2\", not \"a0, a1\""),
        ("addx a0, a1, a2", "line 1: there is no instruction addx (did you mean addi?)"),
        (
            "vaesem.vv v2, v4",
            "line 1: vaesem.vv needs zvkned, which the hart does not have; add it to the ISA",
        ),
        ("addi a0, a0, 4096", "line 1: 4096 does not fit into the operand rd, rs1, imm of addi"),
        ("add a0, a1, q2", "line 1: q2 is not an x register"),
        ("add a0, a1, x32", "line 1: x32 is not an x register"),
        ("beq a0, a1, nowhere", "line 1: nowhere is not a label or an address"),
        ("here: nop\nhere: nop", "line 2: the label here is not valid, or is defined twice"),
        ("1st: nop", "line 1: the label 1st is not valid, or is defined twice"),
        (
            "c.zext.w a0",
            "line 1: c.zext.w needs zcb, which the hart does not have; add it to the ISA",
        ),
    ] {
        assert_eq!(assemble(text, 0, isa.parse().unwrap()).unwrap_err().to_string(), expected);
    }
    let e = assemble("addw a0, a0, a0", 0, "rv32gc".parse().unwrap()).unwrap_err().to_string();
    assert_eq!(e, "line 1: addw exists only with XLEN 64");
}
