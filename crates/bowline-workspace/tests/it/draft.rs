//! Drafts, with a scripted server: what it is shown, for how long, and what is said of it. That verdicts are those of
//! compilers is shown with real servers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_code::{Position, Span};
use bowline_testkit::{Fixture, Push, Script};
use bowline_workspace::{
    Confidence, Draft, DraftState, Edit, Evaluation, Extent, Patience, Workspace, WorkspaceError, Writer,
};
use tempfile::TempDir;

use super::patient;
use super::served::{fake, with};

const TWO: &str = "//- /a.py\ndef greet():\n    pass\n//- /b.py\nfrom a import greet\ngreet()\n";

/// A project, a workspace that may write, and where its journal is.
struct House {
    fixture: Fixture,
    workspace: Arc<Workspace>,
    log: PathBuf,
    _state: TempDir,
}

impl House {
    fn new(text: &str, script: &Script) -> Self {
        let fixture = Fixture::new(text);
        let state = tempfile::tempdir().unwrap();
        let log = state.path().join("log");
        let script = script.to_argument();
        let server = fake(&["--script", &script, "--log", log.to_str().unwrap()]);
        let writer =
            Writer::new(vec![fixture.root().to_owned()], state.path().canonicalize().unwrap().join("writes"));
        let workspace = Arc::new(with(&fixture, vec![server]).with_writer(writer));
        Self { fixture, workspace, log, _state: state }
    }

    fn pulling(text: &str) -> Self {
        Self::new(text, &Script { pull: true, ..Script::default() })
    }

    fn draft(&self) -> Draft {
        self.workspace.new_draft(self.fixture.root(), "python").unwrap()
    }

    async fn edit(
        &self,
        draft: &Draft,
        file: &str,
        old: &str,
        new: &str,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let edit = Edit::Text { file: file.into(), old_text: old.into(), new_text: new.into() };
        self.workspace.edit_draft(draft, edit, &patient()).await
    }

    async fn evaluate(&self, draft: &Draft) -> Evaluation {
        self.workspace.evaluate_draft(draft, Extent::Reached, &patient()).await.unwrap()
    }

    /// What the server says of the files as they are.
    async fn problems(&self, file: &str) -> Vec<String> {
        let found = self.workspace.diagnostics(&[file.into()], &patient()).await.unwrap();
        let (found, _) = found.files.into_iter().next().unwrap().known.unwrap();
        found.into_iter().map(|found| found.message).collect()
    }

    fn told(&self, error: &WorkspaceError) -> String {
        self.fixture.relative(&error.to_string())
    }
}

fn introduced(evaluation: &Evaluation) -> Vec<String> {
    let problem = |problem: &bowline_workspace::Problem| {
        let file = problem.path.file_name().unwrap().to_string_lossy().into_owned();
        format!("{file}:{}: {}", problem.diagnostic.span.start.line, problem.diagnostic.message)
    };
    evaluation.introduced.iter().map(problem).collect()
}

#[tokio::test]
async fn an_edit_is_tried_and_nothing_of_it_stays() {
    for script in [Script { pull: true, ..Script::default() }, Script::default()] {
        let house = House::new(TWO, &script);
        let draft = house.draft();
        house.edit(&draft, "a.py", "pass", "BUG").await.unwrap();
        let evaluation = house.evaluate(&draft).await;
        assert_eq!(introduced(&evaluation), ["a.py:2: found a BUG"]);
        assert_eq!((evaluation.confidence(), evaluation.is_safe()), (Confidence::High, false));
        assert_eq!(house.problems("a.py").await, [""; 0], "the server is back where it was");
        // Better now: the draft is what it is, whatever was tried before.
        house.edit(&draft, "a.py", "BUG", "return 1").await.unwrap();
        let evaluation = house.evaluate(&draft).await;
        assert!(evaluation.is_safe(), "{evaluation:?}");
        house.workspace.stop_servers().await;
    }
}

