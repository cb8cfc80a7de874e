//! Which words a program may have, and after which others.

use crate::initial_states::{ADDRESSES, ALIGNED, INDICES, RESERVED};
use crate::operands;
use capvec_isa::decode::decode;
use capvec_isa::row::Slot;
use capvec_isa::{Class, Decoded, Ext, ExtSet, Op};

/// Instructions that are never used: `ecall` would call the system.
pub fn excluded(op: Op) -> bool {
    matches!(op, Op::Ecall)
}

/// Counters, whose values differ between the sides, and the entropy source.
pub fn varies(d: &Decoded) -> bool {
    let csr = d.imm & 0xfff;
    d.op.row().class == Class::Csr && (matches!(csr, 0xc00..=0xc1f) || csr == 0x015)
}

/// Whether the instruction names the harness's register, writes one of `ALIGNED`, needs one of these as a base but has
/// another, or writes the address that jumps use, so that a jump could go back and loop.
pub fn breaks_rules(d: &Decoded) -> bool {
    let row = d.op.row();
    let jumps = row.class.transfers_control();
    let kept = ALIGNED.contains(&d.rd) || (d.rd == 1 && !jumps);
    let writes = row.base.row().args.starts_with("rd") && kept;
    if writes || (operands::needs_aligned(row) && !ALIGNED.contains(&d.rs1)) {
        return true;
    }
    let names = |slot, name| {
        row.args.contains(name)
            && row.fields.iter().any(|f| f.slot == slot)
            && match slot {
                Slot::Rd => d.rd == RESERVED,
                Slot::Rs1 => d.rs1 == RESERVED,
                _ => d.rs2 == RESERVED,
            }
    };
    names(Slot::Rd, "rd") || names(Slot::Rs1, "rs1") || names(Slot::Rs2, "rs2")
}

/// Whether control may go anywhere but to the next instruction.
pub fn jumps(word: u32) -> bool {
    let all: ExtSet = Ext::ratified().collect();
    let breaks = |op: Op| matches!(op.row().base, Op::Ebreak | Op::Ecall);
    decode(word, 64, all).is_ok_and(|d| d.op.row().class.transfers_control() && !breaks(d.op))
}

/// Whether the word overwrites an address that later accesses need.
pub fn overwrites_address(word: u32) -> bool {
    let Ok(d) = decode(word, 64, Ext::ratified().collect()) else { return false };
    let args = d.op.row().base.row().args;
    let x = args.starts_with("rd") && ADDRESSES.contains(&d.rd);
    x || args.starts_with("vd") && INDICES.contains(&d.rd)
}

/// Whether the word is a store-conditional that does not match its load-reserved in size, or follows another store:
/// QEMU compares only the value.
pub fn is_mismatched_conditional(words: &[u32], word: u32) -> bool {
    let row = |w: &u32| decode(*w, 64, Ext::ratified().collect()).ok().map(|d| d.op.row());
    let stores = |w: &u32| {
        use Class::{Amo, Cache, Store, Vstore, VstoreIndexed, VstoreStrided};
        let kinds = [Amo, Cache, Store, Vstore, VstoreIndexed, VstoreStrided];
        row(w).is_some_and(|r| kinds.contains(&r.class))
    };
    let load = match row(&word).map(|r| r.op) {
        Some(Op::ScW) => Op::LrW,
        Some(Op::ScD) => Op::LrD,
        _ => return false,
    };
    let reserves = |w: &u32| row(w).is_some_and(|r| matches!(r.op, Op::LrW | Op::LrD));
    words.iter().rposition(reserves).is_some_and(|n| {
        let other = row(&words[n]).is_some_and(|r| r.op != load);
        other || words[n + 1..].iter().any(stores)
    })
}

/// Whether a fault-only-first load comes just before the word, which is not a vset: QEMU translates the word for the
/// vl before the load.
pub fn is_trimmed(words: &[u32], word: u32) -> bool {
    let row = |w: &u32| decode(*w, 64, Ext::ratified().collect()).ok().map(|d| d.op.row());
    words.last().and_then(row).is_some_and(|r| r.name.ends_with("ff.v"))
        && row(&word).is_none_or(|r| r.class != Class::Vset)
}

pub fn is_whole(word: u32) -> bool {
    let all: ExtSet = Ext::ratified().collect();
    decode(word, 64, all).is_ok_and(|d| operands::is_whole_register(d.op.row()))
}

/// Whether the word is a whole-register access and vstart may be non-zero after `words`, because a vector access may
/// have trapped since the last vset: if vstart is beyond the end, QEMU aborts.
pub fn may_start_late(words: &[u32], word: u32) -> bool {
    let all: ExtSet = Ext::ratified().collect();
    let row = |w: u32| decode(w, 64, all).ok().map(|d| d.op.row());
    let vset = words.iter().rposition(|w| row(*w).is_some_and(|r| r.class == Class::Vset));
    let since = &words[vset.map_or(0, |n| n + 1)..];
    let access = |w: &u32| {
        use Class::{Vload, VloadIndexed, VloadStrided, Vstore, VstoreIndexed, VstoreStrided};
        let kinds = [Vload, VloadIndexed, VloadStrided, Vstore, VstoreIndexed, VstoreStrided];
        row(*w).is_some_and(|r| kinds.contains(&r.class))
    };
    is_whole(word) && since.iter().any(access)
}

/// Whether the word is an indexed access whose indices are wider than 8 bits and of another width than `bits`.
pub fn other_index_width(word: u32, bits: u32) -> bool {
    let all: ExtSet = Ext::ratified().collect();
    let Ok(d) = decode(word, 64, all) else { return false };
    let name = d.op.name();
    let indexed = matches!(d.op.row().class, Class::VloadIndexed | Class::VstoreIndexed);
    indexed && !name.ends_with("i8.v") && !name.ends_with(&format!("i{bits}.v"))
}
