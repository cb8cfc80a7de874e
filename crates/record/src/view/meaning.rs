//! What a record's figures mean, in words. All of it follows from the target on which they were measured.

use crate::{Arch, Kind, Record, Row};

/// " at VLEN 256"; empty where no VLEN is known: on a machine, or on an architecture without one.
pub fn at_vlen(vlen: u32) -> String {
    if vlen > 0 { format!(" at VLEN {vlen}") } else { String::new() }
}

/// What ratios over the scalar set compare.
pub fn over_scalar(kind: Kind) -> &'static str {
    match kind {
        Kind::Emulated => "ratio of instructions",
        Kind::Modelled | Kind::Real => "speed-up",
    }
}

impl Row {
    /// Whether tables and plots show the row. Decryption of messages is in the CSV only: it would double every table
    /// for nearly the same figures.
    pub fn is_shown(&self) -> bool {
        self.bytes == 0 || self.direction == "enc"
    }
}

impl Record {
    /// Architecture of the code. Records of the simulator do not name it.
    fn arch(&self) -> Option<Arch> {
        match self.target.kind {
            Kind::Modelled => Some(Arch::Riscv64),
            _ => Arch::parse(&self.target.architecture).ok(),
        }
    }

    /// What the set `scalar` means on this target.
    fn scalar(&self) -> String {
        match (self.target.kind, self.arch()) {
            (Kind::Modelled, _) => "scalar: plain rv64gc".into(),
            (_, Some(Arch::Riscv64)) => {
                "scalar: the library is configured by OPENSSL_riscvcap to use rv64gc only".into()
            }
            (_, Some(arch)) => format!(
                "scalar: the library is configured by {} to use none of the extensions that capvec knows",
                arch.variable()
            ),
            (_, None) => "scalar: the library is configured to use no extension".into(),
        }
    }

    /// What the ratios over the scalar set mean.
    pub fn ratios(&self) -> String {
        let scalar = self.scalar();
        match self.target.kind {
            Kind::Modelled => {
                format!(
                    "How many times the speed of the set scalar, on the same core model ({scalar})."
                )
            }
            Kind::Emulated => format!(
                "How many times as many instructions the set scalar takes ({scalar}). Counted under an emulator: not times."
            ),
            Kind::Real => format!(
                "How many times the speed of the set scalar, by the clock of the same machine ({scalar})."
            ),
        }
    }

    /// The counter of instructions, and whether it counted a loop of known length correctly.
    pub fn counter(&self) -> String {
        let t = &self.target;
        match (t.counter.as_str(), t.counter_check.as_str()) {
            // The simulator, or a record from before targets had counters of their own.
            _ if t.kind == Kind::Modelled => match self.self_check.as_str() {
                "exact" => "a loop of known length is counted exactly".into(),
                other => other.into(),
            },
            // A CSV names the counter, but does not have the check.
            (counter, "") => counter.into(),
            ("" | "none", _) => "nothing counts instructions there".into(),
            (counter, "exact") => format!("{counter}: a loop of known length is counted correctly"),
            (counter, why) => format!("{counter}: left out: {why}"),
        }
    }

    /// Where and with which library the figures were measured, as far as the record says.
    pub fn provenance(&self) -> Vec<(&'static str, String)> {
        let t = &self.target;
        let real = t.kind != Kind::Modelled;
        let known = |v: &String| if real { v.clone() } else { String::new() };
        let library = match (&t.sha256, t.library.as_str()) {
            (_, "") => String::new(),
            (Some(digest), path) => format!("{path} (SHA-256 {digest})"),
            (None, path) => path.into(),
        };
        let all = [
            ("Architecture", known(&t.architecture)),
            ("Processor there", known(&t.processor)),
            ("Library", library),
            ("Counter of instructions", self.counter()),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }
}
