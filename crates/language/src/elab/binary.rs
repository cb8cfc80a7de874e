//! Operators with two operands.

use super::value::{Bits, Ty, Value};
use super::{Elab, Elaborated};
use crate::ast::{Binary, Expr};
use crate::code::Code;
use crate::code::build::{Item, Operand};
use crate::error::Span;
use crate::int::Int;

/// Two operands of one width.
pub(super) struct Pair {
    pub a: Bits,
    pub b: Bits,
    pub width: u32,
    pub signed: bool,
}

impl Pair {
    pub fn operands(&self) -> [Operand; 2] {
        [(self.a.item, self.width), (self.b.item, self.width)]
    }
}

impl<'a> Elab<'a, '_> {
    pub(super) fn binary(
        &mut self,
        op: Binary,
        left: &Expr<'a>,
        right: &Expr<'a>,
        want: Option<Ty>,
        span: Span,
    ) -> Elaborated<Value> {
        let bit = |n| Ok(Value::bits(1, Item::Const(n)));
        match op {
            Binary::Both => return self.choose(left, |e| e.bit(right), |_| bit(0), span),
            Binary::Either => return self.choose(left, |_| bit(1), |e| e.bit(right), span),
            Binary::Concat => return self.concat(left, right, span),
            Binary::Shl | Binary::Shr => return self.shift(op, left, right, want, span),
            _ => {}
        }
        let compares = comparison(op);
        let want = want.filter(|_| !compares);
        let a = self.expr(left, want)?;
        let hint = if let Some(Ty::Bits(width)) = a.ty() { Some(Ty::Bits(width)) } else { want };
        let b = self.expr(right, hint)?;
        if matches!((op, &b), (Binary::Div | Binary::Rem, Value::Int(n)) if *n == Int::from(0)) {
            let remedy =
                "write the intended divisor; only one that is computed at run time may be 0";
            return Err(self.fault(right.span, "a division by 0", remedy));
        }
        if let (Value::Int(x), Value::Int(y)) = (&a, &b) {
            if compares {
                return bit(u128::from(x.compare(op, *y)));
            }
            return x.binary(op, *y).map(Value::Int).ok_or_else(|| self.out_of_range(span));
        }
        let pair = self.pair(a, b, [left.span, right.span], span)?;
        if pair.signed && !compares && !matches!(op, Binary::Div | Binary::Rem) {
            self.unsigned(Value::Bits(pair.a), left.span)?;
        }
        Ok(self.compute(op, &pair))
    }

    fn bit(&mut self, e: &Expr<'a>) -> Elaborated<Value> {
        Ok(Value::bits(1, self.condition(e)?))
    }

    /// Brings two values to one width, which constants take from the other.
    pub(super) fn pair(
        &mut self,
        a: Value,
        b: Value,
        spans: [Span; 2],
        span: Span,
    ) -> Elaborated<Pair> {
        let signed =
            [&a, &b].map(|v| if let Value::Bits(bits) = v { Some(bits.signed) } else { None });
        let (a, b) = match (a.ty(), b.ty()) {
            (Some(Ty::Int), Some(Ty::Bits(width))) => {
                (self.constant_operand(&a, width, signed[1], spans[0])?, b)
            }
            (Some(Ty::Bits(width)), Some(Ty::Int)) => {
                let b = self.constant_operand(&b, width, signed[0], spans[1])?;
                (a, b)
            }
            _ => (a, b),
        };
        let x = self.bits_of(&a, spans[0], "operators")?;
        let y = self.bits_of(&b, spans[1], "operators")?;
        if x.width != y.width {
            let (narrow, wide) = if x.width < y.width { (0, 1) } else { (1, 0) };
            let (least, most) = (x.width.min(y.width), x.width.max(y.width));
            let remedy = format!(
                "write zext({}, {most}) or {}[{}..0]",
                spans[narrow].of(self.text).lines().next().unwrap_or_default(),
                self.quote(spans[wide]),
                least - 1
            );
            let what = format!("the left operand has {} bits, the right one {}", x.width, y.width);
            return Err(self.fault(span, what, remedy));
        }
        if let [Some(s), Some(t)] = signed
            && s != t
        {
            let what = "one operand is signed, the other is not";
            return Err(self.fault(span, what, "write signed(…) around both"));
        }
        let signed = signed.contains(&Some(true));
        Ok(Pair { a: x, b: y, width: x.width, signed })
    }

    fn constant_operand(
        &mut self,
        value: &Value,
        width: u32,
        signed: Option<bool>,
        span: Span,
    ) -> Elaborated<Value> {
        if let (Some(true), Some(n)) = (signed, value.constant())
            && n >> (width - 1) != 0
        {
            let what = format!("{n} does not fit in {width} signed bits");
            return Err(self.fault(span, what, "extend the other operand with sext"));
        }
        self.sized(value, width, span)
    }

    fn compute(&mut self, op: Binary, pair: &Pair) -> Value {
        let [a, b] = pair.operands();
        let width = pair.width;
        let signed = pair.signed;
        let pick = |unsigned, other| if signed { other } else { unsigned };
        let less = pick(Code::Less, Code::SignedLess);
        let not_greater = pick(Code::LessEqual, Code::SignedLessEqual);
        let mut compare = |code, a, b| Value::bits(1, self.build.op(code, 1, 0, &[a, b]));
        let code = match op {
            Binary::Eq => return compare(Code::Eq, a, b),
            Binary::Ne => return compare(Code::Ne, a, b),
            Binary::Lt => return compare(less, a, b),
            Binary::Le => return compare(not_greater, a, b),
            Binary::Gt => return compare(less, b, a),
            Binary::Ge => return compare(not_greater, b, a),
            Binary::Add => Code::Add,
            Binary::Sub => Code::Sub,
            Binary::Mul => Code::Mul,
            Binary::Div => pick(Code::Div, Code::SignedDiv),
            Binary::Rem => pick(Code::Rem, Code::SignedRem),
            Binary::And => Code::And,
            Binary::Or => Code::Or,
            _ => Code::Xor,
        };
        let mut result = Value::bits(width, self.build.op(code, width, 0, &[a, b]));
        if let Value::Bits(bits) = &mut result {
            let limit = match (code, b.0) {
                (Code::And, _) => pair.a.max.min(pair.b.max),
                (Code::Rem, Item::Const(n)) if n > 0 => n - 1,
                _ => bits.max,
            };
            bits.max = bits.max.min(limit);
        }
        result
    }

    fn concat(&mut self, left: &Expr<'a>, right: &Expr<'a>, span: Span) -> Elaborated<Value> {
        let mut parts = Vec::new();
        for e in [left, right] {
            let value = self.expr(e, None)?;
            let value = self.unsigned(value, e.span)?;
            let bits = self.bits_of(&value, e.span, "concatenations")?;
            parts.push((bits.item, bits.width));
        }
        let width = parts[0].1 + parts[1].1;
        if width > crate::MAX_WIDTH {
            let what = format!("a concatenation of {width} bits");
            return Err(self.fault(span, what, "values have at most 128 bits; use an array"));
        }
        Ok(Value::bits(width, self.build.op(Code::Concat, width, parts[1].1, &parts)))
    }

    fn shift(
        &mut self,
        op: Binary,
        left: &Expr<'a>,
        right: &Expr<'a>,
        want: Option<Ty>,
        span: Span,
    ) -> Elaborated<Value> {
        let a = self.expr(left, want)?;
        let n = self.expr(right, None)?;
        if let (Value::Int(x), Some(n)) = (&a, n.constant()) {
            return x.binary(op, n.into()).map(Value::Int).ok_or_else(|| self.out_of_range(span));
        }
        let a = match (a, want) {
            (a @ Value::Int(_), Some(Ty::Bits(width))) => self.sized(&a, width, left.span)?,
            (a, _) => self.unsigned(a, left.span)?,
        };
        let bits = self.bits_of(&a, left.span, "shifts")?;
        self.less_than_width(&n, bits.width, right.span)?;
        let by = self.amount(n, right.span)?;
        let code = if op == Binary::Shl { Code::Shl } else { Code::Shr };
        if matches!(by.0, Item::Const(n) if n >= u128::from(bits.width)) {
            return Ok(Value::bits(bits.width, Item::Const(0)));
        }
        Ok(Value::bits(
            bits.width,
            self.build.op(code, bits.width, 0, &[(bits.item, bits.width), by]),
        ))
    }

    /// Refuses to shift by a number that leaves nothing of the value.
    pub(super) fn less_than_width(&mut self, n: &Value, width: u32, span: Span) -> Elaborated<()> {
        match n {
            Value::Int(by) if by.unsigned().is_some_and(|by| by >= u128::from(width)) => {
                let remedy =
                    format!("shift by at most {}, or widen the value with zext", width - 1);
                Err(self.fault(span, format!("a shift of {width} bits by {by}"), remedy))
            }
            _ => Ok(()),
        }
    }

    /// By how much to shift or rotate: of any width.
    pub(super) fn amount(&mut self, n: Value, span: Span) -> Elaborated<Operand> {
        let n = self.unsigned(n, span)?;
        match (&n, n.constant()) {
            (_, Some(n)) => Ok((Item::Const(n), 128)),
            (Value::Int(n), None) => {
                Err(self.fault(span, format!("a shift by {n}"), "shift in the other direction"))
            }
            _ => self.bits_of(&n, span, "shifts").map(|b| (b.item, b.width)),
        }
    }
}

fn comparison(op: Binary) -> bool {
    matches!(op, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge)
}
