// Generated from isa/*.toml by capvec-isagen: `make generate`. Do not edit.

/// An extension, in the canonical order of an ISA string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Ext {
    /// Base integer instructions.
    I,
    /// Integer multiply and divide.
    M,
    /// Atomic memory operations.
    A,
    /// Single-precision floating point.
    F,
    /// Double-precision floating point.
    D,
    /// Compressed instructions.
    C,
    /// Bit manipulation.
    B,
    /// Vector operations for application processors.
    V,
    /// Cache-block management.
    Zicbom,
    /// Cache-block prefetch hints.
    Zicbop,
    /// Cache-block zero.
    Zicboz,
    /// Base counters and timers.
    Zicntr,
    /// Integer conditional operations.
    Zicond,
    /// Control and status registers.
    Zicsr,
    /// Instruction-fetch fence.
    Zifencei,
    /// Non-temporal locality hints (encodings of add to x0, of no effect).
    Zihintntl,
    /// Pause hint.
    Zihintpause,
    /// Hardware performance counters.
    Zihpm,
    /// May-be operations.
    Zimop,
    /// Integer multiply.
    Zmmul,
    /// Atomic read-modify-write.
    Zaamo,
    /// Load-reserved, store-conditional.
    Zalrsc,
    /// Wait on reservation set.
    Zawrs,
    /// Additional floating-point instructions.
    Zfa,
    /// Minimal half-precision floating point.
    Zfhmin,
    /// Additional compressed instructions.
    Zcb,
    /// Compressed may-be operations.
    Zcmop,
    /// Address generation.
    Zba,
    /// Basic bit manipulation.
    Zbb,
    /// Carry-less multiplication.
    Zbc,
    /// Bit manipulation for cryptography.
    Zbkb,
    /// Carry-less multiplication for cryptography.
    Zbkc,
    /// Crossbar permutations.
    Zbkx,
    /// Single-bit instructions.
    Zbs,
    /// Standard scalar cryptography.
    Zk,
    /// NIST algorithm suite.
    Zkn,
    /// NIST suite: AES decryption.
    Zknd,
    /// NIST suite: AES encryption.
    Zkne,
    /// NIST suite: hash functions.
    Zknh,
    /// Entropy source.
    Zkr,
    /// ShangMi algorithm suite.
    Zks,
    /// ShangMi suite: SM4.
    Zksed,
    /// ShangMi suite: SM3.
    Zksh,
    /// Data-independent execution latency.
    Zkt,
    /// Embedded vectors, ELEN 32 with single precision.
    Zve32f,
    /// Embedded vectors, ELEN 32.
    Zve32x,
    /// Embedded vectors, ELEN 64 with double precision.
    Zve64d,
    /// Embedded vectors, ELEN 64 with single precision.
    Zve64f,
    /// Embedded vectors, ELEN 64.
    Zve64x,
    /// Vector half-precision conversions.
    Zvfhmin,
    /// Vector basic bit manipulation.
    Zvbb,
    /// Vector carry-less multiplication.
    Zvbc,
    /// Vector carry-less multiplication of elements of 8 to 32 bits, draft 0.7.
    Zvbc32e0p7,
    /// Vector cryptography bit manipulation.
    Zvkb,
    /// Vector GCM/GMAC.
    Zvkg,
    /// Vector-scalar GCM/GMAC, draft 0.7.
    Zvkgs0p7,
    /// Vector Keccak, prototype of 2024 (it had no version).
    Zvkk0p2024,
    /// Vector NIST algorithm suite.
    Zvkn,
    /// Vector NIST suite with carry-less multiplication.
    Zvknc,
    /// Vector AES.
    Zvkned,
    /// Vector AES, all rounds, draft of 2022 (encodings are capvec's own).
    Zvknf0p2022,
    /// Vector NIST suite with GCM.
    Zvkng,
    /// Vector SHA-256.
    Zvknha,
    /// Vector SHA-256 and SHA-512.
    Zvknhb,
    /// Vector Keccak, draft 0.1 of 2026-09-11.
    Zvknhk0p1,
    /// Vector Keccak, draft 0.2 of 2026-10-07.
    Zvknhk0p2,
    /// Vector ShangMi algorithm suite.
    Zvks,
    /// Vector ShangMi suite with carry-less multiplication.
    Zvksc,
    /// Vector SM4.
    Zvksed,
    /// Vector ShangMi suite with GCM.
    Zvksg,
    /// Vector SM3.
    Zvksh,
    /// Vector data-independent execution latency.
    Zvkt,
    /// VLEN at least 32.
    Zvl32b,
    /// VLEN at least 64.
    Zvl64b,
    /// VLEN at least 128.
    Zvl128b,
    /// VLEN at least 256.
    Zvl256b,
    /// VLEN at least 512.
    Zvl512b,
    /// VLEN at least 1024.
    Zvl1024b,
    /// VLEN at least 2048.
    Zvl2048b,
    /// VLEN at least 4096.
    Zvl4096b,
    /// VLEN at least 8192.
    Zvl8192b,
    /// VLEN at least 16384.
    Zvl16384b,
    /// VLEN at least 32768.
    Zvl32768b,
    /// VLEN at least 65536.
    Zvl65536b,
    /// Vector multiplication modulo the primes of ML-KEM and ML-DSA (capvec's own).
    Xcapvecmulq0p1,
    /// A custom extension.
    Custom0,
    /// A custom extension.
    Custom1,
    /// A custom extension.
    Custom2,
    /// A custom extension.
    Custom3,
    /// A custom extension.
    Custom4,
    /// A custom extension.
    Custom5,
    /// A custom extension.
    Custom6,
    /// A custom extension.
    Custom7,
}

