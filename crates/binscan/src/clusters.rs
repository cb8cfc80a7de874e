//! Instructions of extensions in code, counted in clusters.

use crate::elf::{Code, File, Linkage, Machine};
use crate::instruction_family::{Family, Found, NEAR};
use crate::{arm, riscv, x86};
use serde::Serialize;
use std::collections::BTreeMap;

/// A cluster of at least this many instructions is code: only one in millions of words of data looks like such an instruction.
const DENSE: usize = 4;
/// Maximum number of function names that are recorded.
const NAMES: usize = 6;

/// Instructions of one extension in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Use {
    /// The extension. A RISC-V instruction of several extensions counts for the first of them.
    pub extension: &'static str,
    /// Its instruction family.
    pub family: Family,
    /// Number of instructions.
    pub count: usize,
    /// Number of clusters.
    pub clusters: usize,
    /// Instructions of the largest cluster.
    pub largest: usize,
    /// Address of the first instruction of the largest cluster.
    pub address: u64,
    /// Functions that contain them, if the file has symbols; not all if there are many.
    pub functions: Vec<String>,
    /// Whether it is certainly code, and not data that looks like code.
    pub sure: bool,
}

impl Use {
    /// Adds the instructions of the same extension in another member of an archive.
    pub(crate) fn join(&mut self, other: Use) {
        self.count += other.count;
        self.sure |= other.sure;
        self.clusters += other.clusters;
        if other.largest > self.largest {
            (self.largest, self.address) = (other.largest, other.address);
        }
        for name in other.functions {
            if self.functions.len() < NAMES && !self.functions.contains(&name) {
                self.functions.push(name);
            }
        }
    }
}

/// Functions of Go's runtime and library that use cryptographic instructions for other purposes.
const OTHERS: [&str; 3] = ["aeshash", "runtime.", "hash/crc32."];

#[derive(Default)]
struct Tally {
    count: usize,
    clusters: usize,
    largest: usize,
    largest_at: u64,
    now: usize,
    now_at: u64,
    last: u64,
    functions: Vec<String>,
}

impl Tally {
    fn add(&mut self, address: u64, function: Option<&str>) {
        let near = self.count > 0 && address.wrapping_sub(self.last) <= NEAR;
        if !near {
            self.clusters += 1;
            self.now = 0;
            self.now_at = address;
        }
        self.count += 1;
        self.now += 1;
        self.last = address;
        if self.now > self.largest {
            (self.largest, self.largest_at) = (self.now, self.now_at);
        }
        if self.functions.len() < NAMES
            && let Some(name) = function
            && !self.functions.iter().any(|n| n == name)
        {
            self.functions.push(name.into());
        }
    }
}

/// The extensions whose instructions a scan finds in the code of a file.
pub fn find(file: &File) -> Vec<Use> {
    let mut tallies: BTreeMap<(Family, &'static str), Tally> = BTreeMap::new();
    let mut found = |address: u64, extension: &'static str, family: Family| {
        let name = file.symbol_at(address);
        let other = name.is_some_and(|n| OTHERS.iter().any(|o| n.starts_with(o)));
        let family = if other { Family::General } else { family };
        tallies.entry((family, extension)).or_default().add(address, name);
    };
    let decode: fn(&Code, &mut Found) = match file.machine {
        Machine::Riscv64 => riscv::decode,
        Machine::Aarch64 => arm::decode,
        Machine::X86_64 => x86::decode,
        Machine::Other => return Vec::new(),
    };
    for code in &file.code {
        decode(code, &mut found);
    }
    // Code of kernel modules contains no data, and one instruction may be a whole loop of GHASH. PadLock's instructions have
    // four fixed bytes, and one processes a whole message.
    let dense = |extension: &str| match file.linkage {
        Linkage::Module => 1,
        _ if extension == x86::PADLOCK => 1,
        _ => DENSE,
    };
    let uses = tallies.into_iter().map(|((family, extension), t)| Use {
        extension,
        family,
        count: t.count,
        clusters: t.clusters,
        largest: t.largest,
        address: t.largest_at,
        functions: t.functions,
        sure: t.largest >= dense(extension),
    });
    uses.collect()
}
