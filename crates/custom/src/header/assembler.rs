//! Macros for assembler files: the mnemonics, with operands as usual. Wrong operands are errors that name them.

use super::{bits, encodable, operands};
use crate::operand::{Operand, field};
use capvec_isa::custom::NewInsn;
use capvec_text::abi;
use std::fmt::Write;

pub fn text(insns: &[NewInsn]) -> String {
    let mut s = String::new();
    let names = insns.iter().flat_map(operands).map(|(_, o)| o).collect::<Vec<_>>();
    for (n, (x, f)) in abi::X.iter().zip(abi::F).enumerate() {
        let _ = writeln!(
            s,
            ".set .Lcapvec_x_x{n}, {n}\n.set .Lcapvec_x_{x}, {n}\n.set .Lcapvec_v_v{n}, {n}"
        );
        if names.iter().any(|o| matches!(o, Operand::F(_))) {
            let _ = writeln!(s, ".set .Lcapvec_f_f{n}, {n}\n.set .Lcapvec_f_{f}, {n}");
        }
    }
    s += ".set .Lcapvec_x_fp, 8\n.set .Lcapvec_vm_, 1\n.set .Lcapvec_vm_v0.t, 0\n";
    s += ".set .Lcapvec_v0_v0, 0\n\n";
    for insn in insns {
        s += &instruction(insn);
    }
    s
}

fn instruction(insn: &NewInsn) -> String {
    let (mut parameters, mut checks) = (Vec::new(), String::new());
    let mut word = vec![format!("{:#x}", insn.value)];
    for (name, operand) in operands(insn) {
        let (value, kind) = match operand {
            Operand::Mask => (format!(".Lcapvec_vm_\\{name}"), "v0.t"),
            Operand::Imm(_) => (format!("\\{name}"), ""),
            Operand::X(_) => (format!(".Lcapvec_x_\\{name}"), "an x register"),
            Operand::F(_) => (format!(".Lcapvec_f_\\{name}"), "an f register"),
            Operand::V0 => (format!(".Lcapvec_v0_\\{name}"), "v0"),
            Operand::Element => continue,
            Operand::V(_) => (format!(".Lcapvec_v_\\{name}"), "a vector register"),
        };
        let field = field(&insn.fields, operand);
        if !kind.is_empty() {
            let _ = writeln!(
                checks,
                "\t.ifndef {value}\n\t.error \"{}: \\{name} is not {kind}\"\n\t.endif",
                insn.name
            );
        } else if let Some(f) = field {
            let _ = writeln!(
                checks,
                "\t.if !{}\n\t.error \"{}: \\{name} cannot be encoded\"\n\t.endif",
                encodable(&value, f),
                insn.name
            );
        }
        parameters.push(format!("{name}{}", if operand == Operand::Mask { "=" } else { ":req" }));
        for p in field.map_or(&[][..], |f| &f.pieces[..]) {
            word.push(bits(&value, p, 0));
        }
    }
    format!(
        ".macro {} {}\n{checks}\t.4byte {}\n.endm\n",
        insn.name,
        parameters.join(", "),
        word.join(" | ")
    )
}
