//! Writes C macros over `.insn` for the scalar cryptography of RV32 and its bit manipulation, so that toolchains without
//! these extensions can build kernels in C.

use crate::model::{Insn, Table};
use anyhow::{Result, bail};
use std::fmt::Write;

/// Extensions whose instructions have macros.
const EXTS: [&str; 7] = ["zknd", "zkne", "zknh", "zksed", "zksh", "zbkc", "zbkb"];

const HEAD: &str = "\
/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Scalar cryptography of RV32 for C. Operands called bs and n are constants. */
#ifndef CV_INSN_H
#define CV_INSN_H

#include <stdint.h>

#define CV_INSN_R(opcode, f3, f7, rs1, rs2) \\
    ({ \\
        uint32_t rd_; \\
        __asm__(\".insn r \" #opcode \", \" #f3 \", %3, %0, %1, %2\" : \"=r\"(rd_) : \"r\"(rs1), \"r\"(rs2), \"i\"(f7)); \\
        rd_; \\
    })
#define CV_INSN_I(opcode, f3, imm, rs1) \\
    ({ \\
        uint32_t rd_; \\
        __asm__(\".insn i \" #opcode \", \" #f3 \", %0, %1, %2\" : \"=r\"(rd_) : \"r\"(rs1), \"i\"(imm)); \\
        rd_; \\
    })

";

/// The header.
pub fn header(t: &Table) -> Result<String> {
    let mut s = HEAD.to_string();
    let wanted = |i: &&Insn| i.xlen != 64 && i.exts.iter().any(|e| EXTS.contains(&e.as_str()));
    for i in t.insns.iter().filter(wanted) {
        writeln!(s, "{}", define(i)?)?;
    }
    Ok(s + "\n#endif\n")
}

fn define(i: &Insn) -> Result<String> {
    let value = i.encoding.value;
    let (opcode, f3, f7) = (value & 127, value >> 12 & 7, value >> 25);
    let head = format!("#define cv_{}", i.name);
    Ok(match i.args.as_str() {
        "rd, rs1" => {
            format!("{head}(rs1) CV_INSN_I({opcode:#x}, {f3}, {:#x}, rs1)", value >> 20)
        }
        "rd, rs1, uimm" => {
            format!("{head}(rs1, n) CV_INSN_I({opcode:#x}, {f3}, {:#x} | (n), rs1)", f7 << 5)
        }
        "rd, rs1, rs2" => {
            format!("{head}(rs1, rs2) CV_INSN_R({opcode:#x}, {f3}, {f7:#x}, rs1, rs2)")
        }
        "rd, rs1, rs2, uimm" => {
            format!(
                "{head}(rs1, rs2, bs) CV_INSN_R({opcode:#x}, {f3}, {f7:#x} | (bs) << 5, rs1, rs2)"
            )
        }
        other => bail!("{}: no macro for the operands {other}", i.name),
    })
}
