//! How a server ends: politely, firmly, with its handle, with us, and when nobody needs it.

use std::time::Duration;

use bowline_lsp::Was;
use bowline_std::process::{Ending, alive, spawn};
use bowline_testkit::{Fault, Kind, Script};
use tokio::io::{AsyncBufReadExt, BufReader};

use super::program::{Fake, gone, helper, is_helper, kill, quick, run_helper};
use super::{eventually, hover, refusal, timed};

#[tokio::test]
async fn a_polite_server_is_ended_politely() {
    let fake = Fake::new(&Script::default());
    let (life, shown) = fake.life().await;
    hover(&life, &shown, 5).await;
    let (pid, (((), time), ())) = (fake.pid(), (timed(fake.server.stop()).await, ()));
    assert!(time < Duration::from_millis(300), "{time:?}");
    assert!(!alive(pid));
    let said: Vec<String> = fake.lives().concat().into_iter().map(|one| one.method).collect();
    assert_eq!(said[said.len() - 2..], ["shutdown", "exit"]);
    assert_eq!(fake.complaints(), [""; 0]);
    assert_eq!(fake.server.status().state, Was::Resting);
    assert_eq!(hover(&life, &shown, 5).await, "`fake` was stopped");
    // It is started again when it is next needed, and begins anew.
    let life = fake.server.life().await.unwrap();
    assert_eq!(life.open_documents().len(), 0);
}

#[tokio::test]
async fn a_stubborn_server_ends_with_its_grandchild() {
    let fake = Fake::new(&Script::faulty(Fault::Stubborn));
    let (life, shown) = fake.life().await;
    hover(&life, &shown, 5).await;
    let (pid, grandchild) = (fake.pid(), fake.grandchild());
    assert!(alive(pid) && alive(grandchild));
    let ((), time) = timed(fake.server.stop()).await;
    assert!(time >= Duration::from_millis(300) && time < Duration::from_millis(900), "{time:?}");
    assert!(!alive(pid));
    gone(grandchild).await;
}

#[tokio::test]
async fn a_stubborn_server_ends_with_its_handle() {
    let fake = Fake::new(&Script::faulty(Fault::Stubborn));
    // Somebody still holds the life, and a request is under way.
    let (life, shown) = fake.life().await;
    let (pid, grandchild) = (fake.pid(), fake.grandchild());
    let Fake { server, fixture: _open, .. } = fake;
    drop(server);
    gone(pid).await;
    gone(grandchild).await;
    assert_eq!(hover(&life, &shown, 5).await, "`fake` was stopped");
}

#[tokio::test]
async fn a_server_that_is_just_starting_ends_with_its_handle() {
    let fake = Fake::new(&Script::faulty(Fault::Mute));
    let starting = tokio::time::timeout(Duration::ZERO, fake.server.life()).await;
    assert!(starting.is_err());
    fake.received("initialize", 1).await;
    let pid = fake.pid();
    let Fake { server, .. } = fake;
    drop(server);
    gone(pid).await;
}

#[tokio::test]
async fn nothing_is_left_when_we_are_killed() {
    let running = spawn(&helper("ending::helper_stubborn")).await.unwrap();
    let mut lines = BufReader::new(running.stdout).lines();
    let pids: Vec<u32> = loop {
        let line = lines.next_line().await.unwrap().expect("a line of numbers");
        if let Ok(pids) = line.split(' ').map(str::parse).collect() {
            break pids;
        }
    };
    assert!(pids.iter().all(|pid| alive(*pid)));
    running.process.kill();
    assert_eq!(running.process.ended().await, Ending::Signal(9));
    for pid in pids {
        gone(pid).await;
    }
}

#[tokio::test]
#[ignore = "a helper"]
async fn helper_stubborn() {
    if !is_helper() {
        return;
    }
    let fake = Fake::new(&Script::faulty(Fault::Stubborn));
    fake.life().await;
    println!("\n{} {}", fake.pid(), fake.grandchild());
    std::future::pending::<()>().await;
}

fn restful(idle: Duration) -> Fake {
    Fake::with(&Script::default(), |spec| {
        spec.limits = quick();
        spec.limits.idle = Some(idle);
    })
}

