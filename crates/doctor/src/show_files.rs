//! Findings about files, for people.

use crate::file_verdict::{self, LACKING, OTHER_ARCHITECTURE, UNRECOGNISED};
use crate::files::FileFinding;
use capvec_binscan::{Family, Report};
use capvec_record::grid::Grid;

fn strings<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.iter().map(|c| c.to_string()).collect()
}

/// Up to this many files, all are shown, whatever was found: the user asked for a few.
const ALWAYS_SHOWN: usize = 20;

const LEGEND: &str = "\
numbers: instructions for the algorithm, by a scan of the code. Fewer than four of an extension near each other are not
counted, since data between code may look like them; in kernel modules, and for VIA PadLock, all are counted. ChaCha: rotations of Zvkb by
ChaCha's four amounts.\n";

/// What a file contains or calls.
fn contains(f: &FileFinding, scan: &Report) -> String {
    let mut all = file_verdict::libraries(scan);
    if all.is_empty() && !scan.constants.is_empty() {
        let constants: Vec<&str> = scan.constants.iter().map(|c| c.what).collect();
        all.push(format!("({})", constants.join(", ")));
    }
    all.extend(file_verdict::calls(scan));
    all.extend(f.through.iter().map(|t| format!("calls {t}")));
    if all.is_empty() { "–".into() } else { all.join(", ") }
}

fn line(f: &FileFinding) -> Vec<String> {
    let mut cells = vec![f.path.clone(), f.verdict.to_string()];
    let Some(scan) = &f.scan else {
        cells.extend(["–".into(), f.why.clone()]);
        cells.resize(4 + Family::OWN.len(), "–".into());
        return cells;
    };
    let stripped = if scan.stripped { ", stripped" } else { "" };
    cells.push(format!("{} {}{stripped}", scan.machine.name(), scan.linkage.name()));
    cells.push(contains(f, scan));
    let count = |family: &Family| match scan.family(*family) {
        0 => "–".into(),
        n => n.to_string(),
    };
    cells.extend(Family::OWN.iter().map(count));
    cells
}

/// The table. Of many files, those without a finding are left out, and counted, unless `all` are wanted or they were
/// named.
pub fn text(files: &[FileFinding], all: bool, draw: &dyn Fn(&Grid) -> String) -> String {
    let mut head = strings(["file", "verdict", "linkage", "contains"]);
    head.extend(Family::OWN.iter().map(|f| f.name().to_string()));
    let all = all || files.len() <= ALWAYS_SHOWN;
    let shown = files.iter().filter(|f| all || f.named || f.verdict != UNRECOGNISED);
    let body: Vec<Vec<String>> = shown.map(line).collect();
    let mut s = String::new();
    if !body.is_empty() {
        s += &format!("{}\n{LEGEND}", draw(&Grid { head, body }));
    }
    // A file may have accelerated code and also code that cannot run here.
    for f in files.iter().filter(|f| !f.lacking.is_empty()) {
        s += &format!("{LACKING}: {}: {}\n", f.path, f.why);
    }
    for f in files.iter().filter(|f| f.verdict == OTHER_ARCHITECTURE) {
        s += &format!("{OTHER_ARCHITECTURE}: {}: {}\n", f.path, f.why);
    }
    let unknown = files.iter().filter(|f| f.verdict == UNRECOGNISED).count();
    let files = if unknown == 1 { "file" } else { "files" };
    if unknown > 0 {
        s += &format!(
            "not recognised: {unknown} {files} without any cryptographic code that capvec knows; that does not mean that \
             there is none (docs/doctor.md)\n"
        );
    }
    s
}

/// Where the instructions are.
pub fn sites(files: &[FileFinding]) -> String {
    let mut s = String::new();
    for f in files {
        let Some(scan) = &f.scan else { continue };
        let uses: Vec<_> = scan.uses.iter().filter(|u| u.family != Family::General).collect();
        if uses.is_empty() && scan.libraries.is_empty() && scan.constants.is_empty() {
            continue;
        }
        s += &format!("\n{}: {}\n", f.path, f.why);
        for l in &scan.libraries {
            s += &format!("    {} {}: by {}\n", l.name, l.version, l.evidence.name());
        }
        for c in &scan.constants {
            s += &format!("    {} at {:#x} of the file\n", c.what, c.offset);
        }
        for u in uses {
            let sure = if u.sure { "" } else { "; too few to be distinguished from data" };
            let functions = if u.functions.is_empty() {
                String::new()
            } else {
                format!(" ({})", u.functions.join(", "))
            };
            s += &format!(
                "    {}: {} in {} places, most at {:#x}{functions}{sure}\n",
                u.extension, u.count, u.clusters, u.address
            );
        }
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Findings;
    use crate::file_verdict::{ACCELERATED, CALLS, NOT_BUILT, NOT_READ};
    use crate::show::text as shown;

    fn file(verdict: &'static str, named: bool) -> FileFinding {
        FileFinding {
            path: format!("/usr/bin/{verdict}"),
            named,
            needed_by: None,
            through: Vec::new(),
            verdict: verdict.into(),
            slower: verdict == NOT_BUILT,
            why: "why".into(),
            remedy: None,
            lacking: if verdict == LACKING { vec!["zvkg".into()] } else { Vec::new() },
            scan: None,
        }
    }

    /// The worst of several files decides the exit status, wherever it is in the list.
    #[test]
    fn the_worst_file_decides() {
        let all = [ACCELERATED, LACKING, CALLS, UNRECOGNISED, NOT_READ];
        let fine = Findings::of_files(all.map(|v| file(v, false)).into());
        assert!(!fine.is_lost() && !fine.is_slower() && !fine.is_wrong());
        for at in 0..=all.len() {
            let mut files = fine.files.clone();
            files.insert(at, file(NOT_BUILT, false));
            let shown = Findings::of_files(files);
            assert!(shown.is_lost() && shown.is_slower() && !shown.is_wrong(), "{at}");
        }
    }

    /// Of many files, those without a finding are left out, but never the one that the user named.
    #[test]
    fn the_file_that_was_named_has_a_row() {
        let many = (0..30).map(|_| file(UNRECOGNISED, false));
        let mut files: Vec<FileFinding> = many.collect();
        assert!(!shown(&Findings::of_files(files.clone()), false, None).contains("bin"));
        files.push(FileFinding { path: "/usr/bin/curl".into(), ..file(UNRECOGNISED, true) });
        files.push(file(LACKING, false));
        let text = shown(&Findings::of_files(files), false, None);
        assert_eq!(text.matches("/usr/bin/curl").count(), 1, "{text}");
        assert!(text.contains("extension lacking: /usr/bin/extension lacking: why"), "{text}");
        assert!(text.contains("not recognised: 31 files"), "{text}");
    }

    /// The part of an accelerated file that cannot run is reported without being asked for.
    #[test]
    fn a_part_that_cannot_run_is_reported() {
        let part = FileFinding { lacking: vec!["zvkned".into()], ..file(ACCELERATED, true) };
        let files = vec![part, FileFinding { path: "whole".into(), ..file(ACCELERATED, true) }];
        let text = shown(&Findings::of_files(files), false, None);
        assert!(text.contains("extension lacking: /usr/bin/accelerated: why"), "{text}");
        assert_eq!(text.matches("extension lacking").count(), 1, "{text}");
    }
}
