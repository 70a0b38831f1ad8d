//! The files whose content a command line certainly shows: `cat x`, `head -20 x`, `sed -n 1,20p x | head`.
//!
//! Whoever has run it knows what stands there. What may not run, or whose output goes elsewhere, shows nothing; so does
//! everything that is not plain.

use std::path::{Path, PathBuf};

use super::arithmetic::literal;
use super::places::lexical;
use super::syntax::{Body, Descriptor, Joint, Node, RedirectKind, Simple};

/// Programs that print the files that they are given.
const VIEWERS: &[&str] = &["cat", "tac", "nl", "head", "tail", "less", "more", "bat", "batcat"];

/// After these, or where these are, it is not certain any more what runs.
const LEAVES: &[&str] = &[
    "exit", "return", "exec", "break", "continue", "kill", "set", "trap", "alias", "eval", "source", ".",
    "enable",
];

/// The files that these statements show, as they are joined to the directory they run in.
pub(super) fn files(body: &Body, cwd: Option<&Path>) -> Vec<PathBuf> {
    let mut shown = Shown { cwd: cwd.map(Path::to_owned), files: Vec::new() };
    for (index, node) in body.iter().enumerate() {
        if !shown.node(node, index + 1 == body.len()) {
            break;
        }
    }
    shown.files
}

struct Shown {
    cwd: Option<PathBuf>,
    files: Vec<PathBuf>,
}

impl Shown {
    /// A statement that runs. Whether the next one runs as well.
    fn node(&mut self, node: &Node, is_last: bool) -> bool {
        match node {
            Node::Simple(simple) => self.simple(simple),
            Node::Pipe(parts) => {
                let passes = |part: &Node| matches!(part, Node::Simple(simple) if passes_on(simple));
                match parts.as_slice() {
                    [Node::Simple(first), rest @ ..] if rest.iter().all(passes) => self.simple(first),
                    _ => false,
                }
            }
            Node::Chain(parts) => {
                for (joint, part) in parts {
                    // Only of the last statement it is known that it went well.
                    let runs = match joint {
                        Joint::First => true,
                        Joint::And => is_last,
                        Joint::Or => false,
                    };
                    if !runs || !self.node(part, is_last) {
                        return false;
                    }
                }
                true
            }
            _ => false,
        }
    }

    fn simple(&mut self, simple: &Simple) -> bool {
        let Some(words) = words(simple) else { return true };
        let Some((program, rest)) = words.split_first() else { return true };
        if LEAVES.contains(&program.as_str()) {
            return false;
        }
        if program == "cd" {
            // It may fail, and then what follows it runs elsewhere, unless it is not run at all.
            self.cwd = match (&self.cwd, rest) {
                (Some(cwd), [directory]) if !directory.starts_with('-') => {
                    Some(lexical(&cwd.join(directory)))
                }
                _ => None,
            };
            return true;
        }
        let is_seen = simple.redirects.iter().all(|redirect| {
            let is_error = matches!(&redirect.descriptor, Descriptor::Number(number) if number == "2");
            is_error || matches!(redirect.kind, RedirectKind::Read(_))
        });
        let Some(cwd) = self.cwd.as_ref().filter(|_| is_seen && simple.assignments.is_empty()) else {
            return true;
        };
        let mut operands =
            if program == "sed" { printed(rest) } else { viewed(program, rest) }.unwrap_or_default();
        if operands.is_empty() && VIEWERS.contains(&program.as_str()) && viewed(program, rest).is_some() {
            let read =
                simple.redirects.iter().filter_map(|redirect| match (&redirect.kind, &redirect.descriptor) {
                    (RedirectKind::Read(raw), Descriptor::Usual) => literal(&raw.pieces),
                    _ => None,
                });
            operands.extend(read.collect::<Vec<_>>().pop());
        }
        for operand in operands.iter().filter(|operand| is_plain(operand)) {
            let joined = cwd.join(operand);
            self.files.push(joined.components().collect());
        }
        true
    }
}

/// All of its words, if all are known.
fn words(simple: &Simple) -> Option<Vec<String>> {
    simple.words.iter().map(|word| literal(&word.pieces)).collect()
}

/// A name of one file, as it stands.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word != "-" && !word.starts_with('~') && !word.contains(['*', '?', '[', '{'])
}

