//! Which files the compiler has looked at: it writes them down beside what it makes of them.

use std::path::{Path, PathBuf};

use bowline_std::fs::read_text;

const MOST_BYTES: u64 = 16 << 20;

/// The sources of what was made, as the compiler names them. `made` is what cargo calls an artifact.
pub(super) fn sources_of(made: &Path) -> Vec<String> {
    let Some(list) = list_of(made) else { return Vec::new() };
    read_text(&list, MOST_BYTES).map(|(text, _)| sources_in(&text)).unwrap_or_default()
}

/// `deps/libshop-12ab.rmeta` has its list in `deps/shop-12ab.d`.
fn list_of(made: &Path) -> Option<PathBuf> {
    let stem = made.file_stem()?.to_str()?;
    Some(made.with_file_name(format!("{}.d", stem.strip_prefix("lib").unwrap_or(stem))))
}

/// Each source has a rule of its own with nothing in it, so that make does not mind if it is gone.
fn sources_in(list: &str) -> Vec<String> {
    let rules = list.lines().filter(|line| !line.starts_with('#'));
    rules.filter_map(|line| line.strip_suffix(':')).map(|path| path.replace("\\ ", " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read_with_spaces_and_without_what_was_made() {
        let list = "/t/shop-1.d: src/lib.rs src/a\\ b.rs\n\n/t/libshop-1.rmeta: src/lib.rs src/a\\ b.rs\n\n\
                    src/lib.rs:\nsrc/a\\ b.rs:\n\n# env-dep:X=y:\n";
        assert_eq!(sources_in(list), ["src/lib.rs", "src/a b.rs"]);
        assert_eq!(list_of(Path::new("/t/libshop-1.rmeta")), Some("/t/shop-1.d".into()));
        assert_eq!(list_of(Path::new("/t/liblib-1.rmeta")), Some("/t/lib-1.d".into()));
    }
}
