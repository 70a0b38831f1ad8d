//! `git`: what stands before the subcommand. The subcommands are a table in `subs`.
//!
//! Options before the subcommand are left out of the core of the command if they are harmless, so that `git -P push` is
//! `git push` to every entry. What is before it and is not harmless (`-c core.pager=…`, `--git-dir=…`) makes everything needed to
//! be spelt, and the command without it counts as another one that runs: an entry that denies `git push` means it, and one that
//! allows it is not enough.

mod addresses;
mod changes;
mod files;
mod nested;
mod options;
mod refs;
mod settings;
mod shows;
mod spec;
mod subs;
mod table;
mod words;

use super::Meaning;
use super::line::{Given, Order};
use super::look;
use super::meaning::below;
use super::table::{Kind, Row};
use crate::{Core, Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("git", Kind::Does(git)),
    ("gitk git-gui tig lazygit gitui git-cola", Kind::Hidden("it does what is typed while it runs")),
    ("git-lfs git-filter-repo hg svn bzr fossil jj sl darcs p4 cvs", Kind::Does(others)),
];

/// Before the subcommand.
const GLOBAL: &[&str] = &["P/no-pager no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs \
    icase-pathspecs no-replace-objects no-advice no-lazy-fetch v/version h/help C= c= config-env= \
    exec-path? html-path man-path info-path git-dir= work-tree= namespace= p/paginate bare super-prefix= \
    attr-source= list-cmds="];

/// Those that change nothing of what an entry speaks of. What is in neither list changes which programs run, or in which repository.
const QUIET: &str = "P no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs \
    no-replace-objects no-advice no-lazy-fetch v h html-path man-path info-path list-cmds";

fn git(words: &[Word]) -> Meaning {
    let line = words::parse(words, GLOBAL, Order::First);
    let Some((at, sub)) = line.operands.first().map(|(at, sub)| (*at, sub)) else {
        let mut meaning = Meaning::default();
        before(&line.given, &mut meaning);
        unsure(line.unsure.as_deref(), &mut meaning);
        return meaning;
    };
    if sub.literal().is_none() {
        let mut meaning = Meaning::doubtful("which command of git runs is known only when it runs");
        before(&line.given, &mut meaning);
        return meaning;
    }
    let mut meaning = subs::meaning(&words[at..]);
    let core = || {
        let mut core: Vec<Word> = std::iter::once(&words[0]).chain(&words[at..]).cloned().collect();
        // The part of `push` that does the work.
        if sub.literal() == Some("send-pack") {
            core[1] = Word::Literal("push".to_owned());
        }
        core
    };
    let pin = meaning.pin;
    // Counted from the subcommand, which may stand further back.
    if let Some(Pin::Words(count)) = &mut meaning.pin {
        *count += at - 1;
    }
    unsure(line.unsure.as_deref(), &mut meaning);
    if line.has("icase-pathspecs") {
        spec::ignores_case(&mut meaning);
    }
    let is_harmless = before(&line.given, &mut meaning);
    let is_push = sub.literal() == Some("send-pack");
    if (at > 1 || is_push) && is_harmless && line.unsure.is_none() {
        meaning.core = Some(Core { words: core(), pin });
    } else if at > 1 {
        meaning.runs.push(core());
    }
    // Each is meant from the one before.
    let mut directory = String::new();
    for next in line.values("C") {
        match next.literal() {
            Some(next) => directory = below(&directory, next),
            None => meaning.unreadable("where `git` runs is known only when it runs"),
        }
    }
    // The repository says which programs run.
    meaning.executes(&Word::Literal(".git".to_owned()));
    if !matches!(directory.as_str(), "" | "." | "./") {
        meaning.moves_to = Some(Word::Literal(directory));
    }
    meaning
}

fn unsure(why: Option<&str>, meaning: &mut Meaning) {
    if let Some(why) = why {
        meaning.unreadable(format!("{why}: what `git` runs cannot be told"));
    }
}

/// What stands before the subcommand. False if it may run something, or may change what an entry speaks of.
fn before(given: &[Given], meaning: &mut Meaning) -> bool {
    let is_quiet = |given: &&Given| match given.name {
        "C" => true,
        "c" => given.value.as_ref().and_then(Word::literal).is_some_and(settings::is_harmless),
        name => QUIET.split(' ').any(|quiet| quiet == name),
    };
    let Some(loud) = given.iter().find(|given| !is_quiet(given)) else { return true };
    let dashes = if loud.name.len() == 1 { "-" } else { "--" };
    meaning.opaque(
        Pin::Everything,
        format!("`{dashes}{}` makes git run other programs, or those of another repository", loud.name),
    );
    false
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
