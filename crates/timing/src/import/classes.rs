//! The instructions from which the cost of a class is derived.

/// What a step of a class is; together with LMUL, it gives the number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// A register.
    Register,
    /// An element.
    Element,
    /// A group of this many bits.
    Group(u32),
}

/// The name of a vector class, its instructions in order of preference, the width of elements (0: any), and its steps.
pub const VECTOR: [(&str, &[&str], u32, Steps); 31] = [
    ("vload", &["vle64.v", "vle32.v", "vle8.v"], 0, Steps::Register),
    ("vload-segment", &["vlseg2e64.v", "vlseg2e32.v"], 0, Steps::Element),
    ("vload-strided", &["vlse64.v", "vlse32.v", "vlse8.v"], 0, Steps::Element),
    ("vload-indexed", &["vluxei64.v", "vluxei32.v", "vloxei32.v"], 0, Steps::Element),
    ("vstore", &["vse64.v", "vse32.v", "vse8.v"], 0, Steps::Register),
    ("vstore-segment", &["vsseg2e64.v", "vsseg2e32.v"], 0, Steps::Element),
    ("vstore-strided", &["vsse64.v", "vsse32.v", "vsse8.v"], 0, Steps::Element),
    ("vstore-indexed", &["vsuxei64.v", "vsuxei32.v", "vsoxei32.v"], 0, Steps::Element),
    ("valu", &["vadd.vv"], 0, Steps::Register),
    ("valu-shift", &["vsll.vv", "vsrl.vv"], 0, Steps::Register),
    ("valu-logic", &["vand.vv", "vxor.vv"], 0, Steps::Register),
    ("vmul", &["vmul.vv"], 32, Steps::Register),
    ("vmul-64", &["vmul.vv"], 64, Steps::Register),
    ("vdiv", &["vdivu.vv", "vdiv.vv"], 0, Steps::Register),
    ("vred", &["vredsum.vs"], 0, Steps::Register),
    ("vgather", &["vrgather.vv"], 0, Steps::Register),
    ("vslide", &["vslideup.vi", "vslideup.vx"], 0, Steps::Register),
    ("vmask", &["vcpop.m", "vmand.mm"], 0, Steps::Register),
    ("vmove", &["vmv.v.v"], 0, Steps::Register),
    ("vmove-scalar", &["vmv.x.s"], 0, Steps::Register),
    ("vfp", &["vfadd.vv", "vfmul.vv"], 0, Steps::Register),
    ("vfcmp", &["vmfeq.vv", "vmflt.vv"], 0, Steps::Register),
    ("vfdiv", &["vfdiv.vv"], 0, Steps::Element),
    ("vfred", &["vfredusum.vs", "vfredosum.vs"], 0, Steps::Register),
    ("vaes", &["vaesem.vv", "vaesem.vs"], 32, Steps::Group(128)),
    ("vsha2", &["vsha2cl.vv", "vsha2ch.vv"], 32, Steps::Group(128)),
    ("vsha2-64", &["vsha2cl.vv", "vsha2ch.vv"], 64, Steps::Group(256)),
    ("vsm3", &["vsm3c.vi"], 32, Steps::Group(256)),
    ("vsm4", &["vsm4r.vv", "vsm4r.vs"], 32, Steps::Group(128)),
    ("vghash", &["vghsh.vv", "vgmul.vv"], 32, Steps::Group(128)),
    ("vclmul", &["vclmul.vv"], 64, Steps::Register),
];

/// Scalar classes with their instructions.
pub const SCALAR: [(&str, &[&str]); 14] = [
    ("alu", &["add", "addi", "xor"]),
    ("mul", &["mul", "mulw"]),
    ("div", &["divu", "div"]),
    ("branch", &["beq", "bne", "beqz"]),
    ("jump", &["jal", "j"]),
    ("load", &["ld", "lw"]),
    ("store", &["sd", "sw"]),
    ("amo", &["amoadd.d", "amoadd.w"]),
    ("fp", &["fadd.d", "fadd.s"]),
    ("fma", &["fmadd.d", "fmadd.s"]),
    ("fdiv", &["fdiv.d", "fdiv.s"]),
    ("fmove", &["fmv.x.d", "fmv.x.w"]),
    ("clmul", &["clmul"]),
    ("vset", &["vsetvli"]),
];
