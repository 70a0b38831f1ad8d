//! A throw-away directory in which real bash runs a text, with a program that leaves a mark.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Programs that texts may use besides `evil`: none of them can do harm.
const PROGRAMS: &[&str] =
    &["cat", "true", "false", "head", "env", "nohup", "timeout", "tee", "rm", "touch", "bash", "sh", "sort"];

pub(crate) struct Playground {
    root: tempfile::TempDir,
}

/// What a text left behind.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Left {
    pub(crate) has_mark: bool,
    pub(crate) has_change: bool,
}

impl Playground {
    #[expect(clippy::disallowed_methods, reason = "a test makes its own directory")]
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let bin = root.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        for program in PROGRAMS {
            let real = ["/usr/bin", "/bin"]
                .iter()
                .map(|place| Path::new(place).join(program))
                .find(|path| path.exists());
            // Not every system has every one; what cannot run leaves no mark.
            if let Some(real) = real {
                symlink(real, bin.join(program)).unwrap();
            }
        }
        let evil = bin.join("evil");
        std::fs::write(&evil, format!("#!/bin/sh\n: > '{}'\n", root.path().join("mark").display())).unwrap();
        std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { root }
    }

    /// Where texts run.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// The file that is watched.
    pub(crate) fn guarded(&self) -> PathBuf {
        self.work().join("prot/f")
    }

    /// Runs the text and all that it starts; nothing of it is left but what is told.
    #[expect(
        clippy::disallowed_methods,
        reason = "bash is the judge, in a directory of its own, and is ended with its group"
    )]
    pub(crate) fn run(&self, text: &str) -> Left {
        let (work, mark) = (self.work(), self.root.path().join("mark"));
        let _ = std::fs::remove_dir_all(&work);
        let _ = std::fs::remove_file(&mark);
        std::fs::create_dir_all(work.join("prot")).unwrap();
        std::fs::write(self.guarded(), "as it was\n").unwrap();
        let child = Command::new("bash")
            .args(["--norc", "--noprofile", "-c", text])
            .current_dir(&work)
            .env_clear()
            .env("PATH", self.root.path().join("bin"))
            .env("HOME", self.root.path())
            .env("TMPDIR", self.root.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let group = format!("-{}", child.id());
        let (tell, told) = mpsc::channel();
        // Reading both pipes to their end waits for what runs in the background, too.
        let waiting = std::thread::spawn(move || {
            let _ = child.wait_with_output();
            let _ = tell.send(());
        });
        if told.recv_timeout(Duration::from_secs(1)).is_err() {
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        waiting.join().unwrap();
        let is_unchanged = std::fs::read(self.guarded()).is_ok_and(|bytes| bytes == b"as it was\n");
        Left { has_mark: mark.exists(), has_change: !is_unchanged }
    }
}
