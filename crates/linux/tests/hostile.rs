//! Broken files and hostile programs: clear errors, and never a panic.

use crate::common::asm::{Asm, CODE, header, segment};
use crate::common::{config, machine, nr, options, reg, root, run_with};
use capvec_isa::Op;
use capvec_linux::fs::Xoshiro256;
use capvec_linux::{ElfError, LoadError, Options, Status};
use capvec_sim::mem::SPACE;

fn load(files: &[(&str, &[u8])]) -> Result<(), LoadError> {
    let dir = root(files);
    machine(options(dir.path(), config("rv64gc", 128))).map(|_| ())
}

fn hello() -> Vec<u8> {
    let mut a = Asm::default();
    let text = a.data(b"hello\n");
    a.call(nr::WRITE, &[1, text, 6]);
    a.exit(0);
    a.elf()
}

/// The error of loading `file`, as its user reads it.
fn error(file: &[u8]) -> String {
    let e = load(&[("prog", file)]).expect_err("it is broken");
    let text = e.to_string();
    assert!(text.starts_with("/prog: "), "names the file: {text}");
    text
}

fn changed(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = hello();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

/// Offsets in the first program header of the test program.
const PHDR: usize = 64;

/// End of the stack's area: the last page of the space has the return from signal handlers.
const STACK_TOP: u64 = SPACE - 0x1000;

/// A program whose only segment lies at `vaddr`.
fn at_address(vaddr: u64, memsz: u64) -> Vec<u8> {
    let mut file = header(vaddr, 1);
    file.extend(segment(7, 0, vaddr, 0x100, memsz));
    file.resize(0x1000, 0x13);
    file
}

/// As GCL saves programs, such as Debian's maxima.
#[test]
fn segments_begin_at_the_second_page() {
    load(&[("prog", &at_address(0x1000, 0x1000))]).expect("it fits");
}

#[test]
fn segments_go_up_to_the_stack() {
    load(&[("prog", &at_address(STACK_TOP - (8 << 20) - 0x1000, 0x1000))]).expect("it fits");
}

#[test]
fn position_independent_files_are_aligned_as_they_ask() {
    let mut file = at_address(0, 0x1000);
    // ET_DYN, aligned to 4 GiB: the place has room for it. To the whole space: it has not.
    file[16] = 3;
    for (align, fits) in [(1u64 << 32, true), (1 << 38, false), (1 << 63, false)] {
        file[PHDR + 48..PHDR + 56].copy_from_slice(&align.to_le_bytes());
        assert_eq!(load(&[("prog", &file)]).is_ok(), fits, "{align:#x}");
    }
}

#[test]
fn errors_name_the_file_and_the_remedy() {
    load(&[("prog", &hello())]).expect("the unchanged file loads");
    for (file, words) in [
        (changed(4, &[1]), ["ELFCLASS32", "RV64"]),
        (changed(5, &[2]), ["big-endian", "little"]),
        (changed(18, &[62]), ["X86_64", "riscv64 sysroot"]),
        (changed(16, &[1]), ["REL", "link"]),
        (changed(48, &[8]), ["RV64E", "RV64I"]),
        (b"MZ\x90\0".to_vec(), ["not an ELF file", "riscv64"]),
        (Vec::new(), ["not an ELF file", "riscv64"]),
        (hello()[..50].to_vec(), ["truncated", "header"]),
        (hello()[..100].to_vec(), ["truncated", "program header"]),
        (hello()[..0x1010].to_vec(), ["truncated", "0x11000"]),
        (changed(56, &[0]), ["0 program headers", "build"]),
        (changed(32, &[0xff; 8]), ["truncated", "program header"]),
        (changed(24, &[0; 8]), ["entry point 0x0", "build"]),
        (changed(PHDR + 16, &[0, 0, 0, 0, 0, 0, 0, 0x80]), ["leaves the address space", "build"]),
        (changed(PHDR + 16, &[0, 0, 0]), ["below", "0x1000"]),
        (changed(PHDR + 40, &[0xff; 8]), ["leaves the address space", "build"]),
        (changed(PHDR + 32, &[0xff; 8]), ["more bytes in the file", "build"]),
        (changed(PHDR + 8, &[1]), ["file offset", "build"]),
        (changed(PHDR + 56 + 16, &[0, 0x10, 0x01]), ["overlaps", "build"]),
        (changed(PHDR + 48, &[0, 0x30]), ["alignment 0x3000", "power of two"]),
        (changed(PHDR + 48, &[0, 0, 2]), ["alignment", "file offset"]),
        // In the stack's area, at its end, and over it.
        (at_address(STACK_TOP - 0x2000, 0x1000), ["where the stack is", "build"]),
        (at_address(STACK_TOP - (8 << 20) - 0x1000, 0x2000), ["where the stack is", "build"]),
        (at_address(STACK_TOP - (9 << 20), 9 << 20), ["where the stack is", "build"]),
        (at_address(STACK_TOP, 0x1000), ["leaves the address space", "build"]),
    ] {
        let text = error(&file);
        assert!(words.iter().all(|w| text.contains(w)), "{words:?} in: {text}");
    }
}

#[test]
fn segments_larger_than_memory_are_refused() {
    let mut file = header(CODE, 1);
    file.extend(segment(5, 0, CODE - 0x1000, 0x1100, 8 << 30));
    file.resize(0x1100, 0x13);
    // The entry is in the segment: its offset within the page is that of the file.
    assert!(error(&file).contains("--memory"));
}

/// A dynamic program that asks for an interpreter.
fn dynamic(interpreter: &[u8]) -> Vec<u8> {
    let mut file = header(CODE, 2);
    let mut p = segment(4, 0x200, 0, interpreter.len() as u64, interpreter.len() as u64);
    p[0] = 3; // PT_INTERP
    file.extend(p);
    file.extend(segment(5, 0x1000, CODE, 16, 16));
    file.resize(0x200, 0);
    file.extend(interpreter);
    file.resize(0x1010, 0x13);
    file
}

#[test]
fn interpreters() {
    let glibc = dynamic(b"/lib/ld-linux-riscv64-lp64d.so.1\0");
    let text = error(&glibc);
    assert!(
        text.contains("ld-linux-riscv64-lp64d.so.1") && text.contains("package libc6"),
        "{text}"
    );
    let text = error(&dynamic(b"/lib/ld-musl-riscv64.so.1\0"));
    assert!(text.contains("package musl"), "{text}");
    assert!(error(&dynamic(b"/no/end")).contains("without end"));
    let e = load(&[("prog", &glibc), ("lib/ld-linux-riscv64-lp64d.so.1", b"text")]);
    match e {
        Err(LoadError::Program { cause: ElfError::BadInterpreter { cause, .. }, .. }) => {
            assert_eq!(*cause, ElfError::NotElf);
        }
        other => panic!("{other:?}"),
    }
    // An interpreter that lies where the program does.
    let e = load(&[("prog", &dynamic(b"/prog2\0")), ("prog2", &hello())]);
    assert!(e.expect_err("they overlap").to_string().contains("where others are"));
}

#[test]
fn scripts() {
    let run = |o: &mut Options| o.argv.push(b"last".to_vec());
    let mut a = Asm::default();
    // The program writes its arguments' block: all strings above the first.
    a.op(Op::Ld, reg::A1, reg::SP, 0, 8);
    a.li(reg::A0, 1);
    a.li(reg::A2, 64);
    a.ecall(nr::WRITE);
    a.exit(0);
    let dir = root(&[("prog", b"#! /bin/interp  two words \nignored"), ("bin/interp", &a.elf())]);
    let mut o = options(dir.path(), config("rv64gc", 128));
    run(&mut o);
    let exit = machine(o).expect("it loads").run();
    assert!(exit.stdout.starts_with(b"/bin/interp\0two words\0/prog\0last\0"), "{:?}", exit.stdout);
    let e = load(&[("prog", b"#!/prog\n")]).expect_err("endless");
    assert!(e.to_string().contains("#! line"), "{e}");
    let e = load(&[("prog", b"#!/missing\n")]).expect_err("missing");
    assert!(e.to_string().contains("its #! line asks for /missing: no such file"), "{e}");
    assert_eq!(e.code(), 126);
}

#[test]
fn what_cannot_be_started_is_explained() {
    let dir = root(&[("prog", &hello())]);
    let with = |change: &dyn Fn(&mut Options)| {
        let mut o = options(dir.path(), config("rv64gc", 128));
        change(&mut o);
        machine(o).map(|_| ()).expect_err("it cannot").to_string()
    };
    assert!(with(&|o| o.argv.clear()).contains("no program"));
    let text = with(&|o| o.argv = vec![b"nothing".to_vec()]);
    assert!(
        text.contains("nothing") && text.contains("PATH") && text.contains("/usr/bin"),
        "{text}"
    );
    assert!(with(&|o| o.cwd = b"/else".to_vec()).contains("/else"));
    assert!(with(&|o| o.root = "/nowhere/at/all".into()).contains("/nowhere/at/all"));
    let text = with(&|o| o.config = config("rv64i", 128).into());
    assert!(text.contains("RV64IMA") && text.contains("--isa"), "{text}");
    let long = vec![b'x'; 3 << 20];
    assert!(with(&|o| o.argv.push(long.clone())).contains("bytes"));
}

#[test]
fn random_changes_to_a_file_never_panic() {
    let good = hello();
    for seed in 0..600 {
        let mut rng = Xoshiro256::from_seed(seed);
        let mut file = good.clone();
        for _ in 0..1 + rng.next_u64() % 4 {
            // Mostly in the headers, where the figures are.
            let reach = if rng.next_u64().is_multiple_of(4) { file.len() as u64 } else { 0xb0 };
            let at = (rng.next_u64() % reach) as usize;
            file[at] = match rng.next_u64() % 3 {
                0 => rng.next_u64() as u8,
                1 => 0xff,
                _ => file[at] ^ 1 << (rng.next_u64() % 8),
            };
        }
        if rng.next_u64().is_multiple_of(8) {
            file.truncate((rng.next_u64() % good.len() as u64) as usize);
        }
        let dir = root(&[("prog", &file)]);
        let mut o = options(dir.path(), config("rv64gc", 128));
        (o.max_insns, o.memory) = (Some(10_000), 64 << 20);
        // Both outcomes are fine; a panic names the seed.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            if let Ok(mut m) = machine(o) {
                m.run();
            }
        }));
        assert!(outcome.is_ok(), "seed {seed}");
    }
}

