//! Accesses that the host stops, because the guest is not permitted to make them.

use crate::common::{CODE, DATA, EAGER, Pair};
use capvec_isa::Op;
use capvec_jit::Host;
use capvec_jit::Options;
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{Rng, word};

/// A loop that loads from x10 and stores to x11, both with an offset, and counts in x12; x10 and x11 move on.
fn copying() -> Vec<u8> {
    let words = [
        word(Op::Ld, |d| (d.rd, d.rs1, d.imm) = (13, 10, 8)),
        word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (12, 12, 1)),
        word(Op::Sw, |d| (d.rs1, d.rs2, d.imm) = (11, 13, -4)),
        word(Op::Lbu, |d| (d.rd, d.rs1, d.imm) = (10, 10, 16)),
        word(Op::Add, |d| (d.rd, d.rs1, d.rs2) = (10, 10, 14)),
        word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (11, 11, 24)),
        word(Op::Jal, |d| (d.rd, d.imm) = (0, -24)),
    ];
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Permissions change while translations stay: the next access sees them, at the same instruction and with the same counts.
#[test]
fn permissions_change_under_translated_code() {
    let mut rng = Rng::new("permissions_change_under_translated_code");
    let hosts = [Host::ALL, Host { faults: false, ..Host::ALL }];
    for (core, host) in
        ["ideal", "karu64", "sifive-u74"].into_iter().flat_map(|c| hosts.map(|h| (c, h)))
    {
        let mut pair = Pair::on(core, 128, Options { host, ..EAGER });
        pair.load(&copying());
        let mut hidden = (Vec::new(), Vec::new());
        for _ in 0..400 {
            let at = DATA + rng.below(5) * PAGE;
            let perm =
                rng.pick(&[Perm::NONE, Perm::R, Perm::RW, Perm::RW, Perm(4), Perm(7), Perm::W]);
            match rng.below(8) {
                0 => pair.both(|h| h.mem.unmap(at, PAGE).expect("memory")),
                1 | 2 => pair.both(|h| h.mem.map(at, PAGE, perm).expect("memory")),
                3 => {
                    hidden.0.extend(pair.interp.1.mem.hide(at));
                    hidden.1.extend(pair.jit.1.mem.hide(at));
                }
                _ => pair.both(|h| _ = h.mem.protect(at, PAGE, perm)),
            }
            let (from, to) = (DATA + rng.below(5 * PAGE), DATA + rng.below(5 * PAGE));
            // Some addresses are next to the ends of the address space.
            let from = if rng.one_in(8) {
                rng.pick(&[0, (1 << 38) - 8, 1 << 38, u64::MAX - 7])
            } else {
                from
            };
            pair.both(|h| {
                h.pc = CODE;
                [(10, from), (11, to), (12, 0), (14, from)]
                    .into_iter()
                    .for_each(|(x, v)| h.write_x(x, v));
            });
            pair.run(rng.below(60));
            for (h, pages) in [(&pair.interp.1, &mut hidden.0), (&pair.jit.1, &mut hidden.1)] {
                pages.drain(..).for_each(|page| h.mem.show(page));
            }
        }
    }
}

/// What a child process does after generated code has run: `stack` or `null`.
#[cfg(target_arch = "x86_64")]
const ACT: &str = "CAPVEC_TEST_FAULT";

#[cfg(target_arch = "x86_64")]
#[test]
#[ignore = "a child process of another test"]
fn a_process_that_faults() {
    // By itself, in a run of all ignored tests, it does nothing.
    let Ok(act) = std::env::var(ACT) else { return };
    let mut pair = Pair::new(128, EAGER);
    pair.load(&copying());
    pair.both(|h| [(10, 0), (11, DATA)].into_iter().for_each(|(x, v)| h.write_x(x, v)));
    pair.run(20);
    match act.as_str() {
        "stack" => println!("{}", deep(1)),
        // SAFETY: it is not: the process dies of it, which is the test.
        _ => println!("{}", unsafe { std::ptr::without_provenance::<u8>(16).read_volatile() }),
    }
}

/// Overflows the stack.
#[cfg(target_arch = "x86_64")]
#[expect(unconditional_recursion, reason = "that is its purpose")]
fn deep(n: u64) -> u64 {
    let page = std::hint::black_box([n; 512]);
    deep(n + 1) + page[n as usize % 512]
}

/// The handler leaves other faults to those who came before it: to the standard library, which reports an overflow of the stack, and
/// to the system, which ends the process.
#[cfg(target_arch = "x86_64")]
#[test]
fn other_faults_are_left_to_others() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    let child = |act: &str| {
        let exe = std::env::current_exe().expect("this program");
        let args = ["--exact", "faults::a_process_that_faults", "--ignored", "--nocapture"];
        let run = Command::new(exe).args(args).env(ACT, act).output().expect("a child process");
        (run.status.signal(), String::from_utf8_lossy(&run.stderr).into_owned())
    };
    let (signal, text) = child("null");
    assert_eq!(signal, Some(11), "SIGSEGV: {text}");
    let (signal, text) = child("stack");
    assert_eq!(signal, Some(6), "SIGABRT: {text}");
    assert!(text.contains("overflowed its stack"), "{text}");
}
