//! The extensions of each hart that a program is run on.

use crate::cmd::Usage;
use anyhow::Result;
use capvec_isa::capability::{BASELINE, hwprobe_knows};
use capvec_isa::{Ext, ExtSet, Isa, isa_string};
use capvec_text::suggest;

/// Names that are not extensions.
const NAMES: [&str; 5] = ["scalar", "auto", "full", "singles", "without"];

/// Comes before the extension that is left out of `full`.
const LESS: &str = "full-";

/// A named set of extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// As it can be given to `--caps`.
    pub name: String,
    /// The hart's extensions, closed.
    pub exts: ExtSet,
}

impl Set {
    fn new(name: impl Into<String>, exts: ExtSet) -> Set {
        Set { name: name.into(), exts: BASELINE.union(exts).closed() }
    }

    /// Whether the hart has vector registers.
    pub fn has_vectors(&self) -> bool {
        self.exts.has(Ext::Zve32x)
    }
}

/// Every ratified extension but those that state a VLEN.
pub fn full() -> Set {
    let stated = |e: &Ext| e.name().starts_with("zvl");
    Set::new("full", Ext::ratified().filter(|e| !stated(e)).fold(ExtSet::EMPTY, ExtSet::with))
}

/// Each extension that a program can ask the kernel for. Vector extensions bring V, as on all processors that are sold.
fn singles() -> impl Iterator<Item = Set> {
    let beyond = |e: &Ext| hwprobe_knows(*e) && !BASELINE.closed().has(*e);
    Ext::ratified().filter(beyond).map(|e| {
        let alone = ExtSet::of(&[e]).closed();
        let own = e.name().starts_with("zve");
        let with_v = alone.has(Ext::Zve32x) && !own;
        Set::new(e.name(), if with_v { alone.with(Ext::V) } else { alone })
    })
}

/// `full` without an extension, and without all that imply it.
fn less(e: Ext) -> Set {
    let implies = |other: &Ext| ExtSet::of(&[*other]).closed().has(e);
    let rest = full().exts.iter().filter(|o| !implies(o)).fold(ExtSet::EMPTY, ExtSet::with);
    Set::new(format!("{LESS}{}", e.name()), rest)
}

/// The sets that `names` stand for, each hart once, in order of first appearance. `executed` has the extensions that the
/// program executes on `full`: `without` removes each of these.
///
/// # Errors
/// Names the flag and the word that is not an extension.
pub fn expand(
    names: &[String],
    own: &Isa,
    executed: impl FnOnce() -> Result<ExtSet>,
) -> Result<Vec<Set>> {
    let mut sets: Vec<Set> = Vec::new();
    let mut add = |set: Set| {
        if !sets.iter().any(|s| s.exts == set.exts) {
            sets.push(set);
        }
    };
    let mut executed = Some(executed);
    for name in names {
        match name.as_str() {
            "singles" => singles().for_each(&mut add),
            "without" => {
                let Some(executed) = executed.take() else { continue };
                let removable = executed()?.minus(BASELINE.closed());
                removable.iter().map(less).for_each(&mut add);
            }
            _ => add(one(name, own)?),
        }
    }
    Ok(sets)
}

fn one(name: &str, own: &Isa) -> Result<Set> {
    let wrong = |e: String| Usage(format!("--caps {name}: {e}"));
    match name {
        "scalar" => return Ok(Set::new(name, ExtSet::EMPTY)),
        "auto" => return Ok(Set::new(name, own.exts)),
        "full" => return Ok(full()),
        _ => {}
    }
    if let Some(e) = name.strip_prefix(LESS) {
        let unknown = || wrong(format!("there is no extension {e}; `capvec isa` lists them"));
        let e = Ext::from_name(e).ok_or_else(unknown)?;
        if BASELINE.closed().has(e) {
            let base = "every set has it, since the distribution's programs do";
            return Err(wrong(format!("{} cannot be left out: {base}", e.name())).into());
        }
        return Ok(less(e));
    }
    if name.starts_with("rv") {
        let isa: Isa = name.parse().map_err(|e| wrong(format!("{e}")))?;
        if isa.xlen != 64 {
            return Err(wrong("programs of a sysroot are 64-bit; begin with rv64".into()).into());
        }
        return Ok(Set::new(name, isa.exts));
    }
    if let Some(meant) = suggest::nearest(name, NAMES).filter(|_| Ext::from_name(name).is_none()) {
        return Err(wrong(format!("there is no such set (did you mean {meant}?)")).into());
    }
    let (base, words) = match name.strip_prefix("full_") {
        Some(words) => (full().exts, words),
        None => (ExtSet::EMPTY, name),
    };
    let exts = words.split('_').try_fold(base, |all, word| {
        let e = isa_string::word(word, word).map_err(|e| {
            wrong(format!("{e}; give extensions joined by _, or one of {}", NAMES.join(", ")))
        })?;
        Ok::<_, Usage>(all.union(e))
    })?;
    isa_string::compatible(name, exts.closed()).map_err(|e| wrong(e.to_string()))?;
    Ok(Set::new(name, exts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str], executed: ExtSet) -> Result<Vec<String>, String> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let own = "rv64gcv_zvkned".parse().expect("an ISA string");
        let sets = expand(&names, &own, || Ok(executed)).map_err(|e| e.to_string())?;
        Ok(sets.into_iter().map(|s| s.name).collect())
    }

    #[test]
    fn an_extension_is_left_out_with_those_that_imply_it() {
        let set = one("full-zvkb", &"rv64gc".parse().unwrap()).unwrap();
        for e in [Ext::Zvkb, Ext::Zvbb, Ext::Zvkn, Ext::Zvkng] {
            assert!(!set.exts.has(e), "{e:?}");
        }
        assert!(set.exts.has(Ext::Zvkned) && set.exts.has(Ext::Zbb) && !set.exts.has(Ext::Zvl512b));
    }

    #[test]
    fn only_executed_extensions_are_left_out() {
        let executed = ExtSet::of(&[Ext::I, Ext::C, Ext::Zba, Ext::Zvkned]);
        let all = names(&["without"], executed).unwrap();
        assert_eq!(all, ["full-zba", "full-zvkned"]);
    }

    #[test]
    fn singles_are_what_hwprobe_reports_and_vector_extensions_bring_v() {
        let all = names(&["singles"], ExtSet::EMPTY).unwrap();
        for name in ["zba", "zbb", "v", "zvkned", "zve32x"] {
            assert!(all.iter().any(|n| n == name), "{name} is not in {all:?}");
        }
        assert!(!all.iter().any(|n| n == "m" || n.starts_with("zvl")), "{all:?}");
        let of = |name: &str| singles().find(|s| s.name == name).expect(name);
        assert!(of("zvkned").exts.has(Ext::V) && !of("zve32x").exts.has(Ext::V));
    }

    #[test]
    fn a_hart_is_run_once() {
        let all = names(&["scalar", "rv64gc", "auto", "zvkned_v", "full", "full"], ExtSet::EMPTY);
        assert_eq!(all.unwrap(), ["scalar", "auto", "full"]);
    }

    #[test]
    fn a_wrong_name_is_refused_with_the_flag() {
        for (name, text) in [
            ("ful", "did you mean full?"),
            ("full-nope", "there is no extension nope"),
            ("full-m", "m cannot be left out"),
            ("rv32gc", "begin with rv64"),
            ("zbb_nope", "give extensions joined by _"),
        ] {
            let error = names(&[name], ExtSet::EMPTY).unwrap_err();
            assert!(
                error.starts_with(&format!("--caps {name}: ")) && error.contains(text),
                "{error}"
            );
        }
    }
}
