//! Small ELF files, written with the `object` crate: what the scanner finds in them, and what it must not find.

use capvec_binscan::{Evidence, Family, Linkage, Machine, Means, Report, scan};
use capvec_isa::{Decoded, Op, encode, op::OPS};
use object::write::{Object, StandardSection, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};

/// Offset of the code in a specimen's file, which is also the reported address: object files have no others.
const CODE: u64 = 64;

fn specimen(arch: Architecture, code: &[u8], data: &[u8]) -> Object<'static> {
    let mut o = Object::new(BinaryFormat::Elf, arch, Endianness::Little);
    let text = o.section_id(StandardSection::Text);
    o.append_section_data(text, code, 4);
    let rodata = o.section_id(StandardSection::ReadOnlyData);
    o.append_section_data(rodata, data, 16);
    o
}

fn report(o: &Object) -> Report {
    scan(&o.write().unwrap()).unwrap()
}

fn op(name: &str) -> Op {
    OPS.iter().copied().find(|op| op.row().name == name).unwrap()
}

/// A RISC-V instruction with registers 8, 16 and 24.
fn riscv(name: &str) -> Vec<u8> {
    let mut d = Decoded::new(op(name));
    (d.rd, d.rs2, d.rs1) = (8, 16, 24);
    encode(&d).unwrap().to_le_bytes().to_vec()
}

/// `addi x0, x0, 0` in both lengths, so that the rounds of a cipher are at any even distance.
fn padding(n: usize) -> Vec<u8> {
    [[0x13, 0, 0, 0].as_slice(), &[0x01, 0]].concat().repeat(n)
}

#[test]
fn rounds_of_aes_are_found_and_one_word_is_not_enough() {
    let round = [riscv("vaesem.vv"), padding(1)].concat();
    let code = [padding(100), round.repeat(9), riscv("vaesef.vv"), padding(100)].concat();
    let r = report(&specimen(Architecture::Riscv64, &code, b""));
    assert_eq!(r.machine, Machine::Riscv64);
    assert_eq!(r.family(Family::Aes), 10);
    let aes = r.uses.iter().find(|u| u.extension == "zvkned").unwrap();
    assert_eq!((aes.clusters, aes.largest, aes.address), (1, 10, CODE + 600));
    // The same words far apart: these may be data among code.
    let far = [riscv("vaesem.vv"), padding(200)].concat().repeat(9);
    let r = report(&specimen(Architecture::Riscv64, &far, b""));
    assert_eq!(r.family(Family::Aes), 0);
    let aes = r.uses.iter().find(|u| u.extension == "zvkned").unwrap();
    assert!(aes.count == 9 && aes.clusters == 9 && !aes.sure);
}

/// One instruction of VIA PadLock processes a whole message and identifies the algorithm (VIA PadLock Programming Guide,
/// 2005).
#[test]
fn a_single_padlock_instruction_determines_its_algorithm() {
    let far = |instruction: &[u8]| [instruction, &[0x90; 400]].concat();
    let xcrypt = [0xc8, 0xd0, 0xd8, 0xe0, 0xe8].map(|mode| far(&[0xf3, 0x0f, 0xa7, mode]));
    let xsha = |which: u8| far(&[0xf3, 0x0f, 0xa6, which]);
    // xstore gives random numbers and belongs to no algorithm.
    let xstore = far(&[0x0f, 0xa7, 0xc0]);
    let code = [xcrypt.concat(), xsha(0xc8), xsha(0xd0), xsha(0xe0), xstore].concat();
    let r = report(&specimen(Architecture::X86_64, &code, b""));
    let families = [Family::Aes, Family::Sha1, Family::Sha2].map(|f| r.family(f));
    assert_eq!(families, [5, 1, 2], "{:?}", r.uses);
    assert!(r.uses.iter().all(|u| u.extension == "padlock"), "{:?}", r.uses);
}

