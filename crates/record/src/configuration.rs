//! A configuration of a record.

use crate::arch::Arch;
use serde::{Deserialize, Serialize};

/// A configuration, and what the library made of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ConfigurationRecord {
    /// What was measured.
    pub subject: String,
    /// Core model, as rows name it; empty where there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub core: String,
    /// Vector register length in bits.
    pub vlen: u32,
    /// Capability set.
    pub capset: String,
    /// The capability string that the library was given; none if it detected capabilities by itself.
    pub capstring: Option<String>,
    /// Extensions of the hart.
    pub hart: String,
    /// Capabilities that the library was expected to use.
    pub expected: String,
    /// Capabilities that the library reports.
    pub library: String,
    /// Whether it reports any. One that does not, such as a build without assembly, cannot be checked. Old records lack the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reports_capabilities: Option<bool>,
    /// How expected and reported capabilities differ, if they do.
    pub disagreement: Option<String>,
    /// Whether the set has extensions that the core's own ISA lacks: its figures are of a core that does not exist yet.
    pub beyond_core: bool,
    /// Whether the user wrote `capstring`, so that a difference is not an error.
    pub verbatim: bool,
    /// Warnings that the user was given.
    pub warnings: Vec<String>,
    /// Cases that cost the same as with the largest measured set, though the dispatch asks for some that this set lacks: either the
    /// library has no code for them, or it ignored the capability string.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchanged: Vec<String>,
}

impl ConfigurationRecord {
    /// Whether a library that describes itself like this reports its capabilities: it then names its variable.
    pub fn reports(library: &str) -> bool {
        Arch::ALL.iter().any(|arch| library.contains(arch.variable()))
    }

    /// Fills in what older files lack.
    pub fn modernise(&mut self) {
        self.reports_capabilities.get_or_insert_with(|| Self::reports(&self.library));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::parse;

    /// Records from before the field: whether the library reports capabilities follows from what it says of itself.
    #[test]
    fn an_old_record_of_a_library_that_reports_nothing_is_understood() {
        for (library, reports) in [
            ("OPENSSL_riscvcap=RV64GC env:rv64gc", true),
            ("OPENSSL_armcap=0x7d", true),
            ("OPENSSL_ia32cap=0x7ffaf3ffffebffff:0x27ab", true),
            ("N/A", false),
            ("", false),
        ] {
            let old = format!(
                "{{\"rows\":[{{\"answers\":\"pass\"}}],\"configurations\":[{{\"capstring\":\"x\",\"library\":\"{library}\",\
                 \"disagreement\":\"it uses zba\"}}]}}"
            );
            let record = parse(old.as_bytes()).unwrap();
            assert_eq!(record.configurations[0].reports_capabilities, Some(reports), "{library}");
            let findings = crate::view::findings::findings(&record);
            assert_eq!(findings.iter().any(|f| f.fails), reports, "{library}");
            // A record that has the field is believed.
            let own = ConfigurationRecord {
                library: library.into(),
                reports_capabilities: Some(!reports),
                ..ConfigurationRecord::default()
            };
            let mut modern = own.clone();
            modern.modernise();
            assert_eq!(modern.reports_capabilities, own.reports_capabilities);
        }
    }
}
