//! Gates of a core's extensions, from its RTL.

use crate::core::Core;

/// As `rtl/area.sh --csv` prints it.
const ZVKU: &str = include_str!("../../../cores/zvku-area.csv");

impl Core {
    /// How much smaller the RTL of this core would be without these extensions, which are joined by `_`, in thousands of gates.
    /// Only the shipped core `zvku` has RTL; others, and combinations that were not measured, have no figure.
    pub fn gates(&self, extensions: &str) -> Option<f64> {
        if self.name != "zvku" || !self.identity.changes.is_empty() {
            return None;
        }
        let mut lines = ZVKU.lines().filter(|l| !l.starts_with('#')).skip(1);
        let (_, kge) =
            lines.find_map(|l| l.split_once(',').filter(|(name, _)| *name == extensions))?;
        kge.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::Setting;

    #[test]
    fn every_extension_of_the_unit_has_gates() {
        let core = Core::load("zvku").unwrap();
        let gates = |name: &str| core.gates(name);
        let unit =
            ["zvbb", "zvbc", "zvkb", "zvkg", "zvkned", "zvknha", "zvknhb", "zvksed", "zvksh"];
        for name in unit {
            assert!(gates(name).is_some_and(|kge| (0.5..50.0).contains(&kge)), "{name}");
        }
        assert!(gates("zvknhk0p2") > gates("zvknhb") && gates("zvknhb") > gates("zvknha"));
        assert_eq!([gates("zvkb_zvkned"), gates("")], [None, None]);
    }

    #[test]
    fn other_cores_have_none() {
        assert_eq!(Core::load("karu64").unwrap().gates("zvkg"), None);
        let set = Setting { key: "vector.datapath".into(), value: "256".into() };
        let wider = Core::load("zvku").unwrap().with(&[set]).unwrap();
        assert_eq!(wider.gates("zvkg"), None);
    }
}
