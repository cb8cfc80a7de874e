//! Findings for people and programs: one screen of verdicts, then remedies, and the evidence if requested.

use crate::Findings;
use crate::facts::Facts;
use crate::show_files::{self, strings};
use capvec_binscan::Family;
use capvec_record::doctor::{Cost, Finding, RatioOf, Verdict};
use capvec_record::grid::Grid;
use capvec_record::view::unit::Unit;
use capvec_text::csv;
use capvec_text::digits::{RATIO, field, fixed};

fn list(names: &[String], none: &str) -> String {
    if names.is_empty() { none.into() } else { names.join(" ") }
}

/// What each step reports, in a few lines.
fn head(f: &Facts) -> String {
    let executes = f.names(|c| c.executes == Some(true));
    let hidden = f.names(|c| c.executes == Some(true) && c.kernel == Some(false));
    let kernel = match f.hwprobe {
        Some(false) => "riscv_hwprobe does not answer".to_string(),
        _ if hidden.is_empty() => "shows what executes".into(),
        _ => format!("does not show {}", hidden.join(" ")),
    };
    let kernel = match f.kernel.as_str() {
        "" => kernel,
        release => format!("Linux {release}: {kernel}"),
    };
    let libc = f.names(|c| c.kernel == Some(true) && c.libc == Some(false));
    let libc = if f.architecture == "x86_64" || libc.is_empty() {
        String::new()
    } else {
        format!("C library  does not pass on {}\n", libc.join(" "))
    };
    let unused = f.names(|c| c.executes == Some(true) && c.detected == Some(false));
    let silent = f.capabilities.iter().all(|c| c.detected.is_none());
    let library = if f.dies.is_some() {
        "does not start".into()
    } else if silent {
        "does not report what it detects".into()
    } else if unused.is_empty() {
        "uses what executes".into()
    } else {
        format!("does not use {}", unused.join(" "))
    };
    let file = match &f.file {
        Some(file) => {
            let have = Family::OWN.iter().filter(|k| file.scan.family(**k) > 0).map(|k| k.name());
            let have: Vec<&str> = have.collect();
            let have = if have.is_empty() { "no algorithm".into() } else { have.join(", ") };
            format!("code       {}: instructions for {have}\n", file.path)
        }
        None => "code       in the driver: the target has no libcrypto.so.3 that the driver can load, so this is Debian's, linked into the\n           driver, and not what programs there use\n"
            .into(),
    };
    let configured =
        f.configured.as_ref().map_or(String::new(), |t| format!(", configured by {t}"));
    format!(
        "target     {}, {} {}\nprocessor  executes {}\nkernel     {kernel}\n{libc}library    {}: {library}{configured}\n{file}",
        f.target,
        f.architecture,
        f.processor,
        list(&executes, "no extension that the library knows"),
        f.version,
    )
}

/// Whether all figures are instruction counts, without any speed.
fn counts_only(findings: &[Finding]) -> bool {
    findings.iter().any(|f| f.ratio_of == Some(RatioOf::Instructions))
}

fn verdicts(findings: &[Finding]) -> Grid {
    let head = match counts_only(findings) {
        true => strings(["algorithm", "verdict", "insns lost", "insns portable", "why"]),
        false => strings(["algorithm", "verdict", "times lost", "over portable", "why"]),
    };
    let line = |f: &Finding| {
        let lost = match (f.slower, f.lost) {
            (false, _) => "–".into(),
            _ if f.verdict == Verdict::Wrong => "–".into(),
            (true, None) => "not measured".into(),
            (true, Some(factor)) => RATIO.text(factor),
        };
        vec![
            f.algorithm.clone(),
            f.verdict.name().into(),
            lost,
            fixed(f.over_scalar, 2),
            f.why.clone(),
        ]
    };
    Grid { head, body: findings.iter().map(line).collect() }
}

/// Each remedy once, with the algorithms that it applies to.
fn remedies<'a>(
    all: impl Iterator<Item = (&'a str, Option<&'a String>)>,
) -> Vec<(Vec<&'a str>, &'a str)> {
    let mut found: Vec<(Vec<&str>, &str)> = Vec::new();
    for (who, remedy) in all.filter_map(|(who, r)| Some((who, r?))) {
        match found.iter_mut().find(|(_, r)| r == remedy) {
            Some((names, _)) => names.push(who),
            None => found.push((vec![who], remedy)),
        }
    }
    found
}

fn costs(costs: &[Cost]) -> Grid {
    let unit = Unit::of(costs.iter().flat_map(|c| [c.now_kbps, c.then_kbps]));
    let [now, then] = ["now", "then"].map(|when| format!("{} {when}", unit.name));
    let head = strings(["algorithm", "operation", &now, "adds", "times", &then]);
    let line = |c: &Cost| {
        let adds = if c.adds.is_empty() { "nothing helps".into() } else { c.adds.join(" ") };
        vec![
            c.algorithm.clone(),
            c.direction.clone(),
            unit.cell(c.now_kbps),
            adds,
            fixed(Some(c.factor), 2),
            unit.cell(c.then_kbps),
        ]
    };
    // The best addition, and what each extension gains alone; the rest, and decryption, are in the CSV.
    let mut shown: Vec<&Cost> = Vec::new();
    for c in costs.iter().filter(|c| c.direction != "dec") {
        let first = !shown.iter().any(|s| s.case == c.case && s.direction == c.direction);
        if first || c.adds.len() == 1 {
            shown.push(c);
        }
    }
    Grid { head, body: shown.into_iter().map(line).collect() }
}

