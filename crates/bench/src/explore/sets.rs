//! What is measured: each addition alone, and as many of them together as one hart can have.

use super::request::Request;
use crate::capset::CapSet;
use anyhow::{Context, Result, ensure};
use capvec_isa::{ExtSet, Op, isa_string};

/// The most additions of one exploration.
pub const MOST: usize = 12;
/// The most combinations that are measured if one hart cannot have all additions.
const COMBINATIONS: usize = 4;

/// A capability set to measure, and the instructions that it adds to the base.
pub struct Set {
    pub name: String,
    pub capset: CapSet,
    pub ops: Vec<Op>,
}

/// Every addition alone, then the combinations; and what is not measured together, and why.
pub fn added(request: &Request, base: ExtSet) -> Result<(Vec<Set>, Vec<String>)> {
    let one = |with: &String| set(request, with, base).with_context(|| format!("--with {with}"));
    let mut sets: Vec<Set> = request.with.iter().map(one).collect::<Result<_>>()?;
    let (mut apart, mut excludes) = (Vec::new(), vec![0u16; sets.len()]);
    for (b, second) in sets.iter().enumerate() {
        for (a, first) in sets[..b].iter().enumerate() {
            if let Some(clash) = first.capset.exts.union(second.capset.exts).clash() {
                excludes[a] |= 1 << b;
                excludes[b] |= 1 << a;
                let (first, second) = (&first.name, &second.name);
                apart.push(format!("{first} and {second} are alternatives: {clash}."));
            }
        }
    }
    let name = |chosen: &u16| {
        let names = request.with.iter().enumerate().filter(|(n, _)| chosen >> n & 1 != 0);
        names.map(|(_, with)| with.as_str()).collect::<Vec<_>>().join("_")
    };
    let all = combinations(&excludes);
    let (measured, rest) = all.split_at(all.len().min(COMBINATIONS));
    for chosen in measured {
        let together = set(request, &name(chosen), base)?;
        // One of the additions may contain the others.
        if sets.iter().all(|s| s.capset.exts != together.capset.exts) {
            sets.push(together);
        }
    }
    if !rest.is_empty() {
        let names: Vec<String> = rest.iter().map(name).collect();
        apart.push(format!(
            "Only {COMBINATIONS} combinations are measured, the largest ones. Not measured: {}; name them with --with to measure \
             them.",
            names.join(", ")
        ));
    }
    Ok((sets, apart))
}

/// The combinations of two or more that cannot be extended, as bits; the largest first.
fn combinations(excludes: &[u16]) -> Vec<u16> {
    let fits = |chosen: u16, n: usize| excludes[n] & chosen == 0;
    let every = 0..1u16 << excludes.len();
    let possible = |chosen: &u16| {
        let member = |n: &usize| chosen >> n & 1 != 0;
        let (inside, outside): (Vec<usize>, Vec<usize>) = (0..excludes.len()).partition(member);
        inside.into_iter().all(|n| fits(*chosen, n))
            && !outside.into_iter().any(|n| fits(*chosen, n))
    };
    let mut all: Vec<u16> = every.filter(|c| c.count_ones() > 1).filter(possible).collect();
    // Among combinations of one size, those with the additions named first come first.
    all.sort_by_key(|chosen| std::cmp::Reverse((chosen.count_ones(), chosen.reverse_bits())));
    all
}

/// The base with extensions.
fn set(request: &Request, with: &str, base: ExtSet) -> Result<Set> {
    let name = match request.base.as_str() {
        "scalar" => with.to_string(),
        base => format!("{base}_{with}"),
    };
    // The error names the word as given, and not the set that it would be part of.
    with.split('_').try_for_each(|word| isa_string::word(word, word).map(drop))?;
    let capset = CapSet::of(&name, &request.core.isa)?;
    let new = capset.exts.minus(base);
    ensure!(
        !new.is_empty(),
        "--base {} has it already; choose a base without it, such as scalar",
        request.base
    );
    let has = |op: &Op| op.row().exts.intersects(new) && !op.row().exts.intersects(base);
    Ok(Set { name: with.into(), ops: Op::all().filter(has).collect(), capset })
}

#[cfg(test)]
mod tests {
    use super::combinations;

    #[test]
    fn the_largest_combinations_without_a_clash() {
        assert_eq!(combinations(&[0, 0, 0]), [0b111]);
        assert!(combinations(&[0b10, 0b01]).is_empty());
        // The first two exclude each other.
        assert_eq!(combinations(&[0b010, 0b001, 0]), [0b101, 0b110]);
        // All but the last two exclude each other.
        assert_eq!(combinations(&[0b0110, 0b0101, 0b0011, 0, 0]), [0b11001, 0b11010, 0b11100]);
        // The first excludes all others, which exclude nothing else.
        assert_eq!(combinations(&[0b1110, 1, 1, 1]), [0b1110]);
        assert!(combinations(&[]).is_empty());
    }
}
