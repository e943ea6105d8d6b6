//! A file system of a test's own that is soon full.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A small `tmpfs`; unmounted when the test is over.
#[derive(Debug)]
pub struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// Mounts one of so many KiB; `None` where that is not allowed.
    pub fn mount(kibibytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={kibibytes}k"), "tmpfs"])
            .arg(folder.path())
            .output();
        let mounted = mounted.is_ok_and(|output| output.status.success());
        mounted.then_some(Self { folder })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Leaves no byte free.
    pub fn fill(&self) {
        let mut filler = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.filler())
            .unwrap();
        for size in [4096, 1] {
            while filler.write_all(&vec![0; size]).is_ok() {}
        }
    }

    /// Makes room again.
    pub fn free(&self) {
        fs::remove_file(self.filler()).unwrap();
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).output();
    }
}
