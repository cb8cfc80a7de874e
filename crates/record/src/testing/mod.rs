//! Rows and records for tests of this crate and of those that use it.

pub mod schema;

use crate::sets::hart;
use crate::{ConfigurationRecord, METHOD, Record, Row};
use capvec_isa::capability::{openssl_closed, openssl_riscvcap};

/// A row of a core that executes one instruction per cycle at 1 MHz.
pub fn row(case: &str, capset: &str, bytes: usize, insns: f64) -> Row {
    Row {
        target: "sim".into(),
        subject: "openssl".into(),
        version: "OpenSSL 3".into(),
        core: "ideal".into(),
        vlen: 256,
        case: case.into(),
        algorithm: case.to_uppercase(),
        direction: "enc".into(),
        bytes,
        capset: capset.into(),
        capstring: String::new(),
        insns_per_op: Some(insns),
        cycles_per_op: Some(insns),
        answers: "pass".into(),
        ops_per_s: Some(1e6 / insns),
        kind: crate::Kind::Modelled,
        counter: "hart".into(),
        ..Row::default()
    }
}

/// A capability set of this name, on the baseline of rv64gc.
pub fn set(name: &str) -> ConfigurationRecord {
    let hart = hart(name).unwrap();
    ConfigurationRecord {
        vlen: 256,
        capset: name.into(),
        capstring: Some(openssl_riscvcap(hart)),
        hart: hart.to_string(),
        expected: openssl_closed(hart).to_string(),
        ..ConfigurationRecord::default()
    }
}

/// A row at 75 MHz.
fn timed(case: &str, capset: &str, cycles: f64) -> Row {
    let hz = 75e6;
    Row {
        target: "sim".into(),
        subject: "openssl".into(),
        version: "OpenSSL 3.5.7".into(),
        core: "karu64".into(),
        vlen: 256,
        case: case.into(),
        algorithm: case.to_uppercase(),
        direction: "enc".into(),
        bytes: 16384,
        capset: capset.into(),
        insns_per_op: Some(cycles / 3.7),
        cycles_per_op: Some(cycles),
        answers: "pass".into(),
        ops_per_s: Some(hz / cycles),
        ..Row::default()
    }
}

/// Two cases with two sets.
pub fn record() -> Record {
    let configuration = |capset: &str, hart: &str| ConfigurationRecord {
        vlen: 256,
        capset: capset.into(),
        hart: hart.into(),
        reports_capabilities: Some(true),
        beyond_core: capset == "zvkned",
        ..ConfigurationRecord::default()
    };
    Record {
        tool: "capvec 1".into(),
        command: vec!["bench".into(), "--caps".into(), "scalar,zvkned".into()],
        method: METHOD.into(),
        self_check: "exact".into(),
        configurations: vec![
            configuration("scalar", "i m"),
            configuration("zvkned", "i m v zvkned"),
        ],
        rows: vec![
            timed("aes-128-ecb", "scalar", 1e7),
            timed("aes-128-ecb", "zvkned", 312_345.25),
            timed("aes-128-xts", "scalar", 1e7),
            timed("aes-128-xts", "zvkned", 1_234_567.0),
        ],
        ..Record::default()
    }
}
