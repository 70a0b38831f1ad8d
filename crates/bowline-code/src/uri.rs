//! `file:` URIs, as editors and language servers write them.

use std::path::{Path, PathBuf};

/// The URI of an absolute path. Every byte that is not plainly safe is escaped.
pub fn of(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(*byte as char);
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// The path that a URI names, however much of it was escaped. `None` for what is no file of this machine.
pub fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file:")?;
    // `file:/path` and `file://localhost/path` are written by some.
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    let path = path.split(['?', '#']).next()?;
    path.starts_with('/').then(|| from_bytes(unescape(path.as_bytes())))
}

fn unescape(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, others)) = rest.split_first() {
        let escaped = match (first, others) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &others[2..] } else { others };
    }
    bytes
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(unix)]
fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    let name: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    name.into()
}

#[cfg(not(unix))]
fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_what_is_not_plain() {
        assert_eq!(of(Path::new("/a b/ä.rs")), "file:///a%20b/%C3%A4.rs");
    }

    #[test]
    fn understands_what_others_write() {
        let same = [
            "file:///a%20b/c%23d.rs",
            "file:///a b/c%23d.rs",
            "file:/a b/c%23d.rs",
            "file://localhost/a b/c%23d.rs",
        ];
        for uri in same {
            assert_eq!(to_path(uri).unwrap(), Path::new("/a b/c#d.rs"), "{uri}");
        }
        assert_eq!(to_path("file:///100%.rs").unwrap(), Path::new("/100%.rs"), "no escape is no escape");
        for other in ["untitled:1", "jdt://contents/x", "http://a/b", "file://host/a", "file:", "/a"] {
            assert_eq!(to_path(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn every_path_comes_back(name in "[^\0]{0,20}") {
            let path = Path::new("/").join(name.trim_start_matches('/'));
            prop_assert_eq!(to_path(&of(&path)).unwrap(), path);
        }
    }
}
