//! The files that a call of another server's tool may be about. What such a tool does with them is not known.

use std::path::PathBuf;

use serde_json::Value;

/// Objects and lists in arguments are looked into so far.
const MAX_DEPTH: usize = 4;
/// More paths are not told apart: then anything may be meant.
const MAX_PATHS: usize = 256;

/// Ends of names under which tools take files, without their separators.
const ENDS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "dir",
    "dirs",
    "directory",
    "directories",
    "folder",
    "folders",
    "uri",
    "uris",
];
const NAMES: &[&str] = &[
    "source",
    "sources",
    "destination",
    "destinations",
    "src",
    "dst",
    "dest",
    "from",
    "to",
    "target",
    "targets",
    "location",
    "input",
    "output",
    "root",
    "cwd",
    "document",
    "resource",
    "notebook",
];

/// Every path that arguments may name, in their order, each once. The root of all files stands for more than can be told.
pub fn foreign_paths(arguments: &Value) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // Some clients hand on the arguments as text.
    let parsed = arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
    collect(parsed.as_ref().unwrap_or(arguments), false, MAX_DEPTH, &mut found);
    if found.len() > MAX_PATHS {
        return vec![PathBuf::from("/")];
    }
    found
}

fn collect(value: &Value, is_named: bool, depth: usize, found: &mut Vec<PathBuf>) {
    if found.len() > MAX_PATHS {
        return;
    }
    match value {
        Value::String(text) => {
            for path in path(text, is_named) {
                if !found.contains(&path) {
                    found.push(path);
                }
            }
        }
        Value::Array(items) if depth > 0 => {
            items.iter().for_each(|item| collect(item, is_named, depth - 1, found));
        }
        Value::Object(members) if depth > 0 => {
            members.iter().for_each(|(name, value)| collect(value, names_files(name), depth - 1, found));
        }
        // Too deep to be looked into.
        Value::Array(_) | Value::Object(_) => found.push(PathBuf::from("/")),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// `file_path`, `filePath`, `source-dir`.
fn names_files(name: &str) -> bool {
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    NAMES.contains(&plain.as_str()) || ENDS.iter().any(|end| plain.ends_with(end))
}

/// More than one, where programs differ in what they take for the path.
fn path(text: &str, is_named: bool) -> Vec<PathBuf> {
    if text.trim_start().starts_with(['f', 'F']) {
        // Programs that read addresses leave these letters out.
        let is_read = |letter: &char| !matches!(letter, '\t' | '\n' | '\r');
        let address: String = text.trim().chars().filter(is_read).collect();
        let scheme = address.get(..5).filter(|start| start.eq_ignore_ascii_case("file:"));
        if let Some(rest) = scheme.map(|_| &address[5..]).filter(|rest| is_named || rest.starts_with('/')) {
            return in_address(rest).into_iter().map(|path| PathBuf::from(decoded(path))).collect();
        }
    }
    // `https://a/b` is none, but what leads upwards out of it is a path to programs that resolve it as one.
    let is_elsewhere = text.contains("://") && !text.split('/').any(|part| part == "..");
    let is_path = is_named && !text.is_empty() && !is_elsewhere && !text.contains(['\n', '\0']);
    is_path.then(|| PathBuf::from(text)).into_iter().collect()
}

/// What follows `file:`. A host before the path is left out by some programs, and taken for a directory by others.
fn in_address(rest: &str) -> Vec<&str> {
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let Some(rest) = rest.strip_prefix("//") else { return vec![rest] };
    match rest.strip_prefix("localhost").unwrap_or(rest) {
        path if path.starts_with('/') => vec![path],
        path => std::iter::once(path).chain(path.find('/').map(|at| &path[at..])).collect(),
    }
}

/// `%20` is a blank.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let digits = text.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_stand_under_many_names() {
        for (arguments, expected) in [
            (json!({"path": ".env"}), vec![".env"]),
            (
                json!({"file": "a", "file_path": "b", "filePath": "c", "filename": "d"}),
                vec!["a", "b", "c", "d"],
            ),
            (json!({"source": "a", "destination": "b"}), vec!["a", "b"]),
            (
                json!({"from": "a", "to": "b", "target": "c", "dir": "d", "directory": "e"}),
                vec!["a", "b", "c", "d", "e"],
            ),
            (json!({"paths": ["a", "b", "a"]}), vec!["a", "b"]),
            (json!({"uri": "file:///p/a%20b"}), vec!["/p/a b"]),
            (json!({"resource": {"uri": "FILE://localhost/p/x#1"}}), vec!["/p/x"]),
            (json!({"any": "file:///p/x"}), vec!["/p/x"]),
            (json!({"uri": "file:/p/.env", "note": "file: not one"}), vec!["/p/.env"]),
            (json!({"uri": " fi\nle:///p/.env"}), vec!["/p/.env"]),
            (json!({"uri": "file://secrets/key"}), vec!["secrets/key", "/key"]),
            (json!({"path": "x://../.env"}), vec!["x://../.env"]),
            (json!({"edits": [{"path": "a"}, {"newPath": "b"}]}), vec!["a", "b"]),
            (json!("{\"path\": \"a\"}"), vec!["a"]),
            (json!({"uri": "https://a.b/c", "query": "secrets/key", "path": "", "limit": 3}), vec![]),
            (json!({"path": "a\nb"}), vec![]),
            (json!({"a": {"b": {"c": {"d": {"path": "x"}}}}}), vec!["/"]),
        ] {
            let expected: Vec<PathBuf> = expected.into_iter().map(PathBuf::from).collect();
            assert_eq!(foreign_paths(&arguments), expected, "{arguments}");
        }
        let many: Vec<String> = (0..1000).map(|index| format!("f{index}")).collect();
        assert_eq!(foreign_paths(&json!({ "paths": many })), [PathBuf::from("/")]);
    }
}
