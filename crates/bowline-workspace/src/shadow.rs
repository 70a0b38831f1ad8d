//! `cargo check` over a draft: the compiler sees the drafted text, and not a byte of the project changes.
//!
//! rust-analyzer knows little of what the compiler knows about text that is not saved: nothing of borrows, little of
//! traits. So the project is mirrored in a directory of ours, the draft is laid over the mirror, and cargo runs there.
//! The mirror and what is built in it are kept, so that the second check is quick.
//!
//! What runs: the project's build scripts and macros, as they are on disk, as in any build of it. Whoever does not
//! trust a project must not ask. Never what is only drafted: a draft that could get into code that runs is refused
//! before anything of it is laid into the mirror. And nothing of a draft is in the mirror after it.

mod baseline;
mod cargo;
mod diagnoses;
mod message;
mod mirror;
mod place;
mod prune;
mod record;
mod runs;
mod seen;
mod settings;
#[cfg(test)]
mod tests;
mod visit;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bowline_code::Diagnostic;
use bowline_std::fs::{absolute, real_path};

use crate::{Patience, ProgramError, Workspace, WorkspaceError};
use diagnoses::Findings;
use mirror::Draft;
use settings::Settings;
use visit::Visit;

pub(crate) use place::Shadows;

/// One drafted file by its real path, and what it is to say. `None`: it is removed.
pub(crate) type Overlay<'a> = (&'a Path, Option<&'a str>);

/// What the compiler found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Checked {
    /// By the real path of the project's file, in the order of the text. What is wrong in code that a build script made
    /// is here by the path of that.
    pub(crate) diagnostics: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// Files that it has read, by their real paths. Where there are errors, some may be missing.
    pub(crate) seen: BTreeSet<PathBuf>,
    /// There are errors, and because of them other code was not looked at: it may have more.
    pub(crate) stopped_early: bool,
}

