//! Expressions, by precedence climbing.

use super::{DEPTH, KEYWORDS, Parsed, Parser};
use crate::ast::{Binary, Expr, Kind, Name, Unary};
use crate::error::Span;
use crate::lex::Token;

/// Operators, and how tightly they bind: as in Rust, with `++` between `|` and the comparisons, so that the parts of a
/// concatenation need no parentheses.
const OPERATORS: &[(&str, Binary, u8)] = &[
    ("||", Binary::Either, 1),
    ("&&", Binary::Both, 2),
    ("==", Binary::Eq, COMPARISON),
    ("!=", Binary::Ne, COMPARISON),
    ("<", Binary::Lt, COMPARISON),
    ("<=", Binary::Le, COMPARISON),
    (">", Binary::Gt, COMPARISON),
    (">=", Binary::Ge, COMPARISON),
    ("++", Binary::Concat, 4),
    ("|", Binary::Or, 5),
    ("^", Binary::Xor, 6),
    ("&", Binary::And, 7),
    ("<<", Binary::Shl, 8),
    (">>", Binary::Shr, 8),
    ("+", Binary::Add, 9),
    ("-", Binary::Sub, 9),
    ("*", Binary::Mul, 10),
    ("/", Binary::Div, 10),
    ("%", Binary::Rem, 10),
];

const COMPARISON: u8 = 3;

impl<'a> Parser<'a, '_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr<'a>> {
        self.nested(|p| p.binary(0))
    }

    fn make(&mut self, kind: Kind<'a>, span: Span) -> Parsed<Expr<'a>> {
        let below = match &kind {
            Kind::Number(..) | Kind::Name(_) => 0,
            Kind::Unary(_, of) => of.height,
            Kind::Binary(_, of) | Kind::Index(of) | Kind::Repeat(of) => highest(&of[..]),
            Kind::Slice(of) | Kind::If(of) => highest(&of[..]),
            Kind::Call(_, of) | Kind::Array(of) => highest(of),
        };
        if below >= DEPTH {
            Err(self.too_deep(span))
        } else {
            Ok(Expr { kind, span, height: below + 1 })
        }
    }

    /// Operators that bind more tightly than `least`.
    fn binary(&mut self, least: u8) -> Parsed<Expr<'a>> {
        let mut left = self.unary()?;
        let mut compared = false;
        loop {
            let Token::Symbol(symbol) = self.token() else { return Ok(left) };
            let Some((_, op, level)) = OPERATORS.iter().find(|o| o.0 == symbol) else {
                return Ok(left);
            };
            if *level <= least {
                return Ok(left);
            }
            if *level == COMPARISON && std::mem::replace(&mut compared, true) {
                let what = "a comparison of a comparison";
                return Err(self.fault(
                    self.span(),
                    what,
                    "write a < b && b < c, or use parentheses",
                ));
            }
            self.bump();
            let right = self.nested(|p| p.binary(*level))?;
            let span = left.span.to(right.span);
            left = self.make(Kind::Binary(*op, Box::new([left, right])), span)?;
        }
    }

    fn unary(&mut self) -> Parsed<Expr<'a>> {
        let op = match self.token() {
            Token::Symbol("~") => Unary::Not,
            Token::Symbol("-") => Unary::Minus,
            Token::Symbol("!") => Unary::No,
            _ => return self.postfix(),
        };
        let start = self.span();
        self.bump();
        let of = self.nested(Self::unary)?;
        let span = start.to(of.span);
        self.make(Kind::Unary(op, Box::new(of)), span)
    }

    pub(super) fn postfix(&mut self) -> Parsed<Expr<'a>> {
        let mut value = self.primary()?;
        while self.eat("[") {
            let first = self.expr()?;
            let low = if self.eat("..") { Some(self.expr()?) } else { None };
            if self.token() == Token::Symbol(":") {
                return Err(self.unexpected("`]` or `..`", "write x[7..0] for bits 7 to 0"));
            }
            self.expect("]")?;
            let span = value.span.to(self.last());
            let kind = match low {
                Some(low) => Kind::Slice(Box::new([value, first, low])),
                None => Kind::Index(Box::new([value, first])),
            };
            value = self.make(kind, span)?;
        }
        Ok(value)
    }

    fn primary(&mut self) -> Parsed<Expr<'a>> {
        let start = self.span();
        match self.token() {
            Token::Number(value, width) => {
                self.bump();
                self.make(Kind::Number(value, width), start)
            }
            Token::Symbol("(") => {
                self.bump();
                let inner = self.expr()?;
                self.expect(")")?;
                Ok(Expr { span: start.to(self.last()), ..inner })
            }
            Token::Symbol("[") => self.array(),
            Token::Word("if") => self.choice(),
            Token::Word(word) if !KEYWORDS.contains(&word) => {
                self.bump();
                if !self.eat("(") {
                    return self.make(Kind::Name(word), start);
                }
                let args = self.list(")")?;
                let name = Name { text: word, span: start };
                self.make(Kind::Call(name, args), start.to(self.last()))
            }
            Token::Symbol("{") => {
                Err(self.unexpected("an expression", "a concatenation is a ++ b"))
            }
            _ => Err(self.unexpected(
                "an expression",
                "write a number, a name, a call, [a, b] or if c { a } else { b }",
            )),
        }
    }

    /// Expressions up to the closing symbol.
    pub(super) fn list(&mut self, close: &str) -> Parsed<Vec<Expr<'a>>> {
        let mut list = Vec::new();
        while !self.eat(close) {
            list.push(self.expr()?);
            if !self.eat(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(list)
    }

    fn array(&mut self) -> Parsed<Expr<'a>> {
        let start = self.span();
        self.expect("[")?;
        if self.eat("]") {
            return self.make(Kind::Array(Vec::new()), start.to(self.last()));
        }
        let first = self.expr()?;
        let kind = if self.eat(";") {
            let count = self.expr()?;
            self.expect("]")?;
            Kind::Repeat(Box::new([first, count]))
        } else {
            let mut list = vec![first];
            if self.eat(",") {
                list.append(&mut self.list("]")?);
            } else {
                self.expect("]")?;
            }
            Kind::Array(list)
        };
        self.make(kind, start.to(self.last()))
    }

    /// `if c { a } else { b }` as a value.
    fn choice(&mut self) -> Parsed<Expr<'a>> {
        let start = self.span();
        self.bump();
        let cond = self.expr()?;
        self.expect("{")?;
        let then = self.expr()?;
        self.expect("}")?;
        if !self.eat_word("else") {
            return Err(
                self.unexpected("`else`", "as a value, if needs both: if c { a } else { b }")
            );
        }
        let other = if self.token() == Token::Word("if") {
            self.nested(Self::choice)?
        } else {
            self.expect("{")?;
            let other = self.expr()?;
            self.expect("}")?;
            other
        };
        self.make(Kind::If(Box::new([cond, then, other])), start.to(self.last()))
    }
}

fn highest(of: &[Expr]) -> u16 {
    of.iter().map(|e| e.height).max().unwrap_or(0)
}
