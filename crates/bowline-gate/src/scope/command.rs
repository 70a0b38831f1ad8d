//! `git:*`, `npm run build`, `* --version`: patterns over commands.
//!
//! A command is compared word by word, as it would run, never as text. What is not known of it makes a match a maybe.

use bowline_command::{Command, Pin, Word};

use super::Match;

/// A pattern over one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CommandPattern {
    /// `*`: every command.
    Any,
    /// `git:*`, `git *`: these words, and whatever follows.
    Prefix(Vec<String>),
    /// `npm run build`: these words and no more.
    Exact(Vec<String>),
    /// A star elsewhere, over the words as one text. `spelt` words stand before the first star.
    Wild { text: String, spelt: usize },
}

/// Which way a doubt counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As strictly as it can be read: only what is certain counts.
    Allowing,
    /// As broadly as it can be read.
    Denying,
}

impl CommandPattern {
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.trim();
        let prefix = text.strip_suffix(":*").or_else(|| text.strip_suffix(" *")).map(str::trim_end);
        match prefix {
            _ if text.is_empty() || text == "*" || text == ":*" => Self::Any,
            Some(prefix) if !prefix.contains('*') => Self::Prefix(split(prefix)),
            _ if text.contains('*') => {
                let before = text.split('*').next().unwrap_or_default();
                // A word that the star is a part of is not spelt.
                let whole = before.rsplit_once([' ', '\t']).map_or("", |(whole, _)| whole);
                Self::Wild { text: text.to_owned(), spelt: whole.split_whitespace().count() }
            }
            _ => Self::Exact(split(text)),
        }
    }

    /// The program that every command it means begins with.
    pub(crate) fn program(&self) -> Option<&str> {
        match self {
            Self::Prefix(words) | Self::Exact(words) => words.first().map(String::as_str),
            Self::Any => None,
            Self::Wild { text, spelt } => text.split_whitespace().next().filter(|_| *spelt > 0),
        }
    }

    pub(crate) fn matches(&self, command: &Command, reading: Reading) -> Match {
        match reading {
            Reading::Allowing => {
                let is_meant = |pin, words| self.satisfies(pin) && self.is_certain(words);
                let core = command.core.as_ref();
                match is_meant(command.pin, &command.words)
                    || core.is_some_and(|core| is_meant(core.pin, &core.words))
                {
                    true => Match::Yes,
                    false => Match::No,
                }
            }
            Reading::Denying => {
                let core = command.core.as_ref().map_or(Match::No, |core| self.broadly(&core.words));
                self.broadly(&command.words).max(core)
            }
        }
    }

    /// Whether it spells out what the command runs.
    fn satisfies(&self, pin: Option<Pin>) -> bool {
        match (pin, self) {
            (None, _) | (_, Self::Any | Self::Exact(_)) => true,
            (Some(Pin::Everything), _) => false,
            (Some(Pin::Words(needed)), Self::Prefix(words)) => words.len() >= needed,
            (Some(Pin::Words(needed)), Self::Wild { spelt, .. }) => *spelt >= needed,
        }
    }

    fn is_certain(&self, words: &[Word]) -> bool {
        let is = |(pattern, word): (&String, &Word)| word.literal() == Some(pattern);
        match self {
            Self::Any => true,
            Self::Prefix(spelt) => words.len() >= spelt.len() && spelt.iter().zip(words).all(is),
            Self::Exact(spelt) => words.len() == spelt.len() && spelt.iter().zip(words).all(is),
            Self::Wild { text, .. } => {
                let words: Option<Vec<_>> = words.iter().map(|word| word.literal().map(quoted)).collect();
                words.is_some_and(|words| wildcard(text, &words.join(" ")))
            }
        }
    }

    /// Whether it means this command in some reading of it.
    fn broadly(&self, words: &[Word]) -> Match {
        match self {
            Self::Any => Match::Yes,
            Self::Prefix(spelt) => compare(spelt, words, false),
            Self::Exact(spelt) => compare(spelt, words, true),
            Self::Wild { text, .. } => {
                let literals: Option<Vec<&str>> = words.iter().map(Word::literal).collect();
                let Some(literals) = literals else {
                    let head = text.split(['*', ' ', '\t']).next().unwrap_or_default();
                    let program = words.first().map_or("", beginning);
                    let may = program.starts_with(head)
                        || last_part(program).starts_with(head)
                        || head.starts_with(program);
                    return if may { Match::Maybe } else { Match::No };
                };
                let whole = literals.join(" ");
                let bare = match literals.split_first() {
                    Some((program, rest)) => std::iter::once(last_part(program))
                        .chain(rest.iter().copied())
                        .collect::<Vec<_>>()
                        .join(" "),
                    None => String::new(),
                };
                if wildcard(text, &whole) || wildcard(text, &bare) { Match::Yes } else { Match::No }
            }
        }
    }
}

