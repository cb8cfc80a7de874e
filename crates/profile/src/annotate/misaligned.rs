//! Which instructions made misaligned accesses, as text.

use super::Listing;
use capvec_isa::disasm::disassemble_word;
use capvec_isa::{Ext, decode};
use std::fmt::Write;

/// Most instructions that are listed.
const MOST: usize = 30;

impl Listing {
    /// The numbers of misaligned accesses, and the instructions that made them, those with the most first.
    pub fn misaligned(&self) -> String {
        let mut all: Vec<_> = self.lines.iter().filter(|(_, _, l)| l.misaligned > 0).collect();
        all.sort_by(|a, b| b.2.misaligned.cmp(&a.2.misaligned).then((a.0, a.1).cmp(&(b.0, b.1))));
        let (mut scalar, mut vector) = (0, 0);
        for (_, _, line) in &all {
            let sum = if is_vector(line.word) { &mut vector } else { &mut scalar };
            *sum += line.misaligned;
        }
        let mut out = format!(
            "misaligned accesses of scalar instructions: {scalar}; of elements of vector instructions: {vector}\n"
        );
        if all.is_empty() {
            return out;
        }
        out += "    accesses   address  instruction\n";
        for (f, address, line) in all.iter().take(MOST) {
            let f = &self.functions[*f as usize];
            let unknown = || format!(".word {:#x}", line.word);
            let text = disassemble_word(line.word, 64, *address).unwrap_or_else(unknown);
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{:>12}  {address:>8x}  {text:<28}  in {} ({})",
                line.misaligned, f.name, f.object
            );
        }
        if all.len() > MOST {
            let _ = writeln!(out, "    and {} more instructions", all.len() - MOST);
        }
        out
    }
}

fn is_vector(word: u32) -> bool {
    decode(word, 64, Ext::all().collect()).is_ok_and(|insn| insn.op.row().class.is_vector())
}

#[cfg(test)]
mod tests {
    use super::super::Line;
    use super::*;
    use crate::tree::Function;

    #[test]
    fn those_with_the_most_come_first() {
        let functions = ["copy", "main"].map(|name| Function {
            name: name.into(),
            object: "/bin/x".into(),
            address: 0,
        });
        // ld a0, 0(a1); vle32.v v8, (a0); lbu a0, 0(a1)
        let line = |word, misaligned| Line { word, count: 9, misaligned, ..Line::default() };
        let (ld, vle32, lbu) = (0x0005_b503, 0x0205_6407, 0x0005_c503);
        let lines = [(0, 0x10, line(ld, 3)), (0, 0x14, line(lbu, 0)), (1, 0x20, line(vle32, 40))];
        let text = Listing::new(functions.into(), lines.into_iter()).misaligned();
        let lines: Vec<_> =
            text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>()).collect();
        assert_eq!(
            text.lines().next().unwrap(),
            "misaligned accesses of scalar instructions: 3; of elements of vector instructions: 40"
        );
        assert_eq!(lines[2], ["40", "20", "vle32.v", "v8,", "(a0)", "in", "main", "(/bin/x)"]);
        assert_eq!(lines[3], ["3", "10", "ld", "a0,", "0(a1)", "in", "copy", "(/bin/x)"]);
        assert_eq!(lines.len(), 4);
        let none = Listing::new(Vec::new(), std::iter::empty()).misaligned();
        assert_eq!(none.lines().count(), 1);
    }
}
