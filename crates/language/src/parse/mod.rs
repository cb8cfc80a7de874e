//! Tokens to a tree, by recursive descent. An error ends a statement; the next one is parsed as if nothing had happened.

mod expr;
mod item;

use crate::ast::{Name, Unit};
use crate::error::{FAULTS, Fault, Span};
use crate::lex::{Token, lex};

/// Maximum nesting depth of blocks, brackets and operators.
const DEPTH: u16 = 100;

const KEYWORDS: &[&str] =
    &["let", "var", "const", "fn", "if", "else", "for", "in", "return", "illegal", "bits", "int"];

/// A parser that stopped: the fault is recorded.
pub(crate) struct Stop;

pub(crate) type Parsed<T> = Result<T, Stop>;

pub(crate) struct Parser<'a, 'f> {
    text: &'a str,
    tokens: Vec<(Token<'a>, Span)>,
    at: usize,
    depth: u16,
    /// Nothing more is read, and what is missing for this reason is not an error.
    cut: bool,
    faults: &'f mut Vec<Fault>,
}

/// The tree of a text; what is faulty is left out of it.
pub(crate) fn parse<'a>(text: &'a str, faults: &mut Vec<Fault>) -> Unit<'a> {
    let tokens = lex(text, faults);
    let mut parser = Parser { text, tokens, at: 0, depth: 0, cut: false, faults };
    let unit = parser.unit();
    Unit { cut: parser.cut, ..unit }
}

impl<'a> Parser<'a, '_> {
    fn token(&self) -> Token<'a> {
        self.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The end of the token before this one.
    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    fn bump(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = matches!(self.token(), Token::Symbol(s) if s == symbol);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.token() == Token::Word(word);
        if found {
            self.bump();
        }
        found
    }

    fn fault(&mut self, span: Span, what: impl Into<String>, remedy: impl Into<String>) -> Stop {
        if self.cut {
            return Stop;
        }
        if self.faults.len() >= FAULTS {
            // What follows is not worth reading.
            self.at = self.tokens.len() - 1;
        } else {
            self.faults.push(Fault { span, what: what.into(), remedy: remedy.into() });
        }
        Stop
    }

    /// The token is not what it must be.
    fn unexpected(&mut self, wanted: &str, remedy: &str) -> Stop {
        let span = self.span();
        if self.token() == Token::Bad {
            return Stop;
        }
        let found = match self.token() {
            Token::End => "the end of the text".to_string(),
            _ => format!("`{}`", span.of(self.text)),
        };
        self.fault(span, format!("expected {wanted}, found {found}"), remedy)
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) {
            return Ok(());
        }
        if symbol == ";" && self.token() != Token::Bad {
            // The semicolon is missing where the statement ends, not where the next one starts.
            let end = self.last().end;
            let span = Span { start: end.saturating_sub(1), end };
            return Err(self.fault(span, "expected `;` after this", "end the statement with ;"));
        }
        Err(self.unexpected(&format!("`{symbol}`"), &format!("write {symbol} before it")))
    }

    fn name(&mut self) -> Parsed<Name<'a>> {
        match self.token() {
            Token::Word(text) if !KEYWORDS.contains(&text) => {
                let name = Name { text, span: self.span() };
                self.bump();
                Ok(name)
            }
            Token::Word(text) => {
                let what = format!("`{text}` is a keyword");
                let remedy = if text == "bits" {
                    "choose another name; a declaration is let t: bits(64) = e;"
                } else {
                    "choose another name"
                };
                Err(self.fault(self.span(), what, remedy))
            }
            _ => Err(self.unexpected("a name", "a name begins with a letter or _")),
        }
    }

    /// Parses something inside of something else.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        let found = part(self);
        self.depth -= 1;
        found
    }

    fn too_deep(&mut self, span: Span) -> Stop {
        let what = format!("more than {DEPTH} levels of nesting");
        let remedy = "give a part a name with let, or make it a function; replace a long chain of else if by an array of constants";
        let stop = self.fault(span, what, remedy);
        // The rest would be read at a wrong depth, which makes an error of every brace.
        self.cut = true;
        self.at = self.tokens.len() - 1;
        stop
    }

    /// Skips the rest of a faulty statement: up to a semicolon or a block, or before the brace that closes this block.
    fn recover(&mut self) {
        let mut open = 0usize;
        loop {
            match self.token() {
                Token::End => return,
                Token::Symbol("}") if open == 0 => return,
                Token::Symbol(";") if open == 0 => return self.bump(),
                Token::Symbol("{") => open += 1,
                Token::Symbol("}") => {
                    open -= 1;
                    if open == 0 {
                        self.bump();
                        let _ = self.eat(";");
                        return;
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }
}
