//! A strict reader of core files: each key is read once, keys that remain are unknown, and every parameter has a
//! source.

use crate::error::CoreError;
use crate::parameter::{ASSUMED, Parameter};
use toml::{Table, Value};

/// A core file while it is being read.
pub struct Reader {
    file: String,
    root: Table,
    taken: Vec<Parameter>,
}

impl Reader {
    /// Parses `text`, the contents of `file`.
    pub fn new(file: &str, text: &str) -> Result<Reader, CoreError> {
        let root = text.parse::<Table>().map_err(|e| CoreError::Syntax {
            file: file.into(),
            message: e.to_string().trim_end().into(),
        })?;
        Ok(Reader::of(file, root))
    }

    /// Reads a table that is already parsed.
    pub fn of(file: &str, root: Table) -> Reader {
        Reader { file: file.into(), root, taken: Vec::new() }
    }

    /// An error about `key`.
    pub fn error(&self, key: &str, why: impl Into<String>) -> CoreError {
        CoreError::Key { file: self.file.clone(), key: key.into(), why: why.into() }
    }

    fn remove(&mut self, key: &str) -> Result<Value, CoreError> {
        let mut table = &mut self.root;
        let mut path = key.split('.').peekable();
        let missing = || format!("missing; write {key} = {{ value = …, source = \"…\" }}");
        while let Some(part) = path.next() {
            if path.peek().is_none() {
                let Some(value) = table.remove(part) else { break };
                return Ok(value);
            }
            match table.get_mut(part) {
                Some(Value::Table(inner)) => table = inner,
                Some(_) => return Err(self.error(part, "must be a table")),
                None => break,
            }
        }
        Err(self.error(key, missing()))
    }

    /// A plain string without a source, such as a name.
    pub fn text(&mut self, key: &str) -> Result<String, CoreError> {
        match self.root.remove(key) {
            Some(Value::String(s)) if !s.is_empty() => Ok(s),
            Some(_) => Err(self.error(key, "must be a non-empty string")),
            None => Err(self.error(key, format!("missing; write {key} = \"…\""))),
        }
    }

    /// Whether the file has this parameter.
    pub fn has(&self, key: &str) -> bool {
        let (tables, name) = key.rsplit_once('.').unwrap_or(("", key));
        let mut path = tables.split('.').filter(|part| !part.is_empty());
        let table = path.try_fold(&self.root, |table, part| table.get(part)?.as_table());
        table.is_some_and(|t| t.contains_key(name))
    }

    /// Whether the file has these parameters, which belong together: all of them, or none.
    ///
    /// # Errors
    /// It has some of them: the error names all others at once.
    pub fn has_all(&self, keys: &[&str]) -> Result<bool, CoreError> {
        let missing: Vec<&str> = keys.iter().copied().filter(|key| !self.has(key)).collect();
        match missing.len() {
            0 => Ok(true),
            n if n == keys.len() => Ok(false),
            _ => Err(self.missing(&missing)),
        }
    }

    /// An error that names these parameters, which the file lacks.
    pub fn missing(&self, keys: &[&str]) -> CoreError {
        let keys = keys.iter().map(|key| key.to_string()).collect();
        CoreError::Missing { file: self.file.clone(), keys }
    }

    /// `record` for a parameter that the file need not have: without it, `value` is assumed.
    pub fn record_or<const N: usize>(
        &mut self,
        key: &str,
        word: Option<&str>,
        numbers: [&str; N],
        assumed: (Value, &str),
    ) -> Result<(String, [u32; N]), CoreError> {
        let (value, why) = assumed;
        if self.has(key) {
            return self.record(key, word, numbers);
        }
        let source = format!("{ASSUMED}{why}");
        self.taken.push(Parameter { key: key.into(), value: value.clone(), source });
        self.table(key, value, word, numbers)
    }

    /// The value of parameter `key`, which must have a source.
    pub fn value(&mut self, key: &str) -> Result<Value, CoreError> {
        let Value::Table(mut entry) = self.remove(key)? else {
            return Err(self.error(key, "must be { value = …, source = \"…\" }"));
        };
        let Some(value) = entry.remove("value") else {
            return Err(self.error(&format!("{key}.value"), "missing"));
        };
        let source = match entry.remove("source") {
            Some(Value::String(s)) if !s.trim().is_empty() => s,
            Some(_) => {
                return Err(self.error(&format!("{key}.source"), "must be a non-empty string"));
            }
            None => {
                let why =
                    "missing; cite what states the value, or say \"fitted to …\" or \"inferred …\"";
                return Err(self.error(&format!("{key}.source"), why));
            }
        };
        if let Some(other) = entry.keys().next() {
            return Err(self.error(&format!("{key}.{other}"), "unknown key"));
        }
        self.taken.push(Parameter { key: key.into(), value: value.clone(), source });
        Ok(value)
    }

    /// A string parameter.
    pub fn string(&mut self, key: &str) -> Result<String, CoreError> {
        match self.value(key)? {
            Value::String(s) => Ok(s),
            _ => Err(self.error(key, "value must be a string")),
        }
    }

