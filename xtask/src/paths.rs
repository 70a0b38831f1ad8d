//! Where things are.

use std::path::{Path, PathBuf};

/// The repository.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// What cargo builds into.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// Where tools are installed. A second clone may share it by `BOWLINE_TOOLS_DIR`.
pub(crate) fn tools() -> PathBuf {
    match std::env::var_os("BOWLINE_TOOLS_DIR") {
        Some(dir) => root().join(dir),
        None => target().join("tools"),
    }
}

/// Where the language servers of the tests have their usual names.
pub(crate) fn servers() -> PathBuf {
    tools().join("servers").join("bin")
}

/// Where the compilers are that came with them.
pub(crate) fn compilers() -> PathBuf {
    tools().join("compilers").join("bin")
}

/// The built binary of a profile's folder.
pub(crate) fn binary(profile: &str) -> PathBuf {
    target().join(profile).join(format!("bowline{}", std::env::consts::EXE_SUFFIX))
}
