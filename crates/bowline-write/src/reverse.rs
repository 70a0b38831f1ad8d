//! A unified diff of one file, read backwards. Nothing is known of the text: sides change their names, lines their
//! signs.

/// None for what is not a whole unified diff: one that was cut, or of another kind.
pub(crate) fn reversed(diff: &str) -> Option<String> {
    let mut lines = diff.split_inclusive('\n').peekable();
    let Some(first) = lines.next() else { return Some(String::new()) };
    let (old, new) = (first.strip_prefix("--- ")?, lines.next()?.strip_prefix("+++ ")?);
    let mut all = format!("--- {new}+++ {old}");
    while let Some(head) = lines.next() {
        let (ranges, rest) = head.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        all += &format!("@@ -{new} +{old} @@{rest}");
        // Only the counts tell a line `-- x` that goes from the head of another file.
        let (mut old, mut new) = (count(old)?, count(new)?);
        let (mut gone, mut come) = (String::new(), String::new());
        let mut last = ' ';
        while old > 0 || new > 0 || lines.peek().is_some_and(|line| line.starts_with('\\')) {
            let line = lines.next().filter(|line| line.ends_with('\n'))?;
            // A remark on the line before it goes with that line.
            let sign = line.chars().next().filter(|sign| *sign != '\\');
            last = sign.unwrap_or(last);
            old -= usize::from(matches!(sign, Some('-' | ' '))).min(old);
            new -= usize::from(matches!(sign, Some('+' | ' '))).min(new);
            let text = match sign {
                Some('-') => format!("+{}", &line[1..]),
                Some('+') => format!("-{}", &line[1..]),
                _ => line.to_owned(),
            };
            match last {
                '-' => come += &text,
                '+' => gone += &text,
                ' ' => all += &(std::mem::take(&mut gone) + &std::mem::take(&mut come) + &text),
                _ => return None,
            }
        }
        all += &(gone + &come);
    }
    Some(all)
}

fn count(range: &str) -> Option<usize> {
    range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "--- a/x\n+++ b/x\n@@ -1,4 +1,3 @@ fn x\n one\n--- two\n-2\n+++ two\n three\n\
                        @@ -9 +8,2 @@\n-end\n\\ No newline at end of file\n+end\r\n+more\n";

    #[test]
    fn sides_ranges_and_signs_change() {
        let back = "--- b/x\n+++ a/x\n@@ -1,3 +1,4 @@ fn x\n one\n-++ two\n+-- two\n+2\n three\n\
                    @@ -8,2 +9 @@\n-end\r\n-more\n+end\n\\ No newline at end of file\n";
        assert_eq!(reversed(DIFF).as_deref(), Some(back));
        assert_eq!(reversed(back).as_deref(), Some(DIFF));
        let new = "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+new\n\\ No newline at end of file\n";
        let gone = "--- b/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n\\ No newline at end of file\n";
        assert_eq!(reversed(new).as_deref(), Some(gone));
        assert_eq!(reversed("").as_deref(), Some(""));
    }

    #[test]
    fn what_was_cut_is_not_read_backwards() {
        for end in 1..DIFF.len() {
            let cut =
                format!("{}\n[{} more bytes of this diff are not kept]\n", &DIFF[..end], DIFF.len() - end);
            assert_eq!(reversed(&cut), None, "{cut}");
        }
        for other in ["x", "--- a\n", "--- a\n+++ b\n@@ -1 +1\n", "--- a\n+++ b\n@@ -1 +1 @@\n\u{e9}\n"] {
            assert_eq!(reversed(other), None, "{other}");
        }
    }
}
