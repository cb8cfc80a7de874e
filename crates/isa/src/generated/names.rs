// Generated from isa/*.toml by capvec-isagen: `make generate`. Do not edit.

use super::ext::Ext::{self, *};
use crate::ext::ExtSet;

/// OPENSSL_riscvcap, by bit.
#[rustfmt::skip]
pub(crate) static RISCVCAP: [Ext; 24] = [
    Zba,
    Zbb,
    Zbc,
    Zbs,
    Zbkb,
    Zbkc,
    Zbkx,
    Zknd,
    Zkne,
    Zknh,
    Zksed,
    Zksh,
    Zkr,
    Zkt,
    V,
    Zvbb,
    Zvbc,
    Zvkb,
    Zvkg,
    Zvkned,
    Zvknha,
    Zvknhb,
    Zvksed,
    Zvksh,
];

/// riscv_hwprobe, key IMA_EXT_0: bit, and what it needs.
#[rustfmt::skip]
pub(crate) static HWPROBE: [(u8, ExtSet); 49] = [
    (0, ExtSet::of(&[F, D])),
    (1, ExtSet::of(&[C])),
    (2, ExtSet::of(&[V])),
    (3, ExtSet::of(&[Zba])),
    (4, ExtSet::of(&[Zbb])),
    (5, ExtSet::of(&[Zbs])),
    (6, ExtSet::of(&[Zicboz])),
    (7, ExtSet::of(&[Zbc])),
    (8, ExtSet::of(&[Zbkb])),
    (9, ExtSet::of(&[Zbkc])),
    (10, ExtSet::of(&[Zbkx])),
    (11, ExtSet::of(&[Zknd])),
    (12, ExtSet::of(&[Zkne])),
    (13, ExtSet::of(&[Zknh])),
    (14, ExtSet::of(&[Zksed])),
    (15, ExtSet::of(&[Zksh])),
    (16, ExtSet::of(&[Zkt])),
    (17, ExtSet::of(&[Zvbb])),
    (18, ExtSet::of(&[Zvbc])),
    (19, ExtSet::of(&[Zvkb])),
    (20, ExtSet::of(&[Zvkg])),
    (21, ExtSet::of(&[Zvkned])),
    (22, ExtSet::of(&[Zvknha])),
    (23, ExtSet::of(&[Zvknhb])),
    (24, ExtSet::of(&[Zvksed])),
    (25, ExtSet::of(&[Zvksh])),
    (26, ExtSet::of(&[Zvkt])),
    (28, ExtSet::of(&[Zfhmin])),
    (29, ExtSet::of(&[Zihintntl])),
    (31, ExtSet::of(&[Zvfhmin])),
    (32, ExtSet::of(&[Zfa])),
    (35, ExtSet::of(&[Zicond])),
    (36, ExtSet::of(&[Zihintpause])),
    (37, ExtSet::of(&[Zve32x])),
    (38, ExtSet::of(&[Zve32f])),
    (39, ExtSet::of(&[Zve64x])),
    (40, ExtSet::of(&[Zve64f])),
    (41, ExtSet::of(&[Zve64d])),
    (42, ExtSet::of(&[Zimop])),
    (43, ExtSet::of(&[C])),
    (44, ExtSet::of(&[Zcb])),
    (45, ExtSet::of(&[C, D])),
    (47, ExtSet::of(&[Zcmop])),
    (48, ExtSet::of(&[Zawrs])),
    (50, ExtSet::of(&[Zicntr])),
    (51, ExtSet::of(&[Zihpm])),
    (55, ExtSet::of(&[Zicbom])),
    (56, ExtSet::of(&[Zaamo])),
    (57, ExtSet::of(&[Zalrsc])),
];

/// Profiles, not closed.
#[rustfmt::skip]
pub(crate) static PROFILES: [(&str, ExtSet); 3] = [
    ("rva22u64", ExtSet::of(&[I, M, A, F, D, C, Zicsr, Zicntr, Zihpm, Zihintpause, Zba, Zbb, Zbs, Zicbom, Zicbop, Zicboz, Zfhmin, Zkt])),
    ("rva23u64", ExtSet::of(&[I, M, A, F, D, C, B, V, Zicsr, Zicntr, Zihpm, Zihintntl, Zihintpause, Zicbom, Zicbop, Zicboz, Zfhmin, Zkt, Zvfhmin, Zvbb, Zvkt, Zicond, Zimop, Zcmop, Zcb, Zfa, Zawrs])),
    ("rvb23u64", ExtSet::of(&[I, M, A, F, D, C, B, Zicsr, Zicntr, Zihpm, Zihintntl, Zihintpause, Zicbom, Zicbop, Zicboz, Zkt, Zicond, Zimop, Zcmop, Zcb, Zfa, Zawrs])),
];
