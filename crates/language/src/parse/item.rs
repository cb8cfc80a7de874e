//! Constants, functions and statements.

use super::{KEYWORDS, Parsed, Parser, Stop};
use crate::ast::{Binary, Declaration, Function, Stmt, Subscript, Target, Type, Unit};
use crate::lex::Token;
use capvec_text::suggest;

const ASSIGNMENTS: &[(&str, Option<Binary>)] = &[
    ("=", None),
    ("+=", Some(Binary::Add)),
    ("-=", Some(Binary::Sub)),
    ("*=", Some(Binary::Mul)),
    ("^=", Some(Binary::Xor)),
    ("&=", Some(Binary::And)),
    ("|=", Some(Binary::Or)),
    ("<<=", Some(Binary::Shl)),
    (">>=", Some(Binary::Shr)),
];

impl<'a> Parser<'a, '_> {
    pub(super) fn unit(&mut self) -> Unit<'a> {
        let mut unit = Unit::default();
        while self.token() != Token::End {
            if self.item(&mut unit).is_err() {
                self.recover();
                // A brace that closes nothing.
                if self.token() == Token::Symbol("}") {
                    self.bump();
                }
            }
        }
        unit
    }

    fn item(&mut self, unit: &mut Unit<'a>) -> Parsed<()> {
        match self.token() {
            Token::Word("const") => {
                self.bump();
                let declared = self.declaration(false)?;
                unit.consts.push(declared);
            }
            Token::Word("fn") => {
                self.bump();
                let function = self.function()?;
                unit.functions.push(function);
            }
            _ => {
                let stmt = self.stmt()?;
                unit.body.push(stmt);
            }
        }
        Ok(())
    }

    fn declaration(&mut self, var: bool) -> Parsed<Declaration<'a>> {
        let name = self.name()?;
        let ty = if self.eat(":") { Some(self.ty()?) } else { None };
        let value = if self.eat("=") {
            Some(self.expr()?)
        } else if var && ty.is_some() {
            None
        } else if var {
            return Err(
                self.unexpected("a type or a value", "write var x: bits(64); or var x = e;")
            );
        } else {
            return Err(
                self.unexpected("`=` and a value", "var x: bits(64); declares without a value")
            );
        };
        self.expect(";")?;
        Ok(Declaration { var, name, ty, value })
    }

    pub(super) fn ty(&mut self) -> Parsed<Type<'a>> {
        if self.eat_word("int") {
            return Ok(Type { width: None, count: None });
        }
        if !self.eat_word("bits") {
            return Err(self.unexpected("a type", "types are bits(64), bits(64)[25] and int"));
        }
        self.expect("(")?;
        let width = Some(self.expr()?);
        self.expect(")")?;
        let mut count = None;
        if self.eat("[") {
            count = Some(self.expr()?);
            self.expect("]")?;
        }
        Ok(Type { width, count })
    }

    fn function(&mut self) -> Parsed<Function<'a>> {
        let name = self.name()?;
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.eat(")") {
            let param = self.name()?;
            self.expect(":")?;
            params.push((param, self.ty()?));
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        if !self.eat("->") {
            return Err(self.unexpected(
                "`->` and a type",
                "a function returns a value: fn f(a: bits(8)) -> bits(8)",
            ));
        }
        let result = self.ty()?;
        self.expect("{")?;
        let mut body = Vec::new();
        while !self.eat_word("return") {
            if matches!(self.token(), Token::Symbol("}") | Token::End) {
                return Err(self.unexpected("`return`", "a function ends with return e;"));
            }
            match self.stmt() {
                Ok(stmt) => body.push(stmt),
                Err(Stop) => self.recover(),
            }
        }
        let value = self.expr()?;
        self.expect(";")?;
        if !self.eat("}") {
            return Err(self.unexpected("`}`", "return is the last statement of a function"));
        }
        Ok(Function { name, params, result, body, value })
    }

    fn block(&mut self) -> Parsed<Vec<Stmt<'a>>> {
        self.nested(|p| {
            p.expect("{")?;
            let mut body = Vec::new();
            while !p.eat("}") {
                if p.token() == Token::End {
                    return Err(p.unexpected("`}`", "close the block"));
                }
                match p.stmt() {
                    Ok(stmt) => body.push(stmt),
                    Err(Stop) => p.recover(),
                }
            }
            Ok(body)
        })
    }

    fn stmt(&mut self) -> Parsed<Stmt<'a>> {
        let Token::Word(word) = self.token() else {
            return Err(self.unexpected(
                "a statement",
                "statements are let, var, if, for, store, illegal and x = e;",
            ));
        };
        let start = self.at;
        self.bump();
        match word {
            "let" => self.declaration(false).map(Stmt::Let),
            "var" => self.declaration(true).map(Stmt::Let),
            "if" => self.if_stmt(),
            "for" => self.for_stmt(),
            "illegal" => {
                self.expect("(")?;
                let Token::Text(why) = self.token() else {
                    return Err(self.unexpected("a text", "write illegal(\"the reason\");"));
                };
                self.bump();
                self.expect(")")?;
                self.expect(";")?;
                Ok(Stmt::Illegal(why))
            }
            "return" => {
                let what = "`return` is the last statement of a function";
                let remedy = "write return if c { a } else { b };, or assign an output";
                Err(self.fault(self.last(), what, remedy))
            }
            "const" | "fn" => {
                let what = format!("`{word}` is inside a block");
                Err(self.fault(self.last(), what, "move it out of the block"))
            }
            "store" if self.token() == Token::Symbol("(") => {
                self.at = start;
                let name = self.name()?;
                self.expect("(")?;
                let args = self.list(")")?;
                self.expect(";")?;
                Ok(Stmt::Store { name, args })
            }
            _ => {
                self.at = start;
                self.assign()
            }
        }
    }

    fn if_stmt(&mut self) -> Parsed<Stmt<'a>> {
        let cond = self.expr()?;
        let then = self.block()?;
        let other = if !self.eat_word("else") {
            Vec::new()
        } else if self.eat_word("if") {
            vec![self.nested(Self::if_stmt)?]
        } else {
            self.block()?
        };
        Ok(Stmt::If { cond, then, other })
    }

    fn for_stmt(&mut self) -> Parsed<Stmt<'a>> {
        if self.token() == Token::Symbol("(") {
            return Err(
                self.unexpected("a name", "a loop is for i in 0..8 { … }, without parentheses")
            );
        }
        let name = self.name()?;
        if !self.eat_word("in") {
            return Err(self.unexpected("`in`", "write for i in 0..8 { … }"));
        }
        let from = self.expr()?;
        self.expect("..")?;
        let to = self.expr()?;
        let body = self.block()?;
        Ok(Stmt::For { name, from, to, body })
    }

    fn assign(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.at;
        let name = self.name()?;
        let mut subscripts = Vec::new();
        while subscripts.len() < 2 && self.eat("[") {
            let first = self.expr()?;
            subscripts.push(if self.eat("..") {
                Subscript::Slice(first, self.expr()?)
            } else {
                Subscript::Index(first)
            });
            self.expect("]")?;
        }
        let target = Target { name, subscripts, span: name.span.to(self.last()) };
        let found = ASSIGNMENTS.iter().find(|(s, _)| self.token() == Token::Symbol(s));
        let Some((_, op)) = found else {
            // A misspelt keyword, as in `vra x = 1;`.
            if let (Token::Word(_), Some(word)) =
                (self.token(), suggest::nearest(name.text, KEYWORDS.iter().copied()))
            {
                let what = format!("`{}` starts no statement", name.text);
                return Err(self.fault(name.span, what, format!("did you mean {word}?")));
            }
            let remedy = match name.text {
                "while" | "repeat" | "foreach" => "a loop counts: for i in 0..8 { … }",
                "switch" | "match" | "case" => "write if c { … } else if d { … } else { … }",
                text if text.starts_with("bits") || text.ends_with("_t") || text == "int" => {
                    "a declaration is let t: bits(64) = e;"
                }
                _ => "a statement assigns: x = e;",
            };
            return Err(self.unexpected("`=`", remedy));
        };
        let op = match op {
            Some(op) => {
                self.at = start;
                Some((*op, self.postfix()?))
            }
            None => None,
        };
        self.bump();
        let value = self.expr()?;
        self.expect(";")?;
        Ok(Stmt::Assign { target, op, value })
    }
}
