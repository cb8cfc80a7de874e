//! A translation that is kept, and where it can be used again.

use crate::interface::portable::Portable;
use crate::interface::state::{State, Unit};
use crate::interface::trace::Seen;
use capvec_sim::Hart;
use capvec_sim::block::{Block, Source};
use capvec_sim::hart::{Agnostic, Config, MustAlign};
use capvec_sim::vector::VType;

/// A translation, and where it can be used.
pub struct Translation {
    /// The blocks of its trace.
    pub blocks: Box<[KeptBlock]>,
    /// What had been seen of each of them when it was translated. It is right whether that still holds or not.
    pub seen: Box<[Seen]>,
    /// It is a loop.
    pub loops: bool,
    /// The hart's accesses that trap unless they are aligned.
    pub must_align: MustAlign,
    /// What it was made for, if it has vector instructions.
    pub vectors: Option<Vectors>,
    /// The code.
    pub portable: Portable,
}

/// A block, by what it was decoded from and what it was decoded to.
#[derive(PartialEq, Eq)]
pub struct KeptBlock {
    /// Its address.
    pub start: u64,
    /// The bytes.
    pub source: Source,
    /// The numbers of the instructions.
    pub ops: Box<[u16]>,
}

/// The hart for which vector instructions were translated.
#[derive(PartialEq, Eq)]
pub struct Vectors {
    /// The hart's extensions, as bits.
    pub exts: u128,
    /// Its VLEN.
    pub vlen: u32,
    /// Its policy for agnostic elements.
    pub agnostic: Agnostic,
    /// The state that the code tests at its entry.
    pub tested: Option<State>,
    /// vtype when it was translated.
    pub vtype: VType,
    /// vl when it was translated.
    pub vl: u64,
    /// What was known of its vsets; see `Unit`.
    pub vset_vl: Box<[(u8, u64)]>,
}

impl Translation {
    /// Approximate number of bytes that it takes.
    pub fn size(&self) -> usize {
        let blocks = self.blocks.iter().map(|b| size_of_val(b) + size_of_val(&*b.ops));
        size_of::<Translation>() + blocks.sum::<usize>() + self.portable.size()
    }

    /// Whether this translation can be used in exactly the same cases as the other.
    pub fn is_like(&self, other: &Translation) -> bool {
        self.blocks == other.blocks
            && (self.loops, self.must_align) == (other.loops, other.must_align)
            && self.vectors == other.vectors
    }

    /// Whether it can be used by this hart, in its present state.
    pub fn suits(&self, h: &Hart) -> bool {
        self.must_align == h.config.must_align
            && self.vectors.as_ref().is_none_or(|vectors| vectors.suits(h))
    }
}

impl KeptBlock {
    /// This block.
    pub fn of(b: &Block) -> KeptBlock {
        let ops = b.insns.iter().map(|i| i.op() as u16).collect();
        KeptBlock { start: b.start, source: b.source.clone(), ops }
    }

    /// Whether the block is the same: the same bytes at the same address may be other instructions with other extensions.
    pub fn is(&self, b: &Block) -> bool {
        self.start == b.start
            && self.source == b.source
            && self.ops.iter().copied().eq(b.insns.iter().map(|i| i.op() as u16))
    }
}

impl Vectors {
    /// For code that was made for this unit and tests this state at its entry.
    pub fn new(unit: &Unit<'_>, tested: Option<State>) -> Vectors {
        let Config { exts, vlen, agnostic, .. } = **unit.config;
        let (exts, vset_vl) = (exts.bits(), unit.vset_vl.into());
        let (vtype, vl) = (unit.vtype, unit.vl);
        Vectors { exts, vlen, agnostic, tested, vtype, vl, vset_vl }
    }

    fn suits(&self, h: &Hart) -> bool {
        let Config { exts, vlen, agnostic, .. } = *h.config;
        let tested = match self.tested {
            // Code that was made without a vtype calls handlers where other code does not.
            None => self.vtype.vill == h.v.vtype.vill,
            tested => h.v.vstart == 0 && State::of(h.v.vtype, h.v.vl) == tested,
        };
        (self.exts, self.vlen, self.agnostic) == (exts.bits(), vlen, agnostic) && tested
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_isa::{Ext, Op};
    use capvec_sim::Memory;
    use capvec_sim::block::{Built, build};
    use capvec_sim::interp;
    use capvec_sim::mem::{PAGE, Perm};
    use capvec_sim::testing::{config, word};

    /// Two drafts give one encoding to two instructions.
    #[test]
    fn the_same_bytes_can_be_another_block() {
        let mem = Memory::new().expect("an address space");
        mem.map(PAGE, PAGE, Perm(7)).expect("a page");
        let drafts = [Ext::Zvknhk0p1, Ext::Zvknhk0p2];
        let vkeccak = |draft: Ext| {
            let named = |op: &Op| op.row().name == "vkeccak.vi" && op.row().exts.has(draft);
            Op::all().find(named).expect("an instruction of the draft")
        };
        let [first, second] = drafts.map(|draft| word(vkeccak(draft), |d| d.vm = true));
        assert_eq!(first, second);
        mem.write(PAGE, &first.to_le_bytes()).expect("it is writable");
        let [first, second] = drafts.map(|draft| {
            let config = config(&[Ext::V, draft], 128, Agnostic::Undisturbed);
            let built = build(&mem, &config, interp::table(64, false), PAGE);
            let Ok(Built { insns, end, source }) = built else { panic!("a block") };
            let plan = Default::default();
            Block { start: PAGE, end, insns, source, plan, entered: 0 }
        });
        assert!(KeptBlock::of(&first).is(&first));
        assert!(!KeptBlock::of(&first).is(&second));
    }
}
