//! Reads the parameters from a core file, and checks the bounds of each.

use super::{
    Branch, Data, FINER, Fetch, MAX_PIPES, OPTIONAL, Params, Per, Pipe, Pipes, Scalar, SecondLevel,
    Step, Tables, Vector, own,
};
use crate::cache::Geometry;
use crate::error::CoreError;
use crate::misaligned::Misaligned;
use crate::reader::{Reader, TICKS};
use capvec_isa::Class;
use capvec_text::suggest;
use toml::{Table, Value};

/// Whether the class has a scalar cost.
fn is_scalar(class: Class) -> bool {
    !class.uses_vector_registers()
}

impl Params {
    /// Reads all parameters; `vector`: the core has a vector unit, `in_order`: it issues in order.
    pub fn read(
        r: &mut Reader,
        vector: bool,
        in_order: bool,
        misaligned: &Misaligned,
    ) -> Result<Params, CoreError> {
        let issue_width = r.number("issue.width", 1, 8)? as u32;
        let pipes = Pipes::read(r, issue_width)?;
        let window = match in_order {
            true => None,
            false => Some(r.number("issue.window", issue_width.into(), 1024)? as u32),
        };
        let rewrite = if in_order { r.number("issue.rewrite", 0, 1000)? as u32 } else { 0 };
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
            pipes,
            window,
            rewrite,
            scalar,
            fetch: Fetch::read(r)?,
            branch: Branch::read(r)?,
            data: Data::read(r, misaligned)?,
            vector: if vector { Some(Vector::read(r, misaligned)?) } else { None },
            prices: own::prices(r)?,
        })
    }
}

impl Pipes {
    /// What is not given is limited by the issue width alone.
    fn read(r: &mut Reader, width: u32) -> Result<Pipes, CoreError> {
        let mut limit = |key| match r.has(key) {
            true => r.number(key, 1, width.into()).map(|n| Some(n as u32)),
            false => Ok(None),
        };
        let mut each = [None; Pipe::ALL.len()];
        for pipe in Pipe::ALL {
            each[pipe as usize] = limit(pipe.key())?;
        }
        Ok(Pipes { each, memory: limit("issue.memory")? })
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
            split: r.has("fetch.split") && r.flag("fetch.split")?,
            shared: r.choice("fetch.port", &["shared", "own"])? == 0,
            cache: geometry(r, "icache")?,
            miss: r.ticks("icache.miss")?,
        })
    }
}

impl Branch {
    fn read(r: &mut Reader) -> Result<Branch, CoreError> {
        let history = r.number("branch.history", 0, 1 << 20)?;
        if history != 0 && !history.is_power_of_two() {
            return Err(r.error("branch.history", "value must be 0 or a power of two"));
        }
        Ok(Branch {
            history,
            tables: Tables::read(r, history)?,
            taken: r.ticks("branch.taken")?,
            mispredict: r.ticks("branch.mispredict")?,
            jump: r.ticks("branch.jump")?,
            ret: r.ticks("branch.return")?,
            indirect: r.ticks("branch.indirect")?,
        })
    }
}

impl Tables {
    fn read(r: &mut Reader, history: u64) -> Result<Tables, CoreError> {
        const KEY: &str = "branch.tagged";
        if !r.has_all(&[KEY, "branch.longest"])? {
            return Ok(Tables { entries: 0, longest: 0 });
        }
        let entries = r.number(KEY, 0, 1 << 20)?;
        if entries == 1 || entries != 0 && !entries.is_power_of_two() {
            return Err(r.error(KEY, "value must be 0 or a power of two greater than 1"));
        }
        if entries != 0 && history == 0 {
            return Err(r.error(KEY, "tagged tables need two-bit counters (branch.history)"));
        }
        Ok(Tables { entries, longest: r.number("branch.longest", 16, 64)? as u32 })
    }
}

impl Data {
    fn read(r: &mut Reader, misaligned: &Misaligned) -> Result<Data, CoreError> {
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
            emulated: misaligned.scalar_ticks(r)?,
            second: SecondLevel::read(r)?,
        })
    }
}

/// Bytes of a page, whose address translation is an entry of the TLB.
const PAGE: u64 = 4096;

impl SecondLevel {
    /// A core file need not have either part.
    fn read(r: &mut Reader) -> Result<SecondLevel, CoreError> {
        let none = Geometry { size: 0, line: PAGE, ways: 1 };
        let (cache, miss) = match r.has_all(&["l2.size", "l2.line", "l2.ways", "l2.miss"])? {
            true => (geometry(r, "l2")?, r.ticks("l2.miss")?),
            false => (none, 0),
        };
        let (tlb, walk) = match r.has_all(&["tlb.entries", "tlb.ways", "tlb.miss"])? {
            true => (tlb(r)?, r.ticks("tlb.miss")?),
            false => (none, 0),
        };
        Ok(SecondLevel { cache, miss, tlb, walk })
    }
}

