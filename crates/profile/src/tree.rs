//! The call tree: a node for each call path.

use std::collections::HashMap;
use std::rc::Rc;

/// A node at this depth has its callees as siblings, so that recursion cannot make the tree arbitrarily deep.
const MAX_DEPTH: u32 = 512;
/// With this many nodes, a new call path becomes one of its last function alone, directly below the process.
const MAX_NODES: usize = 1 << 20;

/// Exact counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Retired instructions.
    pub insns: u64,
    /// Modelled cycles.
    pub cycles: u64,
}

impl Count {
    /// Adds what has happened between two readings of the counters.
    #[inline(always)]
    pub(crate) fn add_since(&mut self, now: Count, before: Count) {
        self.insns += now.insns.wrapping_sub(before.insns);
        self.cycles += now.cycles.wrapping_sub(before.cycles);
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.insns += other.insns;
        self.cycles += other.cycles;
    }
}

/// A function, or a process as the root of its functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The file that it is in; empty for a process.
    pub object: Rc<str>,
    /// Its address in the file.
    pub address: u64,
}

/// A call path: a function, called by the function of the parent node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The caller; a root is its own.
    pub parent: u32,
    /// Index of the function.
    pub function: u32,
    /// What its own instructions cost.
    pub own: Count,
    /// How often it was called.
    pub calls: u64,
    /// Number of nodes above it.
    pub depth: u32,
}

/// The call trees of all processes.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// All functions.
    pub functions: Vec<Function>,
    /// All nodes. Each comes after its parent.
    pub nodes: Vec<Node>,
    /// Whether there were too many call paths to keep all of them apart.
    pub merged: bool,
}

impl Profile {
    /// Whether the node is the root of a process.
    pub fn is_root(&self, node: u32) -> bool {
        self.nodes[node as usize].parent == node
    }

    /// The sum over all nodes.
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        self.nodes.iter().for_each(|n| total += n.own);
        total
    }

    /// For each node, its own count and those of all that it called.
    pub fn totals(&self) -> Vec<Count> {
        let mut all: Vec<Count> = self.nodes.iter().map(|n| n.own).collect();
        for (k, n) in self.nodes.iter().enumerate().rev() {
            if n.parent as usize != k {
                let of_node = all[k];
                all[n.parent as usize] += of_node;
            }
        }
        all
    }

    /// The nodes from the process down to this one.
    pub fn path(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut at = node;
        while !self.is_root(at) {
            at = self.nodes[at as usize].parent;
            path.push(at);
        }
        path.reverse();
        path
    }
}

/// A tree under construction.
#[derive(Default)]
pub struct Tree {
    pub profile: Profile,
    children: HashMap<(u32, u32), u32>,
    /// Names of functions that stay callers when they jump to another function.
    keeps: &'static [&'static str],
    /// Whether each function has one of these names.
    kept: Vec<bool>,
}

impl Tree {
    /// A tree in which a tail call by one of these functions is a call: without that, they would be replaced.
    pub fn keeping(keeps: &'static [&'static str]) -> Tree {
        Tree { keeps, ..Tree::default() }
    }

    /// Adds a function; returns its index.
    pub fn function(&mut self, f: Function) -> u32 {
        self.kept.push(self.keeps.contains(&f.name.as_str()));
        self.profile.functions.push(f);
        self.profile.functions.len() as u32 - 1
    }

    fn add(&mut self, parent: Option<u32>, function: u32) -> u32 {
        let index = self.profile.nodes.len() as u32;
        let depth = parent.map_or(0, |p| self.node(p).depth + 1);
        let parent = parent.unwrap_or(index);
        let (own, calls) = (Count::default(), 0);
        self.profile.nodes.push(Node { parent, function, own, calls, depth });
        index
    }

    /// A new root.
    pub fn root(&mut self, name: String) -> u32 {
        let function = self.function(Function { name, object: "".into(), address: 0 });
        self.add(None, function)
    }

    /// The node.
    #[inline(always)]
    pub fn node(&self, node: u32) -> &Node {
        &self.profile.nodes[node as usize]
    }

    /// The node for mutation.
    #[inline(always)]
    pub fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.profile.nodes[node as usize]
    }

    /// The node of `function` when it is called by `caller`.
    pub fn callee(&mut self, caller: u32, function: u32) -> u32 {
        let mut parent = caller;
        if self.node(caller).depth >= MAX_DEPTH {
            parent = self.node(caller).parent;
        }
        if let Some(node) = self.children.get(&(parent, function)) {
            return *node;
        }
        if self.profile.nodes.len() >= MAX_NODES {
            self.profile.merged = true;
            parent = self.root_of(parent);
            if let Some(node) = self.children.get(&(parent, function)) {
                return *node;
            }
        }
        let node = self.add(Some(parent), function);
        self.children.insert((parent, function), node);
        node
    }

    /// The node of `function` when the function of `node` jumps to it.
    pub fn successor(&mut self, node: u32, function: u32) -> u32 {
        if self.node(node).function == function {
            return node;
        }
        if self.kept[self.node(node).function as usize] {
            return self.callee(node, function);
        }
        let parent = self.node(node).parent;
        self.callee(parent, function)
    }

    /// The node with the same functions as `node` under another root.
    pub fn transplant(&mut self, node: u32, root: u32) -> u32 {
        let functions: Vec<u32> =
            self.profile.path(node)[1..].iter().map(|n| self.node(*n).function).collect();
        functions.into_iter().fold(root, |at, function| self.callee(at, function))
    }

    fn root_of(&self, mut node: u32) -> u32 {
        while !self.profile.is_root(node) {
            node = self.node(node).parent;
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_call_replaces_its_caller_unless_that_is_kept() {
        for (keeps, depth) in [(&[][..], 1), (&["f"][..], 2)] {
            let mut tree = Tree::keeping(keeps);
            let root = tree.root("program".into());
            let function =
                |name: &str| Function { name: name.into(), object: "x".into(), address: 0 };
            let (f, g) = (tree.function(function("f")), tree.function(function("g")));
            let in_f = tree.callee(root, f);
            let in_g = tree.successor(in_f, g);
            assert_eq!((tree.node(in_g).depth, tree.node(in_g).function), (depth, g));
            // Jumps within a function are not calls.
            assert_eq!((tree.successor(in_f, f), tree.successor(in_g, g)), (in_f, in_g));
        }
    }
}
