//! One server in memory or as a program, and many tests that only hold a script and what comes of it.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod address;
mod answers;
mod asked;
mod broken;
mod cancelled;
mod checked;
mod dying;
mod ending;
mod environment;
mod floods;
mod handshake;
mod hanging;
mod overlay;
mod program;
mod readiness;
mod starting;
mod texts;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_code::Position;
use bowline_lsp::{
    Asker, Lender, Life, Limits, LspError, Reach, Server, ServerSpec, Sheet, Shown, SpokenLanguage,
};
use bowline_testkit::{FakeServer, Fixture, Script};
use tokio_util::sync::CancellationToken;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Texts come from the disk.
struct Disk;

impl Lender for Disk {
    fn text(&self, path: &Path) -> Option<Arc<str>> {
        bowline_std::fs::read_text(path, 1 << 20).ok().map(|(text, _)| text.into())
    }
}

fn spec(program: &Path, args: &[&str]) -> ServerSpec {
    ServerSpec {
        name: "fake".into(),
        reach: Reach::Program {
            program: program.to_str().unwrap().into(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        },
        asked_for: true,
        languages: vec![SpokenLanguage { id: "fake".into(), extensions: vec!["fk".into()], names: vec![] }],
        root_markers: vec![],
        initialization_options: None,
        settings: None,
        env: std::collections::BTreeMap::default(),
        limits: Limits::default(),
    }
}

/// A life over a pipe in memory, on the files of a fixture.
async fn life(script: Script, fixture: &Fixture) -> (FakeServer, Arc<Life>) {
    let (fake, stream) = FakeServer::start(script);
    let life = Server::over(spec(Path::new("/none"), &[]), fixture.root().to_owned(), stream).await.unwrap();
    (fake, life)
}

/// Shows a file of the fixture.
fn show(life: &Life, fixture: &Fixture, name: &str) -> Shown {
    let path = fixture.path(name);
    let text = Disk.text(&path).expect("a file of the fixture");
    life.show(&Sheet { path, language: "fake".into(), text })
}

/// Asks with a lender and without end.
async fn ask<T>(question: impl AsyncFnOnce(Asker<'_>) -> T) -> T {
    question(Asker { lender: &Disk, stop: &CancellationToken::new() }).await
}

/// What a server says about the name at a column of the first line: the text, or the error.
async fn hover(life: &Arc<Life>, shown: &Shown, column: u32) -> String {
    let hover = ask(async |asker| life.hover(shown, Position::new(1, column), asker).await).await;
    match hover {
        Ok(hover) => hover.map_or_else(|| "nothing".to_owned(), |hover| hover.text),
        Err(error) => error.to_string(),
    }
}

/// The text of an error; no answer may be there.
fn refusal<T>(answer: Result<T, LspError>) -> String {
    match answer {
        Ok(_) => "there was an answer".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Waits until it is so.
async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// The result, and how long it took.
async fn timed<T>(doing: impl Future<Output = T>) -> (T, Duration) {
    let began = Instant::now();
    let done = tokio::time::timeout(PATIENCE, doing).await.expect("an end");
    (done, began.elapsed())
}
