//! What is secret and what is public, as the command line says it.

use crate::secret_file::SecretFile;
use capvec_sim::Hart;
use capvec_sim::mem::Perm;
use std::path::{Path, PathBuf};

/// What is secret apart from what the program marks itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Variables: symbol, and bytes if not all of it.
    pub symbols: Vec<(String, Option<u64>)>,
    /// What an argument points to when a function is entered.
    pub arguments: Vec<Argument>,
    /// Files whose contents are secret.
    pub files: Vec<SecretFile>,
    /// Random bytes from the kernel are secret.
    pub random: bool,
    /// What an argument points to is public when a function is entered, and when it returns.
    pub public: Vec<Argument>,
    /// Functions whose result is public.
    pub results: Vec<String>,
    /// Functions that must have left no secret behind when they return.
    pub leftovers: Vec<String>,
}

/// What happens when a function is entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// What the argument points to becomes secret.
    Secret(Argument),
    /// What the argument points to becomes public, and again when it returns.
    Public(Argument),
    /// Its result will be public.
    Result(String),
    /// Leftovers are looked for when it returns.
    Leftovers(String),
    /// It allocates memory.
    Allocator(Allocator),
    /// It chooses the code of this function (an indirect function, `STT_GNU_IFUNC`).
    Resolver(String),
}

/// The functions of the C library that allocate memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// `malloc`.
    Malloc,
    /// `calloc`.
    Calloc,
    /// `realloc`.
    Realloc,
    /// `aligned_alloc`, `memalign`.
    Aligned,
    /// `posix_memalign`, which stores the address.
    Stored,
    /// `free`.
    Free,
}

const ALLOCATORS: [(&str, Allocator); 8] = [
    ("malloc", Allocator::Malloc),
    ("calloc", Allocator::Calloc),
    ("realloc", Allocator::Realloc),
    ("valloc", Allocator::Malloc),
    ("aligned_alloc", Allocator::Aligned),
    ("memalign", Allocator::Aligned),
    ("posix_memalign", Allocator::Stored),
    ("free", Allocator::Free),
];

/// An argument of a function that points to a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The function.
    pub function: String,
    /// Which argument, from 0.
    pub index: u8,
    /// How many bytes it points to.
    pub bytes: u64,
}

/// Why a mark is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongMark(pub String);

impl std::fmt::Display for WrongMark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongMark {}

/// Arguments in registers (RISC-V calling convention: a0 to a7).
const REGISTERS: u8 = 8;

impl Marks {
    /// Adds `SYMBOL[:BYTES]`.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn symbol(&mut self, text: &str) -> Result<(), WrongMark> {
        let (name, bytes) = match text.split_once(':') {
            Some((name, bytes)) => (name, Some(number(text, bytes)?)),
            None => (text, None),
        };
        self.symbols.push((named(text, name, "variable")?, bytes));
        Ok(())
    }

    /// Adds `FUNCTION:ARG:BYTES`.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn argument(&mut self, text: &str) -> Result<(), WrongMark> {
        self.arguments.push(argument(text)?);
        Ok(())
    }

    /// Adds `FUNCTION`, whose result is public, or `FUNCTION:ARG:BYTES`.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn declassify(&mut self, text: &str) -> Result<(), WrongMark> {
        match text.contains(':') {
            true => self.public.push(argument(text)?),
            false => self.results.push(named(text, text, "function")?),
        }
        Ok(())
    }

    /// Adds `FUNCTION`, which must leave no secret behind.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn leftover(&mut self, text: &str) -> Result<(), WrongMark> {
        self.leftovers.push(named(text, text, "function")?);
        Ok(())
    }

    /// Follows symbolic links in the paths of files; `link` returns the target of one.
    pub fn follow_links(&mut self, link: &dyn Fn(&Path) -> Option<PathBuf>) {
        for file in &mut self.files {
            file.follow_links(link);
        }
    }

    /// The symbols that the command line names, which must exist.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let symbols = self.symbols.iter().map(|(name, _)| name);
        let arguments = self.arguments.iter().chain(&self.public).map(|a| &a.function);
        symbols.chain(arguments).chain(&self.results).chain(&self.leftovers).map(String::as_str)
    }

    /// The symbols whose addresses are needed.
    pub fn needed(&self) -> impl Iterator<Item = &str> {
        let allocators = ALLOCATORS.iter().filter(|_| !self.leftovers.is_empty());
        self.names().chain(allocators.map(|(name, _)| *name))
    }

    /// What happens when the function is entered.
    pub fn entries(&self, function: &str) -> Vec<Entry> {
        let of = |all: &[Argument], entry: fn(Argument) -> Entry| -> Vec<Entry> {
            all.iter().filter(|a| a.function == function).cloned().map(entry).collect()
        };
        let named = |all: &[String]| all.iter().any(|name| name == function);
        let mut entries = of(&self.arguments, Entry::Secret);
        entries.extend(of(&self.public, Entry::Public));
        entries.extend(named(&self.results).then(|| Entry::Result(function.into())));
        entries.extend(named(&self.leftovers).then(|| Entry::Leftovers(function.into())));
        let allocator = ALLOCATORS.iter().find(|(name, _)| *name == function);
        let allocator = allocator.filter(|_| !self.leftovers.is_empty());
        entries.extend(allocator.map(|(_, kind)| Entry::Allocator(*kind)));
        entries
    }
}

