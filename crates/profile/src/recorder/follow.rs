//! What the system reports: programs, threads, images, and which thread runs.

use super::{Known, Located, Recorder};
use crate::stack::Stack;
use crate::symbols::Extent;
use crate::tree::Count;
use capvec_sim::Hart;
use capvec_sim::calls::{Area, Follower, Read};
use std::collections::HashMap;

impl Follower for Recorder {
    fn program(&mut self, tid: i32, pid: i32, name: &str) {
        let root = self.tree.root(format!("{name} ({pid})"));
        self.roots.insert(pid, root);
        self.stacks.insert(tid, Stack::new(root));
    }

    fn cloned(&mut self, parent: i32, tid: i32, pid: i32) {
        if let Some(root) = self.roots.get(&pid) {
            self.stacks.insert(tid, Stack::new(*root));
            return;
        }
        let Some(stack) = self.stacks.get(&parent).cloned() else { return };
        let path = self.tree.profile.path(stack.node);
        let of_parent = self.tree.node(path[0]).function;
        let name = self.tree.profile.functions[of_parent as usize].name.clone();
        let program = name.rsplit_once(" (").map_or(&*name, |(program, _)| program);
        let root = self.tree.root(format!("{program} ({pid})"));
        self.roots.insert(pid, root);
        let mut child = Stack { stopped: None, ..stack };
        let mut moved = HashMap::new();
        let frames = child.frames.iter_mut().map(|f| &mut f.node);
        for node in frames.chain([&mut child.node]) {
            let before = *node;
            *node = *moved.entry(before).or_insert_with(|| self.tree.transplant(before, root));
        }
        self.stacks.insert(tid, child);
    }

    fn ended(&mut self, tid: i32) {
        self.stacks.remove(&tid);
    }

    fn image(&mut self, space: u64, areas: Vec<Area>, read: Read<'_>) {
        let image = self.objects.image(areas, &mut self.tree, read);
        self.images.insert(space, image);
        self.recent = Extent::default();
        self.known.fill(Known::default());
        self.located.fill(Located::default());
    }

    fn forget(&mut self, space: u64) {
        self.images.remove(&space);
    }

    fn resume(&mut self, tid: i32, h: &Hart) {
        let (space, pc, sp) = (h.mem.id(), h.pc, h.x(2));
        if space != self.space {
            self.space = space;
            self.recent = Extent::default();
        }
        self.last = Count { insns: h.instret, cycles: h.cycles };
        if !self.stacks.contains_key(&tid) {
            self.program(tid, tid, "[unknown]");
        }
        self.tid = tid;
        self.stack = self.stacks.remove(&tid).unwrap_or(Stack::new(0));
        let function = self.function(pc);
        let before = self.stack.node;
        match self.stack.stopped {
            // A new thread, or a new process that continues in a function.
            None if self.tree.profile.is_root(before) => {
                self.stack.node = self.tree.callee(before, function);
            }
            Some(before_sp) if before_sp != sp => {
                if self.stack.resume_elsewhere(sp) {
                    self.stack.node = self.tree.successor(self.stack.node, function);
                } else {
                    let node = self.tree.callee(before, function);
                    self.stack.interrupt(before_sp, node);
                }
            }
            _ => self.stack.node = self.tree.successor(before, function),
        }
    }

    fn pause(&mut self, h: &Hart) {
        self.attribute(Count { insns: h.instret, cycles: h.cycles });
        self.stack.stopped = Some(h.x(2));
        self.stacks.insert(self.tid, std::mem::replace(&mut self.stack, Stack::new(0)));
    }
}
