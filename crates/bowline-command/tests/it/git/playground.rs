//! A throw-away repository in which the installed git runs one command, with a program that leaves a mark.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// In the file that git ignores, and in the one that it tracks.
pub(crate) const IGNORED_SECRET: &str = "SECRET4711ignored";
pub(crate) const TRACKED_SECRET: &str = "SECRET0815tracked";

/// Longer than any of these commands takes on a busy machine.
const MAX_TIME: Duration = Duration::from_secs(5);

/// A tree with two branches: `other` has another `prot/f`, and so has each commit.
const SETUP: &str = r#"
git init -q --template= -b main .
git config gc.autoDetach false
printf 'a\nb\nc\n' > a.txt; mkdir src prot conf; echo 'fn a() {}' > src/x.rs; echo one > prot/f
echo 'SECRET0815tracked' > conf/secret
echo .env > .gitignore; git add .; git commit -q -m first
git branch other
echo two > prot/f; echo d >> a.txt; echo 'more SECRET0815tracked' >> conf/secret; git commit -q -a -m second
git tag v1
git checkout -q other; echo three > prot/f; echo x > src/y.rs; git add .; git commit -q -m elsewhere
git checkout -q main; echo e >> a.txt; git commit -q -a -m third
git format-patch -q --stdout main..other > ../mbox; git diff main other > ../x.patch
mv ../mbox ../x.patch .; printf 'prot/f\n' > specs
git clone -q --bare . ../remote.git; git remote add origin ../remote.git; git fetch -q
git bundle create -q x.bundle main
git gc -q
echo 'SECRET4711ignored' > .env
echo changed >> src/x.rs; echo 'dirty SECRET0815tracked' >> conf/secret
"#;

pub(crate) struct Playground {
    root: tempfile::TempDir,
    before: BTreeMap<PathBuf, Vec<u8>>,
}

/// What a command left behind.
#[derive(Debug, Default)]
pub(crate) struct Left {
    pub(crate) has_mark: bool,
    /// Files below the protected directory that are new, gone or other than they were.
    pub(crate) changed: Vec<PathBuf>,
    pub(crate) shows_ignored: bool,
    pub(crate) shows_tracked: bool,
}

impl Playground {
    #[expect(clippy::disallowed_methods, reason = "a test makes its own directory")]
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for directory in ["bin", "home", "first"] {
            std::fs::create_dir(root.path().join(directory)).unwrap();
        }
        for name in ["evil", "git-evil", "git-merge-evil", "git-remote-evil"] {
            let evil = root.path().join("bin").join(name);
            let text = format!("#!/bin/sh\n: > '{}'\n", root.path().join("mark").display());
            std::fs::write(&evil, text).unwrap();
            std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let settings = "[user]\nname = A\nemail = a@b\n[init]\ndefaultBranch = main\n[gc]\nautoDetach = false\n[protocol \"file\"]\nallow = always\n";
        std::fs::write(root.path().join("home/.gitconfig"), settings).unwrap();
        let mut made = Self { root, before: BTreeMap::new() };
        let first = made.root.path().join("first");
        let output = made.start("sh", &["-ec".into(), SETUP.into()], &first).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        made.before = below(&first, "prot");
        made
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// What the installed git says of itself.
    pub(crate) fn ask(&self, words: &[&str]) -> String {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let output = self.start("git", &words, &self.root.path().join("first"));
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
    }

    /// Runs git with these words in a fresh copy of the repository.
    pub(crate) fn run(&self, words: &[String]) -> Left {
        let (work, mark) = (self.work(), self.root.path().join("mark"));
        let _ = std::fs::remove_dir_all(&work);
        let _ = std::fs::remove_file(&mark);
        copy(&self.root.path().join("first"), &work);
        let output = self.start("git", words, &work);
        let mut left = Left { has_mark: mark.exists(), ..Left::default() };
        let after = below(&work, "prot");
        let names = self.before.keys().chain(after.keys());
        left.changed = names.filter(|name| self.before.get(*name) != after.get(*name)).cloned().collect();
        left.changed.dedup();
        let mut told: Vec<Vec<u8>> =
            output.map(|output| vec![output.stdout, output.stderr]).unwrap_or_default();
        let all = below(&work, ".").into_iter();
        let new = all.filter(|(name, _)| {
            !name.starts_with(".git")
                && !name.starts_with("conf")
                && name != Path::new(".env")
                && !is_made(name)
        });
        told.extend(new.map(|(_, bytes)| bytes));
        let tells = |secret: &str| told.iter().any(|bytes| String::from_utf8_lossy(bytes).contains(secret));
        left.shows_ignored = tells(IGNORED_SECRET);
        left.shows_tracked = tells(TRACKED_SECRET);
        left
    }

    /// Ends with its group when it takes too long; then it says nothing.
    #[expect(
        clippy::disallowed_methods,
        reason = "git is the judge, in a directory of its own, and is ended with its group"
    )]
    fn start(&self, program: &str, words: &[String], directory: &Path) -> Option<Output> {
        let root = self.root.path();
        let child = Command::new(program)
            .args(words)
            .current_dir(directory)
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", root.join("bin").display()))
            .env("HOME", root.join("home"))
            .env("TMPDIR", root)
            .env("TERM", "dumb")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_CEILING_DIRECTORIES", root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let group = format!("-{}", child.id());
        let (tell, told) = mpsc::channel();
        let waiting = std::thread::spawn(move || {
            let _ = tell.send(child.wait_with_output().ok());
        });
        let output = told.recv_timeout(MAX_TIME);
        if output.is_err() {
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        waiting.join().unwrap();
        output.ok().flatten()
    }
}

/// Files that the setup made of tracked ones.
fn is_made(name: &Path) -> bool {
    ["mbox", "x.patch", "x.bundle"].iter().any(|made| name == Path::new(made))
}

/// Every file below, by its name from `top` on.
#[expect(clippy::disallowed_methods, reason = "a test looks into its own directory")]
fn below(top: &Path, directory: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut directories = vec![PathBuf::from(directory)];
    while let Some(directory) = directories.pop() {
        let Ok(entries) = std::fs::read_dir(top.join(&directory)) else { continue };
        for entry in entries.flatten() {
            let name = if directory == Path::new(".") {
                entry.file_name().into()
            } else {
                directory.join(entry.file_name())
            };
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && name != Path::new(".git") => directories.push(name),
                Ok(kind) if kind.is_file() => {
                    found.insert(name, std::fs::read(entry.path()).unwrap_or_default());
                }
                Ok(kind) if kind.is_symlink() => {
                    found.insert(name, b"a link".to_vec());
                }
                _ => {}
            }
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}