    /// The index of the value among these words.
    pub fn choice(&mut self, key: &str, words: &[&str]) -> Result<usize, CoreError> {
        let given = self.string(key)?;
        words.iter().position(|w| *w == given).ok_or_else(|| {
            self.error(
                key,
                format!("unknown value \"{given}\"; known values: {}", words.join(", ")),
            )
        })
    }

    /// A boolean.
    pub fn flag(&mut self, key: &str) -> Result<bool, CoreError> {
        match self.value(key)? {
            Value::Boolean(b) => Ok(b),
            _ => Err(self.error(key, "value must be true or false")),
        }
    }

    /// A whole number in `min..=max`.
    pub fn number(&mut self, key: &str, min: u64, max: u64) -> Result<u64, CoreError> {
        let value = self.value(key)?;
        self.in_range(key, &value, min, max)
    }

    /// A power of two in `min..=max`.
    pub fn power(&mut self, key: &str, min: u64, max: u64) -> Result<u64, CoreError> {
        let n = self.number(key, min, max)?;
        if !n.is_power_of_two() {
            return Err(self.error(key, format!("value must be a power of two, not {n}")));
        }
        Ok(n)
    }

    fn in_range(&self, key: &str, value: &Value, min: u64, max: u64) -> Result<u64, CoreError> {
        let number = value.as_integer().and_then(|n| u64::try_from(n).ok());
        number.filter(|n| (min..=max).contains(n)).ok_or_else(|| {
            let why = match min == max {
                true => format!("value must be {min}"),
                false => format!("value must be a whole number from {min} to {max}"),
            };
            self.error(key, why)
        })
    }

    /// A number of cycles, in ticks.
    pub fn ticks(&mut self, key: &str) -> Result<u32, CoreError> {
        let value = self.value(key)?;
        self.as_ticks(key, &value)
    }

    fn as_ticks(&self, key: &str, value: &Value) -> Result<u32, CoreError> {
        let scaled = match value {
            Value::Integer(n) => n.checked_mul(TICKS as i64),
            // A multiple of a sixteenth is exact in binary.
            Value::Float(f) if (f * TICKS as f64).fract() == 0.0 => Some((f * TICKS as f64) as i64),
            _ => None,
        };
        let limit = MAX_CYCLES as i64 * TICKS as i64;
        scaled.filter(|n| (0..=limit).contains(n)).map(|n| n as u32).ok_or_else(|| {
            let why = format!("value must be from 0 to {MAX_CYCLES} cycles, a multiple of 1/16");
            self.error(key, why)
        })
    }

    /// A parameter whose value is a table of numbers of cycles, returned in ticks, and, if `word` is given, one
    /// string.
    pub fn record<const N: usize>(
        &mut self,
        key: &str,
        word: Option<&str>,
        numbers: [&str; N],
    ) -> Result<(String, [u32; N]), CoreError> {
        let value = self.value(key)?;
        self.table(key, value, word, numbers)
    }

    /// The members of a parameter's value.
    fn table<const N: usize>(
        &self,
        key: &str,
        value: Value,
        word: Option<&str>,
        numbers: [&str; N],
    ) -> Result<(String, [u32; N]), CoreError> {
        let Value::Table(mut record) = value else {
            let names: Vec<&str> = word.into_iter().chain(numbers).collect();
            return Err(self.error(key, format!("value must be a table of {}", names.join(", "))));
        };
        let mut text = String::new();
        if let Some(word) = word {
            let path = format!("{key}.{word}");
            match record.remove(word) {
                Some(Value::String(s)) => text = s,
                _ => return Err(self.error(&path, "missing, or not a string")),
            }
        }
        let mut out = [0; N];
        for (name, slot) in numbers.iter().zip(&mut out) {
            let path = format!("{key}.{name}");
            let value = record.remove(*name).ok_or_else(|| self.error(&path, "missing"))?;
            *slot = self.as_ticks(&path, &value)?;
        }
        if let Some(other) = record.keys().next() {
            return Err(self.error(&format!("{key}.{other}"), "unknown key"));
        }
        Ok((text, out))
    }

    /// The parameters that were read. Fails if any key was not.
    pub fn finish(self) -> Result<Vec<Parameter>, CoreError> {
        match leftover(&self.root).first() {
            Some(key) => Err(self.error(key, "unknown key")),
            None => Ok(self.taken),
        }
    }

    /// The parameters that were read, and the keys that were not.
    pub fn taken_and_left(self) -> (Vec<Parameter>, Vec<String>) {
        let left = leftover(&self.root);
        (self.taken, left)
    }
}

/// Ticks of a cycle.
pub const TICKS: u32 = 16;

/// Maximum number of cycles of one parameter. Keeps all sums of a block within 32 bits.
pub const MAX_CYCLES: u64 = 100_000;

/// The keys that still have a value. A parameter counts as one key.
fn leftover(table: &Table) -> Vec<String> {
    let keys = table.iter().flat_map(|(key, value)| match value {
        Value::Table(inner) if !inner.contains_key("value") => {
            leftover(inner).into_iter().map(|rest| format!("{key}.{rest}")).collect()
        }
        _ => vec![key.clone()],
    });
    keys.collect()
}