#[tokio::test]
async fn a_server_that_nobody_needs_rests_until_somebody_does() {
    let fake = restful(Duration::from_millis(100));
    let (life, shown) = fake.life().await;
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    let pid = fake.pid();
    gone(pid).await;
    fake.is(Was::Resting).await;
    let status = fake.server.status();
    assert_eq!((status.pid, status.restarts, status.detail), (None, 0, None));
    assert!(fake.server.current().is_none());
    assert!(fake.lives()[0].iter().any(|one| one.method == "exit"), "it was ended politely");

    let (life, shown) = fake.life().await;
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    assert_ne!(fake.pid(), pid);
}

#[tokio::test]
async fn a_question_that_takes_long_is_not_rest() {
    let script = Script { delays: [("textDocument/hover".to_owned(), 600)].into(), ..Script::default() };
    let fake = Fake::with(&script, |spec| {
        spec.limits = quick();
        spec.limits.request = Duration::from_secs(20);
        spec.limits.idle = Some(Duration::from_millis(100));
    });
    let (life, shown) = fake.life().await;
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_gets_a_life_that_is_about_to_rest() {
    let fake = restful(Duration::from_millis(25));
    for round in 0..30_u64 {
        let life = fake.server.life().await.unwrap();
        let shown = super::show(&life, &fake.fixture, "a.fk");
        assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1", "round {round}");
        // Around the time at which it would go to rest.
        tokio::time::sleep(Duration::from_millis(20 + round)).await;
    }
    let complaints = fake.lives().concat().into_iter().filter(|one| one.kind == Kind::Complaint).count();
    assert_eq!(complaints, 0);
}

#[tokio::test]
async fn a_stop_does_not_wait_for_the_handshake() {
    let fake = Fake::new(&Script::faulty(Fault::Mute));
    let waiting = tokio::spawn({
        let server = fake.server.clone();
        async move { refusal(server.life().await) }
    });
    fake.received("initialize", 1).await;
    let pid = fake.pid();
    let ((), time) = timed(fake.server.stop()).await;
    assert!(time < Duration::from_secs(1), "{time:?}");
    gone(pid).await;
    assert_eq!(waiting.await.unwrap(), "`fake` was stopped");
    assert_eq!((fake.server.status().state, fake.count("initialize")), (Was::Resting, 1));
}

#[tokio::test]
async fn a_stop_does_not_wait_for_the_next_start() {
    let fake = Fake::with(&Script::faulty(Fault::DieOnOpen), |spec| {
        spec.limits = quick();
        spec.limits.pause = Duration::from_secs(600);
    });
    let (life, shown) = fake.life().await;
    hover(&life, &shown, 5).await;
    fake.is(Was::Restarting).await;
    eventually("a reason", || fake.server.status().detail.is_some()).await;
    assert_eq!(
        fake.server.status().detail.unwrap(),
        "starts again in 5.0 s; it exited with code 1; it said: fatal: cannot read project"
    );
    let waiting = tokio::spawn({
        let server = fake.server.clone();
        async move { refusal(server.life().await) }
    });
    tokio::task::yield_now().await;
    let ((), time) = timed(fake.server.stop()).await;
    assert!(time < Duration::from_secs(1), "{time:?}");
    assert_eq!(waiting.await.unwrap(), "`fake` was stopped");
    assert_eq!((fake.server.status().state, fake.count("initialize")), (Was::Resting, 1));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn many_lives_leave_no_open_file_and_nothing_that_runs() {
    run_helper("ending::helper_many_lives").await;
}

#[tokio::test]
#[ignore = "a helper"]
async fn helper_many_lives() {
    if !is_helper() {
        return;
    }
    let open_files = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let live = async |round: usize| {
        let fake = Fake::new(&Script::default());
        let (life, shown) = fake.life().await;
        assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
        // Somebody asks and leaves.
        drop(tokio::time::timeout(Duration::ZERO, hover(&life, &shown, 1)).await);
        match round % 3 {
            0 => fake.server.stop().await,
            1 => kill(fake.pid()).await,
            // Its handle is dropped.
            _ => {}
        }
        let pid = life.pid().unwrap();
        drop((fake, life));
        gone(pid).await;
    };
    live(0).await;
    eventually("rest", || tasks() == 0).await;
    let before = open_files();
    for round in 0..12 {
        live(round).await;
    }
    eventually("rest", || tasks() == 0 && open_files() == before).await;
}
