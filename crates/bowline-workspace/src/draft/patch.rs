//! A draft as unified diffs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_std::fs::{ReadError, read_text_straight};
use similar::{Algorithm, TextDiff};

use super::{Draft, DraftError, Drafted, Files};
use crate::WorkspaceError;
use crate::workspace::Work;

/// No comparison of two texts takes longer; what is left is taken for changed.
const LONGEST: Duration = Duration::from_secs(1);

/// What a draft does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    pub path: PathBuf,
    /// A unified diff. Lines keep their ends.
    pub diff: String,
    /// The whole text as it would be. `None`: the file is removed.
    pub text: Option<Arc<str>>,
}

impl Draft {
    /// What it would do to each file that it changes.
    pub fn patches(&self) -> Vec<Patch> {
        let files = self.held().files.clone();
        patches(&files, self.root())
    }
}

/// Names count from the root, so that `patch -p1` there reads them.
pub(super) fn patches(files: &Files, root: &Path) -> Vec<Patch> {
    let changed = files.iter().filter(|(_, file)| file.is_changed());
    changed
        .map(|(path, Drafted { before, after, .. })| Patch {
            path: path.clone(),
            diff: unified(path.strip_prefix(root).unwrap_or(path), before.as_deref(), after.as_deref()),
            text: after.clone(),
        })
        .collect()
}

/// A unified diff of one file, as `git diff` and `patch` read it.
pub(crate) fn unified(path: &Path, before: Option<&str>, after: Option<&str>) -> String {
    let name = path.strip_prefix("/").unwrap_or(path).display();
    let side = |letter: char, text: Option<&str>| match text {
        Some(_) => format!("{letter}/{name}"),
        None => "/dev/null".to_owned(),
    };
    let mut config = TextDiff::configure();
    config.algorithm(Algorithm::Myers).deadline(Instant::now() + LONGEST);
    let diff = config.diff_lines(before.unwrap_or_default(), after.unwrap_or_default());
    let text =
        diff.unified_diff().context_radius(3).header(&side('a', before), &side('b', after)).to_string();
    // An empty file has no lines to show.
    let word = match (before, after) {
        (None, Some(_)) if text.is_empty() => "new file mode 100644",
        (Some(_), None) if text.is_empty() => "deleted file mode 100644",
        _ => return text,
    };
    format!("diff --git a/{name} b/{name}\n{word}\n")
}

impl Work {
    /// An error that shows what somebody else did, if a file is no longer what a draft was made from.
    pub(super) fn compare_with_disk(&self, files: &Files) -> Result<(), WorkspaceError> {
        for (path, file) in files {
            let now = match read_text_straight(path, self.shared.options.max_named_file_bytes) {
                Ok((text, _)) => Some(text),
                Err(ReadError::NotFound(_)) => None,
                Err(error) => return Err(error.into()),
            };
            if now.as_deref() != file.before.as_deref() {
                return Err(changed(path, file.before.as_deref(), now.as_deref()).into());
            }
        }
        Ok(())
    }
}

pub(super) fn changed(path: &Path, was: Option<&str>, is: Option<&str>) -> DraftError {
    let hash = |text: Option<&str>| text.map(|text| *blake3::hash(text.as_bytes()).as_bytes());
    let diff = bowline_std::text::cut(&unified(path, was, is), 4000);
    DraftError::Changed { path: path.to_owned(), was: hash(was), is: hash(is), diff }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(before: Option<&str>, after: Option<&str>) -> String {
        unified(Path::new("p/a.go"), before, after)
    }

    #[test]
    fn a_diff_that_patch_can_read() {
        let before = "one\ntwo\nthree\n";
        insta::assert_snapshot!(diff(Some(before), Some("one\n2\nthree\n")), @r"
        --- a/p/a.go
        +++ b/p/a.go
        @@ -1,3 +1,3 @@
         one
        -two
        +2
         three
        ");
    }

    #[test]
    fn files_that_come_and_go_and_a_missing_last_line_end() {
        insta::assert_snapshot!(diff(None, Some("new")), @r"
        --- /dev/null
        +++ b/p/a.go
        @@ -0,0 +1 @@
        +new
        \ No newline at end of file
        ");
        assert_eq!(diff(None, Some("")), "diff --git a/p/a.go b/p/a.go\nnew file mode 100644\n");
        assert!(diff(Some("old\n"), None).contains("+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"));
        assert!(diff(Some("a\r\n"), Some("b\r\n")).contains("-a\r\n+b\r\n"));
    }
}
