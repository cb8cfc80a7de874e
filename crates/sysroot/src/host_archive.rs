//! The Debian archive in this machine's own apt configuration.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::apt_sources::{Entry, field, parse_deb822, parse_one_line, stanzas, trim_uri};
use crate::error::{Error, Result};
use crate::tool::{command, output};

/// Where the package debian-archive-keyring installs its keys (the extension changed with trixie).
const KEYRINGS: &[&str] = &[
    "/usr/share/keyrings/debian-archive-keyring.pgp",
    "/usr/share/keyrings/debian-archive-keyring.gpg",
];

/// Suites of the Debian archive, by class and by code name (Debian release history).
const SUITES: &[&str] = &[
    "oldoldstable",
    "oldstable",
    "stable",
    "testing",
    "unstable",
    "experimental",
    "sid",
    "bullseye",
    "bookworm",
    "trixie",
    "forky",
    "duke",
];

/// An archive to fetch from, with the keys that it must be signed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Archive {
    /// URL as apt expects it.
    pub uri: String,
    /// Value of `Signed-By`; `None` leaves the choice to apt's own trusted keys.
    pub signed_by: Option<String>,
}

/// `Origin` and `Label` of each archive's Release files, by URL, as far as apt has fetched them.
type Labels = HashMap<String, Vec<(String, String)>>;

/// Finds the machine's Debian archive.
///
/// # Errors
/// [`Error::NoDebianArchive`] if it has none; [`Error::NoTool`] without apt.
pub(crate) fn debian_archive() -> Result<Archive> {
    let entries = entries()?;
    let labels = parse_labels(&stdout("apt-get", &["indextargets"])?);
    match choose(&entries, &labels) {
        Some(entry) => Ok(Archive {
            uri: entry.uri.clone(),
            signed_by: entry.signed_by.clone().or_else(installed_keyring),
        }),
        None => Err(Error::NoDebianArchive { found: found(&entries) }),
    }
}

/// The installed keyring of the Debian archive.
pub(crate) fn installed_keyring() -> Option<String> {
    KEYRINGS.iter().find(|path| Path::new(path).is_file()).map(|path| (*path).to_owned())
}

/// A suite and an architecture, and the archive to fetch them from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub suite: String,
    pub arch: String,
    pub archive: Archive,
}

impl Target {
    /// The mirror's URL without credentials.
    pub(crate) fn mirror(&self) -> String {
        without_credentials(&self.archive.uri)
    }
}

/// A URL without its user name and password, for messages and records.
pub(crate) fn without_credentials(uri: &str) -> String {
    if let Some((scheme, rest)) = uri.split_once("://") {
        let end = rest.find('/').unwrap_or(rest.len());
        if let Some(at) = rest[..end].rfind('@') {
            return format!("{scheme}://{}", &rest[at + 1..]);
        }
    }
    uri.to_owned()
}

fn found(entries: &[Entry]) -> String {
    let mut uris: Vec<String> = entries.iter().map(|e| without_credentials(&e.uri)).collect();
    uris.sort();
    uris.dedup();
    if uris.is_empty() { "it has none at all".to_owned() } else { uris.join(", ") }
}

fn stdout(tool: &str, args: &[&str]) -> Result<String> {
    // If such a query fails, it contributes nothing.
    Ok(String::from_utf8_lossy(&output(command(tool).args(args))?.stdout).into_owned())
}

/// All entries of the machine's source lists, the main file's first.
fn entries() -> Result<Vec<Entry>> {
    let query = ["shell", "LIST", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d"];
    let config = stdout("apt-config", &query)?;
    let mut files: Vec<PathBuf> =
        shell_value(&config, "LIST").map(PathBuf::from).into_iter().collect();
    if let Some(parts) = shell_value(&config, "PARTS") {
        // An unreadable directory counts as empty: there may be a main file.
        let directory = fs::read_dir(parts).into_iter().flatten().flatten();
        let mut parts: Vec<PathBuf> = directory.map(|entry| entry.path()).collect();
        parts.sort();
        files.extend(parts);
    }
    Ok(files.iter().flat_map(|file| read_entries(file)).collect())
}

fn read_entries(file: &Path) -> Vec<Entry> {
    let parse = match file.extension().and_then(OsStr::to_str) {
        Some("list") => parse_one_line,
        Some("sources") => parse_deb822,
        _ => return Vec::new(),
    };
    fs::read_to_string(file).map(|text| parse(&text)).unwrap_or_default()
}

/// The value of `KEY='…'` in the output of `apt-config shell`.
fn shell_value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let assignment = |line: &'a str| line.strip_prefix(key)?.strip_prefix("='")?.strip_suffix('\'');
    text.lines().find_map(assignment)
}

fn parse_labels(indextargets: &str) -> Labels {
    let mut labels = Labels::new();
    for fields in stanzas(indextargets) {
        let get = |key| field(&fields, key);
        if let (Some(uri), Some(origin), Some(label)) =
            (get("repo-uri"), get("origin"), get("label"))
        {
            let label = (origin.to_owned(), label.to_owned());
            labels.entry(trim_uri(uri).to_owned()).or_default().push(label);
        }
    }
    labels
}

/// The entry that is most likely the Debian archive, the first of equals.
fn choose<'a>(entries: &'a [Entry], labels: &Labels) -> Option<&'a Entry> {
    let ranked = entries.iter().map(|entry| (rank(entry, labels), entry));
    ranked.filter(|(rank, _)| *rank > 0).rev().max_by_key(|(rank, _)| *rank).map(|(_, entry)| entry)
}

