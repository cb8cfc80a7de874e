//! Custom extensions and instructions, which join the table while the program runs.
//!
//! The generated enums have a few members without rows for them. Registering gives such members their data, for the rest
//! of the process: decoded instructions, names and counts refer to it. Until something is registered, nothing here costs
//! anything: [`decode`](crate::decode()) looks here only for words that nothing else explains.

use crate::class::Class;
use crate::draft_clash;
use crate::ext::{Ext, ExtInfo, ExtSet};
use crate::foreign_isa_string::without_version;
use crate::generated::{ext, op};
use crate::op::{OPS, Op};
use crate::registry;
use crate::row::{Dit, Field, Pattern, Piece, Row, Slot, Taint};
use std::sync::{Mutex, PoisonError};

pub use crate::registry::{Cost, Model, Per};

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

/// How many extensions and instructions are registered.
static TAKEN: Mutex<(usize, usize)> = Mutex::new((0, 0));

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
    if let Some(row) = registry::rows().find(|row| new.insns.iter().any(|i| i.name == row.name)) {
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
        draft: Some(without_version(name)),
        source: None,
    };
    for ((insn, op), cell) in new.insns.into_iter().zip(&ops).zip(&registry::ROWS[insns..]) {
        // The numbers are handed out once, so the cell is empty.
        let _ = cell.set(insn.into_row(*op, own, source));
    }
    draft_clash::add(own, &ops);
    let _ = registry::EXTS[exts].set(info);
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
    /// Its fixed bits.
    pub fn pattern(&self) -> Pattern {
        Pattern { len: 4, xlen: self.xlen, mask: self.mask, value: self.value }
    }

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
            taint: Taint::Any,
            args: self.args.leak(),
            source,
            fields: self.fields.into_iter().map(NewField::into_field).collect::<Vec<_>>().leak(),
            consts: &[],
        };
        (row, self.model)
    }
}

impl Ext {
    /// Whether it is custom.
    pub fn is_custom(self) -> bool {
        registry::ALL.has(self)
    }
}

impl Op {
    /// The index among custom instructions, if it is one of those.
    pub fn custom(self) -> Option<usize> {
        (self as usize).checked_sub(OPS.len())
    }

    /// What core models need to know of a custom instruction.
    pub fn model(self) -> Option<&'static Model> {
        registry::ROWS.get(self.custom()?)?.get().map(|(_, model)| model)
    }
}
