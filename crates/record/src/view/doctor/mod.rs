//! The doctor's tables: on a terminal, in a pull request and in a report. Each of them leaves out columns that it shows in another way.

mod summary;

use crate::doctor::{
    Cost, Diagnosis, FileFinding, Finding, KernelFinding, RatioOf, RuntimeFinding, Verdict,
};
use crate::grid::{Grid, Section};
use crate::view::speed_unit::SpeedUnit;
use capvec_text::digits::RATIO;

/// The column of operations.
pub const OPERATION: &str = "operation";
/// The column of remedies.
pub const WHAT_TO_DO: &str = "what to do";

/// Legends of the verdicts, for emulators and for targets with a speed.
const COUNTED: &str = "\
insns lost: those of the library as it is, over the fewest that were counted here. insns portable: those of the same library's portable
code, over those of the library as it is. Both are ratios of retired instructions, and not of time.\n";
const TIMED: &str = "\
times lost: how many times as fast the algorithm could be here, as measured. over portable: its speed over that of the same library
configured to use no extension.\n";
const COSTS: &str = "\
adds: extensions that the core lacks, without what they imply. times: speed with them over speed now, by the core model.\n";
const BEST_COSTS: &str = "\
adds: extensions that the core lacks, without what they imply: the best set, and each that helps by itself. times: speed
with them over speed now, by the core model; --format csv has every set.\n";

/// The verdicts on algorithms.
pub fn verdicts(findings: &[Finding]) -> Section {
    // An emulator has no speed.
    let counted = findings.iter().any(|f| f.ratio_of == Some(RatioOf::Instructions));
    let [lost, over] =
        if counted { ["insns lost", "insns portable"] } else { ["times lost", "over portable"] };
    let head = ["algorithm", OPERATION, "verdict", lost, over, "why", WHAT_TO_DO];
    let line = |f: &Finding| {
        let lost = match (f.slower, f.lost) {
            _ if f.verdict == Verdict::Wrong => RATIO.show(None),
            (false, _) => RATIO.show(None),
            (true, None) => "not measured".into(),
            (true, Some(factor)) => RATIO.text(factor),
        };
        vec![
            f.algorithm.clone(),
            f.direction.clone(),
            f.verdict.name().into(),
            lost,
            RATIO.show(f.over_scalar),
            f.why.clone(),
            f.remedy.clone().unwrap_or_default(),
        ]
    };
    let grid = Grid::of(&head, findings.iter().map(line).collect());
    Section { title: "Verdicts", grid, legend: if counted { COUNTED } else { TIMED }.into() }
}

/// The verdicts on files, without what a scan found in them.
pub fn files<Scan>(files: &[FileFinding<Scan>]) -> Section {
    let line = |f: &FileFinding<Scan>| {
        let remedy = f.remedy.clone().unwrap_or_default();
        vec![f.path.clone(), f.verdict.clone(), f.why.clone(), remedy]
    };
    let head = ["file", "verdict", "why", WHAT_TO_DO];
    let grid = Grid::of(&head, files.iter().map(line).collect());
    Section { title: "Files", grid, legend: "".into() }
}

/// The verdicts on a kernel's implementations.
pub fn kernel(findings: &[KernelFinding]) -> Section {
    let line = |f: &KernelFinding| {
        let built = match (f.option.as_str(), f.value.as_str()) {
            ("", _) => "–".into(),
            (option, value) => format!("{}={value}", option.trim_start_matches("CONFIG_")),
        };
        let remedy = f.remedy.clone().unwrap_or_default();
        vec![
            f.algorithm.clone(),
            f.verdict.clone(),
            f.extensions.join(" "),
            built,
            f.why.clone(),
            remedy,
        ]
    };
    let head = ["algorithm", "verdict", "extensions", "option", "why", WHAT_TO_DO];
    let grid = Grid::of(&head, findings.iter().map(line).collect());
    Section { title: "The kernel's implementations", grid, legend: "".into() }
}

/// What runtimes and libraries leave unused.
pub fn runtimes(findings: &[RuntimeFinding]) -> Section {
    let line = |f: &RuntimeFinding| {
        let unused = if f.unused.is_empty() { "–".into() } else { f.unused.join(" ") };
        let remedy = f.remedy.clone().unwrap_or_default();
        let name = format!("{} {}", f.runtime, f.version);
        vec![name, f.verdict.clone(), unused, f.why.clone(), f.source.clone(), remedy]
    };
    let head = ["runtime", "verdict", "unused", "why", "source", WHAT_TO_DO];
    let grid = Grid::of(&head, findings.iter().map(line).collect());
    Section { title: "Runtimes and libraries", grid, legend: "".into() }
}

