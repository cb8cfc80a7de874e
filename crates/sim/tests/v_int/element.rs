//! The manual's definition of one element of each instruction, in 128-bit integers.

/// An element's inputs in the low bits: vs2, the second operand, the old destination.
pub struct Inputs {
    pub vs2: u64,
    pub other: u64,
    pub vd: u64,
    /// Bit of v0, for instructions that take it as an operand.
    pub v0: bool,
    /// Width of vs2's elements in bits.
    pub vs2_width: u32,
    /// SEW in bits: the width of the second operand.
    pub sew: u32,
    /// Width of the destination's elements in bits.
    pub vd_width: u32,
    pub vxrm: u8,
}

/// A result, of which the low bits are valid, and whether it was saturated.
pub type Outcome = (i128, bool);

fn unsigned(bits: u64, width: u32) -> i128 {
    bits as i128 % (1i128 << width)
}

fn signed(bits: u64, width: u32) -> i128 {
    let u = unsigned(bits, width);
    if u >= 1i128 << (width - 1) { u - (1i128 << width) } else { u }
}

/// v / 2^d by quotient and remainder, rounded as vxrm says.
fn round(v: i128, d: u32, vxrm: u8) -> i128 {
    let (q, r) = (v.div_euclid(1 << d), v.rem_euclid(1 << d));
    let twice = 2 * r;
    match vxrm {
        0 if twice >= 1 << d => q + 1,
        1 if twice > 1 << d || (twice == 1 << d && q % 2 != 0) => q + 1,
        3 if r != 0 && q % 2 == 0 => q + 1,
        _ => q,
    }
}

fn clip(v: i128, low: i128, high: i128) -> Outcome {
    if v < low {
        (low, true)
    } else if v > high {
        (high, true)
    } else {
        (v, false)
    }
}

/// An element's inputs as numbers, unsigned and signed, and what follows from their widths.
struct Numbers {
    u2: i128,
    s2: i128,
    u1: i128,
    s1: i128,
    shift: u32,
    /// The least and greatest signed, and the greatest unsigned element of the destination.
    smin: i128,
    smax: i128,
    umax: i128,
}

impl Numbers {
    fn of(x: &Inputs) -> Numbers {
        let u1 = unsigned(x.other, x.sew);
        let (smax, umax) = ((1i128 << (x.vd_width - 1)) - 1, (1i128 << x.vd_width) - 1);
        Numbers {
            u2: unsigned(x.vs2, x.vs2_width),
            s2: signed(x.vs2, x.vs2_width),
            u1,
            s1: signed(x.other, x.sew),
            shift: (u1 % x.vs2_width as i128) as u32,
            smin: -smax - 1,
            smax,
            umax,
        }
    }
}

/// The element of the vector result of instruction `base` (mnemonic without suffix).
pub fn vector(base: &str, x: &Inputs) -> Outcome {
    let numbers = Numbers::of(x);
    let Numbers { u2, s2, u1, s1, shift, umax, .. } = numbers;
    let (ud, sd) = (unsigned(x.vd, x.vd_width), signed(x.vd, x.vd_width));
    let (sew, carry, power) = (x.sew, x.v0 as i128, 1i128 << shift);
    let exact = match base {
        "vadd" | "vwaddu" => u2 + u1,
        "vwadd" => s2 + s1,
        "vsub" | "vwsubu" => u2 - u1,
        "vwsub" => s2 - s1,
        "vrsub" => u1 - u2,
        "vminu" => u2.min(u1),
        "vmin" => s2.min(s1),
        "vmaxu" => u2.max(u1),
        "vmax" => s2.max(s1),
        "vand" => u2 & u1,
        "vor" => u2 | u1,
        "vxor" => u2 ^ u1,
        "vadc" => u2 + u1 + carry,
        "vsbc" => u2 - u1 - carry,
        "vmerge" => [u2, u1][x.v0 as usize],
        "vmv" => u1,
        "vsll" => u2 * power,
        "vsrl" | "vnsrl" => u2 / power,
        "vsra" | "vnsra" => s2.div_euclid(power),
        "vzext" => u2,
        "vsext" => s2,
        "vmul" | "vwmulu" => (u2 as u128).wrapping_mul(u1 as u128) as i128,
        "vwmul" => s2 * s1,
        "vwmulsu" => s2 * u1,
        "vmulh" => (s2 * s1).div_euclid(1 << sew),
        "vmulhsu" => (s2 * u1).div_euclid(1 << sew),
        "vmulhu" => ((u2 as u128 * u1 as u128) >> sew) as i128,
        "vdivu" if u1 == 0 => umax,
        "vdivu" => u2 / u1,
        "vdiv" if s1 == 0 => -1,
        "vdiv" => s2 / s1,
        "vremu" if u1 == 0 => u2,
        "vremu" => u2 % u1,
        "vrem" if s1 == 0 => s2,
        "vrem" => s2 % s1,
        "vmacc" => s1.wrapping_mul(s2) + sd,
        "vnmsac" => -(s1 * s2) + sd,
        "vmadd" => s1 * sd + s2,
        "vnmsub" => -(s1 * sd) + s2,
        "vwmaccu" => (u1 * u2) + ud,
        "vwmacc" => s1 * s2 + sd,
        "vwmaccsu" => s1 * u2 + sd,
        "vwmaccus" => u1 * s2 + sd,
        _ => return fixed_point(base, &numbers, x),
    };
    (exact, false)
}

