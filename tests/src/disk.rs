//! A disk whose syncs fail or wait when a test says so, and that counts those that succeed.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

const SOURCE: &str = include_str!("sync_fault.c");

/// What a server is started with so that its syncs are in the test's hands.
#[derive(Debug)]
pub struct Disk {
    folder: TempDir,
}

impl Disk {
    /// A disk that works. Needs a C compiler, as building the server does.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let disk = Self { folder };
        let source = disk.file("sync_fault.c");
        fs::write(&source, SOURCE).unwrap();
        fs::write(disk.file("hold"), "").unwrap();
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
            .args([disk.file("sync_fault.so"), source])
            .output()
            .expect("a C compiler named cc");
        assert!(compiled.status.success(), "{compiled:?}");
        disk
    }

    /// The variables for the server.
    pub fn environment(&self) -> [(&'static str, String); 4] {
        let path = |name| self.file(name).display().to_string();
        [
            ("LD_PRELOAD", path("sync_fault.so")),
            ("SYNC_FAULT", path("fault")),
            ("SYNC_HOLD", path("hold")),
            ("SYNC_COUNT", path("count")),
        ]
    }

    /// From now on every sync fails.
    pub fn fail(&self) {
        fs::write(self.file("fault"), "").unwrap();
    }

    /// From now on syncs work again.
    pub fn mend(&self) {
        fs::remove_file(self.file("fault")).unwrap();
    }

    /// Until what this gives is dropped, no sync comes to an end.
    #[must_use]
    pub fn hold(&self) -> File {
        let hold = File::open(self.file("hold")).unwrap();
        hold.lock().unwrap();
        hold
    }

    /// How many syncs have succeeded.
    pub fn syncs(&self) -> u64 {
        fs::metadata(self.file("count")).map_or(0, |file| file.len())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Default for Disk {
    fn default() -> Self {
        Self::new()
    }
}
