//! What runners need that no machine has by itself, for the tests that let them run: test frameworks, checkers, and what
//! Maven would fetch.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::arguments::Arguments;
use crate::tools::{self, Tool};
use crate::{compilers, install, node, paths, prerequisites, run};

/// A package, and the variable by which the tests find it.
const PACKAGES: [(&str, &Tool); 6] = [
    ("BOWLINE_RUNNER_PYTEST", &tools::PYTEST),
    ("BOWLINE_RUNNER_MYPY", &tools::MYPY),
    ("BOWLINE_RUNNER_ESLINT", &tools::ESLINT),
    ("BOWLINE_RUNNER_JEST", &tools::JEST),
    ("BOWLINE_RUNNER_VITEST", &tools::VITEST),
    ("BOWLINE_RUNNER_TYPESCRIPT", &tools::TYPESCRIPT),
];

/// The oldest Node that all of them run on.
const NODE: (u32, u32) = (20, 19);

/// The property that says where Maven's repository is; in one word it would be taken for the name of a host.
const LOCAL: &str = concat!("maven.", "repo.local");

/// With nothing fetched before, Maven takes half a minute.
const FETCH: Duration = Duration::from_secs(600);

/// `cargo xtask runners`: installs them and prints the variables, for a `cargo test` by hand.
pub(crate) fn main(arguments: Arguments) -> Result<()> {
    arguments.finish()?;
    prerequisites::check()?;
    for (name, value) in environment()?.into_iter().chain(compilers::environment()?) {
        println!("export {name}='{value}'");
    }
    Ok(())
}

pub(crate) fn environment() -> Result<Vec<(&'static str, String)>> {
    let mut variables = Vec::new();
    for (variable, tool) in PACKAGES {
        variables.push((variable, install::tool(tool)?.display().to_string()));
    }
    variables.push(("BOWLINE_RUNNER_NODE", node::at_least(NODE)?.display().to_string()));
    variables.push(("BOWLINE_RUNNER_MAVEN", maven()?.display().to_string()));
    Ok(variables)
}

/// A repository of Maven's with everything in it that the sample project needs, so that its tests need no network. The
/// sample pins the plugins; it is run once, and that it fails is what it is for.
fn maven() -> Result<PathBuf> {
    let sample = paths::root().join("crates/bowline-run/tests/projects/maven");
    let folder = paths::tools().join("maven-repository");
    let stamp = folder.join("installed");
    let wanted = manifests(&sample)?;
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(folder);
    }
    let started = Instant::now();
    eprintln!("fetching what Maven needs …");
    let copy = tempfile::tempdir()?;
    copy_tree(&sample, copy.path())?;
    let mut maven = run::command("mvn");
    maven.current_dir(copy.path()).arg(format!("-D{LOCAL}={}", folder.display()));
    maven.args(["-B", "-q", "-ntp", "-fae", "-Dmaven.test.failure.ignore=true", "test"]);
    run::stdout(&mut maven, FETCH).context("cannot fetch what Maven needs")?;
    ensure!(folder.is_dir(), "Maven left nothing in `{}`", folder.display());
    fs::write(&stamp, wanted)?;
    eprintln!("fetched what Maven needs in {:.0} s", started.elapsed().as_secs_f64());
    Ok(folder)
}

/// All `pom.xml` of the sample: what they ask for is what must be there.
fn manifests(dir: &Path) -> Result<String> {
    let mut text = String::new();
    let mut entries: Vec<PathBuf> =
        fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            text.push_str(&manifests(&path)?);
        } else if path.file_name().is_some_and(|name| name == "pom.xml") {
            text.push_str(&fs::read_to_string(&path)?);
        }
    }
    Ok(text)
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
