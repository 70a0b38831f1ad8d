//! Programs that show, cut, join and count text.

use super::super::Meaning;
use super::super::line::{Order, parse};
use super::super::table::{Kind, Row};
use super::{PLAIN, Reader, beware, looks, options_of, reads};
use crate::Word;

pub(in super::super) const ROWS: &[Row] = &[
    (
        "cat gcat",
        reads(
            "A/show-all b/number-nonblank e E/show-ends l n/number s/squeeze-blank t T/show-tabs u \
                v/show-nonprinting help version",
        ),
    ),
    ("tac gtac", reads("b/before r/regex s/separator= help version")),
    ("rev", reads("0/zero h/help V/version")),
    (
        "nl gnl",
        reads(
            "b/body-numbering= d/section-delimiter= f/footer-numbering= h/header-numbering= i/line-increment= \
                l/join-blank-lines= n/number-format= p/no-renumber s/number-separator= v/starting-line-number= \
                w/number-width= help version",
        ),
    ),
    ("head ghead", reads("c/bytes= n/lines= q/quiet/silent v/verbose z/zero-terminated help version #")),
    (
        "tail gtail",
        reads(
            "c/bytes= b? f follow? F n/lines= max-unchanged-stats= pid= q/quiet/silent r retry s/sleep-interval= \
                v/verbose z/zero-terminated help version #",
        ),
    ),
    (
        "wc gwc",
        reads("c/bytes m/chars l/lines files0-from=@ L/max-line-length w/words total= debug help version"),
    ),
    (
        "cut gcut",
        reads(
            "b/bytes= c/characters= d/delimiter= f/fields= n w complement s/only-delimited output-delimiter= \
                z/zero-terminated help version",
        ),
    ),
    ("paste gpaste", reads("d/delimiters= s/serial z/zero-terminated help version")),
    (
        "join gjoin",
        reads(
            "a= e= i/ignore-case j= o= t= v= 1= 2= check-order nocheck-order header z/zero-terminated help \
                version",
        ),
    ),
    ("fold gfold", reads("b/bytes c/characters s/spaces w/width= help version #")),
    ("expand gexpand", reads("i/initial t/tabs= help version #")),
    ("unexpand gunexpand", reads("a/all first-only t/tabs= help version #")),
    (
        "fmt gfmt",
        reads(
            "c/crown-margin d? l? m n p? prefix= s/split-only t? tagged-paragraph u/uniform-spacing w/width= \
                g/goal= help version #",
        ),
    ),
    (
        "pr gpr",
        reads(
            "columns= a/across c/show-control-chars d/double-space D/date-format= e/expand-tabs? F f form-feed \
                h/header= i/output-tabs? J/join-lines L? l/length= m/merge n/number-lines? N/first-line-number= \
                o/indent= p r/no-file-warnings s/separator? S/sep-string? t/omit-header T/omit-pagination \
                v/show-nonprinting w/width= W/page-width= help version #",
        ),
    ),
    (
        "column",
        reads(
            "t/table n? table-name= O/table-order= N/table-columns= C/table-column= l/table-columns-limit= \
                E/table-noextreme= d/table-noheadings m/table-maxout e/table-header-repeat H/table-hide= \
                R/table-right= T/table-truncate= W/table-wrap= L/keep-empty-lines J/json r/tree= i/tree-id= \
                p/tree-parent= c/output-width/columns= o/output-separator= s/separator= x/fillrows h/help \
                V/version",
        ),
    ),
    ("colrm", looks("h/help V/version")),
    ("tr gtr", Kind::Harmless),
    (
        "od god",
        reads(
            "A/address-radix= endian= j/skip-bytes= N/read-bytes= S= strings? t/format= \
                v/output-duplicates w/width? traditional a b c d f i l o s x B e h D F H I L O X help version",
        ),
    ),
    (
        "hexdump hd",
        reads(
            "b/one-byte-octal X/one-byte-hex c/one-byte-char C/canonical d/two-bytes-decimal \
                o/two-bytes-octal x/two-bytes-hex L/color? e/format= f/format-file=< n/length= s/skip= \
                v/no-squeezing h/help V/version",
        ),
    ),
    (
        "comm gcomm",
        reads("1 2 3 i check-order nocheck-order output-delimiter= total z/zero-terminated help version"),
    ),
    ("tsort", reads("d l q w help version")),
    (
        "look",
        Kind::Reads(Reader {
            options: "a/alternative d/alphanum f/ignore-case t/terminate= h/help V/version",
            own: 1,
            ..PLAIN
        }),
    ),
    (
        "sort gsort",
        beware(
            "b/ignore-leading-blanks d/dictionary-order f/ignore-case g/general-numeric-sort \
                i/ignore-nonprinting M/month-sort h/human-numeric-sort n/numeric-sort R/random-sort r/reverse \
                V/version-sort c C check? m/merge s/stable u/unique z/zero-terminated sort= random-source=< \
                batch-size= compress-program=! debug files0-from=@ k/key= o/output=> S/buffer-size= \
                t/field-separator= T/temporary-directory=> parallel= y? # help version",
        ),
    ),
    (
        "shuf gshuf",
        beware(
            "e/echo i/input-range= n/head-count= o/output=> random-source=< r/repeat z/zero-terminated help \
                version",
        ),
    ),
    (
        "iconv",
        beware("f/from-code=< t/to-code=< l/list c s/silent o/output=> verbose ?/help usage V/version"),
    ),
    ("uniq guniq", Kind::Does(uniq)),
    ("xxd", Kind::Does(xxd)),
    ("ptx gptx", Kind::Does(ptx)),
];

