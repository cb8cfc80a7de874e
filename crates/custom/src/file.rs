//! The file as written.

use serde::Deserialize;
use toml::Spanned;

/// A file of instructions.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Name of the extension.
    #[cfg_attr(test, schemars(with = "String"))]
    pub ext: Spanned<String>,
    /// A short description.
    pub title: Option<String>,
    /// Extensions that it implies.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub implies: Vec<Spanned<String>>,
    /// Where it is defined.
    pub source: Option<String>,
    /// Its instructions.
    #[cfg_attr(test, schemars(with = "Vec<Insn>"))]
    pub insn: Spanned<Vec<Insn>>,
}

/// An instruction.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table that begins with [[insn]]")]
pub struct Insn {
    /// Mnemonic.
    #[cfg_attr(test, schemars(with = "String"))]
    pub name: Spanned<String>,
    /// Encoding, as the manual prints it.
    #[cfg_attr(test, schemars(with = "String"))]
    pub enc: Spanned<String>,
    /// Operands in assembly.
    #[cfg_attr(test, schemars(with = "String"))]
    pub args: Spanned<String>,
    /// Latency class.
    #[cfg_attr(test, schemars(with = "String"))]
    pub class: Spanned<String>,
    /// XLENs that it exists for.
    #[cfg_attr(test, schemars(with = "Option<Vec<u32>>"))]
    pub xlen: Option<Spanned<Vec<u32>>>,
    /// SEWs that it exists for.
    #[cfg_attr(test, schemars(with = "Option<Vec<u32>>"))]
    pub sew: Option<Spanned<Vec<u32>>>,
    /// Elements of an element group.
    #[cfg_attr(test, schemars(with = "Option<u32>"))]
    pub group: Option<Spanned<u32>>,
    /// Operands that are read and written.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub inout: Vec<Spanned<String>>,
    /// Vector operands that are masks.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub masks: Vec<Spanned<String>>,
    /// Vector operands whose elements have twice SEW.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub wide: Vec<Spanned<String>>,
    /// What a result in an x or f register is before the first element.
    #[cfg_attr(test, schemars(with = "Option<i64>"))]
    pub start: Option<Spanned<i64>>,
    /// Format of the f operands.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub fmt: Option<Spanned<String>>,
    /// Its cost, in place of the class's.
    #[cfg_attr(test, schemars(with = "Option<Cost>"))]
    pub cost: Option<Spanned<Cost>>,
    /// What it computes.
    #[cfg_attr(test, schemars(with = "String"))]
    pub semantics: Spanned<String>,
}

/// A cost in cycles: `latency` and `occupancy` of a scalar instruction; `per`, `first` and `next` of a vector instruction.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table such as { latency = 3, occupancy = 1 }")]
pub struct Cost {
    pub latency: Option<u32>,
    pub occupancy: Option<u32>,
    pub per: Option<String>,
    pub first: Option<u32>,
    pub next: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::File;
    use capvec_util::testing::is_generated;
    use schemars::generate::SchemaSettings;

    /// `CAPVEC_WRITE=1 cargo test -p capvec-custom schema` writes it.
    #[test]
    fn the_schema_of_instruction_files_is_that_of_the_types() {
        let settings = SchemaSettings::draft2020_12();
        let mut schema = settings.into_generator().into_root_schema_for::<File>().to_value();
        schema["title"] = "A file of instructions for --isa-file (docs/custom.md)".into();
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        is_generated("docs/instruction-file.schema.json", &text);
    }
}
