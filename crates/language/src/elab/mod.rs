//! Walks the tree and emits code. Loops are unrolled, functions inlined, and constants computed.

mod assign;
mod binary;
mod branch;
mod call;
mod expr;
mod loads_stores;
mod stmt;
mod unit;
mod value;

pub(crate) use unit::elaborate;

use crate::ast::{Function, Name};
use crate::code::build::Builder;
use crate::error::{FAULTS, Fault, Span};
use capvec_text::suggest;
use std::collections::{HashMap, HashSet};
use value::Value;

/// Maximum number of steps of elaboration: about one for each node of the tree, times how often it is unrolled.
const STEPS: usize = 4_000_000;
/// Elaboration stops after this many errors, repeated ones included.
const FAILURES: usize = 200;
/// Names that are compared with an unknown one.
const NEAR: usize = 1000;
/// Maximum nesting depth of expressions, blocks and calls.
const DEPTH: u16 = 250;

/// An expression or statement has an error, which is recorded.
pub(crate) struct Bad;

pub(crate) type Elaborated<T> = Result<T, Bad>;

#[derive(Clone, Copy, PartialEq)]
enum Access {
    Variable,
    /// Of `let`.
    Let,
    /// The words say what it is.
    Fixed(&'static str),
}

struct Var<'a> {
    name: &'a str,
    access: Access,
    value: Value,
}

/// The variables that a function, or the program, sees.
#[derive(Default)]
struct Frame<'a> {
    vars: Vec<Var<'a>>,
    names: HashMap<&'a str, usize>,
}

struct Elab<'a, 'u> {
    text: &'a str,
    functions: HashMap<&'a str, &'u Function<'a>>,
    /// Constants, which functions see too.
    globals: Frame<'a>,
    frame: Frame<'a>,
    /// The names of the ports.
    operands: HashSet<&'a str>,
    /// Those that are read or assigned.
    used: HashSet<&'a str>,
    /// All names of constants, those further down included.
    consts: HashSet<&'a str>,
    build: Builder,
    faults: Vec<Fault>,
    seen: HashSet<(u32, String)>,
    calls: Vec<&'a str>,
    /// Where the first of them is called.
    entry: Span,
    called: HashSet<&'a str>,
    depth: u16,
    /// Errors so far, repeated ones included.
    failures: usize,
    steps: usize,
    /// The program is too long; nothing more is elaborated.
    stopped: bool,
    /// What follows is not reached, because of `illegal`.
    ended: bool,
}

