//! Random programs of vector instructions on the interpreter and the translating engine: every SEW, LMUL, vl and
//! policy, masks, vector lengths, accesses that cross pages or fault, and every subset of the host's features.
#![cfg(translates)]

use crate::common::campaign::{LENGTH, campaign};
use crate::common::{CODE, DATA, EAGER, Pair, cores};
use capvec_isa::decode::decode;
use capvec_isa::op::OPS;
use capvec_isa::{Class, Decoded, ExtSet, Op, encode};
use capvec_jit::{Host, Options};
use capvec_sim::csr::number;
use capvec_sim::mem::PAGE;
use capvec_sim::testing::{Rng, all_exts};
use capvec_timing::Core;

/// A vsetvli or vsetivli of a legal vtype, preceded by the setup that it needs, and log2 of its LMUL.
fn configuration(rng: &mut Rng) -> (Vec<u32>, i8) {
    let sew = rng.below(4);
    let lmul = if rng.one_in(4) { rng.below(8) as i64 - 3 } else { rng.below(4) as i64 };
    let lmul = lmul.clamp(sew as i64 - 3, 3);
    let vtype = (lmul & 7) | (sew as i64) << 3 | (rng.below(4) as i64) << 6;
    let mut words = Vec::new();
    let mut d = Decoded { imm: vtype, ..Decoded::new(Op::Vsetvli) };
    (d.rd, d.rs1) = match rng.below(8) {
        // VLMAX.
        0..3 => (12, 0),
        // The vl before.
        3 => (0, 0),
        // From a register.
        4 => (rng.below(32) as u8, rng.below(32) as u8),
        // From the low bits of a register, plus a small number.
        5 => {
            let mut and = Decoded { imm: rng.pick(&[1, 3, 12, 63]), ..Decoded::new(Op::Andi) };
            (and.rd, and.rs1) = (5, rng.below(32) as u8);
            let add =
                Decoded { imm: rng.below(20) as i64, rd: 5, rs1: 5, ..Decoded::new(Op::Addi) };
            words.extend([and, add].map(|d| encode(&d).expect("an instruction")));
            (13, 5)
        }
        _ => {
            d.op = Op::Vsetivli;
            (0, rng.pick(&[0, 1, 2, 3, 4, 4, 4, 4, 5, 6, 8, 8, 12, 14, 16, 16, 31]))
        }
    };
    words.push(encode(&d).expect("a vset"));
    (words, lmul as i8)
}

/// How many of `kinds` are mostly translated.
const KNOWN: usize = 6;

/// A vector instruction, usually with aligned registers and unmasked.
fn word(rng: &mut Rng, op: Op, lmul: i8, few: bool) -> Option<u32> {
    let all: ExtSet = all_exts().into_iter().collect();
    let row = op.row();
    if op == Op::Csrrwi {
        let imm = number::VSTART as i64;
        return encode(&Decoded { imm, rs1: rng.below(4) as u8, ..Decoded::new(op) });
    }
    let word = (0..8).find_map(|_| {
        let word = row.value | rng.next() as u32 & !row.mask;
        decode(word, 64, all).is_ok_and(|d| d.op == op).then_some(word)
    })?;
    let mut d = decode(word, 64, all).ok()?;
    let class = row.class;
    if class == Class::Vkeccak {
        // Other immediates are reserved.
        d.imm &= 1;
    }
    let strided = matches!(class, Class::VloadStrided | Class::VstoreStrided);
    let access = strided || matches!(class, Class::Vload | Class::Vstore);
    if few || !rng.one_in(8) {
        let low = if few { 7 } else { (1 << lmul.max(0)) - 1 };
        d.rd &= !low;
        d.rs2 &= !low;
        d.rs3 &= !low;
        if !row.args.contains("rs1") {
            d.rs1 &= !low;
        }
    }
    if rng.one_in(3) {
        d.rs2 = d.rd;
    }
    if access {
        d.rs1 = rng.pick(&[2, 8, 10, 20]);
        if strided {
            d.rs2 = rng.pick(&[0, 21, 22, 22, 23, 24]);
        }
        d.aux = if rng.one_in(if strided { 2 } else { 8 }) { d.aux } else { 0 };
    }
    d.vm |= row.args.ends_with(", vm") && !rng.one_in(4);
    encode(&d).filter(|w| decode(*w, 64, all).is_ok_and(|d| d.op == op))
}

