//! `riscv_hwprobe` (Linux Documentation/arch/riscv/hwprobe.rst, `arch/riscv/include/uapi/asm/hwprobe.h`).

use super::Args;
use crate::base::errno::Errno;
use crate::kernel::{Kernel, Sys};
use capvec_isa::capability::Misaligned;
use capvec_isa::{Ext, ExtSet, capability};
use capvec_sim::Config;
use capvec_sim::mem::SPACE;

mod key {
    pub const MVENDORID: i64 = 0;
    pub const MARCHID: i64 = 1;
    pub const MIMPID: i64 = 2;
    pub const BASE_BEHAVIOR: i64 = 3;
    pub const IMA_EXT_0: i64 = 4;
    pub const CPUPERF_0: i64 = 5;
    pub const ZICBOZ_BLOCK_SIZE: i64 = 6;
    pub const HIGHEST_VIRT_ADDRESS: i64 = 7;
    pub const TIME_CSR_FREQ: i64 = 8;
    pub const MISALIGNED_SCALAR_PERF: i64 = 9;
    pub const MISALIGNED_VECTOR_PERF: i64 = 10;
    pub const VENDOR_EXT_THEAD_0: i64 = 11;
    pub const ZICBOM_BLOCK_SIZE: i64 = 12;
    pub const VENDOR_EXT_SIFIVE_0: i64 = 13;
    pub const VENDOR_EXT_MIPS_0: i64 = 14;
    pub const ZICBOP_BLOCK_SIZE: i64 = 15;
}

/// Speed of misaligned scalar and vector accesses.
type Both = [Misaligned; 2];

/// The value of a key; `None` for an unknown one.
fn value(config: &Config, shown: ExtSet, misaligned: Both, key: i64) -> Option<u64> {
    let has = |e| shown.has(e);
    let block = |there: bool| if there { u64::from(config.cache_block) } else { 0 };
    Some(match key {
        key::MVENDORID | key::MARCHID | key::MIMPID => 0,
        // RISCV_HWPROBE_BASE_BEHAVIOR_IMA.
        key::BASE_BEHAVIOR => u64::from(has(Ext::M) && has(Ext::A)),
        key::IMA_EXT_0 => capability::hwprobe_ima_ext_0(shown),
        // No core here has extensions of these vendors.
        key::VENDOR_EXT_THEAD_0 | key::VENDOR_EXT_SIFIVE_0 | key::VENDOR_EXT_MIPS_0 => 0,
        key::CPUPERF_0 | key::MISALIGNED_SCALAR_PERF => misaligned[0] as u64,
        key::ZICBOZ_BLOCK_SIZE => block(has(Ext::Zicboz)),
        key::ZICBOM_BLOCK_SIZE => block(has(Ext::Zicbom)),
        key::ZICBOP_BLOCK_SIZE => block(has(Ext::Zicbop)),
        key::HIGHEST_VIRT_ADDRESS => SPACE - 1,
        key::TIME_CSR_FREQ => config.timebase,
        key::MISALIGNED_VECTOR_PERF if has(Ext::Zve32x) => misaligned[1] as u64,
        key::MISALIGNED_VECTOR_PERF => Misaligned::Unsupported as u64,
        _ => return None,
    })
}

/// `riscv_hwprobe(pairs, count, cpusetsize, cpus, flags)`.
pub fn riscv_hwprobe(k: &mut Kernel, a: &Args) -> Sys {
    const WHICH_CPUS: u32 = 1;
    const MOST: u64 = 1 << 16;
    let (pairs, count, size, cpus) = (a.raw(0), a.raw(1), a.raw(2), a.raw(3));
    if a.word(4) & !WHICH_CPUS != 0 || count > MOST {
        return Err(Errno::EINVAL.into());
    }
    if k.core.concealed.hwprobe {
        return Err(Errno::ENOSYS.into());
    }
    let config = std::sync::Arc::clone(&k.core.config);
    let shown = k.core.visible_exts(&config);
    if a.word(4) & WHICH_CPUS != 0 {
        return which_cpus(k, &config, a);
    }
    // A set of harts must contain an existing one: the first.
    if cpus != 0 && (size == 0 || k.guest().get::<u8>(cpus)? & 1 == 0) {
        return Err(Errno::EINVAL.into());
    }
    for i in 0..count {
        let at = pairs.wrapping_add(16 * i);
        let key: i64 = k.guest().get(at)?;
        let (key, value) =
            value(&config, shown, k.core.misaligned, key).map_or((-1, 0), |v| (key, v));
        k.guest().put(at, key)?;
        k.guest().put(at.wrapping_add(8), value)?;
    }
    Ok(0)
}

/// Reduces the set of harts to those that have all values: bit masks must include them, others be equal.
fn which_cpus(k: &mut Kernel, config: &Config, a: &Args) -> Sys {
    if a.raw(2) == 0 || a.raw(3) == 0 {
        return Err(Errno::EINVAL.into());
    }
    let bytes = a.raw(2).min(1024);
    let mut set = vec![0; bytes as usize];
    k.guest().read(a.raw(3), &mut set)?;
    let all = set.iter().all(|b| *b == 0);
    let mut fits = all || set[0] & 1 != 0;
    for i in 0..a.raw(1) {
        let [key, wanted] = k.guest().get_words(a.raw(0).wrapping_add(16 * i))?;
        fits &= match (
            key as i64,
            value(config, k.core.visible_exts(config), k.core.misaligned, key as i64),
        ) {
            (key::BASE_BEHAVIOR | key::IMA_EXT_0, Some(v)) => v & wanted == wanted,
            (_, Some(v)) => v == wanted,
            (_, None) => {
                k.guest().put(a.raw(0).wrapping_add(16 * i), -1i64)?;
                false
            }
        };
    }
    set.fill(0);
    set[0] = fits as u8;
    k.guest().write(a.raw(3), &set)?;
    Ok(0)
}

/// `riscv_flush_icache(start, end, flags)`.
pub fn riscv_flush_icache(k: &mut Kernel, a: &Args) -> Sys {
    const LOCAL: u64 = 1;
    if a.raw(2) & !LOCAL != 0 {
        return Err(Errno::EINVAL.into());
    }
    k.hart.mem.code_changed();
    Ok(0)
}
