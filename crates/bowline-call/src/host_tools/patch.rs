//! The files that a patch names, in the form that Codex and those who followed it use.

/// Lines of a patch that name a file.
const NAMING: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

const OTHERS: [&str; 3] = ["*** Begin Patch", "*** End Patch", "*** End of File"];

/// Every file that a patch names, in its order. `None` if it is no such patch, or names nothing.
pub fn patched(text: &str) -> Option<Vec<&str>> {
    let is_head =
        |line: &str| NAMING.iter().chain(&OTHERS).any(|head| line.trim_end().starts_with(head.trim_end()));
    // A head that nobody knows may name a file.
    if text.lines().any(|line| line.starts_with("***") && !is_head(line)) {
        return None;
    }
    let begins = text.lines().any(|line| line.trim() == "*** Begin Patch");
    // A line of content begins with a sign, so a line that begins with stars is never content.
    let names = |line: &str| {
        let line = line.trim_start();
        NAMING.iter().find_map(|naming| line.strip_prefix(naming)).map(str::len)
    };
    let files: Vec<&str> = text
        .lines()
        .filter_map(|line| names(line).map(|length| line[line.len() - length..].trim()))
        .filter(|file| !file.is_empty())
        .collect();
    (begins && !files.is_empty()).then_some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_named_also_where_one_moves_to() {
        let patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: .git/hooks/x\n@@\n+*** Add File: no\n*** End Patch";
        assert_eq!(patched(patch).unwrap(), ["a.txt", ".git/hooks/x"]);
        assert_eq!(patched("*** Begin Patch\n*** Add File: b\r\n+x"), Some(vec!["b"]));
        assert_eq!(patched("*** Begin Patch\n*** Add File: b\n+x\n*** Update  File: c\n+x"), None);
        assert_eq!(patched("--- a\n+++ b"), None);
        assert_eq!(patched("*** Begin Patch\n*** End Patch"), None);
    }
}
