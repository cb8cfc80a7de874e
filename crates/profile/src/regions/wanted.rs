//! Which regions are counted.

use capvec_isa::Op;
use capvec_sim::insn::Insn;
use std::collections::BTreeSet;

/// The word for regions between marks.
pub const MARKS: &str = "@marks";
/// How names of regions between marks begin; no function has a name with a space.
const MARK: &str = "mark ";
/// The word for regions between readings of counters.
pub const COUNTERS: &str = "@counters";

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

    /// The words of which nothing was executed, if these are the names of the regions that were executed.
    pub fn absent(&self, executed: &BTreeSet<String>) -> Vec<String> {
        let functions = self.functions.iter().filter(|f| !executed.contains(*f)).cloned();
        let others = executed.iter().filter(|name| !self.functions.contains(name));
        let (marks, pairs): (Vec<_>, Vec<_>) = others.partition(|name| name.starts_with(MARK));
        let kinds = [
            (MARKS, self.marks && marks.is_empty()),
            (COUNTERS, self.counters && pairs.is_empty()),
        ];
        let kinds = kinds.into_iter().filter(|(_, absent)| *absent).map(|(word, _)| word.into());
        functions.chain(kinds).collect()
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

    #[test]
    fn words_without_a_region_that_was_executed_are_absent() {
        let absent = |words: &[&str], executed: &[&str]| {
            let executed = executed.iter().map(|name| (*name).into()).collect();
            Wanted::parse(words).unwrap().absent(&executed)
        };
        let all = ["main", "@marks", "@counters"];
        assert_eq!(absent(&all, &[]), all);
        assert_eq!(absent(&all, &["main", "mark 7"]), ["@counters"]);
        assert_eq!(absent(&all, &["f to g"]), ["main", "@marks"]);
        assert_eq!(absent(&["main"], &["main"]), [""; 0]);
    }
}
