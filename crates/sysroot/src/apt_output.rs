//! Parsers of apt's output: plans, index entries, progress, errors.

use crate::apt_sources::{field, stanzas};
use crate::error::Error;
use crate::host_archive::Target;

/// A package's entry in the signed index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Index {
    pub name: String,
    pub version: String,
    pub arch: String,
    pub sha256: String,
}

impl Index {
    /// The name of the file in apt's cache: `NAME_VERSION_ARCH.deb`, with special characters quoted as apt
    /// quotes them (the epoch's colon becomes `%3a`).
    pub(crate) fn file_name(&self) -> String {
        let quote = |text: &str| text.replace('%', "%25").replace('_', "%5f").replace(':', "%3a");
        format!("{}_{}_{}.deb", quote(&self.name), quote(&self.version), quote(&self.arch))
    }
}

/// Names and versions of `apt-get --simulate install`'s lines `Inst NAME (VERSION ARCHIVE …)`.
pub(crate) fn planned(text: &str) -> Vec<(String, String)> {
    let line = |line: &str| {
        let (name, rest) = line.strip_prefix("Inst ")?.split_once(' ')?;
        let version = rest.split_once('(')?.1.split([' ', ')']).next()?;
        Some((name.to_owned(), version.to_owned()))
    };
    text.lines().filter_map(line).collect()
}

/// The entries of `apt-cache show`; those without a SHA-256 are left out.
pub(crate) fn index_entries(text: &str) -> Vec<Index> {
    let entry = |fields: &Vec<(String, String)>| {
        let get = |key| field(fields, key).map(str::to_owned);
        let sha256 = get("sha256").filter(|sum| {
            sum.len() == 64 && sum.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        })?;
        Some(Index {
            name: get("package")?,
            version: get("version")?,
            arch: get("architecture")?,
            sha256,
        })
    };
    stanzas(text).iter().filter_map(entry).collect()
}

/// The percentage of a line `dlstatus:COUNT:PERCENT:TEXT` (apt's README.progress-reporting).
pub(crate) fn percent(line: &str) -> Option<f32> {
    line.strip_prefix("dlstatus:")?.split(':').nth(1)?.parse().ok()
}

/// The step at which apt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Update,
    Resolve,
    Download,
}

/// Messages of apt and its methods for a mirror that cannot be reached.
const NETWORK: &[&str] = &[
    "resolving",
    "resolve",
    "Could not connect",
    "Cannot initiate the connection",
    "timed out",
    "Connection failed",
    "Unable to connect",
    "Connection refused",
    "unreachable",
    "Could not wait",
    "Connection reset",
    "Could not handshake",
    "certificate",
    "Undetermined Error",
    "Bad Gateway",
    "Service Unavailable",
    "Proxy",
    "Forbidden",
    "Unauthorized",
    "connection closed",
];

/// Messages for an archive that is unsigned, or signed by a key that is not in the keyring.
const SIGNATURE: &[&str] = &[
    "not signed",
    "NO_PUBKEY",
    "BADSIG",
    "EXPKEYSIG",
    "REVKEYSIG",
    "unauthenticated",
    "couldn't be verified",
    "could not be verified",
    "Missing key",
    "gpgv",
    "sqv",
    "Clearsigned file isn't valid",
    "NODATA",
];

/// Messages for an archive that does not have the suite.
const SUITE: &[&str] = &["does not have a Release file", " 404 ", "File not found"];

/// The mirror is receiving a new state of the archive: its index and its files do not match for a while.
const SYNC: &[&str] = &["Mirror sync in progress", "File has unexpected size"];

/// Turns apt's messages into an error with a remedy.
pub(crate) fn failure(stage: Stage, target: &Target, stderr: &str, stdout: &str) -> Error {
    let message = short_message(stderr, stdout);
    let said = |phrases: &[&str]| phrases.iter().any(|phrase| stderr.contains(phrase));
    let (mirror, suite) = (target.mirror(), target.suite.clone());
    if stage == Stage::Resolve {
        let arch = target.arch.clone();
        return Error::Unresolvable { suite, arch, message };
    }
    // Signatures are tested last: a file that was not fetched has none, so apt also reports it as unsigned.
    if said(SYNC) {
        Error::Sync { mirror, message }
    } else if said(NETWORK) {
        Error::Network { mirror, message }
    } else if stage == Stage::Update && said(SUITE) {
        Error::NoSuite { mirror, suite, message }
    } else if said(SIGNATURE) {
        Error::Signature { mirror, suite, message }
    } else {
        let action = if stage == Stage::Update { "read the index" } else { "download packages" };
        Error::Apt { action, message }
    }
}