impl<'a> Elab<'a, '_> {
    fn fault(&mut self, span: Span, what: impl Into<String>, remedy: impl Into<String>) -> Bad {
        let (what, remedy) = (what.into(), remedy.into());
        self.failures += 1;
        self.stopped |= self.failures > FAILURES;
        // What is inlined is elaborated more than once.
        if self.faults.len() < FAULTS && self.seen.insert((span.start, what.clone())) {
            self.faults.push(Fault { span, what, remedy });
        }
        Bad
    }

    /// Counts steps, and ends everything after too many.
    fn step(&mut self, span: Span, steps: usize) -> Elaborated<()> {
        self.steps += steps;
        if !self.stopped && (self.steps > STEPS || self.build.full()) {
            self.stopped = true;
            self.too_long(span);
        }
        if self.stopped { Err(Bad) } else { Ok(()) }
    }

    fn too_long(&mut self, span: Span) {
        let [first, .., last] = self.calls[..] else {
            let what = "the program is too long when its loops are unrolled: more than 1,000,000 operations";
            self.fault(span, what, "make the loops shorter");
            return;
        };
        let what = format!(
            "the program is too long when its functions are inlined and its loops unrolled: more than 1,000,000 operations; this call of \
             `{first}` leads to `{last}`"
        );
        let remedy = "each call repeats the function, with all that it calls: call functions less often, or make the loops shorter";
        self.fault(self.entry, what, remedy);
    }

    fn nested<T>(
        &mut self,
        span: Span,
        part: impl FnOnce(&mut Self) -> Elaborated<T>,
    ) -> Elaborated<T> {
        self.step(span, 1)?;
        if self.depth >= DEPTH {
            let what = format!(
                "more than {DEPTH} levels of nesting, counting functions as part of their callers"
            );
            let remedy = match self.calls.len() {
                0 | 1 => "give a part a name with let".into(),
                n => format!(
                    "{n} functions call each other here: write a loop, or call them one after the other with let"
                ),
            };
            return Err(self.fault(span, what, remedy));
        }
        self.depth += 1;
        let found = part(self);
        self.depth -= 1;
        found
    }

    fn declare(&mut self, name: Name<'a>, access: Access, value: Value) -> Elaborated<()> {
        if self.frame.names.contains_key(name.text) || self.globals.names.contains_key(name.text) {
            let what = format!("`{}` is declared already", name.text);
            return Err(self.fault(name.span, what, "choose another name, or assign to a var"));
        }
        self.frame.names.insert(name.text, self.frame.vars.len());
        self.frame.vars.push(Var { name: name.text, access, value });
        Ok(())
    }

    /// Elaborates something whose declarations end with it.
    fn scope<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.frame.vars.len();
        let found = part(self);
        for var in self.frame.vars.drain(outside..) {
            self.frame.names.remove(var.name);
        }
        found
    }

    /// Remembers that the program names an operand; parameters of functions may have the same names.
    fn mark_used(&mut self, name: &str) {
        if self.calls.is_empty()
            && let Some(operand) = self.operands.get(name)
        {
            self.used.insert(operand);
        }
    }

    /// The value of a name; it may be without one yet.
    fn lookup(&mut self, name: &str, span: Span) -> Elaborated<Value> {
        self.mark_used(name);
        for frame in [&self.frame, &self.globals] {
            if let Some(at) = frame.names.get(name) {
                return Ok(frame.vars[*at].value.clone());
            }
        }
        Err(self.unknown(name, span))
    }

    fn unknown(&mut self, name: &str, span: Span) -> Bad {
        if self.consts.contains(name) {
            let what = format!("the constant `{name}` has no value yet");
            return self.fault(span, what, "move its declaration up");
        }
        if self.functions.contains_key(name) {
            return self.fault(
                span,
                format!("`{name}` is a function"),
                format!("call it: {name}(…)"),
            );
        }
        if self.operands.contains(name) {
            let what = format!("the operand `{name}` is not visible in constants and functions");
            return self.fault(span, what, "pass it to the function as an argument");
        }
        let names = self.frame.vars.iter().chain(&self.globals.vars).map(|v| v.name).take(NEAR);
        let near = suggest::nearest(name, names).map(|n| format!("did you mean {n}?"));
        const OPERANDS: [&str; 17] = [
            "rd", "rs1", "rs2", "rs3", "imm", "uimm", "fd", "fs1", "fs2", "fs3", "vd", "vs1",
            "vs2", "vs3", "vm", "v0", "element",
        ];
        let operand = OPERANDS.contains(&name).then_some(match name {
            "element" => "vector instructions of a class for memory have it",
            _ => "an operand has to be in enc and in args",
        });
        let remedy = operand.map(String::from).or(near).unwrap_or_else(|| {
            "declare it with let, var or const, or as an operand of the instruction".into()
        });
        self.fault(span, format!("`{name}` is not declared"), remedy)
    }

    /// The source of an expression, for remedies: in parentheses unless a suffix may follow it.
    fn quote(&self, span: Span) -> String {
        let text = span.of(self.text);
        if text.chars().count() > 40 || text.contains('\n') {
            return "(…)".into();
        }
        let simple = text.chars().all(|c| c.is_ascii_alphanumeric() || "_[].".contains(c));
        if simple || text.starts_with('(') { text.into() } else { format!("({text})") }
    }
}
