//! The program `fake-ls`, as a server of a fixture.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bowline_lsp::{Life, Limits, Server, ServerSpec, Shown, Was};
use bowline_std::process::{Ending, Program, alive, spawn};
use bowline_testkit::{Fixture, Kind, Received, Script, fake_ls};
use tokio::io::AsyncReadExt;

use super::{eventually, show, spec};

pub(crate) const GREETING: &str = "//- /a.fk\ndef greet and greet\n";

/// A server of one fixture, and what its processes leave behind.
pub(crate) struct Fake {
    pub(crate) fixture: Fixture,
    pub(crate) server: Arc<Server>,
    beside: tempfile::TempDir,
}

/// Bounds that a test can wait for.
pub(crate) fn quick() -> Limits {
    Limits {
        initialize: Duration::from_secs(10),
        request: Duration::from_millis(300),
        references: Duration::from_secs(5),
        shutdown: Duration::from_millis(300),
        pause: Duration::from_millis(1),
        ..Limits::default()
    }
}

/// What processes of tests see: no more than a shell needs.
pub(crate) fn environment() -> Arc<[(OsString, OsString)]> {
    Arc::new([("PATH".into(), "/usr/bin:/bin".into())])
}

impl Fake {
    pub(crate) fn new(script: &Script) -> Self {
        Self::with(script, |spec| spec.limits = quick())
    }

    pub(crate) fn with(script: &Script, change: impl FnOnce(&mut ServerSpec)) -> Self {
        Self::on(Fixture::new(GREETING), script, change)
    }

    pub(crate) fn on(fixture: Fixture, script: &Script, change: impl FnOnce(&mut ServerSpec)) -> Self {
        let beside = tempfile::tempdir().unwrap();
        let place = |name: &str| beside.path().join(name).to_str().unwrap().to_owned();
        let (script, log, pid, marker) = (script.to_argument(), place("log"), place("pid"), place("died"));
        let args = ["--script", &script, "--log", &log, "--pid", &pid, "--marker", &marker];
        let mut spec = spec(&fake_ls(), &args);
        change(&mut spec);
        let server = Server::new(Arc::new(spec), fixture.root().to_owned(), environment());
        Self { fixture, server, beside }
    }

    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.beside.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Option<String> {
        bowline_std::fs::read_text(&self.place(name), 64 << 20).ok().map(|(text, _)| text)
    }

    /// Its life, with the file of the fixture open.
    pub(crate) async fn life(&self) -> (Arc<Life>, Shown) {
        let life = self.server.life().await.unwrap();
        let shown = show(&life, &self.fixture, "a.fk");
        (life, shown)
    }

    /// The process that was started last.
    pub(crate) fn pid(&self) -> u32 {
        self.read("pid").expect("a process").parse().unwrap()
    }

    /// The child that a stubborn one has.
    pub(crate) fn grandchild(&self) -> u32 {
        self.read("pid.grandchild").expect("a grandchild").parse().unwrap()
    }

    /// What each process received.
    pub(crate) fn lives(&self) -> Vec<Vec<Received>> {
        let log = self.read("log").unwrap_or_default();
        let mut lives: Vec<Vec<Received>> = Vec::new();
        for line in log.lines() {
            let received: Received = serde_json::from_str(line).unwrap();
            if received.method == "initialize" && received.kind == Kind::Request {
                lives.push(Vec::new());
            }
            lives.last_mut().expect("a handshake").push(received);
        }
        lives
    }

    /// How often a method was received, by all processes.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.lives().concat().iter().filter(|one| one.method == method && one.kind != Kind::Complaint).count()
    }

    pub(crate) async fn received(&self, method: &str, times: usize) {
        eventually(&format!("{method} received {times} times"), || self.count(method) >= times).await;
    }

    pub(crate) fn complaints(&self) -> Vec<String> {
        let all = self.lives().concat();
        let complaints = all.into_iter().filter(|one| one.kind == Kind::Complaint);
        complaints.map(|one| format!("{}: {}", one.method, one.params)).collect()
    }

    /// Waits for a state.
    pub(crate) async fn is(&self, state: Was) {
        eventually(state.as_str(), || self.server.status().state == state).await;
    }
}

pub(crate) async fn gone(pid: u32) {
    eventually(&format!("the end of {pid}"), || !alive(pid)).await;
}

/// Runs a line of shell.
pub(crate) async fn shell(line: &str) -> Ending {
    let args = vec!["-c".into(), line.into()];
    let program = Program { path: "/bin/sh".into(), args, dir: "/".into(), env: environment().to_vec() };
    let running = spawn(&program).await.unwrap();
    running.process.ended().await
}

pub(crate) async fn kill(pid: u32) {
    assert_eq!(shell(&format!("kill -9 {pid}")).await, Ending::Code(0));
}

/// Set for helpers only: `--ignored` alone must not run them.
const HELPER: &str = "BOWLINE_LSP_TEST_HELPER";

#[expect(clippy::disallowed_methods, reason = "a helper is told by a variable that it is one")]
pub(crate) fn is_helper() -> bool {
    std::env::var_os(HELPER).is_some()
}

/// A helper of this binary, to be run on its own.
pub(crate) fn helper(name: &str) -> Program {
    // It may have to build the program, with all that cargo needs.
    let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    env.push((HELPER.into(), "1".into()));
    let args = ["--exact", name, "--ignored", "--nocapture"].map(Into::into).to_vec();
    Program { path: std::env::current_exe().unwrap(), args, dir: "/".into(), env }
}

/// Runs a helper, which must end well.
pub(crate) async fn run_helper(name: &str) {
    let mut running = spawn(&helper(name)).await.unwrap();
    drop(running.stdin);
    let (mut out, mut err) = (String::new(), String::new());
    let (read, _) =
        tokio::join!(running.stdout.read_to_string(&mut out), running.stderr.read_to_string(&mut err));
    read.unwrap();
    assert_eq!(running.process.ended().await, Ending::Code(0), "{out}\n{err}");
}
