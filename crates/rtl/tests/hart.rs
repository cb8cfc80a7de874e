//! Runs the same programs on the core and in the simulator.

use crate::common;
use capvec_bare::Image;
use capvec_bare::testing::compile::{For, build};
use capvec_bare::testing::{CODE, DATA, exit, load_address, program, word};
use capvec_isa::Op;
use capvec_rtl::figures;
use capvec_rtl::hart::{
    Cosim, DIRECTORIES, Ended, Model, Parameters, directed, stimulus, vector_stimulus,
};
use capvec_rtl::model::Parameters as _;
use capvec_rtl::{Source, Verilator};
use capvec_sim::testing::Rng;
use capvec_util::testing::found;

/// Drafts that are on; Zvknhk0p1 excludes one of them.
const DRAFTS_ON: &[&str] = &["Zvknhk0p2", "Xcapvecmulq0p1", "Zvknf0p2022"];

/// With drafts, so that mutants can be in these, too.
pub(crate) fn with_drafts() -> Parameters {
    Parameters { vlen: 256, dlen: 128, memory: 1 << 20, drafts: DRAFTS_ON }
}

/// The core of the records; in a process that tries a mutant, the one above.
fn usual() -> Parameters {
    let drafts: &[&str] = if common::is_mutated() { DRAFTS_ON } else { &[] };
    Parameters { drafts, ..with_drafts() }
}

/// VLEN and DLEN of the other configurations, for `make rtl-test`.
const WIDTHS: [(u32, u32); 8] = [
    (128, 64),
    (256, 64),
    (128, 128),
    (256, 256),
    (512, 128),
    (512, 512),
    (1024, 256),
    (1024, 512),
];

fn source() -> Source {
    common::source(&DIRECTORIES)
}

/// The core of the records.
pub(crate) fn model() -> Option<Model> {
    model_with(usual())
}

fn model_with(parameters: Parameters) -> Option<Model> {
    let verilator = common::verilator()?;
    let source = source();
    let model = Model::build(&verilator, &source, parameters, &common::directory());
    Some(model.expect("the model"))
}

/// Runs a program, without stalls and with them.
fn run(words: &[u32]) -> Option<Ended> {
    let image = Image::parse(&program(words)).expect("a program");
    let mut plain = Cosim::new(model()?, &image, None).expect("memory");
    let ended = plain.run(100_000).unwrap_or_else(|e| panic!("{e:#}"));
    let stalls = Some(Rng::seeded(1));
    let mut stalled = Cosim::new(plain.into_model(), &image, stalls).expect("memory");
    let slow = stalled.run(100_000).unwrap_or_else(|e| panic!("with stalls: {e:#}"));
    assert_eq!(Ended { cycles: slow.cycles, ..ended.clone() }, slow);
    Some(ended)
}

#[test]
fn lint_is_clean() {
    let Some(verilator) = common::verilator() else { return };
    let source = source();
    lint(&verilator, &source, &usual());
}

fn lint(verilator: &Verilator, source: &Source, parameters: &Parameters) {
    let lint = parameters.design().lint(verilator, source, &common::directory());
    lint.unwrap_or_else(|e| panic!("{parameters:?}: {e:#}"));
}

#[test]
fn a_small_loop_agrees_with_the_simulator() {
    // 1 + 2 + ... + 100, stored and loaded at an odd address.
    let mut words = load_address(10, DATA + 1023);
    words.extend([
        word(Op::Addi, 5, 0, 0, 100),
        word(Op::Add, 6, 6, 5, 0),
        word(Op::Addi, 5, 5, 0, -1),
        word(Op::Bne, 0, 5, 0, -8),
        word(Op::Sd, 0, 10, 6, 0),
        word(Op::Lw, 7, 10, 0, 0),
        word(Op::Addi, 8, 0, 0, 1000),
        word(Op::Mul, 9, 7, 8, 0),
        word(Op::Divu, 9, 9, 8, 0),
        word(Op::Sub, 9, 9, 7, 0),
    ]);
    words.extend(exit(7));
    let Some(ended) = run(&words) else { return };
    assert_eq!(ended.code, Some(7));
    println!("{CODE:#x}: {ended:?}");
}

