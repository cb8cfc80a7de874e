//! Results, one file for each job, named by the job's digest. Files appear whole, by renaming, so that several workers can share the
//! directory, on one machine or on a shared file system: a job that is done twice gives the same figures both times.

use crate::error::SweepError;
use crate::plan::Job;
use capvec_record::Record;
use capvec_text::escape;
use capvec_util::atomic_file;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A directory of results.
#[derive(Clone, Debug)]
pub struct Results {
    dir: PathBuf,
}

/// A kept result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The job's digest.
    pub id: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Time since it was written.
    pub age: Duration,
}

/// What a file has: a result copied to another name is not taken for that job's.
#[derive(Serialize, Deserialize)]
struct Content<R> {
    /// The job's digest.
    job: String,
    record: R,
}

/// Characters of a digest that name the folder: with hundreds of thousands of results, each folder has a thousand.
const FOLDER: usize = 2;

/// Age from which an unfinished file is no worker's any more: writing one takes less than a second.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

fn failed(path: &Path, e: &std::io::Error) -> SweepError {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    let remedy = match e.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => {
            "free space there, or name a directory on another disk with --results"
        }
        _ => "name a directory that can be written to with --results",
    };
    let why = format!("{e}; {remedy}");
    SweepError::File { file: escape::path(path), why }
}

impl Results {
    /// The results in this directory, which need not exist yet.
    pub fn at(dir: &Path) -> Results {
        Results { dir: dir.into() }
    }

    /// Where the results are.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn path(&self, id: &str) -> PathBuf {
        self.dir.join(id.get(..FOLDER).unwrap_or(id)).join(format!("{id}.json"))
    }

    /// Whether the job has a result that can be read.
    pub fn has(&self, job: &Job) -> bool {
        self.get(job).is_some()
    }

    /// The record of a job; `None` if there is none, or only a damaged one or that of another job, which count as not measured.
    pub fn get(&self, job: &Job) -> Option<Record> {
        let text = std::fs::read(self.path(&job.id)).ok()?;
        let content: Content<Record> = serde_json::from_slice(&text).ok()?;
        (content.job == job.id).then_some(content.record)
    }

    /// Makes the directory, unless it is there.
    ///
    /// # Errors
    /// It cannot be made, or no file can be written in it.
    pub fn make(&self) -> Result<(), SweepError> {
        std::fs::create_dir_all(&self.dir).map_err(|e| failed(&self.dir, &e))?;
        atomic_file::check(&self.dir.join("result")).map_err(|e| failed(&self.dir, &e))
    }

    /// Keeps the record of a job.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub fn put(&self, job: &Job, record: &Record) -> Result<(), SweepError> {
        let path = self.path(&job.id);
        let folder = path.parent().unwrap_or(&self.dir);
        let content = Content { job: job.id.clone(), record };
        let text = serde_json::to_string(&content).unwrap_or_default();
        let write = || {
            std::fs::create_dir_all(folder)?;
            atomic_file::replace(&path, &text)
        };
        // `tidy` may remove the folder before the file is in it.
        let written = match write() {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => write(),
            written => written,
        };
        written.map_err(|e| failed(&path, &e))
    }

    /// All results.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn all(&self) -> Result<Vec<Kept>, SweepError> {
        let mut all = Vec::new();
        for folder in entries(&self.dir)? {
            if folder.is_dir() {
                all.extend(entries(&folder)?.into_iter().filter_map(|file| kept(&file)));
            }
        }
        all.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(all)
    }

    /// Removes a result.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(&self, kept: &Kept) -> Result<(), SweepError> {
        let path = self.path(&kept.id);
        std::fs::remove_file(&path).map_err(|e| failed(&path, &e))
    }

    /// Removes what is no result: files of this age that killed workers left unfinished, and folders without a file.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn tidy(&self, oldest: Duration) -> Result<(), SweepError> {
        for folder in entries(&self.dir)?.into_iter().filter(|f| is_folder(f)) {
            for file in entries(&folder)? {
                let unfinished =
                    file.file_name().is_some_and(|n| n.as_encoded_bytes().starts_with(b".tmp"));
                if unfinished
                    && file.metadata().is_ok_and(|about| age(&about) >= oldest.max(ABANDONED))
                {
                    // Another one may have removed it.
                    let _ = std::fs::remove_file(&file);
                }
            }
            // It stays if it has files.
            let _ = std::fs::remove_dir(&folder);
        }
        Ok(())
    }
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, SweepError> {
    match std::fs::read_dir(dir) {
        Ok(entries) => Ok(entries.flatten().map(|e| e.path()).collect()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(failed(dir, &e)),
    }
}

/// Whether results are in this folder, by its name: other folders are the user's.
fn is_folder(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.len() == FOLDER && name.iter().all(u8::is_ascii_hexdigit) && path.is_dir()
}

/// Time since a file was written.
fn age(about: &std::fs::Metadata) -> Duration {
    let age = about.modified().ok().and_then(|t| SystemTime::now().duration_since(t).ok());
    age.unwrap_or_default()
}

/// The result in this file; `None` for other files, such as one that is being written.
fn kept(file: &Path) -> Option<Kept> {
    let id = file.file_name()?.to_str()?.strip_suffix(".json")?;
    let digest = id.len() == 64 && id.bytes().all(|b| b.is_ascii_hexdigit());
    let about = file.metadata().ok().filter(|_| digest)?;
    Some(Kept { id: id.into(), bytes: about.len(), age: age(&about) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_fits_the_error() {
        let of =
            |code| failed(Path::new("r"), &std::io::Error::from_raw_os_error(code)).to_string();
        // ENOSPC, EDQUOT, EFBIG; EACCES, EROFS.
        assert!([28, 122, 27].iter().all(|code| of(*code).contains("free space")));
        assert!([13, 30].iter().all(|code| of(*code).contains("can be written to")));
    }
}