/// The files that a viewer shows. Nothing, if it shows something else.
fn viewed(program: &str, words: &[String]) -> Option<Vec<String>> {
    if !VIEWERS.contains(&program) {
        return None;
    }
    let counts = matches!(program, "head" | "tail");
    let (mut operands, mut at, mut is_ended) = (Vec::new(), 0, false);
    while let Some(word) = words.get(at) {
        at += 1;
        match word.as_str() {
            "--" if !is_ended => is_ended = true,
            option if option.starts_with('-') && option != "-" && !is_ended => {
                let takes_next = counts && matches!(option, "-n" | "-c" | "--lines" | "--bytes");
                let value = if takes_next {
                    at += 1;
                    words.get(at - 1)?.as_str()
                } else {
                    option.trim_start_matches(|letter: char| {
                        letter == '-' || letter.is_ascii_alphabetic() || letter == '='
                    })
                };
                // None of it is shown, or something else is.
                let is_none = counts
                    && !value.is_empty()
                    && value.trim_start_matches(['+', '-']).trim_start_matches('0').is_empty();
                let is_odd = ["--help", "--version", "--list", "--diff", "-V", "-L", "-l", "-d", "-o", "-O"];
                let is_odd = is_odd.iter().any(|odd| option.starts_with(odd)) && program != "cat";
                if is_none || is_odd || option.starts_with("--help") || option.starts_with("--version") {
                    return None;
                }
            }
            operand => operands.push(operand.to_owned()),
        }
    }
    Some(operands)
}

/// `sed -n 1,20p x`.
fn printed(words: &[String]) -> Option<Vec<String>> {
    let [option, script, files @ ..] = words else { return None };
    let prints = script.strip_suffix('p')?;
    let is_range = prints
        .split(',')
        .all(|line| line == "$" || (!line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())));
    let is_quiet = matches!(option.as_str(), "-n" | "--quiet" | "--silent" | "-ne" | "-nE");
    (is_quiet && is_range && !files.iter().any(|file| file.starts_with('-'))).then(|| files.to_vec())
}

/// It prints some of what it is given on its standard input.
fn passes_on(simple: &Simple) -> bool {
    let Some(words) = words(simple) else { return false };
    let Some((program, rest)) = words.split_first() else { return false };
    simple.redirects.is_empty()
        && simple.assignments.is_empty()
        && viewed(program, rest).is_some_and(|files| files.is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{Surroundings, read};

    fn shown(text: &str) -> String {
        let here = Surroundings { cwd: Some("/p".into()), ..Surroundings::default() };
        let script = read(text, &here);
        let names = script
            .shown
            .iter()
            .map(|path| path.strip_prefix("/p").unwrap_or(Path::new("?")).display().to_string());
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_what_is_printed_is_shown() {
        for (text, expected) in [
            ("cat x", "x"),
            ("cat -n x y", "x y"),
            ("cat 'a b'", "a b"),
            ("head -20 x", "x"),
            ("head -n 20 x", "x"),
            ("tail -n +5 x", "x"),
            ("sed -n 1,20p x", "x"),
            ("sed -n '5p' x", "x"),
            ("cat x | head -50", "x"),
            ("cat x 2>/dev/null", "x"),
            ("cat < x", "x"),
            ("ls; cat x", "x"),
            ("cd d && cat x", "d/x"),
            ("git status && cat x", "x"),
            ("cat x && cat y", "x y"),
            ("bat x", "x"),
            // It may not run.
            ("false && cat x; true", ""),
            ("true || cat x", ""),
            ("if false; then cat x; fi", ""),
            ("for f in; do cat x; done", ""),
            ("exit 0; cat x", ""),
            ("f() { cat x; }", ""),
            ("while false; do cat x; done; cat y", ""),
            ("cat() { :; }; cat x", ""),
            ("eval 'cat() { :; }'; cat x", ""),
            // It goes elsewhere.
            ("cat x > /dev/null", ""),
            ("cat x >&2-", ""),
            ("cat x | wc -l", ""),
            ("cat x | grep y", ""),
            ("y=$(cat x)", ""),
            ("cat x | head -n 0", ""),
            ("cat x | cat y", ""),
            // Something else is shown.
            ("wc -l x", ""),
            ("grep -c a x", ""),
            ("test -f x", ""),
            ("ls x", ""),
            ("head -n 0 x", ""),
            ("head -c0 x", ""),
            ("cat --help x", ""),
            ("sed -n 's/a/b/' x", ""),
            ("sed -i 5p x", ""),
            ("cat $x", ""),
            ("cat *", ""),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
