//! A directory of files made from one string.
//!
//! ```text
//! //- /src/lib.rs
//! pub fn gr$0eet() {}
//! //- /src/main.rs
//! fn main() { greet() }
//! ```
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a fixture that cannot be made is a failed test"
)]

use std::path::{Path, PathBuf};

use bowline_code::{Encoding, LineTable, Position};

/// Files in a directory of their own, gone when dropped.
#[derive(Debug)]
pub struct Fixture {
    dir: tempfile::TempDir,
    root: PathBuf,
    cursor: Option<(PathBuf, Position)>,
}

impl Fixture {
    /// Writes the files that the text describes.
    pub fn new(text: &str) -> Self {
        // Some servers pass over directories that begin with a dot.
        let dir = tempfile::Builder::new().prefix("fixture-").tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut fixture = Self { dir, root, cursor: None };
        for section in text.split("//- /").skip(1) {
            let (name, content) = section.split_once('\n').unwrap();
            fixture.write(name.trim(), content);
        }
        fixture
    }

    /// Adds or replaces a file; a `$0` in it becomes the cursor.
    pub fn write(&mut self, name: &str, content: &str) {
        let path = self.root.join(name);
        let text = match content.find("$0") {
            None => content.to_owned(),
            Some(at) => {
                let text = content.replacen("$0", "", 1);
                let position = LineTable::new(&text).position(&text, at, Encoding::Utf16);
                self.cursor = Some((path.clone(), position));
                text
            }
        };
        self.write_bytes(name, text.as_bytes());
    }

    /// Adds or replaces a file byte for byte.
    pub fn write_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// The directory, by its real path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The file and position of `$0`.
    pub fn cursor(&self) -> (PathBuf, Position) {
        self.cursor.clone().unwrap()
    }

    /// The text with the fixture's directory taken out, so that it can be compared.
    pub fn relative(&self, text: &str) -> String {
        text.replace(&self.root.display().to_string(), "")
    }

    /// Removes the directory now instead of at the end.
    pub fn close(self) {
        self.dir.close().unwrap();
    }
}