/// What extensions would gain: every set, or for each operation but decryption, the best set and each extension that helps by
/// itself.
pub fn costs(costs: &[Cost], every: bool) -> Section {
    let unit = SpeedUnit::of(costs.iter().flat_map(|c| [c.now_kbps, c.then_kbps]));
    let [now, then] = ["now", "then"].map(|when| format!("{} {when}", unit.name));
    let head = ["algorithm", OPERATION, &now, "adds", "times", &then];
    let line = |c: &Cost| {
        let adds = if c.adds.is_empty() { "nothing helps".into() } else { c.adds.join(" ") };
        vec![
            c.algorithm.clone(),
            c.direction.clone(),
            unit.cell(c.now_kbps),
            adds,
            RATIO.text(c.factor),
            unit.cell(c.then_kbps),
        ]
    };
    let shown = if every { costs.iter().collect() } else { best(costs) };
    let grid = Grid::of(&head, shown.into_iter().map(line).collect());
    let legend = if every { COSTS } else { BEST_COSTS }.into();
    Section { title: "What extensions would add", grid, legend }
}

fn best(costs: &[Cost]) -> Vec<&Cost> {
    let mut shown: Vec<&Cost> = Vec::new();
    for c in costs.iter().filter(|c| c.direction != "dec") {
        let first = !shown.iter().any(|s| s.case == c.case && s.direction == c.direction);
        if first || c.adds.len() == 1 {
            shown.push(c);
        }
    }
    shown
}

/// What the library was not compared with on this target.
pub fn not_compared<Scan>(diagnosis: &Diagnosis<Scan>) -> Option<&'static str> {
    (!diagnosis.facts.is_simulated()).then_some(
        "with libcapvec, which runs in the simulator only: whether its code is faster here is not known",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(verdict: Verdict, slower: bool, lost: Option<f64>) -> Finding {
        Finding {
            case: String::new(),
            algorithm: "SHA-256".into(),
            direction: "enc".into(),
            verdict,
            slower,
            lost,
            against: String::new(),
            over_scalar: Some(1.5),
            ratio_of: Some(RatioOf::Speed),
            why: "why".into(),
            proof: Vec::new(),
            remedy: None,
        }
    }

    #[test]
    fn a_factor_that_means_nothing_is_not_shown() {
        let findings = [
            finding(Verdict::Fallback, true, Some(2.0)),
            finding(Verdict::Fallback, true, None),
            finding(Verdict::Accelerated, false, Some(1.0)),
            finding(Verdict::Wrong, true, Some(2.0)),
        ];
        let shown: Vec<String> =
            verdicts(&findings).grid.body.into_iter().map(|l| l[3].clone()).collect();
        assert_eq!(shown, ["2.00", "not measured", "–", "–"]);
    }

    #[test]
    fn emulators_have_ratios_of_instructions() {
        let counted = Finding {
            ratio_of: Some(RatioOf::Instructions),
            ..finding(Verdict::Fallback, true, None)
        };
        let section = verdicts(&[counted]);
        assert_eq!(section.grid.head[3..5], ["insns lost", "insns portable"]);
        assert!(section.legend.contains("not of time"));
    }

    #[test]
    fn the_best_set_and_single_extensions_are_shown_first() {
        let cost = |direction: &str, adds: &[&str]| Cost {
            case: "sha256".into(),
            direction: direction.into(),
            adds: adds.iter().map(|name| name.to_string()).collect(),
            ..Cost::default()
        };
        let all = [cost("enc", &["a", "b"]), cost("enc", &["c", "d"]), cost("enc", &["a"])];
        let all = [&all[..], &[cost("dec", &["a"]), cost("sign", &[])]].concat();
        let adds = |every| -> Vec<String> {
            costs(&all, every).grid.body.into_iter().map(|l| l[3].clone()).collect()
        };
        assert_eq!(adds(false), ["a b", "a", "nothing helps"]);
        assert_eq!(adds(true), ["a b", "c d", "a", "a", "nothing helps"]);
    }
}