/// An argument: something small, a pointer, or an extreme.
fn argument(rng: &mut Xoshiro256, pointers: &[u64]) -> u64 {
    let pick = rng.next_u64();
    match rng.next_u64() % 12 {
        0..4 => pick % 8,
        4..8 => pointers[pick as usize % pointers.len()].wrapping_add(pick >> 32 & 0x18),
        8 => 1 << (pick % 64),
        9 => u64::MAX - pick % 300,
        10 => pick % 0x2000,
        _ => [0, 4096, u64::MAX, i64::MIN as u64, 1 << 38, 0x10_0000][pick as usize % 6],
    }
}

/// Makes the calls of a table of numbers and six arguments each, then ends.
fn make_calls(a: &mut Asm, table: &[u64]) {
    const ENTRY: u64 = 56;
    let (at, bytes) = (a.data_words(table), 8 * table.len() as u64);
    a.li(reg::S0, at);
    a.li(reg::S1, at + bytes);
    a.label("next");
    a.op(Op::Ld, reg::A7, reg::S0, 0, 0);
    for i in 0..6 {
        a.op(Op::Ld, reg::A0 + i, reg::S0, 0, 8 + 8 * i64::from(i));
    }
    a.push(capvec_isa::Decoded::new(Op::Ecall));
    a.op(Op::Addi, reg::S0, reg::S0, 0, ENTRY as i64);
    a.to(Op::Bne, 0, reg::S0, reg::S1, "next");
    a.exit(0);
}

