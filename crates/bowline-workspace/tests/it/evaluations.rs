//! Evaluations that several callers wait for, or none: who is told what, how they end, and whom they keep waiting.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

use bowline_code::Position;
use bowline_lsp::{ServerSpec, SpokenLanguage};
use bowline_testkit::{Fixture, Script};
use bowline_workspace::{
    Draft, Edit, Evaluation, Extent, Options, Patience, Proposal, ServerOptions, ToRename, Was, Workspace,
    WorkspaceError,
};
use tempfile::TempDir;

use super::patient;
use super::scripted_store::ScriptedStore;
use super::served::{fake, with};

const TWO: &str = "//- /a.py\ndef greet():\n    pass\n//- /b.py\nfrom a import greet\ngreet()\n";
const DIAGNOSTIC: &str = "textDocument/diagnostic";
const LONG: Duration = Duration::from_secs(60);
/// Much less than a server has for an answer.
const SOON: Duration = Duration::from_secs(10);

/// A project with a server that takes so long for the diagnostics of a file, and writes down what it is asked.
struct Slow {
    fixture: Fixture,
    workspace: Arc<Workspace>,
    log: PathBuf,
    _state: TempDir,
}

impl Slow {
    fn new(text: &str, delay: Duration) -> Self {
        Self::limited(text, delay, Options::default())
    }

    fn limited(text: &str, delay: Duration, options: Options) -> Self {
        let fixture = Fixture::new(text);
        let state = tempfile::tempdir().unwrap();
        let log = state.path().join("log");
        let environment = std::env::vars_os().collect();
        let servers = ServerOptions { specs: vec![slow(&log, delay)], environment };
        let workspace = Workspace::new(options, vec![fixture.root().to_owned()], None).unwrap();
        let workspace = Arc::new(workspace.with_servers(servers));
        Self { fixture, workspace, log, _state: state }
    }

    fn draft(&self) -> Draft {
        self.workspace.new_draft(self.fixture.root(), "python").unwrap()
    }

    /// Changes the signature of `greet` in a draft, and waits for a moment only for what comes of it.
    async fn begin(&self, draft: &Draft) {
        edit(&self.workspace, draft, "a.py", "def greet()", "def greet(a=1)").await;
        let evaluation = evaluate(&self.workspace, draft, Duration::from_millis(1500)).await;
        assert!(evaluation.is_unfinished, "{evaluation:?}");
    }

    fn told(&self) -> Vec<String> {
        std::fs::read_to_string(&self.log).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    fn count(&self, what: &str) -> usize {
        self.told().iter().filter(|line| line.contains(what)).count()
    }

    /// How many files it was asked about after it first heard of this.
    fn compared_after(&self, what: &str) -> usize {
        let told = self.told();
        let heard = told.iter().position(|line| line.contains(what)).unwrap();
        told[heard..].iter().filter(|line| line.contains(DIAGNOSTIC)).count()
    }

    /// How long a question waits that has nothing to do with any draft.
    async fn ask(&self) -> Duration {
        let asked = Instant::now();
        let found = self.workspace.definition(Path::new("a.py"), Position::new(1, 5), &patient()).await;
        found.unwrap();
        asked.elapsed()
    }
}

fn slow(log: &Path, delay: Duration) -> ServerSpec {
    let delays = [(DIAGNOSTIC.to_owned(), u64::try_from(delay.as_millis()).unwrap())].into();
    let script = Script { pull: true, delays, ..Script::editing() }.to_argument();
    fake(&["--script", &script, "--log", log.to_str().unwrap()])
}

async fn edit(workspace: &Workspace, draft: &Draft, file: &str, old: &str, new: &str) {
    let edit = Edit::Text { file: file.into(), old_text: old.into(), new_text: new.into() };
    workspace.edit_draft(draft, edit, &patient()).await.unwrap();
}

async fn evaluate(workspace: &Arc<Workspace>, draft: &Draft, within: Duration) -> Evaluation {
    let patience = Patience { deadline: Some(Instant::now() + within), ..Patience::default() };
    workspace.evaluate_draft(draft, Extent::Reached, &patience).await.unwrap()
}

/// Waits until something is so.
async fn until(is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LONG, waiting).await.unwrap();
}

