//! One server in memory or as a program, and many tests that only hold a script and what comes of it.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod answers;

use std::path::Path;
use std::sync::Arc;

use bowline_lsp::{Asker, Lender, Life, Limits, Reach, Server, ServerSpec, Sheet, Shown, SpokenLanguage};
use bowline_testkit::{FakeServer, Fixture, Script};
use tokio_util::sync::CancellationToken;

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
