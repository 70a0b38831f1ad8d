//! When a server has seen everything, and what it wants to hear of.

use std::time::Duration;

use bowline_lsp::{FileEvent, Readiness};
use bowline_testkit::{Fixture, Progress, Script};
use serde_json::json;

use super::{ask, life, show, timed};

#[tokio::test]
async fn it_is_busy_until_its_work_has_drained() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let progress = vec![Progress { token: json!("load"), title: "Loading".into(), steps: 2, step_ms: 50 }];
    let (fake, life) = life(Script { progress, ..Script::default() }, &fixture).await;
    fake.wait_for_method("window/workDoneProgress/create").await;
    let shown = show(&life, &fixture, "a.fk");
    let mut seen = Vec::new();
    super::eventually("ready", || {
        let now = life.readiness();
        if seen.last() != Some(&now) {
            seen.push(now);
        }
        seen.last() == Some(&Readiness::Ready)
    })
    .await;
    let seen: Vec<String> = seen
        .into_iter()
        .map(|readiness| match readiness {
            Readiness::Ready => "ready".to_owned(),
            Readiness::Busy(what) | Readiness::Stuck(what) => what,
        })
        .collect();
    assert!(seen.contains(&"Loading 50% (1/2)".to_owned()), "{seen:?}");
    assert_eq!(seen.last().unwrap(), "ready");
    assert!(life.tasks().is_empty());
    let (_, time) = timed(life.ready(Some(&shown))).await;
    assert!(time < Duration::from_millis(100), "{time:?}");
}

/// It answers from what it has, and would be waited for in vain.
#[tokio::test]
async fn one_that_cannot_load_the_project_is_not_waited_for_and_not_ready() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let title = "Error loading workspace".to_owned();
    let progress = vec![Progress { token: json!(1), title, steps: 1, step_ms: 600_000 }];
    let (fake, life) = life(Script { progress, name: "gopls".into(), ..Script::default() }, &fixture).await;
    fake.wait_for_method("window/workDoneProgress/create").await;
    let shown = show(&life, &fixture, "a.fk");
    super::eventually("stuck", || matches!(life.readiness(), Readiness::Stuck(_))).await;
    let ((), time) = timed(life.ready(Some(&shown))).await;
    assert!(time < Duration::from_secs(1), "{time:?}");
    assert_eq!(life.readiness(), Readiness::Stuck("Error loading workspace 0%".into()));
}

#[tokio::test]
async fn without_progress_a_first_answer_is_the_proof() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let script = Script { push: bowline_testkit::Push::Never, ..Script::default() };
    let (fake, life) = life(script, &fixture).await;
    assert_eq!(life.readiness(), Readiness::Busy("starting".into()));
    let shown = show(&life, &fixture, "a.fk");
    let ((), time) = timed(life.ready(Some(&shown))).await;
    assert_eq!(life.readiness(), Readiness::Ready);
    assert!(time < Duration::from_secs(2), "{time:?}");
    let hovers = fake.received().into_iter().filter(|one| one.method == "textDocument/hover").count();
    assert_eq!(hovers, 1, "one canary");
}

#[tokio::test]
async fn a_server_that_refuses_the_first_question_works_all_the_same() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let mut script = Script { push: bowline_testkit::Push::Never, ..Script::default() };
    script.capabilities = json!({"textDocumentSync": 2, "referencesProvider": true});
    let (_fake, life) = life(script, &fixture).await;
    let shown = show(&life, &fixture, "a.fk");
    let ((), time) = timed(life.ready(Some(&shown))).await;
    assert_eq!(life.readiness(), Readiness::Ready);
    assert!(time < Duration::from_secs(2), "{time:?}");
}

#[tokio::test]
async fn a_server_that_dies_is_not_waited_for() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let progress = vec![Progress { token: json!(1), title: "Loading".into(), steps: 1, step_ms: 600_000 }];
    let (fake, life) = life(Script { progress, ..Script::default() }, &fixture).await;
    fake.wait_for_method("window/workDoneProgress/create").await;
    let ((), time) = timed(async {
        tokio::join!(life.ready(None), async { fake.exit(1) }).0;
    })
    .await;
    assert!(time < Duration::from_secs(1), "{time:?}");
    assert!(life.is_over());
}

/// The names of the files that a server was told of.
async fn told(script: Script, events: &[(&str, FileEvent)]) -> Vec<String> {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let watching = !script.register_watchers.is_empty();
    let (fake, life) = life(script, &fixture).await;
    if watching {
        fake.wait_for_method("client/registerCapability").await;
    }
    let events: Vec<_> = events.iter().map(|(name, event)| (fixture.path(name), *event)).collect();
    life.files_changed(&events);
    let shown = show(&life, &fixture, "a.fk");
    ask(async |asker| life.symbols(&shown, asker).await).await.unwrap();
    let changes = fake.received().into_iter().filter(|one| one.method == "workspace/didChangeWatchedFiles");
    let changes: Vec<_> = changes.flat_map(|one| one.params["changes"].as_array().unwrap().clone()).collect();
    let name = |uri: &str| uri.rsplit('/').next().unwrap().to_owned();
    changes.iter().map(|one| format!("{} {}", one["type"], name(one["uri"].as_str().unwrap()))).collect()
}

#[tokio::test]
async fn it_hears_of_the_files_that_it_asked_for() {
    use FileEvent::{Changed, Created, Deleted};
    let events = [("a.fk", Changed), ("b.txt", Created), ("c.json", Deleted), ("d.rs", Changed)];
    let watching =
        Script { register_watchers: vec!["**/*.json".into(), "**/b.*".into()], ..Script::default() };
    assert_eq!(told(watching, &events).await, ["1 b.txt", "3 c.json"]);
    assert_eq!(told(Script::default(), &events).await, ["2 a.fk"], "its own, if it asked for nothing");
    assert_eq!(told(Script::default(), &events[1..]).await, [""; 0]);
}

#[tokio::test]
async fn diagnostics_can_be_asked_for_as_soon_as_that_is_offered() {
    let fixture = Fixture::new("//- /a.fk\na BUG\n");
    let script = Script { register_pull: true, push: bowline_testkit::Push::Never, ..Script::default() };
    // The registration may come before or after the question.
    let (_fake, life) = life(script, &fixture).await;
    let shown = show(&life, &fixture, "a.fk");
    let found = timed(ask(async |asker| life.diagnose(&shown, asker).await)).await.0.unwrap();
    assert_eq!((found.diagnostics.len(), found.evidence), (1, bowline_lsp::Evidence::Pulled));
}
