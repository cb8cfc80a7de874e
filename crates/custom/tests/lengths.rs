//! Short programs run in memory on the stack, others in a machine: the same semantics in both forms give the same results.

use capvec_isa::{Ext, Op};
use capvec_sim::Cause;
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::testing::{DATA, Rig, Rng, config, word};
use std::sync::OnceLock;

/// Two instructions in two forms: the second contains a way to end early, so that it is not a short program.
const FILE: &str = r#"
ext = "xlengths"
[[insn]]
name = "mux"
enc = "rs3 00 rs2 rs1 000 rd 1011011"
args = "rd, rs1, rs2, rs3"
class = "alu"
xlen = [32, 64]
semantics = "rd = rs1 & rs2 ^ ~rs1 & rs3;"
[[insn]]
name = "mux.long"
enc = "rs3 01 rs2 rs1 000 rd 1011011"
args = "rd, rs1, rs2, rs3"
class = "alu"
xlen = [32, 64]
semantics = 'if rs1 == 0x1234567 { illegal("a test"); } rd = rs1 & rs2 ^ ~rs1 & rs3;'
[[insn]]
name = "ldadd"
enc = "imm[11:0] rs1 110 rd 1011011"
args = "rd, rs1, imm"
class = "load"
semantics = "rd = load(rs1 + imm, 64) + rs1;"
[[insn]]
name = "ldadd.long"
enc = "imm[11:0] rs1 111 rd 1011011"
args = "rd, rs1, imm"
class = "load"
semantics = 'if rs1 == 0x1234567 { illegal("a test"); } rd = load(rs1 + imm, 64) + rs1;'
"#;

fn ops() -> &'static (Ext, Vec<Op>) {
    static ONCE: OnceLock<(Ext, Vec<Op>)> = OnceLock::new();
    ONCE.get_or_init(|| {
        let extension =
            capvec_custom::parse("lengths.toml", FILE).unwrap_or_else(|e| panic!("{e}"));
        extension.register().unwrap_or_else(|e| panic!("{e}"))
    })
}

fn rig(xlen: u8) -> Rig {
    Rig::new(Config { xlen, ..config(&[ops().0], 128, Agnostic::Undisturbed) })
}

#[test]
fn three_sources_in_both_forms() {
    let mut rng = Rng::new("three_sources_in_both_forms");
    for (xlen, op) in [(64, 0), (64, 1), (32, 0), (32, 1)] {
        let mut rig = rig(xlen);
        let code = word(ops().1[op], |d| (d.rd, d.rs1, d.rs2, d.rs3) = (10, 11, 12, 13));
        for _ in 0..100 {
            let sources = [rng.next(), rng.next(), rng.next()];
            for (r, x) in (11..).zip(sources) {
                rig.h.write_x(r, x);
            }
            assert_eq!(rig.run(&[code]).cause, Cause::Breakpoint);
            let [a, b, c] = sources;
            let wanted = a & b ^ !a & c;
            let wanted = if xlen == 32 { wanted as i32 as u64 } else { wanted };
            assert_eq!(rig.h.x(10), wanted, "{xlen}, {}", ops().1[op].name());
        }
    }
}

#[test]
fn loads_and_their_faults_in_both_forms() {
    for op in [2, 3] {
        let mut rig = rig(64);
        let at = |imm: i64| word(ops().1[op], |d| (d.rd, d.rs1, d.imm) = (10, 11, imm));
        rig.h.store::<capvec_sim::mode::Plain64, u64>(DATA + 16, 0x0123_4567_89ab_cdef).unwrap();
        rig.h.write_x(11, DATA + 32);
        assert_eq!(rig.run(&[at(-16)]).cause, Cause::Breakpoint);
        assert_eq!(rig.h.x(10), 0x0123_4567_89ab_cdef + DATA + 32);
        rig.h.write_x(11, 16);
        let trap = rig.run(&[at(-8)]);
        assert_eq!((trap.cause, trap.tval), (Cause::LoadPage, 8));
        assert_eq!(rig.h.x(10), 0x0123_4567_89ab_cdef + DATA + 32, "no result after a fault");
    }
}