fn random(parameters: Parameters, programs: u64, vectors: bool) {
    let Parameters { vlen, memory, drafts, .. } = parameters;
    let Some(model) = model_with(parameters) else { return };
    let name = if vectors { "random vector programs" } else { "random scalar programs" };
    let mut rng = Rng::new(name);
    let vectors = vectors.then(|| vector_stimulus::ops(drafts));
    let others =
        |rng: &mut Rng| vectors.as_ref().map_or(vec![], |v| vector_stimulus::words(v, vlen, rng));
    let ops = stimulus::scalar_ops();
    let programs = (0..common::programs(programs)).map(|_| {
        let start = vector_stimulus::prologue();
        stimulus::program(&ops, memory, 300, &mut rng, &start, others)
    });
    agree(model, programs, 2500, name);
}

/// More instructions than a directed program executes.
const WHOLE: u64 = 100_000;

/// Runs these programs, every second one with stalls, until each ends or `most` instructions have retired.
fn agree(mut model: Model, programs: impl Iterator<Item = Vec<u32>>, most: u64, name: &str) {
    let mut rng = Rng::new(name);
    let (mut retired, mut traps, mut cycles) = (0, 0, 0);
    let start = common::processor_time();
    for (n, words) in programs.enumerate() {
        let ran = common::run(model, &words, n % 2 != 0, most, &mut rng);
        let (ended, next) = ran.unwrap_or_else(|e| panic!("program {n}: {e:#}"));
        (retired, traps, cycles) =
            (retired + ended.retired, traps + ended.traps, cycles + ended.cycles);
        model = next;
    }
    let took = common::processor_time() - start;
    let khz = cycles as f64 / 1000.0 / took.as_secs_f64();
    println!(
        "{retired} instructions and {traps} traps in {cycles} cycles without difference, {khz:.0} kHz of processor time"
    );
    assert!(retired > traps && traps > 0);
}

#[test]
fn random_scalar_programs() {
    random(usual(), 40, false);
}

#[test]
fn random_vector_programs() {
    random(usual(), 60, true);
}

/// Overlaps of register groups, forms of vset, gathers and chains.
fn directed(parameters: Parameters) {
    let programs = directed::programs(&parameters, &mut Rng::new("directed programs"));
    let Some(model) = model_with(parameters) else { return };
    agree(model, programs.into_iter(), WHOLE, "directed programs");
}

#[test]
fn directed_vector_programs() {
    directed(usual());
    // Below 128 bits, zvku reads pairs of words, some of them twice.
    directed(Parameters { vlen: 128, dlen: 64, ..usual() });
}

#[test]
#[ignore = "minutes: make rtl-test"]
fn every_width_agrees_with_the_simulator() {
    let Some(verilator) = common::verilator() else { return };
    let source = source();
    for (vlen, dlen) in WIDTHS {
        println!("VLEN {vlen}, DLEN {dlen}");
        let parameters = Parameters { vlen, dlen, ..usual() };
        lint(&verilator, &source, &parameters);
        directed(Parameters { vlen, dlen, ..usual() });
        random(parameters, 40, true);
    }
}

/// The unit's drafts, in cores of which one has groups of 16 registers for a state of Keccak.
#[test]
#[ignore = "minutes: make rtl-test"]
fn drafts_in_the_core_agree_with_the_simulator() {
    let Some(verilator) = common::verilator() else { return };
    let source = source();
    for (vlen, dlen, drafts) in
        [(256, 128, DRAFTS_ON), (128, 64, DRAFTS_ON), (1024, 256, &["Zvknhk0p1", "Zvknf0p2022"])]
    {
        println!("VLEN {vlen}, DLEN {dlen}, {drafts:?}");
        let parameters = Parameters { vlen, dlen, drafts, ..usual() };
        lint(&verilator, &source, &parameters);
        directed(parameters.clone());
        random(parameters, 60, true);
    }
}

