//! Assignments to variables, elements and bits.

use super::expr::Index;
use super::value::{Ty, Value};
use super::{Access, Elab, Elaborated};
use crate::ast::{Binary, Expr, Subscript, Target};
use crate::code::build::{Item, Operand};
use crate::code::{Code, ones};
use crate::error::Span;
use std::rc::Rc;

/// For `x += e`: the operator and the old value.
type Operation<'t, 'a> = Option<&'t (Binary, Expr<'a>)>;

/// Bits of a value.
enum Part {
    Known { high: u32, low: u32 },
    Bit(Operand),
}

/// What is assigned to.
struct Place {
    var: usize,
    element: Option<Index>,
    part: Option<Part>,
    /// The width of the element or variable.
    width: u32,
    span: Span,
}

impl<'a> Elab<'a, '_> {
    pub(super) fn assign(
        &mut self,
        target: &Target<'a>,
        op: Operation<'_, 'a>,
        value: &Expr<'a>,
    ) -> Elaborated<()> {
        let var = self.assignable(target)?;
        let assigned = self.assign_to(var, target, op, value);
        if assigned.is_err() {
            // So that the variable is not reported as unassigned, too.
            let value = &mut self.frame.vars[var].value;
            let known = |i: &Item| if *i == Item::Unset { Item::Const(0) } else { *i };
            *value = value.with(value.items().1.iter().map(known).collect());
        }
        assigned
    }

    fn assign_to(
        &mut self,
        var: usize,
        target: &Target<'a>,
        op: Operation<'_, 'a>,
        value: &Expr<'a>,
    ) -> Elaborated<()> {
        let ty = self.frame.vars[var].value.ty();
        if target.subscripts.is_empty() {
            let Some(ty) = ty else { return self.expr(value, None).map(|_| ()) };
            let value = self.operated(op, value, ty)?;
            self.frame.vars[var].value = self.coerce(value.0, ty, value.1)?;
            return Ok(());
        }
        let place = self.place(var, target)?;
        let width = match place.part {
            Some(Part::Known { high, low }) => high - low + 1,
            Some(Part::Bit(_)) => 1,
            None => place.width,
        };
        let (value, span) = self.operated(op, value, Ty::Bits(width))?;
        let value = self.coerce(value, Ty::Bits(width), span)?;
        let item = value.items().1.first().copied().ok_or(super::Bad)?;
        self.write(&place, item)
    }

    fn assignable(&mut self, target: &Target<'a>) -> Elaborated<usize> {
        let name = target.name;
        self.mark_used(name.text);
        let Some(var) = self.frame.names.get(name.text).copied() else {
            if self.globals.names.contains_key(name.text) {
                let what = format!("`{}` is a constant", name.text);
                return Err(self.fault(name.span, what, "copy it first: var x = …;"));
            }
            return Err(self.unknown(name.text, name.span));
        };
        let (what, remedy) = match self.frame.vars[var].access {
            Access::Variable => return Ok(var),
            Access::Let => {
                ("declared by let", format!("declare it with var: var {} = …;", name.text))
            }
            Access::Fixed(what) => (what, format!("copy it first: var copy = {};", name.text)),
        };
        let what = format!("`{}` cannot be assigned: it is {what}", name.text);
        Err(self.fault(name.span, what, remedy))
    }

    /// The value to assign: for `x += e`, that of `x + e`.
    fn operated(
        &mut self,
        op: Operation<'_, 'a>,
        value: &Expr<'a>,
        ty: Ty,
    ) -> Elaborated<(Value, Span)> {
        let Some((op, old)) = op else { return Ok((self.expr(value, Some(ty))?, value.span)) };
        let span = old.span.to(value.span);
        self.binary(*op, old, value, Some(ty), span).map(|v| (v, span))
    }

    fn place(&mut self, var: usize, target: &Target<'a>) -> Elaborated<Place> {
        let (ty, span) = (self.frame.vars[var].value.ty(), target.span);
        let (element, width, rest) = match (ty, &target.subscripts[..]) {
            (Some(Ty::Array(width, count)), [Subscript::Index(at), rest @ ..]) => {
                (Some(self.index(at, count, "elements")?), width, rest)
            }
            (Some(Ty::Bits(width)), rest @ [_]) => (None, width, rest),
            (None, _) => return Err(super::Bad),
            (Some(ty), _) => {
                let what = format!("`{}` is {ty} and has no such part", target.name.text);
                return Err(self.fault(span, what, "write a[i] for an element, x[7..0] for bits"));
            }
        };
        let part = match rest {
            [] => None,
            [Subscript::Slice(high, low), ..] => {
                let (high, low) = self.bounds(high, low, width)?;
                Some(Part::Known { high, low })
            }
            [Subscript::Index(at), ..] => Some(match self.index(at, width, "bits")? {
                Index::Known(n) => Part::Known { high: n, low: n },
                Index::Runtime(at) => Part::Bit(at),
            }),
        };
        Ok(Place { var, element, part, width, span })
    }

    fn write(&mut self, place: &Place, item: Item) -> Elaborated<()> {
        let mut value = std::mem::replace(&mut self.frame.vars[place.var].value, Value::Bad);
        let written = self.write_into(&mut value, place, item);
        self.frame.vars[place.var].value = value;
        written
    }

    fn write_into(&mut self, value: &mut Value, place: &Place, item: Item) -> Elaborated<()> {
        let width = place.width;
        match (&place.element, value) {
            (None, value) => {
                let old = value.items().1.first().copied().ok_or(super::Bad)?;
                *value = Value::bits(width, self.insert(old, place, item)?);
            }
            (Some(Index::Known(n)), Value::Array(_, items)) => {
                let item = self.insert(items[*n as usize], place, item)?;
                self.own(items, place.span)?[*n as usize] = item;
            }
            (Some(Index::Runtime(at)), Value::Array(_, items)) => {
                if items.contains(&Item::Unset) {
                    let what = "a run-time index into an array with elements that have no value";
                    return Err(self.fault(
                        place.span,
                        what,
                        "assign all elements first: a = [0; 4];",
                    ));
                }
                self.step(place.span, items.len())?;
                let item = if place.part.is_some() {
                    let old = self.build.load(items, width, *at);
                    self.insert(old, place, item)?
                } else {
                    item
                };
                *items = Rc::new(self.build.store(items, width, *at, item));
            }
            (Some(_), _) => {}
        }
        Ok(())
    }

    /// The old value with the part replaced.
    fn insert(&mut self, old: Item, place: &Place, item: Item) -> Elaborated<Item> {
        let width = place.width;
        let Some(part) = &place.part else { return Ok(item) };
        if let Part::Known { high, low: 0 } = part
            && *high == width - 1
        {
            return Ok(item);
        }
        if old == Item::Unset {
            let what = "bits of a variable that has no value yet";
            return Err(self.fault(place.span, what, "assign the whole first, as in x = 0;"));
        }
        let (taken, low) = match part {
            Part::Known { high, low } => (high - low + 1, (Item::Const(u128::from(*low)), 8)),
            Part::Bit(at) => (1, *at),
        };
        let widened = self.build.op(Code::Mov, width, 0, &[(item, taken)]);
        let mut at = |item| (self.build.op(Code::Shl, width, 0, &[(item, width), low]), width);
        let (mask, moved) = (at(Item::Const(ones(taken))), at(widened));
        let hole = (self.build.op(Code::Not, width, 0, &[mask]), width);
        let kept = (self.build.op(Code::And, width, 0, &[(old, width), hole]), width);
        Ok(self.build.op(Code::Or, width, 0, &[kept, moved]))
    }
}
