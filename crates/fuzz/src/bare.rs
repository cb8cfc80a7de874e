//! Programs for a hart without an operating system.

use capvec_bare::{Bare, Image, Options};
use capvec_isa::Isa;
use capvec_timing::Core;
use std::sync::Arc;

/// Maximum number of instructions of a run.
const INSNS: u64 = 5_000;

/// Refuses or runs an ELF file.
pub fn run(data: &[u8]) {
    let Ok(image) = Image::parse(data) else { return };
    let isa = if image.xlen == 32 { "rv32gcv_zk_zks_zicntr" } else { "rv64gcv_zk_zks_zicntr" };
    let (Ok(core), Ok(isa)) = (Core::load("ideal"), isa.parse::<Isa>()) else {
        panic!("the core ideal and its ISA are known");
    };
    let options = Options {
        config: Arc::new(core.hart(isa)),
        memory: 1 << 20,
        max_insns: Some(INSNS),
        timeout: Some(std::time::Duration::from_secs(5)),
        interrupt: None,
        console: Box::new(std::io::sink()),
        log: None,
    };
    if let Ok(mut machine) = Bare::new(&image, options) {
        machine.run(core.engine(false).as_mut());
    }
}
