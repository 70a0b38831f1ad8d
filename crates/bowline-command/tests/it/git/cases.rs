//! Commands of git, made of what the installed git says of its own options.

use super::hostile::{self, HOSTILE};
use super::playground::Playground;

/// Subcommands, with their own. Left out is what waits for a network or a person.
const COMMANDS: &str = "add|am|annotate|apply|archive|bisect start|bisect log|bisect view|bisect run|bisect visualize|blame|branch|\
    bugreport|bundle create|bundle verify|bundle list-heads|bundle unbundle|cat-file|check-attr|check-ignore|checkout|\
    checkout-index|cherry|cherry-pick|clean|clone|commit|commit-tree|config|count-objects|describe|diagnose|diff|diff-files|\
    diff-index|diff-tree|fast-export|fast-import|fetch|fmt-merge-msg|for-each-ref|format-patch|fsck|gc|grep|hash-object|\
    index-pack|init|interpret-trailers|log|ls-files|ls-remote|ls-tree|mailinfo|mailsplit|maintenance run|merge|merge-base|\
    merge-file|merge-tree|mktag|mktree|mv|name-rev|notes add|notes append|notes list|notes show|pack-objects|pack-refs|patch-id|\
    prune|pull|push|range-diff|read-tree|rebase|reflog|reflog show|remote|remote add|remote set-url|remote show|repack|replace|\
    rerere|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-branch|show-ref|sparse-checkout set|stash|stash list|\
    stash show|stash pop|stash push|stash apply|status|stripspace|submodule status|submodule foreach|switch|symbolic-ref|tag|\
    unpack-file|update-index|update-ref|var|verify-commit|verify-pack|whatchanged|worktree add|worktree list|worktree move|\
    write-tree|merge-index|merge-one-file|hook run|for-each-repo|column|evil";

/// Options that neither list of git tells, or only some lists do.
const MORE: &str = "-p -n -f -s -F -o -O -x -c -C -m -t -l -L -S -G -u -U -w -a -e -i -q -r -b -d -D -M -A -N -W -z -1 -3 --patch --output \
    --output-directory --no-index --ext-diff --textconv --exec --upload-pack --receive-pack --file --dry-run --no-dry-run --get \
    --no-get --force --hard --cached --no-cached --staged --worktree --contents --pathspec-from-file --prefix --stdin --stdout \
    --in-place --in-pl --outp --outpu --fil --stat --name-only --oneline --strategy --template --blob --list --no-list --add-file \
    --remote --untracked --no-exclude-standard --batch --textconv --filters --open-files-in-pager --open --show-current-patch \
    --index-output --cacheinfo --signature-file --import-marks --export-marks --extcmd --all --end-of-options";

const VALUES: &[&str] = &[
    "prot/f",
    "prot/new",
    "prot",
    "prot/",
    ".env",
    "evil",
    "conf/secret",
    "HEAD",
    "HEAD~1",
    "other",
    "1",
    "x",
    "specs",
    "evil x",
    "100644,5626abf0f72e58d7a153368ba57db4c673c0e171,prot/f",
    "--output=prot/f",
    "-n",
    "a.txt",
    "get",
    "ext::evil",
];

const OPERANDS: &[&[&str]] = &[
    &[],
    &[],
    &["HEAD"],
    &["HEAD~1"],
    &["other"],
    &["HEAD~1", "HEAD"],
    &["a.txt"],
    &[".env"],
    &["prot/f"],
    &["prot"],
    &["conf/secret"],
    &["HEAD:conf/secret"],
    &[":conf/secret"],
    &["HEAD:conf"],
    &["."],
    &[":/"],
    &[":/prot"],
    &["--", ".env"],
    &["--", "prot/f"],
    &["--", "conf/secret"],
    &["--", "."],
    &["--", "prot"],
    &["--", ":(top)prot"],
    &["--", ":(icase)PROT/F"],
    &["--", ":!src"],
    &["HEAD~1", "--", "prot/f"],
    &["HEAD~1", "prot/f"],
    &["HEAD~1", "--", "conf"],
    &["HEAD~1", "."],
    &["/dev/null", ".env"],
    &["--no-index", "/dev/null", ".env"],
    &["--no-index", "a.txt", ".env"],
    &["--no-index", "-e", "SECRET"],
    &["SECRET"],
    &["SECRET", "--", ".env"],
    &["SECRET", "HEAD~1"],
    &["SECRET", "conf"],
    &["blob", "HEAD:conf/secret"],
    &["x.patch"],
    &["mbox"],
    &["x.bundle", "prot/new"],
    &["prot/new", "HEAD"],
    &["x.bundle"],
    &["origin"],
    &["origin", "main"],
    &["../remote.git", "main"],
    &["../remote.git", "prot/new"],
    &["ext::evil"],
    &["evil::x"],
    &["src", "prot"],
    &["prot/f", "a.txt"],
    &["a.txt", "prot/new"],
    &["core.fsmonitor", "evil"],
    &["core.pager", "evil"],
    &["alias.x", "!evil"],
    &["user.name"],
    &["evil"],
    &["evil", "x"],
    &["prot/f", "src/x.rs", "a.txt"],
    &["a.txt", ".env", "src/x.rs"],
    &["../wt"],
    &["prot/wt"],
    &["-b", "new", "prot/wt"],
    &["stash@{0}"],
    &["v1"],
    &["prot/pack"],
    &["--all"],
    &["--", "evil"],
    &["HEAD", "conf/secret"],
    &["main..other"],
    &["HEAD~2", "HEAD~1", "HEAD"],
];

