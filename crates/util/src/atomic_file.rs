//! Files that are written atomically.

use anyhow::Result;
use capvec_text::escape;
use rustix::fs::{Access, access};
use std::fs::Permissions;
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Checks that `replace` would be able to write the file, before long work whose result it is to hold.
///
/// # Errors
/// The path is a directory, or its directory does not exist or cannot be written to.
pub fn check(path: &Path) -> std::io::Result<()> {
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match std::fs::metadata(path) {
        Ok(m) if m.is_dir() => Err(std::io::ErrorKind::IsADirectory.into()),
        Ok(m) if !m.is_file() => access(path, Access::WRITE_OK).map_err(Into::into),
        _ => access(directory(path), Access::WRITE_OK | Access::EXEC_OK).map_err(Into::into),
    }
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Replaces the file at `path` by one with these contents, as [`replace_by`] does.
///
/// # Errors
/// As for [`replace_by`].
pub fn replace(path: &Path, contents: impl AsRef<[u8]>) -> std::io::Result<()> {
    replace_by(path, |file| file.write_all(contents.as_ref()))
}

/// Replaces the file at `path`, or the one that a link there leads to, by one with these contents, by renaming a temporary
/// file in the same directory. Its permissions follow the user's mask. A pipe or a device is written to instead. `write` writes the
/// contents, piece by piece if they are large.
///
/// # Errors
/// The temporary file cannot be made, written or renamed; the old file is then untouched.
pub fn replace_by(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        let mut file = BufWriter::new(std::fs::File::options().write(true).open(path)?);
        write(&mut file)?;
        return file.flush();
    }
    let dir = directory(path);
    let mode = Permissions::from_mode(0o666);
    // The error of the temporary file would name that file, which the user does not know.
    access(dir, Access::WRITE_OK | Access::EXEC_OK)?;
    let mut file = tempfile::Builder::new().permissions(mode).tempfile_in(dir)?;
    let mut buffer = BufWriter::new(&mut file);
    write(&mut buffer)?;
    buffer.flush()?;
    drop(buffer);
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Writes a file of `--out`.
///
/// # Errors
/// The file cannot be written; the message names the flag and the file.
pub fn write(path: &Path, text: &str) -> Result<()> {
    write_by(path, |file| file.write_all(text.as_bytes()))
}

/// The same; `write` writes the contents.
///
/// # Errors
/// As for [`write()`].
pub fn write_by(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    replace_by(path, write).map_err(|e| {
        let text = format!("--out: cannot write {}; {}", escape::path(path), remedy(&e));
        anyhow::Error::new(e).context(text)
    })
}

/// Writes the file of `-o`.
///
/// # Errors
/// The file cannot be written; the message names the flag and the file.
pub fn output(path: &Path, text: &str) -> Result<()> {
    let shown = escape::path(path);
    replace(path, text).map_err(|e| {
        anyhow::anyhow!("-o {shown}: cannot be written: {e}; name a file in a writable directory")
    })
}

/// The remedy.
fn remedy(e: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    match e.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => {
            "free space there, or name a directory on another disk, and run the command again"
        }
        _ => "name a writable directory",
    }
}

/// Creates the directory of `--out` first, so that an unwritable directory is noticed before hours of measuring.
pub fn prepare(dir: &Path) -> Result<()> {
    let made = std::fs::create_dir_all(dir).and_then(|()| tempfile::NamedTempFile::new_in(dir));
    match made {
        Ok(_) => Ok(()),
        Err(e) => {
            let text = format!("--out {}: cannot write there; {}", escape::path(dir), remedy(&e));
            Err(anyhow::Error::new(e).context(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_fits_the_error() {
        let of = |code| remedy(&std::io::Error::from_raw_os_error(code));
        // ENOSPC, EDQUOT, EFBIG; EACCES, EROFS.
        assert!([28, 122, 27].iter().all(|code| of(*code).contains("free space")));
        assert!([13, 30].iter().all(|code| of(*code).contains("writable")));
    }

    /// Messages name the user's file, not the temporary one, and show bytes that are not UTF-8.
    #[test]
    fn errors_name_the_file_alone() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/nonexistent\xff/x"));
        let error = replace(path, "x").unwrap_err();
        assert_eq!(error.to_string(), std::io::Error::from_raw_os_error(2).to_string());
        let error = write(path, "x").unwrap_err().to_string();
        assert!(error.contains(r"--out: cannot write /nonexistent\xff/x; "), "{error}");
    }

    #[test]
    fn the_target_of_a_link_is_replaced_and_devices_are_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("f"), dir.path().join("l"));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("f", &link).unwrap();
        replace(&link, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        let pipe = dir.path().join("p");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe).unwrap()
        });
        replace(&pipe, "text").unwrap();
        assert_eq!(reader.join().unwrap(), "text");
        // Every write to it fails, and it remains a device.
        assert!(replace(Path::new("/dev/full"), "text").is_err());
        use std::os::unix::fs::FileTypeExt;
        assert!(std::fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        check(&file).unwrap();
        assert!(!file.exists());
        std::fs::write(&file, "old").unwrap();
        check(&file).unwrap();
        check(Path::new("/dev/null")).unwrap();
        for wrong in [dir.path(), &file.join("g"), &dir.path().join("none/g")] {
            assert!(check(wrong).is_err(), "{}", wrong.display());
        }
    }

    #[test]
    fn a_file_in_the_way_of_the_directory_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        write(&file, "x").unwrap();
        let e = format!("{:#}", prepare(&file).unwrap_err());
        assert!(e.contains("--out") && e.contains("/f"), "{e}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "x");
    }
}
