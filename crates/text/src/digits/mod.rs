//! The number of digits with which figures are shown: the rules of all columns, sentences and plots are here. A page has those of its
//! plots as data, because their figures are formatted in the browser.

#[cfg(test)]
mod tests;

/// Number of decimals by magnitude: for each bound the number below it, and `rest` above the last.
pub struct Rule {
    below: &'static [(f64, usize)],
    rest: usize,
}

/// Instructions and cycles per byte, scalar and best next to each other.
pub const PER_BYTE: Rule = Rule { below: &[(1.0, 3), (100.0, 2)], rest: 1 };
/// Counts and speeds of targets other than the simulator.
pub const MEASURED: Rule = Rule { below: &[(1.0, 4), (100.0, 2)], rest: 1 };
/// Instructions per byte next to published kernels.
pub const PEERS: Rule = Rule { below: &[(1.0, 4), (10.0, 3)], rest: 2 };
/// Instructions and cycles per byte of several libraries.
pub const LIBRARIES: Rule = Rule { below: &[(10.0, 3)], rest: 1 };
/// Instructions per byte or speeds of several builds.
pub const BUILDS: Rule = Rule { below: &[(100.0, 2)], rest: 0 };
/// Figures of an operation before and after.
pub const COMPARED: Rule = Rule { below: &[(1e4, 2)], rest: 0 };

/// Figures that support a verdict.
pub const EVIDENCE: Rule = Rule { below: &[(10.0, 3)], rest: 1 };
/// Ratios in tables.
pub const RATIO: Rule = Rule::decimals(2);
/// Ratios of two figures that should agree: most are near 1.
pub const AGREEMENT: Rule = Rule::decimals(3);
/// Ratios in sentences.
pub const TIMES: Rule = Rule::decimals(1);
/// Speeds in kB/s, next to published ones or to those of another program.
pub const SPEED: Rule = Rule::decimals(1);
/// Instructions or cycles of an operation, next to the shares of its parts.
pub const DIVIDED: Rule = Rule::decimals(1);
/// Cycles of a block.
pub const PER_BLOCK: Rule = Rule::decimals(2);
/// Areas in thousands of gates.
pub const AREA: Rule = Rule::decimals(1);
/// Bytes, megahertz, the instructions or cycles of a call, and percent where a whole number says enough.
pub const WHOLE: Rule = Rule::decimals(0);
/// The cost of a byte where a line was fitted to several message sizes.
pub const SLOPE: Rule = Rule::decimals(3);
/// How far such a line misses the figures, in percent.
pub const MISFIT: Rule = Rule::decimals(2);
/// A change in percent.
pub const CHANGE: Rule = Rule::decimals(2);
/// A change that [`CHANGE`] would show as 0.00 %.
pub const SMALL_CHANGE: Rule = Rule::decimals(4);
/// Shares of a whole, and the largest spread of many times, in percent.
pub const PERCENT: Rule = Rule::decimals(1);
/// The spread of one time in percent, in sentences.
pub const SPREAD: Rule = Rule::decimals(0);
/// The probability of a difference by chance.
pub const PROBABILITY: Rule = Rule::decimals(3);

/// Ratios next to the bars of a plot, where there is less room than in a table.
pub const BARS: Rule = Rule { below: &[(10.0, 2)], rest: 1 };
/// Significant digits of other figures in a plot.
pub const PLOT_SIGNIFICANT: usize = 4;
/// Significant digits in the table of a plot's figures.
pub const PLOT_TABLE_SIGNIFICANT: usize = 6;

/// Times of a single run, in seconds: to the microsecond.
pub const SECONDS: Rule = Rule::decimals(6);
/// Coordinates of a drawing.
pub const COORDINATE: Rule = Rule::decimals(3);

/// Fields of a CSV. Programs read them, so they have more digits than a table, and a missing figure is an empty field.
pub mod fields {
    use super::Rule;

    /// Instructions, cycles or nanoseconds of an operation.
    pub const PER_OPERATION: Rule = Rule::decimals(2);
    /// Instructions and cycles per byte.
    pub const PER_BYTE: Rule = Rule::decimals(4);
    /// Speeds in kB/s.
    pub const SPEED: Rule = Rule::decimals(1);
    /// Operations per second.
    pub const RATE: Rule = Rule::decimals(3);
    /// Ratios.
    pub const RATIO: Rule = Rule::decimals(3);
    /// The spread of times in percent.
    pub const SPREAD: Rule = Rule::decimals(2);
    /// A change in percent.
    pub const CHANGE: Rule = Rule::decimals(4);
    /// The probability of a difference by chance.
    pub const PROBABILITY: Rule = Rule::decimals(6);
}

