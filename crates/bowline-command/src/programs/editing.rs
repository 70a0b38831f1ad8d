//! Writers with ways of their own: `dd of=`, `split`, `patch`, `sqlite3`, `openssl`.

use super::line::{Order, parse};
use super::look::only_asks_about_itself;
use super::table::{Kind, Row};
use super::{Meaning, patch as patches};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("dd gdd dcfldd", Kind::Does(dd)),
    ("split gsplit", Kind::Does(split)),
    ("csplit gcsplit", Kind::Does(csplit)),
    ("patch gpatch", Kind::Does(patch)),
    ("apply_patch applypatch", Kind::Does(apply_patch)),
    ("sqlite3 sqlite", Kind::Does(sqlite)),
    ("openssl", Kind::Does(openssl)),
    ("yq", Kind::Does(yq)),
    ("pandoc", Kind::Does(pandoc)),
    (
        "ffmpeg ffprobe convert magick mogrify montage gs inkscape xmlstarlet xsltproc mutool qpdf pdftk",
        Kind::Hidden("it writes where its words say, in a language of its own"),
    ),
];

fn dd(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    for word in &words[1..] {
        let key = word.start().split_once('=').map(|(key, _)| key);
        match key {
            Some("of") => meaning.writes(&word.after(3), false),
            Some("if") if !word.is_loose() => meaning.reads(&word.after(3)),
            Some(_) if !word.is_loose() => {}
            None if word.literal().is_some() => {}
            _ => meaning.unreadable(format!("`{}` may say what is written", word.shown())),
        }
    }
    meaning
}

fn split(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "# a/suffix-length= additional-suffix= b/bytes= C/line-bytes= d numeric-suffixes? x hex-suffixes? \
            e/elide-empty-files filter= l/lines= n/number= p= t/separator= u/unbuffered verbose help \
            version",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `split` writes cannot be told"));
    }
    meaning.shell.extend(line.values("filter").cloned());
    if line.has("a additional-suffix") {
        meaning.unreadable("which names `split` makes cannot be told");
    }
    if let Some(input) = line.operand(0) {
        meaning.reads(input);
    }
    let prefix = line.operand(1).cloned().unwrap_or_else(|| Word::Literal("x".to_owned()));
    meaning.writes(&prefix, false);
    if let Some(prefix) = prefix.literal() {
        meaning.writes_at(format!("{prefix}aa"), false);
    }
    meaning
}

fn csplit(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "b/suffix-format= f/prefix= k/keep-files n/digits= s/quiet/silent z/elide-empty-files suppress-matched",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `csplit` writes cannot be told"));
    }
    if line.has("b n") {
        meaning.unreadable("which names `csplit` makes cannot be told");
    }
    let prefix = line.values("f").next_back().cloned().unwrap_or_else(|| Word::Literal("xx".to_owned()));
    meaning.writes(&prefix, false);
    if let Some(prefix) = prefix.literal() {
        meaning.writes_at(format!("{prefix}00"), false);
    }
    meaning
}

/// Which files change is said by the patch.
fn patch(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(
        words,
        "b/backup B/prefix= c/context d/directory= D/ifdef= e/ed E f/force F/fuzz= g= i/input= l N/forward \
            n/normal o/output= p/strip= r/reject-file= R/reverse s/silent/quiet t/batch T u/unified v V= \
            x= Y= z/suffix= Z dry-run posix verbose merge? binary follow-symlinks no-backup-if-mismatch",
        Order::Anywhere,
    );
    let mut meaning = Meaning::code(Pin::Everything, "which files change is said by the patch");
    for name in ["o", "r"] {
        line.values(name).for_each(|path| meaning.writes(path, false));
    }
    if let Some(file) = line.operand(0) {
        meaning.writes(file, false);
    }
    meaning
}

/// The patch is its argument, or comes on its standard input.
fn apply_patch(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    match words.get(1) {
        None => meaning.patch_from_stdin = true,
        Some(word) => match word.literal() {
            Some(text) if text.contains("*** Begin Patch") => match patches::files(text) {
                Some(files) => files.into_iter().for_each(|path| meaning.writes_at(path, false)),
                None => meaning.unreadable("a patch names its files in a way that is not known"),
            },
            Some("-") => meaning.patch_from_stdin = true,
            _ => meaning.unreadable("which files change is said by the patch"),
        },
    }
    meaning
}

