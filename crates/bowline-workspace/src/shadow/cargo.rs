//! What is asked of cargo: which workspace a directory belongs to, and what the compiler says of its shadow.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ShadowError;
use super::place::Held;
use super::settings::Settings;
use crate::cargo::cargo;
use crate::program::{Output, Run};
use crate::{Patience, ProgramError, WorkspaceError};

/// What runs nothing but a look-up has so long.
const LIMIT: Duration = Duration::from_secs(10);
/// The first check builds all that the project depends on.
const CHECK_LIMIT: Duration = Duration::from_secs(1800);
const MOST_BYTES: usize = 64 << 20;

/// Where a project is, and by what it is compiled.
pub(super) struct Found {
    /// Of its Cargo workspace.
    pub(super) root: PathBuf,
    /// The toolchain that rustup has for this very directory and not for its shadow.
    toolchain: Option<String>,
}

/// Finds the Cargo workspace around a directory, as cargo does.
pub(super) async fn find(
    dir: &Path,
    environment: &[(OsString, OsString)],
    patience: &Patience<'_>,
) -> Result<Found, ShadowError> {
    let locate = cargo(dir, environment, LIMIT).args([
        "locate-project",
        "--workspace",
        "--offline",
        "--message-format",
        "plain",
    ]);
    let toolchain = Run::new("rustup", dir, environment, LIMIT)
        .env("RUSTUP_AUTO_INSTALL", "0")
        .args(["show", "active-toolchain"]);
    let (located, active) = tokio::join!(locate.output(patience), toolchain.output(patience));
    let located = located?;
    if located.complaint().contains("could not find `Cargo.toml`") {
        return Err(ShadowError::NoPackage { at: dir.to_owned() });
    }
    let said = located.successful().map_err(|error| match error {
        ProgramError::Failed { said, .. } => ShadowError::CouldNotRun { said: one_line(&said) },
        error => error.into(),
    })?;
    let manifest = PathBuf::from(String::from_utf8_lossy(&said).trim_end_matches('\n'));
    let root = manifest.parent().and_then(|root| root.canonicalize().ok());
    let root = root.ok_or_else(|| ShadowError::NoPackage { at: dir.to_owned() })?;
    // Without rustup there is one toolchain only.
    let active = active.ok().and_then(|active| active.successful().ok());
    Ok(Found { root, toolchain: active.as_deref().and_then(overridden) })
}

/// The toolchain of a directory for which rustup was told one. What a file of the project says is found in its shadow.
fn overridden(said: &[u8]) -> Option<String> {
    let said = String::from_utf8_lossy(said);
    let toolchain = said.split_whitespace().next()?;
    said.contains("directory override").then(|| toolchain.to_owned())
}

/// The packages of the workspace around a directory, as they are on disk, in the words of cargo. Runs none of them.
pub(super) async fn describe(
    dir: &Path,
    environment: &[(OsString, OsString)],
    patience: &Patience<'_>,
) -> Result<Vec<u8>, ShadowError> {
    let asked = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let said = cargo(dir, environment, LIMIT).args(asked).at_most(MOST_BYTES).output(patience).await?;
    said.successful().map_err(|error| match error {
        ProgramError::Failed { said, .. } => ShadowError::CouldNotRun { said: one_line(&said) },
        error => error.into(),
    })
}

/// Lets the compiler look at everything in the shadow.
pub(super) async fn check(
    held: &Held,
    found: &Found,
    settings: &Settings,
    environment: &[(OsString, OsString)],
    patience: &Patience<'_>,
) -> Result<Output, ShadowError> {
    let mut run = cargo(&held.within(&found.root), environment, CHECK_LIMIT)
        .args(["check", "--workspace", "--keep-going", "--offline"])
        // What people see of a diagnostic is not read here, so it may be short.
        .args(["--message-format=json,json-diagnostic-short"])
        .args(&settings.args)
        .env("CARGO_TARGET_DIR", held.target())
        .env("CARGO_BUILD_BUILD_DIR", held.target())
        // Where a build script panics is said in its first line.
        .env("RUST_BACKTRACE", "0")
        .at_most(MOST_BYTES);
    if let Some(toolchain) = &found.toolchain {
        run = run.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    match run.output(patience).await {
        Err(WorkspaceError::Program(ProgramError::TooSlow { after, last, .. })) => {
            Err(ShadowError::Unfinished { after, last })
        }
        said => Ok(said?),
    }
}

/// What cargo complains, from the first error on, as one sentence.
pub(super) fn one_line(said: &str) -> String {
    let from = said.find("error").unwrap_or(0);
    let words: Vec<&str> = said[from..].split_whitespace().collect();
    let line = words.join(" ");
    bowline_std::text::cut(line.strip_prefix("error: ").unwrap_or(&line), 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_rustup_was_told_for_a_directory_is_carried_over() {
        let told = b"nightly-x86_64-unknown-linux-gnu (directory override for '/a/b')\n";
        assert_eq!(overridden(told).as_deref(), Some("nightly-x86_64-unknown-linux-gnu"));
        assert_eq!(overridden(b"1.95.0 (overridden by '/a/rust-toolchain.toml')"), None);
        assert_eq!(overridden(b"stable (default)"), None);
    }

    #[test]
    fn a_complaint_is_one_sentence() {
        let said = "   Compiling x\nerror: failed to run custom build command\n\nCaused by:\n  boom";
        assert_eq!(one_line(said), "failed to run custom build command Caused by: boom");
    }
}
