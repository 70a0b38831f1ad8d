//! The files beside a skill: which paths may be asked for.

use crate::SkillError;

/// The folders that are looked into, in the order of the alphabet.
pub(crate) const FOLDERS: [&str; 3] = ["assets", "references", "scripts"];

/// So many files of one folder are listed.
pub(crate) const MOST: usize = 1_000;

/// The folder and the name that a path asks for.
pub(crate) fn parse(skill: &str, path: &str) -> Result<(&'static str, String), SkillError> {
    if path.contains('\0') {
        return Err(SkillError::BadArgument("the path has a NUL byte in it".into()));
    }
    let clean = path.trim_ascii().replace('\\', "/");
    if clean.is_empty() {
        return Err(SkillError::BadArgument("the path is empty".into()));
    }
    let invalid = || SkillError::InvalidPath { path: path.to_owned() };
    let (folder, name) = clean.split_once('/').ok_or_else(invalid)?;
    let folder = FOLDERS.into_iter().find(|known| *known == folder).ok_or_else(invalid)?;
    if name.is_empty() || name.contains('/') || name == "." || name == ".." {
        return Err(invalid());
    }
    // What is not listed is not there.
    if name.starts_with('.') {
        return Err(missing(skill, path));
    }
    Ok((folder, name.to_owned()))
}

pub(crate) fn missing(skill: &str, path: &str) -> SkillError {
    SkillError::FileNotFound { name: skill.to_owned(), path: path.to_owned() }
}

/// The text of a file. What is not UTF-8 in it is replaced.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_level_below_three_folders() {
        for path in ["references/a.md", " references/a.md ", "references\\a.md", "references/a.md\n"] {
            assert_eq!(parse("s", path).unwrap(), ("references", "a.md".to_owned()), "{path:?}");
        }
        assert_eq!(parse("s", "references/a.md\u{a0}").unwrap().1, "a.md\u{a0}");
        assert_eq!(parse("s", "references/%2e%2e").unwrap().1, "%2e%2e");
        assert_eq!(parse("s", "scripts/...").unwrap_err().code(), "FILE_NOT_FOUND");
        for (path, code) in [
            ("references/.hid", "FILE_NOT_FOUND"),
            ("references/a.md/", "INVALID_PATH"),
            ("references/", "INVALID_PATH"),
            ("references", "INVALID_PATH"),
            ("REFERENCES/a.md", "INVALID_PATH"),
            ("references/../SKILL.md", "INVALID_PATH"),
            ("references/..", "INVALID_PATH"),
            ("references//a.md", "INVALID_PATH"),
            ("/references/a.md", "INVALID_PATH"),
            ("./references/a.md", "INVALID_PATH"),
            ("SKILL.md", "INVALID_PATH"),
            ("C:\\x", "INVALID_PATH"),
            ("\u{2003}references/a.md", "INVALID_PATH"),
            ("~/x", "INVALID_PATH"),
            ("references/a\0.md", "ARGUMENT_ERROR"),
            ("", "ARGUMENT_ERROR"),
            (" \n", "ARGUMENT_ERROR"),
        ] {
            assert_eq!(parse("s", path).unwrap_err().code(), code, "{path:?}");
        }
    }
}
