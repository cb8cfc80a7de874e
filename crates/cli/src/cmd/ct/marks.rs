//! What the flags mark as secret and as public.

use super::Args;
use crate::cmd::Usage;
use anyhow::Result;
use capvec_ct::Marks;
use std::path::{Component, Path, PathBuf};

/// What the flags mark, in a guest whose current directory is `cwd`.
pub fn of(args: &Args, cwd: &Path) -> Result<Marks> {
    let mut marks = Marks {
        files: args.secret_file.iter().map(|file| absolute(cwd, file).into()).collect(),
        random: args.secret_random,
        ..Marks::default()
    };
    for text in &args.secret {
        marks.symbol(text).map_err(|e| Usage(format!("--secret {e}")))?;
    }
    for text in &args.secret_arg {
        marks.argument(text).map_err(|e| Usage(format!("--secret-arg {e}")))?;
    }
    for text in &args.leftovers {
        marks.leftover(text).map_err(|e| Usage(format!("--leftovers {e}")))?;
    }
    for text in &args.declassify {
        marks.declassify(text).map_err(|e| Usage(format!("--declassify {e}")))?;
    }
    Ok(marks)
}

/// The path without `.` and `..`.
fn absolute(cwd: &Path, path: &Path) -> PathBuf {
    let mut all = PathBuf::from("/");
    for part in cwd.join(path).components() {
        match part {
            Component::Normal(name) => all.push(name),
            Component::ParentDir => {
                all.pop();
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::absolute;
    use std::path::Path;

    #[test]
    fn relative_paths_begin_at_the_current_directory() {
        for (path, expected) in [
            ("key", "/work/key"),
            ("./a/../key", "/work/key"),
            ("/x/key", "/x/key"),
            ("../key", "/key"),
        ] {
            assert_eq!(absolute(Path::new("/work"), Path::new(path)), Path::new(expected));
        }
    }
}
