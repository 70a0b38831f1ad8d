//! Real language servers, for the tests that let the workspace talk to them.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::arguments::Arguments;
use crate::tools::{self, TYPESCRIPT_SERVER_NODE, Tool};
use crate::{install, links, node, paths, prerequisites, run};

/// A server that has not said its version by then does not run.
const PATIENCE: Duration = Duration::from_secs(60);

struct Server {
    /// By which it is started.
    name: &'static str,
    /// By which the tests find it.
    variable: &'static str,
    tool: &'static Tool,
    kind: Kind,
    /// To this it answers with its version.
    question: &'static str,
    /// The script beside it that answers for it: a server may understand nothing but the protocol.
    answers: Option<&'static str>,
}

#[derive(Clone, Copy)]
enum Kind {
    Program,
    /// A script for a Node that is at least this.
    Script((u32, u32)),
}

const SERVERS: [Server; 5] = [
    Server {
        name: "gopls",
        variable: "BOWLINE_SERVER_GOPLS",
        tool: &tools::GOPLS,
        kind: Kind::Program,
        question: "version",
        answers: None,
    },
    Server {
        name: "pyright-langserver",
        variable: "BOWLINE_SERVER_PYRIGHT",
        tool: &tools::PYRIGHT,
        kind: Kind::Script((20, 0)),
        question: "--version",
        answers: Some("index.js"),
    },
    Server {
        name: "typescript-language-server",
        variable: "BOWLINE_SERVER_TYPESCRIPT",
        tool: &tools::TYPESCRIPT_SERVER,
        kind: Kind::Script(TYPESCRIPT_SERVER_NODE),
        question: "--version",
        answers: None,
    },
    Server {
        name: "clangd",
        variable: "BOWLINE_SERVER_CLANGD",
        tool: &tools::CLANGD,
        kind: Kind::Program,
        question: "--version",
        answers: None,
    },
    Server {
        name: "rust-analyzer",
        variable: "BOWLINE_SERVER_RUST_ANALYZER",
        tool: &tools::RUST_ANALYZER,
        kind: Kind::Program,
        question: "--version",
        answers: None,
    },
];

/// `cargo xtask servers`: installs them and prints the folder with all of them, for a `PATH`.
pub(crate) fn main(arguments: Arguments) -> Result<()> {
    arguments.finish()?;
    prerequisites::check()?;
    environment()?;
    println!("{}", paths::servers().display());
    Ok(())
}

/// The servers by the variables that the tests read, and the folder where they have their usual names.
pub(crate) fn environment() -> Result<Vec<(&'static str, String)>> {
    let mut variables = vec![("BOWLINE_SERVERS_DIR", paths::servers().display().to_string())];
    for server in &SERVERS {
        variables.push((server.variable, server.install()?.display().to_string()));
    }
    Ok(variables)
}

/// What each server says of its version, one line each. Fails if one says nothing, or is not the pinned one.
pub(crate) fn versions() -> Result<Vec<String>> {
    SERVERS.iter().map(Server::version).collect()
}

impl Server {
    /// Where it can be started, by a path that stays the same when its version is raised.
    fn install(&self) -> Result<PathBuf> {
        let place = self.place();
        let installed = install::tool(self.tool)?;
        match self.kind {
            Kind::Program => links::link(&installed, &place),
            Kind::Script(node) => links::script(&node::at_least(node)?, &[&installed], &place),
        }
        .with_context(|| format!("cannot make `{}`", place.display()))?;
        Ok(place)
    }

    fn place(&self) -> PathBuf {
        paths::servers().join(self.name)
    }

    fn version(&self) -> Result<String> {
        let mut command = match (self.kind, self.answers) {
            (Kind::Script(node), Some(script)) => {
                let mut command = run::command(node::at_least(node)?);
                command.arg(install::tool(self.tool)?.with_file_name(script));
                command
            }
            _ => run::command(self.place()),
        };
        let said = run::stdout(command.arg(self.question), PATIENCE)
            .with_context(|| format!("{} does not say its version", self.name))?;
        self.judge(&said)
    }

    fn judge(&self, said: &str) -> Result<String> {
        let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let wanted = self.tool.version;
        ensure!(line.contains(wanted), "{} is to be {wanted}, and says `{line}`", self.name);
        Ok(format!("{}: {line}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_of_another_version_or_without_a_word_is_refused() {
        let [gopls, _, _, clangd, _] = &SERVERS;
        let version = tools::GOPLS.version;
        let said = format!("\ngolang.org/x/tools/gopls {version}\n    more\n");
        assert_eq!(gopls.judge(&said).unwrap(), format!("gopls: golang.org/x/tools/gopls {version}"));
        assert_eq!(
            clangd.judge("clangd version 3.0.0").unwrap_err().to_string(),
            format!("clangd is to be {}, and says `clangd version 3.0.0`", tools::CLANGD.version)
        );
        assert!(clangd.judge("").unwrap_err().to_string().ends_with("and says ``"));
    }
}
