//! How the translating engine uses the host's pages: none is ever writable and executable at once, and generated code
//! writes nothing outside the guest's address space. A program of its own, because it reads the mappings of the whole process.
#![cfg(all(translates, target_os = "linux"))]

mod common;

use capvec_jit::Options;
use capvec_sim::Hart;
use capvec_sim::mem::table::{BEFORE, CODE, ENTRIES, NEAR, WRITE, WRITE_ACROSS};
use capvec_sim::mem::{PAGE, SPACE};
use capvec_sim::testing::Rng;
use common::campaign::campaign;
use common::programs::{all, program, scalar};
use common::{EAGER, Pair};
use rustix::mm::{MapFlags, ProtFlags};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

/// This process's mappings that are writable and executable, and the number of executable ones (proc_pid_maps(5)).
fn mappings() -> (Vec<String>, usize) {
    let text = fs::read_to_string("/proc/self/maps").expect("a list of mappings");
    let has = |line: &str, c| line.split(' ').nth(1).is_some_and(|perms| perms.contains(c));
    let both = |l: &&str| has(l, 'w') && has(l, 'x');
    (
        text.lines().filter(both).map(String::from).collect(),
        text.lines().filter(|l| has(l, 'x')).count(),
    )
}

/// Polls the mappings while engines come and go, and generate, run, patch and drop code.
#[test]
fn no_page_is_writable_and_executable() {
    let (found, executable) = mappings();
    assert_eq!(found, [] as [String; 0], "before");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let (mut polls, mut most) = (0, 0);
            while !done.load(Ordering::Relaxed) {
                let (found, executable) = mappings();
                assert_eq!(found, [] as [String; 0], "poll {polls}");
                (polls, most) = (polls + 1, most.max(executable));
            }
            (polls, most)
        });
        let ops = all();
        for n in 0..20 {
            // A buffer that fills up repeatedly.
            let options = Options { code_bytes: 64 << 10, hot_threshold: n % 3, ..EAGER };
            let pair = Pair::on(["ideal", "karu64"][n as usize % 2], 256, options);
            campaign("no_page_is_writable_and_executable", pair, 20, |rng| program(rng, &ops));
        }
        done.store(true, Ordering::Relaxed);
        let (polls, most) = watch.join().expect("no such page");
        println!("{polls} polls");
        assert!(polls > 10 && most > executable, "{polls} polls, {most} executable mappings");
    });
}

/// Host memory next to a guest's address space or its permission table, which must not change.
struct Canary {
    at: *mut u8,
}

/// Length of a canary: more than any instruction's offset or a vector register group.
const LEN: usize = 1 << 20;
const FILL: u8 = 0xa7;

impl Canary {
    /// Maps a canary at this address; `None` if something is already there.
    fn new(at: u64) -> Option<Canary> {
        let flags = MapFlags::PRIVATE | MapFlags::FIXED_NOREPLACE;
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a mapping that replaces no other.
        let got = unsafe { rustix::mm::mmap_anonymous(at as *mut _, LEN, prot, flags) };
        let at: *mut u8 = got.ok()?.cast();
        // SAFETY: the mapping just made, of this length.
        unsafe { at.write_bytes(FILL, LEN) };
        Some(Canary { at })
    }

    fn is_alive(&self) -> bool {
        // SAFETY: the mapping of this length, which nobody writes to.
        unsafe { std::slice::from_raw_parts(self.at, LEN) }.iter().all(|b| *b == FILL)
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length; nobody has a reference to it.
        let _ = unsafe { rustix::mm::munmap(self.at.cast(), LEN) };
    }
}

/// Canaries around the hart's address space.
fn canaries(h: &Hart) -> Vec<Canary> {
    let base = h.mem.host_base() as u64;
    [base - BEFORE - LEN as u64, base + SPACE + NEAR + PAGE]
        .into_iter()
        .filter_map(Canary::new)
        .collect()
}

/// The permissions of all pages, as generated code reads them, apart from the bits that change with the code that is
/// decoded.
fn permissions(h: &Hart) -> Vec<u8> {
    let table = h.mem.host_base().wrapping_sub(BEFORE as usize);
    // SAFETY: the table has this many bytes, and is only changed by `Memory`.
    let table = unsafe { std::slice::from_raw_parts(table, ENTRIES as usize) };
    table.iter().map(|entry| entry & !(CODE | WRITE | WRITE_ACROSS)).collect()
}

/// Addresses next to the space, as a program would have to compute them.
fn address(rng: &mut Rng) -> u64 {
    let near = rng.pick(&[0, SPACE, 0u64.wrapping_sub(BEFORE), 1 << 63, 1 << 39, BEFORE]);
    near.wrapping_add(rng.below(512)).wrapping_sub(256)
}

#[test]
fn nothing_outside_of_the_space_is_written() {
    let mut rng = Rng::new("nothing_outside_of_the_space_is_written");
    let mut watched = 0;
    for core in ["ideal", "karu64"] {
        for ops in [scalar(), all()] {
            let mut pair = Pair::on(core, 512, EAGER);
            let around = canaries(&pair.jit.1);
            let before = permissions(&pair.jit.1);
            watched += around.len();
            for _ in 0..400 {
                pair.load(&program(&mut rng, &ops));
                for _ in 0..40 {
                    let values: Vec<u64> = (0..32).map(|_| address(&mut rng)).collect();
                    pair.both(|h| (1..32).for_each(|r| h.write_x(r, values[r as usize])));
                    pair.run(rng.below(12));
                    let pc = common::CODE + rng.below(40) * 4;
                    pair.both(|h| h.pc = pc);
                }
                assert!(around.iter().all(Canary::is_alive), "{core}");
            }
            assert!(permissions(&pair.jit.1) == before, "{core}: the table of permissions");
        }
    }
    println!("{watched} neighbours watched");
}
