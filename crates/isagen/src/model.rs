//! The instruction table as written in `isa/*.toml`.

use anyhow::{Context, Result, bail};
use capvec_encoding::Encoding;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// Files of `isa/` that do not contain instructions.
const NOT_INSTRUCTIONS: [&str; 4] = ["extensions", "capabilities", "profiles", "ratified"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtensionsFile {
    ext: Vec<ExtensionRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RatifiedFile {
    ratified: Vec<ExtensionRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtensionRow {
    pub name: String,
    pub title: String,
    #[serde(default)]
    pub implies: Vec<String>,
    /// For a draft: its name without the version.
    pub draft: Option<String>,
    /// Where it is defined, if all its instructions are in the files of others.
    pub source: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InsnFile {
    ext: String,
    source: String,
    /// The rule of rows that name none.
    taint: Option<String>,
    insn: Vec<InsnRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InsnRow {
    name: String,
    enc: String,
    args: String,
    class: Option<String>,
    r#as: Option<String>,
    ext: Option<Vec<String>>,
    xlen: Option<u8>,
    dit: Option<String>,
    taint: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    /// Names by bit.
    pub openssl_riscvcap: Vec<String>,
    /// Other names that libcapvec knows.
    pub libcapvec: Vec<String>,
    pub hwprobe: Vec<HwprobeBit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HwprobeBit {
    pub bit: u8,
    pub needs: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfilesFile {
    profile: Vec<Profile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: String,
    pub exts: Vec<String>,
}

/// An instruction, checked and with its encoding parsed.
pub struct Insn {
    pub name: String,
    pub args: String,
    /// `None` for a compressed instruction, which has its base's class.
    pub class: Option<String>,
    /// Any one of these makes the encoding legal.
    pub exts: Vec<String>,
    pub xlen: u8,
    pub dit: Option<String>,
    /// How taint passes through it. `None` for a compressed instruction.
    pub taint: Option<String>,
    pub encoding: Encoding,
    /// The base instruction of a compressed one.
    pub base: Option<String>,
    /// Module of `crates/sim/src/exec/` with the semantics: the stem of the file's name.
    pub module: String,
    pub source: String,
}

pub struct Table {
    pub exts: Vec<ExtensionRow>,
    /// Names that are known but not modelled.
    pub ratified: Vec<ExtensionRow>,
    pub insns: Vec<Insn>,
    pub capabilities: Capabilities,
    pub profiles: Vec<Profile>,
}

impl Table {
    pub fn load(dir: &Path) -> Result<Self> {
        let mut names: Vec<_> = std::fs::read_dir(dir)
            .with_context(|| format!("reading {}", dir.display()))?
            .filter_map(|e| e.ok().map(|e| e.path()))
            .filter(|p| p.extension().is_some_and(|x| x == "toml"))
            .collect();
        names.sort();
        let exts: ExtensionsFile = read(&dir.join("extensions.toml"))?;
        let mut insns = Vec::new();
        for path in names {
            let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_string();
            if NOT_INSTRUCTIONS.contains(&stem.as_str()) {
                continue;
            }
            let file: InsnFile = read(&path)?;
            for row in &file.insn {
                let insn = Insn::new(row, &file, &stem)
                    .with_context(|| format!("{}: {}", path.display(), row.name))?;
                insns.push(insn);
            }
        }
        let capabilities = read(&dir.join("capabilities.toml"))?;
        let profiles: ProfilesFile = read(&dir.join("profiles.toml"))?;
        let ratified: RatifiedFile = read(&dir.join("ratified.toml"))?;
        let table = Table {
            exts: exts.ext,
            ratified: ratified.ratified,
            insns,
            capabilities,
            profiles: profiles.profile,
        };
        table.check()?;
        Ok(table)
    }

    /// The row that has the semantics: the base of a compressed instruction, otherwise the row itself.
    pub fn base<'a>(&'a self, insn: &'a Insn) -> &'a Insn {
        match &insn.base {
            None => insn,
            Some(b) => self.named(b, insn.xlen).expect("checked at load"),
        }
    }

    /// The row of this name; if there are two, the one for this XLEN.
    fn named(&self, name: &str, xlen: u8) -> Option<&Insn> {
        let rows = || self.insns.iter().filter(|i| i.name == name);
        rows().find(|i| i.xlen == xlen).or_else(|| rows().next())
    }

    /// The draft that the instruction belongs to, if other drafts have an instruction of the same name, so that its name
    /// in Rust needs a suffix.
    pub fn draft_of_several<'a>(&self, insn: &'a Insn) -> Option<&'a str> {
        let others = self.insns.iter().filter(|i| i.name == insn.name).count() > 1;
        insn.exts.first().filter(|e| others && self.is_draft(e)).map(String::as_str)
    }

    fn is_draft(&self, ext: &str) -> bool {
        self.exts.iter().any(|x| x.name == ext && x.draft.is_some())
    }

    /// Whether the mnemonic has another encoding on RV64, so that the name of this instruction needs the suffix RV32.
    pub fn is_twin(&self, insn: &Insn) -> bool {
        insn.xlen == 32 && self.insns.iter().any(|i| i.name == insn.name && i.xlen == 64)
    }

    fn check(&self) -> Result<()> {
        let known = |e: &String| self.exts.iter().any(|x| x.name == *e);
        for e in &self.exts {
            if let Some(family) = e.draft.as_ref().filter(|f| !is_version(&e.name, f)) {
                bail!(
                    "extensions.toml: {}: the name of a draft is {family} and a version such as 0p1",
                    e.name
                );
            }
            if let Some(bad) = e.implies.iter().find(|i| !known(i)) {
                bail!("extensions.toml: {} implies {bad}, which is not listed", e.name);
            }
        }
        for e in &self.ratified {
            if known(&e.name) {
                bail!("ratified.toml: {} is in extensions.toml too; remove the row here", e.name);
            }
            if let Some(bad) = e.implies.iter().find(|i| !known(i)) {
                bail!("ratified.toml: {} implies {bad}, which is not in extensions.toml", e.name);
            }
        }
        let caps = &self.capabilities;
        let listed = caps.openssl_riscvcap.iter().chain(&caps.libcapvec);
        let named = listed.chain(caps.hwprobe.iter().flat_map(|b| &b.needs));
        if let Some(bad) =
            named.chain(self.profiles.iter().flat_map(|p| &p.exts)).find(|e| !known(e))
        {
            bail!("capabilities.toml or profiles.toml: {bad} is not in extensions.toml");
        }
        let mut by_name: HashMap<&str, &Insn> = HashMap::new();
        for i in &self.insns {
            let drafts = |i: &Insn| i.exts.iter().all(|e| self.is_draft(e));
            if let Some(other) = by_name.insert(&i.name, i)
                && (other.xlen, i.xlen) != (64, 32)
                && !(drafts(other) && drafts(i) && other.exts != i.exts)
            {
                bail!(
                    "{} appears twice in the table, but neither once for RV64 and then once for RV32, nor in two drafts",
                    i.name
                );
            }
            if let Some(bad) = i.exts.iter().find(|e| !known(e)) {
                bail!("{}: extension {bad} is not in extensions.toml", i.name);
            }
        }
        for i in &self.insns {
            if let Some(b) = &i.base
                && !by_name.contains_key(b.as_str())
            {
                bail!("{}: expands to {b}, which is not in the table", i.name);
            }
        }
        Ok(())
    }
}

impl Insn {
    fn new(row: &InsnRow, file: &InsnFile, stem: &str) -> Result<Self> {
        let (base, bindings) = match &row.r#as {
            None => (None, Vec::new()),
            Some(text) => {
                let mut words = text.split_whitespace().map(str::to_string);
                (Some(words.next().context("`as` is empty")?), words.collect())
            }
        };
        if base.is_none() && row.class.is_none() {
            bail!("needs a class");
        }
        let taint = row.taint.as_ref().or(file.taint.as_ref()).cloned();
        if base.is_none() && taint.is_none() {
            bail!("needs a taint rule, in its row or for the whole file; `any` is always sound");
        }
        Ok(Insn {
            name: row.name.clone(),
            args: row.args.clone(),
            class: row.class.clone(),
            exts: row.ext.clone().unwrap_or_else(|| vec![file.ext.clone()]),
            xlen: row.xlen.unwrap_or(0),
            dit: row.dit.clone(),
            taint,
            encoding: Encoding::parse(&row.enc, &bindings)?,
            base,
            module: stem.to_string(),
            source: file.source.clone(),
        })
    }
}

/// Whether `name` is `family` with a version, such as `0p1`.
fn is_version(name: &str, family: &str) -> bool {
    let version = name.strip_prefix(family).and_then(|v| v.split_once('p'));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|c| c.is_ascii_digit());
    version.is_some_and(|(major, minor)| digits(major) && digits(minor))
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}
