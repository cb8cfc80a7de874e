//! The figures of several layouts of memory as one.

use super::protocol::Printed;

/// What one run would have printed: of each call the counts of the layout with the median of the cycles (of an even number, the lower
/// one of the two in the middle), with the cycles of all. If something went wrong in a layout, what the first such run printed.
pub fn merged(mut all: Vec<Printed>) -> Printed {
    let wrong = |p: &Printed| p.ended.is_some() || !p.faults.is_empty();
    let first = all.remove(all.iter().position(wrong).unwrap_or(0));
    if wrong(&first) {
        return first;
    }
    let mut merged = first;
    for call in &mut merged.measured {
        let own = (call.cycles, call.insns, call.varies);
        let same = all.iter().flat_map(|p| &p.measured);
        let same = same.filter(|m| m.title == call.title && m.bytes == call.bytes);
        let others = same.map(|m| (m.cycles, m.insns, m.varies));
        let mut layouts: Vec<_> = std::iter::once(own).chain(others).collect();
        call.cycles_by_layout = layouts.iter().map(|(cycles, ..)| *cycles).collect();
        layouts.sort_by(|a, b| a.0.total_cmp(&b.0));
        (call.cycles, call.insns, call.varies) = layouts[(layouts.len() - 1) / 2];
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_code::protocol::Measured;
    use capvec_record::checked::Fault;

    fn printed(cycles: &[f64]) -> Vec<Printed> {
        let one = |cycles: &f64| Printed {
            measured: vec![Measured {
                title: "f".into(),
                bytes: 64,
                insns: cycles / 2.0,
                cycles: *cycles,
                cycles_by_layout: Vec::new(),
                varies: None,
            }],
            ..Printed::default()
        };
        cycles.iter().map(one).collect()
    }

    #[test]
    fn the_median_has_the_cycles_of_all() {
        let call = |cycles: &[f64]| {
            let m = merged(printed(cycles)).measured.remove(0);
            (m.cycles, m.insns, m.cycles_by_layout.len())
        };
        assert_eq!(call(&[30.0, 10.0, 20.0]), (20.0, 10.0, 3));
        assert_eq!(call(&[40.0, 30.0, 10.0, 20.0]), (20.0, 10.0, 4));
        assert_eq!(call(&[7.0]), (7.0, 3.5, 1));
    }

    #[test]
    fn a_fault_in_one_layout_is_a_fault() {
        let mut all = printed(&[1.0, 2.0, 3.0]);
        let fault =
            Fault { title: "f".into(), bytes: 64, what: "wrong".into(), ..Fault::default() };
        all[1].faults.push(fault);
        assert_eq!(merged(all).faults.len(), 1);
    }
}
