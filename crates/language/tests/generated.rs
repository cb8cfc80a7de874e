//! Random programs, each with its meaning: the generator writes text and a tree of its own, which
//! `meaning` evaluates.

use crate::meaning::{Node, Step, Tree, execute};
use crate::support::{Rng, get, ports, set, try_compile};
use capvec_language::LANES;

const INPUTS: [(&str, u32); 3] = [("a", 64), ("b", 100), ("n", 13)];
const WIDTHS: [u32; 12] = [1, 3, 8, 13, 32, 33, 63, 64, 65, 100, 127, 128];

/// The width of the elements of the array m.
const ELEMENT: u32 = 65;

struct Generator<'r> {
    rng: &'r mut Rng,
    /// The widths of the variables so far.
    variables: Vec<u32>,
}

impl Generator<'_> {
    fn boxed(&mut self, width: u32, depth: u32) -> Box<Tree> {
        Box::new(self.tree(width, depth))
    }

    fn leaf(&mut self, width: u32) -> Tree {
        let inputs = INPUTS.iter().enumerate().filter(|(_, i)| i.1 == width);
        let mut known: Vec<(Node, String)> =
            inputs.map(|(n, i)| (Node::Input(n), i.0.to_string())).collect();
        let variables = self.variables.iter().enumerate().filter(|(_, w)| **w == width);
        known.extend(variables.map(|(n, _)| (Node::Variable(n), format!("v{n}"))));
        if !known.is_empty() && self.rng.below(4) != 0 {
            let (node, text) = known.swap_remove(self.rng.below(known.len() as u32) as usize);
            return Tree { text, width, node };
        }
        let n = self.rng.bits(width);
        Tree { text: format!("{n:#x}u{width}"), width, node: Node::Number(n) }
    }

    fn tree(&mut self, width: u32, depth: u32) -> Tree {
        if depth == 0 {
            return self.leaf(width);
        }
        let depth = depth - 1;
        match self.rng.below(12) {
            0 => self.leaf(width),
            1 => {
                let x = self.boxed(width, depth);
                let op = if self.rng.below(2) == 0 { "~" } else { "-" };
                Tree { text: format!("({op}{})", x.text), width, node: Node::Unary(op, x) }
            }
            2 => {
                let x = [self.tree(1, depth), self.tree(width, depth), self.tree(width, depth)];
                let text = format!("if {} {{ {} }} else {{ {} }}", x[0].text, x[1].text, x[2].text);
                Tree { text: format!("({text})"), width, node: Node::Choice(Box::new(x)) }
            }
            3 => {
                let from = *self.pick(&WIDTHS.map(|w| w.max(width)));
                let low = self.rng.below(from - width + 1);
                let x = self.boxed(from, depth);
                let text = format!("({})[{}..{low}]", x.text, low + width - 1);
                Tree { text, width, node: Node::Slice(x, low) }
            }
            4 => {
                let from = *self.pick(&WIDTHS.map(|w| w.min(width)));
                let (x, signed) = (self.boxed(from, depth), self.rng.below(2) == 0);
                let name = if signed { "sext" } else { "zext" };
                let text = format!("{name}({}, {width})", x.text);
                Tree { text, width, node: Node::Extend(x, signed) }
            }
            5 if width > 1 => {
                let right = 1 + self.rng.below(width - 1);
                self.pair("++", width, [width - right, right], depth)
            }
            6 if width == 1 => {
                let of = *self.pick(&WIDTHS);
                let op = self.pick(&["==", "<"]);
                self.pair(op, 1, [of, of], depth)
            }
            7 => {
                let op = self.pick(&["<<", ">>", "rotl", "rotr"]);
                let by = *self.pick(&WIDTHS);
                self.pair(op, width, [width, by], depth)
            }
            8 if width == ELEMENT && !self.variables.is_empty() => {
                let at = self.boxed(2, depth);
                let text = format!("m[{}]", at.text);
                Tree { text, width, node: Node::Element(at) }
            }
            _ => {
                let op =
                    self.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "^", "^", "min", "max"]);
                self.pair(op, width, [width, width], depth)
            }
        }
    }

    fn pair(&mut self, op: &'static str, width: u32, of: [u32; 2], depth: u32) -> Tree {
        let x = of.map(|w| self.tree(w, depth));
        let text = if op.starts_with(|c: char| c.is_ascii_alphabetic()) {
            format!("{op}({}, {})", x[0].text, x[1].text)
        } else {
            format!("({} {op} {})", x[0].text, x[1].text)
        };
        Tree { text, width, node: Node::Binary(op, Box::new(x)) }
    }

    fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.rng.below(of.len() as u32) as usize]
    }
}

