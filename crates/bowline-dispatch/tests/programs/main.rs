//! What programs do to files, compared with what the gate knows of it beforehand: each command is run by bash, and each
//! file that it changed or read is then denied by a rule, under which the command must not be allowed.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test runs programs, and makes and reads its own files")]

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, SystemTime};

use bowline_call::{CallId, ConversationId, Effect, Intent, Origin, Target, Targets, ToolCall};
use bowline_dispatch::FactFinder;
use bowline_gate::{Asked, Bases, Gate, HostRules, Layer, Ledger, Roots, RuleEntry, RulesOptions, Verdict};
use bowline_std::clock::SystemClock;

/// Commands that try to touch what a rule protects, or to run `evil`.
const HOSTILE: &str = include_str!("hostile.txt");

/// Commands as people write them: allowed under rules about files that they do not touch.
const ORDINARY: &str = include_str!("ordinary.txt");

/// A rule has these programs allowed with whatever follows.
const PROGRAMS: &str = "pushd popd f /lib64/ld-linux-x86-64.so.2 cp mv ln link install rm rmdir unlink shred truncate touch mkdir mkfifo mknod mktemp chmod chown chgrp tee \
    sponge split csplit dd patch gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd lz4 unlz4 tar zip unzip zipinfo cpio \
    ar 7z curl wget rsync scp ssh sqlite3 openssl yq env xargs timeout nice nohup time setsid stdbuf ionice chrt taskset strace \
    valgrind flock watch script setpriv prlimit choom fakeroot cat echo true ls printf seq grep sort find sed cd pwd test \
    kill sleep date docker kubectl gh lsof ps export command exec builtin setfattr setfacl chattr read for head wc bash sh";

fn tool(text: &str) -> ToolCall {
    ToolCall {
        id: CallId::fresh(),
        conversation: ConversationId::new("test"),
        origin: Origin::Cli,
        tool: "Bash".into(),
        arguments: serde_json::json!({ "command": text }),
        cwd: None,
        server: None,
    }
}

/// What the gate says to a command in this directory.
fn verdict(root: &Path, text: &str, deny: &[String]) -> Verdict {
    let root = root.canonicalize().unwrap();
    let bases = Bases { roots: vec![root.clone()], sources: vec![root.clone()], home: None };
    let allowed = PROGRAMS.split_ascii_whitespace().map(|program| format!("Bash({program}:*)"));
    let allow = allowed
        .chain(["Edit(/**)".to_owned(), "Edit(//tmp/**)".to_owned()])
        .map(RuleEntry::Pattern)
        .collect();
    let deny = deny.iter().cloned().map(RuleEntry::Pattern).collect();
    let options = RulesOptions { allow, deny, ..RulesOptions::default() };
    let rules = Arc::new(HostRules::new(Layer::User, &options, &bases).unwrap());
    let gate = Gate::new(vec![Box::new(rules.clone()), Box::new(Roots::new(rules))]);
    let intent =
        Intent { effect: Effect::Run, targets: Targets::Known(vec![Target::Command(text.to_owned())]) };
    let call = tool(text);
    let finder = FactFinder::new(vec![root], Arc::new(SystemClock));
    let facts = finder.gather(&call, &intent, &gate);
    gate.before(&Asked::new(&Ledger::default(), &call, &intent, &facts)).verdict
}

fn is_allowed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Allow { .. } | Verdict::Warn(_))
}

/// A project with files of every kind, and a program `evil` that leaves a mark beside it.
struct Project {
    directory: tempfile::TempDir,
}

