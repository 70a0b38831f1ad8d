//! `cargo check` over a draft: the compiler sees the drafted text, and not a byte of the project changes.
//!
//! rust-analyzer knows little of what the compiler knows about text that is not saved: nothing of borrows, little of
//! traits. So the project is mirrored in a directory of ours, the draft is laid over the mirror, and cargo runs there.
//! The mirror and what is built in it are kept, so that the second check is quick.
//!
//! This runs the project's own code: build scripts and macros. rust-analyzer does so, too, as soon as it is asked
//! anything about the project, so no door is opened that was shut; but whoever does not trust a project must not ask.

mod cargo;
mod diagnoses;
mod message;
mod mirror;
mod place;
mod record;
mod settings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bowline_code::Diagnostic;
use bowline_std::fs::{absolute, real_path};

use crate::{Patience, ProgramError, Workspace, WorkspaceError};
use diagnoses::Findings;
use mirror::Draft;
use settings::Settings;

pub(crate) use place::Shadows;

/// One drafted file by its real path, and what it is to say. `None`: it is removed.
pub(crate) type Overlay<'a> = (&'a Path, Option<&'a str>);

/// What the compiler found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Checked {
    /// By the real path of the project's file, in the order of the text. What is wrong in code that a build script made
    /// is here by the path of that.
    pub(crate) diagnostics: BTreeMap<PathBuf, Vec<Diagnostic>>,
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
    /// What the compiler says of the Cargo workspace around a directory once the draft is made. With nothing drafted:
    /// what it says now.
    pub(crate) async fn check_in_shadow(
        &self,
        project: &Path,
        overlay: &[Overlay<'_>],
        patience: &Patience<'_>,
    ) -> Result<Checked, ShadowError> {
        let settings = Settings::of(self.fleet.specs())?;
        let dir =
            real_path(project).map_err(|source| ShadowError::Mirror { path: project.to_owned(), source })?;
        let dir = if dir.is_file() { dir.parent().map(Path::to_owned).unwrap_or(dir) } else { dir };
        let environment = settings.environment(self.fleet.environment());
        let found = cargo::find(&dir, &environment, patience).await?;

        let held = self.shadows.take(self.cache.as_deref(), &found.root, patience).await?;
        let drafted =
            overlay.iter().map(|(path, text)| (absolute(&dir, path), text.map(str::to_owned))).collect();
        let draft = Draft { root: found.root.clone(), drafted, environment: environment.clone() };
        // The place goes with the work: it goes on for a moment after its caller has gone, and must stay alone there.
        let held = self
            .blocking(patience, move |work| {
                let mirrored = mirror::mirror(&held, &draft, &|| work.stopped());
                Ok(mirrored.map(|()| held))
            })
            .await??;

        let said = cargo::check(&held, &found, &settings, &environment, patience).await;
        held.note_check();
        let said = said?;
        self.blocking(patience, move |_| Ok(Findings::of(&held, &found.root, &said).verdict(&said))).await?
    }
}
