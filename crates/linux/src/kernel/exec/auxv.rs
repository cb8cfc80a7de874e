//! The auxiliary vector (getauxval(3)), with the extensions in `AT_HWCAP`.

use crate::base::cred::Cred;
use crate::kernel::signal_delivery;
use crate::load::Program;
use crate::load::stack::at;
use capvec_isa::{Ext, ExtSet};
use capvec_sim::Config;
use capvec_sim::mem::PAGE;

/// Bit of a single-letter extension in `AT_HWCAP`.
fn hwcap(shown: ExtSet) -> u64 {
    let letters =
        [(Ext::A, 'a'), (Ext::C, 'c'), (Ext::D, 'd'), (Ext::F, 'f'), (Ext::M, 'm'), (Ext::V, 'v')];
    let bit = |letter: char| 1 << (letter as u32 - 'a' as u32);
    let have = letters.iter().filter(|(e, _)| shown.has(*e));
    have.fold(bit('i'), |bits, (_, letter)| bits | bit(*letter))
}

/// The entries of the vector.
pub fn entries(
    config: &Config,
    shown: ExtSet,
    program: &Program,
    phdr: u64,
    base: u64,
    bias: u64,
    cred: &Cred,
) -> Vec<(u64, u64)> {
    let (uid, gid) = (cred.uid, cred.gid);
    vec![
        (at::MINSIGSTKSZ, signal_delivery::frame_size(config)),
        (at::HWCAP, hwcap(shown)),
        (at::PAGESZ, PAGE),
        (at::CLKTCK, 100),
        (at::PHDR, phdr),
        (at::PHENT, 56),
        (at::PHNUM, program.phnum),
        (at::BASE, base),
        (at::FLAGS, 0),
        (at::ENTRY, bias.wrapping_add(program.entry)),
        (at::UID, uid.real.into()),
        (at::EUID, uid.effective.into()),
        (at::GID, gid.real.into()),
        (at::EGID, gid.effective.into()),
        // A program with other rights than its caller must not trust its environment.
        (at::SECURE, (uid.real != uid.effective || gid.real != gid.effective).into()),
    ]
}
