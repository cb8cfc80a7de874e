//! Findings for people and programs: one screen of verdicts, then remedies, and the evidence if requested.

use crate::Findings;
use crate::show_files;
use crate::shown::Facts;
use capvec_binscan::Family;
use capvec_record::doctor::{Finding, Kernel, RatioOf, RuntimeFinding};
use capvec_record::grid::Grid;
use capvec_record::view::doctor::{self as view, OPERATION, WHAT_TO_DO};
use capvec_text::csv;
use capvec_text::digits::fields;

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
    let misaligned = misaligned(f);
    format!(
        "target     {}, {} {}\nprocessor  executes {}\n{misaligned}kernel     {kernel}\n{libc}library    {}: {library}{configured}\n{file}",
        f.target,
        f.architecture,
        f.processor,
        list(&executes, "no extension that the library knows"),
        f.version,
    )
}

/// What becomes of misaligned accesses, unless they are fast or this is not known.
fn misaligned(f: &Facts) -> String {
    let [scalar, vector] = &f.misaligned;
    let verdict = |what: &str, kind: &str| match kind {
        "unsupported" => {
            format!("a misaligned {what} access ends the program with SIGBUS")
        }
        "emulated" => format!("a misaligned {what} access takes hundreds of cycles"),
        "slow" => {
            format!("a misaligned {what} access takes longer than accessing its bytes one by one")
        }
        _ => String::new(),
    };
    // The kernel calls vector accesses unsupported where there are no vectors.
    let vector = if f.executes("v") { vector } else { "" };
    let said: Vec<String> = [verdict("scalar", scalar), verdict("vector", vector)].into();
    let said: Vec<String> = said.into_iter().filter(|s| !s.is_empty()).collect();
    if said.is_empty() {
        return String::new();
    }
    format!(
        "misaligned {}; `capvec run --stats=misaligned` names the code that makes them\n",
        said.join(", and ")
    )
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
        let verdicts = view::verdicts(&d.findings);
        // Remedies follow, each once.
        let grid = verdicts.grid.without(&[OPERATION, WHAT_TO_DO]);
        s += &format!("\n{}\n{}", draw(&grid), verdicts.legend);
        if let Some(what) = view::not_compared(d) {
            s += &format!("Not compared {what}.\n");
        }
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
    if let Some(k) = &found.kernel {
        s += &kernel(k, draw, gap);
    }
    if !found.runtimes.is_empty() {
        s += &runtimes(&found.runtimes, verbose, draw, gap);
    }
    if let Some(costs) = &found.cost {
        let costs = view::costs(costs, false);
        s += &format!("\n{}\n{}", draw(&costs.grid), costs.legend);
    }
    s
}

/// A kernel: where its configuration is, what its command line takes away, and the verdicts.
fn kernel(k: &Kernel, draw: &dyn Fn(&Grid) -> String, gap: &str) -> String {
    let words: String = k.remarks.iter().map(|r| format!("cmdline    {r}\n")).collect();
    let head = format!(
        "kernel     Linux {}, {}\nconfig     {}\n{words}",
        k.release, k.architecture, k.config
    );
    let head = if gap.is_empty() { head } else { format!("```\n{head}```\n") };
    let verdicts = view::kernel(&k.findings).grid.without(&[WHAT_TO_DO]);
    let all = k.findings.iter().map(|f| (f.algorithm.as_str(), f.remedy.as_ref()));
    format!("{head}\n{}{}", draw(&verdicts), advice(&remedies(all), gap))
}

/// Runtimes and libraries; how each finding is known, if that is asked for.
fn runtimes(
    all: &[RuntimeFinding],
    verbose: bool,
    draw: &dyn Fn(&Grid) -> String,
    gap: &str,
) -> String {
    let hidden: &[&str] = if verbose { &[WHAT_TO_DO] } else { &["source", WHAT_TO_DO] };
    let grid = view::runtimes(all).grid.without(hidden);
    let names: Vec<String> = all.iter().map(|f| format!("{} {}", f.runtime, f.version)).collect();
    let advised = names.iter().zip(all).map(|(name, f)| (name.as_str(), f.remedy.as_ref()));
    let subjects: Vec<&str> = all.iter().filter_map(|f| f.subject.as_deref()).collect();
    format!(
        "{}These versions are Debian 13's. To measure libraries on a core: capvec bench --subject openssl,{} --caps scalar,auto\n{}",
        draw(&grid),
        subjects.join(","),
        advice(&remedies(advised), gap)
    )
}

/// A line for each algorithm, file or runtime.
pub fn csv(found: &Findings) -> String {
    let mut s = "subject,direction,verdict,slower,times_lost,over_portable,why,remedy,ratio_of\n"
        .to_string();
    let mut line = |cells: [&str; 9]| {
        s += &(cells.map(csv::field).join(",") + "\n");
    };
    for f in found.findings() {
        let (lost, over) = (fields::RATIO.field(f.lost), fields::RATIO.field(f.over_scalar));
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
    for f in found.kernel_findings() {
        let remedy = f.remedy.as_deref().unwrap_or_default();
        let slower = if f.slower { "yes" } else { "no" };
        line([&f.algorithm, "", &f.verdict, slower, "", "", &f.why, remedy, ""]);
    }
    for f in &found.runtimes {
        let remedy = f.remedy.as_deref().unwrap_or_default();
        let slower = if f.slower { "yes" } else { "no" };
        let name = format!("{} {}", f.runtime, f.version);
        line([&name, "", &f.verdict, slower, "", "", &f.why, remedy, ""]);
    }
    for c in found.cost.iter().flatten() {
        let (factor, adds) = (fields::RATIO.text(c.factor), c.adds.join(" "));
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
