//! The repository's files as text.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use crate::{paths, run};

/// Nothing written by hand is larger.
const LARGEST: u64 = 4 << 20;

/// Path, with `/`, and text. What is not text is not here.
pub(crate) struct Tree(BTreeMap<String, String>);

impl Tree {
    /// Every file that git keeps or would keep: new ones count before they are added.
    pub(crate) fn read() -> Result<Self> {
        let listed = run::stdout(
            run::command("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]),
            Duration::from_secs(60),
        )?;
        let files = listed
            .split('\0')
            .filter_map(|path| Some((path.to_owned(), read(&paths::root().join(path))?)))
            .collect();
        Ok(Self(files))
    }

    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().filter(|(path, _)| path.ends_with(".rs"))
    }

    /// The crates, by the name of their folder, with their manifests.
    pub(crate) fn crates(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().filter_map(|(path, text)| {
            let name = path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
            (!name.contains('/')).then_some((name, text))
        })
    }
}

fn read(path: &Path) -> Option<String> {
    let metadata = path.symlink_metadata().ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    std::fs::read_to_string(path).ok()
}

/// Whether the whole file is tests or what tests read.
pub(crate) fn is_test(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "fixtures" | "snapshots"))
}

/// Whether it is sample code, which belongs to the test that looks at it.
pub(crate) fn is_sample(path: &str) -> bool {
    is_test(path) && path.split('/').any(|part| matches!(part, "fixtures" | "projects"))
}

/// The part before the tests that stand at the end of the file.
pub(crate) fn without_tests(text: &str) -> &str {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == "#[cfg(test)]" {
            let next = text[start + line.len()..].trim_start();
            if next.starts_with("mod ") {
                return &text[..start];
            }
        }
        start += line.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_tests_from_code() {
        assert!(is_test("crates/bowline-gate/tests/it/main.rs"));
        assert!(is_test("crates/bowline-mcp/src/envelope/tests.rs"));
        assert!(!is_test("xtask/src/test.rs"));
        assert!(is_sample("crates/bowline-workspace/tests/real_servers/projects/rust/src/main.rs"));
        assert!(!is_sample("crates/bowline-workspace/tests/real_servers/main.rs"));
        assert!(!is_sample("crates/bowline-workspace/src/projects/main.rs"));
        let code = "fn a() {}\n#[cfg(test)]\nuse b;\n";
        assert_eq!(without_tests(&format!("{code}#[cfg(test)]\nmod tests {{}}\n")), code);
        assert_eq!(without_tests(code), code);
    }
}
