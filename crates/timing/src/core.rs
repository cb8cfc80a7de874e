//! Cores: the shipped ones, and files of the user's own.

use crate::change::{Identity, Listed, values};
use crate::error::{CoreError, NoVectorUnit};
use crate::first_order::FirstOrder;
use crate::misaligned::Misaligned;
use crate::parameter::Parameter;
use crate::params::{Params, own};
use crate::price::Price;
use crate::reader::{Reader, TICKS};
use capvec_isa::capability::Misaligned as Reported;
use capvec_isa::{Class, Ext, ExtSet, Isa, Op};
use capvec_sim::hart::{Agnostic, MustAlign};
use capvec_sim::timing::Ideal;
use capvec_sim::{Config, Engine, Interpreter};
use capvec_text::suggest;
use std::path::Path;
use std::sync::OnceLock;

/// The shipped cores: name, VLEN and file. The VLEN is also in the file; it is repeated here for the help texts, which are
/// made at every start, without reading the files.
const BUILT_IN: [(&str, u32, &str); 12] = [
    ("ascalon-x", 256, include_str!("../../../cores/ascalon-x.toml")),
    ("ideal", 256, include_str!("../../../cores/ideal.toml")),
    ("karu64", 256, include_str!("../../../cores/karu64.toml")),
    ("marian", 512, include_str!("../../../cores/marian.toml")),
    ("sifive-p550", 128, include_str!("../../../cores/sifive-p550.toml")),
    ("sifive-u74", 128, include_str!("../../../cores/sifive-u74.toml")),
    ("spacemit-x100", 256, include_str!("../../../cores/spacemit-x100.toml")),
    ("spacemit-x60", 256, include_str!("../../../cores/spacemit-x60.toml")),
    ("thead-c908", 128, include_str!("../../../cores/thead-c908.toml")),
    ("thead-c910", 128, include_str!("../../../cores/thead-c910.toml")),
    ("ux900", 128, include_str!("../../../cores/ux900.toml")),
    ("zvku", 256, include_str!("../../../cores/zvku.toml")),
];

/// How a core's cycles are counted.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// One cycle per instruction.
    Ideal,
    /// The first-order model of a core that issues in order, or out of order.
    FirstOrder(Box<Params>),
}

impl Model {
    /// How the core issues, as core files say it.
    pub fn name(&self) -> &'static str {
        match self {
            Model::Ideal => "ideal",
            _ if self.is_out_of_order() => "out-of-order",
            Model::FirstOrder(_) => "in-order",
        }
    }

    /// Whether the core issues out of order.
    pub fn is_out_of_order(&self) -> bool {
        matches!(self, Model::FirstOrder(p) if p.window.is_some())
    }

    /// What Linux's own measurement would find, which holds unless the core file states it: whether copying by
    /// misaligned eight-byte words is faster than by bytes (`check_unaligned_access`).
    fn misaligned(&self) -> Reported {
        let Model::FirstOrder(p) = self else { return Reported::Fast };
        // Each access also takes at least a cycle to issue.
        let access = p.data.read + p.data.write + 2 * TICKS;
        let (words, bytes) = (access + 2 * p.data.misaligned, 8 * access);
        if words < bytes { Reported::Fast } else { Reported::Slow }
    }
}

/// A core.
#[derive(Clone, Debug)]
pub struct Core {
    /// Short name.
    pub name: String,
    /// A one-line description.
    pub title: String,
    /// Its ISA.
    pub isa: Isa,
    /// Bits of a vector register.
    pub vlen: u32,
    /// Clock in Hz.
    pub frequency: u64,
    /// Frequency of the `time` CSR in Hz.
    pub timebase: u64,
    /// Performance of misaligned scalar and of misaligned vector accesses, as Linux reports it to programs.
    pub misaligned: [Reported; 2],
    /// Accesses that trap unless they are aligned.
    pub must_align: MustAlign,
    /// How cycles are counted.
    pub model: Model,
    /// Classes of instructions whose time depends on their operands, in addition to those that Zkt and Zvkt do not list.
    pub data_dependent: Vec<Class>,
    /// All parameters of the core file with their sources, in the order in which they are read.
    pub parameters: Vec<Parameter>,
    /// What distinguishes it from other cores, also from those of the same name.
    pub identity: Identity,
}

