//! What random programs mean: the slow way, with u128 arithmetic, and without any part of the crate.

/// An expression as text, and the function of the inputs a, b and n that it denotes.
pub struct Tree {
    pub text: String,
    pub width: u32,
    pub node: Node,
}

pub enum Node {
    Input(usize),
    Number(u128),
    /// A variable of the program.
    Variable(usize),
    /// An element of the array, whose elements are the last four variables.
    Element(Box<Tree>),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<[Tree; 2]>),
    Slice(Box<Tree>, u32),
    Choice(Box<[Tree; 3]>),
    Extend(Box<Tree>, bool),
}

/// What a statement does.
pub enum Step {
    Set(usize, Tree),
    /// Index and value of an element.
    Store(Tree, Tree),
    If(Tree, Vec<Step>, Vec<Step>),
    Loop(u32, Vec<Step>),
}

fn ones(width: u32) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The meaning of a tree.
fn eval(t: &Tree, inputs: &[u128; 3], variables: &[u128]) -> u128 {
    let of = |t: &Tree| eval(t, inputs, variables);
    let w = t.width;
    let value = match &t.node {
        Node::Input(n) => inputs[*n],
        Node::Number(n) => *n,
        Node::Variable(n) => variables[*n],
        Node::Element(at) => variables[variables.len() - 4 + of(at) as usize],
        Node::Unary(op, x) => match *op {
            "~" => !of(x),
            _ => 0u128.wrapping_sub(of(x)),
        },
        Node::Slice(x, low) => of(x) >> low,
        Node::Choice(x) => {
            if of(&x[0]) == 1 {
                of(&x[1])
            } else {
                of(&x[2])
            }
        }
        Node::Extend(x, signed) => {
            let value = of(x);
            if *signed && value >> (x.width - 1) == 1 { value | !ones(x.width) } else { value }
        }
        Node::Binary(op, x) => binary(op, [of(&x[0]), of(&x[1])], [x[0].width, x[1].width]),
    };
    value & ones(w)
}

fn binary(op: &str, [a, b]: [u128; 2], [w, v]: [u32; 2]) -> u128 {
    let turn = |n: u32| if n == 0 { a } else { a << n | a >> (w - n) };
    match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b).unwrap_or(ones(w)),
        "%" => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => {
            if b >= w.into() {
                0
            } else {
                a << b
            }
        }
        ">>" => {
            if b >= w.into() {
                0
            } else {
                a >> b
            }
        }
        "rotl" => turn((b % u128::from(w)) as u32),
        "rotr" => turn((w - (b % u128::from(w)) as u32) % w),
        "++" => a << v | b,
        "==" => (a == b).into(),
        "<" => (a < b).into(),
        "max" => a.max(b),
        _ => a.min(b),
    }
}

pub fn execute(steps: &[Step], inputs: &[u128; 3], variables: &mut [u128]) {
    for step in steps {
        match step {
            Step::Set(n, tree) => variables[*n] = eval(tree, inputs, variables),
            Step::Store(at, tree) => {
                let at = variables.len() - 4 + eval(at, inputs, variables) as usize;
                variables[at] = eval(tree, inputs, variables);
            }
            Step::If(cond, then, other) => {
                let taken = if eval(cond, inputs, variables) == 1 { then } else { other };
                execute(taken, inputs, variables);
            }
            Step::Loop(times, body) => (0..*times).for_each(|_| execute(body, inputs, variables)),
        }
    }
}
