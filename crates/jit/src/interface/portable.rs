//! Code that can be placed again: for another address space, or in another engine with the same options and core model. All
//! that it refers to outside of itself is named instead of being an address or a number.

use super::exit::Exit;
use super::link::Site;
use super::relocation::{Refers, Relocation};
use super::trace::Step;
use super::translation::{Place, Translation};
use capvec_timing::batch::Batch;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Range;
use std::sync::Arc;

/// The memory of an engine that code refers to.
pub struct Surroundings {
    /// The address of the border's code.
    pub border: u64,
    /// Tables, functions and the core model: in each engine of a kind, the same ranges in the same order.
    pub regions: Vec<Range<u64>>,
}

/// What a relocation refers to. Steps are those of the trace.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Target {
    /// An address in a region of the engine.
    Engine { region: u8, offset: u32 },
    /// The same in 32 bits: the region is at low addresses.
    Low { region: u8, offset: u32 },
    /// An instruction of a step's block: its offset in bytes.
    Insn { step: u8, offset: u32 },
    /// The counter of a block's entries.
    Entered { step: u8 },
    /// The batch.
    Batch,
    /// A function of the border.
    Border { offset: u32 },
    /// The block's number in an exit.
    Exit { step: u8 },
    /// An edge of the trace.
    Edge { index: u32 },
    /// An edge of the trace in an exit.
    EdgeExit { index: u32 },
}

/// The code of a trace, without an engine or an address space.
pub struct Portable {
    code: Box<[u8]>,
    targets: Box<[(u32, Target)]>,
    /// Its edges. The block of each is the number of a step.
    edges: Box<[Site]>,
    /// Offset of the entry for control by a redirection.
    pub redirected: usize,
    /// Offset of the entry for control from another variant.
    pub inner: usize,
    /// The vector instructions that it counts late, if there are any.
    pub batch: Option<Arc<Batch>>,
}

/// The same for a file.
#[derive(Serialize, Deserialize)]
pub struct PortableRecord<'a> {
    #[serde(borrow)]
    code: Bytes<'a>,
    targets: Vec<(u32, Target)>,
    edges: Vec<Site>,
    redirected: u32,
    inner: u32,
}

/// Bytes, which are encoded as a whole.
pub struct Bytes<'a>(pub &'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Bytes<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes<'a>, D::Error> {
        Deserialize::deserialize(deserializer).map(Bytes)
    }
}

/// Where code is, and for whom.
pub struct Setting<'a> {
    /// The blocks of the trace.
    pub steps: &'a [Step<'a>],
    /// Its place.
    pub place: Place,
    /// The engine.
    pub around: &'a Surroundings,
    /// Its batch.
    pub batch: Option<*const Batch>,
}

fn word(code: &[u8], at: usize) -> Option<u32> {
    code.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

impl Portable {
    /// The code of a translation. `None` if it refers to something that has no name.
    pub fn new(t: &Translation, setting: &Setting<'_>) -> Option<Portable> {
        let target = |r: &Relocation| Some((r.at, setting.target(&t.code, r)?));
        let targets: Option<Box<[_]>> = t.relocations.iter().map(target).collect();
        let edge = |site: &Site| Some(Site { block: setting.step(site.block)?.into(), ..*site });
        let edges: Option<Box<[_]>> = t.edges.iter().map(edge).collect();
        let Translation { ref code, redirected, inner, ref batch, .. } = *t;
        let (code, batch) = (code.as_slice().into(), batch.clone());
        Some(Portable { code, targets: targets?, edges: edges?, redirected, inner, batch })
    }

    /// The same for a file; `None` if it has a batch.
    pub fn record(&self) -> Option<PortableRecord<'_>> {
        let small = |n: usize| u32::try_from(n).ok();
        self.batch.is_none().then_some(PortableRecord {
            code: Bytes(&self.code),
            targets: self.targets.to_vec(),
            edges: self.edges.to_vec(),
            redirected: small(self.redirected)?,
            inner: small(self.inner)?,
        })
    }

    /// Approximate number of bytes that it takes.
    pub fn size(&self) -> usize {
        self.code.len() + size_of_val(&*self.targets) + size_of_val(&*self.edges)
    }

    /// The code for this setting; `None` if a number does not fit.
    pub fn placed(&self, setting: &Setting<'_>) -> Option<Vec<u8>> {
        let mut code = self.code.to_vec();
        for (at, target) in &self.targets {
            let at = *at as usize;
            let old = word(&code, at)?;
            match setting.value(at, *target, old)? {
                Value::Long(v) => *code.get_mut(at..)?.first_chunk_mut()? = v.to_le_bytes(),
                Value::Word(v) => *code.get_mut(at..)?.first_chunk_mut()? = v.to_le_bytes(),
            }
        }
        Some(code)
    }

    /// Its edges, from these blocks.
    pub fn edges<'a>(&'a self, steps: &'a [Step<'_>]) -> impl Iterator<Item = Site> + 'a {
        self.edges.iter().map(|site| Site { block: steps[site.block as usize].number, ..*site })
    }
}

