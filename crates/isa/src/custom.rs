//! Extensions and instructions of a user's own, which join the table while the program runs.
//!
//! The generated enums have a few members without rows for them. Registering gives such members their data, for the rest
//! of the process: decoded instructions, names and counts refer to it. Until something is registered, nothing here costs
//! anything: [`decode`](crate::decode()) looks here only for harts that have such an extension.

use crate::clash::{Clash, share_an_encoding};
use crate::class::Class;
use crate::ext::{Ext, ExtInfo, ExtSet};
use crate::generated::{ext, op};
use crate::op::{OPS, Op};
use crate::row::{Dit, Field, Piece, Row, Slot};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

/// An extension to register.
#[derive(Clone, Debug)]
pub struct NewExtension {
    /// Lower-case name.
    pub name: String,
    /// A short description.
    pub title: String,
    /// The extensions that it implies.
    pub implies: Vec<Ext>,
    /// Where it is defined.
    pub source: String,
    /// Its instructions.
    pub insns: Vec<NewInsn>,
}

/// An instruction to register; the fields are those of [`Row`].
#[derive(Clone, Debug)]
pub struct NewInsn {
    /// Mnemonic.
    pub name: String,
    /// Fixed bits of the encoding.
    pub mask: u32,
    /// Their values.
    pub value: u32,
    /// The XLEN that it exists for; 0 for any.
    pub xlen: u8,
    /// Latency class.
    pub class: Class,
    /// Assembly operands, as a template of operand names.
    pub args: String,
    /// Operands in the instruction word.
    pub fields: Vec<NewField>,
    /// What core models cannot know from the row.
    pub model: Model,
}

/// An operand in the instruction word; the fields are those of [`Field`].
#[derive(Clone, Debug)]
pub struct NewField {
    /// The operand.
    pub slot: Slot,
    /// The value is sign-extended.
    pub signed: bool,
    /// The positions of its bits.
    pub pieces: Vec<Piece>,
}

/// What core models need to know of an instruction besides its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Operands that are both read and written.
    pub inout: Vec<Slot>,
    /// Elements of an element group, if it works on such groups.
    pub group: Option<u32>,
    /// Its cost on every core, in place of its class's.
    pub cost: Option<Cost>,
}

/// A cost in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Of a scalar instruction: until its result can be used, and until its unit accepts the next instruction.
    Scalar {
        /// At least 1.
        latency: u32,
        /// At least 1.
        occupancy: u32,
    },
    /// Of a vector instruction: for the first step, and for each further one.
    Vector {
        /// What a step is.
        per: Per,
        /// Of the first step.
        first: u32,
        /// Of each further step.
        next: u32,
    },
}

/// The steps of a vector instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// As many bits as the core's data path has.
    Beat,
    /// An element.
    Element,
    /// An element group.
    Group,
}

/// Why an extension cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// An extension has this name.
    #[error("there is an extension {0} already")]
    Taken(String),
    /// Another file has an instruction of this name.
    #[error("another file has an instruction {0}")]
    Mnemonic(String),
    /// No member of `Ext` is left.
    #[error("one run can have at most {} extensions of your own", ext::CUSTOM.len())]
    Extensions,
    /// No member of `Op` is left.
    #[error("one run can have at most {} instructions of your own", op::CUSTOM.len())]
    Instructions,
}

static EXTS: [OnceLock<ExtInfo>; ext::CUSTOM.len()] =
    [const { OnceLock::new() }; ext::CUSTOM.len()];
static ROWS: [OnceLock<(Row, Model)>; op::CUSTOM.len()] =
    [const { OnceLock::new() }; op::CUSTOM.len()];
/// Pairs that have an encoding in common.
static CLASHES: RwLock<Vec<Clash>> = RwLock::new(Vec::new());
/// How many extensions and instructions are registered.
static TAKEN: Mutex<(usize, usize)> = Mutex::new((0, 0));

/// Every extension that may be a user's own.
pub(crate) const ALL: ExtSet = ExtSet::of(&ext::CUSTOM);

