//! Makes cargo run a build script again, though nothing that it reads has changed.

use std::io;
use std::path::Path;

use bowline_std::fs::read_text;

use super::remove;
use crate::shadow::place::Held;

const MOST_BYTES: u64 = 4 << 20;
/// Where cargo remembers what it has run.
const MEMORY: &str = ".fingerprint";
const RUN: &str = "run-build-script-";

/// Lets cargo forget that it has run the build script of a package, or, where that is not known, of any.
pub(super) fn run_again(held: &Held, package: Option<&Path>) -> io::Result<()> {
    let name = package.and_then(|dir| {
        let (text, _) = read_text(&held.within(dir).join("Cargo.toml"), MOST_BYTES).ok()?;
        name_in(&text).map(|name| format!("{name}-"))
    });
    let is_its = |file: &str| name.as_deref().is_none_or(|name| file.starts_with(name));
    // One directory for each profile, and with a target named there is one more level.
    for dir in below(&held.target()).flat_map(|dir| below(&dir).chain([dir])) {
        for unit in below(&dir.join(MEMORY)) {
            let unit_name = unit.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for file in below(&unit).filter(|_| is_its(&unit_name)) {
                if file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(RUN)) {
                    remove(&file)?;
                }
            }
        }
    }
    Ok(())
}

fn below(dir: &Path) -> impl Iterator<Item = std::path::PathBuf> + use<> {
    dir.read_dir().into_iter().flatten().flatten().map(|entry| entry.path())
}

/// The name of the package in a manifest.
fn name_in(manifest: &str) -> Option<&str> {
    let lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[package]").skip(1);
    let mut lines = lines.take_while(|line| !line.starts_with('['));
    let value = lines.find_map(|line| line.strip_prefix("name")?.trim_start().strip_prefix('='))?;
    value.split(['"', '\'']).nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_package_is_that_of_its_own_table() {
        let manifest = "[lib]\nname = \"other\"\n[package]\nversion = \"1\"\nname = \"shop\" # x\n[[bin]]\n";
        assert_eq!(name_in(manifest), Some("shop"));
        assert_eq!(name_in("[workspace]\nname = \"x\"\n"), None);
    }
}
