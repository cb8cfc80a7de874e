//! A translation as bytes.

use super::translation::{KeptBlock, Translation, Vectors};
use crate::interface::portable::{Bytes, PortableRecord};
use crate::interface::state::State;
use crate::interface::trace::Seen;
use capvec_isa::op::OPS;
use capvec_sim::block::Source;
use capvec_sim::hart::{Agnostic, MustAlign};
use capvec_sim::vector::VType;
use serde::{Deserialize, Serialize};

/// vtype is stored in the form that it has on an RV64 hart with 64-bit elements.
const XLEN: u32 = 64;

/// The bytes of a translation. `None` if it refers to what another process does not have, or does not have in the same way.
pub fn encode(t: &Translation) -> Option<Vec<u8>> {
    postcard::to_allocvec(&Record::of(t)?).ok()
}

/// The translation with these bytes.
pub fn decode(bytes: &[u8]) -> Option<Translation> {
    postcard::from_bytes::<Record<'_>>(bytes).ok()?.decode()
}

#[derive(Serialize, Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    blocks: Vec<BlockRecord<'a>>,
    seen: Vec<Seen>,
    loops: bool,
    /// Accesses of scalar and of vector instructions.
    must_align: (bool, bool),
    vectors: Option<VectorsRecord>,
    portable: PortableRecord<'a>,
}

#[derive(Serialize, Deserialize)]
struct BlockRecord<'a> {
    start: u64,
    #[serde(borrow)]
    bytes: Bytes<'a>,
    fault: bool,
    ops: Vec<u16>,
}

#[derive(Serialize, Deserialize)]
struct VectorsRecord {
    exts: u128,
    vlen: u32,
    ones: bool,
    /// vtype and vl.
    tested: Option<(u64, u64)>,
    vtype: u64,
    vl: u64,
    vset_vl: Vec<(u8, u64)>,
}

impl<'a> Record<'a> {
    /// `None` if it has no form that means the same in another process.
    fn of(t: &'a Translation) -> Option<Record<'a>> {
        // The meaning of custom instructions is in a file of the user's.
        let custom = |b: &KeptBlock| b.ops.iter().any(|op| usize::from(*op) >= OPS.len());
        if t.blocks.iter().any(custom) {
            return None;
        }
        Some(Record {
            blocks: t.blocks.iter().map(BlockRecord::of).collect(),
            seen: t.seen.to_vec(),
            loops: t.loops,
            must_align: (t.must_align.scalar, t.must_align.vector),
            vectors: t.vectors.as_ref().map(VectorsRecord::of),
            portable: t.portable.record()?,
        })
    }

    fn decode(self) -> Option<Translation> {
        let (scalar, vector) = self.must_align;
        let portable = self.portable.decode(self.blocks.len())?;
        if self.seen.len() != self.blocks.len() {
            return None;
        }
        Some(Translation {
            blocks: self.blocks.iter().map(BlockRecord::decode).collect(),
            seen: self.seen.into(),
            loops: self.loops,
            must_align: MustAlign { scalar, vector },
            vectors: self.vectors.map(VectorsRecord::decode),
            portable,
        })
    }
}

impl<'a> BlockRecord<'a> {
    fn of(b: &'a KeptBlock) -> BlockRecord<'a> {
        let (bytes, fault) = b.source.parts();
        BlockRecord { start: b.start, bytes: Bytes(bytes), fault, ops: b.ops.to_vec() }
    }

    fn decode(&self) -> KeptBlock {
        let source = Source::from_parts(self.bytes.0, self.fault);
        KeptBlock { start: self.start, source, ops: self.ops.as_slice().into() }
    }
}

impl VectorsRecord {
    fn of(v: &Vectors) -> VectorsRecord {
        VectorsRecord {
            exts: v.exts,
            vlen: v.vlen,
            ones: v.agnostic == Agnostic::Ones,
            tested: v.tested.map(|state| (state.vtype.bits(XLEN), state.vl)),
            vtype: v.vtype.bits(XLEN),
            vl: v.vl,
            vset_vl: v.vset_vl.to_vec(),
        }
    }

    fn decode(self) -> Vectors {
        let vtype = |bits| VType::decode(bits, XLEN);
        Vectors {
            exts: self.exts,
            vlen: self.vlen,
            agnostic: if self.ones { Agnostic::Ones } else { Agnostic::Undisturbed },
            tested: self.tested.map(|(bits, vl)| State { vtype: vtype(bits), vl }),
            vtype: vtype(self.vtype),
            vl: self.vl,
            vset_vl: self.vset_vl.into(),
        }
    }
}
