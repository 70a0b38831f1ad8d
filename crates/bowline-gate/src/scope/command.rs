//! `git:*`, `npm run build`, `* --version`: patterns over commands.
//!
//! A command is compared word by word, as it would run, never as text. What is not known of it makes a match a maybe.

mod broad;
mod known;
mod options;

use std::path::Path;

use bowline_command::{Command, Pin, Word};

use super::Match;
use crate::pattern::stars;
pub(crate) use broad::{BroadCommand, BroadPattern};
pub(crate) use options::is_known_program;

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

    /// The same, where `~` is this home: a shell hands on the directory, not the sign.
    pub(crate) fn at_home(self, home: Option<&Path>) -> Self {
        let Some(home) = home.and_then(Path::to_str).map(|home| home.trim_end_matches('/')) else {
            return self;
        };
        let expanded = |word: String| match word.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
            _ => word,
        };
        match self {
            Self::Any => Self::Any,
            Self::Prefix(words) => Self::Prefix(words.into_iter().map(expanded).collect()),
            Self::Exact(words) => Self::Exact(words.into_iter().map(expanded).collect()),
            Self::Wild { text, spelt } => {
                let words: Vec<String> = text.split(' ').map(|word| expanded(word.to_owned())).collect();
                Self::Wild { text: words.join(" "), spelt }
            }
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

    /// Whether it certainly means this command, word by word.
    pub(crate) fn allows(&self, command: &Command) -> bool {
        let is_meant = |pin, words| self.satisfies(pin) && self.is_certain(words);
        let core = command.core.as_ref();
        is_meant(command.pin, &command.words) || core.is_some_and(|core| is_meant(core.pin, &core.words))
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
                words.is_some_and(|words| stars(text, &words.join(" ")))
            }
        }
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
    CommandPattern::parse(&text).allows(command).then_some(text)
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

    fn matches(pattern: &str, command: &Command, reading: Reading) -> Match {
        let pattern = CommandPattern::parse(pattern);
        match reading {
            Reading::Allowing if pattern.allows(command) => Match::Yes,
            Reading::Allowing => Match::No,
            Reading::Denying => BroadPattern::new(pattern).finds(&BroadCommand::of(command)),
        }
    }

    fn verdict(pattern: &str, text: &str, reading: Reading) -> Match {
        matches(pattern, &command(text), reading)
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
    fn options_are_denied_wherever_they_stand() {
        for (pattern, texts) in [
            (
                "rm -rf:*",
                "rm -rf x|rm -fr x|rm -r -f x|rm -f x -r|rm --recursive --force x|rm -r x --force|rm -Rf x|rm -rfv x|\
                 rm -vfR x|rm --recurs --forc x|/bin/rm -r -f -- x|rm -r x -f y",
            ),
            (
                "git push --force:*",
                "git push --force|git push origin main --force|git push -f|git push --mirror|git -C x push -f|git push origin +main|\
                 git push --force-with-lease|git push --force-with-lease=main:abc origin|git push -uf origin main|\
                 git push --forc|git -c a=b --git-dir=.git push origin main -f|git push -o x -f|git --git-dir .git push -f",
            ),
            ("git push -f:*", "git push --force|git push origin -f|git push origin +x"),
            (
                "git push --delete:*",
                "git push origin :main|git push -d origin main|git push origin --delete main",
            ),
            ("git push:*", "git -C x push|git -c a=b push origin|git --work-tree x push"),
            ("git push origin main:*", "git push -u origin main|git push origin --tags main"),
            ("git reset --hard:*", "git reset HEAD~1 --hard|git reset -q --hard|git reset --har"),
            ("git clean -fd:*", "git clean -df|git clean -d --force|git clean -xdf|git clean . -f -d"),
            ("git clean -x:*", "git clean -fdx|git clean -f -x"),
            (
                "git commit --no-verify:*",
                "git commit -n|git commit -anm x|git commit -m x --no-verify|git commit -n -m x",
            ),
            (
                "git branch -D:*",
                "git branch -D x|git branch -d -f x|git branch --delete --force x|git branch -fd x",
            ),
            ("chmod -R:*", "chmod --recursive a x|chmod a -R x|chmod -vR a x"),
            ("chown -R:*", "chown me -R x|chown --recurs me x"),
            (
                "curl -X POST:*",
                "curl -X POST u|curl u -X POST|curl -XPOST u|curl --request POST u|curl --request=POST u|curl -sXPOST u",
            ),
            ("curl --request:*", "curl -X PUT u|curl -sX PUT u"),
            (
                "npm install -g:*",
                "npm install --global x|npm i -g x|npm -g install x|npm add x --global|npm i x -g",
            ),
            ("npm publish:*", "npm --prefix x publish|npm -w a publish|npm publish x"),
            (
                "docker run --privileged:*",
                "docker run -it --privileged x|docker container run --privileged x|docker -H h run -e a --privileged x",
            ),
            (
                "kubectl delete:*",
                "kubectl -n a delete x|kubectl --context=a delete x|kubectl --namespace a delete x",
            ),
            ("find -delete:*", "find . -delete|find . -name x -delete"),
            ("kill -9:*", "kill -KILL 1|kill -SIGKILL 1"),
            ("python3 -c:*", "python3 -c x|python3 -Ic x|python3 -W a -c x"),
            ("pytest -c:*", "pytest -c x|pytest --config-file=x|pytest -vc x|pytest a.py --config-file x"),
            ("bash -c:*", "bash -lc x|bash -c x -y|bash -x -c y|bash --norc -c y"),
            ("node -e:*", "node --eval x|node -r y -e x|node --eval=x"),
            (
                "terraform apply -auto-approve:*",
                "terraform apply x -auto-approve|terraform -chdir=x apply --auto-approve",
            ),
            ("tool -ab:*", "tool -ba|tool -a -b|tool x -a y -b|tool -cab"),
            ("tool --mode prod:*", "tool --mode=prod|tool --mode prod|tool x --mode prod|tool x --mode=prod"),
            ("tool -m prod:*", "tool -mprod|tool x -m prod|tool -m prod"),
            ("tool -recursive:*", "tool -recursive|tool --recursive x|tool x -recursive"),
            ("git push * --force", "git push origin main --force|git push --force origin|git push -f x"),
            ("rm -rf*", "rm -rf x|rm -fr x|rm -rfv"),
            ("rm -rf", "rm -rf|rm -fr|rm -r -f|rm -f --recursive"),
        ] {
            for text in texts.split('|').map(str::trim) {
                assert_eq!(verdict(pattern, text, Reading::Denying), Match::Yes, "{pattern} / {text}");
                let literal = CommandPattern::parse(pattern);
                let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
                let is_literal = match &literal {
                    CommandPattern::Prefix(spelt) => words.starts_with(spelt),
                    CommandPattern::Exact(spelt) => words == *spelt,
                    CommandPattern::Any | CommandPattern::Wild { .. } => continue,
                };
                assert_eq!(
                    literal.allows(&command(text)),
                    is_literal,
                    "an entry that allows: {pattern} / {text}"
                );
            }
        }
    }

    #[test]
    fn other_options_are_not_denied() {
        for (pattern, texts) in [
            ("rm -rf:*", "rm -r x|rm -f x|rm x|rm -- -rf|rm -i x|rm --force x|rm r f|rm *.o"),
            (
                "git push --force:*",
                "git push|git push origin main|git pull --force|git push -u origin f|git push -o f origin|git fetch -f|\
                 git commit -m --force|git push --follow-tags",
            ),
            ("git push:*", "git pull|git stash push|git log push|git -C push log|git log -1 push"),
            ("git commit --no-verify:*", "git commit -m n|git commit -mn|git commit -am -n|git push -n"),
            ("git clean -x:*", "git clean -e x|git clean -ex -f"),
            ("git reset --hard:*", "git reset hard|git reset --soft HEAD"),
            ("git branch -D:*", "git branch -d x|git branch -f x"),
            ("curl -X POST:*", "curl -X GET u|curl u|curl -d POST u|curl -XGET u"),
            ("npm install -g:*", "npm install x|npm run install -g|npm ci -g"),
            ("npm publish:*", "npm run publish|npm --prefix publish test"),
            ("docker run --privileged:*", "docker run x|docker run -e privileged x|docker ps"),
            ("find -delete:*", "find . -depth -name x -type f -empty -links 1"),
            ("kill -9:*", "kill 9|kill -15 1|kill -TERM 9"),
            ("tool -m prod:*", "tool -m dev|tool -n prod|tool prod"),
            ("rm -rf", "rm -rf x|rm -rfv"),
            ("chmod -R:*", "chmod r x|chmod -v R x"),
            ("python3 -c:*", "python3 -m pytest -c x|python3 x.py -c y|python3 -W c x.py"),
            ("pytest -c:*", "pytest -k c|pytest -k -c|pytest -p -c"),
            ("bash -c:*", "bash x.sh -c y|bash -x x.sh"),
            ("node -e:*", "node x.js -e|node -r e x.js"),
        ] {
            for text in texts.split('|').map(str::trim) {
                assert_eq!(verdict(pattern, text, Reading::Denying), Match::No, "{pattern} / {text}");
            }
        }
    }

    #[test]
    fn options_that_are_not_known_are_maybes() {
        for (pattern, texts) in [
            ("rm -rf:*", "rm $x y|rm -r $x|rm -$x y|rm -f $x\""),
            ("git push --force:*", "git push $x|git push origin $x\"|git $x --force|git push --$x"),
            ("curl -X POST:*", "curl -X $x\" u|curl $x u"),
            ("tool push:*", "tool -x a push|tool --opt a push"),
            ("npm publish:*", "npm $x publish"),
        ] {
            for text in texts.split('|').map(str::trim) {
                assert_eq!(verdict(pattern, text, Reading::Denying), Match::Maybe, "{pattern} / {text}");
            }
        }
    }

    #[test]
    fn a_home_is_named_by_its_sign() {
        for pattern in ["cat ~/.ssh/id:*", "cat ~/.ssh/id", "cat ~/.ssh/*", "ls ~ -l:*"] {
            let pattern = CommandPattern::parse(pattern).at_home(Some(Path::new("/home/me")));
            let found =
                |text: &str| BroadPattern::new(pattern.clone()).finds(&BroadCommand::of(&command(text)));
            assert_eq!(found("cat /home/me/.ssh/id").max(found("ls -l /home/me")), Match::Yes, "{pattern:?}");
            assert_eq!(found("cat ~/.ssh/id"), Match::No, "{pattern:?}: a sign that is quoted");
        }
    }

    #[test]
    fn many_words_are_compared_quickly() {
        let words = "tool ".to_owned() + &"-a b ".repeat(50_000);
        assert_eq!(verdict("tool push -z:*", words.trim_end(), Reading::Denying), Match::No);
    }

    #[test]
    fn code_that_is_not_read_must_be_spelt() {
        let with = |pattern: &str, text: &str, pin| {
            CommandPattern::parse(pattern).allows(&Command { pin: Some(pin), ..command(text) })
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
