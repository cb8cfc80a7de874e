//! Families of capability sets on architectures where the library's variable holds numbers.

use super::{CapSet, Override, Wanted};
use crate::case::Case;
use anyhow::{Result, bail};

/// A family with more sets than this is taken for a mistake.
const MOST: usize = 512;

impl Override {
    /// Each capability alone, with its prerequisites.
    fn singles(&self, words: &[u64]) -> Vec<CapSet> {
        let detected = self.detected(words);
        let whole =
            |n: &&String| self.closed(std::slice::from_ref(n)).iter().all(|m| detected.contains(m));
        detected.iter().filter(whole).map(|n| self.set(n, std::slice::from_ref(n), words)).collect()
    }

    /// Every subset of the capabilities that the case's dispatch asks for; `family` is the name that needs them.
    fn subsets(&self, family: &str, case: &Case, words: &[u64]) -> Result<Vec<CapSet>> {
        let asked = self.relevant(case, words);
        if asked.len() > MOST.ilog2() as usize {
            bail!(
                "--caps {family}: the dispatch of {} asks for {} capabilities, which have too many subsets; use singles",
                case.id,
                asked.len()
            );
        }
        let choose = |bits: usize| {
            let chosen = asked.iter().enumerate().filter(|(i, _)| bits >> i & 1 != 0);
            let names: Vec<String> = chosen.map(|(_, n)| n.clone()).collect();
            let name = if names.is_empty() { "scalar".into() } else { names.join("_") };
            self.set(&name, &names, words)
        };
        Ok((0..1 << asked.len()).map(choose).collect())
    }

    /// The sets that `names` stand for, without duplicates, on a processor where the library reports `words`: like
    /// [`super::expand`], except that `dispatch` gives the set with none of the capabilities that the case's dispatch asks
    /// for, the sets with one of them, and the set with all; `published` gives only the last; `all-subsets` has no control.
    ///
    /// # Errors
    /// Names the flag and says what is wrong with the name.
    pub fn expand(&self, names: &[String], cases: &[Case], words: &[u64]) -> Result<Vec<Wanted>> {
        let mut wanted: Vec<Wanted> = Vec::new();
        let all: Vec<usize> = (0..cases.len()).collect();
        let mut add = |capset: CapSet, cases: &[usize]| match wanted
            .iter_mut()
            .find(|w| w.capset.same_as(&capset))
        {
            Some(w) => {
                w.cases.extend(cases);
                w.cases.sort_unstable();
                w.cases.dedup();
            }
            None => wanted.push(Wanted { capset, cases: cases.to_vec() }),
        };
        CapSet::refuse_blank(names)?;
        for name in names {
            match name.as_str() {
                "singles" => {
                    add(self.set("scalar", &[], words), &all);
                    self.singles(words).into_iter().for_each(|s| add(s, &all));
                }
                "dispatch" | "all-subsets" | "published" => {
                    for (i, case) in cases.iter().enumerate() {
                        let sets = self.subsets(name, case, words)?;
                        let last = sets.len().saturating_sub(1);
                        for (k, set) in sets.into_iter().enumerate() {
                            // Nothing, one at a time, everything.
                            let path = k == 0 || k == last || k.is_power_of_two();
                            let taken = match name.as_str() {
                                "dispatch" => path,
                                "published" => k == last,
                                _ => true,
                            };
                            if taken {
                                add(set, &[i]);
                            }
                        }
                    }
                }
                _ => add(self.parse(name, words)?, &all),
            }
        }
        Ok(wanted)
    }
}
