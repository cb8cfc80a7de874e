//! The tables of packaged libraries, in C, have what the lists in `guest/src/packaged.rs` say.

use capvec_bench::capset::CapSet;
use capvec_bench::case::Kind;
use capvec_bench::requests::Checks;
use capvec_bench::run::{Configuration, Runner};
use capvec_guest::{LibraryKind, Packaged, Program};
use capvec_kat::{Names, Vectors, line, read};
use capvec_sim::hart::Agnostic;
use capvec_targets::SubjectName;
use capvec_timing::Core;

#[test]
fn the_lists_of_what_libraries_offer_are_those_of_their_drivers() {
    Packaged::ALL.into_iter().filter(|l| !l.has_runtime()).for_each(compare);
}

#[test]
#[ignore = "minutes, in which the guest compiles Go's packages: make test-long"]
fn the_list_of_what_go_offers_is_that_of_its_driver() {
    compare(Packaged::GoCrypto);
}

#[test]
#[ignore = "a minute, and a JDK of 300 MB: make test-long"]
fn the_list_of_what_java_offers_is_that_of_its_driver() {
    compare(Packaged::JavaJca);
}

#[test]
#[ignore = "a minute, and Node's package of 60 MB: make test-long"]
fn the_list_of_what_node_offers_is_that_of_its_driver() {
    compare(Packaged::NodeCrypto);
}

/// Checks one vector of each algorithm: as the list says, the driver lacks the algorithm or gives the right answer.
fn compare(library: Packaged) {
    let names = Names { flag: "--algorithms", names: &["all".into()] };
    let vectors = Vectors::load(names, None, LibraryKind::OpenSsl).unwrap();
    // One vector of each algorithm. A cipher with padding is not in the tables, but the cipher itself is.
    let firsts = (0..vectors.algorithms.len()).filter_map(|a| {
        let first = vectors.of.iter().position(|of| *of == a)?;
        let algorithm = &vectors.algorithms[a];
        (algorithm.parameter != "pad").then(|| (algorithm, &vectors.vectors[first]))
    });
    let firsts: Vec<_> = firsts.collect();
    let lines: Vec<String> = firsts.iter().map(|(a, v)| line(a, v)).collect();
    let core = Core::load("ideal").unwrap();
    let c = Configuration::new(256, CapSet::parse("scalar", &core.isa).unwrap());
    let subject = SubjectName::Packaged(library);
    let programs = [Program::Check];
    let runner = Runner::of(&subject, core.clone(), "trixie-riscv64", &programs, &mut |_| ());
    let groups: Vec<Vec<String>> = lines.iter().map(|l| vec![l.clone()]).collect();
    let checks = Checks { groups: &groups, agnostic: Agnostic::default() };
    let answers = runner.unwrap().run(&c, checks).unwrap();
    for ((algorithm, _), (answers, died)) in firsts.iter().zip(answers) {
        assert!(died.is_none(), "{}: {}", library.name(), algorithm.id);
        let checked = read(&answers[0]).unwrap();
        let listed = algorithm.is_in(LibraryKind::Packaged(library));
        // A code with a hash or cipher that the library has, but not for it, is refused.
        let offered = checked.absent.is_none() && checked.failure.is_none();
        let what = format!("{}: {}: {:?}", library.name(), algorithm.id, checked.failure);
        assert_eq!(offered, listed, "{what}");
        assert!(algorithm.kind == Kind::Mac || checked.failure.is_none(), "{what}");
    }
}