impl Core {
    /// Names of the shipped cores.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|c| c.0)
    }

    /// The VLEN of each shipped core, by name.
    pub fn vlens() -> impl Iterator<Item = (&'static str, u32)> {
        BUILT_IN.iter().map(|(name, vlen, _)| (*name, *vlen))
    }

    /// Loads a shipped core by name, or any core from the TOML file at this path.
    ///
    /// # Errors
    /// The name is unknown, or the file cannot be read, is not valid TOML, or has missing, unknown or bad parameters.
    pub fn load(name: &str) -> Result<Core, CoreError> {
        if let Some((name, _, text)) = BUILT_IN.iter().find(|c| c.0 == name) {
            return Core::parse(&format!("{name} (built in)"), text);
        }
        if !name.ends_with(".toml") && !name.contains('/') {
            let known: Vec<&str> = Core::names().collect();
            let hint = suggest::hint(name, known.iter().copied());
            return Err(CoreError::Unknown { name: name.into(), hint, known: known.join(", ") });
        }
        let path = Path::new(name);
        let text = capvec_text::file::read(path)
            .map_err(|error| CoreError::Read { path: path.into(), error })?;
        Core::parse(name, &text)
    }

    /// What an instruction costs, and where that comes from; `None` without a model of cycles.
    pub fn cost_text(&self, op: Op) -> Option<String> {
        let row = op.row();
        let of = |key: String| self.parameters.iter().find(|p| p.key == key);
        let own: Vec<String> = own::keys(op)
            .into_iter()
            .filter_map(of)
            .map(|p| format!("{} {} ({})", p.key, p.value_text(), p.source))
            .collect();
        if !own.is_empty() {
            return Some(own.join(", "));
        }
        let table = if row.class.is_vector() { "vector.class" } else { "scalar" };
        let class = of(format!("{table}.{}", row.class.name()))?;
        match op.model().and_then(|m| m.cost) {
            Some(cost) => Some(format!("{cost} (its file)")),
            None => Some(format!("{} ({})", class.value_text(), class.source)),
        }
    }

    /// Parses a core from `text`, the contents of `file`.
    ///
    /// # Errors
    /// The text is not valid TOML, or has missing, unknown or bad parameters.
    pub fn parse(file: &str, text: &str) -> Result<Core, CoreError> {
        let mut r = Reader::new(file, text)?;
        let core = Core::read(&mut r)?;
        let parameters = r.finish()?;
        let own = values(&parameters);
        let own: Listed = (&parameters, &own);
        let is_shipped = BUILT_IN.iter().any(|(name, _, own)| *name == core.name && *own == text);
        // With the shipped core itself, there is nothing to compare.
        let base = if is_shipped { Some(own) } else { shipped(&core.name)? };
        let identity = Identity::of(&core.name, own, base);
        Ok(Core { parameters, identity, ..core })
    }

    /// Reads all keys of a core, whose `parameters` and `identity` are left empty.
    pub(crate) fn read(r: &mut Reader) -> Result<Core, CoreError> {
        let name = r.text("name")?;
        let title = r.text("title")?;
        let given = r.string("core.isa")?;
        let isa: Isa = given.parse().map_err(|e| r.error("core.isa", format!("{e}")))?;
        let vlen = r.power("core.vlen", 128, 65536)? as u32;
        let frequency = r.number("core.frequency", 1, 1 << 40)?;
        let timebase = r.number("core.timebase", 1, 1 << 40)?;
        let vector = isa.exts.has(Ext::Zve32x);
        let choice = r.choice("core.model", &["ideal", "in-order", "out-of-order"])?;
        let handling = Misaligned::read(r, vector)?;
        let model = match choice {
            0 => Model::Ideal,
            n => Model::FirstOrder(Box::new(Params::read(r, vector, n == 1, &handling)?)),
        };
        let data_dependent = match r.has("core.data_dependent") {
            true => classes(r, "core.data_dependent")?,
            false => Vec::new(),
        };
        let [scalar, vector] = handling.reported(model.misaligned());
        let mut reported = |key, otherwise| match r.has(key) {
            true => Ok(Reported::ALL[r.choice(key, &Reported::NAMES)?]),
            false => Ok(otherwise),
        };
        let misaligned = [
            reported("hwprobe.misaligned_scalar", scalar)?,
            reported("hwprobe.misaligned_vector", vector)?,
        ];
        let (parameters, identity) = (Vec::new(), Identity::default());
        Ok(Core {
            name,
            title,
            isa,
            vlen,
            frequency,
            timebase,
            misaligned,
            must_align: handling.must_align(),
            model,
            data_dependent,
            parameters,
            identity,
        })
    }

    /// This core with other costs for these instructions. `what` says so in the label of its figures. A core without a
    /// model of cycles stays as it is.
    pub fn priced(&self, what: &str, prices: &[(Op, Price)]) -> Core {
        let mut core = self.clone();
        if let Model::FirstOrder(params) = &mut core.model {
            params.prices = params.prices.with(prices);
            core.identity.label = format!("{} ({what})", self.identity.label);
            core.identity.base.clone_from(&core.identity.label);
        }
        core
    }

    /// The configuration of a hart of this core, with these extensions instead of its own.
    pub fn hart(&self, isa: Isa) -> Config {
        Config {
            xlen: isa.xlen,
            exts: isa.exts.with_vlen(self.vlen),
            vlen: self.vlen,
            agnostic: Agnostic::default(),
            must_align: self.must_align,
            cache_block: 64,
            seed: 0,
            timebase: self.timebase,
            frequency: self.frequency,
        }
    }

    /// Whether the model can count the cycles of a hart with these extensions.
    ///
    /// # Errors
    /// The hart has vector instructions, for which the core file has no costs.
    pub fn can_time(&self, exts: ExtSet) -> Result<(), NoVectorUnit> {
        let lacks = matches!(&self.model, Model::FirstOrder(p) if p.vector.is_none());
        match lacks && exts.has(Ext::Zve32x) {
            true => Err(NoVectorUnit(self.name.clone())),
            false => Ok(()),
        }
    }

    /// An interpreter with this core's model and cold caches; `count` enables the histogram. To model the same core
    /// with longer vector registers, set `vlen` first.
    pub fn engine(&self, count: bool) -> Box<dyn Engine> {
        match self.timing() {
            None => Box::new(Interpreter::new(Ideal, count)),
            Some(model) => Box::new(Interpreter::new(model, count)),
        }
    }

    /// This core's model with cold caches; `None` for one cycle per instruction.
    pub fn timing(&self) -> Option<FirstOrder> {
        match &self.model {
            Model::Ideal => None,
            Model::FirstOrder(p) => Some(FirstOrder::new(Params::clone(p), self.vlen)),
        }
    }
}