fn argument(text: &str) -> Result<Argument, WrongMark> {
    let parts: Vec<&str> = text.split(':').collect();
    let [function, index, bytes] = parts[..] else {
        return Err(WrongMark(format!(
            "{text}: give FUNCTION:ARG:BYTES, such as aes_encrypt:0:16 for what the first argument points to"
        )));
    };
    let Ok(index @ 0..REGISTERS) = index.parse() else {
        return Err(WrongMark(format!("{text}: the arguments in registers are 0 to 7")));
    };
    let bytes = number(text, bytes)?;
    Ok(Argument { function: named(text, function, "function")?, index, bytes })
}

/// A name, which must not be empty.
fn named(text: &str, name: &str, of: &str) -> Result<String, WrongMark> {
    match name {
        "" => Err(WrongMark(format!("{text:?}: the name of the {of} is missing"))),
        name => Ok(name.into()),
    }
}

/// A number of bytes.
fn number(text: &str, digits: &str) -> Result<u64, WrongMark> {
    let number = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let number = number.ok().filter(|n| *n > 0);
    number.ok_or_else(|| WrongMark(format!("{text}: {digits:?} is not a number of bytes")))
}

/// How many of these bytes the program can read, up to the first that it cannot.
pub fn readable(h: &Hart, addr: u64, bytes: u64) -> u64 {
    match h.mem.allows(addr, bytes, Perm::R) {
        true => bytes,
        false => h.mem.first_fault(addr, bytes, Perm::R).wrapping_sub(addr).min(bytes),
    }
}

/// The word of the hart's width at `addr`; 0 if it cannot be read.
pub fn word(h: &Hart, addr: u64) -> u64 {
    match h.config.xlen {
        32 => h.mem.load::<u32>(addr).map_or(0, u64::from),
        _ => h.mem.load::<u64>(addr).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::{Argument, Entry, Marks};

    #[test]
    fn marks_are_parsed_or_refused() {
        let mut marks = Marks::default();
        marks.symbol("key").unwrap();
        marks.symbol("key:16").unwrap();
        marks.symbol("key:0x20").unwrap();
        let sizes: Vec<_> = marks.symbols.iter().map(|(_, bytes)| *bytes).collect();
        assert_eq!(sizes, [None, Some(16), Some(32)]);
        marks.argument("f:1:32").unwrap();
        assert_eq!(marks.arguments, [Argument { function: "f".into(), index: 1, bytes: 32 }]);
        for wrong in ["f:1", "f:8:4", "f:x:4", "f:300:4", "f:1:0", ":1:4"] {
            assert!(marks.argument(wrong).is_err(), "{wrong}");
        }
        for wrong in ["key:x", "key:0", "", ":4"] {
            assert!(marks.symbol(wrong).is_err(), "{wrong:?}");
        }
        assert!(marks.declassify("").is_err() && marks.leftover("").is_err());
        marks.declassify("f").unwrap();
        marks.declassify("f:0:8").unwrap();
        assert!(marks.declassify("f:9:8").is_err());
        let public = Argument { function: "f".into(), index: 0, bytes: 8 };
        let secret = Argument { function: "f".into(), index: 1, bytes: 32 };
        let all = [Entry::Secret(secret), Entry::Public(public), Entry::Result("f".into())];
        assert_eq!(marks.entries("f"), all);
        assert_eq!(marks.needed().collect::<Vec<_>>(), ["key", "key", "key", "f", "f", "f"]);
    }
}
