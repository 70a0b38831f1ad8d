//! Whether a server can really be started. Nothing is run to find out.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bowline_std::fs::read_text;

/// Settings of a tool chain are a few lines.
const MAX_SETTINGS: u64 = 64 << 10;

/// Where a server's program is on a search path, or what is there instead.
pub fn find_server(binary: &str, root: &Path, path_var: &OsStr) -> Result<PathBuf, Option<String>> {
    let mut reason = None;
    for directory in std::env::split_paths(path_var).filter(|directory| directory.is_absolute()) {
        let path = directory.join(binary);
        if !is_program(&path) {
            continue;
        }
        if !is_rustup(&path) || component_exists(binary, &path, root) {
            return Ok(path);
        }
        reason = Some(format!(
            "`{}` is rustup's stand-in; `rustup component add {binary}` puts the real one behind it",
            path.display()
        ));
    }
    Err(reason)
}

fn is_program(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else {
        return false;
    };
    #[cfg(unix)]
    let executable = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let executable = true;
    metadata.is_file() && executable
}

/// rustup puts itself, by link or by hard link, under the name of every program that a tool chain may have.
fn is_rustup(path: &Path) -> bool {
    let rustup = path.with_file_name("rustup");
    let by_link = path.canonicalize().is_ok_and(|real| real.file_stem().is_some_and(|name| name == "rustup"));
    by_link || same_file(path, &rustup)
}

#[cfg(unix)]
fn same_file(left: &Path, right: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()));
    id(left).is_some_and(|left| Some(left) == id(right))
}

#[cfg(not(unix))]
fn same_file(_left: &Path, _right: &Path) -> bool {
    false
}

/// Whether the tool chain that rustup would choose for this directory has the program. rustup's home lies beside
/// cargo's, whose `bin` the stand-in is in.
fn component_exists(binary: &str, stand_in: &Path, root: &Path) -> bool {
    let Some(beside) = stand_in.ancestors().nth(3) else {
        return false;
    };
    let homes = [".rustup", "rustup"].map(|name| beside.join(name));
    let Some(home) = homes.iter().find(|home| home.join("toolchains").is_dir()) else {
        return false;
    };
    let wanted = wanted_toolchain(home, root);
    let fits = |name: &str| {
        wanted.as_deref().is_none_or(|wanted| {
            name.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    };
    let toolchains = home.join("toolchains").read_dir().into_iter().flatten().flatten();
    toolchains
        .filter(|toolchain| toolchain.file_name().to_str().is_some_and(fits))
        .any(|toolchain| is_program(&toolchain.path().join("bin").join(binary)))
}

/// The tool chain named by the project, else the user's default. `None` if nobody says.
fn wanted_toolchain(home: &Path, root: &Path) -> Option<String> {
    let of_project = root.ancestors().find_map(|directory| {
        value(&directory.join("rust-toolchain.toml"), "channel").or_else(|| {
            // The older form may be nothing but the name.
            let path = directory.join("rust-toolchain");
            value(&path, "channel").or_else(|| first_line(&path))
        })
    });
    of_project.or_else(|| value(&home.join("settings.toml"), "default_toolchain"))
}

/// The text that a line of a settings file gives to a key.
fn value(path: &Path, key: &str) -> Option<String> {
    let (text, _) = read_text(path, MAX_SETTINGS).ok()?;
    text.lines().find_map(|line| {
        let value = line.trim().strip_prefix(key)?.trim_start().strip_prefix('=')?.trim();
        // Behind the value there may be a remark.
        let plain = value.trim_start_matches(['"', '\'']).split(['"', '\'', '#']).next()?;
        Some(plain.trim().to_owned())
    })
}

fn first_line(path: &Path) -> Option<String> {
    let (text, _) = read_text(path, MAX_SETTINGS).ok()?;
    text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('[')).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_with_remarks_and_quotes() {
        let read = |text: &str| {
            let fixture = bowline_testkit::Fixture::new("");
            fixture.write_bytes("rust-toolchain.toml", text.as_bytes());
            value(&fixture.path("rust-toolchain.toml"), "channel")
        };
        assert_eq!(read("[toolchain]\nchannel = \"1.95.0\" # as in CI\n").as_deref(), Some("1.95.0"));
        assert_eq!(read("channel='stable'\n").as_deref(), Some("stable"));
        assert_eq!(read("channels = \"x\"\n"), None);
    }
}