#[tokio::test]
async fn every_caller_is_told_that_an_evaluation_failed() {
    // Uses in the other project are looked for when the server has found nothing: then the index fails.
    let fixture = Fixture::new(
        "//- /one/project\n//- /one/a.py\ndef greet():\n    pass\n//- /two/project\n//- /two/b.py\nfrom a import greet\ngreet()\n",
    );
    let state = tempfile::tempdir().unwrap();
    let log = state.path().join("log");
    let told = log.clone();
    let store = ScriptedStore::new(move |operation| {
        let is_shown = std::fs::read_to_string(&told).is_ok_and(|told| told.contains("a=1"));
        assert!(operation != "holding" || !is_shown, "the index fails, as this test wants it");
        Ok(())
    });
    let server =
        ServerSpec { root_markers: vec!["project".into()], ..slow(&log, Duration::from_millis(500)) };
    let servers = ServerOptions { specs: vec![server], environment: std::env::vars_os().collect() };
    let roots = vec![fixture.root().to_owned()];
    let workspace = Workspace::new(Options::default(), roots, Some(store.boxed())).unwrap();
    let workspace = Arc::new(workspace.with_servers(servers));
    let failing = (0..3).map(|_| {
        let (workspace, root) = (&workspace, fixture.root());
        async move {
            let draft = workspace.new_draft(root, "python").unwrap();
            edit(workspace, &draft, "one/a.py", "def greet()", "def greet(a=1)").await;
            workspace.evaluate_draft(&draft, Extent::Reached, &patient()).await
        }
    });
    for failed in futures_util::future::join_all(failing).await {
        let failed = failed.map(|evaluation| evaluation.is_safe()).map_err(|error| error.to_string());
        assert_eq!(failed, Err("internal error: the evaluation of a draft panicked".to_owned()));
    }
    workspace.stop_servers().await;
}

#[tokio::test]
async fn an_evaluation_without_a_caller_ends_with_the_servers_and_starts_none() {
    let slow = Slow::new(TWO, LONG);
    let (left, waiting) = (slow.draft(), slow.draft());
    slow.begin(&left).await;
    edit(&slow.workspace, &waiting, "a.py", "def greet()", "def greet(a=1)").await;
    let patient = patient();
    let joined = slow.workspace.evaluate_draft(&waiting, Extent::Reached, &patient);
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        slow.workspace.stop_servers().await;
    };
    let (joined, ()) = tokio::join!(joined, stopping);
    assert!(matches!(joined, Err(WorkspaceError::Cancelled)), "{joined:?}");
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(slow.count("\"initialize\""), 1);
    assert!(slow.workspace.server_statuses().iter().all(|status| status.state == Was::Resting));
}

#[tokio::test]
async fn an_evaluation_ends_with_its_draft() {
    let slow = Slow::new(TWO, LONG);
    for is_destroyed in [false, true] {
        let draft = slow.draft();
        slow.begin(&draft).await;
        match is_destroyed {
            true => assert!(slow.workspace.destroy_draft(draft.id())),
            false => draft.discard().unwrap(),
        }
        assert!(slow.ask().await < SOON, "the server is free again");
    }
    slow.workspace.stop_servers().await;
}

#[tokio::test]
async fn an_evaluation_goes_on_for_another_draft_of_the_same_edit() {
    let slow = Slow::new(TWO, Duration::from_secs(2));
    let passing = slow.workspace.new_passing_draft(slow.fixture.root(), "python").unwrap();
    slow.begin(&passing).await;
    // It goes with its call, and the next call makes another.
    slow.workspace.destroy_draft(passing.id());
    let (one, other) = (slow.draft(), slow.draft());
    for draft in [&one, &other] {
        slow.begin(draft).await;
    }
    one.discard().unwrap();
    let evaluation = evaluate(&slow.workspace, &other, LONG).await;
    assert!(evaluation.is_safe(), "{evaluation:?}");
    assert_eq!(
        slow.count(DIAGNOSTIC),
        3,
        "the edited file before and after, and the one that uses it, each once"
    );
    slow.workspace.stop_servers().await;
}

#[tokio::test]
async fn an_evaluation_does_not_keep_its_workspace() {
    let Slow { workspace, fixture, log, _state } = Slow::new(TWO, LONG);
    let slow = Slow { workspace: Arc::clone(&workspace), fixture, log, _state };
    slow.begin(&slow.draft()).await;
    let weak = Arc::downgrade(&workspace);
    drop((workspace, slow));
    let began = Instant::now();
    until(|| weak.upgrade().is_none()).await;
    assert!(began.elapsed() < SOON, "it was kept for {:?}", began.elapsed());
}

/// A function, and so many files that use it.
fn used_by(users: usize) -> String {
    let mut project = "//- /a.py\ndef greet():\n    pass\n//- /alone.py\nx = 1\n".to_owned();
    for number in 0..users {
        project.push_str(&format!("//- /b{number}.py\nfrom a import greet\ngreet()\n"));
    }
    project
}