const BEFORE: &[&[&str]] = &[
    &["-P"],
    &["--no-pager"],
    &["-C", "."],
    &["-C", "src", "-C", ".."],
    &["-c", "core.pager=cat"],
    &["-c", "core.fsmonitor=evil"],
    &["-c", "diff.external=evil"],
    &["-c", "alias.x=!evil"],
    &["--literal-pathspecs"],
    &["--icase-pathspecs"],
    &["--git-dir=.git"],
    &["--work-tree=prot"],
    &["-c", "core.hooksPath=prot"],
    &["-C", "src"],
    &["--exec-path=../bin"],
];

/// A row of numbers that is the same each time.
pub(crate) struct Row(u64);

impl Row {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 16).unwrap()
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.next().is_multiple_of(count)
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.next() % all.len()]
    }
}

/// A subcommand, and the options that git says it has.
pub(crate) struct Known {
    words: Vec<&'static str>,
    options: Vec<String>,
}

pub(crate) fn known(playground: &Playground) -> Vec<Known> {
    let told = |command: &'static str| {
        let words: Vec<&str> = command.split(' ').map(str::trim).filter(|word| !word.is_empty()).collect();
        let ask = [&words[..], &["--git-completion-helper-all"]].concat();
        // What does not know the question takes it for an operand.
        let is_asked = !matches!(
            words[0],
            "evil" | "bisect" | "submodule" | "merge-one-file" | "hook" | "for-each-repo"
        );
        let text = if is_asked { playground.ask(&ask) } else { String::new() };
        let options = text.split_whitespace().filter(|option| option.len() > 2 && option.starts_with("--"));
        Known { options: options.map(str::to_owned).collect(), words }
    };
    COMMANDS.split('|').map(told).collect()
}

/// One command: sometimes options before it, up to three of its own, then operands.
pub(crate) fn command(known: &[Known], row: &mut Row) -> Vec<String> {
    if !row.one_in(3) {
        return mutated(known, row);
    }
    let chosen = &known[row.next() % known.len()];
    let mut words: Vec<String> = Vec::new();
    if row.one_in(8) {
        words.extend(row.of(BEFORE).iter().map(|word| (*word).to_owned()));
    }
    words.extend(chosen.words.iter().map(|word| (*word).to_owned()));
    let operands = row.of(OPERANDS);
    let ends_first = row.one_in(6);
    if ends_first {
        words.extend(operands.iter().map(|word| (*word).to_owned()));
    }
    for _ in 0..row.next() % 4 {
        words.extend(option(chosen, row));
    }
    if !ends_first {
        words.extend(operands.iter().map(|word| (*word).to_owned()));
    }
    words
}

/// An option of the subcommand, or of any, with a value or without.
fn option(chosen: &Known, row: &mut Row) -> Vec<String> {
    let more: Vec<&str> = MORE.split_ascii_whitespace().collect();
    let is_own = !chosen.options.is_empty() && !row.one_in(3);
    let option = match is_own {
        true => chosen.options[row.next() % chosen.options.len()].clone(),
        false => row.of(&more).to_owned(),
    };
    let value = row.of(VALUES);
    let is_short = !option.starts_with("--");
    match (option.strip_suffix('='), row.next() % 4) {
        (Some(name), 0 | 1) => vec![name.to_owned(), value.to_owned()],
        (Some(_), _) => vec![format!("{option}{value}")],
        (None, 0) if is_short => vec![format!("{option}{value}")],
        (None, 0) => vec![format!("{option}={value}")],
        (None, 1) => vec![option, value.to_owned()],
        (None, _) => vec![option],
    }
}

/// A hostile command with something put in: an option before it or among its words, or one of its options taken back.
fn mutated(known: &[Known], row: &mut Row) -> Vec<String> {
    let lines: Vec<&str> = HOSTILE.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut words = hostile::words(row.of(&lines));
    let is_of = |known: &&Known| words.iter().any(|word| word == known.words[0]);
    let own = known.iter().find(is_of);
    for _ in 0..1 + row.next() % 2 {
        let place = 1 + row.next() % words.len();
        let undone = words.iter().find_map(|word| word.strip_prefix("--")).map(|name| {
            let name = name.split('=').next().unwrap_or_default();
            vec![format!("--no-{}", name.strip_prefix("no-").unwrap_or(name))]
        });
        let put = match (row.next() % 6, own, undone) {
            (0, ..) => {
                let before: Vec<String> = row.of(BEFORE).iter().map(|word| (*word).to_owned()).collect();
                words.splice(0..0, before);
                continue;
            }
            (1, _, Some(undone)) => undone,
            (2, ..) => row.of(OPERANDS).iter().map(|word| (*word).to_owned()).collect(),
            (_, Some(own), _) => option(own, row),
            (..) => vec![row.of(VALUES).to_owned()],
        };
        words.splice(place..place, put);
    }
    words
}

/// As it would be typed.
pub(crate) fn typed(words: &[String]) -> String {
    let quoted = words.iter().map(|word| {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,@".contains(letter);
        if !word.is_empty() && word.chars().all(is_plain) { word.clone() } else { format!("'{word}'") }
    });
    format!("git {}", quoted.collect::<Vec<_>>().join(" "))
}
