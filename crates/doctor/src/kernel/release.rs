//! Releases of Linux.

use serde::Deserialize;

/// A release: 6.18.3 is newer than 6.18.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Release([u32; 3]);

impl Release {
    /// The numbers at the start of a release as uname and configurations write it: `6.12.117+deb13-riscv64`.
    pub fn parse(text: &str) -> Option<Release> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let mut parts = text[..end].split('.').filter(|p| !p.is_empty());
        let mut next = || parts.next().map(str::parse);
        let (major, minor) = (next()?.ok()?, next()?.ok()?);
        Some(Release([major, minor, next().unwrap_or(Ok(0)).ok()?]))
    }
}

impl TryFrom<String> for Release {
    type Error = String;

    fn try_from(text: String) -> Result<Release, String> {
        Release::parse(&text).ok_or_else(|| format!("{text} is not a Linux release"))
    }
}

impl std::fmt::Display for Release {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let [major, minor, patch] = self.0;
        match patch {
            0 => write!(f, "{major}.{minor}"),
            _ => write!(f, "{major}.{minor}.{patch}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_ordered_by_number() {
        let order = [
            "6.9",
            "6.12.117+deb13-riscv64",
            "6.18.0",
            "6.18.3",
            "6.18.44-fc",
            "6.19-rc1",
            "7.2.13",
        ];
        let releases: Vec<Release> = order.iter().map(|r| Release::parse(r).unwrap()).collect();
        assert!(releases.is_sorted());
        assert_eq!(releases[1].to_string(), "6.12.117");
        assert_eq!(releases[2].to_string(), "6.18");
        assert!(["", "6", "x.y", "99999999999.1"].iter().all(|r| Release::parse(r).is_none()));
    }
}
