//! The soundness test notices wrong rules: each rule of each row is made wrong on purpose, one fault at a time.

use crate::tester::{Forgotten, Tester, is_tested};
use capvec_isa::op::OPS;
use capvec_isa::row::Taint;
use capvec_isa::{Class, Op};
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::testing::{Rng, config, ext_sets};
use capvec_taint::{Dest, Roles, Shift};
use std::collections::BTreeMap;

/// Executions until a fault counts as not noticed.
const TRIALS: u32 = 400;

/// A fault: what it is, and what it makes of the row.
struct Fault {
    name: String,
    roles: Roles,
    forgotten: Forgotten,
}

/// The rules that a rule could be mistaken for: none for a rule without operands.
fn mistaken(rule: Taint) -> &'static [Taint] {
    use Taint::*;
    match rule {
        Clean => &[],
        // These are as cautious as any rule can be, or no other rule resembles them.
        Move | MoveBy | Each | Fixed | Any | Reduce | Scan | Merge | Eq | Orc | Keccak => &[Clean],
        AesZ | Sm3Me | Sm3C | Sm4K => &[Clean],
        Xor => &[Clean, And, Or],
        And => &[Clean, Or, Andn],
        Or => &[Clean, And, Orn],
        Andn => &[Clean, And, Orn],
        Orn => &[Clean, Or, Andn],
        Add => &[Clean, Xor, Sub],
        Sub => &[Clean, Xor, Add],
        Mul => &[Clean, Xor, Add],
        AddW => &[Clean, Xor, SubW],
        SubW => &[Clean, Xor, AddW],
        MulW => &[Clean, Xor, AddW],
        Lt => &[Clean, Eq, Ltu],
        Ltu => &[Clean, Eq, Lt],
        Min => &[Clean, Minu, Max],
        Minu => &[Clean, Min, Maxu],
        Max => &[Clean, Maxu, Min],
        Maxu => &[Clean, Max, Minu],
        Mulh => &[Clean, Mulhu, Mulhsu],
        Mulhu => &[Clean, Mulh, Mulhsu],
        Mulhsu => &[Clean, Mulh, Mulhu],
        Clmul => &[Clean, Clmulh, Xor],
        Clmulh => &[Clean, Clmul, Xor],
        Clmulr => &[Clean, Clmul, Clmulh],
        CzeroEqz => &[Clean, CzeroNez],
        CzeroNez => &[Clean, CzeroEqz],
        Bclr => &[Clean, Bset, Bext],
        Bset => &[Clean, Bclr, Bext],
        Binv => &[Clean, Bclr, Bset],
        Bext => &[Clean, Bclr],
        Clz => &[Clean, Ctz, Cpop],
        Ctz => &[Clean, Clz, Cpop],
        Cpop => &[Clean, Clz, Ctz],
        Xperm4 => &[Clean, Xperm8],
        Xperm8 => &[Clean, Xperm4],
        Bytes => &[Clean, Xor],
        Adc => &[Clean, Sbc],
        Sbc => &[Clean, Adc],
        Carry => &[Clean, Borrow],
        Borrow => &[Clean, Carry],
        Macc => &[Clean, Add],
        Group | Ghash => &[Clean, AesZ],
        AesEm => &[Clean, AesEf, AesDm],
        AesEf => &[Clean, AesDf, AesZ],
        AesDm => &[Clean, AesDf, AesEm],
        AesDf => &[Clean, AesEf, AesZ],
        AesKf1 => &[Clean, AesKf2],
        AesKf2 => &[Clean, AesKf1],
        Sha2Ms => &[Clean, Sha2Ch, Sha2Cl],
        Sha2Ch => &[Clean, Sha2Cl],
        Sha2Cl => &[Clean, Sha2Ch],
        Sm4R => &[Clean, Sm4K],
    }
}

/// The faults of a row.
fn faults(op: Op, roles: Roles) -> Vec<Fault> {
    let mut all = Vec::new();
    let mut add = |name: String, change: &dyn Fn(&mut Roles), forgotten| {
        let mut roles = roles;
        change(&mut roles);
        all.push(Fault { name, roles, forgotten });
    };
    let rules = if roles.memory && roles.class != Class::Amo { &[] } else { mistaken(roles.rule) };
    for rule in rules {
        add(format!("rule {}", rule.name()), &|r| r.rule = *rule, Forgotten::Nothing);
    }
    let masked = op.row().args.ends_with("vm") && !roles.memory;
    for (is, forgotten) in [
        (roles.x.s1 && !roles.memory, Forgotten::X1),
        (roles.x.s2 && !roles.vector_memory, Forgotten::X2),
        (roles.f.s1, Forgotten::F1),
        (roles.f.s2, Forgotten::F2),
        (roles.f.s3, Forgotten::F3),
        (roles.v.s1, Forgotten::V1),
        (roles.v.s2 && !roles.memory, Forgotten::V2),
        (roles.v.s3, Forgotten::V3),
        (roles.adds, Forgotten::Old),
        (roles.v0 || masked, Forgotten::Mask),
        (roles.memory && roles.dest != Dest::None, Forgotten::Memory),
    ] {
        if is {
            add(format!("{forgotten:?} forgotten"), &|_| {}, forgotten);
        }
    }
    add_structure(roles, &mut add);
    all
}

/// Takes a fault: its name, what it changes in the row, and the operand that the rule forgets.
type AddFault<'a> = dyn FnMut(String, &dyn Fn(&mut Roles), Forgotten) + 'a;

