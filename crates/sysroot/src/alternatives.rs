//! The links that packages' scripts set up through update-alternatives(1), such as `awk`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::error::{Error, Result};
use crate::new_file::inside;

/// A candidate for a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alternative {
    link: String,
    name: String,
    path: String,
    priority: i32,
}

/// Reads the `update-alternatives --install` commands of a script. Those whose words the shell
/// would compute are passed over: the script is never run.
pub(crate) fn parse(script: &str) -> Vec<Alternative> {
    let mut found = Vec::new();
    for line in script.replace("\\\n", " ").lines() {
        let ends = |word: &&str| !word.starts_with(['|', ';', '&', '>', '#']);
        let words: Vec<&str> = line.split_whitespace().take_while(ends).collect();
        let Some(start) = words.iter().position(|word| *word == "--install") else { continue };
        if !words[..start].iter().any(|word| word.ends_with("update-alternatives")) {
            continue;
        }
        let [link, name, path, priority, rest @ ..] = &words[start + 1..] else { continue };
        let Ok(priority) = unquote(priority).parse() else { continue };
        found.extend(alternative(link, name, path, priority));
        for slave in rest.chunks(4) {
            if let ["--slave", link, name, path] = slave {
                found.extend(alternative(link, name, path, priority));
            }
        }
    }
    found
}

fn unquote(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

fn alternative(link: &str, name: &str, path: &str, priority: i32) -> Option<Alternative> {
    let (link, name, path) = (unquote(link), unquote(name), unquote(path));
    let plain = |text: &str| !text.contains(['$', '`', '*', '?', '"', '\'', '\\']);
    let absolute = |text: &str| text.starts_with('/') && !text.contains("/..") && plain(text);
    let single = !name.is_empty() && !name.contains('/') && !name.starts_with('.') && plain(name);
    (absolute(link) && absolute(path) && single).then(|| Alternative {
        link: link.to_owned(),
        name: name.to_owned(),
        path: path.to_owned(),
        priority,
    })
}

/// Makes each missing link, to the candidate of the highest priority.
pub(crate) fn install(root: &Path, candidates: &[Alternative]) -> Result<()> {
    let mut candidates: Vec<_> = candidates.iter().collect();
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.priority));
    let real_root = fs::canonicalize(root).map_err(Error::io("read", root))?;
    for candidate in candidates {
        let (Some(path), Some(link)) =
            (inside(&real_root, &candidate.path), inside(&real_root, &candidate.link))
        else {
            continue;
        };
        if fs::symlink_metadata(path).is_err() || fs::symlink_metadata(&link).is_ok() {
            continue;
        }
        let directory = root.join("etc/alternatives");
        fs::create_dir_all(&directory).map_err(Error::io("create", &directory))?;
        let named = directory.join(&candidate.name);
        if fs::symlink_metadata(&named).is_err() {
            symlink(&candidate.path, &named).map_err(Error::io("create", &named))?;
        }
        let target = format!("/etc/alternatives/{}", candidate.name);
        symlink(target, &link).map_err(Error::io("create", &link))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // The format that debhelper's dh_installalternatives writes.
    const SCRIPT: &str = "#!/bin/sh\nset -e\nif [ \"$1\" = configure ]; then\n\
        \tupdate-alternatives --install /usr/bin/awk awk /usr/bin/mawk 5 \\\n\
        \t    --slave /usr/share/man/man1/awk.1.gz awk.1.gz /usr/share/man/man1/mawk.1.gz \\\n\
        \t    --slave /usr/bin/nawk nawk /usr/bin/mawk || true\nfi\n\
        update-alternatives --install /usr/bin/x x \"$dir/x\" 5\n\
        update-alternatives --install /usr/bin/y ../y /usr/bin/mawk 5\n\
        update-alternatives --remove awk /usr/bin/mawk\n";

    #[test]
    fn only_literal_commands_are_read() {
        let found = parse(SCRIPT);
        let links: Vec<_> = found.iter().map(|found| found.link.as_str()).collect();
        assert_eq!(links, ["/usr/bin/awk", "/usr/share/man/man1/awk.1.gz", "/usr/bin/nawk"]);
        assert!(found.iter().all(|found| found.priority == 5));
    }

    #[test]
    fn the_highest_priority_wins_and_absent_programs_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("usr/bin")).unwrap();
        fs::write(root.join("usr/bin/mawk"), "").unwrap();
        fs::write(root.join("usr/bin/gawk"), "").unwrap();
        let mut candidates = parse(SCRIPT);
        candidates.extend(parse("update-alternatives --install /usr/bin/awk awk /usr/bin/gawk 10"));
        candidates.extend(parse("update-alternatives --install /usr/bin/awk awk /usr/bin/none 99"));
        install(root, &candidates).unwrap();
        let link = |path: &str| fs::read_link(root.join(path)).unwrap();
        assert_eq!(link("usr/bin/awk"), Path::new("/etc/alternatives/awk"));
        assert_eq!(link("etc/alternatives/awk"), Path::new("/usr/bin/gawk"));
        assert_eq!(link("etc/alternatives/nawk"), Path::new("/usr/bin/mawk"));
        assert!(!root.join("usr/share").exists());
    }

    #[test]
    fn no_link_is_made_outside_of_the_root() {
        let (dir, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(dir.path().join("usr")).unwrap();
        fs::write(dir.path().join("usr/p"), "").unwrap();
        symlink(outside.path(), dir.path().join("out")).unwrap();
        install(dir.path(), &parse("update-alternatives --install /out/p p /usr/p 1")).unwrap();
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