/// Adds an extension with its instructions to the table.
///
/// # Errors
/// Nothing is added if there is no room, or if the name is taken.
pub fn register(new: NewExtension) -> Result<(Ext, Vec<Op>), RegisterError> {
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let (exts, insns) = *taken;
    if Ext::from_name(&new.name).is_some() {
        return Err(RegisterError::Taken(new.name));
    }
    if let Some(row) = rows().find(|row| new.insns.iter().any(|i| i.name == row.name)) {
        return Err(RegisterError::Mnemonic(row.name.into()));
    }
    let own = *ext::CUSTOM.get(exts).ok_or(RegisterError::Extensions)?;
    let ops =
        op::CUSTOM.get(insns..insns + new.insns.len()).ok_or(RegisterError::Instructions)?.to_vec();
    let name: &'static str = new.name.leak();
    let source: &'static str = new.source.leak();
    let info = ExtInfo {
        ext: own,
        name,
        title: new.title.leak(),
        implies: new.implies.leak(),
        draft: Some(name),
    };
    for ((insn, op), cell) in new.insns.into_iter().zip(&ops).zip(&ROWS[insns..]) {
        // The numbers are handed out once, so the cell is empty.
        let _ = cell.set(insn.into_row(*op, own, source));
    }
    let mut clashes = CLASHES.write().unwrap_or_else(PoisonError::into_inner);
    for a in &ops {
        for b in Op::all().filter(|b| b != a && share_an_encoding(*a, *b)) {
            clashes.extend(b.row().exts.iter().map(|e| Clash { ops: [*a, b], exts: [own, e] }));
        }
    }
    let _ = EXTS[exts].set(info);
    *taken = (exts + 1, insns + ops.len());
    Ok((own, ops))
}

impl NewField {
    fn into_field(self) -> Field {
        let NewField { slot, signed, pieces } = self;
        Field { slot, signed, nonzero: false, prime: false, pieces: pieces.leak() }
    }
}

impl NewInsn {
    fn into_row(self, op: Op, ext: Ext, source: &'static str) -> (Row, Model) {
        let row = Row {
            op,
            name: self.name.leak(),
            mask: self.mask,
            value: self.value,
            len: 4,
            xlen: self.xlen,
            exts: ExtSet::of(&[ext]),
            base: op,
            class: self.class,
            dit: Dit::None,
            args: self.args.leak(),
            source,
            fields: self.fields.into_iter().map(NewField::into_field).collect::<Vec<_>>().leak(),
            consts: &[],
        };
        (row, self.model)
    }
}

/// The extensions that are registered.
pub(crate) fn exts() -> impl Iterator<Item = Ext> {
    EXTS.iter().filter_map(OnceLock::get).map(|e| e.ext)
}

/// The data of a user's own extension.
pub(crate) fn info(e: Ext) -> &'static ExtInfo {
    let n = e as usize - ext::CUSTOM[0] as usize;
    EXTS[n].get().expect("only registered extensions are in use")
}

/// The rows that are registered.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().map_while(OnceLock::get).map(|(row, _)| row)
}

/// The row of a user's own instruction.
pub(crate) fn row(op: Op) -> &'static Row {
    let n = op as usize - OPS.len();
    &ROWS[n].get().expect("only registered instructions are in use").0
}

/// A clash of which both extensions are in the set.
pub(crate) fn clash(set: ExtSet) -> Option<Clash> {
    let clashes = CLASHES.read().unwrap_or_else(PoisonError::into_inner);
    clashes.iter().copied().find(|pair| pair.exts.iter().all(|e| set.has(*e)))
}

impl Ext {
    /// Whether it is one of a user's own.
    pub fn is_custom(self) -> bool {
        ALL.has(self)
    }
}

impl Op {
    /// The index among instructions of a user's own, if it is one of those.
    pub fn custom(self) -> Option<usize> {
        (self as usize).checked_sub(OPS.len())
    }

    /// What core models need to know of an instruction of a user's own.
    pub fn model(self) -> Option<&'static Model> {
        ROWS.get(self.custom()?)?.get().map(|(_, model)| model)
    }
}
