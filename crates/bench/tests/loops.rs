//! Compares retired instructions with a count by hand: the length of the stock library's inner loops, from a disassembly,
//! divided by the bytes that an iteration handles.

use capvec_bench::capset::{CapSet, Wanted};
use capvec_bench::case::select;
use capvec_bench::run::Runner;
use capvec_bench::sweep::{self, Plan};
use capvec_guest::Program;
use capvec_isa::disasm::disassemble_word;
use capvec_sysroot::Store;
use capvec_timing::Core;
use goblin::elf::Elf;
use std::collections::BTreeMap;

/// A loop without inner branches, except to leave it: from the target of a backward jump to that jump.
type Loop = Vec<String>;

/// Longest loop that is searched for, in bytes.
const LONGEST: u64 = 1200;

/// Such loops in the library's code that have a vector load.
fn loops() -> Vec<Loop> {
    let store = Store::from_env().unwrap();
    let root = store.get("trixie-riscv64").unwrap().root;
    let path = root.join("usr/lib/riscv64-linux-gnu/libcrypto.so.3");
    let file = std::fs::read(path).unwrap();
    let elf = Elf::parse(&file).unwrap();
    let text = elf
        .section_headers
        .iter()
        .find(|s| elf.shdr_strtab.get_at(s.sh_name) == Some(".text"))
        .unwrap();
    let code = &file[text.sh_offset as usize..][..text.sh_size as usize];
    let mut listing: BTreeMap<u64, String> = BTreeMap::new();
    let mut at = 0;
    while at + 4 <= code.len() {
        let word = u32::from_le_bytes(code[at..at + 4].try_into().unwrap());
        let pc = text.sh_addr + at as u64;
        if let Some(line) = disassemble_word(word, 64, pc) {
            listing.insert(pc, line);
        }
        at += if word & 3 == 3 { 4 } else { 2 };
    }
    let jumps: BTreeMap<u64, u64> =
        listing.iter().filter_map(|(pc, line)| Some((*pc, target(line)?))).collect();
    let back = jumps.iter().filter(|(pc, to)| to < pc && *pc - *to < LONGEST);
    // An iteration executes each instruction once if all other jumps leave the loop at its end.
    let straight =
        |(pc, to): &(&u64, &u64)| jumps.range(**to..**pc).all(|(_, elsewhere)| elsewhere > *pc);
    back.filter(straight)
        .map(|(pc, to)| listing.range(to..=pc).map(|(_, l)| l.clone()).collect())
        .filter(|l: &Loop| l.iter().any(|i| i.starts_with("vle")))
        .collect()
}

/// The target of a branch or jump.
fn target(line: &str) -> Option<u64> {
    let (name, args) = line.split_once(' ')?;
    let name = name.trim_start_matches("c.");
    let jumps = ["beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz", "bnez", "j", "jal"];
    let last = args.rsplit(", ").next()?.strip_prefix("0x")?;
    if jumps.contains(&name) { u64::from_str_radix(last, 16).ok() } else { None }
}

/// A case; a set that takes the path; prefixes of instructions with the number of times that they occur in the loop; the
/// loop's length, counted by hand; and the data that an iteration handles.
type Known = (&'static str, &'static str, &'static [(&'static str, usize)], usize, Step);

enum Step {
    Bytes(usize),
    /// A group of this many vector registers.
    Registers(usize),
}

/// Loops in crypto/aes/asm, crypto/modes/asm, crypto/sha/asm and crypto/sm3/asm of OpenSSL 3.5.7. GCM's loop combines CTR
/// and GHASH.
const KNOWN: [Known; 7] = [
    ("aes-128-ecb", "zvkned", &[("vaesem.vs", 9), ("vxor.vv", 0)], 19, Step::Registers(4)),
    (
        "aes-128-ctr",
        "zvkb_zvkned",
        &[("vaesem.vs", 9), ("vrev8.v", 1), ("vghsh.vv", 0), ("vgmul.vv", 0)],
        24,
        Step::Registers(4),
    ),
    (
        "aes-128-gcm",
        "zvkb_zvkg_zvkned",
        &[("vaesem.vs", 9), ("vghsh.vv v20, v16, v28", 1)],
        27,
        Step::Registers(4),
    ),
    (
        "aes-128-xts",
        "zvbb_zvkg_zvkned",
        &[("vaesem.vs", 9), ("vbrev8.v", 1)],
        25,
        Step::Registers(4),
    ),
    ("sha256", "zvkb_zvknha", &[("vsha2cl.vv", 16), ("vle32.v", 4)], 90, Step::Bytes(64)),
    ("sha512", "zvkb_zvknhb", &[("vsha2cl.vv", 20)], 151, Step::Bytes(128)),
    ("sm3", "zvkb_zvksh", &[("vsm3c.vi", 32)], 79, Step::Bytes(64)),
];

/// The loop of `known` in the library.
fn find<'a>(loops: &'a [Loop], known: &Known) -> &'a Loop {
    let (case, _, has, _, _) = known;
    let times = |l: &Loop, begins: &str| l.iter().filter(|i| i.starts_with(begins)).count();
    let mut fits = loops.iter().filter(|l| has.iter().all(|(begins, n)| times(l, begins) == *n));
    let found = fits.next().unwrap_or_else(|| panic!("{case}: no such loop"));
    assert!(fits.next().is_none(), "{case}: several such loops");
    found
}

/// Two long messages differ in cost by exactly the instructions of the additional iterations.
#[test]
fn additional_bytes_cost_exactly_their_iterations() {
    const BYTES: [usize; 2] = [8192, 16384];
    const VLENS: [u32; 3] = [128, 256, 512];
    let loops = loops();
    let core = Core::load("ideal").unwrap();
    let cases = select(&KNOWN.map(|k| k.0.to_string())).unwrap();
    let wanted = KNOWN.iter().enumerate().map(|(i, k)| {
        let capset = CapSet::parse(k.1, &core.isa).unwrap();
        Wanted { capset, cases: vec![i] }
    });
    let (vlens, bytes) = (VLENS.to_vec(), BYTES.to_vec());
    let plan = Plan { wanted: wanted.collect(), cases, vlens, bytes, ..Plan::default() };
    let runner = Runner::new(core, "trixie-riscv64", &[Program::Measure], &mut |_| ()).unwrap();
    let swept = sweep::run(&runner, &plan, None, &|| ()).unwrap();
    for known in &KNOWN {
        let (case, _, _, counted, step) = known;
        let body = find(&loops, known);
        assert_eq!(body.len(), *counted, "{case}: {body:#?}");
        for vlen in VLENS {
            let rows = swept.rows.iter();
            let of = rows.filter(|r| r.case == *case && r.vlen == vlen && r.direction == "enc");
            let ops: Vec<f64> = of.map(|r| r.insns_per_op.expect("a figure")).collect();
            let step = match step {
                Step::Bytes(n) => *n,
                Step::Registers(n) => n * vlen as usize / 8,
            };
            let rounds = (BYTES[1] - BYTES[0]) / step;
            assert_eq!(ops[1] - ops[0], (rounds * body.len()) as f64, "{case} at VLEN {vlen}");
        }
    }
}