const UNIQ: &str = "# c/count d/repeated D all-repeated? f/skip-fields= group? i/ignore-case s/skip-chars= \
    u/unique z/zero-terminated w/check-chars= help version";

/// `uniq in out`.
fn uniq(words: &[Word]) -> Meaning {
    second_is_written(words, UNIQ, "")
}

const PTX: &str = "A/auto-reference G/traditional F/flag-truncation= M/macro-name= O format= \
    R/right-side-refs S/sentence-regexp= T W/word-regexp= b/break-file=< f/ignore-case g/gap-size= \
    i/ignore-file=< o/only-file=< r/references t/typeset-mode w/width= help version";

/// In its old form, `ptx -G in out`.
fn ptx(words: &[Word]) -> Meaning {
    second_is_written(words, PTX, "G")
}

/// The second operand is written, if `with` is one of the options, or empty.
fn second_is_written(words: &[Word], options: &'static str, with: &str) -> Meaning {
    let line = parse(words, options, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    let first = if with.is_empty() || line.has(with) { 1 } else { usize::MAX };
    line.words().take(first).for_each(|path| meaning.reads(path));
    line.files(first).for_each(|path| meaning.writes(path, false));
    meaning
}

/// Letters of `xxd` that take a value, with what may follow them in the long form of the name.
const XXD_VALUES: &[(char, &[&str])] = &[
    ('c', &["ols"]),
    ('g', &["roup", "roupsize"]),
    ('l', &["en"]),
    ('n', &["ame"]),
    ('o', &["ffset"]),
    ('s', &["eek", "kip"]),
    ('R', &[]),
];

/// `xxd in out`. Only the first letter of an option counts, and options end where the files begin.
fn xxd(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let mut rest = words[1..].iter();
    let mut files: Vec<&Word> = Vec::new();
    while let Some(word) = rest.next() {
        let text = word.start();
        if !files.is_empty() || !word.may_be_option() {
            files.push(word);
            continue;
        }
        let letters = text.strip_prefix("--").unwrap_or(text.strip_prefix('-').unwrap_or(text));
        let Some(first) = letters.chars().next().filter(|_| word.literal().is_some()) else {
            if text != "--" || word.literal().is_none() {
                meaning.unreadable(format!("`{}` may be any option: `xxd` may write", word.shown()));
            }
            files.extend(rest.by_ref());
            break;
        };
        let after = &letters[first.len_utf8()..];
        let value = XXD_VALUES.iter().find(|(letter, _)| *letter == first);
        // `-capitalize` is another option than `-cols`, and `-name` may be written out in part.
        let is_separate = value.is_some_and(|(_, names)| {
            after.is_empty() || names.iter().any(|name| name.starts_with(after) || after.starts_with(name))
        });
        if is_separate && let Some(value) = rest.next() {
            if value.is_loose() {
                meaning.unreadable(format!("`{}` may be several words: quote it", value.shown()));
            }
            if !after.is_empty() {
                // Versions differ about long names: the value may be the file.
                meaning.reads(value);
                meaning.unreadable(format!("`{text}` is not known: `xxd` may write a second file"));
            }
        }
        if !"abCdeEhipurtv".contains(first) && value.is_none() {
            meaning.unreadable(format!("`{text}` is not known: `xxd` may write a second file"));
        }
    }
    let mut files = files.into_iter();
    files.next().into_iter().for_each(|path| meaning.reads(path));
    files.for_each(|path| meaning.writes(path, false));
    meaning
}
