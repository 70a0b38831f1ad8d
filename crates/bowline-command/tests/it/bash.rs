//! A throw-away directory in which a real shell runs a text, with a program that leaves a mark.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Programs that texts may use besides `evil`: none of them can do harm.
const PROGRAMS: &[&str] = &[
    "cat", "true", "false", "head", "env", "nohup", "timeout", "tee", "rm", "touch", "bash", "sh", "dash",
    "sort", "sed", "dd", "find", "cp", "ls", "grep", "xargs", "time",
];

pub(crate) struct Playground {
    root: tempfile::TempDir,
    /// What stands in the secret file, and nowhere else.
    secret: String,
}

/// A shell that judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judge {
    Bash,
    Dash,
}

impl Judge {
    /// The program and its options; `None` if it is not there. Every Linux has one that can be installed.
    fn program(self) -> Option<(PathBuf, &'static [&'static str])> {
        let found = |name: &str| {
            ["/usr/bin", "/bin"].iter().map(|place| Path::new(place).join(name)).find(|path| path.exists())
        };
        match self {
            Self::Bash => Some(("bash".into(), &["--norc", "--noprofile", "-c"])),
            Self::Dash => {
                let is_dash = |path: &PathBuf| path.canonicalize().is_ok_and(|real| real.ends_with("dash"));
                let program = found("dash").or_else(|| found("sh").filter(is_dash));
                assert!(
                    program.is_some() || !cfg!(target_os = "linux"),
                    "`dash` is a judge here: install it"
                );
                Some((program?, &["-c"]))
            }
        }
    }

    pub(crate) fn is_there(self) -> bool {
        self.program().is_some()
    }
}

/// What a text left behind.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Left {
    pub(crate) has_mark: bool,
    pub(crate) has_change: bool,
    /// What stands in the secret file was printed.
    pub(crate) has_leak: bool,
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
        let secret = RandomState::new().build_hasher().finish();
        Self { root, secret: format!("secret-{secret:x}") }
    }

    /// Where texts run.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// The file that is watched.
    pub(crate) fn guarded(&self) -> PathBuf {
        self.work().join("prot/f")
    }

    /// The file that is not to be read.
    pub(crate) fn secret(&self) -> PathBuf {
        self.work().join("sec/key")
    }

    /// Runs the text and all that it starts; nothing of it is left but what is told.
    #[expect(
        clippy::disallowed_methods,
        reason = "a real shell is the judge, in a directory of its own, and is ended with its group"
    )]
    pub(crate) fn run(&self, judge: Judge, text: &str) -> Left {
        let (work, mark) = (self.work(), self.root.path().join("mark"));
        let _ = std::fs::remove_dir_all(&work);
        let _ = std::fs::remove_file(&mark);
        std::fs::create_dir_all(work.join("prot")).unwrap();
        std::fs::create_dir_all(work.join("sec")).unwrap();
        std::fs::write(self.guarded(), "as it was\n").unwrap();
        std::fs::write(self.secret(), format!("{}\n", self.secret)).unwrap();
        std::fs::write(work.join("p"), "plain\n").unwrap();
        let (program, options) = judge.program().unwrap();
        let child = Command::new(program)
            .args(options)
            .arg(text)
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
            let output = child.wait_with_output();
            let _ = tell.send(());
            output.map(|output| [output.stdout, output.stderr].concat()).unwrap_or_default()
        });
        if told.recv_timeout(Duration::from_secs(1)).is_err() {
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        let printed = waiting.join().unwrap();
        let has_leak = printed.windows(self.secret.len()).any(|part| part == self.secret.as_bytes());
        let is_unchanged = std::fs::read(self.guarded()).is_ok_and(|bytes| bytes == b"as it was\n");
        Left { has_mark: mark.exists(), has_change: !is_unchanged, has_leak }
    }
}
