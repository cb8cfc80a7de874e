//! A published speed.

/// The program of figures of Cryptogams' kernels.
pub const CRYPTOGAMS: &str = "Cryptogams 9444b2d";

/// A published speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The core model.
    pub core: String,
    /// Case.
    pub case: String,
    /// The capability set.
    pub set: String,
    /// Message size, in bytes.
    pub bytes: usize,
    /// kB/s (1000 bytes) of all processes together.
    pub kbps: f64,
    /// Processes that ran at the same time, each on a core of its own.
    pub processes: u32,
    /// The clock in MHz.
    pub megahertz: f64,
    /// What was measured.
    pub program: String,
    /// Parameters of the model were fitted to this figure.
    pub fitted: bool,
    /// Where it was published.
    pub source: String,
    /// Why the model's prediction is off, where that is known.
    pub deviation: Option<String>,
}

/// What a prediction of a figure needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Debian's OpenSSL.
    Stock,
    /// A build of OpenSSL's C.
    CBuild,
    /// A record of `capvec measure`.
    Measured,
}

impl Line {
    /// Cycles per byte of one core.
    pub fn cycles_per_byte(&self) -> f64 {
        self.megahertz * 1e3 * f64::from(self.processes) / self.kbps
    }

    /// What a prediction needs.
    pub fn needs(&self) -> Needs {
        match self.program.as_str() {
            "OpenSSL 3.0 (C)" => Needs::CBuild,
            CRYPTOGAMS => Needs::Measured,
            _ => Needs::Stock,
        }
    }

    /// Why Debian's OpenSSL cannot be compared with it, if so.
    pub fn incomparable(&self) -> Option<String> {
        let why = match self.needs() {
            Needs::Stock => return None,
            Needs::CBuild => "Debian's has assembly instead",
            Needs::Measured => "Debian's OpenSSL does not have it",
        };
        Some(format!("{}: {why}", self.program))
    }
}