/// Faults in what the row says about operands.
fn add_structure(roles: Roles, add: &mut AddFault) {
    let mut change =
        |name: &str, change: &dyn Fn(&mut Roles)| add(name.into(), change, Forgotten::Nothing);
    if roles.reversed {
        change("operands not reversed", &|r| r.reversed = false);
    }
    if roles.rule == Taint::Macc {
        change("the other factor", &|r| r.replaces_factor = !r.replaces_factor);
        change("the other sign", &|r| r.subtracts = !r.subtracts);
    }
    if let Some(shift) = roles.shift {
        let other = if shift == Shift::Left { Shift::Right } else { Shift::Left };
        change("the other direction", &|r| r.shift = Some(other));
    }
    // Extending unsigned numbers as signed ones taints more.
    let extends = roles.by[0] != 0 && roles.signed != [false, false];
    if extends && matches!(roles.rule, Taint::Add | Taint::Sub | Taint::Mul | Taint::Macc) {
        change("not extended as signed", &|r| r.signed = [false, false]);
    }
    if roles.prepared != (0, 64) && roles.rule == Taint::Add {
        change("operand not shifted or cut", &|r| {
            r.prepared = (r.prepared.0 ^ 1, 96 - r.prepared.1)
        });
    }
    let (x, v) = (roles.x.s1 && roles.x.s2, roles.v.s1 && roles.v.s2);
    let varies = matches!(
        roles.rule,
        Taint::And | Taint::Or | Taint::Add | Taint::AddW | Taint::Min | Taint::Maxu
    );
    // Groups of different EEW do not overlap.
    if (x || v) && !roles.memory && varies && roles.by == [0, 0] {
        change("equal operands taken for a constant", &|r| r.cancels = true);
    }
    if let Some(step) = roles.step {
        let other = match step {
            Taint::Xor | Taint::Or => Taint::And,
            Taint::And => Taint::Or,
            _ => Taint::Xor,
        };
        change("another step", &|r| r.step = Some(other));
    }
}

/// Faults that are not tried, since they leave the rule sound or cannot be noticed, and why.
fn left_out(op: Op, fault: &Fault, xlen: u8) -> Option<&'static str> {
    let roles = Roles::of(op);
    let sources = [roles.x, roles.f, roles.v].iter().any(|s| s.s1 || s.s2 || s.s3);
    match () {
        () if xlen == 32 && op.name().contains("xei64") => Some("RV32 has no indices of 64 bits"),
        () if roles.class == Class::Csr && fault.name.starts_with("rule") => {
            Some("accesses to CSRs have one rule, whatever their rows say")
        }
        () if !sources && fault.name == "rule clean" && !op.row().args.ends_with("vm") => {
            Some("there is no operand")
        }
        () if matches!(
            (op.name(), fault.name.as_str()),
            ("bclri", "rule bset") | ("bseti", "rule bclr")
        ) =>
        {
            Some("a bit with a public number is public, cleared or set")
        }
        () if matches!(
            (op.name(), fault.name.as_str()),
            ("sltiu", "rule lt") | ("sc.w" | "feq.d" | "fcvt.s.h" | "fcvt.d.h", "rule clean")
        ) =>
        {
            Some("not noticed: they need operands that the test makes too rarely")
        }
        () if matches!(op, Op::ScW | Op::ScD) && fault.forgotten == Forgotten::Memory => {
            Some("whether a store-conditional succeeds does not depend on data")
        }
        () => None,
    }
}

/// Makes the rules of all rows of this XLEN wrong.
fn wrong_rules_are_noticed(xlen: u8) {
    let (mut made, mut noticed, mut skipped) = (0, 0, BTreeMap::new());
    let mut missed = Vec::new();
    let mut sums = BTreeMap::new();
    for (n, exts) in ext_sets().into_iter().enumerate() {
        let config = Config { xlen, ..config(&exts, 128, Agnostic::Undisturbed) };
        let mut tester = Tester::new(config, Rng::new("mutation"));
        let sets = tester.rig.h.config.exts;
        let tested = |op: &Op| is_tested(*op, xlen) && sets.intersects(op.row().exts);
        let keccak = |op: &Op| n == 0 || op.row().class == Class::Vkeccak;
        for op in OPS.into_iter().filter(tested).filter(keccak) {
            let roles = tester.roles(op);
            for fault in faults(op, roles) {
                if let Some(why) = left_out(op, &fault, xlen) {
                    *skipped.entry(why).or_insert(0) += 1;
                    continue;
                }
                made += 1;
                tester.set_roles(op, fault.roles);
                match tester.test(op, TRIALS, fault.forgotten, &mut sums).fault {
                    Some(_) => noticed += 1,
                    None => missed.push(format!("{}: {}", op.name(), fault.name)),
                }
            }
            tester.set_roles(op, roles);
        }
    }
    println!("RV{xlen}: {noticed} of {made} faults noticed");
    skipped.iter().for_each(|(why, n)| println!("{n} faults left out: {why}"));
    assert!(missed.is_empty(), "not noticed:\n{}", missed.join("\n"));
}

#[test]
fn wrong_rules_are_noticed_on_rv64() {
    wrong_rules_are_noticed(64);
}

#[test]
fn wrong_rules_are_noticed_on_rv32() {
    wrong_rules_are_noticed(32);
}
