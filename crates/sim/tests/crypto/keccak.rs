//! Keccak-p against RustCrypto, and `vkeccak.vi` where it works on one fixed group: Zvknhk 0.1, and 0.2 at VLEN 128.
//! groups.rs and reserved.rs test the drafts in which vl and vstart select the groups.

use super::rows::permuted;
use super::setup::{configure, encoded, insn, machine, run};
use capvec_isa::{Ext, Op};
use capvec_sim::crypto::keccak::{State, permute};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, Rng};
use capvec_sim::vector::VType;
use capvec_sim::{Cause, Why};
use keccak::Keccak;

fn oracle_24(mut state: State) -> State {
    Keccak::new().with_f1600(|f| f(&mut state));
    state
}

fn oracle_12(mut state: State) -> State {
    Keccak::new().with_p1600::<12>(|p| p(&mut state));
    state
}

#[test]
fn the_permutation_is_that_of_rustcrypto() {
    let mut rng = Rng::new("the_permutation_is_that_of_rustcrypto");
    for _ in 0..1000 {
        let state: State = std::array::from_fn(|_| rng.next());
        assert_eq!(permute(state, 0..24), oracle_24(state));
        assert_eq!(permute(state, 12..24), oracle_12(state));
        // The prototype executes the first rounds: 12 of them and then the last 12 are the whole permutation.
        assert_eq!(oracle_12(permute(state, 0..12)), oracle_24(state));
    }
}

/// The drafts at a VLEN where they have one fixed group.
fn fixed() -> impl Iterator<Item = (Op, Ext, u32)> {
    let first = [128, 256, 512, 1024, 2048, 4096, 65536];
    let second = (Op::VkeccakViZvknhk0p2, Ext::Zvknhk0p2, 128);
    first.map(|vlen| (Op::VkeccakViZvknhk0p1, Ext::Zvknhk0p1, vlen)).into_iter().chain([second])
}

fn hart(ext: Ext, vlen: u32, agnostic: Agnostic, rng: &mut Rng) -> Rig {
    let exts: Vec<Ext> = Ext::ratified().chain([ext]).collect();
    let mut m = machine(&exts, vlen, agnostic);
    rng.fill(m.h.v.bytes_mut(0));
    m
}

#[test]
fn one_group_whatever_vl_and_lmul_are() {
    let mut rng = Rng::new("one_group_whatever_vl_and_lmul_are");
    for (op, ext, vlen) in fixed() {
        let registers = 2048u32.div_ceil(vlen);
        for agnostic in [Agnostic::Undisturbed, Agnostic::Ones] {
            for lmul in 0..=3 {
                let mut m = hart(ext, vlen, agnostic, &mut rng);
                let vd = (rng.below(32 / registers as u64) as u32 * registers) as u8;
                for vl in [0, 1, m.h.v.vlen() >> 6] {
                    configure(&mut m, 64, lmul, vl);
                    (m.h.v.vtype.vta, m.h.v.vtype.vma) = (true, true);
                    let imm = rng.below(2);
                    let mut wanted = m.h.v.bytes(0).to_vec();
                    let at = vd as usize * vlen as usize / 8;
                    let group = permuted(&wanted[at..at + 256], 12 * imm as usize..24);
                    wanted[at..at + 256].copy_from_slice(&group);
                    run(&mut m, &[insn(op, vd, 0, 0, imm as i64)]).expect("legal");
                    assert!(m.h.v.bytes(0) == wanted, "{op:?} VLEN {vlen} LMUL {lmul} vl {vl}");
                }
            }
        }
    }
}

#[test]
fn reserved_encodings_trap_and_change_nothing() {
    let mut rng = Rng::new("reserved_encodings_trap_and_change_nothing");
    for (op, ext, vlen) in fixed() {
        let legal = insn(op, 0, 0, 0, 0);
        let trap = |m: &mut Rig, d| {
            let before = m.h.v.bytes(0).to_vec();
            let vstart = m.h.v.vstart;
            let trap = run(m, &[d]).expect_err("reserved");
            assert_eq!((trap.cause, trap.tval), (Cause::Illegal, encoded(&d) as u64));
            assert!(m.h.v.bytes(0) == before && m.h.v.vstart == vstart);
            match trap.why {
                Some(Why::Reserved(why)) => why,
                other => panic!("{other:?}"),
            }
        };
        let mut m = hart(ext, vlen, Agnostic::Ones, &mut rng);
        configure(&mut m, 64, 0, 0);
        assert_eq!(run(&mut m, &[legal]), Ok(()));
        for imm in 2..32 {
            assert!(trap(&mut m, insn(op, 0, 0, 0, imm)).contains("immediate"));
        }
        let registers = 2048u32.div_ceil(vlen) as u8;
        for vd in (0..32u8).filter(|vd| !vd.is_multiple_of(registers)) {
            assert!(trap(&mut m, insn(op, vd, 0, 0, 0)).contains("aligned"), "v{vd}");
        }
        for vstart in [1, 32] {
            m.h.v.vstart = vstart;
            assert!(trap(&mut m, legal).contains("vstart"));
        }
        for sew in [8, 16, 32] {
            configure(&mut m, sew, 0, 0);
            assert!(trap(&mut m, legal).contains("SEW"));
        }
        m.h.v.vtype = VType::ILLEGAL;
        assert!(trap(&mut m, legal).contains("vill"));
    }
}
