//! Which regions are counted.

use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// The word for regions between marks.
const MARKS: &str = "@marks";
/// The word for regions between readings of counters.
const COUNTERS: &str = "@counters";

/// Which regions are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Functions, with all that they call.
    pub functions: Vec<String>,
    /// The code between two marks.
    pub marks: bool,
    /// The code between two readings of cycle or instret.
    pub counters: bool,
}

impl Wanted {
    /// From words: names of functions, @marks, @counters.
    ///
    /// # Errors
    /// A word is empty, or begins with @ but is neither of these two.
    pub fn parse<S: AsRef<str>>(words: &[S]) -> Result<Wanted, String> {
        let mut wanted = Wanted::default();
        for word in words.iter().map(AsRef::as_ref) {
            match word {
                MARKS => wanted.marks = true,
                COUNTERS => wanted.counters = true,
                "" => return Err("a name is empty".into()),
                _ if word.starts_with('@') => {
                    return Err(format!(
                        "{word}: write {MARKS}, {COUNTERS} or the name of a function"
                    ));
                }
                _ => wanted.functions.push(word.into()),
            }
        }
        Ok(wanted)
    }
}

/// An instruction that begins or ends a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `slti x0, x0, N`: region N begins.
    Begin(i64),
    /// `sltiu x0, x0, N`: region N ends.
    End(i64),
    /// cycle or instret is read.
    Counter,
}

/// The CSRs cycle and instret (Unprivileged ISA manual, "Zicntr").
const CYCLE: i64 = 0xc00;
const INSTRET: i64 = 0xc02;

impl Mark {
    /// What this instruction marks. The hints are among those that the manual designates for custom use ("HINT Instructions").
    pub fn of(insn: &Insn) -> Option<Mark> {
        match insn.op().row().base {
            Op::Slti if insn.rd_is_x0() && insn.rs1 == 0 => Some(Mark::Begin(insn.imm)),
            Op::Sltiu if insn.rd_is_x0() && insn.rs1 == 0 => Some(Mark::End(insn.imm)),
            Op::Csrrs if !insn.rd_is_x0() && [CYCLE, INSTRET].contains(&(insn.imm & 0xfff)) => {
                Some(Mark::Counter)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_functions_or_kinds_of_marks() {
        let w = Wanted::parse(&["main", "@marks", "f"]).unwrap();
        assert_eq!(
            (w.functions.as_slice(), w.marks, w.counters),
            (&["main".into(), "f".into()][..], true, false)
        );
        assert!(Wanted::parse(&["@counters"]).unwrap().counters);
        assert!(Wanted::parse(&["@mark"]).unwrap_err().contains("@marks, @counters"));
        assert!(Wanted::parse(&[""]).is_err());
    }
}
