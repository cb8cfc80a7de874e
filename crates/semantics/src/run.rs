//! Executes programs.

use crate::code::alloc::Final;
use crate::code::eval::eval;
use crate::code::{Code, Insn, SLOTS};
use crate::{Port, Program};
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

/// A program with memory of its own for its ports and intermediate values.
#[derive(Debug)]
pub struct Machine {
    program: Program,
    slots: Box<[u64; SLOTS]>,
    stores: Vec<Store>,
}

/// What a program loads from.
pub trait Memory {
    /// Why an access is not possible.
    type Fault;

    /// The little-endian number of 1, 2, 4 or 8 bytes at an address.
    ///
    /// # Errors
    /// Ends the program.
    fn load(&mut self, address: u64, bytes: u8) -> Result<u64, Self::Fault>;
}

/// Memory of programs that load nothing; what is loaded all the same is 0.
struct Empty;

impl Memory for Empty {
    type Fault = Infallible;

    fn load(&mut self, _: u64, _: u8) -> Result<u64, Infallible> {
        Ok(0)
    }
}

/// A store that the caller has to carry out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// The address.
    pub address: u64,
    /// 1, 2, 4 or 8.
    pub bytes: u8,
    /// The number, which is to be stored little-endian.
    pub value: u64,
}

/// Why a program has ended early; no output has changed, and nothing is to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended<F> {
    /// By `illegal`.
    Illegal(Illegal),
    /// By a load.
    Fault(F),
}

/// A program ended by `illegal`; no output has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The reason that the program gives.
    pub why: Arc<str>,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "illegal instruction: {}", self.why)
    }
}

impl std::error::Error for Illegal {}

type Slots = [u64; SLOTS];

impl Machine {
    pub(crate) fn new(program: Program) -> Machine {
        let slots: Box<[u64]> = vec![0; SLOTS].into();
        let Ok(mut slots) = Box::<Slots>::try_from(slots) else {
            unreachable!("the length is SLOTS")
        };
        for (slot, value) in &program.code.initial {
            slots[usize::from(*slot)] = *value;
        }
        Machine { program, slots, stores: Vec::new() }
    }

    /// The words of an input, which stay as they are when the program runs: the elements in order, each with as many
    /// words as it needs, the lowest first. Bits above an element's width have to be 0. Empty if the port is not an input.
    #[inline]
    pub fn input(&mut self, port: usize) -> &mut [u64] {
        let range = self.program.ports.get(port).map_or(0..0, |p| p.input.clone());
        &mut self.slots[range]
    }

    /// The words of an output. Empty if the port is not an output.
    #[inline]
    pub fn output(&self, port: usize) -> &[u64] {
        let range = self.program.ports.get(port).map_or(0..0, |p| p.output.clone());
        &self.slots[range]
    }

    /// The ports in the order of [`input`](Machine::input) and [`output`](Machine::output).
    pub fn ports(&self) -> impl Iterator<Item = &Port> {
        self.program.ports.iter().map(|p| &p.port)
    }

    /// Runs a program that does not access memory.
    ///
    /// # Errors
    /// If the program executes `illegal`.
    pub fn run(&mut self) -> Result<(), Illegal> {
        self.run_with(&mut Empty).map_err(|ended| match ended {
            Ended::Illegal(illegal) => illegal,
            Ended::Fault(never) => match never {},
        })
    }

    /// Runs the program. It stores nothing itself: [`Machine::stores`] says what is to be stored.
    ///
    /// # Errors
    /// If the program executes `illegal`, or if a load fails.
    pub fn run_with<M: Memory>(&mut self, memory: &mut M) -> Result<(), Ended<M::Fault>> {
        self.stores.clear();
        let ended = execute(&self.program.code, &mut self.slots, memory, &mut self.stores);
        let Err(ended) = ended else { return Ok(()) };
        self.stores.clear();
        Err(match ended {
            Early::Fault(fault) => Ended::Fault(fault),
            Early::Illegal(n) => {
                let why = self.program.code.reasons.get(n).map_or("", |w| w);
                Ended::Illegal(Illegal { why: why.into() })
            }
        })
    }

    /// The stores of the last run, in the order of the program.
    #[inline]
    pub fn stores(&self) -> &[Store] {
        &self.stores
    }
}

/// How a run ends early: with the number of a reason, or with a load.
enum Early<F> {
    Illegal(usize),
    Fault(F),
}