/// Random vector instructions, most of which are translated.
fn program(rng: &mut Rng, ops: &[Vec<Op>]) -> Vec<u8> {
    // Strides: a small positive one, a small negative one, a large one, and any.
    let up = Decoded { imm: 127, rd: 21, rs1: 21, ..Decoded::new(Op::Andi) };
    // Some elements with this stride span about a page.
    let far = (PAGE / rng.pick(&[1000, 3, 4, 7, 15, 31]) + rng.below(16)) as i64 - 8;
    let far = if rng.one_in(2) { far } else { -far };
    let far = Decoded { imm: far, rd: 22, ..Decoded::new(Op::Addi) };
    // Multiples of this stride overflow.
    let one = Decoded { imm: 1, rd: 23, ..Decoded::new(Op::Addi) };
    let imm = 60 + rng.below(4) as i64;
    let huge = Decoded { imm, rd: 23, rs1: 23, ..Decoded::new(Op::Slli) };
    let strides = [up, far, one, huge].map(|d| encode(&d).expect("an instruction"));
    let mut words = Vec::from(strides);
    // Half of the programs use only translated instructions in few registers, which then stay in host
    // registers for long.
    let (ops, few) = if rng.one_in(2) { (ops, false) } else { (&ops[..KNOWN], true) };
    while (words.len() as u64) < LENGTH {
        let (vset, lmul) = configuration(rng);
        words.extend(vset);
        for _ in 0..rng.below(16) {
            let kind = rng.below(ops.len() as u64) as usize;
            let op = rng.pick(&ops[kind]);
            words.extend(word(rng, op, lmul, few));
        }
    }
    let back = Decoded { imm: -(words.len() as i64 * 4), ..Decoded::new(Op::Jal) };
    words.push(encode(&back).expect("a near jump"));
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Vector instructions grouped by how they are translated, so that each group is exercised often.
fn kinds() -> Vec<Vec<Op>> {
    use Class::*;
    let of = |classes: &[Class]| -> Vec<Op> {
        OPS.iter().copied().filter(|op| classes.contains(&op.row().class)).collect()
    };
    let vector = OPS.iter().copied().filter(|op| op.row().class.is_vector()).collect();
    let crypto = [Vaes, Vsha2, Vsm3, Vsm4, Vghash, Vclmul];
    let drafts = [Vkeccak, VaesAll, Vmulq];
    let access = vec![
        Op::Vle8V,
        Op::Vle16V,
        Op::Vle32V,
        Op::Vle64V,
        Op::Vse8V,
        Op::Vse16V,
        Op::Vse32V,
        Op::Vse64V,
        Op::Vlse32V,
        Op::Vsse32V,
        Op::Vlse64V,
        Op::Vsse64V,
        Op::Vle8ffV,
        Op::Vle32ffV,
    ];
    let scalar = vec![Op::Addi, Op::Ld, Op::Sd, Op::Xor, Op::Lw, Op::Csrrwi];
    let slides = vec![Op::VslideupVi, Op::VslidedownVi];
    let known = [
        Op::VaddVv,
        Op::VxorVv,
        Op::VxorVx,
        Op::VrorVi,
        Op::VsllVx,
        Op::VandnVv,
        Op::Vbrev8V,
        Op::Vrev8V,
        Op::VmvVV,
        Op::VmvVX,
        Op::VmergeVvm,
        Op::VmergeVim,
        Op::VidV,
        Op::VsraVv,
        Op::VminVv,
        Op::VrsubVi,
    ];
    let mut all = vec![of(&[Vaes]), of(&[Vsha2, Vsm3]), of(&[Vsm4, Vghash]), known.to_vec()];
    all.extend([
        access,
        slides,
        of(&[Valu, Vmove, Vmul]),
        of(&crypto),
        of(&drafts),
        scalar,
        vector,
    ]);
    all
}

fn run(name: &str, vlen: u32, options: Options, programs: u64) {
    run_on(name, Pair::new(vlen, options), programs);
}

fn run_on(name: &str, pair: Pair, programs: u64) {
    let ops = kinds();
    campaign(name, pair, programs, |rng| program(rng, &ops));
}

/// With the cycles of these cores.
#[test]
fn on_cores() {
    for core in ["karu64", "marian", "ux900"] {
        for (vlen, hot_threshold) in [(128, 0), (256, 2), (512, 0)] {
            let pair = Pair::on(core, vlen, Options { hot_threshold, count: true, ..EAGER });
            run_on(&format!("on_cores {core} {vlen}"), pair, 120);
        }
    }
}

#[test]
fn on_random_cores() {
    let mut rng = Rng::new("on_random_cores");
    for n in 0..100 {
        let core = Core { vlen: rng.pick(&[128, 256]), ..cores::random(&mut rng) };
        run_on(&format!("on_random_cores {n}"), Pair::of(&core, EAGER), 8);
    }
}

#[test]
fn every_vector_length() {
    for vlen in [128, 256, 512, 1024] {
        run(&format!("every_vector_length {vlen}"), vlen, EAGER, 400);
    }
}

#[test]
fn the_longest_vectors() {
    run("the_longest_vectors", 65536, EAGER, 12);
}

#[test]
fn blocks_that_were_interpreted_first() {
    let options = Options { hot_threshold: 2, ..EAGER };
    run("blocks_that_were_interpreted_first", 256, options, 600);
}

/// Every subset of the host's features; the handlers of this run use none either.
#[test]
fn without_some_of_the_hosts_instructions() {
    for set in 0..64 {
        let has = |n: u32| set >> n & 1 == 1;
        let host = Host {
            avx512: has(0),
            avx2: has(1),
            vaes: has(2),
            vpclmulqdq: has(3),
            gfni: has(4),
            sha: has(5),
            low: true,
            faults: set % 3 > 0,
        };
        let mut pair = Pair::new(256, Options { host, ..EAGER });
        pair.jit.1.host = capvec_sim::host::Host::plain();
        run_on(&format!("without_some_of_the_hosts_instructions {host:?}"), pair, 24);
    }
}

/// The features that most processors have.
#[test]
fn on_hosts_with_avx2() {
    let host = Host { avx512: false, ..Host::ALL };
    let hosts = [host, Host { gfni: false, ..host }, Host { vaes: false, gfni: false, ..host }];
    for host in hosts {
        for (vlen, hot_threshold) in [(128, 0), (256, 1), (512, 0), (1024, 0)] {
            let options = Options { host, hot_threshold, ..EAGER };
            run(&format!("on_hosts_with_avx2 {vlen} {host:?}"), vlen, options, 160);
        }
        let pair = Pair::on("karu64", 256, Options { host, ..EAGER });
        run_on(&format!("on_hosts_with_avx2 karu64 {host:?}"), pair, 120);
    }
}

/// Without AES and GHASH instructions, every host with AVX2 handles blocks as whole registers, and guest registers
/// are held in all host registers but the two that scalar cryptography uses.
#[test]
fn without_rounds_of_ciphers_on_hosts_with_avx2() {
    let classes = |some: &[Class]| -> Vec<Op> {
        let is = |op: &Op| some.contains(&op.row().class) && op.row().xlen != 32;
        OPS.iter().copied().filter(is).collect()
    };
    let plain = vec![Op::VaddVv, Op::VxorVv, Op::VaddVv, Op::VandVv, Op::VorVv];
    let strided = vec![Op::Vlse32V, Op::Vsse32V, Op::Vle32V, Op::Vse32V];
    let scalar = classes(&[Class::Aes, Class::Clmul]);
    let others = classes(&[Class::Valu, Class::Vmove, Class::Vslide]);
    let every = vec![plain.clone(), vec![Op::VrorVi], plain.clone(), scalar, strided, others];
    let few =
        vec![plain.clone(), vec![Op::VrorVi], plain.clone(), plain.clone(), plain.clone(), plain];
    let host = Host { avx512: false, vaes: false, vpclmulqdq: false, gfni: false, ..Host::ALL };
    for (name, ops) in [("every", every), ("few", few)] {
        for vlen in [128, 256, 512] {
            let name = format!("without_rounds_of_ciphers_on_hosts_with_avx2 {name} {vlen}");
            let pair = Pair::new(vlen, Options { host, ..EAGER });
            campaign(&name, pair, 160, |rng| program(rng, &ops));
        }
    }
}

#[test]
fn strides_at_the_limits() {
    let vset = Decoded { imm: 0x10, rs1: 5, ..Decoded::new(Op::Vsetivli) };
    let load = Decoded { rd: 8, rs1: 10, rs2: 11, vm: true, ..Decoded::new(Op::Vlse32V) };
    let store = Decoded { rs3: 8, rs1: 10, rs2: 11, vm: true, ..Decoded::new(Op::Vsse32V) };
    let end = Decoded::new(Op::Ebreak);
    let segments = [load, store].map(|d| Decoded { aux: 2, ..d });
    for access in [load, store].into_iter().chain(segments) {
        let code: Vec<u8> = [vset, access, end]
            .iter()
            .flat_map(|d| encode(d).expect("an instruction").to_le_bytes())
            .collect();
        let mut pair = Pair::new(256, EAGER);
        pair.load(&code);
        pair.both(|h| (0..).zip(h.v.bytes_mut(0)).for_each(|(k, b): (u32, _)| *b = k as u8));
        // Five elements: the last is four strides from the first. Two pages are writable, the third is read-only.
        let strides =
            (1010..1035).chain([0, 1, 4, 8, 11, 12, 13, 1 << 61, 1 << 62, 1 << 63, 4096, 1 << 40]);
        for stride in strides.flat_map(|s: i64| [s, s.wrapping_neg()]) {
            for page in 0..7 {
                for offset in [-4200, -4100, -4096, -24, -20, -17, -4, -1, 0, 3, 4092] {
                    let base = (DATA + page * PAGE).wrapping_add_signed(offset);
                    pair.both(|h| {
                        h.pc = CODE;
                        h.write_x(10, base);
                        h.write_x(11, stride as u64);
                    });
                    pair.run(3);
                }
            }
            pair.compare_memory();
        }
    }
}
