//! The subcommands of git, each with its own options.
//!
//! What is not listed is a doubt for every subcommand that reads, writes or runs anything. Options of newer versions are listed
//! as well; which of them take values was compared with what git says of itself.

use super::options::{ADD, BLAME, CLONE, DIFF, FETCH, LOG, REVS};
use super::subs::{Does, Row, Sub, changing, hides, making, plain, special};
use super::{addresses, files, nested, refs, shows};
use crate::programs::line::Order;

pub(super) const SUBS: &[Row] = &[
    (
        "merge-base name-rev show-ref count-objects prune pack-refs \
            check-attr check-ref-format cherry var version help write-tree show-branch \
            get-tar-commit-id patch-id prune-packed last-modified refs repo fsck fsck-objects \
            check-ignore update-server-info verify-commit verify-tag stripspace column describe \
            for-each-ref show-index backfill survey pack-redundant",
        plain(&[""]),
    ),
    (
        "symbolic-ref update-ref",
        special(
            &["q/quiet d/delete short recurse m= no-deref z stdin create-reflog batch-updates"],
            refs::names,
        ),
    ),
    (
        "gc repack",
        special(
            &[
                "a A cruft no-cruft cruft-expiration= d f F n q/quiet l/local b/write-bitmap-index i/delta-islands \
               unpack-unreachable= k/keep-unreachable window= window-memory= depth= threads= max-pack-size= \
               pack-kept-objects keep-pack= g/geometric= m/write-midx expire-to= filter= filter-to= prune? aggressive \
               auto force keep-largest-pack detach max-cruft-size= combine-cruft-below-size= name-hash-version= \
               path-walk",
            ],
            refs::packs,
        ),
    ),
    ("rev-parse", special(&[""], files::rev_parse)),
    ("check-mailmap", plain(&["stdin mailmap-file=< mailmap-blob="])),
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
        special(
            &["z t v f c/cached d/deleted m/modified o/others i/ignored s/stage k/killed directory eol \
            empty-directory u/unmerged resolve-undo x/exclude= X/exclude-from=< exclude-per-directory= \
            exclude-standard full-name recurse-submodules error-unmatch with-tree= abbrev? debug deduplicate sparse \
            format= no-empty-directory"],
            files::ls_files,
        ),
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
    ("hash-object", special(&["t= w stdin stdin-paths no-filters literally path="], files::hash_object)),
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
            super::changes::merge,
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
            super::changes::merge,
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
            super::changes::rebase,
        ),
    ),
    (
        "switch",
        special(
            &[
                "c/create= C/force-create= guess discard-changes q/quiet recurse-submodules? progress m/merge conflict= \
               d/detach t/track? f/force orphan= overwrite-ignore ignore-other-worktrees",
            ],
            super::changes::switch,
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
            super::changes::checkout,
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
            super::changes::restore,
        ),
    ),
    (
        "reset",
        special(
            &["q/quiet no-refresh mixed soft hard merge keep recurse-submodules? p/patch N/intent-to-add \
               pathspec-from-file=< pathspec-file-nul z U/unified= inter-hunk-context= auto-advance"],
            super::changes::reset,
        ),
    ),
    ("clean", special(&["q/quiet n/dry-run f/force i/interactive d e/exclude= x X"], super::changes::clean)),
    (
        "rm",
        special(
            &[
                "n/dry-run q/quiet cached f/force r ignore-unmatch sparse pathspec-from-file=< pathspec-file-nul",
            ],
            super::changes::rm,
        ),
    ),
    ("mv", special(&["v/verbose n/dry-run f/force k sparse"], super::changes::mv)),
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
        special(
            &[
                "index-output=> empty v/verbose m trivial aggressive reset prefix= u exclude-per-directory= i \
            n/dry-run no-sparse-checkout debug-unpack recurse-submodules? q/quiet",
            ],
            files::read_tree,
        ),
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
        making(&[
            "o=> rev-index no-rev-index stdin fix-thin keep? index-version= strict? threads= max-input-size= \
            object-format= promisor? verify verify-stat verify-stat-only check-self-contained-and-connected \
            progress-title= show-resolving-progress report-end-of-input v fsck-objects? pack_header=",
        ]),
    ),
    ("unpack-objects", making(&["n q r strict max-input-size= pack_header="])),
    ("mktag mktree replay history", making(&[""])),
    (
        "replace rerere merge-one-file merge-recursive merge-ours merge-octopus merge-resolve merge-subtree",
        changing(&[""]),
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
        Sub { options: &[""], order: Order::First, does: Does::Nested(nested::GRAPHS, "verify") },
    ),
    ("lfs", Sub { options: &[""], order: Order::First, does: Does::Nested(nested::LFS, "version") }),
    ("clone", special(&[CLONE], addresses::clone)),
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