/// The same for the fixed-point instructions.
fn fixed_point(base: &str, numbers: &Numbers, x: &Inputs) -> Outcome {
    let Numbers { u2, s2, u1, s1, shift, smin, smax, umax } = *numbers;
    let exact = match base {
        "vsaddu" => return clip(u2 + u1, 0, umax),
        "vsadd" => return clip(s2 + s1, smin, smax),
        "vssubu" => return clip(u2 - u1, 0, umax),
        "vssub" => return clip(s2 - s1, smin, smax),
        "vaaddu" => round(u2 + u1, 1, x.vxrm),
        "vaadd" => round(s2 + s1, 1, x.vxrm),
        "vasubu" => round(u2 - u1, 1, x.vxrm),
        "vasub" => round(s2 - s1, 1, x.vxrm),
        "vsmul" => return clip(round(s2 * s1, x.sew - 1, x.vxrm), smin, smax),
        "vssrl" => round(u2, shift, x.vxrm),
        "vssra" => round(s2, shift, x.vxrm),
        "vnclipu" => return clip(round(u2, shift, x.vxrm), 0, umax),
        "vnclip" => return clip(round(s2, shift, x.vxrm), smin, smax),
        _ => panic!("no expectation for {base}"),
    };
    (exact, false)
}

/// The bit of the mask result of instruction `base`; `None` if it yields no mask.
pub fn mask(base: &str, x: &Inputs) -> Option<bool> {
    let (u2, s2) = (unsigned(x.vs2, x.sew), signed(x.vs2, x.sew));
    let (u1, s1) = (unsigned(x.other, x.sew), signed(x.other, x.sew));
    let carry = x.v0 as i128;
    Some(match base {
        "vmseq" => u2 == u1,
        "vmsne" => u2 != u1,
        "vmsltu" => u2 < u1,
        "vmslt" => s2 < s1,
        "vmsleu" => u2 <= u1,
        "vmsle" => s2 <= s1,
        "vmsgtu" => u2 > u1,
        "vmsgt" => s2 > s1,
        "vmadc" => u2 + u1 + carry >= 1 << x.sew,
        "vmsbc" => u2 - u1 - carry < 0,
        _ => return None,
    })
}

/// The scalar result of reduction `base` over the active elements, in bits of `width`; `start` is vs1[0].
pub fn reduce(base: &str, start: u64, width: u32, active: &[u64], sew: u32) -> i128 {
    let u = || active.iter().map(|&e| unsigned(e, sew)).chain([unsigned(start, width)]);
    let s = || active.iter().map(|&e| signed(e, sew)).chain([signed(start, width)]);
    match base {
        "vredsum" | "vwredsumu" => u().sum(),
        "vwredsum" => s().sum(),
        "vredand" => u().fold(-1, |a, b| a & b),
        "vredor" => u().fold(0, |a, b| a | b),
        "vredxor" => u().fold(0, |a, b| a ^ b),
        "vredminu" => u().min().unwrap(),
        "vredmin" => s().min().unwrap(),
        "vredmaxu" => u().max().unwrap(),
        "vredmax" => s().max().unwrap(),
        _ => panic!("no expectation for {base}"),
    }
}
