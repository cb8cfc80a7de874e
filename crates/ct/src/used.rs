//! Which flags had an effect. A check is not complete if one that marks secrets, or asks for leftovers, had none.

use crate::marks::{Argument, Marks};
use crate::secret_file::SecretFile;
use crate::symbols::Symbol;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

const NEVER_CALLED: &str = "the function was never called";

/// What random bytes from the kernel are called.
pub const RANDOM: &str = "random bytes from the kernel";

/// The name of a variable's secret.
pub fn symbol(name: &str) -> String {
    format!("symbol {name}")
}

/// The name of the secret at an argument.
pub fn argument(a: &Argument) -> String {
    format!("argument {} of {}", a.index, a.function)
}

/// The name of a file's secret.
pub fn file(path: &Path) -> String {
    format!("file {}", path.display())
}

/// What the run has shown of the marks.
#[derive(Default)]
pub struct Used {
    /// Names of the secrets that there were.
    pub secrets: HashSet<String>,
    /// Variables that cannot be marked, and those that have fewer bytes than were to be marked, each with the reason.
    pub unmarked: BTreeMap<String, String>,
    pub beyond: BTreeMap<String, String>,
    /// Functions of `--leftovers` that have returned.
    pub returned: HashSet<String>,
    /// Functions of `--declassify` that have been called.
    pub declassified: HashSet<String>,
    /// Functions of `--secret-arg` and `--leftovers` that have been called.
    pub called: HashSet<String>,
    /// Symbols that a file has.
    pub resolved: HashSet<String>,
}

impl Used {
    /// A file has this symbol, of which so many bytes are to be secret.
    pub fn variable(&mut self, name: &str, symbol: &Symbol, bytes: Option<u64>) {
        let (reasons, why) = match (symbol.no_variable, symbol.size, bytes) {
            (Some(why), ..) => (&mut self.unmarked, why.to_owned()),
            (_, 0, None) => {
                (&mut self.unmarked, format!("the symbol has no size; give {name}:BYTES"))
            }
            (_, size @ 1.., Some(bytes)) if bytes > size => {
                (&mut self.beyond, format!("the variable has only {size} bytes"))
            }
            _ => return,
        };
        reasons.insert(name.into(), why);
    }

    /// The flags that had no effect, each with the reason. Symbols that no file has are not among them.
    pub fn without_effect(&self, marks: &Marks) -> Vec<String> {
        let unknown = |name: &str| !self.resolved.contains(name);
        let mut all = Vec::new();
        for (name, bytes) in marks.symbols.iter().filter(|(name, _)| !unknown(name)) {
            let marked = self.secrets.contains(&symbol(name));
            let reason = match marked {
                true => self.beyond.get(name).filter(|_| bytes.is_some()),
                false => self.unmarked.get(name),
            };
            match reason {
                Some(why) => all.push(format!("--secret {name}: {why}")),
                None if marked => {}
                None => all.push(format!("--secret {name}: its memory cannot be read")),
            }
        }
        for a in marks.arguments.iter().filter(|a| !unknown(&a.function)) {
            if !self.secrets.contains(&argument(a)) {
                let Argument { function, index, bytes } = a;
                let why = match self.called.contains(function) {
                    true => "in no call did the argument point to memory",
                    false => NEVER_CALLED,
                };
                all.push(format!("--secret-arg {function}:{index}:{bytes}: {why}"));
            }
        }
        for SecretFile { path, .. } in &marks.files {
            if !self.secrets.contains(&file(path)) {
                all.push(format!("--secret-file {}: the file was not read", path.display()));
            }
        }
        if marks.random && !self.secrets.contains(RANDOM) {
            all.push("--secret-random: no random bytes were read".into());
        }
        for name in marks.leftovers.iter().filter(|name| !unknown(name)) {
            if !self.returned.contains(name) {
                let why = match self.called.contains(name) {
                    true => "the function did not return",
                    false => NEVER_CALLED,
                };
                all.push(format!("--leftovers {name}: {why}"));
            }
        }
        all
    }

    /// The flags that make something public and had no effect, since the function was never called.
    pub fn not_declassified(&self, marks: &Marks) -> Vec<String> {
        let arguments = marks.public.iter().map(|Argument { function, index, bytes }| {
            (function, format!("{function}:{index}:{bytes}"))
        });
        let results = marks.results.iter().map(|name| (name, name.clone()));
        let unused =
            arguments.chain(results).filter(|(name, _)| !self.declassified.contains(*name));
        unused.map(|(_, flag)| flag).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_has_an_effect_once_something_is_secret_through_it() {
        let mut marks = Marks {
            files: vec![std::path::PathBuf::from("/key").into()],
            random: true,
            leftovers: vec!["f".into(), "nowhere".into()],
            ..Marks::default()
        };
        marks.symbol("label").unwrap();
        marks.symbol("nowhere").unwrap();
        marks.argument("f:1:8").unwrap();
        let mut used = Used::default();
        used.resolved.extend(["label", "f"].map(String::from));
        let label = Symbol { address: 0, size: 0, no_variable: None, resolver: false };
        used.variable("label", &label, None);
        let said = used.without_effect(&marks);
        let flags: Vec<&str> = said.iter().filter_map(|s| s.split(": ").next()).collect();
        let expected = [
            "--secret label",
            "--secret-arg f:1:8",
            "--secret-file /key",
            "--secret-random",
            "--leftovers f",
        ];
        assert_eq!(flags, expected);
        assert!(said[0].ends_with("give label:BYTES"));
        used.secrets
            .extend(["symbol label", "argument 1 of f", "file /key", RANDOM].map(String::from));
        used.returned.insert("f".into());
        assert!(used.without_effect(&marks).is_empty());
    }
}