/// Word by word, broadly. The program may be spelt with its path.
fn compare(spelt: &[String], words: &[Word], whole: bool) -> Match {
    let mut certain = Match::Yes;
    for (at, pattern) in spelt.iter().enumerate() {
        match words.get(at) {
            Some(Word::Literal(word)) if word == pattern || (at == 0 && last_part(word) == pattern) => {}
            Some(Word::Unknown { start, splits, .. })
                if pattern.starts_with(start.as_str()) || (at == 0 && start.contains('/')) =>
            {
                certain = Match::Maybe;
                // What follows may stand elsewhere.
                if *splits {
                    return certain;
                }
            }
            _ => return Match::No,
        }
    }
    let rest = words.get(spelt.len()..).unwrap_or_default();
    match rest {
        [] => certain,
        _ if !whole => certain,
        // Words that may vanish.
        _ if rest.iter().all(|word| matches!(word, Word::Unknown { splits: true, .. })) => Match::Maybe,
        _ => Match::No,
    }
}

fn beginning(word: &Word) -> &str {
    match word {
        Word::Literal(text) => text,
        Word::Unknown { start, .. } => start,
    }
}

/// `/usr/bin/env` is `env`.
pub(crate) fn last_part(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().unwrap_or(program)
}

/// The words of a pattern. Quotes keep blanks together.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut begun) = (Vec::new(), String::new(), None, false);
    for c in text.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.push(c),
            ('\'' | '"', None) => (quote, begun) = (Some(c), true),
            (c, None) if c.is_whitespace() => {
                if begun || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (c, None) => word.push(c),
        }
    }
    if begun || !word.is_empty() {
        words.push(word);
    }
    words
}

/// A word as a pattern would spell it, so that one word is never taken for two.
pub(crate) fn quoted(word: &str) -> String {
    let has_blank = word.is_empty() || word.chars().any(|c| c.is_whitespace() || c == '\'' || c == '"');
    if !has_blank {
        word.to_owned()
    } else if word.contains('\'') {
        format!("\"{word}\"")
    } else {
        format!("'{word}'")
    }
}

/// An entry that means this very command, if one can be written.
pub(crate) fn spelt(command: &Command) -> Option<String> {
    let is_writable = |word: &&str| !(word.contains('*') || (word.contains('\'') && word.contains('"')));
    let words: Option<Vec<&str>> =
        command.words.iter().map(|word| word.literal().filter(is_writable)).collect();
    let text = words?.into_iter().map(quoted).collect::<Vec<_>>().join(" ");
    // What would be read otherwise than it is meant cannot be offered.
    (CommandPattern::parse(&text).matches(command, Reading::Allowing) == Match::Yes).then_some(text)
}