/// A list of classes of instructions.
fn classes(r: &mut Reader, key: &str) -> Result<Vec<Class>, CoreError> {
    let names = r.string(key)?;
    let class = |name| {
        Class::from_name(name).ok_or_else(|| {
            let hint = suggest::hint(name, Class::ALL.iter().map(|c| c.name()));
            r.error(key, format!("{name} is not a class of instructions{hint}"))
        })
    };
    names.split_whitespace().map(class).collect()
}

/// The parameters of the shipped core of this name, if there is one. They are read once: a sweep compares thousands of cores with them.
pub(crate) fn shipped(name: &str) -> Result<Option<Listed<'static>>, CoreError> {
    type Read = (Vec<Parameter>, Vec<(String, String)>);
    static READ: [OnceLock<Read>; BUILT_IN.len()] = [const { OnceLock::new() }; BUILT_IN.len()];
    let shipped = BUILT_IN.iter().zip(&READ).find(|((own, _, _), _)| *own == name);
    let Some(((_, _, text), read)) = shipped else { return Ok(None) };
    if read.get().is_none() {
        let mut r = Reader::new(name, text)?;
        Core::read(&mut r)?;
        let parameters = r.finish()?;
        let values = values(&parameters);
        // Another thread may have been first.
        let _ = read.set((parameters, values));
    }
    Ok(read.get().map(|(parameters, values)| (&**parameters, &**values)))
}
