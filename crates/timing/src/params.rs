//! The parameters of the in-order model. Those of scalar classes are whole cycles; all others are in ticks, which are
//! sixteenths of a cycle.

use crate::cache::Geometry;
use crate::error::CoreError;
use crate::reader::{Reader, TICKS};
use capvec_isa::Class;
use capvec_sim::timing::Exit;
use toml::{Table, Value};

/// All parameters of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// Scalar instructions that may issue in a cycle.
    pub issue_width: u32,
    /// Cycles after an instruction's issue before another that writes the same register can issue; 0 for no such
    /// restriction.
    pub rewrite: u32,
    /// Costs by scalar class, vset included; zero for vector classes.
    pub scalar: [Scalar; Class::ALL.len()],
    /// Instruction fetch.
    pub fetch: Fetch,
    /// Redirections.
    pub branch: Branch,
    /// Data memory.
    pub data: Data,
    /// The vector unit, if there is one.
    pub vector: Option<Vector>,
}

/// The cost of a scalar class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scalar {
    /// Cycles from issue until the result can be used.
    pub latency: u32,
    /// Cycles from issue until the next instruction can issue. If 1, others may issue in the same cycle, up to the
    /// issue width.
    pub occupancy: u32,
}

/// Instruction fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// Bytes of a fetch word.
    pub word: u64,
    /// Ticks for each word.
    pub cycles: u32,
    /// Words that can be fetched ahead of issue.
    pub buffer: u32,
    /// Fetching stops while data memory is accessed.
    pub shared: bool,
    /// The instruction cache.
    pub cache: Geometry,
    /// Ticks of a miss.
    pub miss: u32,
}

/// Redirections: ticks lost, not counting the fetch of the first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Two-bit counters of the branch history table; 0: branches are predicted not taken.
    pub history: u64,
    /// A correctly predicted taken branch.
    pub taken: u32,
    /// A mispredicted branch.
    pub mispredict: u32,
    /// A direct jump.
    pub jump: u32,
    /// A jump through the link register.
    pub ret: u32,
    /// Any other indirect jump.
    pub indirect: u32,
}

/// Data memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// The data cache.
    pub cache: Geometry,
    /// Ticks of a miss.
    pub miss: u32,
    /// Write-back and write-allocate; otherwise write-through and no write-allocate.
    pub write_back: bool,
    /// Ticks of writing a modified line back.
    pub evict: u32,
    /// Ticks for which a scalar load occupies the memory path, apart from its issue.
    pub read: u32,
    /// The same for a scalar store.
    pub write: u32,
    /// Bytes of the path to the cache. An access that crosses a multiple of it is misaligned.
    pub width: u64,
    /// Additional ticks of a misaligned access.
    pub misaligned: u32,
}

/// The unit in which a vector instruction's steps are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// Datapath widths of the widest operand; for unit-stride memory accesses, memory path widths.
    Beat,
    /// Elements.
    Element,
    /// Element groups.
    Group,
    /// Rounds of a cipher or permutation on an element group.
    Round,
}

/// The cost of a vector class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is counted as a step.
    pub per: Per,
    /// Ticks of the first step.
    pub first: u32,
    /// Ticks of each further step.
    pub next: u32,
}

/// The vector unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// Issue waits until an instruction is complete. Otherwise the unit has a queue.
    pub blocking: bool,
    /// Cycles that the scalar pipeline takes to dispatch an instruction.
    pub dispatch: u32,
    /// Most instructions in the queue.
    pub queue: usize,
    /// A dependent instruction starts when the first result is available, not when all are.
    pub chaining: bool,
    /// Bits of the datapath; `None` for VLEN.
    pub datapath: Option<u64>,
    /// Ticks of an instruction before its first step.
    pub startup: u32,
    /// Ticks from the end of an instruction until its x or f register is available.
    pub to_scalar: u32,
    /// Ticks per vector register read.
    pub read: u32,
    /// Ticks per granule written.
    pub write: u32,
    /// Bits of a granule.
    pub granule: u64,
    /// Bits of the memory path.
    pub memory: u64,
    /// Memory accesses go through the scalar data cache.
    pub cached: bool,
    /// Ticks of a memory access before its first step, if it does not go through the cache.
    pub memory_latency: u32,
    /// By `StepKind`.
    pub steps: Box<[Step]>,
}

/// Index of a cost in `Vector::steps`: a class, or one of the subclasses that follow the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepKind(pub usize);

