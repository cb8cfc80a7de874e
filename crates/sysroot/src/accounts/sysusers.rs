//! `sysusers.d`: accounts that packages declare (sysusers.d(5)).

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::{NOLOGIN, NewUser, RangeEnd, Wish, is_name};
use crate::error::{Error, Result};

const DIRECTORY: &str = "usr/lib/sysusers.d";

/// The requests in the files of the sysroot, in order of the files' names.
pub(super) fn read(root: &Path) -> Result<Vec<Wish>> {
    let directory = root.join(DIRECTORY);
    let entries = match fs::read_dir(&directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("read", &directory)(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry.map_err(Error::io("read", &directory))?.path());
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "conf"));
    files.sort();
    let mut wishes = Vec::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let text = fs::read_to_string(file).map_err(Error::io("read", file))?;
        wishes.extend(text.lines().flat_map(parse));
    }
    // Members last: their groups may be in a later file.
    wishes.sort_by_key(|wish| matches!(wish, Wish::Member { .. }));
    Ok(wishes)
}

/// The requests in a line: none if it is a comment, a range, or not understood.
fn parse(line: &str) -> Vec<Wish> {
    let words = super::adduser::words(line);
    let word = |n: usize| words.get(n).map(String::as_str).filter(|word| *word != "-");
    let (Some(kind), Some(name)) = (word(0), word(1).filter(|name| is_name(name))) else {
        return Vec::new();
    };
    let name = name.to_owned();
    // A number, UID:GID, UID:GROUP, or the path of a file whose owner is meant. A path gives no number: files of a sysroot
    // have no owners of their own.
    let (id, group) = word(2).map_or((None, None), |id| match id.split_once(':') {
        Some((uid, group)) => (uid.parse().ok(), Some(group.to_owned())),
        None => (id.parse().ok(), None),
    });
    match kind.trim_end_matches(['!', '+', '-', '=']) {
        "g" => vec![Wish::Group { name, gid: id, from: RangeEnd::High }],
        "u" => vec![Wish::User(NewUser {
            name,
            uid: id,
            group,
            gecos: word(3).unwrap_or_default().to_owned(),
            home: word(4).unwrap_or("/").to_owned(),
            shell: word(5).unwrap_or(NOLOGIN).to_owned(),
            from: RangeEnd::High,
        })],
        "m" => word(2).map_or_else(Vec::new, |group| {
            let group = group.to_owned();
            vec![
                Wish::Group { name: group.clone(), gid: None, from: RangeEnd::High },
                Wish::Member { user: name, group },
            ]
        }),
        _ => Vec::new(),
    }
}
