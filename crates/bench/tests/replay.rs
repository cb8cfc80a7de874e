//! Figures that are replayed are those of a run.

use capvec_bench::capset::expand;
use capvec_bench::case::select;
use capvec_bench::replay::{FEWEST, Family, Member};
use capvec_bench::run::Runner;
use capvec_bench::sweep::{self, Plan};
use capvec_guest::Program;
use capvec_sim::testing::Rng;
use capvec_timing::{Core, Setting};

/// Parameters with values to choose from.
type Choices = [(&'static str, &'static [&'static str])];

/// Where hits and misses are: the same on all cores of a family.
const SHAPES: &Choices = &[
    ("dcache.size", &["1024", "8192", "65536"]),
    ("dcache.width", &["4", "8", "16"]),
    ("icache.ways", &["1", "2", "4"]),
    ("branch.history", &["0", "16", "1024"]),
    ("branch.tagged", &["0", "64"]),
    ("branch.longest", &["16", "64"]),
    ("l2.size", &["4096", "65536"]),
    ("l2.line", &["64"]),
    ("l2.ways", &["1", "8"]),
    ("l2.miss", &["100"]),
    ("tlb.entries", &["4", "16"]),
    ("tlb.ways", &["4"]),
    ("tlb.miss", &["20"]),
    ("vector.memory_bits", &["64", "128", "512"]),
];
/// What they cost.
const COSTS: &Choices = &[
    ("dcache.miss", &["0", "7", "76.5"]),
    ("branch.jump", &["0", "3"]),
    ("l2.miss", &["0", "90"]),
    ("tlb.miss", &["12.5", "40"]),
    ("fetch.word", &["4", "16"]),
    ("vector.startup", &["0", "2.25", "9"]),
];

/// A core with random values of these parameters.
fn varied(core: &Core, parameters: &Choices, rng: &mut Rng) -> Core {
    let chosen = |(key, values): &(&str, &[&str])| {
        let value = values[rng.below(values.len() as u64) as usize].to_string();
        Setting { key: key.to_string(), value }
    };
    let settings: Vec<Setting> = parameters.iter().map(chosen).collect();
    core.with(&settings).unwrap()
}

fn runner(core: &Core, library: &str) -> Runner {
    let (core, library) = (core.clone(), library.parse().unwrap());
    Runner::of(&library, core, "trixie-riscv64", &[Program::Measure], &mut |_| ()).unwrap()
}

fn plan(core: &Core, cases: &[&str]) -> Plan {
    let cases = select(&cases.iter().map(|c| c.to_string()).collect::<Vec<_>>()).unwrap();
    let wanted = expand(&["scalar".into(), "full".into()], &cases, &core.isa).unwrap();
    Plan { cases, wanted, vlens: vec![core.vlen], bytes: vec![1000], ..Plan::default() }
}

/// The rows of this core, and the number of programs that ran in guests for them.
fn rows(core: &Core, plan: &Plan, member: Option<Member>) -> (String, u64) {
    rows_of("openssl", core, plan, member)
}

fn rows_of(library: &str, core: &Core, plan: &Plan, member: Option<Member>) -> (String, u64) {
    let runner = runner(core, library).in_family(member);
    let rows = sweep::run(&runner, plan, None, &|| ()).unwrap().rows;
    (format!("{rows:?}"), runner.programs())
}

/// Models that block, that queue, that start vector instructions in order, and that issue out of order.
#[test]
fn replays_give_the_rows_of_runs() {
    let mut rng = Rng::new("replays");
    for name in ["karu64", "karu64", "ux900", "ux900", "zvku", "spacemit-x100"] {
        let core = varied(&Core::load(name).unwrap(), SHAPES, &mut rng);
        let cores: Vec<Core> = (0..FEWEST).map(|_| varied(&core, COSTS, &mut rng)).collect();
        let members = Family::of(&cores.iter().collect::<Vec<_>>());
        let plan = plan(&core, &["aes-128-gcm", "sha256"]);
        // Each replay is compared with a run, which takes longer than all replays.
        for (core, member) in cores.iter().zip(members).step_by(FEWEST / 2) {
            assert!(member.is_some(), "{name}: a family");
            let (replayed, programs) = rows(core, &plan, member);
            assert_eq!(programs, 0, "{name}: replayed");
            let (run, programs) = rows(core, &plan, None);
            assert!(programs > 0 && run.contains("\"pass\""), "{name}: {run}");
            assert_eq!(replayed, run, "{}", core.identity.label);
        }
    }
}

/// The drivers of all libraries are asked the same.
#[test]
fn another_library_does_not_take_what_was_replayed() {
    let core = Core::load("karu64").unwrap();
    let cores = vec![core.clone(); FEWEST];
    let members = Family::of(&cores.iter().collect::<Vec<_>>());
    let plan = plan(&core, &["sha256"]);
    let of = |library: &str, member| rows_of(library, &core, &plan, member).0;
    for library in ["openssl", "nettle"] {
        assert_eq!(of(library, members[2].clone()), of(library, None), "{library}");
    }
    assert_ne!(of("openssl", None), of("nettle", None));
}

/// Signatures draw random numbers, which depend on the time.
#[test]
fn what_may_depend_on_time_is_not_replayed() {
    let core = Core::load("karu64").unwrap();
    let cores: Vec<Core> = (0..FEWEST)
        .map(|n| {
            let (key, value) = ("dcache.miss".into(), n.to_string());
            core.with(&[Setting { key, value }]).unwrap()
        })
        .collect();
    let members = Family::of(&cores.iter().collect::<Vec<_>>());
    let plan = plan(&core, &["sha256", "ecdsa-p256"]);
    let (replayed, programs) = rows(&cores[1], &plan, members[1].clone());
    assert!(programs > 0);
    assert_eq!(replayed, rows(&cores[1], &plan, None).0);
}

#[test]
fn cores_that_a_program_or_a_recording_can_tell_apart_are_no_family() {
    let core = Core::load("karu64").unwrap();
    let mut cores = vec![core.clone(); FEWEST];
    let is_one =
        |cores: &[Core]| Family::of(&cores.iter().collect::<Vec<_>>()).iter().all(Option::is_some);
    assert!(is_one(&cores));
    for key in ["frequency", "timebase", "vlen", "dcache.size", "branch.history"] {
        cores[0] = core.with(&[Setting { key: key.into(), value: "1024".into() }]).unwrap();
        assert!(!is_one(&cores), "{key}");
    }
    assert!(!is_one(&vec![Core::load("ideal").unwrap(); FEWEST]), "nothing to record");
}
