//! Options that many subcommands of git share.

/// Of every comparison.
pub(super) const DIFF: &str = "p/u/patch s/no-patch U/unified? W/function-context no-function-context raw patch-with-raw \
    patch-with-stat numstat shortstat X/dirstat? cumulative dirstat-by-file? check summary name-only name-status stat? \
    stat-width= stat-name-width= stat-graph-width= stat-count= compact-summary binary full-index color? no-color \
    ws-error-highlight= z abbrev? no-abbrev src-prefix= dst-prefix= line-prefix= no-prefix default-prefix \
    inter-hunk-context= output-indicator-new= output-indicator-old= output-indicator-context= B/break-rewrites? \
    M/find-renames? D/irreversible-delete C/find-copies? find-copies-harder no-renames renames? rename-empty follow l= \
    minimal w/ignore-all-space b/ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines \
    I/ignore-matching-lines= indent-heuristic patience histogram diff-algorithm= anchored= word-diff? word-diff-regex= \
    color-words? color-moved? no-color-moved color-moved-ws= no-color-moved-ws relative? no-relative a/text R exit-code \
    quiet ext-diff! no-ext-diff textconv no-textconv ignore-submodules? submodule? ita-invisible-in-index \
    ita-visible-in-index S= G= pickaxe-all pickaxe-regex O=< rotate-to= skip-to= find-object= diff-filter= output=> \
    c cc m t combined-all-paths diff-merges= no-diff-merges remerge-diff dd max-depth=";

/// Of every walk through the history.
pub(super) const REVS: &str = "# n/max-count= skip= since/after= until/before= since-as-filter= max-age= min-age= author= \
    committer= grep-reflog= grep= all-match invert-grep i/regexp-ignore-case basic-regexp E/extended-regexp \
    F/fixed-strings P/perl-regexp remove-empty merges no-merges min-parents= max-parents= no-min-parents no-max-parents \
    first-parent exclude-first-parent-only not all branches? tags? remotes? glob= exclude= exclude-hidden= reflog \
    alternate-refs single-worktree ignore-missing bisect stdin cherry-mark cherry-pick left-only right-only cherry \
    g/walk-reflogs merge boundary simplify-by-decoration show-pulls full-history dense sparse simplify-merges \
    ancestry-path? parents children date-order author-date-order topo-order reverse no-walk? do-walk pretty? format= \
    abbrev-commit no-abbrev-commit oneline encoding= expand-tabs? no-expand-tabs notes? no-notes show-notes? \
    show-notes-by-default standard-notes no-standard-notes show-signature no-show-signature relative-date date= \
    left-right graph no-graph show-linear-break? count timestamp header objects objects-edge objects-edge-aggressive \
    indexed-objects unpacked object-names no-object-names filter= no-filter filter-provided-objects \
    filter-print-omitted missing= exclude-promisor-objects use-bitmap-index progress? bisect-vars bisect-all \
    in-commit-order disk-usage? commit-header no-commit-header unsorted-input maximal-only r v x";

/// Of `git log`.
pub(super) const LOG: &str = "q/quiet source use-mailmap/mailmap no-mailmap clear-decorations decorate-refs= \
    decorate-refs-exclude= decorate? no-decorate L= full-diff log-size follow";

/// Of what reaches another machine.
pub(super) const FETCH: &str = "v/verbose q/quiet all no-all set-upstream a/append atomic upload-pack=! f/force m/multiple \
    t/tags no-tags j/jobs= prefetch p/prune P/prune-tags recurse-submodules? recurse-submodules-default= \
    dry-run write-fetch-head k/keep u/update-head-ok progress depth= shallow-since= shallow-exclude= deepen= unshallow \
    refetch update-shallow refmap= o/server-option= 4/ipv4 6/ipv6 negotiation-tip= negotiate-only filter= \
    auto-maintenance auto-gc show-forced-updates write-commit-graph stdin submodule-prefix= porcelain";

/// Of `git blame`.
pub(super) const BLAME: &str = "incremental b root show-stats progress score-debug f/show-name n/show-number p/porcelain line-porcelain \
    c t l s e/show-email w ignore-rev= ignore-revs-file=< color-lines color-by-age S=< contents=< C? M? L= abbrev? \
    diff-algorithm= minimal";

/// Of `git add`.
pub(super) const ADD: &str = "n/dry-run v/verbose i/interactive p/patch e/edit f/force u/update renormalize N/intent-to-add A/all \
    ignore-removal refresh ignore-errors ignore-missing sparse chmod= pathspec-from-file=< pathspec-file-nul \
    warn-embedded-repo no-warn-embedded-repo U/unified= inter-hunk-context= auto-advance";

/// Of `git clone`.
pub(super) const CLONE: &str = "v/verbose q/quiet progress reject-shallow n/no-checkout bare mirror l/local no-hardlinks s/shared \
               recurse-submodules? recursive? j/jobs= template= reference= reference-if-able= dissociate o/origin= \
               b/branch= u/upload-pack=! depth= shallow-since= shallow-exclude= single-branch no-single-branch \
               no-tags tags shallow-submodules separate-git-dir= c/config= server-option= 4/ipv4 6/ipv6 filter= \
               also-filter-submodules remote-submodules sparse bundle-uri= revision= ref-format=";
