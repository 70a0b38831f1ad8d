//! Patches in the form of `apply_patch`, and the files they name.

/// Every file that such a patch adds, changes, removes or moves to.
pub(crate) fn files(patch: &str) -> impl Iterator<Item = &str> {
    const HEADS: [&str; 4] = ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];
    patch.lines().filter_map(|line| {
        let line = line.trim();
        HEADS.iter().find_map(|head| line.strip_prefix(head)).map(str::trim)
    })
}
