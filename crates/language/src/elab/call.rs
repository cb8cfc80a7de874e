//! Functions: those of the language, and those of the program, which are inlined.

use super::value::{Bits, Ty, Value};
use super::{Access, Elab, Elaborated, Frame};
use crate::ast::{Expr, Function, Name};
use crate::code::build::Item;
use crate::code::{Code, words};
use crate::error::Span;
use capvec_text::suggest;

pub(super) const BUILTIN: &[&str] = &[
    "zext",
    "sext",
    "signed",
    "rotl",
    "rotr",
    "sra",
    "clz",
    "ctz",
    "cpop",
    "rev8",
    "brev8",
    "clmul",
    "clmulwide",
    "mulwide",
    "min",
    "max",
    "load",
    "store",
];

/// How to write a function of another language in this one.
fn foreign(name: &str) -> Option<&'static str> {
    Some(match name {
        "popcount" | "popcnt" | "countones" => "cpop(x)",
        "ror" => "rotr(x, n)",
        "rol" => "rotl(x, n)",
        "sign_extend" | "EXTS" => "sext(x, N)",
        "zero_extend" | "EXTZ" => "zext(x, N)",
        "repeat" | "replicate" => "[x; K]",
        "concat" | "cat" => "a ++ b",
        "bswap" => "rev8(x)",
        _ => return None,
    })
}

