//! Which configurations of a hart run Linux.

use capvec_isa::{Ext, ExtSet, Isa};
use capvec_sim::Config;

/// The ISA string of `exts` with all extensions that they imply, as Linux prints it.
pub fn isa_string(config: &Config, exts: ExtSet) -> String {
    Isa { xlen: config.xlen, exts }.to_string()
}

/// Checks that a configuration can run Linux programs.
///
/// # Errors
/// Its ISA string.
pub fn check_config(config: &Config) -> Result<(), String> {
    let need = ExtSet::of(&[Ext::I, Ext::M, Ext::A]);
    if config.xlen == 64 && config.exts.contains(need) {
        Ok(())
    } else {
        Err(isa_string(config, config.exts))
    }
}