#[tokio::test]
async fn others_are_let_in_while_many_files_are_compared() {
    let users = 80;
    let slow = Slow::new(&used_by(users), Duration::from_millis(600));
    let draft = slow.draft();
    edit(&slow.workspace, &draft, "a.py", "def greet()", "def greet(a=1)").await;
    let evaluating = evaluate(&slow.workspace, &draft, LONG);
    let asking = async {
        // Those before are compared in smaller chunks.
        until(|| slow.count(DIAGNOSTIC) > 25).await;
        slow.ask().await
    };
    let (evaluation, _) = tokio::join!(evaluating, asking);
    assert!(evaluation.is_safe(), "{evaluation:?}");
    assert_eq!((evaluation.examined.len(), evaluation.pending), (users + 1, 0));
    let after = slow.compared_after("textDocument/definition");
    assert!(after > 20, "only {after} files were compared after the question was let in");
    slow.workspace.stop_servers().await;
}

#[tokio::test]
async fn other_drafts_and_renames_are_let_in_while_many_files_are_compared() {
    let users = 150;
    let slow = Slow::new(&used_by(users), Duration::from_millis(700));
    let (large, small) = (slow.draft(), slow.draft());
    slow.begin(&large).await;
    edit(&slow.workspace, &small, "alone.py", "x = 1", "x = 1  # noted").await;
    let previewing = evaluate(&slow.workspace, &small, LONG);
    let (preview, renamed) = tokio::join!(previewing, rename(&slow));
    assert!(preview.is_safe(), "{preview:?}");
    renamed.unwrap();
    let evaluation = evaluate(&slow.workspace, &large, LONG).await;
    assert!(evaluation.is_safe(), "{evaluation:?}");
    assert_eq!((evaluation.examined.len(), evaluation.pending), (users + 1, 0));
    for what in ["# noted", "textDocument/rename"] {
        let after = slow.compared_after(what);
        assert!(after > 20, "only {after} files were compared after {what} was let in");
    }
    slow.workspace.stop_servers().await;
}

async fn rename(slow: &Slow) -> Result<(), WorkspaceError> {
    let what = ToRename::Symbol("x".to_owned());
    let rename = Proposal::Rename { file: "alone.py".into(), what, new_name: "y".to_owned() };
    slow.workspace.edit_draft(&slow.draft(), Edit::Proposed(rename), &patient()).await.map(|_| ())
}

#[tokio::test]
async fn long_evaluations_take_turns_and_all_end() {
    let users = 60;
    let slow = Slow::new(&used_by(users), Duration::from_millis(900));
    let evaluations = (1..=3).map(|number| {
        let slow = &slow;
        async move {
            let draft = slow.draft();
            let new = format!("def greet(a={number})");
            edit(&slow.workspace, &draft, "a.py", "def greet()", &new).await;
            evaluate(&slow.workspace, &draft, LONG).await
        }
    });
    for evaluation in futures_util::future::join_all(evaluations).await {
        assert!(evaluation.is_safe(), "{evaluation:?}");
        assert_eq!((evaluation.examined.len(), evaluation.pending), (users + 1, 0));
    }
    slow.workspace.stop_servers().await;
}

#[tokio::test]
async fn an_evaluation_goes_on_as_long_as_somebody_asks_again() {
    let users = 150;
    let options = Options { max_draft_seconds: 3, ..Options::default() };
    let slow = Slow::limited(&used_by(users), Duration::from_millis(700), options);
    let draft = slow.draft();
    slow.begin(&draft).await;
    let began = Instant::now();
    let evaluation = loop {
        let evaluation = evaluate(&slow.workspace, &draft, Duration::from_secs(1)).await;
        if !evaluation.is_unfinished {
            break evaluation;
        }
        assert!(began.elapsed() < LONG, "{evaluation:?}");
    };
    assert!(evaluation.is_safe(), "{evaluation:?}");
    assert_eq!((evaluation.examined.len(), evaluation.pending), (users + 1, 0));
    assert_eq!(slow.count(DIAGNOSTIC), users + 2, "nothing was asked twice");
    slow.workspace.stop_servers().await;
}

#[tokio::test]
async fn what_ran_out_of_time_is_not_handed_out_as_finished() {
    let options = Options { max_draft_seconds: 4, ..Options::default() };
    let slow = Slow::limited(TWO, Duration::from_millis(3500), options);
    let draft = slow.draft();
    edit(&slow.workspace, &draft, "a.py", "def greet()", "def greet(a=1)").await;
    let first = evaluate(&slow.workspace, &draft, Duration::from_millis(500)).await;
    assert!(first.is_unfinished && first.timed_out, "{first:?}");
    // The server is free again when the evaluation has been given up.
    until(|| slow.count(DIAGNOSTIC) == 1).await;
    slow.ask().await;
    let second = evaluate(&slow.workspace, &draft, LONG).await;
    assert!(second.is_safe(), "{second:?}");
    slow.workspace.stop_servers().await;
}

