//! The report as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which code forges and editors show.

use crate::findings::{Finding, Kind, Step};
use crate::report::Report;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the fingerprint; its version changes with what it is made of.
const FINGERPRINT: &str = "functionAndMnemonic/v2";
/// The base of relative paths.
const BASE: &str = "SRCROOT";

/// What else a log says.
pub struct Run<'a> {
    /// Version of capvec.
    pub version: &'a str,
    /// Files below this directory are named relative to it, as forges expect.
    pub root: &'a Path,
    /// What was not checked.
    pub gap: Option<String>,
}

/// The report as SARIF.
///
/// # Errors
/// Never in practice: strings and numbers can be written.
pub fn sarif(report: &Report, run: &Run<'_>) -> serde_json::Result<String> {
    let kept = report.findings.iter().map(|f| (f, None));
    let all = kept.chain(report.suppressed.iter().map(|s| (&s.finding, Some(&*s.reason))));
    let all: Vec<(&Finding, Option<&str>)> = all.collect();
    let fingerprints = fingerprints(&all.iter().map(|(f, _)| *f).collect::<Vec<_>>());
    let results = all.iter().zip(fingerprints).map(|((f, reason), print)| {
        let mut result = result(f, run);
        result["partialFingerprints"] = json!({ FINGERPRINT: print });
        if let Some(reason) = reason {
            result["suppressions"] = json!([{ "kind": "external", "justification": reason }]);
        }
        result
    });
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "capvec",
                "version": run.version,
                "rules": Kind::ALL.map(rule),
            } },
            "invocations": [{
                "executionSuccessful": run.gap.is_none(),
                "toolExecutionNotifications": notices(report, run),
            }],
            "originalUriBaseIds": { BASE: { "uri": directory(run.root) } },
            "columnKind": "utf16CodeUnits",
            "results": results.collect::<Vec<_>>(),
        }],
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

/// What was not checked, and what the user can remove.
fn notices(report: &Report, run: &Run<'_>) -> Vec<Value> {
    let gap = run.gap.iter().map(|gap| ("error", format!("not everything was checked: {gap}")));
    let unused = report.unused().into_iter().map(|text| ("warning", text));
    let notice = |(level, text)| json!({ "level": level, "message": { "text": text } });
    gap.chain(unused).map(notice).collect()
}

fn rule(kind: Kind) -> Value {
    json!({ "id": kind.name(), "shortDescription": { "text": kind.text() } })
}

/// What identifies a finding from one version of a program to the next: file, function, kind, mnemonic, and the number among
/// those of the function that are alike. Addresses would change with every edit.
fn fingerprints(all: &[&Finding]) -> Vec<String> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|k| (&all[*k].at.object, all[*k].at.address, all[*k].kind));
    let (mut alike, mut prints) = (BTreeMap::new(), vec![String::new(); all.len()]);
    for k in order {
        let Finding { at, kind, .. } = all[k];
        let file = at.object.rsplit('/').next().unwrap_or_default();
        let mnemonic = at.instruction.split(' ').next().unwrap_or_default();
        let print = format!("{file} {} {} {mnemonic}", at.function, kind.name());
        let n = alike.entry(print.clone()).and_modify(|n| *n += 1).or_insert(1);
        prints[k] = format!("{print} {n}");
    }
    prints
}

fn result(f: &Finding, run: &Run<'_>) -> Value {
    let left = f.left_in.as_ref().map_or(String::new(), |place| format!(" in {place}"));
    let text = format!(
        "{}{left}: {} in {}; the secret: {}",
        f.kind.text(),
        f.at.instruction,
        f.at.function,
        f.secret
    );
    // From the mark to the finding.
    let chain = f.chain.iter().rev().chain([&f.at]);
    let flow: Vec<Value> = chain.map(|s| json!({ "location": location(s, run) })).collect();
    // The innermost call comes first.
    let frames = f.path.iter().rev().map(|name| {
        json!({ "location": { "logicalLocations": [{ "name": name, "kind": "function" }] } })
    });
    json!({
        "ruleId": f.kind.name(),
        "ruleIndex": Kind::ALL.iter().position(|k| *k == f.kind),
        "level": "error",
        "message": { "text": text },
        "locations": [location(&f.at, run)],
        "occurrenceCount": f.count.max(1),
        "stacks": [{ "message": { "text": "calls" }, "frames": frames.collect::<Vec<_>>() }],
        "codeFlows": [{ "threadFlows": [{ "locations": flow }] }],
    })
}