#[tokio::test]
async fn quiet_is_no_proof() {
    let house = House::new(TWO, &Script { push: Push::Unversioned, ..Script::default() });
    let draft = house.draft();
    house.edit(&draft, "a.py", "pass", "return 1").await.unwrap();
    let evaluation = house.evaluate(&draft).await;
    assert_eq!((evaluation.confidence(), evaluation.is_safe()), (Confidence::Eventual, false));
    assert!(evaluation.unproved().count() > 0);
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn nothing_heard_is_not_safe() {
    let house = House::new(TWO, &Script { push: Push::Never, ..Script::default() });
    let draft = house.draft();
    house.edit(&draft, "a.py", "pass", "BUG").await.unwrap();
    let patience =
        Patience { deadline: Some(Instant::now() + Duration::from_secs(2)), ..Patience::default() };
    let evaluation = house.workspace.evaluate_draft(&draft, Extent::Reached, &patience).await.unwrap();
    assert_eq!((evaluation.confidence(), evaluation.timed_out), (Confidence::Low, true));
    assert!(!evaluation.is_safe());
    assert_eq!(draft.state(), DraftState::Evaluated);
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn what_ran_out_of_time_goes_on_and_is_not_begun_anew() {
    let script = Script {
        pull: true,
        delays: [("textDocument/diagnostic".to_owned(), 700)].into(),
        ..Script::default()
    };
    let house = House::new(TWO, &script);
    let draft = house.draft();
    house.edit(&draft, "a.py", "pass", "return 1").await.unwrap();
    // The server is there, and what it says of the file on disk is not asked for in vain.
    house.problems("a.py").await;
    let soon =
        Patience { deadline: Some(Instant::now() + Duration::from_millis(300)), ..Patience::default() };
    let first = house.workspace.evaluate_draft(&draft, Extent::Reached, &soon).await.unwrap();
    assert!(first.is_unfinished && first.timed_out && !first.is_safe(), "{first:?}");
    assert!(first.pending > 0, "{first:?}");
    assert_eq!(draft.state(), DraftState::Evaluated);

    let reported = std::sync::Mutex::new(Vec::new());
    let report = |done: u64, total: Option<u64>, _: &str| reported.lock().unwrap().push((done, total));
    let patient = Patience { progress: Some(&report), ..patient() };
    let second = house.workspace.evaluate_draft(&draft, Extent::Reached, &patient).await.unwrap();
    assert!(second.is_safe() && !second.is_unfinished, "{second:?}");
    let last = reported.lock().unwrap().last().copied();
    assert_eq!(last.map(|(done, total)| Some(done) == total), Some(true), "all files are done");
    let asked = std::fs::read_to_string(&house.log).unwrap();
    let laid = asked.lines().filter(|line| line.contains("didChange") && line.contains("return 1")).count();
    assert_eq!(laid, 1, "the draft was shown once");
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn a_second_draft_pays_only_for_what_it_changes() {
    let house = House::pulling(TWO);
    let asked = || {
        // There is none before the server is started.
        let log = std::fs::read_to_string(&house.log).unwrap_or_default();
        log.lines().filter(|line| line.contains("textDocument/diagnostic")).count()
    };
    let mut costs = Vec::new();
    for new in ["return 1", "return 2"] {
        let draft = house.draft();
        house.edit(&draft, "a.py", "pass", new).await.unwrap();
        let before = asked();
        assert!(house.evaluate(&draft).await.is_safe());
        costs.push(asked() - before);
    }
    assert!(costs[1] < costs[0], "{costs:?}");
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn a_comment_is_checked_in_its_own_file_alone() {
    let house = House::pulling(TWO);
    let draft = house.draft();
    house.edit(&draft, "a.py", "def greet", "# hello\ndef greet").await.unwrap();
    let evaluation = house.evaluate(&draft).await;
    assert!(evaluation.is_safe());
    assert_eq!(evaluation.examined.len(), 1, "{evaluation:?}");
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn an_error_in_the_edited_file_ends_it_unless_all_are_wanted() {
    let house =
        House::pulling("//- /a.py\ndef greet():\n    pass\n//- /b.py\nfrom a import greet\ngreet()\nBUG\n");
    for (extent, files) in [(Extent::Reached, 1), (Extent::Everything, 2)] {
        let draft = house.draft();
        house.edit(&draft, "a.py", "def greet():", "def greet(a):  # BUG\n    BUG").await.unwrap();
        let evaluation = house.workspace.evaluate_draft(&draft, extent, &patient()).await.unwrap();
        assert!(evaluation.is_decided() && !evaluation.is_safe());
        assert_eq!(evaluation.examined.len(), files, "{evaluation:?}");
    }
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn sixteen_drafts_of_one_file_see_nothing_of_each_other() {
    let house = House::pulling(TWO);
    let evaluating = (0..16).map(|number| {
        let house = &house;
        async move {
            let draft = house.draft();
            let new = if number % 2 == 0 { "BUG".to_owned() } else { format!("return {number}") };
            house.edit(&draft, "a.py", "pass", &new).await.unwrap();
            (number, house.evaluate(&draft).await)
        }
    });
    for (number, evaluation) in futures_util::future::join_all(evaluating).await {
        assert_eq!(evaluation.confidence(), Confidence::High);
        assert_eq!(evaluation.is_safe(), number % 2 == 1, "draft {number}: {evaluation:?}");
    }
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn whoever_asks_meanwhile_is_not_answered_from_a_draft() {
    // Evaluations take their time, so that questions fall into them.
    let delays = [("textDocument/diagnostic".to_owned(), 100)].into();
    let house = House::new(TWO, &Script { pull: true, delays, ..Script::default() });
    let draft = house.draft();
    house.edit(&draft, "a.py", "def greet", "def ghost").await.unwrap();
    let asking = async {
        for _ in 0..10 {
            let found = house.workspace.find_symbols("ghost", 10, 0, &patient()).await.unwrap();
            assert!(found.value.hits.is_empty(), "{:?}", found.value.hits);
            let at = Position::new(1, 5);
            let found =
                house.workspace.references(&PathBuf::from("a.py"), at, true, &patient()).await.unwrap();
            assert_eq!(found.value.total, 3);
        }
    };
    let evaluating = async {
        for _ in 0..3 {
            house.evaluate(&draft).await;
        }
    };
    tokio::join!(asking, evaluating);
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn cancelled_at_any_moment_the_server_is_put_back() {
    // An evaluation takes as many moments as the server needs for its answers.
    let house = House::new(TWO, &Script { pull: true, answer_delay_ms: 4, ..Script::default() });
    let draft = house.draft();
    house.edit(&draft, "a.py", "pass", "BUG").await.unwrap();
    house.evaluate(&draft).await;
    let mut dropped = 0;
    for polls in 0.. {
        // It goes on for so many turns of the runtime, and then its caller leaves: at every await on the way once.
        let patient = patient();
        let mut evaluating = Box::pin(house.workspace.evaluate_draft(&draft, Extent::Reached, &patient));
        let mut ended = false;
        for _ in 0..polls {
            ended =
                std::future::poll_fn(|cx| std::task::Poll::Ready(evaluating.as_mut().poll(cx).is_ready()))
                    .await;
            if ended {
                break;
            }
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        drop(evaluating);
        if ended {
            break;
        }
        dropped += 1;
        assert_eq!(draft.state(), if polls == 0 { DraftState::Evaluated } else { DraftState::Mutated });
        assert_eq!(house.problems("a.py").await, [""; 0], "after {polls} polls");
        house.evaluate(&draft).await;
    }
    assert!(dropped > 5, "only {dropped} moments were tried");
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn a_server_that_dies_of_a_draft_is_asked_again_and_has_forgotten_it() {
    let mut died_of_a_draft = 0;
    for answers in 1..7 {
        let fault = format!("die-after:{answers}").parse().unwrap();
        let house = House::new(TWO, &Script { pull: true, faults: vec![fault], ..Script::default() });
        let draft = house.draft();
        house.edit(&draft, "a.py", "pass", "BUG").await.unwrap();
        // It does not end with the first error.
        let evaluated = house.workspace.evaluate_draft(&draft, Extent::Everything, &patient()).await;
        // Whatever came of it, nobody was told that it is safe.
        assert!(!evaluated.is_ok_and(|evaluation| evaluation.is_safe()));
        let told = std::fs::read_to_string(&house.log).unwrap();
        let seen = |method: &str| told.lines().any(|line| line.contains(method) && line.contains("BUG"));
        died_of_a_draft +=
            usize::from(seen("didChange") && house.workspace.server_statuses()[0].restarts > 0);
        assert!(!seen("didOpen"), "a life began with a draft, after {answers} answers");
        house.workspace.stop_servers().await;
    }
    assert!(died_of_a_draft > 0, "none died of the draft itself");
}

#[tokio::test]
async fn a_draft_is_written_whole_and_taken_back() {
    let house = House::pulling("//- /a.py\ndef greet():\n    pass\n//- /b.py\nx = 1\n");
    let draft = house.draft();
    house.edit(&draft, "a.py", "pass", "return 1").await.unwrap();
    house.edit(&draft, "b.py", "x = 1", "x = 2").await.unwrap();
    let shown = house.workspace.preview_commit(&draft).unwrap();
    assert_eq!(
        shown.iter().map(|patch| patch.path.clone()).collect::<Vec<_>>(),
        [house.fixture.path("a.py"), house.fixture.path("b.py")]
    );
    assert_eq!(draft.state(), DraftState::Mutated, "looking ends nothing");
    let refused = house.workspace.commit_draft(&draft, None, "test", Box::new(|_| false), &patient()).await;
    assert!(house.told(&refused.unwrap_err()).ends_with("was not cleared for writing"));

    let committed =
        house.workspace.commit_draft(&draft, None, "test", Box::new(|_| true), &patient()).await.unwrap();
    assert_eq!(draft.state(), DraftState::Committed);
    assert_eq!(std::fs::read_to_string(house.fixture.path("b.py")).unwrap(), "x = 2\n");
    house.workspace.undo(&committed.receipt.id, Box::new(|_| true)).await.unwrap();
    assert_eq!(std::fs::read_to_string(house.fixture.path("b.py")).unwrap(), "x = 1\n");
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn a_draft_of_files_that_changed_since_is_refused_with_the_difference() {
    let house = House::pulling(TWO);
    let draft = house.draft();
    house.edit(&draft, "a.py", "pass", "return 1").await.unwrap();
    std::fs::write(house.fixture.path("a.py"), "def greet():\n    return 2\n").unwrap();
    let refused = house.workspace.commit_draft(&draft, None, "test", Box::new(|_| true), &patient()).await;
    let Err(WorkspaceError::Draft(error)) = refused else { panic!("{refused:?}") };
    let bowline_workspace::DraftError::Changed { diff, .. } = *error else { panic!("{error}") };
    assert!(diff.contains("-    pass\n+    return 2\n"), "{diff}");
    assert_eq!(draft.state(), DraftState::Dirty);
    assert_eq!(std::fs::read_to_string(house.fixture.path("a.py")).unwrap(), "def greet():\n    return 2\n");
    let again = house.workspace.evaluate_draft(&draft, Extent::Reached, &patient()).await.unwrap_err();
    assert!(house.told(&again).contains("cannot be evaluated in state dirty"));
    house.workspace.stop_servers().await;
}

#[tokio::test]
async fn line_ends_and_marks_stay_as_they_are() {
    let house = House::pulling("//- /a.py\nx\n");
    let path = house.fixture.path("a.py");
    std::fs::write(&path, "\u{feff}a = 1\r\nb = 2\r\nc = 'é'").unwrap();
    let draft = house.draft();
    house.edit(&draft, "a.py", "b = 2\n", "b = 3\nd = 4\n").await.unwrap();
    let span = Span::new(Position::new(4, 6), Position::new(4, 7));
    let edit = Edit::Range { file: path.clone(), span, new_text: "😀".into() };
    house.workspace.edit_draft(&draft, edit, &patient()).await.unwrap();
    house.workspace.commit_draft(&draft, None, "test", Box::new(|_| true), &patient()).await.unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "\u{feff}a = 1\r\nb = 3\r\nd = 4\r\nc = '😀'");
}

#[tokio::test]
async fn what_cannot_be_drafted_is_said() {
    let house = House::pulling(TWO);
    let draft = house.draft();
    for (file, old, expected) in [
        ("a.py", "nowhere", "old_text not found in `/a.py`"),
        ("a.py", "e", "old_text stands 3 times in `/a.py` (lines 1, 1, 1); give more of the text around it"),
        ("none.py", "x", "no such file: `/none.py`"),
        ("../out.py", "x", "`../out.py` is outside the workspace; name a file under ``"),
    ] {
        let error = house.edit(&draft, file, old, "y").await.unwrap_err();
        assert_eq!(house.told(&error), expected);
    }
    assert_eq!(draft.state(), DraftState::Created, "an edit that fails is none");
    let span = Span::new(Position::new(1, 1), Position::new(99, 1));
    let edit = Edit::Range { file: "a.py".into(), span, new_text: String::new() };
    let error = house.workspace.edit_draft(&draft, edit, &patient()).await.unwrap_err();
    assert_eq!(house.told(&error), "line 99 column 1 is not in `/a.py`: the last line is 3");
}
