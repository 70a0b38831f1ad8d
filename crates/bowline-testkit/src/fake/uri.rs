//! Paths as addresses and back, by our own reading of the rules.

use std::ffi::OsString;
use std::fmt::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The `file:` address of an absolute path. Everything but letters, digits and `-._~/` is escaped.
pub fn file_uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(byte) {
            uri.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// The path of a `file:` address. Any other address stands for itself: it may be open, but is on no disk.
pub(crate) fn to_path(uri: &str) -> PathBuf {
    let Some(rest) = uri.strip_prefix("file://") else {
        return PathBuf::from(uri);
    };
    let path = rest.find('/').map_or("", |slash| &rest[slash..]);
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.as_bytes();
    while let [first, rest @ ..] = left {
        let escaped = (*first == b'%')
            .then(|| rest.get(..2))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        left = if escaped.is_some() { &rest[2..] } else { rest };
    }
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_there_and_back() {
        let path = Path::new("/a b/näme%20#1.rs");
        assert_eq!(file_uri(path), "file:///a%20b/n%C3%A4me%2520%231.rs");
        assert_eq!(to_path(&file_uri(path)), path);
        assert_eq!(to_path("file://localhost/a%3ab"), Path::new("/a:b"));
        assert_eq!(to_path("file:///100%"), Path::new("/100%"));
        assert_eq!(to_path("untitled:1"), Path::new("untitled:1"));
    }
}
