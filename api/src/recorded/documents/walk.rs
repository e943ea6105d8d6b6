use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::is_read;

/// Something to read.
pub(super) enum Found {
    /// What is in a file, and what it is called.
    Source(String, Box<dyn Read + Send>),
    /// What it is called, and why it cannot be read.
    Unreadable(String, io::Error),
}

/// The files among paths and in their folders, sorted by name.
pub(super) struct Walk {
    source: Option<(String, Box<dyn Read + Send>)>,
    /// What is to be looked at, the next one last; whether it was named itself.
    waiting: Vec<(PathBuf, bool)>,
}

impl Walk {
    pub(super) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut waiting: Vec<_> = paths.into_iter().map(|path| (path, true)).collect();
        waiting.reverse();
        Self {
            source: None,
            waiting,
        }
    }

    pub(super) const fn of_source(name: String, source: Box<dyn Read + Send>) -> Self {
        Self {
            source: Some((name, source)),
            waiting: Vec::new(),
        }
    }

    pub(super) fn next(&mut self) -> Option<Found> {
        if let Some((name, source)) = self.source.take() {
            return Some(Found::Source(name, source));
        }
        while let Some((path, is_named)) = self.waiting.pop() {
            let unreadable = |error| Some(Found::Unreadable(label(&path), error));
            let metadata = match fs::metadata(&path) {
                Ok(metadata) => metadata,
                Err(error) => return unreadable(error),
            };
            if metadata.is_dir() {
                if let Err(error) = self.enter(&path) {
                    return unreadable(error);
                }
            } else if is_named || metadata.is_file() {
                return match File::open(&path) {
                    Ok(file) => Some(Found::Source(label(&path), Box::new(file))),
                    Err(error) => unreadable(error),
                };
            }
        }
        None
    }

    /// Puts what is in a folder before all else. A link to a folder could lead back to where it is, and is
    /// not followed.
    fn enter(&mut self, folder: &Path) -> io::Result<()> {
        let first = self.waiting.len();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let kind = entry.file_type()?;
            let is_wanted = || is_read(&path.to_string_lossy());
            if kind.is_dir() || (is_wanted() && !(kind.is_symlink() && path.is_dir())) {
                self.waiting.push((path, false));
            }
        }
        if let Some(found) = self.waiting.get_mut(first..) {
            found.sort_unstable_by(|one, other| other.0.cmp(&one.0));
        }
        Ok(())
    }
}

fn label(path: &Path) -> String {
    path.display().to_string()
}
