//! What is secret, as the command line says it.

use std::path::PathBuf;

/// What is secret apart from what the program marks itself.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Variables: symbol, and bytes if not all of it.
    pub symbols: Vec<(String, Option<u64>)>,
    /// What an argument points to when a function is entered.
    pub arguments: Vec<Argument>,
    /// Files whose contents are secret.
    pub files: Vec<PathBuf>,
    /// Random bytes from the kernel are secret.
    pub random: bool,
}

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
        self.symbols.push((name.into(), bytes));
        Ok(())
    }

    /// Adds `FUNCTION:ARG:BYTES`.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn argument(&mut self, text: &str) -> Result<(), WrongMark> {
        let parts: Vec<&str> = text.split(':').collect();
        let [function, index, bytes] = parts[..] else {
            return Err(WrongMark(format!(
                "{text}: give FUNCTION:ARG:BYTES, such as aes_encrypt:0:16 for what the first argument points to"
            )));
        };
        let index = number(text, index)?;
        let Ok(index @ 0..REGISTERS) = u8::try_from(index) else {
            return Err(WrongMark(format!("{text}: the arguments in registers are 0 to 7")));
        };
        let bytes = number(text, bytes)?;
        self.arguments.push(Argument { function: function.into(), index, bytes });
        Ok(())
    }
}

fn number(text: &str, digits: &str) -> Result<u64, WrongMark> {
    digits.parse().map_err(|_| WrongMark(format!("{text}: {digits:?} is not a number of bytes")))
}

#[cfg(test)]
mod tests {
    use super::{Argument, Marks};

    #[test]
    fn marks_are_parsed_or_refused() {
        let mut marks = Marks::default();
        marks.symbol("key").unwrap();
        marks.symbol("key:16").unwrap();
        assert_eq!(marks.symbols, [("key".into(), None), ("key".into(), Some(16))]);
        marks.argument("f:1:32").unwrap();
        assert_eq!(marks.arguments, [Argument { function: "f".into(), index: 1, bytes: 32 }]);
        for wrong in ["f:1", "f:8:4", "f:x:4", "f:300:4"] {
            assert!(marks.argument(wrong).is_err(), "{wrong}");
        }
        assert!(marks.symbol("key:x").is_err());
    }
}
