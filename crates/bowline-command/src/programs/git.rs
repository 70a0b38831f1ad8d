//! `git`: its options, its many subcommands, and what of them runs or writes.

mod changes;
mod nested;
mod subs;

use self::subs::Sub;
use super::Meaning;
use super::line::{Order, parse};
use super::meaning::below;
use super::table::{Kind, Row};
use super::{Touched, look};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("git", Kind::Does(git)),
    ("gitk git-gui tig lazygit gitui git-cola", Kind::Hidden("it does what is typed while it runs")),
    ("git-lfs git-filter-repo hg svn bzr fossil jj sl darcs p4 cvs", Kind::Does(others)),
];

/// Before the subcommand. What is not here changes which programs run, or in which repository.
const GLOBAL: &str = "P/no-pager no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs \
    icase-pathspecs no-replace-objects no-advice no-lazy-fetch v/version h/help C= c= config-env= \
    exec-path? html-path man-path info-path git-dir= work-tree= namespace= p/paginate bare super-prefix= \
    attr-source= list-cmds=";

/// Those that are as good as nothing.
const QUIET: &str = "P no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs \
    no-replace-objects no-advice no-lazy-fetch v h html-path man-path info-path";

fn git(words: &[Word]) -> Meaning {
    let line = parse(words, GLOBAL, Order::First);
    let mut meaning = match line.operands.first() {
        Some((at, sub)) => match sub.literal() {
            Some(sub) => subcommand(sub, &words[*at..], *at),
            None => Meaning::doubtful("which command of git runs is known only when it runs"),
        },
        None => Meaning::default(),
    };
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `git` runs cannot be told"));
    }
    // Each is meant from the one before.
    let mut directory = String::new();
    for next in line.values("C") {
        match next.literal() {
            Some(next) => directory = below(&directory, next),
            None => meaning.unreadable("where `git` runs is known only when it runs"),
        }
    }
    if !directory.is_empty() {
        meaning.touches.iter_mut().for_each(|touched| move_to(touched, &directory));
    }
    if let Some(loud) = line.given.iter().find(|given| !QUIET.split(' ').any(|quiet| quiet == given.name)) {
        let dashes = if loud.name.len() == 1 { "-" } else { "--" };
        meaning.opaque(
            Pin::Everything,
            format!("`{dashes}{}` makes git run other programs, or those of another repository", loud.name),
        );
    }
    meaning
}

fn move_to(touched: &mut Touched, directory: &str) {
    if let Word::Literal(path) = &touched.path {
        touched.path = Word::Literal(below(directory, path));
    }
}

/// `words` begin with the subcommand, which is the word at `place` of the whole.
fn subcommand(name: &str, words: &[Word], place: usize) -> Meaning {
    match Sub::of(name) {
        Some(sub) => sub.meaning(words, place),
        None => Meaning::code(
            Pin::Words(place + 1),
            format!("`git {name}` may be an alias, or a program of that name"),
        ),
    }
}

/// Other systems of the kind: looking is harmless.
fn others(words: &[Word]) -> Meaning {
    const LOOKS: &[&str] = &[
        "status", "log", "diff", "info", "cat", "annotate", "blame", "show", "st", "version", "help",
        "ls-files", "env",
    ];
    let sub = words.get(1).and_then(Word::literal);
    let is_plain = words[1..].iter().all(|word| {
        word.literal().is_some_and(|text| {
            !text.starts_with("--config")
                && !text.starts_with("--tool")
                && !text.starts_with("--extension")
                && !text.starts_with("--diff-cmd")
        })
    });
    if look::only_asks_about_itself(words) || (is_plain && sub.is_some_and(|sub| LOOKS.contains(&sub))) {
        return Meaning::default();
    }
    let pin = if sub.is_some_and(|sub| !sub.starts_with('-')) { Pin::Words(2) } else { Pin::Everything };
    Meaning::code(pin, format!("`{}` changes files that are not named", words[0].shown()))
}
