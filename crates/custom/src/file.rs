//! The file as written.

use serde::Deserialize;
use toml::Spanned;

/// A file of instructions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Name of the extension.
    pub ext: Spanned<String>,
    /// A short description.
    pub title: Option<String>,
    /// Extensions that it implies.
    #[serde(default)]
    pub implies: Vec<Spanned<String>>,
    /// Where it is defined.
    pub source: Option<String>,
    /// Its instructions.
    pub insn: Spanned<Vec<Insn>>,
}

/// An instruction.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table that begins with [[insn]]")]
pub struct Insn {
    /// Mnemonic.
    pub name: Spanned<String>,
    /// Encoding, as the manual prints it.
    pub enc: Spanned<String>,
    /// Operands in assembly.
    pub args: Spanned<String>,
    /// Latency class.
    pub class: Spanned<String>,
    /// XLENs that it exists for.
    pub xlen: Option<Spanned<Vec<u32>>>,
    /// SEWs that it exists for.
    pub sew: Option<Spanned<Vec<u32>>>,
    /// Elements of an element group.
    pub group: Option<Spanned<u32>>,
    /// Operands that are read and written.
    #[serde(default)]
    pub inout: Vec<Spanned<String>>,
    /// Vector operands that are masks.
    #[serde(default)]
    pub masks: Vec<Spanned<String>>,
    /// Vector operands whose elements have twice SEW.
    #[serde(default)]
    pub wide: Vec<Spanned<String>>,
    /// What a result in an x or f register is before the first element.
    pub start: Option<Spanned<i64>>,
    /// Format of the f operands.
    pub fmt: Option<Spanned<String>>,
    /// Its cost, in place of the class's.
    pub cost: Option<Spanned<Cost>>,
    /// What it computes.
    pub semantics: Spanned<String>,
}

/// A cost in cycles: `latency` and `occupancy` of a scalar instruction; `per`, `first` and `next` of a vector instruction.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { latency = 3, occupancy = 1 }")]
pub struct Cost {
    pub latency: Option<u32>,
    pub occupancy: Option<u32>,
    pub per: Option<String>,
    pub first: Option<u32>,
    pub next: Option<u32>,
}
