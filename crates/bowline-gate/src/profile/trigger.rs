//! When a provider is asked. Whatever of its conditions holds is enough, and each provider keeps its own count.

use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::state::{ProfileState, ProviderState, Watch};

/// When a provider is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedbackTrigger {
    /// After so many calls since its last advice.
    pub every_n_calls: Option<u64>,
    /// After so long since its last advice, or since the conversation began.
    pub every_n_seconds: Option<Duration>,
    /// Once, when a file appears that was not there.
    pub on_file_created: Option<FileCreatedTrigger>,
}

/// A file below a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCreatedTrigger {
    pub filename: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTrigger {
    #[error(
        "feedback without a trigger would never be given: say `every_n_calls`, `every_n_seconds` or `on_file_created`"
    )]
    Never,
    #[error("`every_n_calls` must be at least 1")]
    NoCalls,
    #[error("`every_n_seconds` must be more than 0")]
    NoTime,
    #[error(transparent)]
    File(#[from] BadFile),
}

/// A path that is not a file below a root.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` must be relative to a root, such as `docs/plan.md`, without `..`", .0.escape_debug())]
pub struct BadFile(pub String);

/// Whether it names something below a root, as far as its letters tell.
pub(super) fn check_file(path: &str) -> Result<(), BadFile> {
    let below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let names = Path::new(path).components().any(|part| matches!(part, Component::Normal(_)));
    if names && !path.contains('\0') && !path.starts_with('~') && Path::new(path).components().all(below) {
        Ok(())
    } else {
        Err(BadFile(path.chars().take(200).collect()))
    }
}

impl FeedbackTrigger {
    pub fn every_n_calls(calls: u64) -> Self {
        Self { every_n_calls: Some(calls), ..Self::default() }
    }

    pub fn every_n_seconds(seconds: u64) -> Self {
        Self { every_n_seconds: Some(Duration::from_secs(seconds)), ..Self::default() }
    }

    pub fn on_file_created(filename: impl Into<String>) -> Self {
        let filename = filename.into();
        Self { on_file_created: Some(FileCreatedTrigger { filename }), ..Self::default() }
    }

    pub fn check(&self) -> Result<(), BadTrigger> {
        match self {
            Self { every_n_calls: None, every_n_seconds: None, on_file_created: None } => {
                Err(BadTrigger::Never)
            }
            Self { every_n_calls: Some(0), .. } => Err(BadTrigger::NoCalls),
            Self { every_n_seconds: Some(Duration::ZERO), .. } => Err(BadTrigger::NoTime),
            Self { on_file_created: Some(file), .. } => Ok(check_file(&file.filename)?),
            _ => Ok(()),
        }
    }

    pub(super) fn file(&self) -> Option<PathBuf> {
        self.on_file_created.as_ref().map(|file| PathBuf::from(&file.filename))
    }

    /// Whether it is this provider's turn.
    pub(super) fn is_due(&self, all: &ProfileState, own: &ProviderState, now: SystemTime) -> bool {
        let (calls, at) = own.turn.unwrap_or((0, all.began().unwrap_or(now)));
        let passed = now.duration_since(at).unwrap_or_default();
        self.every_n_calls.is_some_and(|n| all.calls().saturating_sub(calls) >= n)
            || self.every_n_seconds.is_some_and(|time| passed >= time)
            || (self.on_file_created.is_some() && own.file == Watch::Appeared)
    }
}