/// A number of significant digits, with at least one decimal.
pub struct Significant {
    digits: i32,
    most_decimals: i32,
}

/// Speeds in kB/s.
pub const KILOBYTES: Significant = Significant { digits: 3, most_decimals: 9 };
/// Speeds in larger units.
pub const MEGABYTES: Significant = Significant { digits: 4, most_decimals: 9 };
/// Operations per second: signatures take from microseconds to minutes.
const RATE: Significant = Significant { digits: 3, most_decimals: 6 };

/// A share of the exact counts of a single run, in percent. It has a decimal more than [`PERCENT`], because nothing about it is
/// uncertain.
pub fn share(part: u64, all: u64) -> String {
    number(100.0 * part as f64 / all.max(1) as f64, 2)
}

impl Rule {
    /// The same number of decimals for every magnitude.
    const fn decimals(rest: usize) -> Rule {
        Rule { below: &[], rest }
    }

    /// For each bound, the number of decimals below it.
    pub fn below(&self) -> &[(f64, usize)] {
        self.below
    }

    /// The number of decimals above the last bound.
    pub fn rest(&self) -> usize {
        self.rest
    }

    fn digits(&self, v: f64) -> usize {
        let bound = self.below.iter().find(|(bound, _)| v.abs() < *bound);
        bound.map_or(self.rest, |(_, digits)| *digits)
    }

    /// A figure.
    pub fn text(&self, v: f64) -> String {
        number(v, self.digits(v))
    }

    /// A figure, or a dash.
    pub fn show(&self, v: Option<f64>) -> String {
        v.map_or("–".into(), |v| self.text(v))
    }

    /// A field of a CSV: a figure, or nothing.
    pub fn field(&self, v: Option<f64>) -> String {
        v.map_or(String::new(), |v| self.text(v))
    }

    /// A change in percent, with its sign.
    pub fn change(&self, percent: f64) -> String {
        let digits = self.digits(percent);
        format!("{percent:+.digits$} %")
    }
}

impl Significant {
    /// A figure, or a dash.
    pub fn show(&self, v: Option<f64>) -> String {
        let decimals = |v: f64| match v > 0.0 {
            true => (self.digits - 1 - v.log10().floor() as i32).clamp(1, self.most_decimals),
            false => 1,
        };
        v.map_or("–".into(), |v| number(v, decimals(v) as usize))
    }
}

/// A number with this many decimals.
fn number(v: f64, digits: usize) -> String {
    format!("{v:.digits$}")
}

/// Operations per second, or a dash.
pub fn rate(v: Option<f64>) -> String {
    RATE.show(v)
}

/// Four significant digits with a unit, or the whole number if it has no more.
pub fn count(v: Option<f64>) -> String {
    let Some(v) = v else { return WHOLE.show(v) };
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    // A value that would round up to the next unit gets that unit.
    match units.iter().find(|(unit, _)| v >= unit * 0.99995) {
        Some((unit, name)) if v >= 9999.5 => {
            let v = v / unit;
            let digits = if v < 9.9995 {
                3
            } else if v < 99.995 {
                2
            } else {
                1
            };
            number(v, digits) + name
        }
        _ => number(v, 0),
    }
}

/// A number of bytes, in the largest unit that gives a whole number.
pub fn size(bytes: usize) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{} {name}", bytes / unit),
        None if bytes == 1 => "1 byte".into(),
        None => format!("{bytes} bytes"),
    }
}

/// A whole number with a separator between groups of three digits.
pub fn grouped(n: u64, separator: char) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

/// Space on a disk, in KiB, MiB or GiB.
pub fn space(bytes: u64) -> String {
    let tenths = |shift: u32| (u128::from(bytes) * 10 + (1 << (shift - 1))) >> shift;
    let (tenths, unit) = match (tenths(10), tenths(20)) {
        (kibi, _) if kibi < 10 << 10 => (kibi, "KiB"),
        (_, mebi) if mebi < 10 << 10 => (mebi, "MiB"),
        _ => (tenths(30), "GiB"),
    };
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}