/// An index that is not read before a test wants it.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    fn pass(&self) {
        let is_open = self.0.0.lock().unwrap();
        drop(self.0.1.wait_timeout_while(is_open, LONG, |is_open| !*is_open).unwrap());
    }
}

/// A project whose index is read when the gate is open.
fn indexed(fixture: &Fixture, language: SpokenLanguage, gate: Gate) -> Arc<Workspace> {
    let script = Script { pull: true, ..Script::default() }.to_argument();
    let server = ServerSpec { languages: vec![language], ..fake(&["--script", &script]) };
    let servers = ServerOptions { specs: vec![server], environment: std::env::vars_os().collect() };
    let store = ScriptedStore::new(move |operation| {
        if operation == "replace" {
            gate.pass();
        }
        Ok(())
    });
    let roots = vec![fixture.root().to_owned()];
    let workspace = Workspace::new(Options::default(), roots, Some(store.boxed())).unwrap();
    Arc::new(workspace.with_servers(servers))
}

fn language(id: &str, extension: &str) -> SpokenLanguage {
    SpokenLanguage { id: id.into(), extensions: vec![extension.into()], names: vec![] }
}

#[tokio::test]
async fn the_edited_file_is_checked_while_the_index_is_still_read() {
    let projects = [
        (
            "python",
            "py",
            "//- /a.py\ndef greet():\n    pass\n//- /b.py\nfrom a import *\nother = 1\n",
            "pass\n",
        ),
        (
            "c",
            "c",
            "//- /a.c\nint one(void) { return 1; }\n//- /b.c\nint two(void) { return 2; }\n",
            "1; }\n",
        ),
    ];
    for (id, extension, project, old) in projects {
        let fixture = Fixture::new(project);
        let gate = Gate::default();
        let workspace = indexed(&fixture, language(id, extension), gate.clone());
        let file = format!("a.{extension}");
        let new = |what: &str| match id {
            "c" => format!("{old}int other(void) {{ return {what}; }}\n"),
            _ => format!("{old}def other():\n    return {what}\n"),
        };
        let broken = workspace.new_draft(fixture.root(), id).unwrap();
        edit(&workspace, &broken, &file, old, &new("BUG")).await;
        let evaluation = evaluate(&workspace, &broken, SOON).await;
        assert!(evaluation.is_decided() && !evaluation.is_unfinished, "{id}: {evaluation:?}");

        let fine = workspace.new_draft(fixture.root(), id).unwrap();
        edit(&workspace, &fine, &file, old, &new("3")).await;
        let first = evaluate(&workspace, &fine, Duration::from_secs(3)).await;
        assert!(first.is_unfinished && !first.is_safe(), "{id}: {first:?}");
        assert!(first.examined.iter().all(|file| file.known.is_ok()), "{id}: {first:?}");
        gate.open();
        let second = evaluate(&workspace, &fine, LONG).await;
        assert!(!second.is_unfinished && !second.is_decided(), "{id}: {second:?}");
        if id == "python" {
            assert_eq!((second.is_safe(), second.examined.len()), (true, 2), "{second:?}");
        }
        workspace.stop_servers().await;
    }
}

/// A package whose every compilation is counted.
struct Package {
    fixture: Fixture,
    workspace: Arc<Workspace>,
    checks: PathBuf,
    _state: TempDir,
}

impl Package {
    fn new(files: &str) -> Self {
        let manifest =
            "//- /Cargo.toml\n[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        let fixture = Fixture::new(&format!("{manifest}{files}"));
        let state = tempfile::tempdir().unwrap();
        let checks = state.path().join("checks");
        let cargo = state.path().join("cargo");
        let script = format!(
            "#!/bin/sh\n\"{}\" \"$@\"\nended=$?\nif [ \"$1\" = check ]; then echo check >> '{}'; fi\nexit $ended\n",
            real_cargo().display(),
            checks.display(),
        );
        std::fs::write(&cargo, script).unwrap();
        std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut path = state.path().as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap());
        let others = std::env::vars_os().filter(|(name, _)| name != "PATH" && name != "CARGO");
        let environment = others.chain([("PATH".into(), path)]).collect();
        let language = SpokenLanguage { id: "rust".into(), extensions: vec!["rs".into()], names: vec![] };
        let markers = vec!["Cargo.toml".into()];
        let spec = ServerSpec { languages: vec![language], root_markers: markers, ..fake(&[]) };
        let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap();
        let servers = ServerOptions { specs: vec![spec], environment };
        let workspace = Arc::new(workspace.with_servers(servers));
        Self { fixture, workspace, checks, _state: state }
    }

    fn draft(&self) -> Draft {
        self.workspace.new_draft(self.fixture.root(), "rust").unwrap()
    }

    fn checks(&self) -> usize {
        std::fs::read_to_string(&self.checks).unwrap_or_default().lines().count()
    }
}