/// Words of SQL and of its shell that reach beyond the database.
const BEYOND: &[&str] = &["writefile", "load_extension", "edit(", "attach", "vacuum", "fts3_tokenizer"];

fn sqlite(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(
        words,
        "-readonly -header -noheader -csv -json -line -list -column -html -quote -table -markdown -box \
            -bail -batch -safe -separator= -nullvalue= -newline= -version",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    let sql: Option<Vec<&str>> = line.words().skip(1).map(Word::literal).collect();
    let is_plain = |text: &&str| {
        let lower = text.to_lowercase();
        !lower.trim_start().starts_with('.')
            && !lower.contains("\n.")
            && !BEYOND.iter().any(|word| lower.contains(word))
    };
    let is_known =
        line.unsure.is_none() && sql.as_ref().is_some_and(|sql| !sql.is_empty() && sql.iter().all(is_plain));
    if !is_known {
        meaning.opaque(Pin::Everything, "`sqlite3` runs what it is told, commands of the shell among it");
    }
    if let Some(database) = line.operand(0).filter(|path| path.literal() != Some(":memory:")) {
        if line.has("-readonly") { meaning.reads(database) } else { meaning.writes(database, false) }
    }
    meaning
}

fn openssl(words: &[Word]) -> Meaning {
    let sub = words.get(1).and_then(Word::literal);
    let mut meaning = Meaning::default();
    for pair in words.windows(2) {
        if matches!(
            pair[0].literal(),
            Some(
                "-out"
                    | "-keyout"
                    | "-writerand"
                    | "-CAserial"
                    | "-sess_out"
                    | "-keylogfile"
                    | "-msgfile"
                    | "-pubout_file"
            )
        ) {
            meaning.writes(&pair[1], false);
        }
    }
    let is_loud = words[1..].iter().any(|word| {
        word.may_be_option()
            && (word.literal().is_none()
                || ["-engine", "-provider", "-config", "-module"]
                    .iter()
                    .any(|loud| word.start().starts_with(loud)))
    });
    match sub {
        _ if is_loud => meaning.opaque(Pin::Everything, "`openssl` may load other code"),
        Some(
            "version" | "rand" | "dgst" | "sha256" | "sha1" | "md5" | "base64" | "enc" | "list" | "ciphers"
            | "prime" | "asn1parse" | "x509" | "verify" | "errstr" | "help",
        )
        | None => {}
        Some(_) => meaning.opaque(Pin::Words(2), "`openssl` deals with keys and files"),
    }
    meaning
}

fn yq(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "i/in-place/inplace r/raw-output e/exit-status n/null-input P/prettyPrint o/output-format= \
            p/input-format= I/indent= M/no-colors C/colors N/no-doc 0/nul-output v/verbose V/version \
            h/help j/tojson y/yaml-output Y s/slurp c/compact-output S/sort-keys front-matter= arg= \
            argjson= unwrapScalar? no-doc",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `yq` has options that write and run"));
    }
    if line.has("s") {
        meaning.opaque(Pin::Everything, "`yq -s` may write files by names it makes up");
    }
    let skip = usize::from(!matches!(
        line.operand(0).and_then(Word::literal),
        Some("eval" | "e" | "ea" | "eval-all")
    ));
    let skip = if skip == 0 { 2 } else { 1 };
    for path in line.words().skip(skip) {
        if line.has("i") { meaning.writes(path, false) } else { meaning.reads(path) }
    }
    meaning
}

fn pandoc(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "f/r/from/read= t/w/to/write= o/output= s/standalone toc toc-depth= N/number-sections V/variable= \
            M/metadata= c/css= wrap= columns= highlight-style= mathjax? katex? embed-resources \
            self-contained v/version h/help list-input-formats list-output-formats strip-comments \
            shift-heading-level-by= title-prefix= quiet verbose",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if line.unsure.is_some() {
        meaning.opaque(Pin::Everything, "`pandoc` may be told to run filters and other programs");
    }
    line.values("o").for_each(|path| meaning.writes(path, false));
    line.words().for_each(|path| meaning.reads(path));
    meaning
}
