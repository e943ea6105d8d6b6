use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::error::ArchiveError;

/// A file that is either whole and on disk under its name, or not there. Until then it is a draft
/// beside it. Nobody but the account that runs the program can read it.
pub(crate) struct NewFile {
    path: PathBuf,
    draft: PathBuf,
    file: File,
}

impl NewFile {
    /// An empty draft of a file that must not be there yet.
    pub(crate) fn create(path: &Path) -> Result<Self, ArchiveError> {
        // A link that leads nowhere is in the way as well.
        if path.symlink_metadata().is_ok() {
            return Err(exists(path));
        }
        let mut name = path.file_name().map(OsString::from).unwrap_or_default();
        name.push(format!(".{}.partial", Uuid::now_v7().simple()));
        let draft = path.with_file_name(name);
        let file = storage::create_new_private_file(&draft).map_err(|cause| fault(path, cause))?;
        Ok(Self {
            path: path.to_owned(),
            draft,
            file,
        })
    }

    /// Where it is until it is whole.
    pub(super) fn draft(&self) -> &Path {
        &self.draft
    }

    /// What is written into it.
    pub(crate) const fn file(&self) -> &File {
        &self.file
    }

    /// Waits until all that was written is on disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Gives it its name once all of it is on disk.
    pub(crate) fn keep(self) -> Result<(), ArchiveError> {
        Self::keep_all(std::slice::from_ref(&self))
    }

    /// Gives each its name once all of it is on disk. When one does not get it, no other keeps it.
    pub(crate) fn keep_all(files: &[Self]) -> Result<(), ArchiveError> {
        for (nth, file) in files.iter().enumerate() {
            let (named, result) = match file.sync().and_then(|()| file.give_name()) {
                Ok(()) => (nth + 1, sync_folder(&file.path)),
                Err(cause) => (nth, Err(cause)),
            };
            if let Err(cause) = result {
                for named in files.iter().take(named) {
                    // What cannot be taken away now stays, whole.
                    let _removed = fs::remove_file(&named.path);
                }
                return Err(match cause.kind() {
                    io::ErrorKind::AlreadyExists => exists(&file.path),
                    _ => fault(&file.path, cause),
                });
            }
        }
        Ok(())
    }

    /// By a second name, which is never one that is there; where the disk knows no second names, by
    /// another. The draft goes when this value does.
    fn give_name(&self) -> io::Result<()> {
        match fs::hard_link(&self.draft, &self.path) {
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Err(cause),
            Err(_) if self.path.symlink_metadata().is_ok() => {
                Err(io::ErrorKind::AlreadyExists.into())
            }
            Err(_) => fs::rename(&self.draft, &self.path),
            Ok(()) => Ok(()),
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        match fs::remove_file(&self.draft) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%cause, draft = %self.draft.display(), "a draft could not be removed");
            }
            _ => {}
        }
    }
}

/// A name is on disk when its folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn exists(path: &Path) -> ArchiveError {
    ArchiveError::Exists {
        name: path.display().to_string(),
    }
}

/// A file that cannot be written, and why.
pub(crate) fn fault(path: &Path, cause: io::Error) -> ArchiveError {
    ArchiveError::Write {
        name: path.display().to_string(),
        cause,
    }
}
