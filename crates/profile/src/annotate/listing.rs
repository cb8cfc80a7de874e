//! The annotated instructions of functions, as text.

use super::{Costs, Line};
use crate::tree::{Count, Function};
use capvec_isa::disasm::disassemble_word;
use std::fmt::Write;

/// All instructions that were decoded.
pub struct Listing {
    functions: Vec<Function>,
    /// By function, then by address.
    lines: Vec<(u32, u64, Line)>,
}

/// No instruction of this function was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its name as given.
    pub name: String,
    /// The functions with the most cycles.
    pub hottest: Vec<String>,
}

impl Listing {
    /// Lines by function and address.
    pub fn new(functions: Vec<Function>, lines: impl Iterator<Item = (u32, u64, Line)>) -> Listing {
        Listing { functions, lines: lines.collect() }
    }

    /// The sum over all instructions.
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        self.lines.iter().for_each(|(_, _, l)| {
            total += Count { insns: l.count, cycles: l.costs.total() };
        });
        total
    }

    /// The functions with their cycles, in descending order.
    pub fn hottest(&self) -> Vec<(u32, u64)> {
        let mut sums: Vec<(u32, u64)> = Vec::new();
        for (function, _, line) in &self.lines {
            match sums.last_mut().filter(|(f, _)| f == function) {
                Some((_, sum)) => *sum += line.costs.total(),
                None => sums.push((*function, line.costs.total())),
            }
        }
        sums.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        sums
    }

    /// The functions of this name.
    ///
    /// # Errors
    /// None of them was executed.
    pub fn named(&self, name: &str) -> Result<Vec<u32>, Unknown> {
        let all = self.hottest();
        let found = all.iter().filter(|(f, _)| self.functions[*f as usize].name == name);
        let found: Vec<u32> = found.map(|(f, _)| *f).collect();
        if found.is_empty() {
            let hottest = all.iter().take(5).map(|(f, _)| self.functions[*f as usize].name.clone());
            return Err(Unknown { name: name.into(), hottest: hottest.collect() });
        }
        Ok(found)
    }

    /// A function's instructions.
    pub fn function(&self, function: u32) -> String {
        let f = &self.functions[function as usize];
        let lines = || self.lines.iter().filter(|(k, ..)| *k == function);
        let (mut sum, mut insns) = (Costs::default(), 0);
        lines().for_each(|(_, _, line)| {
            sum += line.costs;
            insns += line.count;
        });
        let all = self.total().cycles.max(1);
        let share = 100.0 * sum.total() as f64 / all as f64;
        let mut out = format!(
            "{} ({}): {} cycles, {share:.2} %, {insns} instructions\n\
             {:>6} {:>12} {:>13} {:>12} {:>12} {:>12} {:>12} {:>12}\n",
            f.name,
            f.object,
            sum.total(),
            "%",
            "executed",
            "cycles",
            "issue",
            "fetch",
            "redirect",
            "data",
            "vector",
        );
        let cells = |out: &mut String, percent: f64, count: u64, c: &Costs| {
            let _ = write!(
                out,
                "{percent:>6.2} {count:>12} {:>13} {:>12} {:>12} {:>12} {:>12} {:>12}",
                c.total(),
                c.issue,
                c.fetch,
                c.redirect,
                c.data,
                c.vector,
            );
        };
        let mut next = None;
        for (_, address, line) in lines() {
            if next.is_some_and(|next| next != *address) {
                out.push_str("   ...\n");
            }
            let bytes = if line.word & 3 == 3 { 4 } else { 2 };
            next = Some(address + bytes);
            let percent = 100.0 * line.costs.total() as f64 / sum.total().max(1) as f64;
            cells(&mut out, percent, line.count, &line.costs);
            let unknown = || format!(".word {:#x}", line.word);
            let text = disassemble_word(line.word, 64, *address).unwrap_or_else(unknown);
            let _ = writeln!(out, "  {address:>8x}  {text}");
        }
        cells(&mut out, 100.0, insns, &sum);
        out.push_str("  all\n\n");
        out
    }
}