/// Stars mean anything, the rest means itself.
pub(crate) fn wildcard(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut text) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return text.is_empty() };
    for part in parts {
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    text.len() >= last.len() && text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use bowline_command::Core;

    use super::*;

    fn command(text: &str) -> Command {
        let word = |text: &str| match text.split_once('$') {
            Some((start, _)) => {
                Word::Unknown { start: start.into(), text: text.into(), splits: !text.ends_with('"') }
            }
            None => Word::Literal(text.replace('_', " ")),
        };
        Command { words: text.split(' ').map(word).collect(), core: None, is_wrapper: false, pin: None }
    }

    fn verdict(pattern: &str, text: &str, reading: Reading) -> Match {
        CommandPattern::parse(pattern).matches(&command(text), reading)
    }

    #[test]
    fn allowing_is_certain() {
        for (pattern, text, allowed) in [
            ("*", "git status", true),
            ("git:*", "git", true),
            ("git *", "git status -s", true),
            ("git:*", "gitk", false),
            ("git:*", "/usr/bin/git status", false),
            ("git:*", "git $x", true),
            ("git status:*", "git $x", false),
            ("git status:*", "git status -s", true),
            ("git status:*", "git_status -s", false),
            ("npm run build", "npm run build", true),
            ("npm run build", "npm run_build", false),
            ("npm 'run build'", "npm run_build", true),
            ("npm run build", "npm run build --x", false),
            ("ls*", "lsof", true),
            ("* --version", "node --version", true),
            ("git * main", "git push origin main", true),
            ("git * main", "git push origin dev", false),
            ("git * main", "git push $x main", false),
            ("git:* push", "git push", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(
                verdict(pattern, text, Reading::Allowing) == Match::Yes,
                allowed,
                "{pattern} / {text}"
            );
        }
    }

    #[test]
    fn denying_is_broad() {
        for (pattern, text, expected) in [
            ("evil:*", "evil", Match::Yes),
            ("evil:*", "/opt/tools/evil x", Match::Yes),
            ("evil:*", "ev$x", Match::Maybe),
            ("evil:*", "go$x", Match::No),
            ("evil:*", "$x", Match::Maybe),
            ("rm -rf:*", "rm $x\"", Match::Maybe),
            ("rm -rf:*", "rm -i x", Match::No),
            ("rm x", "rm x", Match::Yes),
            ("rm x", "rm x $y", Match::Maybe),
            ("rm x", "rm x y", Match::No),
            ("ev*", "/opt/evil", Match::Yes),
            ("* --force", "git push --force", Match::Yes),
            ("* --force", "git push $x", Match::Maybe),
            ("rm * /", "ls $x", Match::No),
        ] {
            assert_eq!(verdict(pattern, text, Reading::Denying), expected, "{pattern} / {text}");
        }
    }

    #[test]
    fn code_that_is_not_read_must_be_spelt() {
        let with = |pattern: &str, text: &str, pin| {
            CommandPattern::parse(pattern)
                .matches(&Command { pin: Some(pin), ..command(text) }, Reading::Allowing)
                == Match::Yes
        };
        assert!(!with("make:*", "make test", Pin::Words(2)));
        assert!(with("make test:*", "make test -j4", Pin::Words(2)));
        assert!(
            with("make test*", "make tests", Pin::Words(1))
                && !with("make test*", "make tests", Pin::Words(2))
        );
        assert!(!with("python3 -c:*", "python3 -c x", Pin::Everything));
        assert!(with("python3 -c x", "python3 -c x", Pin::Everything));
        assert!(with("*", "make", Pin::Everything));
    }

    #[test]
    fn harmless_options_change_nothing() {
        let core = |text: &str, core: &str, pin| Command {
            core: Some(Core { words: command(core).words, pin }),
            ..command(text)
        };
        let push = core("git -P push -f", "git push -f", None);
        let matches = |pattern: &str, command: &Command, reading| {
            CommandPattern::parse(pattern).matches(command, reading)
        };
        assert_eq!(matches("git push:*", &push, Reading::Denying), Match::Yes);
        assert_eq!(matches("git push:*", &push, Reading::Allowing), Match::Yes);
        assert_eq!(matches("git pull:*", &push, Reading::Denying), Match::No);
        let make = core("make -j8 test", "make test", Some(Pin::Words(2)));
        let make = Command { pin: Some(Pin::Words(3)), ..make };
        assert_eq!(matches("make test:*", &make, Reading::Allowing), Match::Yes);
        assert_eq!(matches("make -j8:*", &make, Reading::Allowing), Match::No);
        assert_eq!(matches("make -j8 test", &make, Reading::Allowing), Match::Yes);
    }

    #[test]
    fn what_is_offered_means_the_command_and_nothing_else() {
        assert_eq!(spelt(&command("git commit -m a_b")).as_deref(), Some("git commit -m 'a b'"));
        assert_eq!(spelt(&command("rm *")), None);
        assert_eq!(spelt(&command("rm $x")), None);
        assert_eq!(spelt(&command("echo x:")).as_deref(), Some("echo x:"));
    }
}
