//! The parameters of the first-order models. Times are in ticks, which are sixteenths of a cycle, except those of scalar
//! classes and those said to be in cycles.

pub(crate) mod own;
mod pipes;
mod read;

use crate::cache::Geometry;
use crate::price::Prices;
use capvec_isa::Class;
use capvec_sim::timing::Exit;

pub use pipes::{Pipe, Pipes, Started};

/// All parameters of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// Scalar instructions that may issue in a cycle.
    pub issue_width: u32,
    /// How many of them pipes take.
    pub pipes: Pipes,
    /// Instructions that an out-of-order core has in flight; `None` for a core that issues in order.
    pub window: Option<u32>,
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
    /// Costs of single instructions.
    pub prices: Prices,
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
    /// After a redirection, an instruction that lies in two words waits for both.
    pub split: bool,
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
    /// Tagged tables on top of them.
    pub tables: Tables,
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

/// Tagged tables of a branch predictor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Entries of each table; 0: there are no tables.
    pub entries: u64,
    /// Outcomes of branches that the table with the longest history uses.
    pub longest: u32,
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
    /// Bytes of the path to the cache.
    pub width: u64,
    /// Additional ticks of an access that crosses a multiple of it.
    pub misaligned: u32,
    /// Ticks of emulating an access that is not aligned to its size; 0 if the core carries it out.
    pub emulated: u32,
    /// What misses look up, also those of the instruction cache.
    pub second: SecondLevel,
}

/// The second level: a cache and a TLB, which instructions and data share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondLevel {
    /// The second-level cache; without one, `Fetch::miss` and `Data::miss` are all that a miss costs.
    pub cache: Geometry,
    /// Ticks of a miss of it, in addition to those of the first-level cache.
    pub miss: u32,
    /// The TLB: a line is a page.
    pub tlb: Geometry,
    /// Ticks of a miss of it: a walk through the page table.
    pub walk: u32,
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
    /// Registers of the widest operand, squared: a permutation moves elements from each register to each.
    Pair,
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

/// Most pipes of a vector unit that has pipes instead of functional units.
pub const MAX_PIPES: usize = 4;

/// The vector unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// Issue waits until an instruction is complete. Otherwise the unit has a queue.
    pub blocking: bool,
    /// Steps start in program order, those of one instruction after those of the previous; issue waits for that. Such a unit
    /// chains. What it executes element by element runs alone.
    pub in_order: bool,
    /// Cycles that the scalar pipeline takes to dispatch an instruction.
    pub dispatch: u32,
    /// Pipes of a queued unit that execute everything but memory accesses; `None` if each functional unit is one.
    pub pipes: Option<u32>,
    /// By `StepKind`: only the first pipe executes it.
    pub first_pipe: Box<[bool]>,
    /// Maximum number of instructions in the queue.
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
    /// Ticks of emulating an instruction with elements that are not aligned to EEW: for the first of them, and for each other
    /// one. `None` if the core carries it out.
    pub emulated: Option<[u32; 2]>,
    /// By `StepKind`.
    pub steps: Box<[Step]>,
}

/// Index of a cost in `Vector::steps`: a class, or one of the subclasses that follow the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepKind(pub usize);

const FINER: [&str; 6] =
    ["vload-segment", "vstore-segment", "vsha2-64", "valu-shift", "valu-logic", "vmul-64"];

/// Subclasses that cost what their class does unless the file says otherwise.
const OPTIONAL: [(&str, Class); 3] =
    [("valu-shift", Class::Valu), ("valu-logic", Class::Valu), ("vmul-64", Class::Vmul)];

impl StepKind {
    /// Unit-stride segment loads.
    pub const LOAD_SEGMENT: StepKind = StepKind(Class::ALL.len());
    /// Unit-stride segment stores.
    pub const STORE_SEGMENT: StepKind = StepKind(Class::ALL.len() + 1);
    /// SHA-512, whose element groups have 256 bits.
    pub const SHA512: StepKind = StepKind(Class::ALL.len() + 2);

    /// Shifts and rotations, narrowing and widening ones included.
    pub const SHIFT: StepKind = StepKind(Class::ALL.len() + 3);
    /// Bitwise logic.
    pub const LOGIC: StepKind = StepKind(Class::ALL.len() + 4);
    /// Multiplication of 64-bit elements.
    pub const MUL64: StepKind = StepKind(Class::ALL.len() + 5);

    /// Number of costs.
    #[cfg(test)]
    pub const COUNT: usize = Class::ALL.len() + FINER.len();

    /// The cost of a class.
    pub fn of(class: Class) -> StepKind {
        StepKind(class as usize)
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
}
