//! Expressions other than operators and calls.

use super::value::{Bits, Ty, Value};
use super::{Elab, Elaborated};
use crate::ast::{Expr, Kind, Unary};
use crate::code::build::{Item, Operand};
use crate::code::{Code, ones};
use crate::error::Span;
use std::rc::Rc;

/// Where in an array or a value.
pub(super) enum Index {
    Known(u32),
    Runtime(Operand),
}

impl<'a> Elab<'a, '_> {
    /// The value of an expression. The wanted type is a hint for constants without a width.
    pub(super) fn expr(&mut self, e: &Expr<'a>, want: Option<Ty>) -> Elaborated<Value> {
        self.nested(e.span, |elab| match &e.kind {
            Kind::Number(n, None) => Ok(Value::Int((*n).into())),
            Kind::Number(n, Some(width)) => Ok(Value::bits(*width, Item::Const(*n))),
            Kind::Name(name) => {
                let value = elab.lookup(name, e.span)?;
                elab.complete(value, e.span)
            }
            Kind::Unary(op, of) => elab.unary(*op, of, want),
            Kind::Binary(op, of) => elab.binary(*op, &of[0], &of[1], want, e.span),
            Kind::Index(of) => elab.element(&of[0], &of[1], e.span),
            Kind::Slice(of) => {
                let value = elab.base(&of[0])?;
                let value = elab.unsigned(value, of[0].span)?;
                let bits = elab.bits_of(&value, of[0].span, "slices")?;
                let value = elab.complete(value, of[0].span)?;
                let (high, low) = elab.bounds(&of[1], &of[2], bits.width)?;
                // Such as the 16 low bits of a remainder modulo 3329.
                if low == 0 && bits.width <= 64 && bits.max <= ones(high + 1) {
                    let item = value.items().1[0];
                    let known = Bits { width: high + 1, item, signed: false, ..bits };
                    return Ok(Value::Bits(known));
                }
                Ok(elab.slice(value.items().1[0], bits.width, high, low))
            }
            Kind::If(of) => {
                let arm = |elab: &mut Self, e: &Expr<'a>| {
                    let value = elab.expr(e, want)?;
                    match want {
                        Some(Ty::Bits(width)) => elab.sized(&value, width, e.span),
                        _ => Ok(value),
                    }
                };
                elab.choose(&of[0], |elab| arm(elab, &of[1]), |elab| arm(elab, &of[2]), e.span)
            }
            Kind::Call(name, args) => elab.call(*name, args, e.span),
            Kind::Array(of) => elab.array(of, want, e.span),
            Kind::Repeat(of) => elab.repeat(&of[0], &of[1], want),
        })
    }

    /// A value that is indexed: only the element in question needs to be assigned.
    fn base(&mut self, e: &Expr<'a>) -> Elaborated<Value> {
        match e.kind {
            Kind::Name(name) => self.lookup(name, e.span),
            _ => self.expr(e, None),
        }
    }

    /// Refuses a value that is not, or not wholly, assigned.
    pub(super) fn complete(&mut self, value: Value, span: Span) -> Elaborated<Value> {
        let (_, items) = value.items();
        self.step(span, items.len() / 8)?;
        if !items.contains(&Item::Unset) {
            return if matches!(value, Value::Bad) { Err(super::Bad) } else { Ok(value) };
        }
        let part = if items.len() > 1 { "an element of " } else { "" };
        let what = format!("{part}`{}` has no value here on some path", span.of(self.text));
        let remedy = match self.operands.contains(span.of(self.text)) {
            true => {
                "assign it before; to read what it held, name it in inout, or read an x register as rs3"
            }
            false => "assign one before, as in var x: bits(8) = 0;",
        };
        Err(self.fault(span, what, remedy))
    }

    fn unary(&mut self, op: Unary, of: &Expr<'a>, want: Option<Ty>) -> Elaborated<Value> {
        let value = self.expr(of, want)?;
        let value = self.unsigned(value, of.span)?;
        if let Value::Int(n) = value {
            let result = match op {
                Unary::Minus => Some(n.neg()),
                Unary::Not => n.not(),
                Unary::No => {
                    return Err(self.fault(
                        of.span,
                        "`!` takes one bit, and this is int",
                        "write n == 0",
                    ));
                }
            };
            return result.map(Value::Int).ok_or_else(|| self.out_of_range(of.span));
        }
        let bits = self.bits_of(&value, of.span, "operators")?;
        let operand = (bits.item, bits.width);
        let item = match op {
            Unary::Not => self.build.op(Code::Not, bits.width, 0, &[operand]),
            Unary::Minus => {
                self.build.op(Code::Sub, bits.width, 0, &[(Item::Const(0), bits.width), operand])
            }
            Unary::No if bits.width == 1 => self.build.op(Code::Not, 1, 0, &[operand]),
            Unary::No => {
                let text = self.quote(of.span);
                let what = format!("`!` takes one bit, and this has {}", bits.width);
                let remedy = format!("write {text} == 0, or ~{text} to invert all bits");
                return Err(self.fault(of.span, what, remedy));
            }
        };
        Ok(Value::bits(bits.width, item))
    }

    pub(super) fn out_of_range(&mut self, span: Span) -> super::Bad {
        let what = "this constant is out of range";
        self.fault(
            span,
            what,
            "constants lie between -2^128 and 2^128; only + - * ~ take negative ones",
        )
    }

    /// The value as bits, for what takes no arrays.
    pub(super) fn bits_of(&mut self, value: &Value, span: Span, who: &str) -> Elaborated<Bits> {
        match value {
            Value::Bits(bits) => Ok(*bits),
            Value::Int(_) => {
                let what = "the width of this constant is not known";
                Err(self.fault(
                    span,
                    what,
                    "write the width after the number, as in 5u8, or zext(n, 8)",
                ))
            }
            Value::Array(..) => {
                let remedy = "take an element first: a[i]";
                Err(self.fault(span, format!("{who} take bits, and this is an array"), remedy))
            }
            Value::Bad => Err(super::Bad),
        }
    }

    fn element(&mut self, of: &Expr<'a>, index: &Expr<'a>, span: Span) -> Elaborated<Value> {
        let value = self.base(of)?;
        let value = self.unsigned(value, of.span)?;
        if let Value::Array(width, items) = &value {
            return match self.index(index, items.len() as u32, "elements")? {
                Index::Known(n) => {
                    let item = Value::bits(*width, items[n as usize]);
                    self.complete(item, span)
                }
                Index::Runtime(at) => {
                    let value = self.complete(value.clone(), of.span)?;
                    let (width, items) = value.items();
                    self.step(span, items.len())?;
                    Ok(Value::bits(width, self.build.load(items, width, at)))
                }
            };
        }
        let value = self.complete(value, of.span)?;
        let bits = self.bits_of(&value, of.span, "indices")?;
        Ok(match self.index(index, bits.width, "bits")? {
            Index::Known(n) => self.slice(bits.item, bits.width, n, n),
            Index::Runtime(at) => {
                let moved = self.build.op(Code::Shr, bits.width, 0, &[(bits.item, bits.width), at]);
                self.slice(moved, bits.width, 0, 0)
            }
        })
    }

    /// An index that is certainly below the limit.
    pub(super) fn index(&mut self, e: &Expr<'a>, limit: u32, of: &str) -> Elaborated<Index> {
        let value = self.expr(e, None)?;
        let value = self.unsigned(value, e.span)?;
        let last = limit - 1;
        match (value.constant(), &value) {
            (Some(n), _) if n <= u128::from(last) => Ok(Index::Known(n as u32)),
            (Some(n), _) => {
                let what = format!("index {n} is too large: there are {limit} {of}");
                Err(self.fault(e.span, what, format!("indices are from 0 to {last}")))
            }
            (None, Value::Bits(bits)) if bits.max <= u128::from(last) => {
                Ok(Index::Runtime((bits.item, bits.width)))
            }
            (None, Value::Bits(bits)) => {
                let text = self.quote(e.span);
                let what = format!(
                    "the index can be as large as {}, and there are {limit} {of}",
                    bits.max
                );
                let remedy = if limit.is_power_of_two() && limit > 1 {
                    format!("write {text}[{}..0]", limit.ilog2() - 1)
                } else {
                    format!("write {text} % {limit}")
                };
                Err(self.fault(e.span, what, remedy))
            }
            (None, Value::Int(n)) => Err(self.fault(
                e.span,
                format!("index {n} is negative"),
                "indices start at 0: (i + 4) % 5",
            )),
            (None, other) => {
                let other = other.clone();
                self.bits_of(&other, e.span, "indices").map(|_| Index::Known(0))
            }
        }
    }

    /// The bounds of a slice of a value of `width` bits.
    pub(super) fn bounds(
        &mut self,
        high: &Expr<'a>,
        low: &Expr<'a>,
        width: u32,
    ) -> Elaborated<(u32, u32)> {
        let rule = "the bounds of a slice are constants";
        let (h, l) = (self.constant(high, rule)?, self.constant(low, rule)?);
        let span = high.span.to(low.span);
        if h < l {
            let what = format!("the slice {h}..{l} begins with its lowest bit");
            return Err(self.fault(span, what, format!("the highest bit comes first: {l}..{h}")));
        }
        if h >= u128::from(width) {
            let what = format!("bit {h} is too high: there are {width} bits");
            return Err(self.fault(span, what, format!("bits are from 0 to {}", width - 1)));
        }
        Ok((h as u32, l as u32))
    }

    pub(super) fn slice(&mut self, item: Item, width: u32, high: u32, low: u32) -> Value {
        let taken = high - low + 1;
        Value::bits(taken, self.build.op(Code::Slice, taken, low, &[(item, width)]))
    }

    fn array(&mut self, of: &[Expr<'a>], want: Option<Ty>, span: Span) -> Elaborated<Value> {
        let hint = if let Some(Ty::Array(width, _)) = want { Some(Ty::Bits(width)) } else { None };
        let values: Vec<Value> =
            of.iter().map(|e| self.expr(e, hint)).collect::<Elaborated<_>>()?;
        let found =
            values.iter().find_map(|v| if let Value::Bits(b) = v { Some(b.width) } else { None });
        self.count(of.len() as u128, span)?;
        let width = match (hint, found) {
            (Some(Ty::Bits(width)), _) | (_, Some(width)) => width,
            _ => {
                let what = "the width of the elements is not known";
                let remedy = format!("declare the type, as in bits(8)[{}]", of.len());
                return Err(self.fault(span, what, remedy));
            }
        };
        let mut items = Vec::new();
        for (value, e) in values.into_iter().zip(of) {
            let value = self.coerce(value, Ty::Bits(width), e.span)?;
            items.extend_from_slice(value.items().1);
        }
        Ok(Value::Array(width, Rc::new(items)))
    }

    fn repeat(&mut self, of: &Expr<'a>, count: &Expr<'a>, want: Option<Ty>) -> Elaborated<Value> {
        let hint = if let Some(Ty::Array(width, _)) = want { Some(Ty::Bits(width)) } else { None };
        let mut value = self.expr(of, hint)?;
        if let Some(ty) = hint {
            value = self.coerce(value, ty, of.span)?;
        }
        let value = self.unsigned(value, of.span)?;
        let bits = self.bits_of(&value, of.span, "elements")?;
        let n = self.constant(count, "the length of an array is a constant")?;
        let n = self.count(n, count.span)?;
        self.step(count.span, n as usize / 8)?;
        Ok(Value::Array(bits.width, Rc::new(vec![bits.item; n as usize])))
    }
}
