//! Which flags had an effect. A check is not complete if one that marks secrets, or asks for leftovers, had none.

use crate::marks::{Argument, Marks};
use std::collections::HashSet;

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
pub fn file(path: &[u8]) -> String {
    format!("file {}", String::from_utf8_lossy(path))
}

/// What the run has shown of the marks.
#[derive(Default)]
pub struct Used {
    /// Names of the secrets that there were.
    pub secrets: HashSet<String>,
    /// Variables whose symbols have no size.
    pub without_size: HashSet<String>,
    /// Functions of `--leftovers` that have returned.
    pub returned: HashSet<String>,
    /// Symbols that a file has.
    pub resolved: HashSet<String>,
}

impl Used {
    /// The flags that had no effect, each with the reason. Symbols that no file has are not among them.
    pub fn without_effect(&self, marks: &Marks) -> Vec<String> {
        use std::os::unix::ffi::OsStrExt;
        let unknown = |name: &str| !self.resolved.contains(name);
        let mut all = Vec::new();
        for (name, _) in marks.symbols.iter().filter(|(name, _)| !unknown(name)) {
            if self.secrets.contains(&symbol(name)) {
                continue;
            }
            all.push(match self.without_size.contains(name) {
                true => format!("--secret {name}: the symbol has no size; give {name}:BYTES"),
                false => format!("--secret {name}: its memory cannot be read"),
            });
        }
        for a in marks.arguments.iter().filter(|a| !unknown(&a.function)) {
            if !self.secrets.contains(&argument(a)) {
                let Argument { function, index, bytes } = a;
                all.push(format!(
                    "--secret-arg {function}:{index}:{bytes}: the function was not called with memory there"
                ));
            }
        }
        for path in &marks.files {
            if !self.secrets.contains(&file(path.as_os_str().as_bytes())) {
                all.push(format!("--secret-file {}: the file was not read", path.display()));
            }
        }
        if marks.random && !self.secrets.contains(RANDOM) {
            all.push("--secret-random: no random bytes were read".into());
        }
        for name in marks.leftovers.iter().filter(|name| !unknown(name)) {
            if !self.returned.contains(name) {
                all.push(format!("--leftovers {name}: the function did not return"));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_has_an_effect_once_something_is_secret_through_it() {
        let mut marks = Marks {
            files: vec!["/key".into()],
            random: true,
            leftovers: vec!["f".into(), "nowhere".into()],
            ..Marks::default()
        };
        marks.symbol("label").unwrap();
        marks.symbol("nowhere").unwrap();
        marks.argument("f:1:8").unwrap();
        let mut used = Used::default();
        used.resolved.extend(["label", "f"].map(String::from));
        used.without_size.insert("label".into());
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
