//! `/etc/pam.d/common-*`, which pam-auth-update(8) generates from its templates and from the packages' profiles.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::error::{Error, Result};
use crate::new_file::write_new;

const TEMPLATES: &str = "usr/share/pam";
const PROFILES: &str = "usr/share/pam-configs";

/// The file, the stem of its template's variables, the field of profiles, and whether it is for interactive sessions.
const FILES: &[(&str, &str, &str, bool)] = &[
    ("common-auth", "auth", "Auth", true),
    ("common-account", "account", "Account", true),
    ("common-password", "password", "Password", true),
    ("common-session", "session", "Session", true),
    ("common-session-noninteractive", "session_nonint", "Session", false),
];

/// A package's profile: its fields by name. The lines of a field's value have newlines between them.
#[derive(Debug, Default)]
struct Profile(Vec<(String, String)>);

impl Profile {
    fn parse(text: &str) -> Profile {
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            match (line.split_once(':'), fields.last_mut()) {
                (Some((name, value)), _) if !line.starts_with([' ', '\t', '#']) => {
                    fields.push((name.to_owned(), value.trim().to_owned()));
                }
                (_, Some((_, value))) if line.starts_with([' ', '\t']) => {
                    value.push('\n');
                    value.push_str(line.trim());
                }
                _ => {}
            }
        }
        Profile(fields)
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.get(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
    }

    fn priority(&self) -> i64 {
        self.get("Priority").and_then(|priority| priority.parse().ok()).unwrap_or(0)
    }

    /// The modules of a field; `first` if no other profile comes before this one.
    fn modules(&self, field: &str, first: bool) -> Vec<&str> {
        let initial = self.get(&format!("{field}-Initial")).filter(|_| first);
        let value = initial.or_else(|| self.get(field)).unwrap_or_default();
        value.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }
}

/// The profiles that are in force by default, in order of their priority.
fn profiles(root: &Path) -> Result<Vec<Profile>> {
    let directory = root.join(PROFILES);
    let entries = match fs::read_dir(&directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("read", &directory)(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry.map_err(Error::io("read", &directory))?.path());
    }
    files.sort();
    let mut profiles = Vec::new();
    for file in files.iter().filter(|file| file.is_file()) {
        profiles.push(Profile::parse(&fs::read_to_string(file).map_err(Error::io("read", file))?));
    }
    profiles.retain(|profile| profile.is("Default", "yes"));
    profiles.sort_by_key(|profile| std::cmp::Reverse(profile.priority()));
    Ok(profiles)
}

/// The lines of one block (`Primary` or `Additional`) of a file.
fn block(profiles: &[Profile], field: &str, block: &str, interactive: bool) -> String {
    let fits = |profile: &&Profile| {
        profile.is(&format!("{field}-Type"), block)
            && (interactive || !profile.is(&format!("{field}-Interactive-Only"), "yes"))
    };
    let chosen = profiles.iter().filter(fits).enumerate();
    let modules: Vec<&str> = chosen.flat_map(|(n, p)| p.modules(field, n == 0)).collect();
    let kind = field.to_ascii_lowercase();
    if modules.is_empty() && block == "Primary" {
        // As in pam-auth-update: nothing can fail, so the line skips pam_deny.so.
        return format!("{kind}\t[default=1]\tpam_permit.so");
    }
    let line = |(index, module): (usize, &&str)| {
        // `end` skips the other primary modules and pam_deny.so.
        let skipped = (modules.len() - index).to_string();
        format!("{kind}\t{}", module.replace("=end", &format!("={skipped}")))
    };
    modules.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Writes the files below `root` that do not exist yet; their paths are added to `written`.
pub(crate) fn complete(root: &Path, written: &mut Vec<String>) -> Result<()> {
    let profiles = profiles(root)?;
    for (file, stem, field, interactive) in FILES {
        let Ok(template) = fs::read_to_string(root.join(TEMPLATES).join(file)) else { continue };
        let text: Vec<String> = template
            .lines()
            .map(|line| match line.strip_prefix('$').and_then(|name| name.strip_prefix(stem)) {
                Some("_primary") => block(&profiles, field, "Primary", *interactive),
                Some("_additional") => block(&profiles, field, "Additional", *interactive),
                _ => line.to_owned(),
            })
            .collect();
        write_new(root, &format!("etc/pam.d/{file}"), &(text.join("\n") + "\n"), 0o644, written)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_in_from_profiles_in_force() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let template =
            |s: &str| format!("# a comment\n${s}_primary\nx\tpam_deny.so\n${s}_additional\n");
        write("usr/share/pam/common-auth", &template("auth"));
        write("usr/share/pam/common-session", &template("session"));
        write("usr/share/pam/common-session-noninteractive", &template("session_nonint"));
        let a = "Name: A\nDefault: yes\nPriority: 256\nAuth-Type: Primary\nAuth:\n\t[success=end]\ta.so again\n\
            Auth-Initial:\n\t[success=end]\ta.so\nSession-Type: Additional\nSession:\n\trequired\ta.so\n";
        let b = "Name: B\nDefault: yes\nPriority: 10\nAuth-Type: Primary\nAuth:\n\t[success=end]\tb.so again\n\
            Session-Type: Additional\nSession-Interactive-Only: yes\nSession:\n\toptional\tb.so\n";
        write("usr/share/pam-configs/a", a);
        write("usr/share/pam-configs/b", b);
        write("usr/share/pam-configs/c", &a.replace("Default: yes", "Default: no"));
        let mut written = Vec::new();
        complete(dir.path(), &mut written).unwrap();
        let names = ["auth", "session", "session-noninteractive"];
        assert_eq!(written, names.map(|name| format!("etc/pam.d/common-{name}")));
        let read =
            |name: &str| fs::read_to_string(dir.path().join("etc/pam.d").join(name)).unwrap();
        let auth = "# a comment\nauth\t[success=2]\ta.so\nauth\t[success=1]\tb.so again\nx\tpam_deny.so\n\n";
        assert_eq!(read("common-auth"), auth);
        let session = "# a comment\nsession\t[default=1]\tpam_permit.so\nx\tpam_deny.so\nsession\trequired\ta.so\n";
        assert_eq!(read("common-session"), format!("{session}session\toptional\tb.so\n"));
        assert_eq!(read("common-session-noninteractive"), session);
    }
}
