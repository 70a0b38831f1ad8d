//! Servers that die: everybody who waits is told why at once, and the next life takes over.

use std::collections::BTreeMap;
use std::time::Duration;

use bowline_code::Position;
use bowline_lsp::{Asker, Goal, Was};
use bowline_testkit::{Fault, Script, file_uri};
use futures_util::future::join_all;

use super::program::{Fake, gone, kill, quick};
use super::{ask, eventually, hover, refusal, timed};

const DIED: &str = "`fake` exited with code 1; it said: fatal: cannot read project";

fn slow(method: &str, delay: u64) -> Script {
    Script { delays: BTreeMap::from([(method.to_owned(), delay)]), ..Script::default() }
}

#[tokio::test]
async fn a_crash_loop_ends_with_a_reason() {
    let fake = Fake::new(&Script::faulty(Fault::DieOnOpen));
    let (life, shown) = fake.life().await;
    let (answer, time) = timed(hover(&life, &shown, 5)).await;
    assert_eq!(answer, DIED);
    assert!(time < Duration::from_secs(1), "{time:?}");

    // Each life opens the document again, and dies of it.
    fake.is(Was::Failed).await;
    let given_up = format!(
        "`fake` failed 5 times in three minutes and is not started again by itself; the last time it {}",
        DIED.strip_prefix("`fake` ").unwrap()
    );
    let (answer, time) = timed(fake.server.life()).await;
    assert_eq!(refusal(answer), given_up);
    assert!(time < Duration::from_secs(1), "{time:?}");
    assert_eq!((fake.count("initialize"), fake.count("textDocument/didOpen")), (5, 5));
    assert_eq!(fake.server.status().restarts, 4);
    gone(fake.pid()).await;

    // Started by hand it has another chance, without what it may have failed over.
    let life = fake.server.restart().await.unwrap();
    assert_eq!((fake.server.status().restarts, life.open_documents().len()), (0, 0));
    let found = ask(async |asker| life.find_symbols("greet", asker).await).await;
    assert_eq!(found.unwrap().len(), 1);
}

#[tokio::test]
async fn the_next_life_has_the_same_documents() {
    let fake = Fake::new(&Script::faulty(Fault::DieOnce));
    let (life, shown) = fake.life().await;
    assert_eq!(hover(&life, &shown, 5).await, DIED);

    let (life, _) = timed(fake.server.life()).await;
    let life = life.unwrap();
    let shown = life.shown(&shown.path).expect("open already");
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    let lives = fake.lives();
    assert_eq!(lives.len(), 2);
    let opened: Vec<_> = lives[1].iter().filter(|one| one.method == "textDocument/didOpen").collect();
    assert_eq!(opened.len(), 1);
    let document = &opened[0].params["textDocument"];
    assert_eq!(document["text"], "def greet and greet\n");
    assert_eq!(document["uri"], file_uri(&shown.path));
    assert_eq!(fake.complaints(), [""; 0]);
}