const FINER: [&str; 3] = ["vload-segment", "vstore-segment", "vsha2-64"];

impl StepKind {
    /// Unit-stride segment loads.
    pub const LOAD_SEGMENT: StepKind = StepKind(Class::ALL.len());
    /// Unit-stride segment stores.
    pub const STORE_SEGMENT: StepKind = StepKind(Class::ALL.len() + 1);
    /// SHA-512, whose element groups have 256 bits.
    pub const SHA512: StepKind = StepKind(Class::ALL.len() + 2);

    /// Number of costs.
    #[cfg(test)]
    pub const COUNT: usize = Class::ALL.len() + FINER.len();

    /// The cost of a class.
    pub fn of(class: Class) -> StepKind {
        StepKind(class as usize)
    }
}

/// Whether the class has a scalar cost.
fn is_scalar(class: Class) -> bool {
    !class.is_vector() || class == Class::Vset
}

impl Params {
    /// Reads all parameters; `vector`: the core has a vector unit.
    pub fn read(r: &mut Reader, vector: bool) -> Result<Params, CoreError> {
        let issue_width = r.number("issue.width", 1, 8)? as u32;
        let rewrite = r.number("issue.rewrite", 0, 1000)? as u32;
        let mut scalar = [Scalar::default(); Class::ALL.len()];
        for &class in Class::ALL.iter().filter(|c| is_scalar(**c)) {
            if class == Class::Vset && !vector {
                continue;
            }
            let key = format!("scalar.{}", class.name());
            let (_, ticks) = r.record(&key, None, ["latency", "occupancy"])?;
            if ticks.iter().any(|t| *t == 0 || t % TICKS != 0) {
                return Err(
                    r.error(&key, "latency and occupancy must be whole numbers, at least 1")
                );
            }
            let [latency, occupancy] = ticks.map(|t| t / TICKS);
            scalar[class as usize] = Scalar { latency, occupancy };
        }
        Ok(Params {
            issue_width,
            rewrite,
            scalar,
            fetch: Fetch::read(r)?,
            branch: Branch::read(r)?,
            data: Data::read(r)?,
            vector: if vector { Some(Vector::read(r)?) } else { None },
        })
    }
}

fn geometry(r: &mut Reader, table: &str) -> Result<Geometry, CoreError> {
    let key = format!("{table}.size");
    let size = r.number(&key, 0, 1 << 28)?;
    let line = r.power(&format!("{table}.line"), 4, 4096)?;
    let ways = r.number(&format!("{table}.ways"), 1, 64)?;
    let sets = size / (line * ways);
    if size != 0 && (sets * line * ways != size || !sets.is_power_of_two()) {
        let why = format!(
            "the number of sets must be a power of two: {size} bytes / ({ways} ways × {line} bytes)"
        );
        return Err(r.error(&key, why));
    }
    Ok(Geometry { size, line, ways })
}

impl Fetch {
    fn read(r: &mut Reader) -> Result<Fetch, CoreError> {
        Ok(Fetch {
            word: r.power("fetch.word", 2, 64)?,
            cycles: r.ticks("fetch.cycles")?,
            buffer: r.number("fetch.buffer", 0, 64)? as u32,
            shared: r.choice("fetch.port", &["shared", "own"])? == 0,
            cache: geometry(r, "icache")?,
            miss: r.ticks("icache.miss")?,
        })
    }
}

impl Branch {
    /// Ticks lost by a redirection at the end of a block, if no branch history decides.
    pub fn redirect_ticks(&self, exit: Exit) -> u64 {
        let ticks = match exit {
            Exit::Branch | Exit::Next | Exit::System => self.mispredict,
            Exit::Jump => self.jump,
            Exit::Return => self.ret,
            Exit::Indirect => self.indirect,
        };
        ticks as u64
    }

    fn read(r: &mut Reader) -> Result<Branch, CoreError> {
        let history = r.number("branch.history", 0, 1 << 20)?;
        if history != 0 && !history.is_power_of_two() {
            return Err(r.error("branch.history", "value must be 0 or a power of two"));
        }
        Ok(Branch {
            history,
            taken: r.ticks("branch.taken")?,
            mispredict: r.ticks("branch.mispredict")?,
            jump: r.ticks("branch.jump")?,
            ret: r.ticks("branch.return")?,
            indirect: r.ticks("branch.indirect")?,
        })
    }
}

