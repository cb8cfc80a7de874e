//! Values during elaboration.

use crate::code::build::Item;
use crate::code::ones;
use crate::int::Int;
use std::fmt;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Int,
    Bits(u32),
    Array(u32, u32),
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ty::Int => write!(f, "int"),
            Ty::Bits(width) => write!(f, "bits({width})"),
            Ty::Array(width, count) => write!(f, "bits({width})[{count}]"),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits {
    pub width: u32,
    pub item: Item,
    /// No value is greater.
    pub max: u128,
    /// What `signed` returns.
    pub signed: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Int(Int),
    Bits(Bits),
    Array(u32, Rc<Vec<Item>>),
    /// Of an expression with an error.
    Bad,
}

impl Value {
    pub fn bits(width: u32, item: Item) -> Value {
        let max = if let Item::Const(value) = item { value } else { ones(width) };
        Value::Bits(Bits { width, item, max, signed: false })
    }

    pub fn unset(ty: Ty) -> Value {
        match ty {
            Ty::Int => Value::Bad,
            Ty::Bits(width) => Value::bits(width, Item::Unset),
            Ty::Array(width, count) => {
                Value::Array(width, Rc::new(vec![Item::Unset; count as usize]))
            }
        }
    }

    pub fn ty(&self) -> Option<Ty> {
        match self {
            Value::Int(_) => Some(Ty::Int),
            Value::Bits(bits) => Some(Ty::Bits(bits.width)),
            Value::Array(width, items) => Some(Ty::Array(*width, items.len() as u32)),
            Value::Bad => None,
        }
    }

    /// The number, if the program's text determines it.
    pub fn constant(&self) -> Option<u128> {
        match self {
            Value::Int(int) => int.unsigned(),
            Value::Bits(Bits { item: Item::Const(value), .. }) => Some(*value),
            _ => None,
        }
    }

    /// The items, each of the width; none for constants without a width.
    pub fn items(&self) -> (u32, &[Item]) {
        match self {
            Value::Bits(bits) => (bits.width, std::slice::from_ref(&bits.item)),
            Value::Array(width, items) => (*width, items),
            Value::Int(_) | Value::Bad => (1, &[]),
        }
    }

    /// The value with other items.
    pub fn with(&self, items: Vec<Item>) -> Value {
        match self {
            Value::Bits(bits) => {
                Value::bits(bits.width, items.first().copied().unwrap_or(Item::Unset))
            }
            Value::Array(width, _) => Value::Array(*width, Rc::new(items)),
            other => other.clone(),
        }
    }
}