impl<'a, 'u> Elab<'a, 'u> {
    pub(super) fn call(
        &mut self,
        name: Name<'a>,
        args: &[Expr<'a>],
        span: Span,
    ) -> Elaborated<Value> {
        if let Some(function) = self.functions.get(name.text).copied() {
            return self.user(function, args, span);
        }
        if !BUILTIN.contains(&name.text) {
            let names =
                BUILTIN.iter().copied().chain(self.functions.keys().copied()).take(super::NEAR);
            let near = suggest::nearest(name.text, names).map(|n| format!("did you mean {n}?"));
            let remedy = (foreign(name.text).map(|own| format!("that is {own} here")))
                .or(near)
                .unwrap_or_else(|| format!("declare it: fn {}(…) -> bits(64) {{ … }}", name.text));
            return Err(self.fault(
                name.span,
                format!("the function `{}` is not declared", name.text),
                remedy,
            ));
        }
        match (name.text, args) {
            ("load", [address, width]) => self.load(address, width),
            ("store", _) => {
                let what = "`store` has no value";
                Err(self.fault(span, what, "write it as a statement: store(address, value);"))
            }
            ("zext" | "sext", [x, width]) => self.extend(name.text, x, width),
            ("signed", [x]) => Ok(match self.expr(x, None)? {
                Value::Bits(bits) => Value::Bits(Bits { signed: true, ..bits }),
                other => other,
            }),
            ("rotl" | "rotr" | "sra", [x, n]) => self.turn(name.text, x, n),
            ("clz" | "ctz" | "cpop" | "rev8" | "brev8", [x]) => self.count_or_reverse(name.text, x),
            ("clmul" | "clmulwide" | "mulwide" | "min" | "max", [a, b]) => {
                self.two(name.text, a, b, span)
            }
            (text @ ("zext" | "sext"), _) => {
                Err(self.count_of_arguments(text, &["x", "64"], args.len(), span))
            }
            ("load", _) => {
                Err(self.count_of_arguments("load", &["address", "64"], args.len(), span))
            }
            (text @ ("rotl" | "rotr" | "sra"), _) => {
                Err(self.count_of_arguments(text, &["x", "n"], args.len(), span))
            }
            (text @ ("clmul" | "clmulwide" | "mulwide" | "min" | "max"), _) => {
                Err(self.count_of_arguments(text, &["a", "b"], args.len(), span))
            }
            (text, _) => Err(self.count_of_arguments(text, &["x"], args.len(), span)),
        }
    }

    pub(super) fn count_of_arguments(
        &mut self,
        name: &str,
        takes: &[&str],
        found: usize,
        span: Span,
    ) -> super::Bad {
        let plural = if takes.len() == 1 { "" } else { "s" };
        let what = format!("`{name}` takes {} argument{plural}, not {found}", takes.len());
        self.fault(span, what, format!("write {name}({})", takes.join(", ")))
    }

    fn extend(&mut self, name: &str, x: &Expr<'a>, width: &Expr<'a>) -> Elaborated<Value> {
        let to = self.width(width)?;
        let value = self.expr(x, Some(Ty::Bits(to)))?;
        let value = self.unsigned(value, x.span)?;
        if matches!(value, Value::Int(_)) {
            return self.sized(&value, to, x.span);
        }
        let bits = self.bits_of(&value, x.span, "functions")?;
        if bits.width > to {
            let what = format!("{name} from {} to {to} bits", bits.width);
            let remedy = self.resize(x.span, bits.width, to);
            return Err(self.fault(x.span, what, remedy));
        }
        if bits.width == to {
            return Ok(value);
        }
        if name == "sext" {
            let item = self.build.op(Code::Sext, to, bits.width, &[(bits.item, bits.width)]);
            return Ok(Value::bits(to, item));
        }
        // Only a second word needs an instruction.
        let item = if words(to) == words(bits.width) {
            bits.item
        } else {
            self.build.op(Code::Mov, to, 0, &[(bits.item, bits.width)])
        };
        Ok(Value::Bits(Bits { width: to, item, ..bits }))
    }

    fn turn(&mut self, name: &str, x: &Expr<'a>, n: &Expr<'a>) -> Elaborated<Value> {
        let value = self.expr(x, None)?;
        let value = self.unsigned(value, x.span)?;
        let bits = self.bits_of(&value, x.span, "functions")?;
        let n_value = self.expr(n, None)?;
        if name == "sra" {
            self.less_than_width(&n_value, bits.width, n.span)?;
        }
        let mut by = self.amount(n_value, n.span)?;
        let width = u128::from(bits.width);
        if let (Item::Const(n), _) = by {
            let n = if name == "sra" { n.min(width) } else { n % width };
            by = (Item::Const(n), 8);
        }
        let code = match name {
            "rotl" => Code::Rotl,
            "rotr" => Code::Rotr,
            _ => Code::Sra,
        };
        Ok(Value::bits(
            bits.width,
            self.build.op(code, bits.width, 0, &[(bits.item, bits.width), by]),
        ))
    }

    fn count_or_reverse(&mut self, name: &str, x: &Expr<'a>) -> Elaborated<Value> {
        let value = self.expr(x, None)?;
        let value = self.unsigned(value, x.span)?;
        let bits = self.bits_of(&value, x.span, "functions")?;
        let code = match name {
            "clz" => Code::Clz,
            "ctz" => Code::Ctz,
            "cpop" => Code::Cpop,
            _ if bits.width % 8 != 0 => {
                let what = format!("{name} takes whole bytes, and this has {} bits", bits.width);
                return Err(self.fault(x.span, what, "extend it with zext"));
            }
            "rev8" => Code::Rev8,
            _ => Code::Brev8,
        };
        Ok(Value::bits(bits.width, self.build.op(code, bits.width, 0, &[(bits.item, bits.width)])))
    }

    fn two(
        &mut self,
        name: &str,
        left: &Expr<'a>,
        right: &Expr<'a>,
        span: Span,
    ) -> Elaborated<Value> {
        let a = self.expr(left, None)?;
        let b = self.expr(right, None)?;
        let pair = self.pair(a, b, [left.span, right.span], span)?;
        let [a, b] = pair.operands();
        let width = pair.width;
        if name.starts_with("clmul") && pair.signed {
            self.unsigned(Value::Bits(pair.a), left.span)?;
        }
        if name.ends_with("wide") && width > 64 {
            let what = format!("{name} of {width} bits has a result of {}", 2 * width);
            return Err(self.fault(span, what, "multiply halves of at most 64 bits"));
        }
        let twice = 2 * width;
        let item = match name {
            "clmul" => self.build.op(Code::Clmul, width, 0, &[a, b]),
            "clmulwide" => {
                return Ok(Value::bits(twice, self.build.op(Code::Clmul, twice, 0, &[a, b])));
            }
            "mulwide" => {
                let operands = if pair.signed {
                    [a, b].map(|x| (self.build.op(Code::Sext, twice, width, &[x]), twice))
                } else {
                    [a, b]
                };
                return Ok(Value::bits(twice, self.build.op(Code::Mul, twice, 0, &operands)));
            }
            _ => {
                let less = if pair.signed { Code::SignedLess } else { Code::Less };
                let first = self.build.op(less, 1, 0, &[a, b]);
                let (x, y) = if name == "min" { (a, b) } else { (b, a) };
                self.build.op(Code::Select, width, 0, &[(first, 1), x, y])
            }
        };
        let mut result = Value::bits(width, item);
        if let (Value::Bits(bits), "min", false) = (&mut result, name, pair.signed) {
            bits.max = bits.max.min(pair.a.max).min(pair.b.max);
        }
        Ok(result)
    }

    fn user(
        &mut self,
        function: &'u Function<'a>,
        args: &[Expr<'a>],
        span: Span,
    ) -> Elaborated<Value> {
        let name = function.name.text;
        if self.calls.contains(&name) {
            let what = format!("`{name}` calls itself");
            return Err(self.fault(span, what, "write a loop: functions are inlined"));
        }
        if args.len() != function.params.len() {
            let takes: Vec<&str> = function.params.iter().map(|p| p.0.text).collect();
            return Err(self.count_of_arguments(name, &takes, args.len(), span));
        }
        let mut inner = Frame::default();
        for ((param, ty), arg) in function.params.iter().zip(args) {
            // A type may name the parameters before it.
            std::mem::swap(&mut self.frame, &mut inner);
            let ty = self.ty(ty);
            std::mem::swap(&mut self.frame, &mut inner);
            let ty = ty?;
            let value = self.expr(arg, Some(ty))?;
            let value = self.coerce(value, ty, arg.span)?;
            std::mem::swap(&mut self.frame, &mut inner);
            let declared = self.declare(*param, Access::Fixed("a parameter"), value);
            std::mem::swap(&mut self.frame, &mut inner);
            declared?;
        }
        self.inline(function, inner, span)
    }

    /// The value of a call with these parameters.
    pub(super) fn inline(
        &mut self,
        function: &'u Function<'a>,
        params: Frame<'a>,
        span: Span,
    ) -> Elaborated<Value> {
        if self.calls.is_empty() {
            self.entry = span;
        }
        self.calls.push(function.name.text);
        self.called.insert(function.name.text);
        let outer = std::mem::replace(&mut self.frame, params);
        let value = self.nested(span, |e| {
            let ty = e.ty(&function.result)?;
            e.block(&function.body);
            if e.ended {
                return Ok(zero(ty));
            }
            let value = e.expr(&function.value, Some(ty))?;
            e.coerce(value, ty, function.value.span)
        });
        self.frame = outer;
        self.calls.pop();
        value
    }
}

/// A value for code that is not reached.
fn zero(ty: Ty) -> Value {
    let value = Value::unset(ty);
    let count = value.items().1.len();
    value.with(vec![Item::Const(0); count])
}
