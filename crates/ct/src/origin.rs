//! Where a secret came from: for each register and each eight bytes of memory, the instruction that wrote it last.
//!
//! A site is an instruction that has had a secret result. It remembers the site from which its operand came *the first time*.
//! That operand was secret before, so a chain leads back in time and ends at a mark.

use crate::numbers::NumberMap;
use capvec_sim::hart::Access;
use capvec_sim::mem::PAGE;
use std::collections::HashMap;
use std::ops::Range;

/// Bytes of memory that share an origin.
pub const GRANULE: u64 = 8;
/// Granules of a page.
const GRANULES: u64 = PAGE / GRANULE;
/// The longest chain that is reported.
pub const LONGEST: usize = 16;

/// Index of a site; 0 is unknown.
pub type Id = u32;

/// Where bits became secret, or through which instruction they went.
#[derive(Clone, Debug)]
pub enum Site {
    /// The beginning of a chain.
    Mark(String),
    /// The instruction at this address, with the site of its operand.
    Insn(u64, Id),
}

/// The origins of one thread's registers.
#[derive(Clone, Default)]
pub struct Origins {
    /// Of x, f and v registers.
    pub registers: [[Id; 32]; 3],
    /// Of fcsr and vcsr, together.
    pub csrs: Id,
}

/// All sites, and the origins of memory.
#[derive(Default)]
pub struct Sites {
    all: Vec<Site>,
    known: NumberMap<(u64, u64), Id>,
    marks: HashMap<String, Id>,
    /// By address space, or by `SHARED` and the number of an object that is shared.
    memory: NumberMap<u64, NumberMap<u64, Page>>,
    /// Addresses, object and offset of what an address space shares with others.
    shares: HashMap<u64, Vec<Share>>,
}

/// The origins of a page's granules.
type Page = Box<[Id; GRANULES as usize]>;
/// See `Memory::shared_pages`.
type Share = (Range<u64>, u64, u64);
/// Greater than every number of an address space.
const SHARED: u64 = 1 << 63;

impl Sites {
    /// The site of a mark.
    pub fn mark(&mut self, text: &str) -> Id {
        if let Some(id) = self.marks.get(text) {
            return *id;
        }
        self.all.push(Site::Mark(text.into()));
        let id = self.all.len() as Id;
        self.marks.insert(text.into(), id);
        id
    }

    /// The site of the instruction at `pc` of the address space; `from`: where its operand comes from.
    pub fn insn(&mut self, space: u64, pc: u64, from: Id) -> Id {
        if let Some(id) = self.known.get(&(space, pc)) {
            return *id;
        }
        self.all.push(Site::Insn(pc, from));
        let id = self.all.len() as Id;
        self.known.insert((space, pc), id);
        id
    }

    /// The address space shares this memory with others.
    pub fn share(&mut self, space: u64, shares: Vec<Share>) {
        match shares.is_empty() {
            true => self.shares.remove(&space),
            false => self.shares.insert(space, shares),
        };
    }

    /// Where the origin of a granule is kept.
    fn place(&self, space: u64, granule: u64) -> (u64, u64) {
        if self.shares.is_empty() {
            return (space, granule);
        }
        let addr = granule * GRANULE;
        let shares = self.shares.get(&space).into_iter().flatten();
        match shares.into_iter().find(|(range, ..)| range.contains(&addr)) {
            Some((range, object, offset)) => {
                (SHARED | object, (offset + addr - range.start) / GRANULE)
            }
            None => (space, granule),
        }
    }

    /// Memory was written at this site.
    pub fn write(&mut self, space: u64, addr: u64, len: u64, id: Id) {
        for granule in granules(addr, len) {
            let (holder, granule) = self.place(space, granule);
            let pages = self.memory.entry(holder).or_default();
            let page = pages.entry(granule / GRANULES).or_insert_with(|| Box::new([0; _]));
            page[(granule % GRANULES) as usize] = id;
        }
    }

    /// The origin of memory.
    pub fn read(&self, space: u64, accesses: &[Access]) -> Id {
        let mut all = accesses.iter().flat_map(|a| granules(a.addr, a.size.into()));
        all.find_map(|granule| self.of(space, granule)).unwrap_or(0)
    }

    /// The origin of the byte at this address.
    pub fn at(&self, space: u64, addr: u64) -> Id {
        self.of(space, addr / GRANULE).unwrap_or(0)
    }

    /// A byte of shared memory was written at this site.
    pub fn write_shared(&mut self, memory: u64, at: u64, id: Id) {
        let granule = at / GRANULE;
        let pages = self.memory.entry(SHARED | memory).or_default();
        let page = pages.entry(granule / GRANULES).or_insert_with(|| Box::new([0; _]));
        page[(granule % GRANULES) as usize] = id;
    }

    /// The origin of a byte of shared memory.
    pub fn at_shared(&self, memory: u64, at: u64) -> Id {
        let granule = at / GRANULE;
        let page = self.memory.get(&(SHARED | memory)).and_then(|p| p.get(&(granule / GRANULES)));
        page.map_or(0, |page| page[(granule % GRANULES) as usize])
    }

    /// The shared memory no longer exists.
    pub fn forget_shared(&mut self, memory: u64) {
        self.memory.remove(&(SHARED | memory));
    }

    fn of(&self, space: u64, granule: u64) -> Option<Id> {
        let (holder, granule) = self.place(space, granule);
        let page = self.memory.get(&holder)?.get(&(granule / GRANULES))?;
        Some(page[(granule % GRANULES) as usize]).filter(|id| *id != 0)
    }

    /// A new address space has the contents of another.
    pub fn copy_space(&mut self, from: u64, to: u64) {
        if let Some(memory) = self.memory.get(&from).cloned() {
            self.memory.insert(to, memory);
        }
    }

    /// The space that was copied under the number `from` is the space `to`; its copy is dropped if `to` is known, as when
    /// a process shares its parent's memory.
    pub fn rename_space(&mut self, from: u64, to: u64) {
        if let Some(memory) = self.memory.remove(&from) {
            self.memory.entry(to).or_insert(memory);
        }
    }

    /// The address space no longer exists.
    pub fn forget(&mut self, space: u64) {
        self.memory.remove(&space);
        self.shares.remove(&space);
    }

    /// The mark at the end of the chain, and the addresses of the instructions before it, the last one first.
    pub fn chain(&self, mut id: Id) -> (String, Vec<u64>) {
        let mut chain = Vec::new();
        loop {
            match id.checked_sub(1).and_then(|k| self.all.get(k as usize)) {
                None => return ("unknown".into(), chain),
                Some(Site::Mark(text)) => return (text.clone(), chain),
                Some(Site::Insn(pc, from)) => {
                    if chain.len() < LONGEST {
                        chain.push(*pc);
                    }
                    // Sites are numbered in time: a chain leads to smaller numbers only.
                    id = if *from < id { *from } else { 0 };
                }
            }
        }
    }
}

fn granules(addr: u64, len: u64) -> impl Iterator<Item = u64> {
    addr / GRANULE..addr.saturating_add(len).div_ceil(GRANULE)
}