/// The example of crypto/ with the library's unmodified kernels. It checks known answers itself.
#[test]
#[ignore = "a minute: make rtl-test"]
fn kernels_of_libcapvec_run_and_are_fast() {
    let Some(model) = model() else { return };
    let Some(image) = example("examples/bare", "example") else { return };
    let mut cosim = Cosim::new(model, &image, None).expect("memory");
    let ended = cosim.run(10_000_000).unwrap_or_else(|e| panic!("{e:#}"));
    println!("{} instructions without difference in {} cycles", ended.retired, ended.cycles);
    println!("{}", ended.console);
    assert_eq!((ended.code, ended.lacking), (Some(0), vec![]));
    let kernels = ended.console.lines().skip(1).map(|l| l.split(',').nth(1).expect("cycles"));
    // Portable code takes more than ten times as long.
    let cycles: Vec<f64> = kernels.map(|c| c.parse().expect("cycles per byte")).collect();
    assert!(cycles.len() == 8 && cycles.iter().all(|c| *c < 10.0), "{}", ended.console);
}

/// Every ELF file in the directory CAPVEC_RTL_ELF, such as those of riscv-tests, which end with code 0.
#[test]
#[ignore = "needs programs: docs/rtl.md"]
fn programs_of_a_directory_agree_with_the_simulator() {
    let Some(directory) = std::env::var_os("CAPVEC_RTL_ELF") else {
        println!("skipped: CAPVEC_RTL_ELF names no directory of programs");
        return;
    };
    let Some(mut model) = model() else { return };
    let files = std::fs::read_dir(&directory).expect("CAPVEC_RTL_ELF").map(|f| f.expect("a file"));
    let mut files: Vec<_> = files.map(|f| f.path()).collect();
    files.sort();
    let mut failed = Vec::new();
    for file in &files {
        let image = Image::parse(&std::fs::read(file).expect("readable")).expect("an ELF file");
        let mut cosim = Cosim::new(model, &image, None).expect("memory");
        let ended = cosim.run(1_000_000);
        if ended.as_ref().is_ok_and(|e| e.code == Some(0)) {
            println!("{}: passed", file.display());
        } else {
            failed.push(format!("{}: {ended:?}", file.display()));
        }
        model = cosim.into_model();
    }
    println!("{} of {} passed", files.len() - failed.len(), files.len());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A program below `crypto/examples` for the core, if there is a compiler for it.
fn example(makefile: &str, name: &str) -> Option<Image> {
    let kept = concat!(env!("CARGO_TARGET_TMPDIR"), "/bare-rtl");
    let caps = "rv64imc_v_zvkb_zvkg_zvkned_zvknhb_zvksed_zvksh";
    let f = For { arch: "rv64imc_zicsr", abi: "lp64", caps };
    let dir = found("riscv-compiler", build(kept, makefile, &f))?;
    let program = std::fs::read(dir.join(name)).expect("the program");
    Some(Image::parse(&program).expect("a program"))
}

/// The core model predicts the cycles of the RTL at every width.
#[test]
#[ignore = "minutes: make rtl-test"]
fn kernels_take_the_predicted_cycles() {
    // The program of `capvec rtl`.
    let Some(image) = example("examples/cycles", "cycles") else { return };
    let mut outside = Vec::new();
    for (vlen, dlen) in [(256, 64), (256, 128), (256, 256), (512, 512)] {
        let Some(model) = model_with(Parameters { vlen, dlen, ..usual() }) else { return };
        let (measured, _) = figures::measure(model, &image).unwrap_or_else(|e| panic!("{e:#}"));
        let core = figures::core_model(dlen).expect("the core model");
        // At DLEN 64, reads meet in a bank of the register file more often: records/rtl.md.
        let most = if dlen == 64 { 0.06 } else { 0.05 };
        let predicted = figures::predict(&core, vlen, &image);
        for (m, p) in measured.iter().zip(predicted.unwrap_or_else(|e| panic!("{e:#}"))) {
            assert_eq!((&m.case, m.warm.instructions), (&p.case, p.warm.instructions));
            let (took, said) = (m.warm.cycles, p.warm.cycles);
            let off = said as f64 / took as f64 - 1.0;
            println!("{dlen:>3} {:<32} {took:>6} {said:>6} {:>+6.1} %", m.case, 100.0 * off);
            if off.abs() >= most {
                outside.push(format!("{} at DLEN {dlen}", m.case));
            }
        }
    }
    assert!(outside.is_empty(), "too far off: {outside:?}");
}
