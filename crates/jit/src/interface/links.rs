//! Links edges, and the landing pads of calls, to the code where control continues.

use super::code::Code;
use super::entry::Entry;
use super::exit::Edge;
use super::link::{Incoming, LINKED_GATE};

impl Code {
    /// Links an edge to a block, and adds it to those that lead there, unless it was linked already.
    pub fn link(&mut self, edge: Edge, to: Entry, incoming: &mut Incoming) {
        let site = self.edges.get_mut(edge.0 as usize).filter(|site| !site.linked);
        let Some(site) = site else { return };
        site.linked = true;
        incoming.add(edge, site);
        let site = *site;
        let jumps = [
            (site.redirected, to.redirected),
            (site.sequential, to.sequential),
            (site.inner, to.inner),
        ];
        for (at, to) in jumps {
            if let Some(at) = at {
                let at = at.offset();
                self.buffer.patch(at, &(self.jump)(at, to));
            }
        }
        if let Some(at) = site.gate {
            self.buffer.patch(at.offset(), &LINKED_GATE);
        }
    }

    /// Makes edges return to the run loop again. Adds the landing pads among them, if they have not been given up, to those that
    /// wait for the block's next code.
    pub fn unlink(&mut self, mut incoming: Incoming, waiting: &mut Incoming) {
        while let Some(Edge(n)) = incoming.first()
            && let Some(site) = self.edges.get_mut(n as usize)
        {
            incoming = site.others;
            (site.linked, site.others) = Default::default();
            if let Some((at, bytes)) = site.unlinked() {
                self.buffer.patch(at, bytes);
            }
            if site.pad {
                waiting.add(Edge(n), site);
            }
        }
    }

    /// Links all landing pads that wait for a block to its code.
    pub fn link_waiting(&mut self, mut waiting: Incoming, to: Entry, incoming: &mut Incoming) {
        while let Some(edge) = waiting.first()
            && let Some(site) = self.edges.get(edge.0 as usize)
        {
            waiting = site.others;
            if site.pad {
                self.link(edge, to, incoming);
            }
        }
    }

    /// Adds a landing pad to those that wait for the block where it continues.
    pub fn wait(&mut self, pad: Edge, waiting: &mut Incoming) {
        if let Some(site) = self.edges.get_mut(pad.0 as usize) {
            waiting.add(pad, site);
        }
    }

    /// The translation of a landing pad has been dropped: no longer links it. It stays in its list until that is next used.
    pub fn give_up(&mut self, pad: Edge) {
        if let Some(site) = self.edges.get_mut(pad.0 as usize) {
            site.pad = false;
        }
    }

    /// The landing pads among the edges with numbers from `first` on, and where they continue.
    pub fn pads(&self, first: u32) -> Vec<(Edge, u64)> {
        let edges = (first..).zip(self.edges.iter().skip(first as usize));
        edges.filter(|(_, site)| site.pad).map(|(n, site)| (Edge(n), site.pc)).collect()
    }

    /// Length of a list of edges.
    #[cfg(test)]
    pub fn count(&self, list: Incoming) -> usize {
        let site = |Edge(n): Edge| self.edges[n as usize].others.first();
        std::iter::successors(list.first(), |edge| site(*edge)).count()
    }

    /// The number of edges.
    pub fn edges(&self) -> u32 {
        self.edges.len() as u32
    }
}