impl Data {
    fn read(r: &mut Reader) -> Result<Data, CoreError> {
        let policies = ["write-through", "write-back"];
        let write_back = r.choice("dcache.policy", &policies)? == 1;
        Ok(Data {
            cache: geometry(r, "dcache")?,
            miss: r.ticks("dcache.miss")?,
            write_back,
            evict: if write_back { r.ticks("dcache.evict")? } else { 0 },
            read: r.ticks("dcache.read")?,
            write: r.ticks("dcache.write")?,
            width: r.power("dcache.width", 1, 128)?,
            misaligned: r.ticks("dcache.misaligned")?,
        })
    }
}

impl Vector {
    fn read(r: &mut Reader) -> Result<Vector, CoreError> {
        let blocking = r.choice("vector.issue", &["blocking", "queued"])? == 0;
        let cached = r.choice("vector.memory_path", &["cache", "direct"])? == 0;
        Ok(Vector {
            blocking,
            dispatch: r.number("vector.dispatch", 1, 1000)? as u32,
            queue: if blocking { 1 } else { r.number("vector.queue", 1, 64)? as usize },
            chaining: !blocking && r.flag("vector.chaining")?,
            datapath: datapath(r)?,
            startup: r.ticks("vector.startup")?,
            to_scalar: r.ticks("vector.to_scalar")?,
            read: r.ticks("vector.read")?,
            write: r.ticks("vector.write")?,
            granule: r.power("vector.granule", 8, 65536)?,
            memory: r.power("vector.memory_bits", 8, 4096)?,
            cached,
            memory_latency: if cached { 0 } else { r.ticks("vector.memory_latency")? },
            steps: steps(r)?,
        })
    }
}

/// A number of bits, or "vlen".
fn datapath(r: &mut Reader) -> Result<Option<u64>, CoreError> {
    const KEY: &str = "vector.datapath";
    let value = r.value(KEY)?;
    match (value.as_str(), value.as_integer()) {
        (Some("vlen"), _) => Ok(None),
        (_, Some(n @ 32..=65536)) if (n as u64).is_power_of_two() => Ok(Some(n as u64)),
        _ => Err(r.error(KEY, "value must be \"vlen\" or a power of two from 32 to 65536")),
    }
}

/// Whether the class works on element groups.
fn has_groups(class: &str) -> bool {
    has_rounds(class) || ["vaes", "vsha2", "vsha2-64", "vsm3", "vsm4", "vghash"].contains(&class)
}

/// Whether the class does several rounds on an element group.
fn has_rounds(class: &str) -> bool {
    ["vkeccak", "vaes-all"].contains(&class)
}

fn steps(r: &mut Reader) -> Result<Box<[Step]>, CoreError> {
    let names = Class::ALL.iter().map(|c| (c.name(), !is_scalar(*c)));
    let unused = Step { per: Per::Beat, first: 0, next: 0 };
    names
        .chain(FINER.map(|name| (name, true)))
        .map(|(name, vector)| if vector { step(r, name) } else { Ok(unused) })
        .collect()
}

/// Classes of drafts, which a core's file need not have: with a cost and its reason.
const DRAFTS: [(&str, &str, i64, &str); 3] = [
    ("vkeccak", "round", 1, "a round a cycle, as in the published designs of karu64 and Marian"),
    ("vaes-all", "round", 1, "a round a cycle"),
    ("vmulq", "beat", 4, "a multiplication and a reduction by two more"),
];

fn step(r: &mut Reader, name: &str) -> Result<Step, CoreError> {
    let key = format!("vector.class.{name}");
    let (word, numbers) = (Some("per"), ["first", "next"]);
    let (per, [first, next]) = match DRAFTS.iter().find(|d| d.0 == name) {
        None => r.record(&key, word, numbers)?,
        Some((_, per, cycles, why)) => {
            let mut value = Table::new();
            value.insert("per".into(), Value::String((*per).into()));
            value.extend(numbers.map(|n| (n.into(), Value::Integer(*cycles))));
            r.record_or(&key, word, numbers, (Value::Table(value), why))?
        }
    };
    let per = match per.as_str() {
        "beat" => Per::Beat,
        "element" => Per::Element,
        "group" if has_groups(name) => Per::Group,
        "round" if has_rounds(name) => Per::Round,
        other => {
            let groups = if has_groups(name) { ", group" } else { "" };
            let rounds = if has_rounds(name) { ", round" } else { "" };
            let why =
                format!("unknown value \"{other}\"; known values: beat, element{groups}{rounds}");
            return Err(r.error(&format!("{key}.per"), why));
        }
    };
    Ok(Step { per, first, next })
}
