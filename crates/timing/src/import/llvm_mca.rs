//! Reads what `llvm-mca -instruction-tables` prints: for each instruction its micro-operations, latency and reciprocal
//! throughput. SEW and LMUL of a vector instruction are those of the `vsetvli` before it.

use super::timing::Timing;

/// The instructions of the table "Instruction Info".
pub fn read(text: &str) -> Vec<Timing> {
    let mut lines = text.lines().skip_while(|l| !l.starts_with("Instruction Info:"));
    lines.next();
    let (mut sew, mut lmul) = (0, 1);
    let mut timings = Vec::new();
    for line in lines.take_while(|l| !l.starts_with("Resources:")) {
        let Some((latency, cycles, instruction)) = fields(line) else { continue };
        let mnemonic = instruction.split_whitespace().next().unwrap_or_default();
        if mnemonic.starts_with("vset") {
            if let Some(vtype) = vtype(&instruction) {
                (sew, lmul) = vtype;
            }
            continue;
        }
        // Fractional LMUL is left out.
        let of = if mnemonic.starts_with('v') { (sew, lmul) } else { (0, 1) };
        if of.1 > 0 {
            timings.push(Timing {
                mnemonic: mnemonic.into(),
                sew: of.0,
                lmul: of.1,
                cycles,
                latency: Some(latency),
            });
        }
    }
    timings
}

/// Latency, reciprocal throughput and instruction of a line: numbers, flags (`*`, `U`), then the instruction.
fn fields(line: &str) -> Option<(f64, f64, String)> {
    let mut words = line.split_whitespace();
    let _operations: f64 = words.next()?.parse().ok()?;
    let latency: f64 = words.next()?.parse().ok()?;
    let cycles: f64 = words.next()?.parse().ok()?;
    let possible = |v: f64| v.is_finite() && (0.0..1e6).contains(&v);
    let instruction: Vec<&str> = words.skip_while(|w| matches!(*w, "*" | "U")).collect();
    let found = possible(latency) && possible(cycles) && !instruction.is_empty();
    found.then(|| (latency, cycles, instruction.join(" ")))
}

/// SEW and LMUL of a `vsetvli`, with 0 for a fractional LMUL.
fn vtype(instruction: &str) -> Option<(u32, u32)> {
    let mut words = instruction.split([' ', ',']);
    let sew = words.find_map(|w| w.strip_prefix('e')?.parse().ok())?;
    let lmul = words.find_map(|w| w.strip_prefix('m'))?;
    Some((sew, lmul.parse().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the layout of the tests of LLVM (llvm/test/tools/llvm-mca/RISCV).
    #[test]
    fn vector_instructions_have_the_type_set_before_them() {
        let text = "Iterations: 1\n\nInstruction Info:\n[1]: #uOps\n[2]: Latency\n[3]: RThroughput\n[4]: MayLoad\n[5]: MayStore\n\
            [6]: HasSideEffects (U)\n\n[1]    [2]    [3]    [4]    [5]    [6]    Instructions:\n \
            1      3     1.00                        mul\ta0, a0, a0\n \
            1      4     0.50    *                   lw\ta0, 0(a0)\n \
            1      3     1.00                  U     vsetvli\tzero, zero, e32, m4, tu, mu\n \
            1      6     8.00                        vadd.vv\tv8, v8, v8\n \
            1      3     1.00                  U     vsetvli\tzero, zero, e8, mf2, tu, mu\n \
            1      6     1.00                        vadd.vv\tv8, v8, v8\n\n\
            Resources:\n[0]   - Unit\n 1      4     9.00   vadd.vv\n";
        let timing = |mnemonic: &str, sew, lmul, cycles, latency| Timing {
            mnemonic: mnemonic.into(),
            sew,
            lmul,
            cycles,
            latency: Some(latency),
        };
        assert_eq!(
            read(text),
            [
                timing("mul", 0, 1, 1.0, 3.0),
                timing("lw", 0, 1, 0.5, 4.0),
                timing("vadd.vv", 32, 4, 8.0, 6.0)
            ]
        );
        assert!(read("1 2 3 mul\n").is_empty());
    }
}
