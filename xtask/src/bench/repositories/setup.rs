//! What makes a fetched package a project: settings that its authors keep in their repository and do not ship.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{Language, Repository, Setup};
use crate::run;

const FETCH: Duration = Duration::from_secs(900);

/// What is the same wherever it is copied to.
pub(super) fn once(repository: &Repository, folder: &Path) -> Result<()> {
    let source = folder.join("source");
    match repository.setup {
        Setup::Nothing | Setup::Units { .. } => {}
        Setup::TsConfig => {
            let options = json!({
                "target": "es2022", "lib": ["es2022", "dom", "dom.iterable"], "module": "esnext",
                "moduleResolution": "bundler", "strict": true, "noEmit": true, "skipLibCheck": true, "types": [],
            });
            let settings = json!({ "compilerOptions": options, "include": ["src"] });
            fs::write(source.join("tsconfig.json"), serde_json::to_string_pretty(&settings)? + "\n")?;
            // The authors' own, one for each way to build it.
            for entry in fs::read_dir(source.join("src"))?.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.starts_with("tsconfig.") && name.ends_with(".json") {
                    fs::remove_file(entry.path())?;
                }
            }
        }
        Setup::Features(find, replace) => {
            let manifest = source.join("Cargo.toml");
            let text = fs::read_to_string(&manifest)?;
            ensure!(text.matches(find).count() == 1, "`{find}` stands in `Cargo.toml` not once");
            fs::write(&manifest, text.replace(find, replace))?;
        }
    }
    match repository.language {
        Language::Python => {
            let settings = json!({ "venvPath": folder, "venv": "environment" });
            fs::write(source.join("pyrightconfig.json"), settings.to_string() + "\n")?;
        }
        Language::Rust => {
            // Wherever it is, it belongs to no workspace above it.
            let manifest = source.join("Cargo.toml");
            let text = fs::read_to_string(&manifest)?;
            fs::write(&manifest, text + "\n[workspace]\n")?;
            run::stdout(run::cargo().current_dir(&source).arg("fetch"), FETCH)?;
        }
        Language::C if repository.name == "redis" => {
            // Its makefile writes it, with the time of the build.
            let text = "#define REDIS_GIT_SHA1 \"00000000\"\n#define REDIS_GIT_DIRTY \"0\"\n#define REDIS_BUILD_ID \"here\"\n";
            fs::write(source.join("src/release.h"), text)?;
        }
        _ => {}
    }
    Ok(())
}

/// What names the folder where it is. It is a repository of git, as a clone would be: what is built in it is not
/// part of it.
pub(super) fn here(repository: &Repository, root: &Path) -> Result<()> {
    if !root.join(".gitignore").exists() {
        fs::write(root.join(".gitignore"), "target/\nnode_modules/\n__pycache__/\n.cache/\n")?;
    }
    if !root.join(".git").exists() {
        run::stdout(run::command("git").current_dir(root).args(["init", "--quiet"]), FETCH)?;
    }
    let Setup::Units { folders, without, command } = repository.setup else { return Ok(()) };
    let mut commands = Vec::new();
    for folder in folders {
        for unit in units(&root.join(folder), without)? {
            let file = unit.strip_prefix(root).context("it is below the root")?;
            let mut arguments: Vec<Value> = command.iter().map(|word| json!(word)).collect();
            arguments.extend([json!("-c"), json!(file)]);
            commands.push(json!({ "directory": root, "file": file, "arguments": arguments }));
        }
    }
    let (file, text) = (root.join("compile_commands.json"), serde_json::to_string_pretty(&commands)? + "\n");
    if fs::read_to_string(&file).is_ok_and(|found| found == text) {
        return Ok(());
    }
    fs::write(file, text).context("cannot write the commands")
}

/// The files of a folder that are compiled, without those below it.
fn units(folder: &Path, without: &[&str]) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    let files = entries.flatten().map(|entry| entry.path());
    let is_unit = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        file.extension().is_some_and(|ending| ending == "c" || ending == "cc")
            && !without.iter().any(|part| name.contains(part))
    };
    let mut units: Vec<PathBuf> = files.filter(is_unit).collect();
    units.sort();
    Ok(units)
}
