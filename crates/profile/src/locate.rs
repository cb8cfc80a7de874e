//! Where threads stopped: the functions of addresses, for messages about faults.

use crate::image::{Image, Objects};
use crate::tree::Tree;
use capvec_sim::Hart;
use capvec_sim::calls::{Area, Follower, Read};
use std::collections::HashMap;

/// Knows the function of every address at which a thread has stopped, such as that of a fault.
#[derive(Default)]
pub struct Locator {
    tree: Tree,
    objects: Objects,
    images: HashMap<u64, Image>,
    stops: HashMap<u64, String>,
}

impl Locator {
    /// The function in which a thread stopped at `pc`, and its file: of the last one, if threads of several programs stopped
    /// there. `None` if no thread stopped there, or nothing is mapped there.
    pub fn at(&self, pc: u64) -> Option<&str> {
        self.stops.get(&pc).map(String::as_str)
    }
}

impl Follower for Locator {
    fn program(&mut self, _: i32, _: i32, _: &str) {}

    fn cloned(&mut self, _: i32, _: i32, _: i32) {}

    fn ended(&mut self, _: i32) {}

    fn image(&mut self, space: u64, areas: Vec<Area>, read: Read<'_>) {
        self.images.insert(space, self.objects.image(areas, &mut self.tree, read));
    }

    fn forget(&mut self, space: u64) {
        self.images.remove(&space);
    }

    fn resume(&mut self, _: i32, _: &Hart) {}

    fn pause(&mut self, h: &Hart) {
        let Some(found) = self.images.get(&h.mem.id()).and_then(|i| i.find(h.pc)) else { return };
        let function = &self.tree.profile.functions[found.function as usize];
        let text = match function.name.starts_with('[') {
            // No symbol says which function it is.
            true => function.object.to_string(),
            false => format!("{} of {}", function.name, function.object),
        };
        self.stops.insert(h.pc, text);
    }
}
