//! Reads apt's source lists, in both formats of sources.list(5).

/// An archive of apt's configuration: one URL with its suites.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The archive's URL as written, without the trailing slash.
    pub uri: String,
    /// Suites, such as `trixie` and `trixie-updates`.
    pub suites: Vec<String>,
    /// Components, such as `main`.
    pub components: Vec<String>,
    /// `Signed-By` as written: files, fingerprints, or an embedded key (with line breaks).
    pub signed_by: Option<String>,
}

/// The URL without trailing slashes, for comparison.
pub(crate) fn trim_uri(uri: &str) -> &str {
    uri.trim_end_matches('/')
}

/// Reads the one-line format. Skips lines that apt would not accept: reporting errors in the file is apt's task.
pub(crate) fn parse_one_line(text: &str) -> Vec<Entry> {
    text.lines().filter_map(one_line).collect()
}

fn one_line(line: &str) -> Option<Entry> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let rest = line.strip_prefix("deb")?;
    let mut rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let mut signed_by = None;
    if let Some(options) = rest.strip_prefix('[') {
        let (options, after) = options.split_once(']')?;
        signed_by = options
            .split_whitespace()
            .filter_map(|option| option.split_once('='))
            .find(|(key, _)| key.eq_ignore_ascii_case("signed-by"))
            .map(|(_, value)| value.replace(',', " "));
        rest = after.trim_start();
    }
    let mut words = rest.split_whitespace().map(str::to_owned);
    let uri = trim_uri(&words.next()?).to_owned();
    let suites = vec![words.next()?];
    Some(Entry { uri, suites, components: words.collect(), signed_by })
}

/// Reads the deb822 format: one entry for each URL of each stanza.
pub(crate) fn parse_deb822(text: &str) -> Vec<Entry> {
    stanzas(text).iter().flat_map(stanza_entries).collect()
}

type Fields = Vec<(String, String)>;

/// Splits deb822 text into stanzas of fields. Continuation lines stay in the value, each with its line break and
/// leading space.
pub(crate) fn stanzas(text: &str) -> Vec<Fields> {
    let mut stanzas = vec![Fields::new()];
    for line in text.lines() {
        if line.starts_with('#') {
            continue;
        }
        let Some(fields) = stanzas.last_mut() else { continue };
        if line.trim().is_empty() {
            if !fields.is_empty() {
                stanzas.push(Fields::new());
            }
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push('\n');
                value.push_str(line.trim_end());
            }
        } else if let Some((key, value)) = line.split_once(':') {
            fields.push((key.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    stanzas.retain(|fields| !fields.is_empty());
    stanzas
}

/// The value of field `key`, which is in lower case.
pub(crate) fn field<'a>(fields: &'a Fields, key: &str) -> Option<&'a str> {
    fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

fn stanza_entries(fields: &Fields) -> Vec<Entry> {
    let words = |key| -> Vec<String> {
        field(fields, key).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    };
    let disabled = field(fields, "enabled")
        .is_some_and(|value| ["no", "false", "0"].contains(&value.to_ascii_lowercase().as_str()));
    if disabled || !words("types").iter().any(|kind| kind == "deb") {
        return Vec::new();
    }
    let (suites, components) = (words("suites"), words("components"));
    let signed_by =
        field(fields, "signed-by").map(str::to_owned).filter(|value| !value.trim().is_empty());
    let entry = |uri: String| Entry {
        uri: trim_uri(&uri).to_owned(),
        suites: suites.clone(),
        components: components.clone(),
        signed_by: signed_by.clone(),
    };
    words("uris").into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_entries_are_parsed() {
        let text = "# a comment\n\
            deb http://mirror.example/debian/ bookworm main contrib # closing comment\n\
            deb [ arch=amd64 signed-by=/k/a.gpg,/k/b.gpg ] https://mirror.example/d sid main\n\
            deb-src http://mirror.example/debian bookworm main\n\
            #deb http://off.example/debian bookworm main\n\
            debris http://x.example y main\n\
            deb [unclosed http://x.example y main\n\
            deb\n";
        let entries = parse_one_line(text);
        assert_eq!(entries.len(), 2, "{entries:?}");
        assert_eq!(entries[0].uri, "http://mirror.example/debian");
        assert_eq!(entries[0].suites, ["bookworm"]);
        assert_eq!(entries[0].components, ["main", "contrib"]);
        assert_eq!(entries[0].signed_by, None);
        assert_eq!(entries[1].signed_by.as_deref(), Some("/k/a.gpg /k/b.gpg"));
        assert_eq!(entries[1].suites, ["sid"]);
    }

    #[test]
    fn deb822_stanzas_are_parsed() {
        let text = "# heading\nTypes: deb deb-src\nURIs: http://a.example/debian/\n\
            # between\n http://b.example/debian\nSuites: trixie trixie-updates\n\
            Components: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n\n\
            Enabled: no\nTypes: deb\nURIs: http://off.example/debian\nSuites: sid\n\n\
            Types: deb-src\nURIs: http://src.example/debian\nSuites: sid\n";
        let entries = parse_deb822(text);
        let uris: Vec<_> = entries.iter().map(|entry| entry.uri.as_str()).collect();
        assert_eq!(uris, ["http://a.example/debian", "http://b.example/debian"]);
        assert_eq!(entries[0].suites, ["trixie", "trixie-updates"]);
        assert_eq!(
            entries[1].signed_by.as_deref(),
            Some("/usr/share/keyrings/debian-archive-keyring.gpg")
        );
    }

    #[test]
    fn a_key_in_place_keeps_its_lines() {
        let text = "Types: deb\nURIs: http://a.example/debian\nSuites: sid\nComponents: main\n\
            Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBF\n \
            -----END PGP PUBLIC KEY BLOCK-----\n";
        let entries = parse_deb822(text);
        assert_eq!(
            entries[0].signed_by.as_deref(),
            Some(
                "\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBF\n \
                 -----END PGP PUBLIC KEY BLOCK-----"
            )
        );
    }

    #[test]
    fn garbage_gives_no_entries() {
        for text in ["", "\n\n", ": :\n :", "Types deb", "\0\u{1}[]", " x\n y", "deb [", "deb ]["] {
            assert!(parse_deb822(text).is_empty(), "{text:?}");
            assert!(parse_one_line(text).is_empty(), "{text:?}");
        }
    }
}
