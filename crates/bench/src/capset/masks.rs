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

    /// The sets of a family for a case: subsets of the capabilities that the case's dispatch asks for.
    fn subsets(&self, family: &str, case: &Case, words: &[u64]) -> Result<Vec<CapSet>> {
        let asked = self.relevant(case, words);
        let set = |names: &[String]| {
            let name = if names.is_empty() { "scalar".into() } else { names.join("_") };
            self.set(&name, names, words)
        };
        let singles = asked.chunks(1).map(set);
        Ok(match family {
            "published" => vec![set(&asked)],
            "dispatch" => [set(&[])].into_iter().chain(singles).chain([set(&asked)]).collect(),
            _ if asked.len() > MOST.ilog2() as usize => bail!(
                "--caps {family}: the dispatch of {} asks for {} capabilities, which have too many subsets; use singles",
                case.id,
                asked.len()
            ),
            _ => (0..1usize << asked.len())
                .map(|bits| {
                    let chosen = asked.iter().enumerate().filter(|(i, _)| bits >> i & 1 != 0);
                    set(&chosen.map(|(_, n)| n.clone()).collect::<Vec<_>>())
                })
                .collect(),
        })
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
                        sets.into_iter().for_each(|set| add(set, &[i]));
                    }
                }
                _ => add(self.parse(name, words)?, &all),
            }
        }
        Ok(wanted)
    }
}