/// ChaCha is recognised by its four rotations close together; other vector code is not mistaken for it.
#[test]
fn chacha_with_zvkb_is_recognised_by_its_rotations() {
    let rotations = |amounts: &[i64]| {
        let one = |amount: &i64| {
            let mut d = Decoded::new(op("vror.vi"));
            (d.rd, d.rs2, d.imm) = (8, 8, *amount);
            [riscv("vadd.vv"), riscv("vxor.vv"), encode(&d).unwrap().to_le_bytes().to_vec()]
                .concat()
        };
        amounts.iter().flat_map(one).collect::<Vec<u8>>()
    };
    // A state begins with "expand 32-byte k" (RFC 8439, 2.3).
    let with = |code: &[u8]| report(&specimen(Architecture::Riscv64, code, b"expand 32-byte k"));
    let chacha = rotations(&[16, 20, 24, 25]);
    let r = with(&[&chacha[..], &chacha, &padding(9)].concat());
    assert_eq!((r.family(Family::Chacha), r.has("zvkb"), r.is_accelerated()), (8, true, true));
    // Plain V rotates with two shifts; Salsa20 and BLAKE2s have other amounts; rotations that are far apart are coincidence.
    let plain = ["vsll.vi", "vsrl.vi", "vor.vv"].map(riscv).concat().repeat(16);
    let far = [16, 20, 24, 25].map(|a| [rotations(&[a]), padding(60)].concat()).concat();
    let others = [rotations(&[25, 23, 19, 14]), rotations(&[16, 12, 8, 7])];
    let more = rotations(&[16, 20, 24, 25, 2]);
    for code in [&plain, &far, &others[0], &others[1], &rotations(&[16, 20, 24]), &more] {
        let r = with(code);
        assert_eq!((r.family(Family::Chacha), r.is_accelerated()), (0, false), "{:?}", r.uses);
        assert_eq!(r.constants[0].what, "ChaCha20 or Salsa20 constants");
    }
}

/// Half-words that are not instructions do not hide the code that follows.
#[test]
fn code_after_data_is_found() {
    let code = [vec![0xff, 0xff, 0x1f, 0x80, 0x07], riscv("vaesem.vv")].concat();
    let code = [&code[..4], &riscv("vsm4r.vv").repeat(8)].concat();
    let r = report(&specimen(Architecture::Riscv64, &code, b""));
    assert!(r.family(Family::Sm4) >= 7, "{:?}", r.uses);
}

#[test]
fn a_stripped_copy_of_openssl_is_recognised_by_its_paths() {
    let data = b"../crypto/evp/evp_enc.c\0OpenSSL 3.0.15 3 Sep 2024\0";
    let r = report(&specimen(Architecture::Riscv64, &padding(100), data));
    assert_eq!(
        (r.libraries[0].name.as_str(), r.libraries[0].version.as_str()),
        ("OpenSSL", "3.0.15")
    );
    assert_eq!(r.libraries[0].evidence, Evidence::Strings);
    assert!(!r.is_accelerated());
    // A program that only uses the shared library contains the version text, which comes from a header.
    let r = report(&specimen(Architecture::Riscv64, &padding(100), b"OpenSSL 3.0.15 3 Sep 2024\0"));
    assert!(r.libraries.is_empty() && r.constants.is_empty() && !r.is_accelerated());
}

#[test]
fn forks_of_openssl_are_not_mistaken_for_it() {
    for (text, name) in [
        (&b"/src/boringssl/crypto/fipsmodule/aes/aes.c\0crypto/evp/digest.c\0"[..], "BoringSSL"),
        (b"/x/aws-lc/crypto/fipsmodule/aes.c\0crypto/evp/digest.c\0AWS-LC 1.48.0\0", "AWS-LC"),
    ] {
        let r = report(&specimen(Architecture::Aarch64, &[0; 4], text));
        let names: Vec<&str> = r.libraries.iter().map(|l| l.name.as_str()).collect();
        assert_eq!(names, [name]);
    }
}

#[test]
fn a_go_program_is_recognised_by_its_build_information() {
    let mut o = specimen(Architecture::Riscv64, &padding(8), b"crypto/aes.(*Block).Encrypt\0");
    let id = o.add_section(Vec::new(), b".go.buildinfo".to_vec(), object::SectionKind::Data);
    let mut info = b"\xff Go buildinf:\x08\x02".to_vec();
    info.resize(32, 0);
    info.extend(b"\x08go1.24.4\x00");
    o.append_section_data(id, &info, 16);
    let r = report(&o);
    assert_eq!(
        (r.libraries[0].name.as_str(), r.libraries[0].version.as_str()),
        ("Go crypto (aes)", "1.24.4")
    );
    assert_eq!(r.libraries[0].evidence, Evidence::GoBuild);
}