#[tokio::test]
async fn a_failed_start_does_not_forget_the_documents() {
    let fake = Fake::with(&Script::default(), |spec| {
        spec.limits = quick();
        let bowline_lsp::Reach::Program { program, args } = &mut spec.reach else { return };
        // Its second start fails.
        let server = std::mem::replace(program, "/bin/sh".into());
        let line =
            r#"echo >> "${8%/*}/starts"; [ $(wc -l < "${8%/*}/starts") = 2 ] && exit 3; exec "$0" "$@""#;
        args.splice(0..0, ["-c".to_owned(), line.to_owned(), server]);
    });
    let (life, shown) = fake.life().await;
    hover(&life, &shown, 5).await;
    kill(fake.pid()).await;
    eventually("the end", || life.is_over()).await;
    // Whoever waits for the second start is told that it failed.
    let mut told = Vec::new();
    let next = loop {
        match timed(fake.server.life()).await.0 {
            Ok(next) => break next,
            Err(error) => told.push(error.to_string()),
        }
    };
    assert!(told.len() <= 1, "{told:?}");
    assert!(
        told.iter().all(|told| told == "`fake` exited with code 3 before it answered the handshake"),
        "{told:?}"
    );
    assert_eq!(fake.read("starts").unwrap().lines().count(), 3);
    assert!(next.shown(&shown.path).is_some());
    assert_eq!(hover(&next, &shown, 5).await, "`greet` defined at a.fk:1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_under_many_requests_it_fails_each_of_them_at_once() {
    let fake = Fake::with(&Script { answer_delay_ms: 60_000, ..slow("initialize", 0) }, |spec| {
        spec.limits = quick();
        (spec.limits.request, spec.limits.references) = (Duration::from_secs(600), Duration::from_secs(600));
    });
    let (life, shown) = fake.life().await;
    let questions: Vec<_> = (0..32_u32)
        .map(|number| {
            let (life, shown, at) = (life.clone(), shown.clone(), Position::new(1, 1 + number % 16));
            let asking = async move |asker: Asker<'_>| {
                if number < 16 {
                    life.go_to(Goal::Definition, &shown, at, asker).await
                } else {
                    life.references(&shown, at, true, asker).await
                }
            };
            tokio::spawn(async move { refusal(ask(asking).await) })
        })
        .collect();
    fake.received("textDocument/definition", 16).await;
    fake.received("textDocument/references", 16).await;
    let pid = fake.pid();
    kill(pid).await;
    let (answers, time) = timed(join_all(questions)).await;
    for answer in answers {
        assert_eq!(answer.unwrap(), "`fake` was killed by signal 9 (SIGKILL)");
    }
    assert!(time < Duration::from_secs(1), "{time:?}");

    let (life, shown) = fake.life().await;
    assert_ne!(life.pid(), Some(pid));
    assert_eq!(life.open_documents().len(), 1);
    fake.received("textDocument/didOpen", 2).await;
    drop(shown);
}

#[tokio::test]
async fn who_waits_for_diagnostics_is_told_of_the_end_too() {
    let script = Script { push: bowline_testkit::Push::Never, ..Script::default() };
    let fake = Fake::new(&script);
    let (life, shown) = fake.life().await;
    let diagnosing = ask(async |asker| life.diagnose(&shown, asker).await);
    let killing = async {
        fake.received("textDocument/didOpen", 1).await;
        kill(fake.pid()).await;
    };
    let ((found, ()), time) = timed(async { tokio::join!(diagnosing, killing) }).await;
    assert_eq!(refusal(found), "`fake` was killed by signal 9 (SIGKILL)");
    assert!(time < Duration::from_secs(2), "{time:?}");
}

#[tokio::test]
async fn too_much_memory_is_said_and_mended() {
    let script = Script { faults: vec![Fault::Leak], ..slow("workspace/symbol", 60_000) };
    let fake = Fake::with(&script, |spec| {
        spec.limits = quick();
        spec.limits.request = Duration::from_secs(600);
        spec.limits.memory = Some(60 << 20);
    });
    let (life, shown) = fake.life().await;
    let pid = fake.pid();
    for column in 1..=8 {
        hover(&life, &shown, column).await;
    }
    let waiting = ask(async |asker| life.find_symbols("greet", asker).await);
    let (answer, time) = timed(waiting).await;
    let answer = refusal(answer);
    let used = answer
        .strip_prefix("`fake` used ")
        .and_then(|rest| rest.strip_suffix(" MiB of memory; its limit is 60 MiB"));
    assert!(used.and_then(|used| used.parse::<u64>().ok()).is_some_and(|used| used >= 80), "{answer}");
    assert!(time < Duration::from_secs(4), "{time:?}");
    gone(pid).await;
    let (life, shown) = fake.life().await;
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    assert_eq!(fake.server.status().restarts, 1);
}
