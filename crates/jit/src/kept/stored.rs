//! Translations as bytes of a file: a line that says what the file is, the SHA-256 of everything after it, a table of
//! contents, and the translations one after the other, each decoded when it is needed.

use super::translation::{KeptBlock, Translation, Vectors};
use crate::x64::{Bytes, PortableRecord, State};
use capvec_isa::op::OPS;
use capvec_sim::block::Source;
use capvec_sim::hart::{Agnostic, MustAlign};
use capvec_sim::vector::VType;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

const MAGIC: &[u8] = b"capvec translations\n";
/// Bytes of SHA-256.
const DIGEST: usize = 32;
/// vtype is stored as an RV64 hart with 64-bit elements has it.
const XLEN: u32 = 64;

/// What was wrong with a file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It is not one of ours, or too short.
    #[error("not a file of translations, or truncated")]
    Truncated,
    /// The digest differs.
    #[error("damaged: its SHA-256 differs from the one it names")]
    Digest,
    /// The table of contents cannot be read, or belongs to another file.
    #[error("not what its name says")]
    Contents,
}

/// The table of contents: what the translations are for; the address and the length in bytes of each.
#[derive(Serialize, Deserialize)]
struct Contents<'a> {
    about: &'a str,
    lengths: Vec<(u64, u32)>,
}

/// Encoded translations by the address of their first block.
#[derive(Default)]
pub struct Stored {
    file: Vec<u8>,
    /// Those that were added.
    added: Vec<u8>,
    /// Where they are in `file` followed by `added`.
    records: HashMap<u64, Vec<Range<usize>>>,
}

#[derive(Serialize, Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    blocks: Vec<BlockRecord<'a>>,
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

impl Stored {
    /// The translations in a file with this content.
    ///
    /// # Errors
    /// The file is damaged, or not about `about`.
    pub fn read(file: Vec<u8>, about: &str) -> Result<Stored, Damage> {
        let rest = file.strip_prefix(MAGIC).ok_or(Damage::Truncated)?;
        let (digest, rest) = rest.split_at_checked(DIGEST).ok_or(Damage::Truncated)?;
        if *Sha256::digest(rest) != *digest {
            return Err(Damage::Digest);
        }
        let taken = postcard::take_from_bytes::<Contents<'_>>(rest);
        let (contents, all) = taken.map_err(|_| Damage::Contents)?;
        if contents.about != about {
            return Err(Damage::Contents);
        }
        let mut at = file.len() - all.len();
        let mut records: HashMap<u64, Vec<Range<usize>>> = HashMap::new();
        for (start, len) in contents.lengths {
            let end = at + len as usize;
            records.entry(start).or_default().push(at..end);
            at = end;
        }
        if at != file.len() {
            return Err(Damage::Contents);
        }
        Ok(Stored { file, added: Vec::new(), records })
    }

    /// Approximate number of bytes.
    pub fn size(&self) -> usize {
        self.file.len() + self.added.len()
    }

    /// The translations at this address.
    pub fn at(&self, start: u64) -> impl Iterator<Item = Translation> {
        let ranges = self.records.get(&start).into_iter().flatten();
        ranges.filter_map(|range| {
            postcard::from_bytes::<Record<'_>>(self.record(range.clone())).ok()?.decode()
        })
    }

    /// Adds a translation at this address. Returns its size; 0 if it cannot be encoded.
    pub fn add(&mut self, start: u64, t: &Translation) -> usize {
        // It may refer to what another process does not have, or does not have in the same way.
        let record = Record::of(t).and_then(|record| postcard::to_allocvec(&record).ok());
        let Some(record) = record else { return 0 };
        let at = self.size();
        self.added.extend_from_slice(&record);
        self.records.entry(start).or_default().push(at..at + record.len());
        record.len()
    }

    fn record(&self, range: Range<usize>) -> &[u8] {
        match range.start.checked_sub(self.file.len()) {
            None => &self.file[range],
            Some(start) => &self.added[start..][..range.len()],
        }
    }

    /// The content of a file, in pieces.
    pub fn pieces(&self, about: &str) -> Vec<Cow<'_, [u8]>> {
        let all = || {
            self.records.iter().flat_map(|(start, ranges)| {
                ranges.iter().map(|range| (*start, self.record(range.clone())))
            })
        };
        // A record of 4 GiB does not exist.
        let lengths = all().map(|(start, record)| (start, record.len() as u32)).collect();
        let contents = postcard::to_allocvec(&Contents { about, lengths }).unwrap_or_default();
        let mut digest = Sha256::new().chain_update(&contents);
        all().for_each(|(_, record)| digest.update(record));
        let head = [MAGIC.to_vec(), digest.finalize().to_vec(), contents].concat();
        std::iter::once(head.into()).chain(all().map(|(_, record)| record.into())).collect()
    }
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
            loops: t.loops,
            must_align: (t.must_align.scalar, t.must_align.vector),
            vectors: t.vectors.as_ref().map(VectorsRecord::of),
            portable: t.portable.record()?,
        })
    }

    fn decode(self) -> Option<Translation> {
        let (scalar, vector) = self.must_align;
        let portable = self.portable.decode(self.blocks.len())?;
        Some(Translation {
            blocks: self.blocks.iter().map(BlockRecord::decode).collect(),
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
