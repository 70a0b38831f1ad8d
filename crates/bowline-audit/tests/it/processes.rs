//! Many processes with one file, and processes that are killed.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use bowline_audit::read::{Integrity, Trail};
use bowline_audit::{Event, Options};
use bowline_call::Effect;

use crate::{audit, audit_with, call, closing, count, damages, open, place, put, records};

const PATH: &str = "BOWLINE_AUDIT_TEST_PATH";
const MAX_BYTES: &str = "BOWLINE_AUDIT_TEST_MAX_BYTES";

/// One of the ignored tests, in a process of its own.
pub(crate) struct Child(Command);

impl Child {
    #[expect(clippy::disallowed_methods, reason = "the child is this very test, and is waited for or killed")]
    pub(crate) fn new(test: &str, path: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--ignored", "--nocapture"]).env(PATH, path).stdin(Stdio::null());
        Self(command)
    }

    /// The same, within what the shell sets up before.
    #[expect(clippy::disallowed_methods, reason = "only a shell can set limits without unsafe code")]
    pub(crate) fn limited(self, setup: &str) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{setup}; exec \"$0\" \"$@\"")]).arg(self.0.get_program());
        command.args(self.0.get_args()).stdin(Stdio::null());
        command.envs(self.0.get_envs().filter_map(|(name, value)| Some((name, value?))));
        Self(command)
    }

    fn rotating_at(mut self, max_bytes: u64) -> Self {
        self.0.env(MAX_BYTES, max_bytes.to_string());
        self
    }

    fn spawn(mut self) -> process::Child {
        self.0.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    pub(crate) fn succeeds(self) {
        succeeded(self.spawn());
    }
}

fn succeeded(child: process::Child) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Where a child is to work. Nothing where it was started by hand.
#[expect(clippy::disallowed_methods, reason = "how a test tells its child what to do")]
pub(crate) fn child_path() -> Option<PathBuf> {
    std::env::var_os(PATH).map(PathBuf::from)
}

#[expect(clippy::disallowed_methods, reason = "how a test tells its child what to do")]
fn child_max_bytes() -> u64 {
    std::env::var(MAX_BYTES).map_or(u64::MAX, |written| written.parse().unwrap())
}

fn four_append(path: &Path, max_bytes: u64) {
    let children: Vec<_> =
        (0..4).map(|_| Child::new("processes::child_appends", path).rotating_at(max_bytes).spawn()).collect();
    children.into_iter().for_each(succeeded);
    assert_eq!(damages(path), Vec::<String>::new());
    assert_eq!(count(path, Event::Call), 10_000);
    let found = Trail::at(path).verify();
    assert_eq!((found.writers.len(), found.records, found.integrity()), (4, 10_008, Integrity::Intact));
}

#[test]
fn four_processes_append_ten_thousand_whole_lines() {
    let (_keep, path) = place();
    four_append(&path, u64::MAX);
    assert_eq!(Trail::at(&path).files().unwrap(), [path]);
}

#[test]
fn four_processes_set_files_aside_and_lose_nothing() {
    let (_keep, path) = place();
    four_append(&path, 200_000);
    let files = Trail::at(&path).files().unwrap().len();
    assert!(files > 10, "{files}");
}

#[tokio::test]
#[ignore = "run by its parent, four times at once"]
async fn child_appends() {
    let Some(path) = child_path() else { return };
    let audit = audit_with(Options { max_bytes: child_max_bytes(), ..Options::at(&path) });
    for _ in 0..2500 {
        call(&audit, "find_references").await;
    }
}

#[test]
fn a_killed_process_leaves_a_record_of_every_change_it_made() {
    for changes in [1, 10, 40] {
        let (keep, path) = place();
        let mut child = Child::new("processes::child_changes_files", &path).spawn();
        let said = BufReader::new(child.stdout.take().unwrap());
        let last = format!("changed {changes}");
        assert!(said.lines().any(|line| line.unwrap().ends_with(&last)));
        child.kill().unwrap();
        child.wait().unwrap();

        let made = keep.path().read_dir().unwrap().filter(|entry| {
            entry.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "txt")
        });
        let made: Vec<String> = made.map(|entry| entry.unwrap().path().display().to_string()).collect();
        let records = records(&path);
        assert!(made.len() >= changes);
        for file in made {
            let known =
                records.iter().any(|record| record.event == Event::Intent && record.files.contains(&file));
            assert!(known, "{file} was changed, and nobody knows");
        }
        let found = Trail::at(&path).verify();
        assert_eq!(found.integrity(), Integrity::Unfinished);
        assert!(!found.writers[0].ended && found.damaged.total <= 1 && found.unanswered.total <= 1);
    }
}

#[tokio::test]
#[ignore = "run by its parent, which kills it"]
async fn child_changes_files() {
    let Some(path) = child_path() else { return };
    let audit = audit(&path);
    for number in 1.. {
        let file = path.with_file_name(format!("{number}.txt"));
        let mut record = open(&audit, "apply_edit").await;
        record.commit_intent(Effect::Write, std::slice::from_ref(&file)).await.unwrap();
        put(&file, "changed");
        println!("changed {number}");
        record.close(closing()).await;
    }
}