/// A summary of apt's messages: its errors, or else its warnings, at most three, on one line.
fn short_message(stderr: &str, stdout: &str) -> String {
    let lines = |prefix: &'static str| -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for line in stderr.lines().filter_map(|line| line.strip_prefix(prefix)) {
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            // Advice that follows from the other lines.
            let advice = line.starts_with("Some index files") || line.contains("maybe run apt-get");
            if !advice && !line.is_empty() && !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    };
    let mut chosen = lines("E:");
    if chosen.is_empty() {
        chosen = lines("W:");
    }
    // Unmet dependencies are listed on standard output.
    if let Some((_, unmet)) = stdout.split_once("unmet dependencies:\n") {
        let unmet = unmet.lines().take_while(|line| line.starts_with(' '));
        chosen.splice(0..0, unmet.map(|line| line.trim().to_owned()));
    }
    chosen.truncate(3);
    if chosen.is_empty() { "it gave no reason".to_owned() } else { chosen.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host_archive::Archive;

    #[test]
    fn file_names_are_quoted_as_apt_does() {
        let index = Index {
            name: "zlib1g".into(),
            version: "1:1.3.dfsg+really1.3.1~rc-1+b1".into(),
            arch: "riscv64".into(),
            sha256: String::new(),
        };
        assert_eq!(index.file_name(), "zlib1g_1%3a1.3.dfsg+really1.3.1~rc-1+b1_riscv64.deb");
    }

    #[test]
    fn plans_are_parsed() {
        let text = "Reading package lists...\n\
            The following NEW packages will be installed:\n  libc6\n\
            Inst libc6 (2.41-12 Debian:13.0/stable [riscv64]) []\n\
            Inst tzdata [2025a] (2025b-1 Debian:13.0/stable [all])\n\
            Inst rubbish\nInst\nConf libc6 (2.41-12 Debian:13.0/stable [riscv64])\n";
        let expected = [("libc6", "2.41-12"), ("tzdata", "2025b-1")];
        assert_eq!(planned(text), expected.map(|(n, v)| (n.to_owned(), v.to_owned())));
    }

    #[test]
    fn index_entries_need_a_sum() {
        let sum = "0123456789abcdef".repeat(4);
        let text = format!(
            "Package: a\nVersion: 1\nArchitecture: all\nSHA256: {sum}\nDescription: x\n more\n\n\
             Package: b\nVersion: 1\nArchitecture: all\n\n\
             Package: c\nVersion: 1\nArchitecture: all\nSHA256: 12\n"
        );
        let entries = index_entries(&text);
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].name.as_str(), &entries[0].sha256), ("a", &sum));
    }

    #[test]
    fn progress_lines_are_parsed() {
        assert_eq!(percent("dlstatus:22:73.8836:Retrieving file 22 of 23"), Some(73.8836));
        assert_eq!(percent("E: dlstatus"), None);
        assert_eq!(percent("dlstatus:1"), None);
    }

    fn fail(stage: Stage, stderr: &str, stdout: &str) -> Error {
        let archive = Archive { uri: "http://me:pw@m.example/debian".into(), signed_by: None };
        let target = Target { suite: "trixie".into(), arch: "riscv64".into(), archive };
        failure(stage, &target, stderr, stdout)
    }

    // Messages of apt 2.6.
    #[test]
    fn failures_are_distinguished() {
        let network = "E: Failed to fetch http://m.example/debian/dists/trixie/InRelease  \
            Temporary failure resolving 'm.example'\n\
            E: Some index files failed to download. They have been ignored, or old ones used \
            instead.\n";
        let error = fail(Stage::Update, network, "");
        assert!(matches!(error, Error::Network { .. }), "{error}");
        let text = error.to_string();
        assert!(!text.contains("pw") && !text.contains("Some index files"), "{text}");

        // Of apt 3.0, in the middle of a mirror's update.
        let sync = "E: Failed to fetch http://m.example/debian/dists/trixie/main/binary-riscv64/by-hash/SHA256/0a  \
            File has unexpected size (9607112 != 9607152). Mirror sync in progress? [IP: 192.0.2.1 80]\n\
            E: Some index files failed to download. They have been ignored, or old ones used instead.\n";
        let error = fail(Stage::Update, sync, "");
        assert!(matches!(error, Error::Sync { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("try again") && text.contains("--mirror"), "{text}");
        assert!(!text.contains("pw"), "{text}");
        assert!(matches!(fail(Stage::Download, sync, ""), Error::Sync { .. }));

        let unsigned =
            "E: The repository 'http://m.example/debian trixie InRelease' is not signed.";
        let error = fail(Stage::Update, unsigned, "");
        assert!(matches!(error, Error::Signature { .. }), "{error}");

        let none = "E: The repository 'http://m.example/debian x Release' does not have a \
            Release file.";
        assert!(matches!(fail(Stage::Update, none, ""), Error::NoSuite { .. }));
        assert!(matches!(fail(Stage::Download, "E: No space left", ""), Error::Apt { .. }));
        assert!(fail(Stage::Download, "", "").to_string().contains("no reason"));
    }

    #[test]
    fn unmet_dependencies_are_named() {
        let stdout = "Some packages could not be installed.\n\
            The following packages have unmet dependencies:\n a : Depends: b but it is not \
            installable\nmore\n";
        let stderr = "E: Unable to correct problems, you have held broken packages.\n";
        let text = fail(Stage::Resolve, stderr, stdout).to_string();
        assert!(text.contains("a : Depends: b"), "{text}");
    }
}