fn execute<M: Memory>(
    program: &Final,
    s: &mut Slots,
    memory: &mut M,
    stores: &mut Vec<Store>,
) -> Result<(), Early<M::Fault>> {
    let mut pc = 0;
    while let Some(i) = program.code.get(pc) {
        pc += 1;
        // Operations first: nearly all instructions are some.
        if i.code < Code::Load {
            if i.wide == 0 {
                s[usize::from(i.d)] = narrow(i.code, i, s);
            } else {
                wide(i, s);
            }
            continue;
        }
        match i.code {
            Code::Load => {
                let from = i.b.wrapping_add(offset(i, s));
                copy(s, i.d, from, i.y);
            }
            Code::Store => {
                let to = i.d.wrapping_add(offset(i, s));
                copy(s, to, i.b, i.y);
            }
            Code::JumpIfZero if s[usize::from(i.a)] != 0 => {}
            Code::Jump | Code::JumpIfZero => pc = usize::from(i.b) << 16 | usize::from(i.c),
            Code::Fetch => {
                let address = s[usize::from(i.a)];
                s[usize::from(i.d)] = memory.load(address, i.x / 8).map_err(Early::Fault)?;
            }
            Code::Put => {
                let [address, value] = [i.a, i.b].map(|slot| s[usize::from(slot)]);
                stores.push(Store { address, bytes: i.x / 8, value });
            }
            _ => return Err(Early::Illegal(usize::from(i.c))),
        }
    }
    Ok(())
}

/// The words before the element that an instruction accesses.
fn offset(i: &Insn<u16>, s: &Slots) -> u16 {
    (s[usize::from(i.a)] as u16).wrapping_mul(u16::from(i.y))
}

/// Copies an element of so many words.
fn copy(s: &mut Slots, to: u16, from: u16, words: u8) {
    for n in 0..u16::from(words) {
        s[usize::from(to.wrapping_add(n))] = s[usize::from(from.wrapping_add(n))];
    }
}

/// An operation on values of at most 64 bits.
#[inline(always)]
fn narrow(code: Code, i: &Insn<u16>, s: &Slots) -> u64 {
    let [a, b, c] = [i.a, i.b, i.c].map(|slot| s[usize::from(slot)]);
    let y = u32::from(i.y);
    let mask = u64::MAX >> (64 - u32::from(i.x) & 63);
    match code {
        Code::Mov => a,
        Code::Add => a.wrapping_add(b) & mask,
        Code::Sub => a.wrapping_sub(b) & mask,
        Code::Mul => a.wrapping_mul(b) & mask,
        Code::And => a & b,
        Code::Or => a | b,
        Code::Xor => a ^ b,
        Code::Not => !a & mask,
        Code::Eq => u64::from(a == b),
        Code::Ne => u64::from(a != b),
        Code::Less => u64::from(a < b),
        Code::LessEqual => u64::from(a <= b),
        Code::Select => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Code::Shl => {
            if b < 64 {
                a << b & mask
            } else {
                0
            }
        }
        Code::Shr => {
            if b < 64 {
                a >> b
            } else {
                0
            }
        }
        Code::Concat => a << (y & 63) | b,
        Code::Slice => a >> (y & 63) & mask,
        Code::Sext => ((a << (64 - y & 63)) as i64 >> (64 - y & 63)) as u64 & mask,
        Code::RotlBy if i.x == 64 => a.rotate_left(y),
        Code::Xor3 => a ^ b ^ c,
        Code::XorAndNot => a ^ !b & c,
        Code::XorRotl => a ^ b.rotate_left(y),
        Code::RotlXor => (a ^ b).rotate_left(y),
        Code::Div => a.checked_div(b).unwrap_or(mask),
        Code::Rem => a.checked_rem(b).unwrap_or(a),
        Code::Cpop => u64::from(a.count_ones()),
        Code::Clz => u64::from(a.leading_zeros()) - (64 - u64::from(i.x)),
        Code::Ctz => u64::from(a.trailing_zeros().min(u32::from(i.x))),
        Code::Rotl if i.x == 64 => a.rotate_left((b & 63) as u32),
        Code::Rotr if i.x == 64 => a.rotate_right((b & 63) as u32),
        _ => seldom(code, i, [a, b, c]),
    }
}

/// What is not worth a way of its own.
#[inline(never)]
fn seldom(code: Code, i: &Insn<u16>, operands: [u64; 3]) -> u64 {
    eval(code, i.x, i.y, operands.map(u128::from)) as u64
}

/// An operation with operands or a result of more than 64 bits.
#[inline(never)]
fn wide(i: &Insn<u16>, s: &mut Slots) {
    let mut n = 0;
    let operands = [i.a, i.b, i.c].map(|slot| {
        n += 1;
        let low = u128::from(s[usize::from(slot)]);
        let high = || u128::from(s[usize::from(slot.wrapping_add(1))]);
        if i.wide >> n & 1 == 1 { low | high() << 64 } else { low }
    });
    let result = eval(i.code, i.x, i.y, operands);
    s[usize::from(i.d)] = result as u64;
    if i.wide & 1 == 1 {
        s[usize::from(i.d.wrapping_add(1))] = (result >> 64) as u64;
    }
}
