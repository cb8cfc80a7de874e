//! Cores: what is built in, and files of the user's own.

use crate::change::Identity;
use crate::error::CoreError;
use crate::inorder::InOrder;
use crate::params::Params;
use crate::reader::{Parameter, Reader, TICKS};
use capvec_isa::capability::Misaligned;
use capvec_isa::{Ext, Isa};
use capvec_sim::hart::Agnostic;
use capvec_sim::timing::Ideal;
use capvec_sim::{Config, Engine, Interpreter};
use std::path::Path;

/// The cores that are built in: name and file.
const BUILT_IN: [(&str, &str); 4] = [
    ("ideal", include_str!("../../../cores/ideal.toml")),
    ("karu64", include_str!("../../../cores/karu64.toml")),
    ("marian", include_str!("../../../cores/marian.toml")),
    ("ux900", include_str!("../../../cores/ux900.toml")),
];

/// How a core's cycles are counted.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// One cycle an instruction.
    Ideal,
    /// The first-order in-order model.
    InOrder(Box<Params>),
}

impl Model {
    /// What Linux finds when it measures, unless the core file says what its kernel tells: whether copying by
    /// misaligned words of eight bytes is faster than by bytes (`check_unaligned_access`).
    fn misaligned(&self) -> Misaligned {
        let Model::InOrder(p) = self else { return Misaligned::Fast };
        // A cycle each to issue, at least.
        let access = p.data.read + p.data.write + 2 * TICKS;
        let (words, bytes) = (access + 2 * p.data.misaligned, 8 * access);
        if words < bytes { Misaligned::Fast } else { Misaligned::Slow }
    }
}

/// A core.
#[derive(Clone, Debug)]
pub struct Core {
    /// Short name.
    pub name: String,
    /// What it is, in a line.
    pub title: String,
    /// What it executes.
    pub isa: Isa,
    /// Bits of a vector register.
    pub vlen: u32,
    /// Clock in Hz.
    pub frequency: u64,
    /// Frequency of the `time` CSR in Hz.
    pub timebase: u64,
    /// How scalar and vector accesses that are misaligned do, as Linux tells programs.
    pub misaligned: [Misaligned; 2],
    /// How cycles are counted.
    pub model: Model,
    /// Everything that the core file states, with its sources, in the order in which it is read.
    pub parameters: Vec<Parameter>,
    /// What tells it from other cores, of the same name too.
    pub identity: Identity,
}

impl Core {
    /// The cores that are built in.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|c| c.0)
    }

    /// A core by name, or from the TOML file of this path.
    pub fn load(name: &str) -> Result<Core, CoreError> {
        if let Some((name, text)) = BUILT_IN.iter().find(|c| c.0 == name) {
            return Core::parse(&format!("{name} (built in)"), text);
        }
        if !name.ends_with(".toml") && !name.contains('/') {
            let known: Vec<&str> = Core::names().collect();
            return Err(CoreError::Unknown { name: name.into(), known: known.join(", ") });
        }
        let path = Path::new(name);
        let text = std::fs::read_to_string(path)
            .map_err(|error| CoreError::Read { path: path.into(), error })?;
        Core::parse(name, &text)
    }

    /// The core that `text`, the contents of `file`, describes.
    pub fn parse(file: &str, text: &str) -> Result<Core, CoreError> {
        let mut r = Reader::new(file, text)?;
        let core = Core::read(&mut r)?;
        let parameters = r.finish()?;
        let shipped = shipped(&core.name)?;
        let identity = Identity::of(&core.name, &parameters, shipped.as_deref());
        Ok(Core { parameters, identity, ..core })
    }

    /// The core of a file whose keys are all read here; nothing is said of its parameters yet.
    pub(crate) fn read(r: &mut Reader) -> Result<Core, CoreError> {
        let name = r.text("name")?;
        let title = r.text("title")?;
        let given = r.string("core.isa")?;
        let isa: Isa = given.parse().map_err(|e| r.error("core.isa", format!("{e}")))?;
        let vlen = r.power("core.vlen", 128, 65536)? as u32;
        let frequency = r.number("core.frequency", 1, 1 << 40)?;
        let timebase = r.number("core.timebase", 1, 1 << 40)?;
        let model = match r.choice("core.model", &["ideal", "in-order"])? {
            0 => Model::Ideal,
            _ => {
                let vector = isa.exts.has(Ext::Zve32x);
                Model::InOrder(Box::new(Params::read(r, vector)?))
            }
        };
        let measured = model.misaligned();
        let mut told = |key| match r.has(key) {
            true => Ok(Misaligned::ALL[r.choice(key, &Misaligned::NAMES)?]),
            false => Ok(measured),
        };
        let misaligned = [told("hwprobe.misaligned_scalar")?, told("hwprobe.misaligned_vector")?];
        let (parameters, identity) = (Vec::new(), Identity::default());
        Ok(Core {
            name,
            title,
            isa,
            vlen,
            frequency,
            timebase,
            misaligned,
            model,
            parameters,
            identity,
        })
    }

    /// A hart of this core, with these extensions instead of its own.
    pub fn hart(&self, isa: Isa) -> Config {
        Config {
            xlen: isa.xlen,
            exts: isa.exts.with_vlen(self.vlen),
            vlen: self.vlen,
            agnostic: Agnostic::default(),
            cache_block: 64,
            seed: 0,
            timebase: self.timebase,
            frequency: self.frequency,
        }
    }

    /// An interpreter with this core's model, caches cold; `count` for a histogram. Set `vlen` before to
    /// have the same core with longer registers.
    pub fn engine(&self, count: bool) -> Box<dyn Engine> {
        match self.timing() {
            None => Box::new(Interpreter::new(Ideal, count)),
            Some(model) => Box::new(Interpreter::new(model, count)),
        }
    }

    /// This core's model, caches cold; `None` if it is one cycle an instruction.
    pub fn timing(&self) -> Option<InOrder> {
        match &self.model {
            Model::Ideal => None,
            Model::InOrder(p) => Some(InOrder::new(Params::clone(p), self.vlen)),
        }
    }
}

/// The parameters of the shipped core of this name, if there is one.
pub(crate) fn shipped(name: &str) -> Result<Option<Vec<Parameter>>, CoreError> {
    let Some((_, text)) = BUILT_IN.iter().find(|c| c.0 == name) else { return Ok(None) };
    let mut r = Reader::new(name, text)?;
    Core::read(&mut r)?;
    r.finish().map(Some)
}
