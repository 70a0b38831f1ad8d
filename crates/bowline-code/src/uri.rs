//! `file:` URIs, as editors write them.

use std::path::Path;

/// The URI of an absolute path. Every byte that is not plainly safe is escaped.
pub(crate) fn of(path: &Path) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_is_not_plain() {
        assert_eq!(of(Path::new("/a b/ä.rs")), "file:///a%20b/%C3%A4.rs");
    }
}