use crate::ext_set::ExtInfo;
use Ext::*;

/// What custom extensions are called until they are registered.
#[rustfmt::skip]
pub(crate) const CUSTOM: [Ext; 8] = [Custom0, Custom1, Custom2, Custom3, Custom4, Custom5, Custom6, Custom7];

#[rustfmt::skip]
pub(crate) static EXTS: [ExtInfo; 85] = [
    ExtInfo { ext: I, name: "i", title: "Base integer instructions", implies: &[], draft: None, source: None },
    ExtInfo { ext: M, name: "m", title: "Integer multiply and divide", implies: &[Zmmul], draft: None, source: None },
    ExtInfo { ext: A, name: "a", title: "Atomic memory operations", implies: &[Zaamo, Zalrsc], draft: None, source: None },
    ExtInfo { ext: F, name: "f", title: "Single-precision floating point", implies: &[Zicsr], draft: None, source: None },
    ExtInfo { ext: D, name: "d", title: "Double-precision floating point", implies: &[F], draft: None, source: None },
    ExtInfo { ext: C, name: "c", title: "Compressed instructions", implies: &[], draft: None, source: None },
    ExtInfo { ext: B, name: "b", title: "Bit manipulation", implies: &[Zba, Zbb, Zbs], draft: None, source: None },
    ExtInfo { ext: V, name: "v", title: "Vector operations for application processors", implies: &[Zve64d, Zvl128b], draft: None, source: None },
    ExtInfo { ext: Zicbom, name: "zicbom", title: "Cache-block management", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zicbop, name: "zicbop", title: "Cache-block prefetch hints", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zicboz, name: "zicboz", title: "Cache-block zero", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zicntr, name: "zicntr", title: "Base counters and timers", implies: &[Zicsr], draft: None, source: None },
    ExtInfo { ext: Zicond, name: "zicond", title: "Integer conditional operations", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zicsr, name: "zicsr", title: "Control and status registers", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zifencei, name: "zifencei", title: "Instruction-fetch fence", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zihintntl, name: "zihintntl", title: "Non-temporal locality hints (encodings of add to x0, of no effect)", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zihintpause, name: "zihintpause", title: "Pause hint", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zihpm, name: "zihpm", title: "Hardware performance counters", implies: &[Zicsr], draft: None, source: None },
    ExtInfo { ext: Zimop, name: "zimop", title: "May-be operations", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zmmul, name: "zmmul", title: "Integer multiply", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zaamo, name: "zaamo", title: "Atomic read-modify-write", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zalrsc, name: "zalrsc", title: "Load-reserved, store-conditional", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zawrs, name: "zawrs", title: "Wait on reservation set", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zfa, name: "zfa", title: "Additional floating-point instructions", implies: &[F], draft: None, source: None },
    ExtInfo { ext: Zfhmin, name: "zfhmin", title: "Minimal half-precision floating point", implies: &[F], draft: None, source: None },
    ExtInfo { ext: Zcb, name: "zcb", title: "Additional compressed instructions", implies: &[C], draft: None, source: None },
    ExtInfo { ext: Zcmop, name: "zcmop", title: "Compressed may-be operations", implies: &[C], draft: None, source: None },
    ExtInfo { ext: Zba, name: "zba", title: "Address generation", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zbb, name: "zbb", title: "Basic bit manipulation", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zbc, name: "zbc", title: "Carry-less multiplication", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zbkb, name: "zbkb", title: "Bit manipulation for cryptography", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zbkc, name: "zbkc", title: "Carry-less multiplication for cryptography", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zbkx, name: "zbkx", title: "Crossbar permutations", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zbs, name: "zbs", title: "Single-bit instructions", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zk, name: "zk", title: "Standard scalar cryptography", implies: &[Zkn, Zkr, Zkt], draft: None, source: None },
    ExtInfo { ext: Zkn, name: "zkn", title: "NIST algorithm suite", implies: &[Zbkb, Zbkc, Zbkx, Zkne, Zknd, Zknh], draft: None, source: None },
    ExtInfo { ext: Zknd, name: "zknd", title: "NIST suite: AES decryption", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zkne, name: "zkne", title: "NIST suite: AES encryption", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zknh, name: "zknh", title: "NIST suite: hash functions", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zkr, name: "zkr", title: "Entropy source", implies: &[Zicsr], draft: None, source: None },
    ExtInfo { ext: Zks, name: "zks", title: "ShangMi algorithm suite", implies: &[Zbkb, Zbkc, Zbkx, Zksed, Zksh], draft: None, source: None },
    ExtInfo { ext: Zksed, name: "zksed", title: "ShangMi suite: SM4", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zksh, name: "zksh", title: "ShangMi suite: SM3", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zkt, name: "zkt", title: "Data-independent execution latency", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zve32f, name: "zve32f", title: "Embedded vectors, ELEN 32 with single precision", implies: &[Zve32x, F], draft: None, source: None },
    ExtInfo { ext: Zve32x, name: "zve32x", title: "Embedded vectors, ELEN 32", implies: &[Zvl32b, Zicsr], draft: None, source: None },
    ExtInfo { ext: Zve64d, name: "zve64d", title: "Embedded vectors, ELEN 64 with double precision", implies: &[Zve64f, D], draft: None, source: None },
    ExtInfo { ext: Zve64f, name: "zve64f", title: "Embedded vectors, ELEN 64 with single precision", implies: &[Zve32f, Zve64x], draft: None, source: None },
    ExtInfo { ext: Zve64x, name: "zve64x", title: "Embedded vectors, ELEN 64", implies: &[Zve32x, Zvl64b], draft: None, source: None },
    ExtInfo { ext: Zvfhmin, name: "zvfhmin", title: "Vector half-precision conversions", implies: &[Zve32f], draft: None, source: None },
    ExtInfo { ext: Zvbb, name: "zvbb", title: "Vector basic bit manipulation", implies: &[Zvkb], draft: None, source: None },
    ExtInfo { ext: Zvbc, name: "zvbc", title: "Vector carry-less multiplication", implies: &[Zve64x], draft: None, source: None },
    ExtInfo { ext: Zvbc32e0p7, name: "zvbc32e0p7", title: "Vector carry-less multiplication of elements of 8 to 32 bits, draft 0.7", implies: &[Zve32x], draft: Some("zvbc32e"), source: Some("Zvbc32e, draft 0.7 as compilers number it: RISC-V ISA manual, pull request 1306; encodings: those of Zvbc") },
    ExtInfo { ext: Zvkb, name: "zvkb", title: "Vector cryptography bit manipulation", implies: &[Zve32x], draft: None, source: None },
    ExtInfo { ext: Zvkg, name: "zvkg", title: "Vector GCM/GMAC", implies: &[Zve32x], draft: None, source: None },
    ExtInfo { ext: Zvkgs0p7, name: "zvkgs0p7", title: "Vector-scalar GCM/GMAC, draft 0.7", implies: &[Zvkg], draft: Some("zvkgs"), source: None },
    ExtInfo { ext: Zvkk0p2024, name: "zvkk0p2024", title: "Vector Keccak, prototype of 2024 (it had no version)", implies: &[Zve64x, Zvl128b], draft: Some("zvkk"), source: None },
    ExtInfo { ext: Zvkn, name: "zvkn", title: "Vector NIST algorithm suite", implies: &[Zvkned, Zvknhb, Zvkb, Zvkt], draft: None, source: None },
    ExtInfo { ext: Zvknc, name: "zvknc", title: "Vector NIST suite with carry-less multiplication", implies: &[Zvkn, Zvbc], draft: None, source: None },
    ExtInfo { ext: Zvkned, name: "zvkned", title: "Vector AES", implies: &[Zve32x], draft: None, source: None },
    ExtInfo { ext: Zvknf0p2022, name: "zvknf0p2022", title: "Vector AES, all rounds, draft of 2022 (encodings are capvec's own)", implies: &[Zve32x], draft: Some("zvknf"), source: None },
    ExtInfo { ext: Zvkng, name: "zvkng", title: "Vector NIST suite with GCM", implies: &[Zvkn, Zvkg], draft: None, source: None },
    ExtInfo { ext: Zvknha, name: "zvknha", title: "Vector SHA-256", implies: &[Zve32x], draft: None, source: None },
    ExtInfo { ext: Zvknhb, name: "zvknhb", title: "Vector SHA-256 and SHA-512", implies: &[Zvknha, Zve64x], draft: None, source: None },
    ExtInfo { ext: Zvknhk0p1, name: "zvknhk0p1", title: "Vector Keccak, draft 0.1 of 2026-09-11", implies: &[Zve64x, Zvl128b], draft: Some("zvknhk"), source: None },
    ExtInfo { ext: Zvknhk0p2, name: "zvknhk0p2", title: "Vector Keccak, draft 0.2 of 2026-10-07", implies: &[Zve64x, Zvl128b], draft: Some("zvknhk"), source: None },
    ExtInfo { ext: Zvks, name: "zvks", title: "Vector ShangMi algorithm suite", implies: &[Zvksed, Zvksh, Zvkb, Zvkt], draft: None, source: None },
    ExtInfo { ext: Zvksc, name: "zvksc", title: "Vector ShangMi suite with carry-less multiplication", implies: &[Zvks, Zvbc], draft: None, source: None },
    ExtInfo { ext: Zvksed, name: "zvksed", title: "Vector SM4", implies: &[Zve32x], draft: None, source: None },
    ExtInfo { ext: Zvksg, name: "zvksg", title: "Vector ShangMi suite with GCM", implies: &[Zvks, Zvkg], draft: None, source: None },
    ExtInfo { ext: Zvksh, name: "zvksh", title: "Vector SM3", implies: &[Zve32x], draft: None, source: None },
    ExtInfo { ext: Zvkt, name: "zvkt", title: "Vector data-independent execution latency", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zvl32b, name: "zvl32b", title: "VLEN at least 32", implies: &[], draft: None, source: None },
    ExtInfo { ext: Zvl64b, name: "zvl64b", title: "VLEN at least 64", implies: &[Zvl32b], draft: None, source: None },
    ExtInfo { ext: Zvl128b, name: "zvl128b", title: "VLEN at least 128", implies: &[Zvl64b], draft: None, source: None },
    ExtInfo { ext: Zvl256b, name: "zvl256b", title: "VLEN at least 256", implies: &[Zvl128b], draft: None, source: None },
    ExtInfo { ext: Zvl512b, name: "zvl512b", title: "VLEN at least 512", implies: &[Zvl256b], draft: None, source: None },
    ExtInfo { ext: Zvl1024b, name: "zvl1024b", title: "VLEN at least 1024", implies: &[Zvl512b], draft: None, source: None },
    ExtInfo { ext: Zvl2048b, name: "zvl2048b", title: "VLEN at least 2048", implies: &[Zvl1024b], draft: None, source: None },
    ExtInfo { ext: Zvl4096b, name: "zvl4096b", title: "VLEN at least 4096", implies: &[Zvl2048b], draft: None, source: None },
    ExtInfo { ext: Zvl8192b, name: "zvl8192b", title: "VLEN at least 8192", implies: &[Zvl4096b], draft: None, source: None },
    ExtInfo { ext: Zvl16384b, name: "zvl16384b", title: "VLEN at least 16384", implies: &[Zvl8192b], draft: None, source: None },
    ExtInfo { ext: Zvl32768b, name: "zvl32768b", title: "VLEN at least 32768", implies: &[Zvl16384b], draft: None, source: None },
    ExtInfo { ext: Zvl65536b, name: "zvl65536b", title: "VLEN at least 65536", implies: &[Zvl32768b], draft: None, source: None },
    ExtInfo { ext: Xcapvecmulq0p1, name: "xcapvecmulq0p1", title: "Vector multiplication modulo the primes of ML-KEM and ML-DSA (capvec's own)", implies: &[Zve32x], draft: Some("xcapvecmulq"), source: None },
];
