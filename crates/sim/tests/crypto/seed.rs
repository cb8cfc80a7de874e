//! The CSR `seed`, accessed by instructions.

use super::setup::{insn, machine, run};
use capvec_isa::{Decoded, Ext, Op};
use capvec_sim::crypto::zkr::{Config, EntropySource, Fault, FaultKind};
use capvec_sim::csr::{mseccfg, number};
use capvec_sim::hart::{Agnostic, Privilege};
use capvec_sim::testing::Rig;
use capvec_sim::{Cause, Trap, Why};

fn hart() -> Rig {
    machine(&[Ext::Zkr, Ext::Zicsr], 128, Agnostic::Undisturbed)
}

fn access(op: Op, rs1: u8) -> Decoded {
    insn(op, 5, 0, rs1, number::SEED as i64)
}

/// `csrrw x5, seed, x0`, the usual way to poll.
fn poll(m: &mut Rig) -> u64 {
    run(m, &[access(Op::Csrrw, 0)]).expect("legal");
    m.h.x(5)
}

fn reserved(trap: Result<(), Trap>) -> bool {
    trap.is_err_and(|t| t.cause == Cause::Illegal && matches!(t.why, Some(Why::Reserved(_))))
}

#[test]
fn polling_goes_through_the_states() {
    let mut m = hart();
    let values: Vec<u64> = (0..60).map(|_| poll(&mut m)).collect();
    let states: Vec<u64> = values.iter().map(|value| value >> 30).collect();
    assert_eq!(states[..15], [0; 15]);
    assert_eq!(states[15..19], [1; 4]);
    assert_eq!(states[19..27], [2; 8]);
    for value in values {
        assert_eq!(value & !0xc000_ffff, 0, "reserved and custom bits are zero: {value:#x}");
        assert!(value >> 30 == 2 || value & 0xffff == 0, "{value:#x}");
    }
}

#[test]
fn the_seed_of_the_configuration_decides() {
    let run = || (0..60).map(|_| ()).scan(hart(), |m, ()| Some(poll(m))).collect::<Vec<_>>();
    let mut source = EntropySource::with_seed(1);
    let direct: Vec<u64> = (0..60).map(|_| source.read().to_csr() as u64).collect();
    assert_eq!(run(), direct);
}

#[test]
fn every_writing_form_reads_and_the_value_is_ignored() {
    let mut m = hart();
    m.h.write_x(6, u64::MAX);
    for (op, rs1) in [
        (Op::Csrrw, 0),
        (Op::Csrrw, 6),
        (Op::Csrrs, 6),
        (Op::Csrrc, 6),
        (Op::Csrrwi, 0),
        (Op::Csrrwi, 31),
        (Op::Csrrsi, 1),
        (Op::Csrrci, 1),
    ] {
        m.h.write_x(5, 1 << 40);
        assert_eq!(run(&mut m, &[access(op, rs1)]), Ok(()));
        assert_eq!(m.h.x(5), 0, "BIST");
    }
}

#[test]
fn read_only_forms_trap_and_wipe_nothing() {
    let mut m = hart();
    while poll(&mut m) >> 30 != 2 {}
    let mut alone = m.h.entropy.clone();
    for op in [Op::Csrrs, Op::Csrrc, Op::Csrrsi, Op::Csrrci] {
        m.h.write_x(5, 9);
        assert!(reserved(run(&mut m, &[access(op, 0)])), "{}", op.name());
        assert_eq!(m.h.x(5), 9);
    }
    assert_eq!(poll(&mut m), alone.read().to_csr() as u64);
}

#[test]
fn modes_below_machine_need_mseccfg() {
    for (privilege, bit) in
        [(Privilege::User, mseccfg::USEED), (Privilege::Supervisor, mseccfg::SSEED)]
    {
        let mut m = hart();
        m.h.privilege = privilege;
        assert_eq!(poll(&mut m), 0);
        m.h.mseccfg = !bit;
        assert!(reserved(run(&mut m, &[access(Op::Csrrw, 0)])));
        m.h.mseccfg = bit;
        assert_eq!(poll(&mut m), 0);
    }
    let mut m = hart();
    (m.h.privilege, m.h.mseccfg) = (Privilege::Machine, 0);
    assert_eq!(poll(&mut m), 0);
}

#[test]
fn without_zkr_there_is_no_seed() {
    let mut m = machine(&[Ext::Zicsr], 128, Agnostic::Undisturbed);
    let trap = run(&mut m, &[access(Op::Csrrw, 0)]).expect_err("absent");
    let Some(Why::Needs(_, exts)) = trap.why else { panic!("{trap:?}") };
    assert!(exts.has(Ext::Zkr));
}

#[test]
fn a_stuck_source_is_dead_for_the_guest_too() {
    let mut m = hart();
    let fault = Fault { kind: FaultKind::Stuck(1), first_sample: 0, samples: u64::MAX };
    let config = Config { fault: Some(fault), ..Config::default() };
    m.h.entropy = EntropySource::new(config).expect("valid");
    assert_eq!([0; 3].map(|_| poll(&mut m)), [0xc000_0000; 3]);
}
