//! What user and projects say of skills, put together.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use bowline_gate::{AllowedToolsMode, Decision, Guidance, InvalidAllowlist};
use bowline_skills::Scope;

use super::{ProjectSkills, SkillSettings, UserSkills, Written};
use crate::Environment;
use crate::servers::expanded;

/// Where a project's skills are, without anybody saying so.
const OF_A_PROJECT: [&str; 2] = [".bowline/skills", ".agents/skills"];

/// Puts it together. The projects come with their roots, which are real paths.
pub(crate) fn compose(
    environment: &Environment,
    user: &UserSkills,
    projects: &[(&Path, &ProjectSkills)],
    warnings: &mut Vec<String>,
) -> SkillSettings {
    let mut roots = Roots { found: Vec::new(), warnings };
    for (project, said) in projects {
        for root in OF_A_PROJECT {
            roots.add_default(project.join(root), Scope::Project, Some(project));
        }
        for written in &said.written {
            roots.add_written(project.join(&written.root), Scope::Project, written);
        }
    }
    let home = environment.home.as_deref();
    let of_the_user = [
        environment.config_dir.as_ref().map(|dir| dir.join("skills")),
        home.map(|home| home.join(".agents/skills")),
    ];
    for root in of_the_user.into_iter().flatten() {
        roots.add_default(root, Scope::User, None);
    }
    for written in &user.written {
        roots.add_written(expanded(&written.root, home), Scope::User, written);
    }
    SkillSettings {
        guidance: guidance(user, projects.iter().map(|(_, said)| *said)),
        roots: roots.found,
        projects: projects.iter().map(|(project, _)| (*project).to_owned()).collect(),
        strict: user.strict,
        max_bytes: user.max_bytes(),
        include_location: user.include_location,
    }
}

/// The strictest of what is said. Where the user says nothing the default counts as said.
fn guidance<'a>(user: &UserSkills, projects: impl Iterator<Item = &'a ProjectSkills>) -> Guidance {
    let default = Guidance::default();
    let own = Guidance {
        mode: user.mode.unwrap_or(default.mode),
        deactivate: user.deactivate.unwrap_or(default.deactivate),
        allowed_tools: user.allowed_tools.unwrap_or(default.allowed_tools),
        invalid_allowlist: user.invalid_allowlist.unwrap_or(default.invalid_allowlist),
    };
    projects.fold(own, |so_far, said| Guidance {
        mode: so_far.mode.max(said.mode.unwrap_or(so_far.mode)),
        deactivate: stricter(so_far.deactivate, said.deactivate, |decision| match decision {
            Decision::Allow => 0,
            Decision::Ask => 1,
            Decision::Deny => 2,
        }),
        allowed_tools: stricter(
            so_far.allowed_tools,
            said.allowed_tools.as_ref().map(|mode| *mode.get_ref()),
            |mode| match mode {
                AllowedToolsMode::Grant => 0,
                AllowedToolsMode::Ignore => 1,
                AllowedToolsMode::Fence => 2,
            },
        ),
        invalid_allowlist: stricter(
            so_far.invalid_allowlist,
            said.invalid_allowlist.as_ref().map(|list| *list.get_ref()),
            |list| match list {
                InvalidAllowlist::Ignore => 0,
                InvalidAllowlist::Enforce => 1,
                InvalidAllowlist::Error => 2,
            },
        ),
    })
}

fn stricter<T: Copy>(so_far: T, said: Option<T>, strictness: impl Fn(T) -> u8) -> T {
    said.filter(|said| strictness(*said) > strictness(so_far)).unwrap_or(so_far)
}

/// The roots that are there, each once.
struct Roots<'a> {
    found: Vec<(PathBuf, Scope)>,
    warnings: &'a mut Vec<String>,
}

impl Roots<'_> {
    /// One that nobody wrote down. That it is not there is nothing to speak of.
    fn add_default(&mut self, root: PathBuf, scope: Scope, within: Option<&Path>) {
        let Ok(real) = root.canonicalize() else {
            // Whoever reads it says why that is not possible.
            if exists(&root) {
                self.push(root, scope);
            }
            return;
        };
        match within {
            Some(project) if !real.starts_with(project) => self.warnings.push(format!(
                "no skills are read from `{}`: it leads out of the project, to `{}`",
                root.display(),
                real.display()
            )),
            _ => self.push(real, scope),
        }
    }

    /// One that somebody wrote down. A `~` that nothing is known of is nowhere.
    fn add_written(&mut self, root: PathBuf, scope: Scope, written: &Written) {
        if root.is_absolute() && exists(&root) {
            self.push(root.canonicalize().unwrap_or(root), scope);
        } else {
            let (origin, shown) = (&written.origin, written.root.escape_debug());
            self.warnings.push(format!("{origin}: there is no directory `{shown}` to read skills from"));
        }
    }

    fn push(&mut self, root: PathBuf, scope: Scope) {
        if !self.found.iter().any(|(known, _)| *known == root) {
            self.found.push((root, scope));
        }
    }
}

/// Whether anything is there, even something that cannot be read.
fn exists(root: &Path) -> bool {
    match root.symlink_metadata() {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

#[cfg(test)]
mod tests;
