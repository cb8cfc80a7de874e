//! Figures do not depend on the engine.

use capvec_bench::capset::expand;
use capvec_bench::case::select;
use capvec_bench::run::Runner;
use capvec_bench::sweep::{self, Plan};
use capvec_guest::Program;
use capvec_record::Row;
use capvec_targets::backend::Sim;
use capvec_timing::Core;

fn rows(core: &str, interpret: bool) -> Vec<Row> {
    let core = Core::load(core).unwrap();
    let cases = select(&["aes-128-gcm".into(), "sha256".into(), "x25519".into()]).unwrap();
    let wanted = expand(&["scalar".into(), "full".into()], &cases, &core.isa).unwrap();
    let vlens = vec![core.vlen];
    let mut sim = Sim::new(core, "trixie-riscv64", &[Program::Measure], &mut |_| ()).unwrap();
    if interpret {
        sim = sim.on(Core::engine);
    }
    let runner = Runner::at(sim);
    let plan = Plan { cases, wanted, vlens, bytes: vec![1000], ..Plan::default() };
    sweep::run(&runner, &plan, None, &|| ()).unwrap().rows
}

#[test]
fn both_engines_give_the_same_rows() {
    for core in ["karu64", "marian", "ux900"] {
        let [best, interpreted] = [false, true].map(|i| format!("{:?}", rows(core, i)));
        assert!(interpreted.contains("\"pass\""), "{interpreted}");
        assert_eq!(best, interpreted, "{core}");
    }
}