#[test]
fn a_rust_program_is_recognised_by_the_paths_of_its_crates() {
    let data = b"/registry/src/x/aes-0.8.4/src/soft.rs/registry/src/x/ring-0.17.14/src/aead.rs";
    let r = report(&specimen(Architecture::Riscv64, &padding(8), data));
    let found: Vec<(&str, &str)> =
        r.libraries.iter().map(|l| (l.name.as_str(), l.version.as_str())).collect();
    assert_eq!(found, [("ring", "0.17.14"), ("RustCrypto aes", "0.8.4")]);
}

/// AArch64 and x86-64, with words that GNU as has assembled.
#[test]
fn instructions_of_other_architectures_are_found() {
    let aese = 0x4e28_4820u32.to_le_bytes().repeat(10);
    let r = report(&specimen(Architecture::Aarch64, &aese, b""));
    assert_eq!((r.machine, r.family(Family::Aes)), (Machine::Aarch64, 10));
    // aesenc xmm0, xmm1; vaesenc zmm0, zmm0, zmm0; sha256rnds2 xmm0, xmm1
    let code = [
        [0x66, 0x0f, 0x38, 0xdc, 0xc1].repeat(9),
        [0x62, 0xf2, 0x7d, 0x48, 0xdc, 0xc0].repeat(9),
        [0x0f, 0x38, 0xcb, 0xc1].repeat(9),
    ];
    let r = report(&specimen(Architecture::X86_64, &code.concat(), b""));
    assert!(r.has("aesni") && r.has("vaes") && r.has("sha") && !r.has("avx512f"), "{:?}", r.uses);
    assert_eq!((r.family(Family::Aes), r.family(Family::Sha2), r.family(Family::Sha1)), (18, 9, 0));
}

/// Functions are named if the file has symbols. Functions of Go's runtime do not count: they use the instructions for hash
/// tables.
#[test]
fn functions_are_named_and_those_of_the_go_runtime_do_not_count() {
    let code = 0x4e28_4820u32.to_le_bytes().repeat(10);
    for (name, counted) in [("aes_encrypt", 10), ("runtime.memhash64", 0)] {
        let mut o = specimen(Architecture::Aarch64, &code, b"");
        // A symbol with value 0 would be ignored.
        let section = SymbolSection::Section(o.section_id(StandardSection::Text));
        o.add_symbol(Symbol {
            name: name.into(),
            value: 4,
            size: 36,
            kind: SymbolKind::Text,
            scope: SymbolScope::Linkage,
            weak: false,
            section,
            flags: SymbolFlags::None,
        });
        let r = report(&o);
        assert!(!r.stripped && r.uses.iter().any(|u| u.functions == [name]), "{:?}", r.uses);
        assert_eq!(r.family(Family::Aes) >= 9, counted == 10, "{name}");
    }
}

#[test]
fn errors_say_what_a_file_is_instead_of_elf() {
    for (bytes, words) in [
        (&b"#!/bin/sh\n"[..], "a script for /bin/sh"),
        (b"hello\n", "but a text"),
        (b"", "it is empty"),
        (b"MZ\x90\0", "Windows or EFI"),
        (b"\x01\x02\0", "not an ELF file;"),
        (b"\x7fELF", "damaged"),
        (b"!<thin>\n", "only names"),
        (b"!<arch>\n", "without an ELF object file"),
        (b"!<arch>\nx", "cut short"),
        (b"\xfd7zXZ\0", "compressed by xz"),
    ] {
        let e = scan(bytes).unwrap_err().to_string();
        assert!(e.contains(words), "{e}");
    }
}