/// The source line if it is known, else the file with the code; always the address in that file.
fn location(step: &Step, run: &Run<'_>) -> Value {
    let mut physical = Map::new();
    let file = step.source.as_ref().map_or(&step.object, |s| &s.file);
    physical.insert("artifactLocation".into(), artifact(file, run.root));
    if let Some(s) = &step.source {
        let mut region = json!({ "startLine": s.line });
        if let Some(column) = s.column {
            region["startColumn"] = column.into();
        }
        physical.insert("region".into(), region);
    }
    let address = json!({ "absoluteAddress": step.address, "fullyQualifiedName": step.object });
    physical.insert("address".into(), address);
    json!({
        "physicalLocation": physical,
        "logicalLocations": [{ "name": step.function, "kind": "function" }],
        "message": { "text": step.instruction },
    })
}

fn artifact(file: &str, root: &Path) -> Value {
    match Path::new(file).strip_prefix(root) {
        Ok(relative) => json!({ "uri": escaped(&relative.to_string_lossy()), "uriBaseId": BASE }),
        Err(_) if file.starts_with('/') => json!({ "uri": format!("file://{}", escaped(file)) }),
        Err(_) => json!({ "uri": escaped(file), "uriBaseId": BASE }),
    }
}

fn directory(path: &Path) -> String {
    let path = path.to_string_lossy();
    format!("file://{}/", escaped(path.trim_end_matches('/')))
}

/// A path in a URI (RFC 3986, section 3.3).
fn escaped(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&b);
    let all = path.bytes().map(|b| match plain(b) {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Suppressed;
    use crate::testing::finding;

    /// Required properties and forms, from the specification (sections 3.13, 3.14, 3.27, 3.29, 3.38).
    #[test]
    fn a_log_has_what_the_specification_requires() {
        let mut report = Report::new(vec![finding()]);
        report.suppressed.push(Suppressed { reason: "public".into(), finding: finding() });
        report.unused_suppressions.push(5);
        let run = Run { version: "1", root: Path::new("/home/me"), gap: None };
        let log: Value = serde_json::from_str(&sarif(&report, &run).unwrap()).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let rules = &log["runs"][0]["tool"]["driver"]["rules"];
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), 2);
        let first = &results[0];
        let index = first["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], first["ruleId"]);
        assert_eq!(first["occurrenceCount"], 3);
        let place = &first["locations"][0]["physicalLocation"];
        let artifact = json!({ "uri": "src/leak.c", "uriBaseId": "SRCROOT" });
        assert_eq!(place["artifactLocation"], artifact);
        assert_eq!(place["region"], json!({ "startLine": 7, "startColumn": 9 }));
        // The oldest instruction comes first, and the finding last.
        let flow = first["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
        assert_eq!(flow.len(), 3);
        let oldest = &flow[0]["location"]["physicalLocation"];
        assert_eq!(oldest["artifactLocation"]["uri"], "file:///usr/lib/libx.so.1");
        assert_eq!(flow[2]["location"], first["locations"][0]);
        assert!(first.get("suppressions").is_none());
        assert_eq!(results[1]["suppressions"][0]["justification"], "public");
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], true);
        let notices = invocation["toolExecutionNotifications"].as_array().unwrap();
        assert_eq!((notices.len(), &notices[0]["level"]), (1, &json!("warning")));
    }

    #[test]
    fn fingerprints_do_not_depend_on_addresses() {
        let moved = |by: u64| {
            let mut f = finding();
            (f.at.address, f.at.offset) = (f.at.address + by, f.at.offset + by);
            f
        };
        let of = |all: &[Finding]| fingerprints(&all.iter().collect::<Vec<_>>());
        let first = of(&[moved(0), moved(8)]);
        assert_eq!(first[0], "libx.so.1 leak branch c.beqz 1");
        assert_eq!(first[1], "libx.so.1 leak branch c.beqz 2");
        assert_eq!(of(&[moved(200), moved(100)]), [&*first[1], &*first[0]]);
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(escaped("/a b/%c:d/ä"), "/a%20b/%25c%3Ad/%C3%A4");
        assert_eq!(directory(Path::new("/")), "file:///");
    }
}