/// Legends of the columns, for emulators and for targets with a speed.
const COUNTED: &str = "\
insns lost: those of the library as it is, over the fewest that were counted here. insns portable: those of the same library's portable
code, over those of the library as it is. Both are ratios of retired instructions, and not of time.\n";
const LEGEND: &str = "\
times lost: how many times as fast the algorithm could be here, as measured. over portable: its speed over that of the same library
configured to use no extension.\n";
const COST_LEGEND: &str = "\
adds: extensions that the core lacks, without what they imply: the best set, and each that helps by itself. times: speed
with them over speed now, by the core model; --format csv has every set.\n";

/// Shown on targets other than the simulator.
const NOT_COMPARED: &str = "\
Not compared with libcapvec, which runs in the simulator only: whether its code is faster here is not known.\n";

/// For a terminal; with the evidence if `verbose`.
pub fn text(found: &Findings, verbose: bool, width: Option<u16>) -> String {
    render(found, verbose, &|grid| grid.text(width), "")
}

/// For a pull request.
pub fn markdown(found: &Findings, verbose: bool) -> String {
    render(found, verbose, &Grid::markdown, "\n")
}

fn render(found: &Findings, verbose: bool, draw: &dyn Fn(&Grid) -> String, gap: &str) -> String {
    let mut s = String::new();
    if let Some(d) = &found.diagnosis {
        let head = head(&d.facts);
        s += &if gap.is_empty() { head } else { format!("```\n{head}```\n") };
        let legend = if counts_only(&d.findings) { COUNTED } else { LEGEND };
        s += &format!("\n{}\n{legend}", draw(&verdicts(&d.findings)));
        s += if d.facts.is_simulated() { "" } else { NOT_COMPARED };
        let all = d.findings.iter().map(|f| (f.algorithm.as_str(), f.remedy.as_ref()));
        s += &advice(&remedies(all), gap);
        if verbose {
            s += &proofs(&d.findings);
        }
    }
    if !found.files.is_empty() {
        if !s.is_empty() {
            s += "\n";
        }
        s += &show_files::text(&found.files, verbose, draw);
        let all = found.files.iter().map(|f| (f.path.as_str(), f.remedy.as_ref()));
        s += &advice(&remedies(all), gap);
        if verbose {
            s += &show_files::sites(&found.files);
        }
    }
    if let Some(cost) = &found.cost {
        s += &format!("\n{}\n{COST_LEGEND}", draw(&costs(cost)));
    }
    s
}

/// A line for each algorithm or file.
pub fn csv(found: &Findings) -> String {
    let mut s = "subject,direction,verdict,slower,times_lost,over_portable,why,remedy,ratio_of\n"
        .to_string();
    let mut line = |cells: [&str; 9]| {
        s += &(cells.map(csv::field).join(",") + "\n");
    };
    for f in found.findings() {
        let (lost, over) = (field(f.lost, 3), field(f.over_scalar, 3));
        let remedy = f.remedy.as_deref().unwrap_or_default();
        let slower = if f.slower { "yes" } else { "no" };
        let of = f.ratio_of.map_or("", RatioOf::name);
        let verdict = f.verdict.name();
        line([&f.case, &f.direction, verdict, slower, &lost, &over, &f.why, remedy, of]);
    }
    for f in &found.files {
        let remedy = f.remedy.as_deref().unwrap_or_default();
        let slower = if f.slower { "yes" } else { "no" };
        line([&f.path, "", &f.verdict, slower, "", "", &f.why, remedy, ""]);
    }
    for c in found.cost.iter().flatten() {
        let (factor, adds) = (field(Some(c.factor), 3), c.adds.join(" "));
        line([&c.case, &c.direction, "cost", "", &factor, "", &adds, "", "modelled speed"]);
    }
    s
}

fn advice(all: &[(Vec<&str>, &str)], gap: &str) -> String {
    if all.is_empty() {
        return String::new();
    }
    let line = |(who, what): &(Vec<&str>, &str)| {
        let more =
            if who.len() > 4 { format!(" and {} more", who.len() - 4) } else { String::new() };
        let who: Vec<&str> = who.iter().take(4).copied().collect();
        format!("- {}{more}: {what}\n", who.join(", "))
    };
    format!("\nwhat to do:\n{gap}{}", all.iter().map(line).collect::<String>())
}

fn proofs(findings: &[Finding]) -> String {
    let one = |f: &Finding| {
        let lines: String = f.proof.iter().map(|p| format!("    {p}\n")).collect();
        format!("\n{} {}: {}\n{lines}", f.algorithm, f.direction, f.verdict.name())
    };
    findings.iter().map(one).collect()
}
