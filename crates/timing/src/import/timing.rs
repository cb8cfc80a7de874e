//! A line of a table.

/// What an instruction takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The mnemonic.
    pub mnemonic: String,
    /// The width of elements in bits; 0 for a scalar instruction.
    pub sew: u32,
    /// Registers of a group.
    pub lmul: u32,
    /// The reciprocal throughput in cycles.
    pub cycles: f64,
    /// Cycles until the result can be used, where the table has them.
    pub latency: Option<f64>,
}