impl Project {
    /// The same as another, which nothing has changed yet.
    fn like(other: &Self) -> Self {
        let project = Self { directory: tempfile::tempdir().unwrap() };
        let copied = Command::new("cp")
            .arg("-a")
            .arg(other.directory.path().join("."))
            .arg(project.directory.path())
            .status();
        assert!(copied.unwrap().success());
        project
    }

    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("p");
        for (path, text) in [
            ("a", "one\ntwo\n"),
            ("b", "bee\n"),
            ("c.txt", "see\n"),
            (".env", "KEY=1\n"),
            ("d/x", "x\n"),
            ("d/y", "y\n"),
            ("d/k.pem", "pem\n"),
            ("e/.keep", ""),
            ("secrets/key", "secret\n"),
            ("secrets/k.pem", "pem\n"),
            ("src/a.ts", "a\n"),
            ("src/b.ts", "b\n"),
            ("src/old/z.ts", "z\n"),
            ("build/o.o", "o\n"),
            ("list", ".env\nsecrets/key\n"),
            ("opts", "secrets/key\n"),
            ("name", "x\n"),
            ("p.diff", "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-bee\n+boo\n"),
            ("evil.diff", "--- a/secrets/key\n+++ b/secrets/key\n@@ -1 +1 @@\n-secret\n+changed\n"),
        ] {
            write(&root.join(path), text);
        }
        write(&directory.path().join("bin/evil"), "#!/bin/sh\n: > \"$(dirname \"$0\")/../ran\"\n");
        let evil = directory.path().join("bin/evil");
        std::fs::set_permissions(evil, PermissionsExt::from_mode(0o755)).unwrap();
        symlink("secrets", root.join("s")).unwrap();
        symlink("secrets/key", root.join("l")).unwrap();
        symlink("../secrets/key", root.join("d/ln")).unwrap();
        let project = Self { directory };
        project.run("tar cf in.tar d; tar cf evil.tar secrets .env; gzip -k c.txt; gzip -c .env > .env.gz; zip -qr in.zip d; zip -qr evil.zip secrets; ar rc lib.a a b; touch -d @1000000000 $(find . -type f)");
        project
    }

    fn root(&self) -> PathBuf {
        self.directory.path().join("p")
    }

    fn run(&self, text: &str) {
        let bin = self.directory.path().join("bin");
        let child = Command::new("bash")
            .args(["-c", text])
            .current_dir(self.root())
            .env_clear()
            .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", bin.display()))
            .env("HOME", self.directory.path())
            .env("TMPDIR", self.directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let group = format!("-{}", child.id());
        let (ended, has_ended) = mpsc::channel();
        let waiting = std::thread::spawn(move || {
            let _ = child.wait_with_output();
            let _ = ended.send(());
        });
        let _ = has_ended.recv_timeout(Duration::from_secs(5));
        // What it has left in the background ends as well.
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        waiting.join().unwrap();
    }

    fn evil_ran(&self) -> bool {
        self.directory.path().join("ran").exists()
    }

    /// Every file, as it is now.
    fn state(&self) -> BTreeMap<PathBuf, String> {
        let mut all = BTreeMap::new();
        let mut open = vec![self.root()];
        while let Some(directory) = open.pop() {
            let Ok(entries) = std::fs::read_dir(&directory) else { continue };
            for path in entries.map(|entry| entry.unwrap().path()) {
                let metadata = path.symlink_metadata().unwrap();
                let mut state = format!("{:o} {} {}", metadata.mode(), metadata.uid(), metadata.gid());
                if metadata.is_symlink() {
                    state += &format!(" {:?}", std::fs::read_link(&path).unwrap());
                } else if metadata.is_dir() {
                    open.push(path.clone());
                } else if metadata.is_file() {
                    let mtime = metadata.mtime();
                    state += &format!(" {mtime} {:?}", std::fs::read(&path));
                }
                all.insert(path.strip_prefix(self.root()).unwrap().to_owned(), state);
            }
        }
        all
    }

    /// From now on it can be seen which files are read.
    fn forget_reads(&self) {
        for path in self.files() {
            let file = std::fs::File::open(self.root().join(&path)).unwrap();
            let times =
                std::fs::FileTimes::new().set_accessed(SystemTime::UNIX_EPOCH + Duration::from_secs(1));
            file.set_times(times).unwrap();
        }
    }

    fn files(&self) -> Vec<PathBuf> {
        let state = self.state();
        let is_file = |path: &PathBuf| self.root().join(path).symlink_metadata().unwrap().is_file();
        state.into_keys().filter(is_file).collect()
    }

    fn were_read(&self) -> BTreeSet<PathBuf> {
        let was_read = |path: &PathBuf| {
            let metadata = self.root().join(path).symlink_metadata();
            metadata.is_ok_and(|metadata| metadata.is_file() && metadata.atime() > 1)
        };
        // Their names alone: a look at the content would be one more reading.
        let mut all = Vec::new();
        let mut open = vec![self.root()];
        while let Some(directory) = open.pop() {
            let Ok(entries) = std::fs::read_dir(&directory) else { continue };
            for entry in entries.map(Result::unwrap) {
                match entry.file_type().unwrap().is_dir() {
                    true => open.push(entry.path()),
                    false => all.push(entry.path().strip_prefix(self.root()).unwrap().to_owned()),
                }
            }
        }
        all.into_iter().filter(was_read).collect()
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// What came of one command: whether it would be asked about, and what it did that no rule stops.
fn judged(pristine: &Project, text: &str) -> (bool, Vec<String>) {
    let mut missed = Vec::new();
    if !is_allowed(&verdict(&pristine.root(), text, &[])) {
        return (true, missed);
    }
    let project = Project::like(pristine);
    let before = project.state();
    project.forget_reads();
    project.run(text);
    let read = project.were_read();
    let after = project.state();
    if project.evil_ran() {
        missed.push(format!("runs evil: {text}"));
    }
    let mut all: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    all.retain(|path| before.get(*path) != after.get(*path));
    // A file that is made anew has no reading that could be told from its making.
    let read: Vec<&PathBuf> =
        read.iter().filter(|path| before.contains_key(*path) && !all.contains(path)).collect();
    for (what, paths) in [("Edit", all.iter().copied().collect()), ("Read", read)] {
        for path in paths {
            // Names that are made up are meant by a rule about their directory.
            let is_made_up = (text.starts_with("mktemp") || text.contains("-ff")) && !path.ends_with("key");
            let meant = match path.extension() {
                Some(end) if is_made_up && end == "pem" => "*.pem".to_owned(),
                _ if is_made_up => format!("/{}/**", path.parent().unwrap().display()),
                _ => format!("/{}", path.display()),
            };
            if is_allowed(&verdict(&pristine.root(), text, &[format!("{what}({meant})")])) {
                missed.push(format!("{what} {}: {text}", path.display()));
            }
        }
    }
    (false, missed)
}

#[test]
fn what_programs_touch_is_known_before_they_run() {
    let pristine = Project::new();
    let all: Vec<&str> = lines(HOSTILE).collect();
    let judge = |texts: &[&str]| -> Vec<(bool, Vec<String>)> {
        texts.iter().map(|text| judged(&pristine, text)).collect()
    };
    let outcomes: Vec<(bool, Vec<String>)> = std::thread::scope(|scope| {
        let parts: Vec<_> =
            all.chunks(all.len().div_ceil(4)).map(|texts| scope.spawn(|| judge(texts))).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    let asked = outcomes.iter().filter(|(is_asked, _)| *is_asked).count();
    let missed: Vec<&String> = outcomes.iter().flat_map(|(_, missed)| missed).collect();
    let missed: Vec<&str> = missed.into_iter().map(String::as_str).collect();
    assert!(
        missed.is_empty(),
        "{} by {} commands, of which {asked} are asked:\n{}",
        missed.len(),
        all.len(),
        missed.join("\n")
    );
}

#[test]
fn ordinary_commands_are_decided_under_rules_about_other_files() {
    let project = Project::new();
    let rules = ["Edit(secrets/**)", "Edit(**/*.pem)", "Read(.env)", "Read(secrets/**)"].map(str::to_owned);
    let asked = lines(ORDINARY).filter_map(|text| {
        let verdict = verdict(&project.root(), text, &rules);
        (!is_allowed(&verdict))
            .then(|| format!("{text}\n    {:?}", verdict.objection().map(|against| &against.reason)))
    });
    let asked: Vec<String> = asked.collect();
    assert!(
        asked.is_empty(),
        "{} of {} are not allowed:\n{}",
        asked.len(),
        lines(ORDINARY).count(),
        asked.join("\n")
    );
}
