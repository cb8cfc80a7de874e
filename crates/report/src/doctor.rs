//! What a report shows of the doctor's findings.

use capvec_record::doctor::{Cost, Diagnosis, FileFinding, Finding, Record, Verdict};
use capvec_record::grid::{Grid, Section};
use capvec_record::view::unit::Unit;
use capvec_text::digits::fixed;
use serde::de::IgnoredAny;

/// Everything that the doctor found, without the scans of files, which a report does not show.
pub type Doctor = Record<IgnoredAny>;

const LEGEND: &str = "\
factor lost: how many times less the algorithm could take. over portable: how many times more the same library takes when configured to use no
extension. Both are of time on a machine, of modelled cycles in the simulator, of instructions under an emulator. docs/doctor.md explains the verdicts.
";
const COST_LEGEND: &str = "\
adds: extensions that the core lacks, without what they imply. factor: speed with them over speed now, by the core model.
";

fn section(
    title: &'static str,
    head: &[&str],
    body: Vec<Vec<String>>,
    legend: &'static str,
) -> Option<Section> {
    let head = head.iter().map(|h| h.to_string()).collect();
    (!body.is_empty()).then(|| Section { title, grid: Grid { head, body }, legend: legend.into() })
}

/// Its tables.
pub fn sections(d: &Doctor) -> Vec<Section> {
    let remedy = |r: &Option<String>| r.clone().unwrap_or_default();
    let finding = |f: &Finding| {
        let figures = [f.lost, f.over_scalar].map(|v| fixed(v, 2));
        let [lost, over] = figures;
        let (algorithm, operation) = (f.algorithm.clone(), f.direction.clone());
        vec![
            algorithm,
            operation,
            f.verdict.name().into(),
            lost,
            over,
            f.why.clone(),
            remedy(&f.remedy),
        ]
    };
    let file = |f: &FileFinding<IgnoredAny>| {
        vec![f.path.clone(), f.verdict.clone(), f.why.clone(), remedy(&f.remedy)]
    };
    let unit = Unit::of(d.cost.iter().flatten().flat_map(|c| [c.now_kbps, c.then_kbps]));
    let cost = |c: &Cost| {
        let adds = if c.adds.is_empty() { "nothing helps".into() } else { c.adds.join(" ") };
        let [now, then] = [c.now_kbps, c.then_kbps].map(|v| unit.cell(v));
        vec![c.algorithm.clone(), c.direction.clone(), now, adds, fixed(Some(c.factor), 2), then]
    };
    let findings = d.diagnosis.iter().flat_map(|d| &d.findings).map(finding).collect();
    let head =
        ["algorithm", "operation", "verdict", "factor lost", "over portable", "why", "what to do"];
    let [now, then] = ["now", "then"].map(|when| format!("{} {when}", unit.name));
    let costs = ["algorithm", "operation", &now, "adds", "factor", &then];
    [
        section("Verdicts", &head, findings, LEGEND),
        section(
            "Files",
            &["file", "verdict", "why", "what to do"],
            d.files.iter().map(file).collect(),
            "",
        ),
        section(
            "What extensions would add",
            &costs,
            d.cost.iter().flatten().map(cost).collect(),
            COST_LEGEND,
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What was examined.
pub fn facts(d: &Doctor) -> Vec<(&'static str, String)> {
    let Some(Diagnosis { facts: f, .. }) = &d.diagnosis else { return Vec::new() };
    let all = [
        ("Target", f.target.clone()),
        ("Architecture", f.architecture.clone()),
        ("Processor there", f.processor.clone()),
        ("Library", f.file.as_ref().map(|l| l.path.clone()).unwrap_or_default()),
        ("Version", f.version.clone()),
        ("Library configuration", f.configured.clone().unwrap_or_default()),
        ("Not compared", not_compared(d).into()),
    ];
    all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

/// What the doctor could not compare on this target.
fn not_compared(d: &Doctor) -> &'static str {
    match &d.diagnosis {
        Some(d) if !d.findings.is_empty() && !d.facts.is_simulated() => {
            "with libcapvec, which runs in the simulator only: whether its code is faster here is not known"
        }
        _ => "",
    }
}

/// The target, with its core or architecture; `None` if only files were examined.
pub fn place(d: &Doctor) -> Option<String> {
    let facts = &d.diagnosis.as_ref()?.facts;
    let detail = if facts.is_simulated() { &facts.processor } else { &facts.architecture };
    let target = &facts.target;
    Some(match detail.as_str() {
        "" => target.clone(),
        detail => format!("{target} ({detail})"),
    })
}

/// What a reader must know before the figures.
pub fn warnings(d: &Doctor) -> Vec<String> {
    d.diagnosis.iter().flat_map(|d| d.warnings.iter().cloned()).collect()
}

/// The number of findings, and for the top of the page, how many have which fault. That faster code exists says
/// nothing against the library, and a wrong answer says nothing about its speed.
pub fn counts(d: &Doctor) -> (usize, Vec<(usize, &'static str)>) {
    let findings = d.findings();
    if findings.is_empty() {
        let slower = d.files.iter().filter(|f| f.slower).count();
        let counts = vec![(slower, "files slower than they could be")];
        return (d.files.len(), if d.files.is_empty() { Vec::new() } else { counts });
    }
    let count = |f: fn(&Finding) -> bool| findings.iter().filter(|x| f(x)).count();
    let slower = "operations slower than this library could be";
    let mut counts = vec![
        (count(|f| f.verdict == Verdict::Wrong), "operations with wrong answers"),
        (
            count(|f| f.slower && ![Verdict::Wrong, Verdict::FasterExists].contains(&f.verdict)),
            slower,
        ),
        (count(|f| f.verdict == Verdict::FasterExists), "operations for which faster code exists"),
    ];
    counts.retain(|(n, _)| *n > 0);
    (findings.len(), if counts.is_empty() { vec![(0, slower)] } else { counts })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(verdicts: &[&str]) -> (usize, Vec<(usize, &'static str)>) {
        let finding = |v: &&str| {
            let slower = *v != "accelerated";
            serde_json::from_value(serde_json::json!({ "verdict": v, "slower": slower })).unwrap()
        };
        let findings = verdicts.iter().map(finding).collect();
        super::counts(&Doctor::of_target(Diagnosis { findings, ..Diagnosis::default() }, None))
    }

    #[test]
    fn faults_are_counted_separately() {
        let slower = "operations slower than this library could be";
        let faster = "operations for which faster code exists";
        assert_eq!(counts(&["accelerated"]), (1, vec![(0, slower)]));
        assert_eq!(
            counts(&["accelerated", "faster-exists", "faster-exists"]),
            (3, vec![(2, faster)])
        );
        assert_eq!(
            counts(&["hidden-by-kernel", "wrong", "not-built", "faster-exists"]),
            (4, vec![(1, "operations with wrong answers"), (2, slower), (1, faster)])
        );
        assert_eq!(super::counts(&Doctor::default()), (0, vec![]));
        let slow = FileFinding { slower: true, ..FileFinding::default() };
        let files = Doctor::of_files(vec![slow, FileFinding::default()]);
        assert_eq!(super::counts(&files), (2, vec![(1, "files slower than they could be")]));
    }
}
