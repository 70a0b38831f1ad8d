//! Programs that compare files.

use super::super::Meaning;
use super::super::line::{Order, parse};
use super::super::table::{Kind, Row};
use super::{beware, options_of, reads};
use crate::{Access, Filter, Word};

pub(in super::super) const ROWS: &[Row] = &[
    ("diff gdiff colordiff", Kind::Does(diff)),
    (
        "cmp gcmp",
        reads("b/print-bytes h i/ignore-initial= l/verbose n/bytes= s/quiet/silent x z v/version help"),
    ),
    (
        "diff3 gdiff3",
        beware(
            "A/show-all e/ed E/show-overlap m/merge 3/easy-only x/overlap-only X T/initial-tab a/text i \
                L/label= strip-trailing-cr diff-program=! help v/version",
        ),
    ),
    (
        "sdiff gsdiff",
        beware(
            "o/output=> i/ignore-case E/ignore-tab-expansion Z/ignore-trailing-space b/ignore-space-change \
                W/ignore-all-space B/ignore-blank-lines I/ignore-matching-lines= a/text w/width= l/left-column \
                s/suppress-common-lines t/expand-tabs d/minimal H/speed-large-files strip-trailing-cr \
                diff-program=! tabsize= help v/version",
        ),
    ),
];

const DIFF: &str = "normal q/brief s/report-identical-files c C= context? u U= unified? e/ed n/rcs \
    y/side-by-side W/width= left-column suppress-common-lines p/show-c-function F/show-function-line= \
    L/label= t/expand-tabs T/initial-tab tabsize= suppress-blank-empty l/paginate r/recursive no-dereference \
    N/new-file P/unidirectional-new-file ignore-file-name-case no-ignore-file-name-case x/exclude= \
    X/exclude-from=< S/starting-file= from-file=< to-file=< i/ignore-case E/ignore-tab-expansion \
    Z/ignore-trailing-space b/ignore-space-change w/ignore-all-space B/ignore-blank-lines \
    I/ignore-matching-lines= a/text strip-trailing-cr D/ifdef= GTYPE-group-format= line-format= \
    old-line-format= new-line-format= unchanged-line-format= changed-group-format= new-group-format= \
    old-group-format= unchanged-group-format= d/minimal horizon-lines= h H/speed-large-files color? palette= \
    binary help v/version #";

/// Two directories are compared file by file, with `-r` all the way down.
fn diff(words: &[Word]) -> Meaning {
    let line = parse(words, DIFF, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, false, &mut meaning);
    let filter = Filter { follows_links: true, may_be_fewer: !line.has("r"), ..Filter::default() };
    for path in line.words().filter(|path| path.literal() != Some("-")) {
        meaning.touch(Access::Read, path, true, filter.clone());
    }
    meaning
}
