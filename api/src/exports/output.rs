use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::archive::{ArchiveError, NewFile, STANDARD, fault};

/// Where an export goes: a new file, which is there when it is whole, or `-`, the standard output.
pub struct Output {
    path: PathBuf,
    writer: BufWriter<Box<dyn Write + Send>>,
    file: Option<NewFile>,
}

impl Output {
    /// Opens it.
    ///
    /// # Errors
    /// When the file is there already, or cannot be made.
    pub fn create(path: &Path) -> Result<Self, ArchiveError> {
        let (writer, file): (Box<dyn Write + Send>, _) = if path == Path::new(STANDARD) {
            (Box::new(io::stdout()), None)
        } else {
            let file = NewFile::create(path)?;
            let writer = file.file().try_clone();
            (
                Box::new(writer.map_err(|cause| fault(path, cause))?),
                Some(file),
            )
        };
        Ok(Self {
            path: path.to_owned(),
            writer: BufWriter::new(writer),
            file,
        })
    }

    /// Gives the file its name, once all of it is on disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(self) -> Result<(), ArchiveError> {
        Self::keep_all(vec![self])
    }

    /// Gives files their names, once all of each is on disk: all of them, or none.
    ///
    /// # Errors
    /// When one cannot be written, or its name is taken.
    pub fn keep_all(outputs: Vec<Self>) -> Result<(), ArchiveError> {
        let mut files = Vec::new();
        for Self {
            path,
            mut writer,
            file,
        } in outputs
        {
            let written = writer.flush();
            let on_disk = written.and_then(|()| file.as_ref().map_or(Ok(()), NewFile::sync));
            on_disk.map_err(|cause| fault(&path, cause))?;
            files.extend(file);
        }
        NewFile::keep_all(&files)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
