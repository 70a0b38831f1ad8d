//! Starts that meet each other: many who need a server, and who starts it again meanwhile.

use std::time::Duration;

use bowline_lsp::Was;
use bowline_testkit::{Fault, Script};
use futures_util::future::join_all;

use super::program::{Fake, gone, kill, quick};
use super::{hover, timed};

fn slow_to_start() -> Script {
    Script { initialize_delay_ms: 200, ..Script::faulty(Fault::SlowInitialize) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_who_need_it_start_one() {
    let fake = Fake::new(&slow_to_start());
    let needing = (0..20).map(|_| {
        let server = fake.server.clone();
        tokio::spawn(async move { server.life().await.unwrap().pid() })
    });
    let needing: Vec<_> = needing.collect();
    let pids = join_all(needing).await;
    assert!(pids.into_iter().all(|pid| pid.unwrap() == Some(fake.pid())));
    assert_eq!(fake.count("initialize"), 1);
}

#[tokio::test]
async fn changes_of_the_state_are_heard() {
    let fake = Fake::new(&Script::default());
    let mut changes = fake.server.subscribe();
    let mut states = vec![fake.server.status().state];
    let hearing = async {
        while changes.changed().await.is_ok() {
            states.push(fake.server.status().state);
            if states.last() == Some(&Was::Indexing) {
                break;
            }
        }
    };
    let (life, ()) = timed(async { tokio::join!(fake.server.life(), hearing) }).await.0;
    life.unwrap();
    assert_eq!(states, [Was::Resting, Was::Starting, Was::Indexing]);
}

#[tokio::test]
async fn started_again_while_it_starts() {
    let fake = Fake::new(&slow_to_start());
    let waiting = tokio::spawn({
        let server = fake.server.clone();
        async move { server.life().await }
    });
    fake.received("initialize", 1).await;
    let first = fake.pid();
    let (life, _) = timed(fake.server.restart()).await;
    let life = life.unwrap();
    gone(first).await;
    assert_eq!(life.pid(), Some(fake.pid()));
    let waited = waiting.await.unwrap().unwrap();
    assert_eq!(waited.pid(), life.pid(), "who waited for the first gets the second");
    assert_eq!(fake.count("initialize"), 2);
}

#[tokio::test]
async fn started_again_it_has_its_documents() {
    let fake = Fake::new(&Script::default());
    let (life, shown) = fake.life().await;
    hover(&life, &shown, 5).await;
    let (first, second) = (fake.pid(), fake.server.restart().await.unwrap());
    assert_ne!(second.pid(), Some(first));
    let again = second.shown(&shown.path).expect("open already");
    assert_eq!(again.text, shown.text);
    assert_eq!(hover(&second, &again, 5).await, "`greet` defined at a.fk:1");
    assert_eq!(fake.count("textDocument/didOpen"), 2);
    assert_eq!(fake.complaints(), [""; 0]);
}

#[tokio::test]
async fn started_again_between_two_lives_it_has_its_documents() {
    let fake = Fake::with(&Script::default(), |spec| {
        spec.limits = quick();
        spec.limits.pause = Duration::from_secs(600);
    });
    let (life, shown) = fake.life().await;
    hover(&life, &shown, 5).await;
    kill(fake.pid()).await;
    fake.is(Was::Restarting).await;
    let (next, time) = timed(fake.server.restart()).await;
    assert!(time < Duration::from_secs(3), "{time:?}");
    assert!(next.unwrap().shown(&shown.path).is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn starts_stops_and_restarts_at_once_leave_one_process_at_most() {
    let fake = Fake::new(&Script::default());
    let doing = (0..12_usize).map(|number| {
        let server = fake.server.clone();
        tokio::spawn(async move {
            for round in 0..4 {
                match (number + round) % 3 {
                    0 => drop(server.life().await),
                    1 => server.stop().await,
                    _ => drop(server.restart().await),
                }
            }
        })
    });
    let doing: Vec<_> = doing.collect();
    timed(join_all(doing)).await;
    let life = fake.server.life().await.unwrap();
    assert_eq!(life.pid(), Some(fake.pid()));
    let ((), time) = timed(fake.server.stop()).await;
    assert!(time < Duration::from_secs(1), "{time:?}");
    assert_eq!(fake.server.status().state, Was::Resting);
    let last = fake.lives();
    assert!(last.last().unwrap().iter().any(|one| one.method == "exit"));
}

#[tokio::test]
async fn folders_set_while_it_starts_are_told() {
    let fake = Fake::new(&slow_to_start());
    let waiting = tokio::spawn({
        let server = fake.server.clone();
        async move { server.life().await.unwrap() }
    });
    fake.received("initialize", 1).await;
    let folders = vec![fake.fixture.root().to_owned(), "/more".into()];
    fake.server.set_folders(folders.clone()).await;
    let life = waiting.await.unwrap();
    fake.received("workspace/didChangeWorkspaceFolders", 1).await;
    assert_eq!(life.folders(), folders);
    // Set once more, they are no news.
    fake.server.set_folders(folders).await;
    let shown = super::show(&life, &fake.fixture, "a.fk");
    hover(&life, &shown, 5).await;
    assert_eq!(fake.count("workspace/didChangeWorkspaceFolders"), 1);
}

#[tokio::test]
async fn a_server_that_cannot_change_folders_is_started_with_them() {
    let mut script = slow_to_start();
    script.capabilities["workspace"] = serde_json::Value::Null;
    let fake = Fake::new(&script);
    let waiting = tokio::spawn({
        let server = fake.server.clone();
        async move { server.life().await.unwrap() }
    });
    fake.received("initialize", 1).await;
    let folders = vec![fake.fixture.root().to_owned(), "/more".into()];
    fake.server.set_folders(folders.clone()).await;
    waiting.await.unwrap();
    fake.received("initialize", 2).await;
    let told = |life: usize| fake.lives()[life][0].params["workspaceFolders"].as_array().unwrap().len();
    assert_eq!((told(0), told(1)), (1, 2));

    let (_, shown) = fake.life().await;
    fake.server.set_folders(vec![fake.fixture.root().to_owned()]).await;
    let life = fake.server.life().await.unwrap();
    assert!(life.shown(&shown.path).is_some(), "and has its documents");
    assert_eq!((told(2), fake.count("initialize")), (1, 3));
}