impl Generator<'_> {
    /// Statements that assign variables, as text and as steps.
    fn block(&mut self, depth: u32, text: &mut String) -> Vec<Step> {
        let count = 1 + self.rng.below(4);
        (0..count).map(|_| self.statement(depth, text)).collect()
    }

    fn statement(&mut self, depth: u32, text: &mut String) -> Step {
        match self.rng.below(if depth == 0 { 1 } else { 5 }) {
            1 => {
                let cond = self.tree(1, 2);
                text.push_str(&format!("if {} {{\n", cond.text));
                let then = self.block(depth - 1, text);
                text.push_str("} else {\n");
                let other = self.block(depth - 1, text);
                text.push_str("}\n");
                Step::If(cond, then, other)
            }
            2 => {
                let times = self.rng.below(4);
                text.push_str(&format!("for i{depth} in 0..{times} {{\n"));
                let body = self.block(depth - 1, text);
                text.push_str("}\n");
                Step::Loop(times, body)
            }
            3 => {
                let (at, value) = (self.tree(2, 2), self.tree(ELEMENT, 2));
                text.push_str(&format!("m[{}] = {};\n", at.text, value.text));
                Step::Store(at, value)
            }
            _ => {
                let n = self.rng.below(self.variables.len() as u32) as usize;
                let tree = self.tree(self.variables[n], 3);
                text.push_str(&format!("v{n} = {};\n", tree.text));
                Step::Set(n, tree)
            }
        }
    }
}

fn program(rng: &mut Rng) {
    let mut generator = Generator { rng, variables: Vec::new() };
    let mut text = format!("var m = [0u{ELEMENT}; 4];\n");
    let mut steps = Vec::new();
    for n in 0..5 {
        let width = *generator.pick(&WIDTHS);
        let tree = generator.tree(width, 3);
        text.push_str(&format!("var v{n} = {};\n", tree.text));
        steps.push(Step::Set(n, tree));
        generator.variables.push(width);
    }
    steps.append(&mut generator.block(3, &mut text));
    let last = generator.variables.len() - 1;
    let width = generator.variables[last];
    text.push_str(&format!("r = v{last} ^ zext(m[2], 128)[{}..0];\n", width - 1));
    let [a, b, n] = INPUTS.map(|i| i.1);
    let program =
        try_compile(&text, &ports([a, b, n, width])).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let (mut machine, mut lanes) = (program.machine(), program.lanes());
    let count = 1 + rng.below(LANES as u32) as usize;
    let mut results = Vec::new();
    for lane in 0..count {
        let inputs = INPUTS.map(|i| rng.bits(i.1));
        let mut variables = vec![0; last + 1 + 4];
        execute(&steps, &inputs, &mut variables);
        (0..3).for_each(|n| set(&mut machine, n, inputs[n]));
        machine.run().unwrap();
        let wanted = variables[last] ^ variables[last + 3] & (u128::MAX >> (128 - width));
        assert_eq!(get(&machine, 3), wanted, "{text}on {inputs:#x?}");
        for (n, input) in inputs.iter().enumerate() {
            for (word, values) in lanes.input(n).iter_mut().enumerate() {
                values[lane] = (input >> (64 * word)) as u64;
            }
        }
        results.push(machine.output(3).to_vec());
    }
    assert_eq!(lanes.run(count), Ok(()), "{text}");
    for (lane, result) in results.iter().enumerate() {
        let words: Vec<u64> = lanes.output(3).iter().map(|words| words[lane]).collect();
        assert_eq!(&words, result, "lane {lane} of {count}: {text}");
    }
}

#[test]
fn random_programs_mean_what_their_generator_says() {
    let mut rng = Rng::new();
    let count =
        std::env::var("CAPVEC_FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    for _ in 0..count {
        program(&mut rng);
    }
}
