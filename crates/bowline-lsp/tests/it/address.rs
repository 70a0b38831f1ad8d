//! Servers that run already and listen on an address.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bowline_lsp::{Reach, Server, Was};
use bowline_testkit::{FakeServer, Fixture, Script};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::program::{environment, quick};
use super::{eventually, hover, refusal, show, spec, timed};

/// Somebody else's server: each connection is a new conversation with it.
struct Elsewhere {
    address: SocketAddr,
    fakes: tokio::sync::mpsc::UnboundedReceiver<(FakeServer, JoinHandle<()>)>,
    listening: JoinHandle<()>,
}

async fn listen() -> Elsewhere {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, fakes) = tokio::sync::mpsc::unbounded_channel();
    let listening = tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let (fake, mut stream) = FakeServer::start(Script::default());
            let bridge = tokio::spawn(async move {
                let _ = tokio::io::copy_bidirectional(&mut socket, &mut stream).await;
            });
            let _ = sender.send((fake, bridge));
        }
    });
    Elsewhere { address, fakes, listening }
}

fn server(fixture: &Fixture, address: &str) -> Arc<Server> {
    let mut spec = spec("/none".as_ref(), &[]);
    spec.reach = Reach::Address(address.to_owned());
    spec.limits = quick();
    Server::new(Arc::new(spec), fixture.root().to_owned(), environment())
}

#[tokio::test]
async fn a_server_elsewhere_answers_and_is_only_left() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let mut elsewhere = listen().await;
    let server = server(&fixture, &elsewhere.address.to_string());
    let life = server.life().await.unwrap();
    let shown = show(&life, &fixture, "a.fk");
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    let status = server.status();
    assert_eq!((status.pid, status.memory, status.open_documents), (None, None, 1));

    let (fake, bridge) = elsewhere.fakes.recv().await.unwrap();
    let ((), time) = timed(server.stop()).await;
    assert!(time < Duration::from_secs(1), "{time:?}");
    // The connection is closed, and nothing was said that would end it.
    timed(bridge).await.0.unwrap();
    let methods: Vec<String> = fake.received().into_iter().map(|one| one.method).collect();
    assert!(
        !methods.contains(&"shutdown".to_owned()) && !methods.contains(&"exit".to_owned()),
        "{methods:?}"
    );

    // Needed again, it is dialled again.
    let life = server.life().await.unwrap();
    let shown = show(&life, &fixture, "a.fk");
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    let _second = elsewhere.fakes.recv().await.unwrap();
}

#[tokio::test]
async fn a_lost_connection_is_told_and_dialled_again() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let mut elsewhere = listen().await;
    let server = server(&fixture, &elsewhere.address.to_string());
    let life = server.life().await.unwrap();
    let shown = show(&life, &fixture, "a.fk");
    let (fake, bridge) = elsewhere.fakes.recv().await.unwrap();
    fake.wait_for_method("textDocument/didOpen").await;
    bridge.abort();
    eventually("the end of the connection", || life.is_over()).await;
    assert_eq!(hover(&life, &shown, 5).await, "`fake` closed the connection");

    let (again, _) = timed(server.life()).await;
    let (fake, bridge) = elsewhere.fakes.recv().await.unwrap();
    assert!(again.unwrap().shown(&shown.path).is_some());
    fake.wait_for_method("textDocument/didOpen").await;

    // Now nobody listens any more.
    elsewhere.listening.abort();
    let _ = elsewhere.listening.await;
    bridge.abort();
    eventually("failure", || server.status().state == Was::Failed).await;
    let why = refusal(server.life().await);
    let address = elsewhere.address;
    let start = format!("`fake` cannot be started: cannot connect to `{address}`: Connection refused");
    assert!(why.starts_with(&start), "{why}");
}

#[tokio::test]
async fn an_address_where_nobody_is_is_one_sentence() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let address = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap().to_string()
    };
    let (why, time) = timed(async { refusal(server(&fixture, &address).life().await) }).await;
    let start = format!("`fake` cannot be started: cannot connect to `{address}`: Connection refused");
    assert!(why.starts_with(&start) && why.lines().count() == 1, "{why}");
    assert!(time < Duration::from_secs(2), "{time:?}");
    let why = refusal(server(&fixture, "nowhere").life().await);
    assert!(why.starts_with("`fake` cannot be started: cannot connect to `nowhere`: "), "{why}");
}
