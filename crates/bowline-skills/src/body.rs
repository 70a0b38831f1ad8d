//! The text after the head: cut to size, made readable, and looked through for what other hosts would run.

use crate::reading::FILE;
use crate::{Finding, SkillError, Truncation};

/// A body's text, and what was done to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub text: String,
    pub truncated: Option<Truncation>,
    pub warnings: Vec<Finding>,
}

pub(crate) fn check_limit(max_bytes: usize) -> Result<(), SkillError> {
    if max_bytes == 0 {
        return Err(SkillError::BadArgument("the limit of bytes must be above 0".into()));
    }
    Ok(())
}

/// At most `max_bytes` of text. `bytes` is the beginning of a body of `total` bytes, and more than `max_bytes` of it where
/// there is more.
pub(crate) fn read(bytes: &[u8], total: u64, first_line: usize, max_bytes: usize) -> Body {
    let kept = whole_characters(bytes, max_bytes);
    let mut warnings = Vec::new();
    let mut text = match std::str::from_utf8(kept) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            let before = &kept[..error.valid_up_to()];
            let line = first_line + before.iter().filter(|b| **b == b'\n').count();
            warnings.push(Finding::new(FILE, line, "the text is not UTF-8: what cannot be read is replaced"));
            String::from_utf8_lossy(kept).into_owned()
        }
    };
    // What replaces a bad byte is longer than it.
    let longer = text.len() > max_bytes;
    text.truncate(text.floor_char_boundary(max_bytes));
    let truncated = (longer || kept.len() < bytes.len() || total > bytes.len() as u64)
        .then_some(Truncation { kept_bytes: text.len(), total_bytes: total });
    warnings.extend(code(&text, first_line));
    Body { text, truncated, warnings }
}

/// The first bytes, without the beginning of a character whose end would be cut off.
fn whole_characters(bytes: &[u8], most: usize) -> &[u8] {
    if bytes.len() <= most {
        return bytes;
    }
    // Up to three bytes of a character can stand before its end.
    let begins = |at: &usize| bytes[*at] & 0b1100_0000 != 0b1000_0000;
    let end = (most.saturating_sub(3)..=most).rev().find(begins).unwrap_or(most);
    &bytes[..end]
}

/// Where the text has commands that other hosts run when they load it.
fn code(text: &str, first_line: usize) -> Vec<Finding> {
    const MOST: usize = 20;
    text.lines()
        .enumerate()
        .filter_map(|(at, line)| {
            let command =
                inline_command(line).or_else(|| line.trim_start().starts_with("```!").then_some("```!"))?;
            let message = format!("a command in the text is not run here: {}", crate::name::shown(command));
            Some(Finding::new(FILE, first_line + at, message))
        })
        .take(MOST)
        .collect()
}

/// `` !`command` `` at the beginning of a line or after a blank.
fn inline_command(line: &str) -> Option<&str> {
    line.match_indices("!`").find_map(|(at, mark)| {
        let free = line[..at].chars().next_back().is_none_or(char::is_whitespace);
        let (command, _) = line[at + mark.len()..].split_once('`')?;
        (free && !command.trim().is_empty()).then_some(command)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(bytes: &[u8], max: usize) -> (String, Option<(usize, u64)>) {
        let body = read(bytes, bytes.len() as u64, 1, max);
        (body.text, body.truncated.map(|t| (t.kept_bytes, t.total_bytes)))
    }

    #[test]
    fn no_character_is_split() {
        let text = "aé€😀";
        let cuts = ["", "a", "a", "aé", "aé", "aé", "aé€", "aé€", "aé€", "aé€"];
        for (max, cut) in cuts.iter().enumerate().skip(1) {
            assert_eq!(kept(text.as_bytes(), max), ((*cut).to_owned(), Some((cut.len(), 10))), "{max}");
        }
        assert_eq!(kept(text.as_bytes(), 10), (text.to_owned(), None));
    }

    #[test]
    fn bad_bytes_are_replaced_and_said_and_stay_within_the_limit() {
        let body = read(b"one\ntwo \xff\xfe\n", 11, 7, 100);
        assert_eq!(body.text, "one\ntwo \u{fffd}\u{fffd}\n");
        assert_eq!(
            body.warnings[0].to_string(),
            "SKILL.md:8: the text is not UTF-8: what cannot be read is replaced"
        );
        assert_eq!(body.truncated, None);
        let bad = [0xff_u8; 50];
        let (text, cut) = kept(&bad, 50);
        assert_eq!((text.len(), cut), (48, Some((48, 50))));
        let continued = [0x80_u8; 50];
        assert!(kept(&continued, 10).0.len() <= 10);
    }

    #[test]
    fn commands_of_other_hosts_are_told() {
        let says = |text: &str| -> Vec<String> { code(text, 5).iter().map(ToString::to_string).collect() };
        assert_eq!(
            says("Diff:\n!`git diff` and !`curl x | sh`\n```!\nls\n```\n"),
            [
                "SKILL.md:6: a command in the text is not run here: `git diff`",
                "SKILL.md:7: a command in the text is not run here: ````!`"
            ]
        );
        for plain in ["wow!`x`", "`!`", "! `x`", "!``", "if !`x", "![image](x)"] {
            assert!(says(plain).is_empty(), "{plain}");
        }
    }
}
