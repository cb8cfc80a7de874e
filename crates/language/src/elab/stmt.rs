//! Statements.

use super::value::{Ty, Value};
use super::{Access, Elab, Elaborated};
use crate::MAX_COUNT;
use crate::ast::{Declaration, Expr, Name, Stmt, Type};
use crate::code::Code;
use crate::error::Span;
use crate::int::Int;
use std::rc::Rc;

impl<'a> Elab<'a, '_> {
    /// Statements in order, up to one that ends the program. What is declared stays visible.
    pub(super) fn block(&mut self, stmts: &[Stmt<'a>]) {
        for stmt in stmts {
            if self.ended || self.stopped {
                return;
            }
            let _ = self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt<'a>) -> Elaborated<()> {
        match stmt {
            Stmt::Let(declared) => {
                let value = self.initial(declared).unwrap_or(Value::Bad);
                let access = if declared.var { Access::Variable } else { Access::Let };
                self.declare(declared.name, access, value)
            }
            Stmt::Assign { target, op, value } => {
                self.nested(target.span, |e| e.assign(target, op.as_ref(), value))
            }
            Stmt::If { cond, then, other } => {
                self.nested(cond.span, |e| e.branch(cond, then, other))
            }
            Stmt::For { name, from, to, body } => {
                let from = self.constant(from, "the bounds of a loop are constants")?;
                let to = self.constant(to, "the bounds of a loop are constants")?;
                self.nested(name.span, |e| e.unroll(*name, from, to, body))
            }
            Stmt::Store { name, args } => self.nested(name.span, |e| e.store(*name, args)),
            Stmt::Illegal(why) => {
                let why = self.build.reason(why);
                self.build.control(Code::Illegal, None, why);
                self.ended = true;
                Ok(())
            }
        }
    }

    fn unroll(
        &mut self,
        name: Name<'a>,
        from: u128,
        to: u128,
        body: &[Stmt<'a>],
    ) -> Elaborated<()> {
        for i in from..to {
            if self.ended {
                break;
            }
            self.step(name.span, 1)?;
            let failures = self.failures;
            self.scope(|e| {
                e.declare(name, Access::Fixed("counted by the loop"), Value::Int(Int::from(i)))?;
                e.block(body);
                Ok(())
            })?;
            // The next round would repeat the errors.
            if self.failures > failures {
                break;
            }
        }
        Ok(())
    }

    /// The value of a declaration, of the type that it gives.
    pub(super) fn initial(&mut self, declared: &Declaration<'a>) -> Elaborated<Value> {
        let ty = declared.ty.as_ref().map(|ty| self.ty(ty)).transpose()?;
        match (&declared.value, ty) {
            (Some(value), Some(ty)) => {
                let found = self.expr(value, Some(ty))?;
                self.coerce(found, ty, value.span)
            }
            (Some(value), None) => {
                let found = self.expr(value, None)?;
                self.unsigned(found, value.span)
            }
            (None, Some(Ty::Int)) => {
                let what = "an int without a value";
                Err(self.fault(declared.name.span, what, "write var n = 0;"))
            }
            (None, Some(ty)) => Ok(Value::unset(ty)),
            (None, None) => Ok(Value::Bad),
        }
    }

    pub(super) fn ty(&mut self, ty: &Type<'a>) -> Elaborated<Ty> {
        let Some(width) = &ty.width else { return Ok(Ty::Int) };
        let width = self.width(width)?;
        let Some(count) = &ty.count else { return Ok(Ty::Bits(width)) };
        let n = self.constant(count, "the length of an array is a constant")?;
        let n = self.count(n, count.span)?;
        Ok(Ty::Array(width, n))
    }

    pub(super) fn width(&mut self, width: &Expr<'a>) -> Elaborated<u32> {
        match self.constant(width, "a width is a constant")? {
            n @ 1..=128 => Ok(n as u32),
            n => Err(self.fault(
                width.span,
                format!("a width of {n} bits"),
                "widths are from 1 to 128",
            )),
        }
    }

    pub(super) fn count(&mut self, n: u128, span: Span) -> Elaborated<u32> {
        match u32::try_from(n) {
            Ok(n @ 1..=MAX_COUNT) => Ok(n),
            _ => {
                let remedy = format!("arrays have from 1 to {MAX_COUNT} elements");
                Err(self.fault(span, format!("an array of {n} elements"), remedy))
            }
        }
    }

    /// The value of an expression that the program's text determines.
    pub(super) fn constant(&mut self, e: &Expr<'a>, rule: &str) -> Elaborated<u128> {
        let value = self.expr(e, None)?;
        match (value.constant(), value) {
            (Some(n), _) => Ok(n),
            (None, Value::Int(n)) => Err(self.fault(
                e.span,
                format!("{n} is negative here"),
                "add a multiple first: (i + 4) % 5",
            )),
            (None, _) => {
                Err(self.fault(e.span, format!("{rule}, and this is not"), self.runtime_remedy()))
            }
        }
    }

    fn runtime_remedy(&self) -> &'static str {
        "use a number, a constant or the variable of a loop; only shifts and indices vary at run time"
    }

    /// The value as one of the type.
    pub(super) fn coerce(&mut self, value: Value, ty: Ty, span: Span) -> Elaborated<Value> {
        let value = self.unsigned(value, span)?;
        match (value.ty(), ty) {
            (Some(found), _) if found == ty => Ok(value),
            (Some(Ty::Int), Ty::Bits(width)) => self.sized(&value, width, span),
            (Some(Ty::Bits(found)), Ty::Bits(wanted)) => Err(self.mismatch(span, found, wanted)),
            (Some(Ty::Bits(_)), Ty::Int) => {
                let constant = value.constant().map(|n| Value::Int(n.into()));
                constant.ok_or_else(|| {
                    self.fault(span, "this is not a constant", self.runtime_remedy())
                })
            }
            (Some(found), _) => {
                let remedy = match ty {
                    Ty::Array(_, count) => format!("write all elements: [a, b, …] or [0; {count}]"),
                    _ => format!("take an element: {}[0]", self.quote(span)),
                };
                Err(self.fault(span, format!("expected {ty}, found {found}"), remedy))
            }
            (None, _) => Ok(value),
        }
    }

    /// A constant without a width, in this many bits.
    pub(super) fn sized(&mut self, value: &Value, width: u32, span: Span) -> Elaborated<Value> {
        let Value::Int(int) = value else { return Ok(value.clone()) };
        match int.bits(width) {
            Some(n) => Ok(Value::bits(width, crate::code::build::Item::Const(n))),
            None => {
                let what = format!("{int} does not fit in {width} bits");
                Err(self.fault(span, what, "use a greater width or a smaller number"))
            }
        }
    }

    /// A value has another width than its place.
    pub(super) fn mismatch(&mut self, span: Span, found: u32, wanted: u32) -> super::Bad {
        let remedy = self.resize(span, found, wanted);
        self.fault(span, format!("expected {wanted} bits, found {found}"), remedy)
    }

    /// How to write the value with another width.
    pub(super) fn resize(&self, span: Span, found: u32, wanted: u32) -> String {
        let text = self.quote(span);
        if found < wanted {
            let plain = span.of(self.text);
            let plain = if text == "(…)" { "…" } else { plain };
            format!("write zext({plain}, {wanted}), or sext to keep the sign")
        } else {
            format!("write {text}[{}..0]", wanted - 1)
        }
    }

    /// Refuses signed views where they have no meaning.
    pub(super) fn unsigned(&mut self, value: Value, span: Span) -> Elaborated<Value> {
        if matches!(&value, Value::Bits(bits) if bits.signed) {
            let what = "a signed view outside of < <= > >= / % min max mulwide";
            let remedy = "use it as an operand of one of these; sext extends, sra shifts";
            return Err(self.fault(span, what, remedy));
        }
        Ok(value)
    }

    /// Copies an array that others also refer to.
    pub(super) fn own<'v, T: Clone>(
        &mut self,
        items: &'v mut Rc<Vec<T>>,
        span: Span,
    ) -> Elaborated<&'v mut Vec<T>> {
        if Rc::strong_count(items) > 1 {
            self.step(span, items.len() / 8)?;
        }
        Ok(Rc::make_mut(items))
    }
}
