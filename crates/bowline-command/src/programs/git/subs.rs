//! The subcommands of git, as a table.

use super::{changes, nested};
use crate::programs::Meaning;
use crate::programs::line::{Line, Order, parse};
use crate::{Pin, Word};

/// A subcommand. Its options need not all be listed: those with values, so that a value is not taken for an option, and those
/// that run or write something.
pub(super) struct Sub {
    pub(super) options: &'static str,
    /// Options that run something, or take it from elsewhere.
    pub(super) loud: &'static str,
    /// Options that name what is written.
    pub(super) writes: &'static str,
    pub(super) does: Does,
}

pub(super) enum Does {
    Nothing,
    /// It changes files, or runs what the repository says: the subcommand must be spelt.
    Changes(&'static str),
    /// Everything must be spelt.
    Hides(&'static str),
    Special(fn(&[Word], usize, &Line) -> Meaning),
}

const PLAIN: Sub = Sub { options: "", loud: "", writes: "", does: Does::Nothing };

const LOG: Sub = Sub {
    options: "n/max-count= S= G= O= L= U/unified? skip= grep= author= committer= since/after= \
        until/before= since-as-filter= format? pretty? date= diff-filter= encoding= glob= branches? tags? \
        remotes? exclude= word-diff-regex= stat? color? decorate-refs= output= ext-diff \
        inter-hunk-context= relative? src-prefix= dst-prefix= line-prefix=",
    loud: "ext-diff",
    writes: "output",
    does: Does::Nothing,
};

const NETWORK: Sub = Sub {
    options: "upload-pack= receive-pack= exec= o/push-option/server-option= depth= deepen= shallow-since= \
        shallow-exclude= j/jobs= refmap= negotiation-tip= repo= filter= recurse-submodules?",
    loud: "upload-pack receive-pack exec",
    ..PLAIN
};

const fn special(options: &'static str, does: fn(&[Word], usize, &Line) -> Meaning) -> Sub {
    Sub { options, does: Does::Special(does), ..PLAIN }
}

const fn changes(options: &'static str, loud: &'static str, why: &'static str) -> Sub {
    Sub { options, loud, does: Does::Changes(why), ..PLAIN }
}

const fn hides(why: &'static str) -> Sub {
    Sub { does: Does::Hides(why), ..PLAIN }
}

const SUBS: &[(&str, Sub)] = &[
    (
        "status add commit tag branch ls-files ls-tree rev-parse describe \
            merge-base name-rev show-ref for-each-ref symbolic-ref update-ref cat-file hash-object \
            count-objects fsck gc prune repack pack-refs check-ignore check-attr check-ref-format \
            verify-commit verify-tag cherry var version help update-index write-tree commit-tree mktree \
            unpack-file stripspace merge-tree notes show-index show-branch get-tar-commit-id patch-id \
            stage fmt-merge-msg prune-packed replay last-modified refs repo",
        PLAIN,
    ),
    // Those that walk the history take `--output` as well, though they do not say so.
    (
        "log show diff blame annotate rev-list shortlog whatchanged diff-tree diff-files diff-index range-diff reflog diff-pairs",
        LOG,
    ),
    (
        "grep",
        Sub {
            options: "e= f= A= B= C= m= O/open-files-in-pager? threads= max-depth= color?",
            loud: "O",
            ..PLAIN
        },
    ),
    ("fetch push ls-remote fetch-pack send-pack", Sub { does: Does::Special(network), ..NETWORK }),
    ("pull", Sub { does: Does::Special(pull), ..NETWORK }),
    (
        "merge cherry-pick revert",
        changes(
            "m= F= s/strategy= X/strategy-option= S? gpg-sign? mainline= cleanup= into-name=",
            "s",
            "it changes files that are not named",
        ),
    ),
    (
        "rebase",
        special("x/exec= s/strategy= X/strategy-option= onto= S? gpg-sign? whitespace= C=", nested::rebase),
    ),
    (
        "switch",
        changes("c/create= C/force-create= orphan= conflict=", "", "it changes files that are not named"),
    ),
    ("checkout", special("b= B= orphan= conflict= pathspec-from-file=", changes::checkout)),
    (
        "restore",
        special("s/source= S/staged W/worktree conflict= pathspec-from-file= p/patch", changes::restore),
    ),
    ("reset", special("hard merge keep soft mixed N q/quiet p/patch pathspec-from-file=", changes::reset)),
    ("clean", special("e/exclude= n/dry-run f/force d x X i q", changes::clean)),
    (
        "rm",
        special("n/dry-run f/force r cached q/quiet ignore-unmatch pathspec-from-file= sparse", changes::rm),
    ),
    ("mv", special("n/dry-run f/force k v sparse", changes::mv)),
    (
        "pack-objects rerere diagnose mktag checkout-index read-tree sparse-checkout merge-file \
            merge-index merge-one-file unpack-objects index-pack fast-import replace",
        changes("", "", "it changes files that are not named"),
    ),
    ("stash", special("m/message= pathspec-from-file=", nested::stash)),
    (
        "config",
        special(
            "f/file= blob= t/type= default= global system local worktree z name-only show-origin \
                show-scope includes no-includes get get-all get-regexp get-urlmatch get-color \
                get-colorbool l/list e/edit add replace-all unset unset-all rename-section remove-section \
                fixed-value value= all regexp url= comment=",
            nested::config,
        ),
    ),
    ("remote", special("t= m=", nested::remote)),
    ("submodule", special("", nested::submodule)),
    ("bisect", special("", nested::bisect)),
    ("worktree", special("b= B= reason= expire=", nested::worktree)),
    (
        "clone",
        special(
            "o/origin= b/branch= u/upload-pack= reference= reference-if-able= template= depth= c/config= \
                j/jobs= separate-git-dir= shallow-since= shallow-exclude= filter= recurse-submodules? \
                recursive server-option= bundle-uri= revision= ref-format=",
            nested::clone,
        ),
    ),
    (
        "init init-db",
        special(
            "b/initial-branch= template= separate-git-dir= object-format= shared? ref-format=",
            nested::init,
        ),
    ),
    (
        "archive",
        Sub {
            options: "format= prefix= o/output= remote= exec= add-file= add-virtual-file= mtime=",
            loud: "remote exec",
            writes: "o",
            ..PLAIN
        },
    ),
    ("bundle", special("", nested::bundle)),
    (
        "format-patch",
        special(
            "o/output-directory= stdout output= ext-diff v/reroll-count= signature= signature-file= \
                suffix= subject-prefix= start-number= in-reply-to= to= cc= from? base= n \
                cover-from-description= interdiff= range-diff=",
            nested::format_patch,
        ),
    ),
    (
        "interpret-trailers",
        Sub { options: "in-place trailer= where= if-exists= if-missing=", loud: "in-place", ..PLAIN },
    ),
    ("maintenance", special("", nested::maintenance)),
    ("am apply", hides("which files change is said by the patch")),
    ("difftool mergetool", special("x/extcmd= t/tool= y/no-prompt g/gui", nested::tool)),
    (
        "filter-branch filter-repo for-each-repo hook fast-export quiltimport",
        hides("it runs commands over many commits, or hooks"),
    ),
    (
        "send-email imap-send request-pull daemon http-backend instaweb gui citool gitk shell upload-pack \
            receive-pack upload-archive cvsserver cvsimport cvsexportcommit p4 svn archimport credential \
            credential-cache credential-store sh-setup remote-ext remote-fd web--browse scalar",
        hides("it starts other programs"),
    ),
    ("lfs", special("", nested::lfs)),
];

impl Sub {
    pub(super) fn of(name: &str) -> Option<&'static Self> {
        SUBS.iter().find(|(names, _)| names.split(' ').any(|each| each == name)).map(|(_, sub)| sub)
    }

    /// `words` begin with the subcommand, which is the word at `place` of the whole.
    pub(super) fn meaning(&self, words: &[Word], place: usize) -> Meaning {
        let line = parse(words, self.options, Order::Anywhere);
        let name = words[0].shown();
        let mut meaning = match &self.does {
            Does::Nothing => Meaning::default(),
            Does::Changes(why) => Meaning::code(Pin::Words(place + 1), *why),
            Does::Hides(why) => Meaning::code(Pin::Everything, *why),
            Does::Special(does) => does(words, place, &line),
        };
        if (!self.loud.is_empty() || !self.writes.is_empty())
            && let Some(why) = &line.loose
        {
            meaning.unreadable(format!(
                "{why}: `git {name}` has options that run or write; write `--` before it"
            ));
        }
        if !self.loud.is_empty() && line.has(self.loud) {
            meaning.opaque(Pin::Everything, format!("`git {name}` was told to run something"));
        }
        for name in self.writes.split(' ').filter(|name| !name.is_empty()) {
            line.values(name).for_each(|path| meaning.writes(path, false));
        }
        meaning
    }
}

/// An address may name a program: `ext::sh -c …`.
fn network(_: &[Word], _: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    addresses(line, &mut meaning);
    meaning
}

fn pull(_: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::code(Pin::Words(place + 1), "it changes files that are not named");
    addresses(line, &mut meaning);
    meaning
}

pub(super) fn addresses(line: &Line, meaning: &mut Meaning) {
    if line.words().any(|word| word.start().contains("::")) {
        meaning.opaque(Pin::Everything, "the address names a program");
    }
}
