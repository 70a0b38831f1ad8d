//! A throw-away directory in which a program runs, and what is told of the files that it opens there.

use std::collections::BTreeSet;
use std::fs::File;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::process::{Pid, Signal, kill_process_group};

/// What stands in the directory before each run. `evil` is a program that leaves a mark.
const FILES: &[(&str, &str)] = &[
    ("in", "alpha 1\nbravo 2\nbravo 2\n"),
    ("other", "alpha 1\ncharlie 3\n"),
    ("third", "alpha 1\ndelta 4\n"),
    ("value", "alpha\n"),
    ("in.json", "{\"a\": 1}\n"),
    (".hidden", "alpha hidden\n"),
    (".env", "alpha SECRET=1\n"),
    ("prot/f", "alpha guarded\n"),
    ("sub/deep", "alpha deep\n"),
    ("sub/.hid", "alpha hid\n"),
];

/// Held while files are made, and while a program is started: what is open for writing would stay open in the other's child.
static STARTING: Mutex<()> = Mutex::new(());

/// How long a program may wait for what never comes.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// What a program did.
#[derive(Debug, Default, Clone)]
pub(crate) struct Seen {
    /// Names from the directory on.
    pub(crate) read: BTreeSet<String>,
    /// What was opened to be read, whether or not it was read.
    pub(crate) opened: BTreeSet<String>,
    pub(crate) changed: BTreeSet<String>,
    /// `evil` ran.
    pub(crate) ran: bool,
    pub(crate) is_success: bool,
    pub(crate) had_to_be_ended: bool,
}

pub(crate) struct Ground {
    root: tempfile::TempDir,
    /// Descriptor and names of the directories that are watched.
    watch: Option<(OwnedFd, Vec<(i32, String)>)>,
}

impl Ground {
    pub(crate) fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap(), watch: None }
    }

    /// Where programs run.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    fn mark(&self) -> PathBuf {
        self.root.path().join("mark")
    }

    /// Makes the directory anew, unless nothing in it was changed.
    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    fn prepare(&mut self) {
        if self.watch.is_some() {
            return;
        }
        let _starting = STARTING.lock();
        let work = self.work();
        let _ = std::fs::remove_dir_all(&work);
        std::fs::create_dir_all(work.join("sub")).unwrap();
        std::fs::create_dir_all(work.join("prot")).unwrap();
        std::fs::create_dir_all(self.root.path().join("home")).unwrap();
        for (name, text) in FILES {
            std::fs::write(work.join(name), text).unwrap();
        }
        let evil = work.join("evil");
        std::fs::write(&evil, format!("#!/bin/sh\n: > '{}'\n", self.mark().display())).unwrap();
        std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
        let watch = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
        let places = [(work.clone(), ""), (work.join("sub"), "sub/"), (work.join("prot"), "prot/")];
        let names = places.map(|(place, name)| {
            (inotify::add_watch(&watch, place, WatchFlags::ALL_EVENTS).unwrap(), name.to_owned())
        });
        self.watch = Some((watch, names.to_vec()));
    }

    /// Runs the program with these words; nothing of it is left but what is told.
    #[expect(
        clippy::disallowed_methods,
        reason = "the program is the judge, in a directory of its own, and is ended with its group"
    )]
    pub(crate) fn run(&mut self, program: &Path, words: &[String], path: &str) -> Seen {
        self.prepare();
        let _ = std::fs::remove_file(self.mark());
        // Some programs stop early where their output goes nowhere.
        let output = File::create(self.root.path().join("output")).unwrap();
        let home = self.root.path().join("home");
        let starting = STARTING.lock();
        let mut child = Command::new(program)
            .args(&words[1..])
            .arg0(&words[0])
            .current_dir(self.work())
            .env_clear()
            .env("PATH", path)
            .env("HOME", &home)
            .env("TMPDIR", &home)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .process_group(0)
            .spawn()
            .unwrap();
        drop(starting);
        let group = Pid::from_child(&child);
        let (tell, told) = mpsc::channel();
        let mut seen = Seen::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _ = tell.send(child.wait().is_ok_and(|status| status.success()));
            });
            match told.recv_timeout(MAX_WAIT) {
                Ok(is_success) => seen.is_success = is_success,
                // It is not waited for yet, so its number still means this group.
                Err(_) => {
                    seen.had_to_be_ended = true;
                    let _ = kill_process_group(group, Signal::KILL);
                }
            }
        });
        self.observe(&mut seen);
        seen.ran = self.mark().exists();
        seen
    }

    /// What the system told of the files since the last run.
    fn observe(&mut self, seen: &mut Seen) {
        let Some((watch, names)) = &self.watch else { return };
        let mut buffer = [MaybeUninit::uninit(); 16 * 1024];
        let mut reader = Reader::new(watch, &mut buffer);
        let mut touched = BTreeSet::new();
        while let Ok(event) = reader.next() {
            let flags = event.events();
            assert!(!flags.contains(ReadFlags::QUEUE_OVERFLOW), "more happened than can be told");
            let Some(name) = event.file_name() else { continue };
            let place = names.iter().find(|(watched, _)| *watched == event.wd());
            let Some((_, place)) = place else { continue };
            let name = format!("{place}{}", name.to_string_lossy());
            let is_directory = flags.contains(ReadFlags::ISDIR);
            if flags.contains(ReadFlags::ACCESS) && !is_directory {
                seen.read.insert(name.clone());
            }
            if flags.intersects(ReadFlags::ACCESS | ReadFlags::CLOSE_NOWRITE) && !is_directory {
                seen.opened.insert(name.clone());
            }
            let changes = ReadFlags::MODIFY
                | ReadFlags::CLOSE_WRITE
                | ReadFlags::CREATE
                | ReadFlags::DELETE
                | ReadFlags::MOVED_FROM
                | ReadFlags::MOVED_TO;
            if flags.intersects(changes) {
                touched.insert(name.clone());
            }
            if flags.contains(ReadFlags::ATTRIB) {
                touched.insert(String::new());
            }
        }
        let work = self.work();
        let is_dirty = !touched.is_empty();
        // A file that came and went is of no concern.
        let was_there = |name: &str| name == "evil" || FILES.iter().any(|(file, _)| *file == name);
        seen.changed = touched.into_iter().filter(|name| !name.is_empty()).collect();
        seen.changed.retain(|name| was_there(name) || work.join(name).symlink_metadata().is_ok());
        seen.read.retain(|name| was_there(name));
        seen.opened.retain(|name| was_there(name));
        if is_dirty {
            self.watch = None;
        }
    }
}
