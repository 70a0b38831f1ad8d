//! A home for programs under test: nothing of the person's own is read or written, and nobody is left behind.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::{paths, processes, run, tools};

pub(crate) struct Home {
    folder: TempDir,
    variables: Vec<(&'static str, OsString)>,
}

impl Home {
    pub(crate) fn new() -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path =
            std::env::join_paths(std::iter::once(paths::servers()).chain(std::env::split_paths(&path)))?;
        let mut variables = vec![
            ("PATH", path),
            ("RUSTUP_TOOLCHAIN", tools::RUST_ANALYZER.version.into()),
            // The projects need no module but their own, and no figure may hang on a network.
            ("GOPROXY", "off".into()),
        ];
        // With another HOME the tool chains would not be found.
        for (name, below) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup"), ("GOPATH", "go")] {
            let here = std::env::home_dir().map(|home| home.join(below).into_os_string());
            variables.extend(std::env::var_os(name).or(here).map(|value| (name, value)));
        }
        Ok(Self { folder, variables })
    }

    /// Without symbolic links, as servers write it.
    pub(crate) fn path(&self) -> Result<PathBuf> {
        Ok(self.folder.path().canonicalize()?)
    }

    /// The home is nobody else's, and so is the person who agrees.
    pub(crate) fn agree_to(&self, tools: &[&str]) -> Result<()> {
        let settings = self.path()?.join("config").join("bowline");
        std::fs::create_dir_all(&settings)?;
        let rules = format!("[rules]\nallow = {tools:?}\n");
        std::fs::write(settings.join("bowline.toml"), rules).context("cannot write the rules")
    }

    /// A program that lives here, and finds the language servers and tool chains.
    pub(crate) fn command(&self, program: &Path, folder: &Path) -> Command {
        let mut command = run::command(program);
        run::isolate(&mut command, self.folder.path());
        command.current_dir(folder).envs(self.variables.iter().cloned());
        command.env_remove("CARGO_TARGET_DIR");
        command
    }

    /// Whoever was started here and runs, with all that they started.
    pub(crate) fn inhabitants(&self) -> Vec<(u32, String)> {
        processes::that_know(self.folder.path())
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let left = self.inhabitants();
        if !left.is_empty() {
            kill(left.iter().map(|(process, _)| *process));
        }
    }
}

/// At once and without a word.
pub(crate) fn kill(processes: impl IntoIterator<Item = u32>) {
    let mut kill = run::command("kill");
    kill.arg("-KILL").args(processes.into_iter().map(|process| process.to_string()));
    let _ = kill.stderr(std::process::Stdio::null()).status();
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn whoever_lives_here_goes_with_it() {
        let home = Home::new().unwrap();
        let path = home.path().unwrap();
        let mut child =
            run::spawn(home.command(Path::new("sh"), &path).args(["-c", "sleep 60 & wait"])).unwrap();
        let until = |wanted: usize| {
            (0..1000).any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(5));
                processes::that_know(&path).len() == wanted
            })
        };
        assert!(until(2), "{:?}", home.inhabitants());
        drop(home);
        child.wait().unwrap();
        assert!(until(0));
    }
}