impl PortableRecord<'_> {
    /// The code of a trace of `steps` blocks; `None` if its parts do not fit together.
    pub fn decode(self, steps: usize) -> Option<Portable> {
        let Bytes(code) = self.code;
        let len = code.len();
        let inside = |site: &Site| (site.block as usize) < steps && site.ends_by(len);
        let (redirected, inner) = (self.redirected as usize, self.inner as usize);
        let fits = self.edges.iter().all(inside) && redirected.max(inner) < len;
        fits.then(|| Portable {
            code: code.into(),
            targets: self.targets.into(),
            edges: self.edges.into(),
            redirected,
            inner,
            batch: None,
        })
    }
}

/// What is written to the code.
enum Value {
    Long(u64),
    Word(u32),
}

impl Setting<'_> {
    /// The number of the step with this block.
    fn step(&self, block: u32) -> Option<u8> {
        let step = self.steps.iter().position(|step| step.number == block)?;
        u8::try_from(step).ok()
    }

    /// What a relocation in this code refers to.
    fn target(&self, code: &[u8], r: &Relocation) -> Option<Target> {
        let at = r.at as usize;
        let word = word(code, at)?;
        let index = |number: u32| number.wrapping_sub(self.place.first_edge);
        Some(match r.refers {
            Refers::Address => {
                let bytes = code.get(at..)?.first_chunk()?;
                return self.named(u64::from_le_bytes(*bytes));
            }
            #[cfg(target_arch = "x86_64")]
            Refers::LowAddress => {
                let (region, offset) = self.in_region(word.into())?;
                Target::Low { region, offset }
            }
            Refers::Block => Target::Exit { step: self.step(word >> Exit::SHIFT)? },
            Refers::Edge => Target::Edge { index: index(word) },
            #[cfg(target_arch = "x86_64")]
            Refers::EdgeExit => Target::EdgeExit { index: index(word >> Exit::SHIFT) },
            #[cfg(target_arch = "x86_64")]
            Refers::Function => {
                let to = self.end_of(at).wrapping_add_signed((word as i32).into());
                Target::Border { offset: to.wrapping_sub(self.around.border) as u32 }
            }
        })
    }

    /// The address after the word at this offset.
    fn end_of(&self, at: usize) -> u64 {
        self.place.base + at as u64 + 4
    }

    /// The name of an address.
    fn named(&self, address: u64) -> Option<Target> {
        if self.batch.is_some_and(|batch| address == batch as u64) {
            return Some(Target::Batch);
        }
        let offset = |start: u64| address.wrapping_sub(start) as u32;
        for (step, block) in (0..).zip(self.steps.iter().map(|step| step.block)) {
            let insns = block.insns.as_ptr_range();
            let insns = insns.start as u64..insns.end as u64;
            if insns.contains(&address) {
                return Some(Target::Insn { step, offset: offset(insns.start) });
            }
            if address == &raw const block.entered as u64 {
                return Some(Target::Entered { step });
            }
        }
        let (region, offset) = self.in_region(address)?;
        Some(Target::Engine { region, offset })
    }

    /// The region with this address, and the address's offset in it.
    fn in_region(&self, address: u64) -> Option<(u8, u32)> {
        let regions = &self.around.regions;
        let region = regions.iter().position(|region| region.contains(&address))?;
        Some((region as u8, (address - regions[region].start) as u32))
    }

    /// The value for a target at this offset, in place of the word `old`.
    fn value(&self, at: usize, target: Target, old: u32) -> Option<Value> {
        let block = |step: u8| self.steps.get(step as usize).map(|step| step.block);
        let exit = |number: u32| {
            let number = (number as u64) << Exit::SHIFT | (old & Exit::LOW) as u64;
            u32::try_from(number).ok().map(Value::Word)
        };
        let edge = |index: u32| self.place.first_edge.checked_add(index);
        let engine = |region: u8, offset: u32| {
            Some(self.around.regions.get(region as usize)?.start + u64::from(offset))
        };
        Some(match target {
            Target::Engine { region, offset } => Value::Long(engine(region, offset)?),
            Target::Low { region, offset } => {
                Value::Word(i32::try_from(engine(region, offset)?).ok()? as u32)
            }
            Target::Insn { step, offset } => {
                Value::Long(block(step)?.insns.as_ptr() as u64 + offset as u64)
            }
            Target::Entered { step } => Value::Long(&raw const block(step)?.entered as u64),
            Target::Batch => Value::Long(self.batch? as u64),
            Target::Border { offset } => {
                let to = self.around.border + offset as u64;
                let distance = to.wrapping_sub(self.end_of(at)) as i64;
                Value::Word(i32::try_from(distance).ok()? as u32)
            }
            Target::Exit { step } => exit(self.steps.get(step as usize)?.number)?,
            Target::Edge { index } => Value::Word(edge(index)?),
            Target::EdgeExit { index } => exit(edge(index)?)?,
        })
    }
}
