//! Reports that programs leave in files.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::folder::Folder;
use crate::runner::Left;

/// So large may all reports of a run be together.
const MOST: u64 = 32 << 20;
/// Modules are looked for this deep, in so many folders.
const DEPTH: usize = 5;
const MOST_FOLDERS: usize = 2000;
/// Clocks of file systems tick slowly.
const TICK: Duration = Duration::from_secs(2);

/// What was left since then. What is too large, or not there, says nothing; then the end of what was printed is told.
pub(super) fn text(left: &Left, since: SystemTime) -> String {
    match left {
        Left::File(file) => read(file, MOST).unwrap_or_default(),
        Left::Xml { below, folder } => {
            let mut text = String::new();
            for file in files(below, folder, since) {
                let room = MOST.saturating_sub(text.len() as u64);
                text.push_str(&read(&file, room).unwrap_or_default());
                text.push('\n');
            }
            text
        }
    }
}

fn read(file: &Path, most: u64) -> Option<String> {
    bowline_std::fs::read_text(file, most).ok().map(|(text, _)| text)
}

/// The files of XML in folders of this name. Older ones are of another run.
fn files(below: &Path, folder: &str, since: SystemTime) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut queue = vec![(below.to_owned(), 0, false)];
    let mut looked_at = 0;
    while let Some((dir, depth, inside)) = queue.pop() {
        looked_at += 1;
        for name in Folder::new(&dir).names() {
            let path = dir.join(&name);
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if metadata.is_dir() {
                let skipped = name.starts_with('.') || matches!(name.as_str(), "node_modules" | "src");
                if !skipped && depth < DEPTH && looked_at < MOST_FOLDERS {
                    queue.push((path, depth + 1, inside || name == folder));
                }
            } else if inside
                && name.ends_with(".xml")
                && metadata.modified().is_ok_and(|at| at + TICK >= since)
            {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_this_run_left_is_read() {
        let keep = tempfile::tempdir().unwrap();
        let put =
            |name: &str| bowline_std::fs::replace_private(&keep.path().join(name), name.as_bytes()).unwrap();
        ["a/build/test-results/test/TEST-a.xml", "b/pom.xml", "b/build/test-results/x.bin"]
            .iter()
            .for_each(|name| put(name));
        let left = Left::Xml { below: keep.path().to_owned(), folder: "test-results" };
        let now = SystemTime::now();
        assert_eq!(text(&left, now), "a/build/test-results/test/TEST-a.xml\n");
        assert_eq!(text(&left, now + Duration::from_secs(60)), "");
        assert_eq!(text(&Left::File(keep.path().join("b/pom.xml")), now), "b/pom.xml");
    }
}