/// The TLB, as a cache whose lines are pages.
fn tlb(r: &mut Reader) -> Result<Geometry, CoreError> {
    const KEY: &str = "tlb.entries";
    let entries = r.number(KEY, 0, 1 << 16)?;
    let ways = r.number("tlb.ways", 1, 1 << 16)?;
    let sets = entries / ways;
    if entries != 0 && (sets * ways != entries || !sets.is_power_of_two()) {
        let why =
            format!("the number of sets must be a power of two: {entries} entries / {ways} ways");
        return Err(r.error(KEY, why));
    }
    Ok(Geometry { size: entries * PAGE, line: PAGE, ways })
}

impl Vector {
    fn read(r: &mut Reader, misaligned: &Misaligned) -> Result<Vector, CoreError> {
        let issue = r.choice("vector.issue", &["blocking", "queued", "in-order"])?;
        let (blocking, queued, in_order) = (issue == 0, issue == 1, issue == 2);
        let pipes = match queued && r.has("vector.pipes") {
            true => Some(r.number("vector.pipes", 1, MAX_PIPES as u64)? as u32),
            false => None,
        };
        let cached = r.choice("vector.memory_path", &["cache", "direct"])? == 0;
        Ok(Vector {
            blocking,
            in_order,
            dispatch: r.number("vector.dispatch", 1, 1000)? as u32,
            pipes,
            first_pipe: first_pipe(r, pipes.is_some())?,
            queue: if queued { r.number("vector.queue", 1, 64)? as usize } else { 1 },
            chaining: queued && r.flag("vector.chaining")?,
            datapath: datapath(r)?,
            startup: r.ticks("vector.startup")?,
            to_scalar: r.ticks("vector.to_scalar")?,
            read: r.ticks("vector.read")?,
            write: r.ticks("vector.write")?,
            granule: r.power("vector.granule", 8, 65536)?,
            memory: r.power("vector.memory_bits", 8, 4096)?,
            cached,
            memory_latency: if cached { 0 } else { r.ticks("vector.memory_latency")? },
            emulated: misaligned.vector_ticks(r)?,
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

/// The names of costs, by `StepKind`.
fn step_names() -> impl Iterator<Item = &'static str> {
    Class::ALL.iter().map(|c| c.name()).chain(FINER)
}

fn steps(r: &mut Reader) -> Result<Box<[Step]>, CoreError> {
    let mut steps = vec![Step { per: Per::Beat, first: 0, next: 0 }; step_names().count()];
    for (index, name) in step_names().enumerate() {
        let class = OPTIONAL.iter().find(|o| o.0 == name).map(|o| o.1);
        steps[index] = match class.filter(|_| !r.has(&step_key(name))) {
            Some(class) => steps[class as usize],
            None if Class::from_name(name).is_some_and(is_scalar) => continue,
            None => step(r, name)?,
        };
    }
    Ok(steps.into())
}

/// What only the first of several pipes executes: names of costs, separated by spaces.
fn first_pipe(r: &mut Reader, has_pipes: bool) -> Result<Box<[bool]>, CoreError> {
    const KEY: &str = "vector.first_pipe";
    let names = if has_pipes && r.has(KEY) { r.string(KEY)? } else { String::new() };
    let known = |name: &&str| step_names().any(|known| known == *name);
    if let Some(name) = names.split_whitespace().find(|name| !known(name)) {
        let hint = suggest::hint(name, step_names());
        return Err(r.error(KEY, format!("{name} is not a class of vector instructions{hint}")));
    }
    Ok(step_names().map(|step| names.split_whitespace().any(|name| name == step)).collect())
}

fn step_key(name: &str) -> String {
    format!("vector.class.{name}")
}

/// Classes of drafts, for which a core's file need not give a cost: the assumed cost, and why.
const DRAFTS: [(&str, &str, i64, &str); 3] = [
    ("vkeccak", "round", 1, "a round a cycle, as in the published designs of karu64 and Marian"),
    ("vaes-all", "round", 1, "a round a cycle"),
    ("vmulq", "beat", 4, "a multiplication and a reduction by two more"),
];

fn step(r: &mut Reader, name: &str) -> Result<Step, CoreError> {
    let key = step_key(name);
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
        "register-pair" => Per::Pair,
        "group" if has_groups(name) => Per::Group,
        "round" if has_rounds(name) => Per::Round,
        other => {
            let groups = if has_groups(name) { ", group" } else { "" };
            let rounds = if has_rounds(name) { ", round" } else { "" };
            let why = format!(
                "unknown value \"{other}\"; known values: beat, element, register-pair{groups}{rounds}"
            );
            return Err(r.error(&format!("{key}.per"), why));
        }
    };
    Ok(Step { per, first, next })
}
