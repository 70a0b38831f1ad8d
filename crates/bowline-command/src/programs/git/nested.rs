//! Subcommands of git with subcommands of their own, and those that set up what runs later.

use super::options::{DIFF, LOG, REVS};
use super::subs::{Call, Does, Row, Sub, plain, special};
use super::{addresses, changes, shows};
use crate::programs::Meaning;
use crate::programs::line::Order;
use crate::programs::meaning::joined;
use crate::{Access, Filter, Pin, Word};

const fn spelt(why: &'static str) -> Sub {
    Sub { options: &[""], order: Order::Anywhere, does: Does::Changes(why) }
}

const NOTES_TEXT: &str =
    "m/message= F/file=< c/reedit-message= C/reuse-message= allow-empty f/force separator? stripspace e/edit";
const STASH_PUSH: &str = "k/keep-index S/staged p/patch q/quiet u/include-untracked a/all m/message= pathspec-from-file=< \
    pathspec-file-nul U/unified= inter-hunk-context= auto-advance";

pub(super) const REFLOG: &[Row] =
    &[("show", special(&[LOG, REVS, DIFF], shows::log)), ("expire delete exists list drop", plain(&[""]))];

pub(super) const STASH: &[Row] = &[
    ("push save", special(&[STASH_PUSH], changes::stashes)),
    ("pop apply", special(&["q/quiet index label-ours= label-theirs= label-base="], changes::any)),
    ("branch", special(&[""], changes::any)),
    ("list", special(&[LOG, REVS, DIFF], shows::log)),
    ("show", special(&["u/include-untracked only-untracked", LOG, REVS, DIFF], shows::log)),
    ("create store drop clear export import", plain(&["m/message= q/quiet"])),
];

pub(super) const REMOTE: &[Row] = &[
    (
        "show prune get-url update",
        special(&["v/verbose n/dry-run p/prune push all q/query"], addresses::named),
    ),
    (
        "add set-url rename rm remove set-head set-branches",
        special(
            &["f/fetch tags no-tags t/track= m/master= mirror? push add delete a/auto d progress"],
            remote,
        ),
    ),
];

pub(super) const NOTES: &[Row] = &[
    ("add append edit", plain(&[NOTES_TEXT])),
    (
        "list show copy remove prune merge get-ref",
        plain(&["f/force stdin for-rewrite= v/verbose q/quiet s/strategy= commit abort \
        ignore-missing n/dry-run"]),
    ),
];

pub(super) const WORKTREE: &[Row] = &[
    ("list", plain(&["porcelain v/verbose expire= z"])),
    (
        "add move remove lock unlock prune repair",
        special(
            &[
                "f/force b= B= d/detach checkout lock reason= orphan q/quiet track guess-remote n/dry-run v/verbose expire= \
               relative-paths",
            ],
            worktree,
        ),
    ),
];

pub(super) const BUNDLE: &[Row] = &[
    ("verify list-heads", special(&["q/quiet"], super::files::reads_operands)),
    (
        "create",
        Sub {
            options: &["q/quiet progress no-progress all-progress all-progress-implied version="],
            order: Order::First,
            does: Does::Special(bundle),
        },
    ),
    ("unbundle", special(&["progress"], super::files::unbundle)),
];

pub(super) const SUBMODULE: &[Row] = &[
    ("status", plain(&["q/quiet cached recursive"])),
    ("summary", plain(&["cached files n/summary-limit= for-status"])),
    ("foreach", Sub { options: &["q/quiet recursive"], order: Order::First, does: Does::Special(foreach) }),
    (
        "add init update deinit set-branch set-url sync absorbgitdirs",
        Sub { options: &[""], order: Order::Anywhere, does: Does::Hides("a submodule may say what runs") },
    ),
];

pub(super) const BISECT: &[Row] = &[
    ("log terms help", plain(&[""])),
    (
        "start good bad new old skip reset next",
        special(&["term-good= term-bad= term-new= term-old= no-checkout first-parent"], changes::any),
    ),
    ("replay", special(&[""], replay)),
    ("run", Sub { options: &[""], order: Order::First, does: Does::Special(run) }),
    ("view visualize", Sub { options: &[""], order: Order::First, does: Does::Special(view) }),
];

pub(super) const SPARSE: &[Row] = &[
    ("list check-rules", plain(&["z rules-file=< cone"])),
    ("init set add reapply disable clean", spelt("it takes files away, or brings them back")),
];

pub(super) const MAINTENANCE: &[Row] = &[
    ("run", plain(&["auto schedule= quiet task= detach"])),
    (
        "start stop register unregister",
        Sub { options: &[""], order: Order::Anywhere, does: Does::Hides("it runs later, outside the gate") },
    ),
];

pub(super) const GRAPHS: &[Row] = &[(
    "write verify expire repack compact",
    special(
        &[
            "object-dir= reachable stdin-packs stdin-commits append changed-paths split? max-commits= size-multiple= \
        expire-time= max-new-filters= progress shallow preferred-pack= bitmap refs-snapshot=< batch-size= incremental",
        ],
        graphs,
    ),
)];

pub(super) const LFS: &[Row] = &[
    ("ls-files status env version locks", plain(&[""])),
    (
        "pull fetch checkout push install track untrack lock unlock migrate prune",
        spelt("it changes files that are not named"),
    ),
];

fn remote(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Words(call.spelt), "it changes where git fetches from");
    addresses::addresses(&call.line, &mut meaning);
    meaning
}

