//! `[profile.NAME]`: what constrains an agent, in the user's file and in the project's.
//!
//! The profile of the chosen name holds in each of the files that has one. A project's can only tighten: it adds policies and
//! checks, and its commands run only where the user trusts the project.

mod declared;
mod read;
#[cfg(test)]
mod tests;
mod words;

use std::path::{Path, PathBuf};

use bowline_gate::{KnownTools, Layer, Profile, Profiles};

use crate::ConfigError;
use crate::file::place;
use crate::servers::Trust;

pub(crate) use declared::Declared;
use declared::{DeclaredProfile, NamedTool};
pub(crate) use read::read;

/// Holds where nobody has chosen.
const DEFAULT: &str = "default";

/// The profiles that hold.
#[derive(Debug, Default)]
pub struct ProfileSettings {
    pub profiles: Profiles,
    /// Their names, the user's first.
    pub names: Vec<String>,
    tools: Vec<Named>,
}

/// A tool that a policy names, and where.
#[derive(Debug)]
struct Named {
    tool: String,
    path: PathBuf,
    line: usize,
    column: usize,
}

/// What one file declares.
pub(crate) struct Source<'a> {
    pub(crate) declared: Declared,
    pub(crate) path: PathBuf,
    /// Of a project.
    pub(crate) root: Option<&'a Path>,
}

impl ProfileSettings {
    /// Whether any policy names a tool.
    pub fn names_tools(&self) -> bool {
        !self.tools.is_empty()
    }

    /// Every tool that a policy names must be one that there is. Tools of other servers are taken at their word: which those
    /// have is not known yet.
    pub fn check_tools(&self, known: &KnownTools) -> Result<(), ConfigError> {
        for Named { tool, path, line, column } in &self.tools {
            if known.knows(tool) {
                continue;
            }
            let meant = bowline_std::text::nearest(tool, known.names());
            let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            let message = format!("there is no tool `{}`{meant}", tool.escape_debug());
            return Err(ConfigError::InFile { path: path.clone(), line: *line, column: *column, message });
        }
        Ok(())
    }
}

/// Chooses one profile of each file. The user's file comes first.
pub(crate) fn compose(
    user: Source<'_>,
    projects: Vec<Source<'_>>,
    asked: Option<&str>,
    trust: &Trust,
    warnings: &mut Vec<String>,
) -> Result<ProfileSettings, ConfigError> {
    let sources = || std::iter::once(&user).chain(&projects);
    if let Some(asked) = asked.filter(|asked| !sources().any(|source| source.declared.has(asked))) {
        let known: Vec<&str> = sources().flat_map(|source| source.declared.names()).collect();
        let meant = bowline_std::text::nearest(asked, known.iter().copied());
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        return Err(ConfigError::Argument {
            argument: "--profile".into(),
            message: format!("there is no profile `{}`{meant}", asked.escape_debug()),
        });
    }
    let chosen = asked.map(str::to_owned).or_else(|| user.declared.choice.clone());
    let mut settings = ProfileSettings::default();
    let mut all = Vec::new();
    // A file without the profile that was chosen falls back on its own choice: another's profile takes nothing away.
    let own = user.declared.choice.clone().unwrap_or_else(|| DEFAULT.into());
    let name = chosen.clone().filter(|chosen| user.declared.has(chosen)).unwrap_or(own);
    if let Some(declared) = user.declared.take(&name) {
        all.push(settings.add(declared, Layer::User, &user.path, None));
    }
    for source in projects {
        let own = source.declared.choice.clone().unwrap_or_else(|| DEFAULT.into());
        let name = chosen.clone().filter(|chosen| source.declared.has(chosen)).unwrap_or(own);
        let Some(declared) = source.declared.take(&name) else { continue };
        let why_not = source.root.filter(|root| !trust.covers(root)).map(|root| trust.mend(root));
        if let Some(mend) = why_not.as_ref().filter(|_| declared.runs_commands()) {
            warnings.push(format!(
                "{}: the commands of the profile `{name}` are not run, and so nothing is complete: the project is not trusted; \
                 if you trust it, {mend}",
                source.path.display()
            ));
        }
        all.push(settings.add(declared, Layer::Project, &source.path, why_not.as_deref()));
    }
    settings.profiles = Profiles::new(all);
    Ok(settings)
}

impl ProfileSettings {
    fn add(
        &mut self,
        declared: DeclaredProfile,
        layer: Layer,
        path: &Path,
        withheld: Option<&str>,
    ) -> Profile {
        self.names.push(declared.name.clone());
        let located = |NamedTool { tool, line, column }: &NamedTool| Named {
            tool: tool.clone(),
            path: path.to_owned(),
            line: *line,
            column: *column,
        };
        self.tools.extend(declared.tools.iter().map(located));
        declared.build(layer, withheld)
    }
}

/// Line and column, for a tool that is looked up later.
fn named(tool: &str, text: &str, at: usize) -> NamedTool {
    let (line, column) = place(text, at);
    NamedTool { tool: tool.to_owned(), line, column }
}
