//! Reads the output of `capvec doctor --format json`, as far as a report shows it.

use capvec_record::view::digits::fixed;
use capvec_record::view::grid::{Grid, Section};
use capvec_record::view::unit::Unit;
use serde::Deserialize;

/// The simulator's name in records.
const SIMULATOR: &str = "sim";

/// Verdicts as JSON names them: answers are wrong; another library is faster.
const WRONG: &str = "wrong";
const FASTER: &str = "faster-exists";

/// Everything that the doctor found.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Doctor {
    diagnosis: Option<Diagnosis>,
    files: Vec<File>,
    cost: Vec<Cost>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Diagnosis {
    facts: Facts,
    findings: Vec<Finding>,
    warnings: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Facts {
    target: String,
    architecture: String,
    processor: String,
    version: String,
    #[serde(alias = "told")]
    configured: Option<String>,
    file: Option<Library>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Library {
    path: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Finding {
    algorithm: String,
    direction: String,
    verdict: String,
    slower: bool,
    lost: Option<f64>,
    over_scalar: Option<f64>,
    why: String,
    remedy: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct File {
    path: String,
    verdict: String,
    slower: bool,
    why: String,
    remedy: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Cost {
    algorithm: String,
    direction: String,
    now_kbps: Option<f64>,
    adds: Vec<String>,
    factor: Option<f64>,
    then_kbps: Option<f64>,
}

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

/// A verdict in the words of the doctor's own table; in JSON it is in lower case with hyphens.
fn words(verdict: &str) -> String {
    match verdict {
        FASTER => "faster code exists".into(),
        other => other.replace('-', " "),
    }
}

impl Doctor {
    /// Its tables.
    pub fn sections(&self) -> Vec<Section> {
        let remedy = |r: &Option<String>| r.clone().unwrap_or_default();
        let finding = |f: &Finding| {
            let figures = [f.lost, f.over_scalar].map(|v| fixed(v, 2));
            let [lost, over] = figures;
            let (algorithm, operation) = (f.algorithm.clone(), f.direction.clone());
            vec![
                algorithm,
                operation,
                words(&f.verdict),
                lost,
                over,
                f.why.clone(),
                remedy(&f.remedy),
            ]
        };
        let file =
            |f: &File| vec![f.path.clone(), words(&f.verdict), f.why.clone(), remedy(&f.remedy)];
        let unit = Unit::of(self.cost.iter().flat_map(|c| [c.now_kbps, c.then_kbps]));
        let cost = |c: &Cost| {
            let adds = if c.adds.is_empty() { "nothing helps".into() } else { c.adds.join(" ") };
            let [now, then] = [c.now_kbps, c.then_kbps].map(|v| unit.cell(v));
            vec![c.algorithm.clone(), c.direction.clone(), now, adds, fixed(c.factor, 2), then]
        };
        let findings = self.diagnosis.iter().flat_map(|d| &d.findings).map(finding).collect();
        let head = [
            "algorithm",
            "operation",
            "verdict",
            "factor lost",
            "over portable",
            "why",
            "what to do",
        ];
        let [now, then] = ["now", "then"].map(|when| format!("{} {when}", unit.name));
        let costs = ["algorithm", "operation", &now, "adds", "factor", &then];
        [
            section("Verdicts", &head, findings, LEGEND),
            section(
                "Files",
                &["file", "verdict", "why", "what to do"],
                self.files.iter().map(file).collect(),
                "",
            ),
            section(
                "What extensions would add",
                &costs,
                self.cost.iter().map(cost).collect(),
                COST_LEGEND,
            ),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// What was examined.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let Some(Diagnosis { facts: f, .. }) = &self.diagnosis else { return Vec::new() };
        let all = [
            ("Target", f.target.clone()),
            ("Architecture", f.architecture.clone()),
            ("Processor there", f.processor.clone()),
            ("Library", f.file.as_ref().map(|l| l.path.clone()).unwrap_or_default()),
            ("Version", f.version.clone()),
            ("Library configuration", f.configured.clone().unwrap_or_default()),
            ("Not compared", self.not_compared().into()),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// What the doctor could not compare on this target.
    fn not_compared(&self) -> &'static str {
        match &self.diagnosis {
            Some(d) if !d.findings.is_empty() && d.facts.target != SIMULATOR => {
                "with libcapvec, which runs in the simulator only: whether its code is faster here is not known"
            }
            _ => "",
        }
    }

    /// The target, with its core or architecture; `None` if only files were examined.
    pub fn place(&self) -> Option<String> {
        let facts = &self.diagnosis.as_ref()?.facts;
        let Facts { target, architecture, processor, .. } = facts;
        let detail = if target == "sim" { processor } else { architecture };
        Some(match detail.as_str() {
            "" => target.clone(),
            detail => format!("{target} ({detail})"),
        })
    }

    /// What a reader must know before the figures.
    pub fn warnings(&self) -> Vec<String> {
        self.diagnosis.iter().flat_map(|d| d.warnings.iter().cloned()).collect()
    }

    /// The number of findings, and for the top of the page, how many have which fault. That faster code exists says
    /// nothing against the library, and a wrong answer says nothing about its speed.
    pub fn counts(&self) -> (usize, Vec<(usize, &'static str)>) {
        let findings = self.diagnosis.as_ref().map_or(&[][..], |d| &d.findings);
        if findings.is_empty() {
            let slower = self.files.iter().filter(|f| f.slower).count();
            let counts = vec![(slower, "files slower than they could be")];
            return (self.files.len(), if self.files.is_empty() { Vec::new() } else { counts });
        }
        let count = |f: fn(&Finding) -> bool| findings.iter().filter(|x| f(x)).count();
        let slower = "operations slower than this library could be";
        let mut counts = vec![
            (count(|f| f.verdict == WRONG), "operations with wrong answers"),
            (count(|f| f.slower && ![WRONG, FASTER].contains(&f.verdict.as_str())), slower),
            (count(|f| f.verdict == FASTER), "operations for which faster code exists"),
        ];
        counts.retain(|(n, _)| *n > 0);
        (findings.len(), if counts.is_empty() { vec![(0, slower)] } else { counts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(verdicts: &[&str]) -> (usize, Vec<(usize, &'static str)>) {
        let finding = |v: &&str| Finding {
            verdict: v.to_string(),
            slower: *v != "accelerated",
            ..Finding::default()
        };
        let findings = verdicts.iter().map(finding).collect();
        let diagnosis = Some(Diagnosis { findings, ..Diagnosis::default() });
        Doctor { diagnosis, ..Doctor::default() }.counts()
    }

    #[test]
    fn faults_are_counted_separately() {
        let slower = "operations slower than this library could be";
        let faster = "operations for which faster code exists";
        assert_eq!(counts(&["accelerated"]), (1, vec![(0, slower)]));
        assert_eq!(counts(&["accelerated", FASTER, FASTER]), (3, vec![(2, faster)]));
        assert_eq!(
            counts(&["hidden-by-kernel", WRONG, "not-built", FASTER]),
            (4, vec![(1, "operations with wrong answers"), (2, slower), (1, faster)])
        );
        assert_eq!(Doctor::default().counts(), (0, vec![]));
        let files = vec![File { slower: true, ..File::default() }, File::default()];
        let files = Doctor { files, ..Doctor::default() };
        assert_eq!(files.counts(), (2, vec![(1, "files slower than they could be")]));
    }
}
