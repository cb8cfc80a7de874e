//! What a run models on both sides: extensions, VLEN and the agnostic policy.

use capvec_isa::{Ext, ExtSet};
use capvec_sim::hart::{Agnostic, Config, MustAlign};
use std::sync::Arc;

/// A hart that both sides can model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Extensions, including all that they imply.
    pub exts: ExtSet,
    /// VLEN in bits.
    pub vlen: u32,
    /// Agnostic policy.
    pub agnostic: Agnostic,
}

/// Extensions that the harness needs.
const NEEDED: [Ext; 6] = [Ext::I, Ext::A, Ext::D, Ext::C, Ext::Zicsr, Ext::Zve32x];

impl Target {
    /// All extensions of the table.
    pub fn full(vlen: u32, agnostic: Agnostic) -> Target {
        let large: ExtSet = Ext::ratified().filter(|e| e.name().starts_with("zvl")).collect();
        let exts = Ext::ratified().collect::<ExtSet>().minus(large).closed();
        Target { exts: exts.union(minimum_vlen(vlen)), vlen, agnostic }
    }

    /// These extensions and those that the harness needs.
    pub fn with(exts: &[Ext], vlen: u32, agnostic: Agnostic) -> Target {
        let exts = ExtSet::of(exts).union(ExtSet::of(&NEEDED)).union(minimum_vlen(vlen)).closed();
        Target { exts, vlen, agnostic }
    }

    /// The same with the other agnostic policy.
    pub fn other_policy(self) -> Target {
        let agnostic = match self.agnostic {
            Agnostic::Undisturbed => Agnostic::Ones,
            Agnostic::Ones => Agnostic::Undisturbed,
        };
        Target { agnostic, ..self }
    }

    /// VLEN in bytes.
    pub fn vlenb(&self) -> usize {
        self.vlen as usize / 8
    }

    /// The hart's configuration in capvec.
    pub fn config(&self) -> Arc<Config> {
        Arc::new(Config {
            xlen: 64,
            exts: self.exts,
            vlen: self.vlen,
            agnostic: self.agnostic,
            must_align: MustAlign::default(),
            cache_block: 64,
            seed: 1,
            timebase: 10_000_000,
            frequency: 1_000_000_000,
        })
    }

    /// The argument of QEMU's `-cpu`.
    pub fn qemu_cpu(&self) -> String {
        let mut cpu = String::from("rv64i");
        for e in self.exts.iter().filter(|e| *e != Ext::I && !e.name().starts_with("zvl")) {
            cpu += &format!(",{}=on", e.name());
        }
        let elen = if self.exts.has(Ext::Zve64x) { 64 } else { 32 };
        cpu += &format!(",vlen={},elen={elen}", self.vlen);
        if self.agnostic == Agnostic::Ones {
            cpu += ",rvv_ta_all_1s=on,rvv_ma_all_1s=on";
        }
        cpu
    }

    /// A name for display.
    pub fn name(&self) -> String {
        let all = Target::full(self.vlen, self.agnostic).exts;
        let exts = if self.exts == all { "all extensions".into() } else { self.exts.to_string() };
        format!("{exts}; VLEN {}; agnostic elements {}", self.vlen, self.agnostic.name())
    }
}

fn minimum_vlen(vlen: u32) -> ExtSet {
    Ext::ratified()
        .filter(|e| {
            let name = e.name().strip_prefix("zvl").and_then(|n| n.strip_suffix('b'));
            name.and_then(|n| n.parse::<u32>().ok()).is_some_and(|n| n <= vlen)
        })
        .collect()
}

/// The targets of a campaign, used in turn.
pub fn targets() -> Vec<Target> {
    use Agnostic::{Ones, Undisturbed};
    let full = Target::full;
    let mut out = vec![
        full(128, Undisturbed),
        full(256, Ones),
        full(512, Undisturbed),
        full(128, Ones),
        full(1024, Undisturbed),
        full(256, Undisturbed),
    ];
    let scalar = [Ext::M, Ext::Zba, Ext::Zbb, Ext::Zbkx, Ext::Zknh, Ext::Zicond];
    out.push(Target::with(&scalar, 128, Undisturbed));
    out.push(Target::with(&[Ext::M, Ext::Zve32f, Ext::Zvkb, Ext::Zvknha], 128, Undisturbed));
    out.push(Target::with(&[Ext::M, Ext::Zve64x, Ext::Zvbb, Ext::Zvkned], 128, Ones));
    out
}
