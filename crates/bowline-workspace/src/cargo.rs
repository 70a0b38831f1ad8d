//! The one `cargo` that is run here: what builds in a directory of ours shares it.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::program::Run;

/// A cargo that asks nobody, fetches nothing and builds where it is told to, not where the environment says.
pub(crate) fn cargo(dir: &Path, environment: &[(OsString, OsString)], limit: Duration) -> Run {
    Run::new("cargo", dir, environment, limit)
        .without_env(&["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_BUILD_BUILD_DIR"])
        .env("CARGO_TERM_COLOR", "never")
        .env("CARGO_TERM_PROGRESS_WHEN", "never")
        .env("CARGO_NET_OFFLINE", "true")
        // A toolchain that the project names and that is not there is not fetched.
        .env("RUSTUP_AUTO_INSTALL", "0")
}