fn worktree(call: &Call<'_>) -> Meaning {
    let mut meaning =
        Meaning::code(Pin::Words(call.spelt), "it makes or removes a whole tree, and runs hooks");
    let line = &call.line;
    let name = call.words[0].literal();
    if let (Some("add" | "remove" | "move" | "repair"), Some(path)) = (name, line.operand(0)) {
        meaning.writes(path, true);
    }
    if let (Some("move"), Some(path)) = (name, line.operand(1)) {
        meaning.writes(path, true);
    }
    if name == Some("add") {
        super::spec::shows_any(&mut meaning);
    }
    meaning
}

fn bundle(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    if call.line.loose.is_some() {
        meaning.unreadable("what `git bundle` writes cannot be told");
    }
    super::spec::shows_any(&mut meaning);
    if let Some(path) = call.line.operand(0).filter(|path| path.literal() != Some("-")) {
        meaning.writes(path, false);
    }
    meaning
}

fn foreach(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Everything, "it runs a command in every submodule");
    let code: Vec<Word> = call.line.words().cloned().collect();
    meaning.shell.extend(joined(&code));
    meaning
}

fn run(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Everything, "it runs a command in many versions of the project");
    meaning.runs.extend((call.words.len() > 1).then(|| call.words[1..].to_vec()));
    super::spec::changes_any(&mut meaning);
    meaning
}

fn replay(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Words(call.spelt), "it does what a file says");
    call.line.words().for_each(|word| meaning.reads(word));
    super::spec::changes_any(&mut meaning);
    meaning
}

/// Options are those of `git log`; any other word is a command.
fn view(call: &Call<'_>) -> Meaning {
    let mut meaning = match call.words.get(1).map(Word::start) {
        Some(text) if text.starts_with('-') => super::subs::meaning(
            &std::iter::once(Word::Literal("log".to_owned()))
                .chain(call.words[1..].iter().cloned())
                .collect::<Vec<_>>(),
        ),
        _ => Meaning::default(),
    };
    meaning.opaque(Pin::Everything, "it starts a program that shows commits");
    meaning
}

pub(super) fn init(call: &Call<'_>) -> Meaning {
    let line = &call.line;
    let mut meaning = Meaning::code(Pin::Words(call.spelt), "it makes a repository");
    let template = line.values("template").any(|path| path.literal() != Some(""));
    if line.loose.is_some() || template || line.has("separate-git-dir") {
        meaning.opaque(Pin::Everything, "a template brings hooks, which run");
    }
    if let Some(path) = line.operand(0) {
        meaning.writes(path, true);
    }
    meaning
}

pub(super) fn tool(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Everything, "it starts another program");
    meaning.shell.extend(call.line.values("x").cloned());
    super::spec::shows(&call.line, &mut meaning);
    call.line.words().for_each(|word| meaning.touch(Access::Read, word, true, Filter::default()));
    meaning
}

/// What is set may run: `core.pager`, `core.hooksPath`, an alias.
pub(super) fn config(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    let first = line.operand(0).and_then(Word::literal);
    // Since git 2.46, what is done is a word; options may follow it.
    if let Some(verb @ ("get" | "list" | "set" | "unset" | "edit" | "rename-section" | "remove-section")) =
        first
    {
        let rest = super::words::parse(&call.words[line.operands[0].0..], CONFIG, Order::First);
        // Before that, a single word without a dot was an error, and two were a setting.
        let is_old = matches!(verb, "get" | "list") && !verb.contains('.');
        if is_old && rest.loose.is_none() {
            files(&[line, &rest], Access::Read, &mut meaning);
            return meaning;
        }
        meaning.opaque(Pin::Everything, "what git is told here may run later");
        files(&[line, &rest], Access::Write, &mut meaning);
        return meaning;
    }
    let sets = line.has("add replace-all unset unset-all rename-section remove-section e");
    let asks = line.has("get get-all get-regexp get-urlmatch get-color get-colorbool l");
    if (asks || line.operands.len() <= 1) && !sets && line.loose.is_none() {
        files(&[line], Access::Read, &mut meaning);
        return meaning;
    }
    meaning.opaque(Pin::Everything, "what git is told here may run later");
    files(&[line], Access::Write, &mut meaning);
    meaning
}

const CONFIG: super::words::Options = &[
    "global system local worktree f/file= blob= t/type= bool int bool-or-int bool-or-str path \
    expiry-date no-type z/null name-only includes show-origin show-scope show-names default= comment= value= all regexp \
    url= append fixed-value",
];

/// Which file the settings are in.
fn files(lines: &[&crate::programs::line::Line], access: Access, meaning: &mut Meaning) {
    for blob in lines.iter().flat_map(|line| line.values("blob")) {
        super::spec::shows_in_commit(blob, meaning);
    }
    let named: Vec<&Word> = lines.iter().flat_map(|line| line.values("f")).collect();
    for path in &named {
        meaning.reads(path);
        if access == Access::Write {
            meaning.writes(path, false);
        }
    }
    if access == Access::Write && named.is_empty() && !lines.iter().any(|line| line.has("global system")) {
        meaning.writes_at(".git/config", false);
    }
}

/// Files of git's own, unless another place is named.
fn graphs(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    for place in call.line.values("object-dir") {
        meaning.opaque(Pin::Everything, "objects of another place are written");
        meaning.writes(place, true);
    }
    meaning
}
