//! Finds the figures of a case, among any number of them.

use super::{ClassPoint, Explored, FunctionPoint, Point, Price};
use std::collections::HashMap;

/// An operation: case, direction and bytes.
type Operation<'e> = (&'e str, &'e str, usize);

/// The figures of an exploration by what was measured.
pub struct Index<'e> {
    points: HashMap<(Operation<'e>, &'e str, u32, Price), &'e Point>,
    functions: HashMap<(Operation<'e>, &'e str), Vec<&'e FunctionPoint>>,
    classes: HashMap<(Operation<'e>, &'e str), Vec<&'e ClassPoint>>,
}

fn operation(p: &Point) -> Operation<'_> {
    (&p.case, &p.direction, p.bytes)
}

impl<'e> Index<'e> {
    /// Indexes all figures with right answers; of several for the same measurement, the first.
    pub fn of(e: &'e Explored) -> Index<'e> {
        let mut points = HashMap::new();
        for p in e.points.iter().filter(|p| p.wrong.is_none()) {
            points.entry((operation(p), p.with.as_str(), p.vlen, p.price)).or_insert(p);
        }
        let mut functions: HashMap<_, Vec<_>> = HashMap::new();
        for f in &e.functions {
            let operation = (f.case.as_str(), f.direction.as_str(), f.bytes);
            functions.entry((operation, f.with.as_str())).or_default().push(f);
        }
        let mut classes: HashMap<_, Vec<_>> = HashMap::new();
        for c in &e.classes {
            let operation = (c.case.as_str(), c.direction.as_str(), c.bytes);
            classes.entry((operation, c.with.as_str())).or_default().push(c);
        }
        Index { points, functions, classes }
    }

    /// The same case with another addition, at another VLEN, or at another cost.
    pub fn like(&self, p: &Point, with: &str, vlen: u32, price: Price) -> Option<&'e Point> {
        self.points.get(&(operation(p), with, vlen, price)).copied()
    }

    /// The functions of a case, in the order of the file.
    pub fn functions(&self, p: &'e Point, with: &'e str) -> &[&'e FunctionPoint] {
        self.functions.get(&(operation(p), with)).map_or(&[], Vec::as_slice)
    }

    /// The classes of a case, in the order of the file.
    pub fn classes(&self, p: &'e Point, with: &'e str) -> &[&'e ClassPoint] {
        self.classes.get(&(operation(p), with)).map_or(&[], Vec::as_slice)
    }
}
