//! What the compiler said of a project as it is on disk, remembered for as long as the mirror shows the same files: a
//! second draft is compiled once, and not twice.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bowline_std::fs::{absolute, read_text};

use super::Checked;
use super::record::Records;
use super::settings::Settings;

const MAX_MANIFEST: u64 = 1 << 20;

/// The last verdict on each project without a draft.
#[derive(Default)]
pub(super) struct Baselines(Mutex<HashMap<PathBuf, (blake3::Hash, Checked)>>);

impl Baselines {
    pub(super) fn get(&self, root: &Path, shown: blake3::Hash) -> Option<Checked> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(root).filter(|(of, _)| *of == shown).map(|(_, checked)| checked.clone())
    }

    pub(super) fn put(&self, root: &Path, shown: blake3::Hash, checked: &Checked) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(root.to_owned(), (shown, checked.clone()));
    }
}

/// Tells what the mirror shows from whatever else it may show. `None`: the project is built from files outside of it,
/// which the mirror does not hold.
pub(super) fn fingerprint(root: &Path, records: &Records, settings: &Settings) -> Option<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    for argument in &settings.args {
        hasher.update(argument.as_bytes());
        hasher.update(&[0]);
    }
    for (path, record) in records {
        let path = Path::new(path);
        if path.file_name().is_some_and(|name| name == "Cargo.toml") && leads_out(root, path) {
            return None;
        }
        hasher.update(path.as_os_str().as_encoded_bytes());
        hasher.update(&[0]);
        hasher.update(record.hash.as_bytes());
    }
    Some(hasher.finalize())
}

/// Whether a manifest names a path outside of the root, or cannot be read.
fn leads_out(root: &Path, manifest: &Path) -> bool {
    let Ok((text, _)) = read_text(manifest, MAX_MANIFEST) else { return true };
    let directory = manifest.parent().unwrap_or(root);
    let named = text.split("path").skip(1).filter_map(|rest| {
        let value = rest.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        value[1..].split(quote).next()
    });
    named.into_iter().any(|path| !absolute(directory, Path::new(path)).starts_with(root))
}

#[cfg(test)]
mod tests {
    use bowline_testkit::Fixture;

    use super::*;

    #[test]
    fn a_project_that_is_built_from_elsewhere_is_not_remembered() {
        let fixture = Fixture::new(
            "//- /a/Cargo.toml\n[dependencies]\nb = { path = \"../b\" }\n//- /b/Cargo.toml\n[dependencies]\nc = { version = \"1\" }\n",
        );
        let leads_out = |root: &str, file: &str| leads_out(&fixture.path(root), &fixture.path(file));
        assert!(leads_out("a", "a/Cargo.toml"));
        assert!(!leads_out("", "a/Cargo.toml"));
        assert!(!leads_out("b", "b/Cargo.toml"));
        assert!(leads_out("b", "b/none/Cargo.toml"));
    }
}