/// Why the compiler has no verdict. None of these says anything about the draft.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShadowError {
    #[error("`{}` belongs to no Cargo package", .at.display())]
    NoPackage { at: PathBuf },
    #[error("not checked because the settings of rust-analyzer switch it off: {setting}")]
    SwitchedOff { setting: &'static str },
    /// Nobody has agreed yet to what it says.
    #[error("`{}` would be run by the compiler; a draft of it is not compiled before it is written", .path.display())]
    WouldRun {
        /// As it is called in its project.
        path: PathBuf,
    },
    /// Cargo or the compiler stopped for a reason that no file of the project shows.
    #[error("cargo check could not run: {said}")]
    CouldNotRun { said: String },
    #[error("`cargo check` was not done after {} s{}; what it has built is kept, so ask again", .after.as_secs(), after_colon(.last))]
    Unfinished {
        after: Duration,
        /// What it said last.
        last: String,
    },
    #[error("another check of `{}` has not ended yet; ask again in a moment", .root.display())]
    Busy { root: PathBuf },
    #[error("`{}` has more than {most} files, too many to be mirrored", .root.display())]
    TooLarge { root: PathBuf, most: usize },
    #[error("cannot mirror `{}`: {source}", .path.display())]
    Mirror { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

impl From<ProgramError> for ShadowError {
    fn from(error: ProgramError) -> Self {
        Self::Workspace(error.into())
    }
}

fn after_colon(last: &str) -> String {
    if last.is_empty() { String::new() } else { format!(" ({last})") }
}

impl Workspace {
    /// What the compiler says of the Cargo workspace around a directory once each draft is made, one after the other,
    /// with nobody else in between. With nothing drafted: what it says now. Drafted files may lie outside of it.
    pub(crate) async fn check_each_in_shadow(
        &self,
        project: &Path,
        overlays: &[Vec<Overlay<'_>>],
        patience: &Patience<'_>,
    ) -> Result<Vec<Checked>, ShadowError> {
        let settings = Settings::of(self.fleet.specs())?;
        let dir =
            real_path(project).map_err(|source| ShadowError::Mirror { path: project.to_owned(), source })?;
        let dir = if dir.is_file() { dir.parent().map(Path::to_owned).unwrap_or(dir) } else { dir };
        let environment = settings.environment(self.fleet.environment());
        let found = cargo::find(&dir, &environment, patience).await?;

        let all: Vec<BTreeMap<PathBuf, Option<String>>> = overlays
            .iter()
            .map(|overlay| {
                overlay.iter().map(|(path, text)| (absolute(&dir, path), text.map(str::to_owned))).collect()
            })
            .collect();
        self.refuse_what_would_run(&found.root, &all, &environment, patience).await?;

        let held = self.shadows.take(self.cache.as_deref(), &found.root, patience).await?;
        let mut visit = Visit::new(held, &found.root, &environment);
        let mut checked = Vec::with_capacity(all.len());
        for drafted in all {
            let draft = Draft { root: found.root.clone(), drafted, environment: environment.clone() };
            checked.push(self.check_draft(&mut visit, draft, &found, &settings, patience).await);
            if checked.last().is_some_and(Result::is_err) {
                break;
            }
        }
        let checked = checked.into_iter().collect::<Result<Vec<Checked>, ShadowError>>();
        // Whoever has no time left does not wait; it is done nevertheless.
        if checked.is_ok() {
            visit.leave().await?;
        }
        checked
    }

    async fn check_draft(
        &self,
        visit: &mut Visit,
        draft: Draft,
        found: &cargo::Found,
        settings: &Settings,
        patience: &Patience<'_>,
    ) -> Result<Checked, ShadowError> {
        let environment = draft.environment.clone();
        visit.lays(&draft);
        let is_drafted = !draft.drafted.is_empty();
        let held = Arc::clone(&visit.held);
        self.blocking(patience, move |work| Ok(mirror::mirror(&held, &draft, &|| work.stopped()))).await??;
        let mut shown = None;
        if !is_drafted {
            let (held, root, settings) = (Arc::clone(&visit.held), found.root.clone(), settings.clone());
            let records =
                move |_: &_| Ok(baseline::fingerprint(&root, &record::load(&held.record()), &settings));
            shown = self.blocking(patience, records).await?;
        }
        if let Some(checked) = shown.and_then(|shown| self.shadows.baselines.get(&found.root, shown)) {
            return Ok(checked);
        }

        let said = cargo::check(&visit.held, found, settings, &environment, patience).await;
        visit.held.note_check();
        let (said, root, held) = (said?, found.root.clone(), Arc::clone(&visit.held));
        let checked =
            self.blocking(patience, move |_| Ok(Findings::of(&held, &root, &said).verdict(&said))).await??;
        if let Some(shown) = shown {
            self.shadows.baselines.put(&found.root, shown, &checked);
        }
        Ok(checked)
    }

    /// Nothing is compiled if anything of it could become code that runs meanwhile.
    async fn refuse_what_would_run(
        &self,
        root: &Path,
        drafts: &[BTreeMap<PathBuf, Option<String>>],
        environment: &[(OsString, OsString)],
        patience: &Patience<'_>,
    ) -> Result<(), ShadowError> {
        let drafted: BTreeSet<PathBuf> = drafts.iter().flat_map(BTreeMap::keys).cloned().collect();
        if drafted.is_empty() {
            return Ok(());
        }
        let graph = runs::gather(root, &drafted, environment, patience).await?;
        let (root, environment) = (root.to_owned(), environment.to_vec());
        let first = self.blocking(patience, move |_| {
            let first = runs::first(&root, &drafted, &graph, &environment);
            Ok(first.map(|path| path.strip_prefix(&root).map(Path::to_owned).unwrap_or(path)))
        });
        first.await?.map_or(Ok(()), |path| Err(ShadowError::WouldRun { path }))
    }
}