/// The members of an archive are scanned as one file.
#[test]
fn archives_are_the_sum_of_their_members() {
    let member = |o: &Object| {
        let bytes = o.write().unwrap();
        let header = format!("{:<48}{:<10}`\n", "x.o/", bytes.len());
        [header.into_bytes(), bytes.clone(), vec![b'\n'; bytes.len() % 2]].concat()
    };
    let aes = specimen(Architecture::Riscv64, &riscv("vaesem.vv").repeat(5), b"");
    let sm4 = specimen(
        Architecture::Riscv64,
        &riscv("vsm4r.vv").repeat(8),
        b"../crypto/evp/evp_enc.c\0/src/boringssl/crypto/x.c\0OpenSSL 3.0.15 3\0",
    );
    let other = specimen(Architecture::Riscv64, b"", b"boringssl/src/crypto/x.c\0");
    let all = [b"!<arch>\n".to_vec(), member(&aes), member(&sm4), member(&aes), member(&other)];
    let r = scan(&all.concat()).unwrap();
    assert_eq!((r.family(Family::Aes), r.family(Family::Sm4)), (10, 8));
    assert_eq!((r.linkage, r.machine), (Linkage::Archive, Machine::Riscv64));
    let names: Vec<&str> = r.libraries.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["BoringSSL"], "the fork of OpenSSL is in another member");
}

/// RISC-V code that loads each constant of SHA-1 with two instructions.
#[test]
fn constants_in_unrolled_rounds_are_recognised() {
    // lui a5, UPPER; addiw a4, a5, LOWER
    let load = |word: u32| {
        let upper = word.wrapping_add(0x800) & 0xffff_f000;
        let lower = word.wrapping_sub(upper) & 0xfff;
        [upper | 0x7b7, lower << 20 | 0x7_871b].map(u32::to_le_bytes).concat()
    };
    let words = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];
    let code: Vec<u8> = words.iter().flat_map(|w| [load(*w), padding(20)].concat()).collect();
    let r = report(&specimen(Architecture::Riscv64, &code, b""));
    let names: Vec<&str> = r.constants.iter().map(|c| c.what).collect();
    assert_eq!(names, ["SHA-1 constants"]);
    assert!(!r.is_accelerated());
}

/// Libraries that a file calls, the most certain first.
#[test]
fn called_libraries_are_named() {
    let mut o = specimen(Architecture::Riscv64, &padding(8), b"libgcrypt.so.20\0libsodium.so is\n");
    o.add_symbol(Symbol {
        name: b"EVP_DigestInit_ex".to_vec(),
        value: 0,
        size: 0,
        kind: SymbolKind::Text,
        scope: SymbolScope::Dynamic,
        weak: false,
        section: SymbolSection::Undefined,
        flags: SymbolFlags::None,
    });
    let r = report(&o);
    let calls: Vec<(&str, Means)> = r.calls.iter().map(|c| (c.library.as_str(), c.by)).collect();
    assert_eq!(calls, [("libcrypto (OpenSSL)", Means::Symbols), ("libgcrypt.so.20", Means::Name)]);
    assert!(r.libraries.is_empty() && r.constants.is_empty() && !r.is_accelerated());
}

/// A kernel module has its own kind of linkage, and its functions are named.
#[test]
fn kernel_modules_are_recognised() {
    let mut o = specimen(Architecture::Riscv64, &riscv("vaesem.vv").repeat(2), b"");
    o.add_section(Vec::new(), b".modinfo".to_vec(), object::SectionKind::Data);
    let section = SymbolSection::Section(o.section_id(StandardSection::Text));
    // An assembler label is not a function.
    for (value, name) in [(0, &b"aes_encrypt_zvkned"[..]), (4, b".L0 ")] {
        o.add_symbol(Symbol {
            name: name.to_vec(),
            value,
            size: 4,
            kind: SymbolKind::Text,
            scope: SymbolScope::Linkage,
            weak: false,
            section,
            flags: SymbolFlags::None,
        });
    }
    let r = report(&o);
    assert_eq!((r.linkage, r.is_accelerated()), (Linkage::Module, true));
    let aes = r.uses.iter().find(|u| u.extension == "zvkned").unwrap();
    assert_eq!(aes.functions, ["aes_encrypt_zvkned"], "the first function of a section");
}
