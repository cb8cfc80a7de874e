//! The bytecode: straight-line code over slots of 64 bits, with forward jumps only. So a program of n instructions ends
//! after at most n steps.

pub(crate) mod alloc;
pub(crate) mod build;
pub(crate) mod eval;
pub(crate) mod order;
pub(crate) mod ranges;
pub(crate) mod shrink;

/// Slots of a program: an index of 16 bits is always within them.
pub(crate) const SLOTS: usize = 1 << 16;

/// Maximum number of instructions of a program.
pub(crate) const MAX_INSNS: usize = 1_000_000;

/// Operations on values; from `Load` on, accesses to arrays and to memory, and control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Code {
    Mov,
    Add,
    Sub,
    Mul,
    /// y is 1 if b is a constant.
    Div,
    /// y is 1 if b is a constant.
    Rem,
    /// The remainder of a by b, where a is below 2 b.
    RemOnce,
    SignedDiv,
    SignedRem,
    And,
    Or,
    Xor,
    Not,
    Shl,
    Shr,
    Sra,
    Rotl,
    Rotr,
    Eq,
    Ne,
    Less,
    LessEqual,
    SignedLess,
    SignedLessEqual,
    /// `if a { b } else { c }`
    Select,
    /// `a ++ b`, with b of y bits.
    Concat,
    /// x bits of a from bit y on.
    Slice,
    /// a of y bits to x bits.
    Sext,
    Clz,
    Ctz,
    Cpop,
    Rev8,
    Brev8,
    Clmul,
    /// `rotl(a, y)`
    RotlBy,
    /// `a ^ b ^ c`
    Xor3,
    /// `a ^ ~b & c`
    XorAndNot,
    /// `a ^ rotl(b, y)`, of 64 bits.
    XorRotl,
    /// `rotl(a ^ b, y)`, of 64 bits.
    RotlXor,
    /// Element a of the block at b, whose elements have y words.
    Load,
    /// Element a of the block at d becomes b.
    Store,
    /// x bits of memory from address a on.
    Fetch,
    /// The x bits of memory from address a on become b when the program has ended.
    Put,
    /// Continues at the label in c.
    Jump,
    /// Continues at the label in c if a is 0.
    JumpIfZero,
    /// The label in c.
    Label,
    /// Ends the program with the reason in c.
    Illegal,
}

/// An instruction, with operands of type R: u32 while slots are plentiful, u16 afterwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Insn<R> {
    pub code: Code,
    /// The width of the result; for comparisons, clz, ctz and cpop, that of the operands.
    pub x: u8,
    pub y: u8,
    /// Which of d, a, b, c have two words (bits 0 to 3).
    pub wide: u8,
    pub d: R,
    pub a: R,
    pub b: R,
    pub c: R,
}

impl<R> Insn<R> {
    /// How many of a, b, c are slots.
    pub fn operands(&self) -> usize {
        match self.code {
            Code::Jump | Code::Label | Code::Illegal => 0,
            Code::Mov | Code::Not | Code::Slice | Code::Sext => 1,
            Code::Clz | Code::Ctz | Code::Cpop | Code::Rev8 | Code::Brev8 => 1,
            Code::RotlBy | Code::JumpIfZero | Code::Fetch => 1,
            Code::Select | Code::Xor3 | Code::XorAndNot => 3,
            _ => 2,
        }
    }

    /// Whether d is a result and the instruction does nothing else.
    pub fn pure(&self) -> bool {
        !matches!(
            self.code,
            Code::Jump
                | Code::JumpIfZero
                | Code::Label
                | Code::Illegal
                | Code::Store
                | Code::Fetch
                | Code::Put
        )
    }
}

/// The greatest number of `width` bits.
pub(crate) fn ones(width: u32) -> u128 {
    u128::MAX >> (128 - width.clamp(1, 128))
}

/// Words that a value of this width takes.
pub(crate) fn words(width: u32) -> usize {
    if width > 64 { 2 } else { 1 }
}
