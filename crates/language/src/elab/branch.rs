//! Choices, as statements and as values.
//!
//! A constant condition selects what is elaborated at all, like SystemVerilog's generate. Otherwise both branches are,
//! and where they end, values that differ are copied into a common slot.

use super::value::{Ty, Value};
use super::{Elab, Elaborated};
use crate::ast::{Expr, Stmt};
use crate::code::build::{Builder, Item};
use crate::code::{Code, Insn, words};
use crate::error::Span;
use std::rc::Rc;

/// A branch that was elaborated, and whether it ends the program.
struct Arm {
    code: Vec<Insn<u32>>,
    ended: bool,
}

/// Maximum number of instructions of two arms that are computed in any case.
const CHEAP: usize = 8;

impl<'a> Elab<'a, '_> {
    pub(super) fn branch(
        &mut self,
        cond: &Expr<'a>,
        then: &[Stmt<'a>],
        other: &[Stmt<'a>],
    ) -> Elaborated<()> {
        let item = match self.condition(cond)? {
            Item::Const(c) => {
                self.scope(|e| e.block(if c != 0 { then } else { other }));
                return Ok(());
            }
            item => item,
        };
        let before = self.snapshot(cond.span)?;
        let then = self.arm(|e| e.scope(|e| e.block(then)));
        let after_then = self.snapshot(cond.span)?;
        for (var, value) in self.frame.vars.iter_mut().zip(before) {
            var.value = value;
        }
        let other = self.arm(|e| e.scope(|e| e.block(other)));
        let after_other = self.snapshot(cond.span)?;
        let mut moves = Vec::new();
        let mut values = Vec::new();
        for (n, (a, b)) in after_then.iter().zip(&after_other).enumerate() {
            values.push(match (then.ended, other.ended) {
                (true, _) => b.clone(),
                (_, true) => a.clone(),
                _ => self.join(a, b, &mut moves, cond.span).map_err(|()| {
                    let name = self.frame.vars[n].name;
                    let what = format!("the int `{name}` would depend on this condition");
                    self.fault(
                        cond.span,
                        what,
                        format!("declare it with a width: var {name}: bits(64) = …;"),
                    )
                })?,
            });
        }
        self.emit_branches(item, then, other, &moves);
        for (var, value) in self.frame.vars.iter_mut().zip(values) {
            var.value = value;
        }
        Ok(())
    }

    /// `if c { a } else { b }` as a value: computed both ways if that is cheap and cannot end the program.
    pub(super) fn choose(
        &mut self,
        cond: &Expr<'a>,
        then: impl FnOnce(&mut Self) -> Elaborated<Value>,
        other: impl FnOnce(&mut Self) -> Elaborated<Value>,
        span: Span,
    ) -> Elaborated<Value> {
        let item = match self.condition(cond)? {
            Item::Const(c) => return if c != 0 { then(self) } else { other(self) },
            item => item,
        };
        let (mut a, mut b) = (Ok(Value::Bad), Ok(Value::Bad));
        let first = self.arm(|e| a = then(e));
        let second = self.arm(|e| b = other(e));
        let (a, b) = self.alike(a?, b?, span)?;
        if cheap(&first, &second, 0) {
            self.build.code.extend(first.code.into_iter().chain(second.code));
            let (width, items) = a.items();
            self.step(span, items.len())?;
            let pairs = items.iter().zip(b.items().1);
            let chosen = pairs.map(|(x, y)| {
                if x == y {
                    *x
                } else {
                    self.build.op(Code::Select, width, 0, &[(item, 1), (*x, width), (*y, width)])
                }
            });
            let chosen = chosen.collect();
            return Ok(a.with(chosen));
        }
        let mut moves = Vec::new();
        let joined = match (first.ended, second.ended) {
            (true, _) => b,
            (_, true) => a,
            _ => self.join(&a, &b, &mut moves, span).unwrap_or(Value::Bad),
        };
        self.emit_branches(item, first, second, &moves);
        Ok(joined)
    }

    /// Two values of one type.
    fn alike(&mut self, a: Value, b: Value, span: Span) -> Elaborated<(Value, Value)> {
        match (a.ty(), b.ty()) {
            (Some(Ty::Int), Some(Ty::Int)) => {
                let what = "the width of this value is not known";
                Err(self.fault(
                    span,
                    what,
                    "write it after a number, as in 1u8, or declare the type",
                ))
            }
            (Some(Ty::Int), Some(Ty::Bits(width))) => Ok((self.sized(&a, width, span)?, b)),
            (Some(Ty::Bits(width)), Some(Ty::Int)) => Ok((a, self.sized(&b, width, span)?)),
            (Some(x), Some(y)) if x != y => {
                let what = format!("the two values of this choice have the types {x} and {y}");
                Err(self.fault(span, what, "make them equal with zext, sext or a slice"))
            }
            (None, _) | (_, None) => Err(super::Bad),
            _ => Ok((self.unsigned(a, span)?, self.unsigned(b, span)?)),
        }
    }

    /// The one bit of a condition.
    pub(super) fn condition(&mut self, cond: &Expr<'a>) -> Elaborated<Item> {
        let value = self.expr(cond, Some(Ty::Bits(1)))?;
        match self.unsigned(value, cond.span)? {
            Value::Bits(bits) if bits.width == 1 => Ok(bits.item),
            Value::Bad => Err(super::Bad),
            other => {
                let found = other.ty().map(|t| t.to_string()).unwrap_or_default();
                let remedy = format!("write {} != 0", self.quote(cond.span));
                Err(self.fault(
                    cond.span,
                    format!("a condition has one bit, and this is {found}"),
                    remedy,
                ))
            }
        }
    }

    fn snapshot(&mut self, span: Span) -> Elaborated<Vec<Value>> {
        self.step(span, self.frame.vars.len())?;
        Ok(self.frame.vars.iter().map(|v| v.value.clone()).collect())
    }

    /// Elaborates into code of its own.
    fn arm(&mut self, part: impl FnOnce(&mut Self)) -> Arm {
        let outer = std::mem::take(&mut self.build.code);
        let ended = std::mem::replace(&mut self.ended, false);
        part(self);
        Arm {
            code: std::mem::replace(&mut self.build.code, outer),
            ended: std::mem::replace(&mut self.ended, ended),
        }
    }

    /// The value after two branches, with what has to be copied; an error if constants differ.
    fn join(
        &mut self,
        a: &Value,
        b: &Value,
        moves: &mut Vec<Move>,
        span: Span,
    ) -> Result<Value, ()> {
        if let (Value::Int(x), Value::Int(y)) = (a, b) {
            return if x == y { Ok(a.clone()) } else { Err(()) };
        }
        if let (Value::Array(_, x), Value::Array(_, y)) = (a, b)
            && Rc::ptr_eq(x, y)
        {
            return Ok(a.clone());
        }
        let (width, items) = a.items();
        if self.step(span, items.len() / 8).is_err() || b.items().1.len() != items.len() {
            return Ok(Value::Bad);
        }
        let pairs = items.iter().zip(b.items().1);
        let joined = pairs.map(|(x, y)| {
            if x == y {
                return *x;
            }
            if *x == Item::Unset || *y == Item::Unset {
                return Item::Unset;
            }
            let to = self.build.block(words(width), false);
            moves.push(Move { to, from: [*x, *y], width });
            Item::Slot(to)
        });
        let joined: Vec<Item> = joined.collect();
        Ok(if joined == items { a.clone() } else { a.with(joined) })
    }

    fn emit_branches(&mut self, cond: Item, then: Arm, other: Arm, moves: &[Move]) {
        self.ended = self.ended || then.ended && other.ended;
        let build = &mut self.build;
        if cheap(&then, &other, moves.len()) {
            build.code.extend(then.code.into_iter().chain(other.code));
            return moves.iter().for_each(|m| build.select(m.to, cond, m.from, m.width));
        }
        let (otherwise, end) = (build.label(), build.label());
        build.control(Code::JumpIfZero, Some((cond, 1)), otherwise);
        append(build, then.code, moves, 0);
        build.control(Code::Jump, None, end);
        build.control(Code::Label, None, otherwise);
        append(build, other.code, moves, 1);
        build.control(Code::Label, None, end);
    }
}

/// Whether both branches can be computed, and that is faster than a jump around one of them.
fn cheap(then: &Arm, other: &Arm, moves: usize) -> bool {
    let plain =
        |arm: &Arm| !arm.ended && arm.code.iter().all(|i| i.pure() || i.code == Code::Store);
    plain(then) && plain(other) && then.code.len() + other.code.len() + moves <= CHEAP
}

/// Copies for a value that two branches compute.
struct Move {
    to: u32,
    from: [Item; 2],
    width: u32,
}

fn append(build: &mut Builder, code: Vec<Insn<u32>>, moves: &[Move], arm: usize) {
    build.code.extend(code);
    for m in moves {
        build.mov(m.to, m.from[arm], m.width);
    }
}
