//! The language in which users write what an instruction of their own computes (docs/semantics.md). The crate knows
//! neither harts nor encodings: the caller declares ports and constants, moves words in and out, and accesses memory.
//!
//! ```
//! use capvec_language::{Direction, Port, Source, Type, compile};
//! let port = |name: &str, direction| Port { name: name.into(), ty: Type::bits(64), direction };
//! let ports = [port("rs1", Direction::In), port("rs2", Direction::In), port("rd", Direction::Out)];
//! let source = Source { file: "my.toml", line: 1, text: "rd = rotl(rs1, AMOUNT) ^ rs2;" };
//! let mut machine = compile(&source, &ports, &[("AMOUNT", 8)])?.machine();
//! machine.input(0)[0] = 0x1122334455667788;
//! machine.input(1)[0] = 1;
//! machine.run()?;
//! assert_eq!(machine.output(2), [0x2233445566778810]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works, and why
//!
//! *Tokens* (`lex`) become a *tree* (`parse`), and *elaboration* (`elab`) walks the tree as hardware compilers do: loops
//! are unrolled and functions inlined, so that whatever the program's text determines is a constant, in particular every
//! bound of a slice. What remains is straight-line code with forward jumps only (`code`). Therefore the number of
//! instructions bounds the time of a run, and no run needs a counter or a clock.
//!
//! Variables are names for values: an assignment moves nothing, and only the join of two branches copies. Each value
//! has a slot that is written once, which is what makes it simple to drop unread values, to fuse pairs of instructions
//! (`code::shrink`) and to share slots (`code::alloc`). An index of 16 bits into 65,536 slots is always within them, so
//! the machine needs neither `unsafe` code nor checks of bounds.
//!
//! Two operations deliberately have one form each. A choice is `if c { a } else { b }`, which reads like the statement
//! and needs no precedence. A concatenation is `a ++ b`, because braces already enclose blocks.
//!
//! The parser is written by hand: with a token of lookahead and one recovery point per statement it is shorter than a
//! grammar for a parser library with the same messages.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod ast;
mod code;
mod elab;
mod error;
mod int;
mod lex;
mod parse;
mod run;

pub use error::{Error, Errors, Source, Warning};
pub use run::{Ended, Frame, Illegal, LANES, Lanes, Machine, Memory, Place, Short, Store};

use code::Code;
use code::alloc::Final;
use error::{Fault, Span};
use std::ops::Range;
use std::sync::Arc;

/// The most bits of a value.
pub const MAX_WIDTH: u32 = 128;
/// The most elements of an array.
pub const MAX_COUNT: u32 = 4096;
/// The most bytes of a text.
const MAX_TEXT: usize = 1 << 20;

/// `bits(width)`, or `bits(width)[count]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// From 1 to [`MAX_WIDTH`].
    pub width: u32,
    /// Elements of an array, from 1 to [`MAX_COUNT`].
    pub count: Option<u32>,
}

impl Type {
    /// `bits(width)`
    pub const fn bits(width: u32) -> Type {
        Type { width, count: None }
    }

    /// `bits(width)[count]`
    pub const fn array(width: u32, count: u32) -> Type {
        Type { width, count: Some(count) }
    }
}

/// Whether a program reads a port, writes it, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Read only.
    In,
    /// Has to be assigned on every path.
    Out,
    /// Keeps its value where it is not assigned.
    InOut,
}

/// A variable of the program that the caller supplies or takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name in the program.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its direction.
    pub direction: Direction,
}

#[derive(Debug)]
pub(crate) struct Placed {
    pub port: Port,
    pub input: Range<usize>,
    pub output: Range<usize>,
    pub used: bool,
}

/// A program that can run. Clones share the code.
#[derive(Clone, Debug)]
pub struct Program {
    code: Arc<Final>,
    ports: Arc<[Placed]>,
}

impl Program {
    /// Memory in which the program runs.
    pub fn machine(&self) -> Machine {
        Machine::new(self.clone())
    }

    /// Memory in which the program runs for several lanes. Its loads give 0, and its stores do nothing.
    pub fn lanes(&self) -> Lanes {
        Lanes::new(self.clone())
    }

    /// The program in a form that runs in a [`Frame`] instead of a [`Machine`], if it is short.
    pub fn short(&self) -> Option<Short> {
        Short::of(self)
    }

    /// Whether it loads or stores.
    pub fn accesses_memory(&self) -> bool {
        self.code.code.iter().any(|i| matches!(i.code, Code::Fetch | Code::Put))
    }

    /// Whether it only computes: without branches, memory and values of more than 64 bits.
    pub fn computes(&self) -> bool {
        self.code.plain
    }

    /// Whether the text reads or assigns the port of this number.
    pub fn uses(&self, port: usize) -> bool {
        self.ports.get(port).is_some_and(|p| p.used)
    }

    /// Instructions of the bytecode, which no run exceeds.
    pub fn steps(&self) -> usize {
        self.code.code.len()
    }
}

/// Compiles a program with these ports, and with constants by name.
///
/// # Errors
/// All errors that were found in the text, or what is wrong with a port.
pub fn compile<'a>(
    source: &Source<'a>,
    ports: &'a [Port],
    params: &[(&'a str, u128)],
) -> Result<Program, Errors> {
    let nowhere = Span { start: 0, end: 0 };
    let refuse = |what: String| {
        let fault = Fault { span: nowhere, what, remedy: String::new() };
        Err(Errors::new(&Source { text: "", ..*source }, vec![fault]))
    };
    if source.text.len() > MAX_TEXT {
        return refuse(format!("the text has more than {MAX_TEXT} bytes"));
    }
    for Port { name, ty, .. } in ports {
        if !(1..=MAX_WIDTH).contains(&ty.width) || !(1..=MAX_COUNT).contains(&ty.count.unwrap_or(1))
        {
            return refuse(format!("the port {name} has a type that does not exist: {ty:?}"));
        }
    }
    let mut faults = Vec::new();
    let unit = parse::parse(source.text, &mut faults);
    if unit.cut {
        return Err(Errors::new(source, faults));
    }
    elab::elaborate(source.text, &unit, ports, params, faults).map_err(|f| Errors::new(source, f))
}
