//! What the name of an instruction says about its operands.

use crate::dest::Dest;
use capvec_isa::Class;
use capvec_isa::row::Taint;

/// EEW in bits of the indices of an indexed load or store.
pub fn index_width(stem: &str) -> Option<u32> {
    stem.split_once("xei").and_then(|(_, bits)| bits.parse().ok())
}

/// Where the result goes; `first` is the first operand.
pub fn dest(first: &str, stem: &str, suffix: &str, class: Class) -> Dest {
    let compares = (stem.starts_with("vms") && !stem.starts_with("vmsb") && suffix != "m")
        || stem == "vmadc"
        || stem == "vmsbc"
        || (stem.starts_with("vmf") && class == Class::Vfcmp);
    let mask = compares || suffix == "mm" || matches!(stem, "vmsbf" | "vmsif" | "vmsof");
    match first {
        "rd" => Dest::X,
        "fd" => Dest::F,
        "vd" if mask => Dest::Mask,
        "vd" => Dest::V,
        _ => Dest::None,
    }
}

/// EEW of the destination and of vs2 (Unprivileged ISA manual, "Widening Vector Arithmetic Instructions" and others: the names
/// say it).
pub fn widths(stem: &str, suffix: &str) -> [i8; 2] {
    let widens = stem.starts_with("vw") || stem.starts_with("vfw");
    let last = suffix.rsplit('.').next().unwrap_or_default();
    match last.as_bytes() {
        [b'v', b'f', n @ b'2'..=b'8'] => [0, -((n - b'0').ilog2() as i8)],
        [b'w', ..] if widens => [1, 1],
        [b'w', ..] => [0, 1],
        _ if widens => [1, 0],
        _ => [0, 0],
    }
}

/// Whether the operands vs2 and vs1 of a widening instruction are signed.
pub fn signed(stem: &str) -> [bool; 2] {
    match stem {
        "vwmulsu" | "vwmaccus" => [true, false],
        "vwmaccsu" => [false, true],
        // It extends with zeros.
        "vwsll" => [false, false],
        _ => [!stem.ends_with('u'); 2],
    }
}

/// The operation that a reduction of integers applies to one element after another.
pub fn step(stem: &str) -> Option<Taint> {
    Some(match stem {
        "vredsum" | "vwredsum" | "vwredsumu" => Taint::Add,
        "vredand" => Taint::And,
        "vredor" => Taint::Or,
        "vredxor" => Taint::Xor,
        "vredmin" => Taint::Min,
        "vredminu" => Taint::Minu,
        "vredmax" => Taint::Max,
        "vredmaxu" => Taint::Maxu,
        _ => return None,
    })
}

/// Whether the rule applies to vs1 and vs2 in this order.
pub fn reversed(stem: &str) -> bool {
    matches!(stem, "vrsub" | "vmsgt" | "vmsgtu" | "vmsle" | "vmsleu")
}

/// Whether `op(a, a)` is the same for every `a`.
pub fn cancels(rule: Taint) -> bool {
    matches!(
        rule,
        Taint::Xor
            | Taint::Sub
            | Taint::SubW
            | Taint::Andn
            | Taint::Orn
            | Taint::Eq
            | Taint::Lt
            | Taint::Ltu
    )
}

/// The width in bits of a number that the instruction moves into a wider f register, whose other bits it sets (NaN-boxing).
pub fn boxed(name: &str) -> Option<u32> {
    match name {
        "flw" | "fmv.w.x" => Some(32),
        "flh" | "fmv.h.x" => Some(16),
        _ => None,
    }
}

/// How many bits the first operand is shifted to the left, and how many of its bits are used, before the operation itself
/// (Zba).
pub fn prepared(name: &str) -> (u32, u32) {
    let shift = match name.as_bytes() {
        [b's', b'h', n @ b'1'..=b'3', ..] => u32::from(n - b'0'),
        _ => 0,
    };
    (shift, if name.ends_with(".uw") { 32 } else { 64 })
}
