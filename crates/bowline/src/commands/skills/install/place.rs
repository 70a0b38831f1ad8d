//! Where each agent looks for skills.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use bowline_config::Environment;
use bowline_std::fs::real_path;
use clap::ValueEnum;

use super::Install;
use crate::cli::Shared;
use crate::commands::BadUsage;

/// An agent whose places are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    /// Claude Code.
    Claude,
    /// Codex, which looks where `agents` is.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cursor.
    Cursor,
    /// opencode.
    Opencode,
    /// Pi.
    Pi,
    /// `.agents/skills`, where many agents look.
    Agents,
}

impl Agent {
    fn of_the_user(self, home: &Path, config: &Path) -> PathBuf {
        match self {
            Self::Claude => home.join(".claude/skills"),
            Self::Codex | Self::Agents => home.join(".agents/skills"),
            Self::Gemini => home.join(".gemini/skills"),
            Self::Cursor => home.join(".cursor/skills"),
            Self::Opencode => config.join("opencode/skills"),
            Self::Pi => home.join(".pi/agent/skills"),
        }
    }

    fn of_a_project(self, project: &Path) -> PathBuf {
        project.join(match self {
            Self::Claude => ".claude/skills",
            Self::Codex | Self::Agents => ".agents/skills",
            Self::Gemini => ".gemini/skills",
            Self::Cursor => ".cursor/skills",
            Self::Opencode => ".opencode/skills",
            Self::Pi => ".pi/skills",
        })
    }
}

/// A directory that skills are put into.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Destination {
    pub(super) dir: PathBuf,
    /// The project that it must lie in, wherever links lead.
    within: Option<PathBuf>,
}

/// All directories that are meant, each once.
pub(super) fn destinations(
    environment: &Environment,
    shared: &Shared,
    install: &Install,
) -> anyhow::Result<Vec<Destination>> {
    let mut destinations: Vec<Destination> = Vec::new();
    let mut add = |dir: PathBuf, within: Option<&Path>| {
        if !destinations.iter().any(|known| known.dir == dir) {
            destinations.push(Destination { dir, within: within.map(Path::to_owned) });
        }
    };
    if let Some(dest) = &install.dest {
        // Without a `/` at its end, which would lead through a link before anybody has looked at it.
        add(environment.current_dir.join(dest).components().collect(), None);
    } else if install.agent.is_empty() {
        let message =
            "say where: `--agent NAME` for an agent's own place (`--help` lists them), or `--dest DIR`";
        return Err(BadUsage(message.into()).into());
    } else if install.project {
        let here = [PathBuf::from(".")];
        let roots = if shared.root.is_empty() { here.as_slice() } else { &shared.root };
        for root in roots {
            let real = environment.current_dir.join(root).canonicalize();
            let real = real.with_context(|| format!("the root `{}` cannot be used", root.display()))?;
            for agent in &install.agent {
                add(agent.of_a_project(&real), Some(&real));
            }
        }
    } else {
        let home = environment.home.as_deref().context("there is no home directory; say `--dest DIR`")?;
        let config = environment.config_dir.as_deref().and_then(Path::parent);
        let config = config.map_or_else(|| home.join(".config"), Path::to_owned);
        for agent in &install.agent {
            add(agent.of_the_user(home, &config), None);
        }
    }
    Ok(destinations)
}

impl Destination {
    /// Whether it can be what it has to be: a directory, or nothing yet.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        match self.dir.symlink_metadata() {
            Ok(found) if found.is_symlink() => {
                let leads = std::fs::read_link(&self.dir).unwrap_or_default();
                bail!("it is a link to `{}`; if that is meant, name it with `--dest`", leads.display())
            }
            Ok(found) if !found.is_dir() => bail!("it is not a directory"),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                bail!("something on the way there is not a directory")
            }
            Err(error) => return Err(error.into()),
        }
        if let Some(project) = &self.within {
            let real = real_path(&self.dir)?;
            if !real.starts_with(project) {
                bail!("a link on the way there leads out of the project, to `{}`", real.display());
            }
        }
        Ok(())
    }
}