/// A program that makes random calls.
fn caller(seed: u64, count: u64) -> Asm {
    let mut rng = Xoshiro256::from_seed(seed);
    let mut a = Asm::default();
    let strings = a.data(b"/prog\0/tmp/file\0/\0/proc/self/maps\0/dev/null\0");
    let scratch = a.data(&[0; 256]);
    let pointers = [strings, strings + 6, strings + 16, strings + 18, scratch, scratch + 64, CODE];
    let mut table = Vec::new();
    for _ in 0..count {
        let number = match rng.next_u64() % 20 {
            0 => rng.next_u64() % 700,
            _ => rng.next_u64() % 300,
        };
        // Not what ends the process; for odd seeds neither what often does, so that they go further.
        let ends = matches!(number, 93 | 94);
        let may_end =
            matches!(number, 129..=131 | 133 | 137..=139 | 215 | 216 | 220..=222 | 226 | 240 | 281);
        let number = if ends || (may_end && seed % 2 == 1) { 24 } else { number };
        table.push(number);
        table.extend((0..6).map(|_| argument(&mut rng, &pointers)));
    }
    make_calls(&mut a, &table);
    a
}

/// A seed takes some milliseconds.
const SEEDS: u64 = 60;

#[test]
fn random_system_calls_never_panic() {
    for seed in 0..SEEDS {
        let a = caller(seed, 200);
        let outcome = std::panic::catch_unwind(|| {
            run_with(&a, |o| {
                o.max_insns = Some(50_000);
                o.memory = 64 << 20;
                o.timeout = Some(std::time::Duration::from_secs(20));
            })
        });
        assert!(outcome.is_ok(), "seed {seed}");
    }
}

