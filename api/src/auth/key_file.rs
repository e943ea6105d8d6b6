//! Files that hold a key: made once, whole or not there, and their owner's alone.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use uuid::Uuid;

/// Makes a file in a folder, which is made too where it is not there. When another process made one at
/// the same time, that one stays.
///
/// # Errors
/// What the system says.
pub fn create(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    storage::create_private_folder(folder)?;
    let draft = folder.join(format!(".{name}.{}", Uuid::now_v7()));
    let linked =
        write_private(&draft, content).and_then(|()| fs::hard_link(&draft, folder.join(name)));
    let removed = fs::remove_file(&draft);
    match linked {
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other.and(removed),
    }
}

fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(content)?;
    file.sync_all()
}