fn real_cargo() -> PathBuf {
    static CARGO: OnceLock<PathBuf> = OnceLock::new();
    let find = || {
        let path = std::env::var_os("PATH").unwrap();
        std::env::split_paths(&path).map(|directory| directory.join("cargo")).find(|file| file.is_file())
    };
    CARGO.get_or_init(|| find().unwrap()).clone()
}

#[tokio::test]
async fn what_was_compiled_is_picked_up_unless_a_file_has_changed() {
    let package =
        Package::new("//- /src/lib.rs\nmod other;\npub fn one() -> u8 {\n    1\n}\n//- /src/other.rs\n");
    let workspace = &package.workspace;
    let draft = package.draft();
    edit(workspace, &draft, "src/lib.rs", "    1\n", "    2\n").await;
    let first = evaluate(workspace, &draft, Duration::from_millis(10)).await;
    assert!(first.is_unfinished, "{first:?}");
    until(|| package.checks() == 2).await;
    // What the compiler said is still to be read.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let second = evaluate(workspace, &draft, LONG).await;
    assert!(second.is_safe(), "{second:?}");
    assert_eq!(package.checks(), 2, "it was not compiled anew");

    let other = package.draft();
    edit(workspace, &other, "src/lib.rs", "    1\n", "    3\n").await;
    assert!(evaluate(workspace, &other, Duration::from_millis(10)).await.is_unfinished);
    until(|| package.checks() == 3).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    package.fixture.write_bytes("src/other.rs", b"fn broken() -> u8 { crate::one }\n");
    let again = evaluate(workspace, &other, LONG).await;
    assert!(!again.is_safe(), "{again:?}");
    assert!(package.checks() > 3, "what was compiled before the change was handed out");
}

#[tokio::test]
async fn an_edit_of_code_that_is_not_compiled_here_is_not_called_safe() {
    let package = Package::new(
        "//- /src/lib.rs\npub fn one() -> u8 {\n    1\n}\n\n#[cfg(feature = \"none\")]\npub fn two() -> u8 {\n    2\n}\n",
    );
    for (old, new, is_safe) in [("    1\n", "    3\n", true), ("    2\n", "    \"four\"\n", false)] {
        let draft = package.draft();
        edit(&package.workspace, &draft, "src/lib.rs", old, new).await;
        let evaluation = evaluate(&package.workspace, &draft, LONG).await;
        assert_eq!(evaluation.is_safe(), is_safe, "{evaluation:?}");
        assert!(!evaluation.is_decided());
        let said: Vec<&str> = evaluation.doubts.iter().map(String::as_str).collect();
        let doubts = [
            "line 7 of `lib.rs` stands under `#[cfg(feature = \"none\")]`, and whether it is compiled here is not known",
        ];
        assert_eq!(said, if is_safe { &[][..] } else { &doubts[..] });
    }
}

#[tokio::test]
async fn an_edit_between_directives_is_not_called_safe() {
    let fixture = Fixture::new("//- /a.c\nstatic int one = 1;\n#ifdef OTHER\nstatic int two = 2;\n#endif\n");
    let language = SpokenLanguage { id: "c".into(), extensions: vec!["c".into()], names: vec![] };
    let script = Script { pull: true, ..Script::default() }.to_argument();
    let server = ServerSpec { languages: vec![language], ..fake(&["--script", &script]) };
    let workspace = Arc::new(with(&fixture, vec![server]));
    for (old, new, is_safe) in [("one = 1", "one = 3", true), ("two = 2", "two = \"four\"", false)] {
        let draft = workspace.new_draft(fixture.root(), "c").unwrap();
        edit(&workspace, &draft, "a.c", old, new).await;
        let evaluation = evaluate(&workspace, &draft, LONG).await;
        assert_eq!(evaluation.is_safe(), is_safe, "{evaluation:?}");
        assert_eq!(evaluation.doubts.is_empty(), is_safe, "{evaluation:?}");
    }
    workspace.stop_servers().await;
}