/// Pointers that are bad in every way, by the page and by the byte: of nothing, of nobody, across the end of what
/// is mapped, read-only, at the ends of the space and of the address.
fn bad_pointers() -> [u64; 12] {
    const DATA_END: u64 = 0x11_0000;
    [
        0,
        1,
        0xfff,
        CODE,
        DATA_END - 1,
        DATA_END - 8,
        DATA_END,
        SPACE - 1,
        SPACE,
        1 << 63,
        u64::MAX - 7,
        u64::MAX,
    ]
}

const SIZES: [u64; 12] =
    [0, 1, 7, 8, 128, 4095, 4097, 1 << 31, 1 << 32, 1 << 38, 1 << 63, u64::MAX];

/// Every system call with every bad pointer and every size, in the orders in which calls have them: alone, after a
/// descriptor, after a directory and a path, everywhere.
#[test]
fn bad_pointers_and_sizes_never_panic() {
    // exit, exit_group; those that wait for ever or end the process by a signal that is sent to it.
    let skipped = |n: u64| matches!(n, 93 | 94 | 129..=131 | 133 | 137..=139 | 240);
    let (mut made, mut through) = (0, 0);
    for number in (0..470).filter(|n| !skipped(*n)) {
        let mut a = Asm::default();
        let path = a.data(b"/prog\0");
        let mut table = Vec::new();
        for p in bad_pointers() {
            for (i, s) in SIZES.into_iter().enumerate() {
                let orders = [
                    [p, s, p, s, p, s],
                    [1, p, s, p, s, 0],
                    [0, path, p, s, p, s],
                    [s, p, p, p, p, p],
                ];
                table.push(number);
                table.extend(orders[i % orders.len()]);
                table.push(number);
                table.extend(orders[(i / 4 + 1) % orders.len()]);
            }
        }
        made += table.len() / 7;
        make_calls(&mut a, &table);
        let outcome = std::panic::catch_unwind(|| {
            run_with(&a, |o| {
                o.max_insns = Some(100_000);
                o.memory = 64 << 20;
                o.timeout = Some(std::time::Duration::from_secs(20));
            })
        });
        let exit = outcome.unwrap_or_else(|_| panic!("system call {number}"));
        through += u32::from(exit.status == Status::Code(0));
    }
    // Some wait for ever, or take away the ground under the program's feet: munmap, mprotect.
    assert!(made > 100_000 && through > 400, "{made} calls, {through} programs to their end");
}
