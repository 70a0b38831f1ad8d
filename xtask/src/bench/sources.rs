//! A large tree of real source code, copied from what a Rust machine has anyway.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::run;

/// The languages that are indexed.
const EXTENSIONS: [&str; 19] = [
    "rs", "py", "pyi", "go", "ts", "tsx", "js", "jsx", "mjs", "java", "c", "h", "cpp", "cc", "hpp", "cs",
    "rb", "php", "sh",
];

/// Generated tables, mostly: nobody reads them, and one of them is as long as a library.
const LARGEST: u64 = 1 << 20;

/// Fewer lines than this say nothing about a large project.
const FEWEST: u64 = 500_000;

pub(crate) struct Sources {
    pub(crate) folder: PathBuf,
    pub(crate) files: u64,
    pub(crate) lines: u64,
}

/// At least so many lines where there are so many, copied once.
pub(crate) fn assemble(scratch: &Path, wanted: u64) -> Result<Sources> {
    let folder = scratch.join(format!("tree-{wanted}"));
    let stamp = scratch.join(format!("tree-{wanted}.json"));
    let found =
        std::fs::read_to_string(&stamp).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    if let Some((files, lines)) =
        found.and_then(|found| Some((found["files"].as_u64()?, found["lines"].as_u64()?)))
    {
        return Ok(Sources { folder, files, lines });
    }
    println!("copying {wanted} lines of source …");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let mut sources = Sources { folder, files: 0, lines: 0 };
    for (name, origin) in origins() {
        let into = sources.folder.join(name);
        sources.copy(&origin, &into, wanted)?;
    }
    if sources.lines < FEWEST {
        bail!(
            "only {} lines of source are on this machine; `rustup component add rust-src` brings more",
            sources.lines
        );
    }
    let text = json!({ "files": sources.files, "lines": sources.lines }).to_string();
    std::fs::write(stamp, text)?;
    Ok(sources)
}

impl Sources {
    /// In the order of names, so that every machine with these packages measures the same.
    fn copy(&mut self, from: &Path, into: &Path, wanted: u64) -> Result<()> {
        let mut entries: Vec<_> = std::fs::read_dir(from)
            .with_context(|| format!("cannot list `{}`", from.display()))?
            .collect::<std::io::Result<_>>()?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            if self.lines >= wanted {
                return Ok(());
            }
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            if name.to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                self.copy(&entry.path(), &into.join(name), wanted)?;
            } else if kind.is_file() && is_source(&entry.path()) && entry.metadata()?.len() <= LARGEST {
                let text = std::fs::read(entry.path())?;
                std::fs::create_dir_all(into)?;
                std::fs::write(into.join(name), &text)?;
                self.files += 1;
                self.lines += text.iter().filter(|byte| **byte == b'\n').count() as u64;
            }
        }
        Ok(())
    }
}

fn is_source(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// The standard libraries and the crates that cargo has unpacked, as far as they are here.
fn origins() -> Vec<(&'static str, PathBuf)> {
    let ask = |program: &str, arguments: &[&str]| {
        let answer = run::stdout(run::command(program).args(arguments), Duration::from_secs(30));
        answer.ok().map(|text| PathBuf::from(text.trim()))
    };
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    [
        ("rust", ask("rustc", &["--print", "sysroot"]), "lib/rustlib/src/rust/library"),
        ("crates", cargo_home, "registry/src"),
        ("go", ask("go", &["env", "GOROOT"]), "src"),
    ]
    .into_iter()
    .filter_map(|(name, base, below)| Some((name, base?.join(below))))
    .filter(|(_, folder)| folder.is_dir())
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_source_and_stops_when_there_is_enough() {
        let scratch = tempfile::tempdir().unwrap();
        let from = scratch.path().join("from");
        std::fs::create_dir_all(from.join("inner")).unwrap();
        for (name, text) in [("a.rs", "1\n2\n"), ("b.txt", "1\n"), ("inner/c.py", "1\n"), ("z.rs", "1\n")] {
            std::fs::write(from.join(name), text).unwrap();
        }
        let mut sources = Sources { folder: scratch.path().join("tree"), files: 0, lines: 0 };
        let into = sources.folder.clone();
        sources.copy(&from, &into, 3).unwrap();
        assert_eq!((sources.files, sources.lines), (2, 3));
        assert!(into.join("inner/c.py").is_file() && !into.join("z.rs").exists());
    }
}
