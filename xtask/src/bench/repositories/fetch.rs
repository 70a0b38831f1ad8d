//! Brings the sources of a repository here, with the client that its language has for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{Repository, Source, copy};
use crate::run;

const DOWNLOAD: Duration = Duration::from_secs(900);

pub(super) fn fetch(repository: &Repository, folder: &Path) -> Result<()> {
    let source = folder.join("source");
    match repository.source {
        Source::Sdist(imports) => sdist(repository, imports, folder),
        Source::Npm(imports) => npm(repository, imports, folder),
        Source::Module(path) => module(path, repository.version, &source),
        Source::Crate => registry(repository, folder),
        Source::Debian(package) => debian(repository, package, folder),
    }
}

/// pip asks the build system of a source distribution for its name, and so needs one of its own for it.
fn sdist(repository: &Repository, imports: &[&str], folder: &Path) -> Result<()> {
    let download = folder.join("download");
    let environment = folder.join("environment");
    let wanted = format!("{}=={}", repository.name, repository.version);
    quietly(run::command("python3").args(["-m", "venv"]).arg(&environment))?;
    let pip = || {
        let mut pip = run::command(environment.join("bin/python"));
        pip.args(["-m", "pip", "--disable-pip-version-check", "--no-input"]);
        pip
    };
    quietly(
        pip()
            .args(["download", "--no-deps", "--no-binary", repository.name, "--dest"])
            .arg(&download)
            .arg(wanted),
    )?;
    quietly(pip().args(["install", "--no-deps"]).args(imports))?;
    unpack(&only_file(&download, ".tar.gz")?, &folder.join("source"))
}

fn npm(repository: &Repository, imports: &[&str], folder: &Path) -> Result<()> {
    let wanted = format!("{}@{}", repository.name, repository.version);
    quietly(run::command("npm").current_dir(folder).args(["pack", "--ignore-scripts"]).arg(wanted))?;
    let source = folder.join("source");
    unpack(&only_file(folder, ".tgz")?, &source)?;
    // What npm built from the sources would be found beside them.
    for built in ["dist", "build"] {
        if source.join(built).is_dir() {
            fs::remove_dir_all(source.join(built))?;
        }
    }
    if imports.is_empty() {
        return Ok(());
    }
    // Not beside the package's own manifest: npm would bring all that its authors need.
    let beside = folder.join("imports");
    fs::create_dir_all(&beside)?;
    fs::write(beside.join("package.json"), "{\"private\": true}\n")?;
    let mut install = run::command("npm");
    install.current_dir(&beside).args([
        "install",
        "--no-audit",
        "--no-fund",
        "--no-package-lock",
        "--ignore-scripts",
    ]);
    quietly(install.args(imports))?;
    fs::rename(beside.join("node_modules"), source.join("node_modules")).context("npm left no `node_modules`")
}

fn module(path: &str, version: &str, source: &Path) -> Result<()> {
    let mut go = run::command("go");
    let said = run::stdout(go.args(["mod", "download", "-json"]).arg(format!("{path}@{version}")), DOWNLOAD)?;
    let said: Value = serde_json::from_str(&said).context("go printed no JSON")?;
    let folder = said["Dir"].as_str().context("go does not say where the module is")?;
    copy(Path::new(folder), source, &|_| true)?;
    // Later nothing is fetched.
    quietly(run::command("go").current_dir(source).args(["mod", "download"]))
}

fn registry(repository: &Repository, folder: &Path) -> Result<()> {
    let dummy = folder.join("dummy");
    fs::create_dir_all(&dummy)?;
    let manifest = format!(
        "[package]\nname = \"dummy\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[lib]\npath = \"lib.rs\"\n\n\
         [dependencies]\n{} = \"={}\"\n\n[workspace]\n",
        repository.name, repository.version
    );
    fs::write(dummy.join("Cargo.toml"), manifest)?;
    fs::write(dummy.join("lib.rs"), "")?;
    quietly(run::cargo().current_dir(&dummy).arg("fetch"))?;
    // A crate without a library is fetched, but cargo does not speak of it.
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).context("cargo has no home")?;
    let name = format!("{}-{}", repository.name, repository.version);
    let indexes = fs::read_dir(home.join("registry/src")).context("cargo keeps no sources")?.flatten();
    let found = indexes.map(|index| index.path().join(&name)).find(|crate_| crate_.is_dir());
    copy(&found.with_context(|| format!("cargo has no `{name}`"))?, &folder.join("source"), &|_| true)
}

/// With settings of its own: neither a line in the machine's sources nor the rights of root are needed.
fn debian(repository: &Repository, package: &str, folder: &Path) -> Result<()> {
    let apt = folder.join("apt");
    for inside in ["state/lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(apt.join(inside))?;
    }
    let machine = Path::new("/etc/apt/sources.list.d/debian.sources");
    let sources = fs::read_to_string(machine)
        .with_context(|| format!("sources of Debian come from a machine with `{}`", machine.display()))?;
    fs::write(apt.join("all.sources"), sources.replace("Types: deb\n", "Types: deb-src\n"))?;
    let at = apt.display();
    let settings = format!(
        "Dir::State \"{at}/state\";\nDir::State::status \"/var/lib/dpkg/status\";\nDir::Cache \"{at}/cache\";\n\
         Dir::Etc::SourceList \"{at}/all.sources\";\nDir::Etc::SourceParts \"/dev/null\";\n"
    );
    fs::write(apt.join("apt.conf"), settings)?;
    let get = || {
        let mut get = run::command("apt-get");
        get.current_dir(&apt).env("APT_CONFIG", apt.join("apt.conf"));
        get
    };
    quietly(get().arg("update"))?;
    // The packaging goes with the next point release; what it packages stays.
    quietly(get().args(["source", "--download-only", "--tar-only"]).arg(package))?;
    let archive = only_file(&apt, ".orig.tar.gz")?;
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    ensure!(name.contains(&format!("_{}", repository.version)), "Debian has `{name}`");
    unpack(&archive, &folder.join("source"))?;
    fs::remove_dir_all(&apt).context("cannot remove the lists of packages")
}

/// The one file that ends so.
fn only_file(folder: &Path, ending: &str) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    let files = entries.flatten().map(|entry| entry.path());
    let found: Vec<PathBuf> = files.filter(|file| file.to_string_lossy().ends_with(ending)).collect();
    ensure!(found.len() == 1, "{} files end with `{ending}` in `{}`", found.len(), folder.display());
    found.into_iter().next().context("there is one")
}

/// Archives have one folder at their top.
fn unpack(archive: &Path, place: &Path) -> Result<()> {
    fs::create_dir_all(place)?;
    quietly(run::command("tar").arg("xzf").arg(archive).args(["--strip-components=1", "-C"]).arg(place))
}

/// Clients are heard only when they fail.
fn quietly(command: &mut Command) -> Result<()> {
    run::stdout(command, DOWNLOAD).map(drop)
}
