//! Gains next to what the extensions take in gates.

use super::{Pair, View, names};
use crate::explored::Price;
use crate::grid::{Grid, Section};
use capvec_text::digits::{AREA, RATIO};

const LEGEND: &str = "\
kGE: thousands of NAND2 gates by which the core's RTL would be smaller without these extensions, with all others kept (records/rtl.md).
It is an area without a clock rate. gain per 100 kGE: 100 (gain − 1) : kGE.
";

impl View<'_> {
    /// `None` if nothing that was added has an area.
    pub(super) fn by_area(&self) -> Option<Section> {
        let gates = |with: &str| self.e.with.iter().find(|a| a.name == with)?.kge;
        self.e.with.iter().find_map(|a| a.kge)?;
        let mut head = names(&["extensions", "case", "operation", "bytes"]);
        head.extend(names(&["gain", "kGE", "gain per 100 kGE"]));
        let body = self.lines().map(|(case, with, mut cells)| {
            let gain = self.pair(case, with, self.e.vlen, Price::Core).and_then(Pair::gain);
            let each = gain.zip(gates(with)).map(|(gain, kge)| 100.0 * (gain - 1.0) / kge);
            cells.extend([RATIO.show(gain), AREA.show(gates(with)), RATIO.show(each)]);
            cells
        });
        let body = body.collect();
        Some(Section { title: "By area", grid: Grid { head, body }, legend: LEGEND.into() })
    }
}
