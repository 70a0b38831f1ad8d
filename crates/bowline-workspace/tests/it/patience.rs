//! Waiting: with a deadline, with cancellation, together, and while being told how far it is.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bowline_testkit::Fixture;
use bowline_workspace::{Options, Patience, Workspace, WorkspaceError};
use insta::assert_snapshot;
use tokio::task::JoinSet;

use super::scripted_store::ScriptedStore;
use super::{find, patient};

/// A workspace whose store stops before each writing until it is told to go on.
struct Stepped {
    fixture: Fixture,
    workspace: Arc<Workspace>,
    reached: Receiver<()>,
    go_on: Sender<()>,
    operations: Arc<Mutex<Vec<&'static str>>>,
}

impl Stepped {
    fn new(text: &str) -> Self {
        let fixture = Fixture::new(text);
        let (reached_sender, reached) = channel();
        let (go_on, wait) = channel();
        let (reached_sender, wait) = (Mutex::new(reached_sender), Mutex::new(wait));
        let operations: Arc<Mutex<Vec<&'static str>>> = Arc::default();
        let seen = Arc::clone(&operations);
        let store = ScriptedStore::new(move |operation| {
            seen.lock().unwrap().push(operation);
            if operation == "replace" {
                let _ = reached_sender.lock().unwrap().send(());
                let _ = wait.lock().unwrap().recv();
            }
            Ok(())
        });
        let roots = vec![fixture.root().to_owned()];
        let workspace = Workspace::new(Options::default(), roots, Some(store.boxed())).unwrap();
        Self { fixture, workspace: Arc::new(workspace), reached, go_on, operations }
    }

    fn refreshes(&self) -> usize {
        self.operations.lock().unwrap().iter().filter(|operation| **operation == "files").count()
    }
}

fn until(deadline: Instant) -> Patience<'static> {
    Patience { deadline: Some(deadline), ..Patience::default() }
}

const TWO: &str = "//- /a.rs\nfn a() {}\n//- /b.rs\nfn b() {}\n";

#[tokio::test]
async fn a_deadline_ends_the_waiting_but_not_the_work() {
    let stepped = Stepped::new(TWO);
    let first = stepped.workspace.find_symbols("", 9, 0, &until(Instant::now())).await;
    assert!(matches!(first, Err(WorkspaceError::NotReady { .. })));
    stepped.reached.recv().unwrap();
    let second = stepped.workspace.find_symbols("", 9, 0, &until(Instant::now())).await.unwrap_err();
    assert_snapshot!(second, @"the workspace is still being read (2 of 2 files); ask again in a moment");
    stepped.go_on.send(()).unwrap();
    assert_snapshot!(find(&stepped.fixture, &stepped.workspace, "").await, @r"
    /a.rs:1 a
    /b.rs:1 b
    ");
}

#[tokio::test]
async fn a_caller_who_leaves_does_not_stop_the_work_for_others() {
    let stepped = Stepped::new(TWO);
    let patience = patient();
    let leaving = stepped.workspace.find_symbols("", 9, 0, &patience);
    let canceller = async {
        stepped.reached.recv().unwrap();
        patience.cancellation.cancel();
    };
    let (left, ()) = tokio::join!(leaving, canceller);
    assert!(matches!(left, Err(WorkspaceError::Cancelled)));
    stepped.go_on.send(()).unwrap();
    assert_eq!(stepped.workspace.find_symbols("", 9, 0, &patient()).await.unwrap().value.total, 2);
}

#[tokio::test]
async fn callers_who_come_together_share_one_refresh() {
    let stepped = Stepped::new(TWO);
    let mut calls = JoinSet::new();
    let call = |calls: &mut JoinSet<usize>| {
        let workspace = Arc::clone(&stepped.workspace);
        calls.spawn(async move { workspace.find_symbols("", 9, 0, &patient()).await.unwrap().value.total });
    };
    call(&mut calls);
    // On this runtime of one thread, everything that was spawned has begun when this returns.
    tokio::task::yield_now().await;
    stepped.reached.recv().unwrap();
    for _ in 0..5 {
        call(&mut calls);
    }
    tokio::task::yield_now().await;
    stepped.go_on.send(()).unwrap();
    assert_eq!(calls.join_all().await, [2; 6]);
    // The first one's, and one for all who came while it ran.
    assert_eq!(stepped.refreshes(), 2);
}

#[tokio::test]
async fn a_change_during_a_refresh_is_seen_by_whoever_asks_after_it() {
    let stepped = Stepped::new(TWO);
    let first = stepped.workspace.find_symbols("", 9, 0, &until(Instant::now())).await;
    assert!(first.is_err());
    stepped.reached.recv().unwrap();
    stepped.fixture.write_bytes("a.rs", b"fn changed() {}\n");
    for _ in 0..2 {
        stepped.go_on.send(()).unwrap();
    }
    assert_snapshot!(find(&stepped.fixture, &stepped.workspace, "").await, @r"
    /b.rs:1 b
    /a.rs:1 changed
    ");
}

#[tokio::test]
async fn tells_how_far_it_is() {
    let stepped = Stepped::new(TWO);
    let heard = Mutex::new(Vec::new());
    let hear = |done, total, _: &str| heard.lock().unwrap().push((done, total));
    let patience = Patience { progress: Some(&hear), ..Patience::default() };
    stepped.go_on.send(()).unwrap();
    stepped.workspace.refresh(&patience).await.unwrap();
    let heard = heard.into_inner().unwrap();
    assert!(heard.is_sorted(), "{heard:?}");
    assert!(heard.iter().all(|(done, total)| total.is_none_or(|total| *done <= total)), "{heard:?}");
}

#[tokio::test]
async fn who_has_left_already_gets_nothing() {
    let stepped = Stepped::new(TWO);
    let patience = patient();
    patience.cancellation.cancel();
    let path = Path::new("a.rs");
    assert!(matches!(stepped.workspace.read(path, &patience).await, Err(WorkspaceError::Cancelled)));
    assert!(matches!(stepped.workspace.outline(path, &patience).await, Err(WorkspaceError::Cancelled)));
}

#[tokio::test]
async fn a_workspace_that_is_closed_stops_its_work() {
    let stepped = Stepped::new(TWO);
    let _ = stepped.workspace.refresh(&until(Instant::now())).await;
    stepped.reached.recv().unwrap();
    let Stepped { workspace, go_on, reached, .. } = stepped;
    drop(workspace);
    drop(go_on);
    // The job lets go of the store, and with it of this channel.
    assert!(reached.recv_timeout(Duration::from_secs(30)).is_err());
}

#[tokio::test]
async fn a_first_look_answers_while_the_index_is_made() {
    let stepped = Stepped::new(TWO);
    let hurried = || until(Instant::now() + Duration::from_secs(20));
    let found = stepped.workspace.go_to_symbol("b", None, &hurried()).await.unwrap();
    assert_eq!((found.value.len(), found.indexed), (1, false));
    assert!(found.note.unwrap().starts_with("answered from a first look through the files"));
    let found = stepped.workspace.find_symbols("B", 9, 0, &hurried()).await.unwrap();
    assert_eq!((found.value.total, found.value.hits[0].symbol.name.as_str()), (1, "b"));
    stepped.reached.recv().unwrap();
    stepped.go_on.send(()).unwrap();
    assert_eq!(find(&stepped.fixture, &stepped.workspace, "B").await, "/b.rs:1 b");
    let found = stepped.workspace.go_to_symbol("b", None, &hurried()).await.unwrap();
    assert_eq!((found.indexed, found.note), (true, None), "the index answers from now on");
}
