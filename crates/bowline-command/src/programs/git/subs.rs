//! The subcommands of git, as a table: every one with its own options.

use super::options::{DIFF, FETCH, LOG, REVS};
use super::words::{Harm, Options, harm, parse};
use super::{addresses, changes, files, nested, shows};
use crate::programs::Meaning;
use crate::programs::line::{Line, Order};
use crate::{Pin, Word};

/// A subcommand, or a subcommand of one.
pub(super) struct Sub {
    /// All of its options.
    pub(super) options: Options,
    pub(super) order: Order,
    pub(super) does: Does,
}

pub(super) enum Does {
    /// Nothing but what its options say.
    Nothing,
    /// It changes files, or runs what the repository says: the subcommand must be spelt.
    Changes(&'static str),
    /// Everything must be spelt.
    Hides(&'static str),
    Special(fn(&Call<'_>) -> Meaning),
    /// It has subcommands of its own. Which one it is if none is named.
    Nested(&'static [(&'static str, Sub)], &'static str),
}

/// One command of git: `push`, `stash push`.
pub(super) struct Call<'a> {
    /// The first is the subcommand.
    pub(super) words: &'a [Word],
    pub(super) line: Line,
    /// How many words spell it, with `git`.
    pub(super) spelt: usize,
}

pub(super) type Row = (&'static str, Sub);

const fn plain(options: Options) -> Sub {
    Sub { options, order: Order::Anywhere, does: Does::Nothing }
}

pub(super) const fn special(options: Options, does: fn(&Call<'_>) -> Meaning) -> Sub {
    Sub { options, order: Order::Anywhere, does: Does::Special(does) }
}

const fn changes(options: Options) -> Sub {
    Sub { options, order: Order::Anywhere, does: Does::Changes("it changes files that are not named") }
}

const fn hides(why: &'static str) -> Sub {
    Sub { options: &[""], order: Order::Anywhere, does: Does::Hides(why) }
}

const BLAME: &str = "incremental b root show-stats progress score-debug f/show-name n/show-number p/porcelain line-porcelain \
    c t l s e/show-email w ignore-rev= ignore-revs-file=< color-lines color-by-age S=< contents=< C? M? L= abbrev? \
    diff-algorithm= minimal";

const ADD: &str = "n/dry-run v/verbose i/interactive p/patch e/edit f/force u/update renormalize N/intent-to-add A/all \
    ignore-removal refresh ignore-errors ignore-missing sparse chmod= pathspec-from-file=< pathspec-file-nul \
    warn-embedded-repo no-warn-embedded-repo U/unified= inter-hunk-context= auto-advance";

const SUBS: &[Row] = &[
    (
        "merge-base name-rev show-ref symbolic-ref update-ref count-objects gc prune repack pack-refs \
            check-attr check-ref-format cherry var version help write-tree show-branch \
            get-tar-commit-id patch-id prune-packed last-modified refs repo rev-parse fsck fsck-objects \
            check-mailmap check-ignore update-server-info verify-commit verify-tag stripspace column describe \
            for-each-ref show-index backfill survey pack-redundant",
        plain(&[""]),
    ),
    (
        "ls-tree",
        plain(&["d r t z l/long name-only name-status object-only full-name full-tree format= abbrev?"]),
    ),
    (
        "status",
        special(
            &[
                "v/verbose s/short b/branch show-stash ahead-behind porcelain? long z/null u/untracked-files? ignored? \
               ignore-submodules? column? no-renames M/find-renames?",
            ],
            shows::if_verbose,
        ),
    ),
    ("add stage", special(&[ADD], files::add)),
    (
        "commit",
        special(
            &[
                "q/quiet v/verbose F/file=< author= date= m/message= c/reedit-message= C/reuse-message= fixup= squash= \
               reset-author trailer= s/signoff t/template=< e/edit cleanup= status S/gpg-sign? a/all i/include \
               interactive p/patch o/only n/no-verify dry-run short branch ahead-behind porcelain long z/null amend \
               no-post-rewrite u/untracked-files? pathspec-from-file=< pathspec-file-nul allow-empty \
               allow-empty-message U/unified= inter-hunk-context=",
            ],
            files::commit,
        ),
    ),
    ("commit-tree", plain(&["p= m= F=< S/gpg-sign?"])),
    (
        "tag",
        plain(&[
            "l/list n? d/delete v/verify a/annotate m/message= F/file=< trailer= e/edit s/sign cleanup= \
            u/local-user= f/force create-reflog column? contains? no-contains? with? without? merged? no-merged? \
            omit-empty sort= points-at? format= color? i/ignore-case",
        ]),
    ),
    (
        "branch",
        plain(&[
            "v/verbose q/quiet t/track? u/set-upstream-to= unset-upstream color? r/remotes contains? no-contains? \
            abbrev? a/all d/delete D m/move M c/copy C l/list show-current create-reflog edit-description f/force \
            merged? no-merged? column? sort= points-at= i/ignore-case recurse-submodules format= omit-empty",
        ]),
    ),
    (
        "ls-files",
        plain(&["z t v f c/cached d/deleted m/modified o/others i/ignored s/stage k/killed directory eol \
            empty-directory u/unmerged resolve-undo x/exclude= X/exclude-from=< exclude-per-directory= \
            exclude-standard full-name recurse-submodules error-unmatch with-tree= abbrev? debug deduplicate sparse \
            format= no-empty-directory"]),
    ),
    ("log whatchanged", special(&[LOG, REVS, DIFF], shows::log)),
    ("rev-list", special(&[REVS, DIFF, "quiet L="], shows::log)),
    ("diff-tree", special(&[DIFF, REVS, "root always no-commit-id merge-base stdin e"], shows::log)),
    ("show", special(&[LOG, REVS, DIFF], shows::diff)),
    (
        "diff",
        special(&[DIFF, REVS, "no-index cached/staged merge-base 0 1/base 2/ours 3/theirs q"], shows::diff),
    ),
    (
        "diff-files diff-index diff-pairs",
        special(&[DIFF, REVS, "cached merge-base 0 1/base 2/ours 3/theirs q"], shows::log),
    ),
    (
        "range-diff",
        special(
            &[
                DIFF,
                "creation-factor= no-dual-color dual-color notes? left-only right-only diff-merges= remerge-diff max-memory=",
            ],
            shows::all,
        ),
    ),
    ("reflog", Sub { options: &[""], order: Order::First, does: Does::Nested(nested::REFLOG, "show") }),
    ("shortlog", special(&["c/committer n/numbered s/summary e/email w? group=", REVS, DIFF], shows::names)),
    ("blame annotate", special(&[BLAME, REVS, DIFF], shows::blame)),
    (
        "grep",
        special(
            &[
                "cached no-index untracked exclude-standard no-exclude-standard recurse-submodules v/invert-match \
               i/ignore-case w/word-regexp a/text I textconv r/recursive no-recursive max-depth= E/extended-regexp \
               G/basic-regexp F/fixed-strings P/perl-regexp n/line-number column h H full-name l/files-with-matches \
               name-only L/files-without-match z/null o/only-matching c/count color? break heading C/context= \
               B/before-context= A/after-context= # threads= p/show-function W/function-context f=< e= and or not \
               q/quiet all-match O/open-files-in-pager?! ext-grep m/max-count=",
            ],
            shows::grep,
        ),
    ),
    (
        "cat-file",
        special(
            &[
                "e p t s allow-unknown-type use-mailmap mailmap batch? batch-check? z Z batch-command? batch-all-objects \
               buffer follow-symlinks unordered textconv filters path= filter= no-filter",
            ],
            shows::cat_file,
        ),
    ),
    ("unpack-file", special(&[""], shows::all)),
    (
        "merge-tree",
        special(
            &["write-tree trivial-merge messages z name-only allow-unrelated-histories stdin merge-base= \
               X/strategy-option= quiet"],
            shows::merge_tree,
        ),
    ),
    ("verify-pack", plain(&["v/verbose s/stat-only object-format="])),
    ("hash-object", special(&["t= w stdin stdin-paths no-filters literally path="], files::reads_operands)),
    (
        "fetch fetch-pack",
        special(
            &[
                FETCH,
                "thin include-tag stateless-rpc lock-pack check-self-contained-and-connected cloning no-progress \
            exec=! diag-url d",
            ],
            addresses::fetch,
        ),
    ),
    (
        "ls-remote",
        special(
            &["q/quiet upload-pack=! exec=! t/tags h/heads/branches refs get-url sort= exit-code symref \
               o/server-option="],
            addresses::fetch,
        ),
    ),
    (
        "push send-pack",
        special(
            &["v/verbose q/quiet repo= all branches mirror d/delete tags n/dry-run porcelain f/force \
               force-with-lease? force-if-includes recurse-submodules= thin receive-pack=! exec=! u/set-upstream \
               progress prune no-verify follow-tags signed? atomic o/push-option= 4/ipv4 6/ipv6 remote= \
               stateless-rpc stdin helper-status"],
            addresses::push,
        ),
    ),
    (
        "pull",
        special(
            &[
                FETCH,
                "r/rebase? stat n summary log? signoff? squash commit edit cleanup= ff ff-only no-verify \
               verify-signatures autostash s/strategy= X/strategy-option= S/gpg-sign? allow-unrelated-histories \
               compact-summary e",
            ],
            addresses::pull,
        ),
    ),
    (
        "merge",
        special(
            &[
                "n stat summary log? compact-summary squash commit e/edit cleanup= ff ff-only rerere-autoupdate \
               verify-signatures s/strategy= X/strategy-option= m/message= F/file=< into-name= v/verbose q/quiet \
               abort quit continue allow-unrelated-histories progress S/gpg-sign? autostash overwrite-ignore \
               signoff no-verify",
            ],
            changes::merge,
        ),
    ),
    (
        "cherry-pick revert",
        special(
            &[
                "quit continue abort skip cleanup= n/no-commit e/edit s/signoff m/mainline= rerere-autoupdate \
               strategy= X/strategy-option= S/gpg-sign? x r ff allow-empty allow-empty-message \
               keep-redundant-commits empty= reference",
                REVS,
            ],
            changes::merge,
        ),
    ),
    (
        "rebase",
        special(
            &["onto= keep-base no-verify q/quiet v/verbose n/no-stat signoff committer-date-is-author-date \
               reset-author-date ignore-date C= ignore-whitespace whitespace= f/force-rebase no-ff continue skip \
               abort quit edit-todo show-current-patch apply m/merge i/interactive rerere-autoupdate empty= k \
               keep-empty autosquash update-refs S/gpg-sign? autostash x/exec= r/rebase-merges? p/preserve-merges \
               fork-point s/strategy= X/strategy-option= root reschedule-failed-exec reapply-cherry-picks \
               allow-empty-message trailer="],
            changes::rebase,
        ),
    ),
    (
        "switch",
        special(
            &[
                "c/create= C/force-create= guess discard-changes q/quiet recurse-submodules? progress m/merge conflict= \
               d/detach t/track? f/force orphan= overwrite-ignore ignore-other-worktrees",
            ],
            changes::switch,
        ),
    ),
    (
        "checkout",
        special(
            &[
                "b= B= l guess overlay q/quiet recurse-submodules? progress m/merge conflict= d/detach t/track? f/force \
               orphan= overwrite-ignore ignore-other-worktrees 2/ours 3/theirs p/patch ignore-skip-worktree-bits \
               pathspec-from-file=< pathspec-file-nul U/unified= inter-hunk-context= auto-advance",
            ],
            changes::checkout,
        ),
    ),
    (
        "restore",
        special(
            &[
                "s/source= S/staged W/worktree ignore-unmerged overlay q/quiet recurse-submodules? progress m/merge \
               conflict= 2/ours 3/theirs p/patch ignore-skip-worktree-bits pathspec-from-file=< pathspec-file-nul \
               U/unified= inter-hunk-context= auto-advance",
            ],
            changes::restore,
        ),
    ),
    (
        "reset",
        special(
            &["q/quiet no-refresh mixed soft hard merge keep recurse-submodules? p/patch N/intent-to-add \
               pathspec-from-file=< pathspec-file-nul z U/unified= inter-hunk-context= auto-advance"],
            changes::reset,
        ),
    ),
    ("clean", special(&["q/quiet n/dry-run f/force i/interactive d e/exclude= x X"], changes::clean)),
    (
        "rm",
        special(
            &[
                "n/dry-run q/quiet cached f/force r ignore-unmatch sparse pathspec-from-file=< pathspec-file-nul",
            ],
            changes::rm,
        ),
    ),
    ("mv", special(&["v/verbose n/dry-run f/force k sparse"], changes::mv)),
    (
        "update-index",
        special(
            &["q ignore-submodules add replace remove unmerged refresh really-refresh cacheinfo= chmod= \
               assume-unchanged no-assume-unchanged skip-worktree no-skip-worktree ignore-skip-worktree-entries \
               info-only force-remove z stdin index-info unresolve g/again ignore-missing verbose \
               clear-resolve-undo index-version= show-index-version split-index untracked-cache \
               test-untracked-cache force-untracked-cache force-write-index fsmonitor fsmonitor-valid \
               no-fsmonitor-valid"],
            files::update_index,
        ),
    ),
    (
        "read-tree",
        changes(&[
            "index-output=> empty v/verbose m trivial aggressive reset prefix= u exclude-per-directory= i \
            n/dry-run no-sparse-checkout debug-unpack recurse-submodules? q/quiet",
        ]),
    ),
    (
        "checkout-index",
        special(
            &[
                "a/all ignore-skip-worktree-bits f/force q/quiet n/no-create u/index z stdin temp prefix= stage=",
            ],
            files::checkout_index,
        ),
    ),
    (
        "merge-file",
        special(
            &["p/stdout diff3 zdiff3 ours theirs union marker-size= q/quiet L= object-id diff-algorithm="],
            files::merge_file,
        ),
    ),
    ("pack-objects", special(&[""], files::pack_objects)),
    (
        "index-pack",
        changes(&[
            "o=> rev-index no-rev-index stdin fix-thin keep? index-version= strict? threads= max-input-size= \
            object-format= promisor? verify verify-stat verify-stat-only check-self-contained-and-connected \
            progress-title= show-resolving-progress report-end-of-input v fsck-objects? pack_header=",
        ]),
    ),
    ("unpack-objects", changes(&["n q r strict max-input-size= pack_header="])),
    ("mktag mktree replay history", changes(&[""])),
    (
        "replace rerere merge-one-file merge-recursive merge-ours merge-octopus merge-resolve merge-subtree",
        changes(&[""]),
    ),
    ("fmt-merge-msg", plain(&["log? summary m/message= into-name= F/file=<"])),
    ("mailinfo", special(&["k b m/message-id u n encoding= scissors quoted-cr="], files::mailinfo)),
    ("mailsplit", special(&["d= f= b keep-cr mboxrd o="], files::mailsplit)),
    (
        "interpret-trailers",
        special(
            &[
                "in-place trim-empty where= if-exists= if-missing= only-trailers only-input unfold parse no-divider \
               trailer= key= key-only value-only separator=",
            ],
            files::trailers,
        ),
    ),
    (
        "archive",
        special(
            &[
                "# format= prefix= o/output=> remote= exec=! add-file=< add-virtual-file= mtime= worktree-attributes \
               v/verbose l/list",
            ],
            files::archive,
        ),
    ),
    (
        "format-patch",
        special(
            &[
                "n/numbered N/no-numbered s/signoff stdout cover-letter numbered-files suffix= start-number= \
               v/reroll-count= filename-max-length= rfc? cover-from-description= description-file=< subject-prefix= \
               o/output-directory= k/keep-subject p/no-stat no-binary zero-commit ignore-if-in-upstream add-header= \
               to= cc= from? in-reply-to= attach? inline? thread? signature= no-signature base= signature-file=< \
               q/quiet progress interdiff= range-diff= creation-factor= force-in-body-from encode-email-headers \
               no-thread no-attach no-to no-cc no-add-header commit-list-format=",
                LOG,
                REVS,
                DIFF,
            ],
            files::format_patch,
        ),
    ),
    ("bugreport", special(&["diagnose? no-suffix o/output-directory= s/suffix="], files::report)),
    ("diagnose", special(&["o/output-directory= s/suffix= mode="], files::report)),
    (
        "am",
        special(
            &[
                "i/interactive 3/3way q/quiet s/signoff u/utf8 k/keep keep-non-patch b/binary m/message-id keep-cr \
               no-keep-cr c/scissors quoted-cr= whitespace= ignore-space-change ignore-whitespace directory= exclude= \
               include= C= p= patch-format= reject resolvemsg= continue r/resolved skip abort quit \
               show-current-patch? retry allow-empty committer-date-is-author-date ignore-date rerere-autoupdate \
               S/gpg-sign? empty= n/no-verify",
            ],
            files::am,
        ),
    ),
    (
        "apply",
        special(
            &[
                "exclude= include= p= no-add add stat numstat summary check index N/intent-to-add cached unsafe-paths \
               apply 3/3way ours theirs union build-fake-ancestor=> z C= whitespace= ignore-space-change \
               ignore-whitespace R/reverse unidiff-zero reject allow-overlap v/verbose q/quiet inaccurate-eof \
               recount directory= allow-empty allow-binary-replacement/binary",
            ],
            files::apply,
        ),
    ),
    (
        "difftool mergetool",
        special(
            &[
                "g/gui d/dir-diff y/no-prompt symlinks t/tool= tool-help trust-exit-code x/extcmd= no-index prompt O=<",
                DIFF,
                REVS,
            ],
            nested::tool,
        ),
    ),
    (
        "config",
        Sub {
            options: &[
                "global system local worktree f/file= blob= get get-all get-regexp get-urlmatch replace-all add \
                unset unset-all rename-section remove-section l/list fixed-value e/edit get-color get-colorbool \
                t/type= bool int bool-or-int bool-or-str path expiry-date no-type z/null name-only includes \
                show-origin show-scope show-names default= comment= value= all regexp url= append",
            ],
            order: Order::First,
            does: Does::Special(nested::config),
        },
    ),
    ("stash", Sub { options: &[""], order: Order::First, does: Does::Nested(nested::STASH, "push") }),
    (
        "remote",
        Sub { options: &["v/verbose"], order: Order::First, does: Does::Nested(nested::REMOTE, "show") },
    ),
    ("notes", Sub { options: &["ref="], order: Order::First, does: Does::Nested(nested::NOTES, "list") }),
    ("worktree", Sub { options: &[""], order: Order::First, does: Does::Nested(nested::WORKTREE, "list") }),
    ("bundle", Sub { options: &[""], order: Order::First, does: Does::Nested(nested::BUNDLE, "verify") }),
    (
        "submodule",
        Sub {
            options: &["q/quiet cached"],
            order: Order::First,
            does: Does::Nested(nested::SUBMODULE, "status"),
        },
    ),
    ("bisect", Sub { options: &[""], order: Order::First, does: Does::Nested(nested::BISECT, "log") }),
    (
        "sparse-checkout",
        Sub { options: &[""], order: Order::First, does: Does::Nested(nested::SPARSE, "list") },
    ),
    (
        "maintenance",
        Sub { options: &[""], order: Order::First, does: Does::Nested(nested::MAINTENANCE, "run") },
    ),
    (
        "commit-graph multi-pack-index",
        Sub {
            options: &["object-dir= progress"],
            order: Order::First,
            does: Does::Nested(nested::GRAPHS, "verify"),
        },
    ),
    ("lfs", Sub { options: &[""], order: Order::First, does: Does::Nested(nested::LFS, "version") }),
    (
        "clone",
        special(
            &[
                "v/verbose q/quiet progress reject-shallow n/no-checkout bare mirror l/local no-hardlinks s/shared \
               recurse-submodules? recursive? j/jobs= template= reference= reference-if-able= dissociate o/origin= \
               b/branch= u/upload-pack=! depth= shallow-since= shallow-exclude= single-branch no-single-branch \
               no-tags tags shallow-submodules separate-git-dir= c/config= server-option= 4/ipv4 6/ipv6 filter= \
               also-filter-submodules remote-submodules sparse bundle-uri= revision= ref-format=",
            ],
            addresses::clone,
        ),
    ),
    (
        "init init-db",
        special(
            &[
                "template= bare shared? q/quiet separate-git-dir= b/initial-branch= object-format= ref-format=",
            ],
            nested::init,
        ),
    ),
    (
        "fast-import fast-export",
        special(
            &[
                "import-marks=< import-marks-if-exists=< export-marks=> relative-marks no-relative-marks max-pack-size= \
               big-file-threshold= depth= active-branches= export-pack-edges=> quiet stats force allow-unsafe-features \
               cat-blob-fd= date-format= done rewrite-submodules-from= rewrite-submodules-to= progress= signed-tags= \
               signed-commits= tag-of-filtered-object= reencode= fake-missing-tagger full-tree use-done-feature no-data \
               refspec= anonymize anonymize-map= reference-excluded-parents show-original-ids mark-tags",
                REVS,
                DIFF,
            ],
            files::fast,
        ),
    ),
    (
        "filter-branch filter-repo for-each-repo hook quiltimport",
        hides("it runs commands over many commits, or hooks, or takes what a file says"),
    ),
    ("merge-index", hides("it runs a program for every file")),
    (
        "send-email imap-send request-pull daemon http-backend http-fetch http-push instaweb gui citool gitk shell \
            upload-pack receive-pack upload-archive cvsserver cvsimport cvsexportcommit p4 svn archimport credential \
            credential-cache credential-cache--daemon credential-store sh-setup sh-i18n remote-ext remote-fd remote-http \
            remote-https remote-ftp remote-ftps web--browse scalar subtree submodule--helper bisect--helper \
            rebase--helper difftool--helper mergetool--lib env--helper checkout--worker fsmonitor--daemon \
            add--interactive",
        hides("it starts other programs"),
    ),
];

pub(super) fn sub_of<'a>(rows: &'a [Row], name: &str) -> Option<&'a Sub> {
    rows.iter().find(|(names, _)| names.split_ascii_whitespace().any(|each| each == name)).map(|(_, sub)| sub)
}

/// `words` begin with the subcommand, which is the second word of the whole.
pub(super) fn meaning(words: &[Word]) -> Meaning {
    let name = words[0].shown();
    // Only there, and only so, git shows its manual.
    if words.get(1).and_then(Word::literal) == Some("--help") {
        return Meaning::default();
    }
    match sub_of(SUBS, name) {
        Some(sub) => sub.meaning(words, 2),
        None => {
            Meaning::code(Pin::Words(2), format!("`git {name}` may be an alias, or a program of that name"))
        }
    }
}

impl Sub {
    fn meaning(&self, words: &[Word], spelt: usize) -> Meaning {
        let name = words[0].shown();
        let line = parse(words, self.options, self.order);
        let mut meaning = match &self.does {
            Does::Nested(rows, otherwise) => return self.nested(rows, otherwise, words, &line),
            Does::Nothing => Meaning::default(),
            Does::Changes(why) => {
                let mut meaning = Meaning::code(Pin::Words(spelt), *why);
                super::spec::changes_any(&mut meaning);
                meaning
            }
            Does::Hides(why) => {
                let mut meaning = Meaning::code(Pin::Everything, *why);
                line.words().for_each(|word| meaning.reads(word));
                return meaning;
            }
            Does::Special(does) => {
                let call = Call { words, line, spelt };
                let mut meaning = does(&call);
                self.by_options(&call.line, name, &mut meaning);
                return meaning;
            }
        };
        self.by_options(&line, name, &mut meaning);
        meaning
    }

    /// What the options read, write and run, and what is not known of them.
    fn by_options(&self, line: &Line, name: &str, meaning: &mut Meaning) {
        meaning.uses(line, &format!("git {name}"));
        let harm = harm(self.options);
        let does_something = !matches!(self.does, Does::Nothing);
        match &line.loose {
            Some(why) if harm == Harm::WritesOrRuns => {
                meaning.unreadable(format!(
                    "{why}: `git {name}` has options that run or write; write `--` before it"
                ));
            }
            // It may be `--file=` and any file.
            Some(why) if harm == Harm::Reads => {
                meaning.reads(&Word::Unknown { start: String::new(), text: why.clone(), splits: true });
            }
            Some(_) => {}
            None if harm > Harm::None || does_something => {
                if let Some(why) = line.unsure.as_ref().filter(|_| self.options != [""]) {
                    meaning.unreadable(format!("{why}: what `git {name}` does cannot be told"));
                }
            }
            None => {}
        }
    }

    fn nested(&self, rows: &'static [Row], otherwise: &str, words: &[Word], line: &Line) -> Meaning {
        let name = words[0].shown();
        let Some((at, sub)) = line.operands.first() else {
            let is_bare = words.len() == 1 || line.given.len() + 1 == words.len() && line.unsure.is_none();
            return match sub_of(rows, otherwise) {
                // `git stash -m x`, `git reflog --all`.
                Some(sub) if matches!(name, "stash" | "reflog") => {
                    let spelt = if words.len() == 1 { 2 } else { 3 };
                    sub.meaning(words, spelt.min(words.len() + 1))
                }
                Some(_) if is_bare => Meaning::default(),
                _ => Meaning::doubtful(format!("what `git {name}` does cannot be told")),
            };
        };
        match (sub.literal(), sub.literal().and_then(|sub| sub_of(rows, sub))) {
            (Some(_), Some(sub)) => {
                let mut meaning = sub.meaning(&words[*at..], at + 2);
                if let Some(why) = &line.unsure {
                    meaning.unreadable(format!("{why}: what `git {name}` does cannot be told"));
                }
                meaning
            }
            // `git reflog main` shows that one; `git stash -q -m x` has options in front.
            _ if matches!(name, "reflog" | "stash") => match sub_of(rows, otherwise) {
                Some(sub) => sub.meaning(words, 2),
                None => Meaning::default(),
            },
            (Some(sub), None) => {
                Meaning::code(Pin::Words(at + 2), format!("what `git {name} {sub}` does is not known"))
            }
            (None, _) => {
                Meaning::doubtful(format!("which command of `git {name}` runs is known only when it runs"))
            }
        }
    }
}
