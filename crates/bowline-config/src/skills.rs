//! `[skills]`: where skills are looked for, how they are read, and how strictly they are kept.
//!
//! What user and projects say is composed so that the strictest wins: a project travels with code that was merely cloned.

mod compose;

use std::path::{Component, Path, PathBuf};

use bowline_gate::{AllowedToolsMode, Decision, Guidance, InvalidAllowlist, Mode};
use bowline_skills::Scope;
use serde::Deserialize;
use toml::Spanned;

use crate::file::place;
use crate::servers::Mistake;

pub(crate) use compose::compose;

/// More than anybody has, and few enough to be looked into at each start.
const MOST_ROOTS: usize = 64;
/// What a model is given of one skill, or of one file of it.
const DEFAULT_BYTES: usize = 60_000;
const MOST_BYTES: usize = 200_000;

/// Everything about skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillSettings {
    pub guidance: Guidance,
    /// Directories that exist, whose they are, the first one winning: a project's before the user's.
    pub roots: Vec<(PathBuf, Scope)>,
    /// The real paths of the projects. A project's directory of skills is read only while it leads nowhere else.
    pub projects: Vec<PathBuf>,
    /// Whether a skill that is not to the letter is refused.
    pub strict: bool,
    /// The most that a load, or a bundled file, brings to the model.
    pub max_bytes: usize,
    /// Whether the model is told where a skill is.
    pub include_location: bool,
}

/// `[skills]` in the user's own file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct UserSkills {
    roots: Vec<Spanned<String>>,
    strict: bool,
    mode: Option<Mode>,
    deactivate: Option<Decision>,
    allowed_tools: Option<AllowedToolsMode>,
    invalid_allowlist: Option<InvalidAllowlist>,
    max_bytes: Option<Spanned<i64>>,
    include_location: bool,
    #[serde(skip)]
    written: Vec<Written>,
}

/// `[skills]` in a project's file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ProjectSkills {
    roots: Vec<Spanned<String>>,
    mode: Option<Mode>,
    deactivate: Option<Decision>,
    allowed_tools: Option<Spanned<AllowedToolsMode>>,
    invalid_allowlist: Option<Spanned<InvalidAllowlist>>,
    #[serde(skip)]
    written: Vec<Written>,
}

/// A root that somebody wrote down, and where: `bowline.toml:3:10`.
#[derive(Debug)]
struct Written {
    root: String,
    origin: String,
}

impl UserSkills {
    /// Understands what no type can say. The path is that of the file.
    pub(crate) fn understand(&mut self, path: &Path, text: &str) -> Result<(), Mistake> {
        if let Some(bytes) = &self.max_bytes
            && !usize::try_from(*bytes.get_ref()).is_ok_and(|bytes| (1..=MOST_BYTES).contains(&bytes))
        {
            let message = format!("`max_bytes` is {}; it can be from 1 to {MOST_BYTES}", bytes.get_ref());
            return Err(Mistake { at: bytes.span().start, message });
        }
        for root in &self.roots {
            let from_home = root.get_ref() == "~" || root.get_ref().starts_with("~/");
            if !from_home && !Path::new(root.get_ref()).is_absolute() {
                let shown = root.get_ref().escape_debug();
                let message = format!("`{shown}` is not an absolute path, nor does it begin with `~/`");
                return Err(Mistake { at: root.span().start, message });
            }
        }
        self.written = written(&self.roots, path, text)?;
        Ok(())
    }

    fn max_bytes(&self) -> usize {
        let said = self.max_bytes.as_ref().and_then(|bytes| usize::try_from(*bytes.get_ref()).ok());
        said.unwrap_or(DEFAULT_BYTES)
    }
}

impl ProjectSkills {
    /// Understands what no type can say, and refuses what would loosen. The path is that of the file, in the project's root.
    pub(crate) fn understand(&mut self, path: &Path, text: &str) -> Result<(), Mistake> {
        if let Some(mode) =
            self.allowed_tools.as_ref().filter(|mode| *mode.get_ref() == AllowedToolsMode::Grant)
        {
            let message = "a project cannot grant anything: `allowed_tools` is `ignore` or `fence` here";
            return Err(Mistake { at: mode.span().start, message: message.into() });
        }
        if let Some(list) =
            self.invalid_allowlist.as_ref().filter(|list| *list.get_ref() == InvalidAllowlist::Ignore)
        {
            let message =
                "a project cannot take a fence away: `invalid_allowlist` is `enforce` or `error` here";
            return Err(Mistake { at: list.span().start, message: message.into() });
        }
        let project = path.parent().unwrap_or(Path::new(""));
        for root in &self.roots {
            inside(project, root.get_ref()).map_err(|message| Mistake { at: root.span().start, message })?;
        }
        self.written = written(&self.roots, path, text)?;
        Ok(())
    }
}

/// A project's skills are in the project, wherever its links lead.
fn inside(project: &Path, root: &str) -> Result<(), String> {
    let shown = root.escape_debug();
    let below = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if root.is_empty() || root.starts_with('~') || !Path::new(root).components().all(below) {
        return Err(format!(
            "`{shown}` must be relative to the project, such as `tools/skills`, without `..`"
        ));
    }
    match bowline_std::fs::real_path(&project.join(root)) {
        Ok(real) if real.starts_with(project) => Ok(()),
        Ok(real) => Err(format!("`{shown}` leads out of the project, to `{}`", real.display())),
        Err(error) => Err(format!("`{shown}` cannot be followed: {error}")),
    }
}

fn written(roots: &[Spanned<String>], path: &Path, text: &str) -> Result<Vec<Written>, Mistake> {
    if let Some(first_too_many) = roots.get(MOST_ROOTS) {
        let message = format!("there are {} roots of skills; at most {MOST_ROOTS} are read", roots.len());
        return Err(Mistake { at: first_too_many.span().start, message });
    }
    let written = roots.iter().map(|root| {
        let (line, column) = place(text, root.span().start);
        let origin = format!("{}:{line}:{column}", path.display());
        Written { root: root.get_ref().clone(), origin }
    });
    Ok(written.collect())
}
