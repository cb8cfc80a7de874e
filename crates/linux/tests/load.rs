//! Loading programs: what the loader accepts, and clear errors for broken files.

use crate::common::asm::{Asm, CODE, header, segment};
use crate::common::{config, machine, nr, options, reg, root};
use capvec_isa::Op;
use capvec_linux::fs::Xoshiro256;
use capvec_linux::{ElfError, LoadError, Options};
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

/// The message that the user reads when `file` cannot be loaded.
fn error(file: &[u8]) -> String {
    let e = load(&[("prog", file)]).expect_err("a broken file");
    let text = e.to_string();
    assert!(text.starts_with("/prog: "), "does not name the file: {text}");
    text
}

fn changed(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = hello();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

/// Offset of the first program header in the file.
const PHDR: usize = 64;

/// End of the stack's area: the last page of the space holds the code that returns from signal handlers.
const STACK_TOP: u64 = SPACE - 0x1000;

/// A program whose only segment lies at `vaddr`.
fn at_address(vaddr: u64, memsz: u64) -> Vec<u8> {
    let mut file = header(vaddr, 1);
    file.extend(segment(7, 0, vaddr, 0x100, memsz));
    file.resize(0x1000, 0x13);
    file
}

/// GCL saves such programs; Debian's maxima is one.
#[test]
fn a_segment_may_begin_at_the_second_page() {
    load(&[("prog", &at_address(0x1000, 0x1000))]).expect("the segment has room");
}

#[test]
fn a_segment_may_end_where_the_stack_begins() {
    load(&[("prog", &at_address(STACK_TOP - (8 << 20) - 0x1000, 0x1000))])
        .expect("the segment has room");
}

#[test]
fn position_independent_files_get_the_alignment_that_they_ask_for() {
    let mut file = at_address(0, 0x1000);
    // ET_DYN. An alignment of 4 GiB can be met; one of the whole address space or more cannot.
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
        // Inside the stack's area, across its beginning, the whole area, and above it.
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
    // The segment contains the entry point, and address and file offset agree modulo the page size.
    assert!(error(&file).contains("--memory"));
}

/// A dynamic program that names an interpreter.
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
fn errors_of_interpreters_name_the_file_and_its_package() {
    let glibc = dynamic(b"/lib/ld-linux-riscv64-lp64d.so.1\0");
    let text = error(&glibc);
    assert!(
        text.contains("ld-linux-riscv64-lp64d.so.1") && text.contains("package libc6"),
        "{text}"
    );
    let text = error(&dynamic(b"/lib/ld-musl-riscv64.so.1\0"));
    assert!(text.contains("package musl"), "{text}");
    assert!(error(&dynamic(b"/no/end")).contains("no terminating NUL"));
    let e = load(&[("prog", &glibc), ("lib/ld-linux-riscv64-lp64d.so.1", b"text")]);
    match e {
        Err(LoadError::Program { cause: ElfError::BadInterpreter { cause, .. }, .. }) => {
            assert_eq!(*cause, ElfError::NotElf);
        }
        other => panic!("{other:?}"),
    }
    // An interpreter at the addresses of the program.
    let e = load(&[("prog", &dynamic(b"/prog2\0")), ("prog2", &hello())]);
    assert!(e.expect_err("they overlap").to_string().contains("overlap others"));
}

#[test]
fn a_script_is_run_by_the_interpreter_of_its_first_line() {
    let run = |o: &mut Options| o.argv.push(b"last".to_vec());
    let mut a = Asm::default();
    // The program prints the strings of its arguments, which are contiguous in memory.
    a.op(Op::Ld, reg::A1, reg::SP, 0, 8);
    a.li(reg::A0, 1);
    a.li(reg::A2, 64);
    a.ecall(nr::WRITE);
    a.exit(0);
    let dir = root(&[("prog", b"#! /bin/interp  two words \nignored"), ("bin/interp", &a.elf())]);
    let mut o = options(dir.path(), config("rv64gc", 128));
    run(&mut o);
    let exit = machine(o).expect("the script loads").run();
    assert!(exit.stdout.starts_with(b"/bin/interp\0two words\0/prog\0last\0"), "{:?}", exit.stdout);
    let e = load(&[("prog", b"#!/prog\n")]).expect_err("a script that is its own interpreter");
    assert!(e.to_string().contains("#! line"), "{e}");
    let e = load(&[("prog", b"#!/missing\n")]).expect_err("an interpreter that does not exist");
    assert!(e.to_string().contains("its #! line asks for /missing: no such file"), "{e}");
    assert_eq!(e.code(), 126);
}

#[test]
fn errors_explain_why_a_program_cannot_be_started() {
    let dir = root(&[("prog", &hello())]);
    let with = |change: &dyn Fn(&mut Options)| {
        let mut o = options(dir.path(), config("rv64gc", 128));
        change(&mut o);
        machine(o).map(|_| ()).expect_err("the program cannot be started").to_string()
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
    for seed in 0..200 {
        let mut rng = Xoshiro256::from_seed(seed);
        let mut file = good.clone();
        for _ in 0..1 + rng.next_u64() % 4 {
            // Mostly in the headers, where the loader reads numbers.
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
        // The program may run or be refused; a panic names the seed.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            if let Ok(mut m) = machine(o) {
                m.run();
            }
        }));
        assert!(outcome.is_ok(), "seed {seed}");
    }
}