/// How likely an entry is the Debian archive: 3 if its Release file says so, 2 if its keys do, 1 if only the suite's
/// name does, 0 if it is not.
///
/// The URL alone proves nothing: vendors' archives also end in `/debian` and use Debian's suite names, and a
/// company's mirror of Debian may have any name.
fn rank(entry: &Entry, labels: &Labels) -> u8 {
    if entry.uri.starts_with("cdrom:") {
        return 0;
    }
    if let Some(known) = labels.get(&entry.uri) {
        let debian = known.iter().any(|(origin, label)| origin == "Debian" && label == "Debian");
        return if debian { 3 } else { 0 };
    }
    let security = entry.uri.contains("security");
    if security || !entry.suites.iter().any(|suite| is_debian_suite(suite)) {
        return 0;
    }
    if !entry.components.iter().any(|component| component == "main") {
        return 0;
    }
    match &entry.signed_by {
        Some(keys) if keys.contains("debian-archive-") => 2,
        Some(keys) if keys.contains("-----BEGIN PGP") => 1,
        Some(_) => 0,
        None => 1,
    }
}

fn is_debian_suite(suite: &str) -> bool {
    let suffixes = ["-updates", "-backports", "-proposed-updates"];
    let base = suffixes.iter().find_map(|suffix| suite.strip_suffix(suffix)).unwrap_or(suite);
    SUITES.contains(&base)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UBUNTU: &str = "Types: deb\nURIs: http://mirror.example/ubuntu/\n\
        Suites: noble noble-updates\nComponents: main universe\n\
        Signed-By: /usr/share/keyrings/ubuntu-archive-keyring.gpg\n";
    const DEBIAN: &str = "Types: deb\nURIs: http://mirror.example/debian-security\n\
        Suites: bookworm-security\nComponents: main\n\
        Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n\
        Types: deb\nURIs: http://mirror.example/debian\n\
        Suites: bookworm bookworm-updates\nComponents: main\n\
        Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n";
    // A vendor's archive with Debian's suite names and path.
    const VENDOR: &str = "deb [signed-by=/usr/share/keyrings/vendor.gpg] https://vendor.example/debian bookworm main\n";

    fn labels(text: &[(&str, &str, &str)]) -> Labels {
        let stanza = |(uri, origin, label): &(&str, &str, &str)| {
            format!("MetaKey: x\nRepo-URI: {uri}/\nOrigin: {origin}\nLabel: {label}\n\n")
        };
        parse_labels(&text.iter().map(stanza).collect::<String>())
    }

    fn chosen(entries: &[Entry], labels: &Labels) -> Option<String> {
        choose(entries, labels).map(|entry| entry.uri.clone())
    }

    #[test]
    fn the_main_archive_not_security() {
        let entries = parse_deb822(DEBIAN);
        let main = Some("http://mirror.example/debian".to_owned());
        assert_eq!(chosen(&entries, &Labels::new()), main);
        let known = labels(&[
            ("http://mirror.example/debian-security", "Debian", "Debian-Security"),
            ("http://mirror.example/debian", "Debian", "Debian"),
        ]);
        assert_eq!(chosen(&entries, &known), main);
    }

    #[test]
    fn ubuntu_and_vendors_are_not_debian() {
        let mut entries = parse_deb822(UBUNTU);
        entries.extend(parse_one_line(VENDOR));
        assert_eq!(chosen(&entries, &Labels::new()), None);
        let old_ubuntu = parse_one_line("deb http://mirror.example/ubuntu jammy main\n");
        assert_eq!(chosen(&old_ubuntu, &Labels::new()), None);
        assert!(found(&entries).contains("mirror.example/ubuntu"));
    }

    #[test]
    fn the_release_file_takes_precedence() {
        let text = "deb http://a.example/x bookworm main\n\
            deb http://b.example/artifacts/proxy-7 bookworm main\n";
        let known = labels(&[
            ("http://a.example/x", "Raspbian", "Raspbian"),
            ("http://b.example/artifacts/proxy-7", "Debian", "Debian"),
        ]);
        let expected = Some("http://b.example/artifacts/proxy-7".to_owned());
        assert_eq!(chosen(&parse_one_line(text), &known), expected);
    }

    #[test]
    fn the_first_of_several_equal_entries_is_chosen() {
        let text = "deb http://a.example/debian sid main\ndeb http://b.example/debian sid main\n";
        let chosen = chosen(&parse_one_line(text), &Labels::new());
        assert_eq!(chosen.as_deref(), Some("http://a.example/debian"));
    }

    #[test]
    fn a_mirror_list_is_used_unchanged() {
        let text = "Types: deb\nURIs: mirror+file:///etc/apt/mirrors/debian-security.list\n\
            Suites: bookworm-security\nComponents: main\n\n\
            Types: deb\nURIs: mirror+file:///etc/apt/mirrors/debian.list\n\
            Suites: bookworm\nComponents: main\n";
        let chosen = chosen(&parse_deb822(text), &Labels::new());
        assert_eq!(chosen.as_deref(), Some("mirror+file:///etc/apt/mirrors/debian.list"));
    }

    #[test]
    fn credentials_are_not_shown() {
        assert_eq!(without_credentials("https://me:p@ss@h.example/d@b"), "https://h.example/d@b");
        assert_eq!(without_credentials("http://h.example/a@b"), "http://h.example/a@b");
        assert_eq!(without_credentials("file:/srv/debian"), "file:/srv/debian");
    }

    #[test]
    fn output_of_apt_config_is_parsed() {
        let text = "LIST='/etc/apt/sources.list'\nPARTS='/etc/apt/a b/'\n";
        assert_eq!(shell_value(text, "LIST"), Some("/etc/apt/sources.list"));
        assert_eq!(shell_value(text, "PARTS"), Some("/etc/apt/a b/"));
        assert_eq!(shell_value(text, "OTHER"), None);
    }
}
