//! Patches in the form of `apply_patch`, and the files they name.

/// Every file that such a patch adds, changes, removes or moves to. `None` if it is no such patch, or has a head that nobody knows.
pub(crate) fn files(patch: &str) -> Option<Vec<&str>> {
    const HEADS: [&str; 4] = ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];
    const OTHERS: [&str; 3] = ["*** Begin Patch", "*** End Patch", "*** End of File"];
    let head = |line: &str| HEADS.iter().find_map(|head| line.strip_prefix(head)).map(str::len);
    let is_unknown =
        |line: &str| line.starts_with("***") && head(line).is_none() && !OTHERS.contains(&line.trim_end());
    if !patch.trim_start().starts_with(OTHERS[0]) || patch.lines().any(is_unknown) {
        return None;
    }
    let lines = patch.lines().map(str::trim);
    Some(lines.filter_map(|line| head(line).map(|length| line[line.len() - length..].trim())).collect())
}
