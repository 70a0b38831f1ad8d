//! Drafts of tiny packages, compiled in their shadows. Every check proves that the project is as it was before.

mod finds;
mod keeps;
mod puts_back;
mod runs;
mod sees;
mod stays_right;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bowline_testkit::Fixture;
use tempfile::TempDir;

use super::{Checked, Overlay, ShadowError};
use crate::{Options, Patience, ServerOptions, Workspace};

const MANIFEST: &str =
    "//- /Cargo.toml\n[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

impl Workspace {
    /// What the compiler says of one draft.
    async fn check_in_shadow(
        &self,
        project: &Path,
        overlay: &[Overlay<'_>],
        patience: &Patience<'_>,
    ) -> Result<Checked, ShadowError> {
        let mut checked = self.check_each_in_shadow(project, &[overlay.to_vec()], patience).await?;
        Ok(checked.pop().unwrap())
    }
}

impl Checked {
    fn errors(&self) -> usize {
        let all = self.diagnostics.values().flatten();
        all.filter(|diagnostic| diagnostic.severity == bowline_code::Severity::Error).count()
    }
}

/// A project, and a place for its shadow.
struct Project {
    fixture: Fixture,
    workspace: Workspace,
    cache: TempDir,
    /// Where cargo is asked, below the fixture.
    at: &'static str,
}

impl Project {
    /// A package with these files.
    fn new(files: &str) -> Self {
        Self::of(&format!("{MANIFEST}{files}"))
    }

    fn of(files: &str) -> Self {
        let fixture = Fixture::new(files);
        let cache = tempfile::tempdir().unwrap();
        let workspace = workspace(&fixture, Some(cache.path()));
        Self { fixture, workspace, cache, at: "" }
    }

    fn at(self, at: &'static str) -> Self {
        Self { at, ..self }
    }

    async fn check(&self, draft: &[(&str, Option<&str>)]) -> Result<Checked, ShadowError> {
        let paths: Vec<PathBuf> = draft.iter().map(|(name, _)| self.fixture.path(name)).collect();
        let overlay: Vec<Overlay<'_>> =
            paths.iter().zip(draft).map(|(path, (_, text))| (path.as_path(), *text)).collect();
        let before = everything(self.fixture.root());
        let at = self.fixture.path(self.at);
        let checked = self.workspace.check_in_shadow(&at, &overlay, &Patience::default()).await;
        assert_eq!(before, everything(self.fixture.root()), "the project has changed");
        checked
    }

    /// What is found, a line each: where, how bad, which rule, and the first line of what is said.
    async fn says(&self, draft: &[(&str, Option<&str>)]) -> String {
        match self.check(draft).await {
            Ok(checked) => self.fixture.relative(&lines(&checked)),
            Err(error) => self.fixture.relative(&format!("no verdict: {error}")),
        }
    }

    /// The rules that are broken, which tells one draft from the next.
    async fn codes(&self, draft: &[(&str, Option<&str>)]) -> Vec<String> {
        let checked = self.check(draft).await.unwrap();
        checked.diagnostics.into_values().flatten().filter_map(|diagnostic| diagnostic.code).collect()
    }
}

fn workspace(fixture: &Fixture, cache: Option<&Path>) -> Workspace {
    let environment = std::env::vars_os().collect();
    Workspace::new(Options::default(), vec![fixture.root().to_owned()], None)
        .unwrap()
        .with_servers(ServerOptions { specs: vec![], environment })
        .with_cache(cache.map(Path::to_owned))
}

fn lines(checked: &Checked) -> String {
    let mut lines = Vec::new();
    for (path, found) in &checked.diagnostics {
        for diagnostic in found {
            let (start, end) = (diagnostic.span.start, diagnostic.span.end);
            lines.push(format!(
                "{}:{}:{}-{}:{} {} {} {}",
                path.display(),
                start.line,
                start.column,
                end.line,
                end.column,
                diagnostic.severity.as_str(),
                diagnostic.code.as_deref().unwrap_or("-"),
                diagnostic.message.lines().next().unwrap_or_default(),
            ));
        }
    }
    if checked.stopped_early {
        lines.push("stopped early".to_owned());
    }
    lines.join("\n")
}

/// Every path under a directory, with what it is, when it was changed and what it says.
fn everything(dir: &Path) -> BTreeMap<PathBuf, (SystemTime, String)> {
    let mut all = BTreeMap::new();
    for entry in dir.read_dir().unwrap().map(Result::unwrap) {
        let (path, metadata) = (entry.path(), entry.metadata().unwrap());
        let content = if metadata.is_dir() {
            all.extend(everything(&path));
            "directory".to_owned()
        } else if metadata.is_symlink() {
            format!("link to {}", path.read_link().unwrap().display())
        } else {
            blake3::hash(&bowline_std::fs::read_bounded(&path, 1 << 30).unwrap().0).to_string()
        };
        all.insert(path, (metadata.modified().unwrap(), content));
    }
    all
}
