//! Address spaces: which function is at an address.

use crate::symbols::{Extent, Object, Symbols};
use crate::tree::{Function, Tree};
use capvec_sim::calls::{Area, Read};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The executable areas of an address space, in order.
#[derive(Default)]
pub struct Image {
    /// Addresses; what is added to an address of the file to get one in memory; the file.
    areas: Vec<(Range<u64>, u64, Rc<Object>)>,
}

/// All objects that have been mapped.
#[derive(Default)]
pub struct Objects {
    known: HashMap<(Rc<[u8]>, u64), Rc<Object>>,
    anonymous: Option<Rc<Object>>,
    /// The function of addresses outside of every area.
    unknown_function: Option<u32>,
}

impl Objects {
    /// The function of addresses where nothing is mapped.
    pub fn unknown_function(&mut self, tree: &mut Tree) -> u32 {
        let unknown =
            || Function { name: "[unknown]".into(), object: "[unknown]".into(), address: 0 };
        *self.unknown_function.get_or_insert_with(|| tree.function(unknown()))
    }

    fn object(
        &mut self,
        file: &Option<(Rc<[u8]>, u64)>,
        tree: &mut Tree,
        read: Read<'_>,
    ) -> Rc<Object> {
        let Some(key) = file else {
            let anonymous =
                || Rc::new(Object::new(tree, "[anonymous memory]".into(), Symbols::default()));
            return Rc::clone(self.anonymous.get_or_insert_with(anonymous));
        };
        if let Some(known) = self.known.get(key) {
            return Rc::clone(known);
        }
        let name = String::from_utf8_lossy(&key.0).into_owned();
        let symbols =
            if name.starts_with('[') { Symbols::default() } else { Symbols::read(&key.0, read) };
        let object = Rc::new(Object::new(tree, name, symbols));
        self.known.insert(key.clone(), Rc::clone(&object));
        object
    }

    /// The image of these areas.
    pub fn image(&mut self, areas: Vec<Area>, tree: &mut Tree, read: Read<'_>) -> Image {
        let mut image = Image::default();
        for area in areas {
            let object = self.object(&area.file, tree, read);
            let bias = area.addresses.start.wrapping_sub(object.address(area.offset));
            image.areas.push((area.addresses, bias, object));
        }
        image.areas.sort_by_key(|(range, ..)| range.start);
        image
    }
}

impl Image {
    /// The address of `pc` in the file of its area.
    pub fn address(&self, pc: u64) -> Option<u64> {
        let found = self.areas.iter().find(|(range, ..)| range.contains(&pc));
        found.map(|(_, bias, _)| pc.wrapping_sub(*bias))
    }

    /// The function at `pc`.
    pub fn find(&self, pc: u64) -> Option<Extent> {
        let at = self.areas.partition_point(|(range, ..)| range.end <= pc);
        let (range, bias, object) = self.areas.get(at).filter(|(range, ..)| range.contains(&pc))?;
        let found = object.find(pc.wrapping_sub(*bias));
        let (start, end) = (found.start.wrapping_add(*bias), found.end.wrapping_add(*bias));
        let start = if start <= pc { start.max(range.start) } else { range.start };
        let end = if end > pc { end.min(range.end) } else { range.end };
        Some(Extent { start, end, function: found.function })
    }
}
