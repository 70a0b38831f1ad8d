//! The text after the head: cut to size, made readable, and looked through for what other hosts would run.

use crate::reading::FILE;
use crate::{Finding, Skill, SkillError, Summary, Truncation, lines};

/// A body's text, and what was done to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub text: String,
    pub truncated: Option<Truncation>,
    pub warnings: Vec<Finding>,
}

impl Body {
    /// The whole skill, with what is doubtful about its head and its files before what is doubtful about its text.
    pub(crate) fn of(self, summary: Summary, files: Vec<String>, doubts: Vec<Finding>) -> Skill {
        let Self { text, truncated, warnings } = self;
        let warnings = doubts.into_iter().chain(warnings).collect();
        Skill { summary, body: text, truncated, files, warnings }
    }
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
    let mut kept = Kept { text: String::with_capacity(bytes.len().min(max_bytes)), bytes: 0, max_bytes };
    // The first byte of each kind that was replaced.
    let (mut bad, mut nul) = (None, None);
    'all: for chunk in bytes.utf8_chunks() {
        for part in chunk.valid().split_inclusive('\0') {
            let plain = part.trim_end_matches('\0');
            if !kept.push(plain) {
                break 'all;
            }
            if plain.len() < part.len() {
                if !kept.replace(1) {
                    break 'all;
                }
                nul = nul.or(Some(kept.bytes - 1));
            }
        }
        let wrong = chunk.invalid().len();
        if wrong > 0 {
            if !kept.replace(wrong) {
                break;
            }
            bad = bad.or(Some(kept.bytes - wrong));
        }
    }
    let told = [
        (bad, "the text is not UTF-8: what cannot be read is replaced"),
        (nul, "there is a NUL byte in the text: it is replaced"),
    ];
    let line = |at: usize| first_line + lines::ends(&bytes[..at]);
    let mut warnings: Vec<Finding> =
        told.into_iter().filter_map(|(at, what)| Some(Finding::new(FILE, line(at?), what))).collect();
    warnings.extend(code(&kept.text, first_line));
    let truncated = (kept.bytes < bytes.len() || total > bytes.len() as u64)
        .then_some(Truncation { kept_bytes: kept.bytes, total_bytes: total });
    Body { text: kept.text, truncated, warnings }
}

/// The text so far, and how much of the source it is made of. What replaces a byte is longer than it.
struct Kept {
    text: String,
    bytes: usize,
    max_bytes: usize,
}

impl Kept {
    /// As many characters as there is room for. Whether all of them were.
    fn push(&mut self, text: &str) -> bool {
        let fits = text.floor_char_boundary(self.max_bytes - self.text.len());
        self.text.push_str(&text[..fits]);
        self.bytes += fits;
        fits == text.len()
    }

    fn replace(&mut self, bytes: usize) -> bool {
        let fits = self.text.len() + char::REPLACEMENT_CHARACTER.len_utf8() <= self.max_bytes;
        if fits {
            self.text.push(char::REPLACEMENT_CHARACTER);
            self.bytes += bytes;
        }
        fits
    }
}

/// Where the text has commands that other hosts run when they load it.
fn code(text: &str, first_line: usize) -> Vec<Finding> {
    const MOST: usize = 20;
    lines::each(text)
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
        // Sixteen bytes of the source are kept: what stands for them fills the rest.
        assert_eq!((text.len(), cut), (48, Some((16, 50))));
        let continued = [0x80_u8; 50];
        assert!(kept(&continued, 10).0.len() <= 10);
    }

    #[test]
    fn a_nul_is_replaced_and_said_with_its_line() {
        let body = read(b"one\rtwo\r\0\0three\0", 16, 5, 100);
        assert_eq!(body.text, "one\rtwo\r\u{fffd}\u{fffd}three\u{fffd}");
        assert_eq!(
            body.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["SKILL.md:7: there is a NUL byte in the text: it is replaced"]
        );
        assert_eq!(body.truncated, None);
        assert_eq!(kept(b"a\0\0b", 7), ("a\u{fffd}\u{fffd}".to_owned(), Some((3, 4))));
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
