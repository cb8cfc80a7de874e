//! The annotated instructions of functions, as text.

use super::{Costs, Line};
use crate::tree::{Count, Function};
use capvec_isa::disasm::disassemble_word;
use capvec_isa::{Ext, decode};
use capvec_text::digits::share;
use capvec_text::suggest::nearest;
use std::collections::BTreeMap;
use std::fmt::Write;

/// All instructions that were decoded.
pub struct Listing {
    pub(super) functions: Vec<Function>,
    /// By function, then by address.
    pub(super) lines: Vec<(u32, u64, Line)>,
}

/// No instruction of this function was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its name as given.
    pub name: String,
    /// Executed functions that are probably meant: the compiler's variants of it, such as `name.constprop.0`, or a name like it.
    pub similar: Vec<String>,
    /// The functions with the most cycles.
    pub hottest: Vec<String>,
}

/// The variants that compilers make of a function, or else the nearest name.
fn similar<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Vec<String> {
    let part = |n: &&str| n.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let mut variants: Vec<String> = names.clone().filter(part).map(String::from).collect();
    variants.dedup();
    if variants.is_empty() {
        variants.extend(nearest(name, names).map(String::from));
    }
    variants
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

    /// The sums of the instructions of each latency class.
    pub fn classes(&self) -> BTreeMap<&'static str, Count> {
        let all = Ext::all().collect();
        let mut sums: BTreeMap<&str, Count> = BTreeMap::new();
        for (_, _, line) in &self.lines {
            // What was executed can be decoded.
            let Ok(insn) = decode(line.word, 64, all) else { continue };
            *sums.entry(insn.op.row().class.name()).or_default() +=
                Count { insns: line.count, cycles: line.costs.total() };
        }
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
            let names = all.iter().map(|(f, _)| &*self.functions[*f as usize].name);
            let hottest = names.clone().take(5).map(String::from).collect();
            return Err(Unknown { name: name.into(), similar: similar(name, names), hottest });
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
        let percent = share(sum.total(), self.total().cycles);
        let mut out = format!(
            "{} ({}): {} cycles, {percent} %, {insns} instructions\n\
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
        let cells = |out: &mut String, percent: &str, count: u64, c: &Costs| {
            let _ = write!(
                out,
                "{percent:>6} {count:>12} {:>13} {:>12} {:>12} {:>12} {:>12} {:>12}",
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
            cells(&mut out, &share(line.costs.total(), sum.total()), line.count, &line.costs);
            let unknown = || format!(".word {:#x}", line.word);
            let text = disassemble_word(line.word, 64, *address).unwrap_or_else(unknown);
            let _ = writeln!(out, "  {address:>8x}  {text}");
        }
        cells(&mut out, "100.00", insns, &sum);
        out.push_str("  all\n\n");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_of_a_function_are_suggested() {
        let functions = ["mix.constprop.0", "main", "mixer", "mix.part.0"].map(|name| Function {
            name: name.into(),
            object: "/bin/x".into(),
            address: 0,
        });
        let cost = |cycles| Costs { issue: cycles, ..Costs::default() };
        let line = |f: u32| Line {
            word: 0x13,
            count: 1,
            costs: cost(100 - u64::from(f)),
            ..Line::default()
        };
        let listing = Listing::new(functions.into(), (0..4).map(|f| (f, 0, line(f))));
        let unknown = |name: &str| listing.named(name).unwrap_err();
        assert_eq!(unknown("mix").similar, ["mix.constprop.0", "mix.part.0"]);
        assert_eq!(unknown("mian").similar, ["main"]);
        assert!(unknown("sha256_block").similar.is_empty());
        assert_eq!(unknown("mix").hottest.len(), 4);
        assert_eq!(listing.named("mixer"), Ok(vec![2]));
    }
}
