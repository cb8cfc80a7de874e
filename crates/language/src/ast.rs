//! The tree that the parser makes from a text.

use crate::error::Span;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub text: &'a str,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unary {
    Not,
    Minus,
    /// `!`, of one bit.
    No,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Concat,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Both,
    Either,
}

#[derive(Debug)]
pub(crate) struct Expr<'a> {
    pub kind: Kind<'a>,
    pub span: Span,
    /// The longest path to a leaf, which is limited.
    pub height: u16,
}

#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Number(u128, Option<u32>),
    Name(&'a str),
    Unary(Unary, Box<Expr<'a>>),
    Binary(Binary, Box<[Expr<'a>; 2]>),
    Index(Box<[Expr<'a>; 2]>),
    /// Value, highest and lowest bit.
    Slice(Box<[Expr<'a>; 3]>),
    /// Condition, value if 1, value if 0.
    If(Box<[Expr<'a>; 3]>),
    Call(Name<'a>, Vec<Expr<'a>>),
    Array(Vec<Expr<'a>>),
    Repeat(Box<[Expr<'a>; 2]>),
}

#[derive(Debug)]
pub(crate) struct Type<'a> {
    /// `None` is `int`.
    pub width: Option<Expr<'a>>,
    pub count: Option<Expr<'a>>,
}

#[derive(Debug)]
pub(crate) enum Subscript<'a> {
    Index(Expr<'a>),
    Slice(Expr<'a>, Expr<'a>),
}

#[derive(Debug)]
pub(crate) struct Target<'a> {
    pub name: Name<'a>,
    pub subscripts: Vec<Subscript<'a>>,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) enum Stmt<'a> {
    Let(Declaration<'a>),
    /// For `x += e`, with the operator and x as an expression.
    Assign {
        target: Target<'a>,
        op: Option<(Binary, Expr<'a>)>,
        value: Expr<'a>,
    },
    If {
        cond: Expr<'a>,
        then: Vec<Stmt<'a>>,
        other: Vec<Stmt<'a>>,
    },
    For {
        name: Name<'a>,
        from: Expr<'a>,
        to: Expr<'a>,
        body: Vec<Stmt<'a>>,
    },
    Illegal(&'a str),
    /// Address and value.
    Store {
        name: Name<'a>,
        args: Vec<Expr<'a>>,
    },
}

#[derive(Debug)]
pub(crate) struct Declaration<'a> {
    pub var: bool,
    pub name: Name<'a>,
    pub ty: Option<Type<'a>>,
    /// Only a `var` may lack it.
    pub value: Option<Expr<'a>>,
}

#[derive(Debug)]
pub(crate) struct Function<'a> {
    pub name: Name<'a>,
    pub params: Vec<(Name<'a>, Type<'a>)>,
    pub result: Type<'a>,
    pub body: Vec<Stmt<'a>>,
    pub value: Expr<'a>,
}

#[derive(Debug, Default)]
pub(crate) struct Unit<'a> {
    /// The text was not read to its end, because it is nested too deeply.
    pub cut: bool,
    pub consts: Vec<Declaration<'a>>,
    pub functions: Vec<Function<'a>>,
    pub body: Vec<Stmt<'a>>,
}
