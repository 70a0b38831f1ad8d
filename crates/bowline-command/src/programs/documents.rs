//! Programs that turn documents and data into others: `sqlite3`, `openssl`, `yq`, `pandoc`.

use super::Meaning;
use super::line::{Order, parse};
use super::look::only_asks_about_itself;
use super::table::{Kind, Row};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("sqlite3 sqlite", Kind::Does(sqlite)),
    ("openssl", Kind::Does(openssl)),
    ("yq", Kind::Does(yq)),
    ("pandoc", Kind::Does(pandoc)),
    ("psql", Kind::Does(psql)),
    (
        "ffmpeg ffprobe convert magick mogrify montage gs inkscape xmlstarlet xsltproc mutool qpdf pdftk",
        Kind::Hidden("it writes where its words say, in a language of its own"),
    ),
];

/// Words of SQL and of its shell that reach beyond the database.
const BEYOND: &[&str] = &[
    "writefile",
    "readfile",
    "fsdir",
    "lsdir",
    "zipfile",
    "load_extension",
    "edit(",
    "edit (",
    "attach",
    "vacuum",
    "fts3_tokenizer",
    "temp_store_directory",
    "data_store_directory",
    "virtual",
];

const SQLITE: &str = "-append -ascii -bail -batch -box -column -csv -deserialize -echo -header -html -json -line -list \
    -markdown -maxsize= -memtrace -mmap= -newline= -nofollow -noheader -nonce= -nullvalue= -quote -readonly -safe \
    -separator= -stats -table -tabs -version -help";

fn sqlite(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    // Two dashes are as good as one.
    let single = |word: &Word| match word.literal().and_then(|text| text.strip_prefix("--")) {
        Some(name) if !name.is_empty() => Word::Literal(format!("-{name}")),
        _ => word.clone(),
    };
    let words: Vec<Word> = words.iter().map(single).collect();
    let line = parse(&words, SQLITE, Order::Anywhere);
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
        if database.start().starts_with("file:") {
            meaning.opaque(Pin::Everything, "an address says which file is the database");
        }
        meaning.reads(database);
        if !line.has("-readonly") {
            meaning.writes(database, false);
        }
    }
    meaning
}

/// Options of `openssl` whose value is written.
const OPENSSL_WRITES: &[&str] = &[
    "out",
    "keyout",
    "writerand",
    "CAserial",
    "sess_out",
    "keylogfile",
    "msgfile",
    "respout",
    "reqout",
    "certsout",
    "revout",
    "rspout",
    "certout",
    "cacertsout",
    "extracertsout",
    "chainout",
    "signer",
    "text_out",
    "outdir",
];

/// Options that load other code.
const OPENSSL_LOADS: &[&str] = &[
    "engine",
    "engine_impl",
    "ssl_client_engine",
    "provider",
    "provider-path",
    "config",
    "module",
    "propquery",
];

fn openssl(words: &[Word]) -> Meaning {
    let sub = words.get(1).and_then(Word::literal);
    let mut meaning = Meaning::default();
    // `-out x`, `--out x` and `-out=x` are the same.
    let option = |word: &Word| {
        let name = word.start().strip_prefix('-')?;
        let name = name.strip_prefix('-').unwrap_or(name);
        Some(name.split('=').next().unwrap_or_default().to_owned())
    };
    let mut is_loud = false;
    let mut is_target = false;
    for (at, word) in words.iter().enumerate().skip(2) {
        let Some(name) = option(word) else {
            is_loud |= word.literal().is_none() && word.may_be_option();
            if std::mem::take(&mut is_target) {
                continue;
            }
            // Whatever is no option may be a file that is read, as may be the end of `file:secret`.
            let path = word.start().strip_prefix("file:").map_or(0, |_| "file:".len());
            meaning.reads(&word.after(path));
            continue;
        };
        is_loud |= word.literal().is_none() || OPENSSL_LOADS.contains(&name.as_str());
        let value = match word.start().split_once('=') {
            Some((before, _)) => {
                if !OPENSSL_WRITES.contains(&name.as_str()) {
                    meaning.reads(&word.after(before.len() + 1));
                }
                Some(word.after(before.len() + 1))
            }
            None => words.get(at + 1).cloned(),
        };
        if let Some(path) = value.filter(|_| OPENSSL_WRITES.contains(&name.as_str())) {
            is_target = !word.start().contains('=') && name != "signer";
            meaning.writes(&path, false);
        }
    }
    match sub {
        _ if is_loud => meaning.opaque(Pin::Everything, "`openssl` may load other code"),
        Some(
            "version" | "rand" | "dgst" | "sha256" | "sha1" | "sha512" | "md5" | "base64" | "enc" | "list"
            | "ciphers" | "prime" | "asn1parse" | "x509" | "verify" | "errstr" | "help" | "crl2pkcs7"
            | "passwd",
        )
        | None => {}
        Some(_) => meaning.opaque(Pin::Words(2), "`openssl` deals with keys and files"),
    }
    meaning
}

const YQ: &str = "0/nul-output C/colors/color-output I/indent= M/no-colors/monochrome-output N/no-doc P/prettyPrint R S/sort-keys \
    V/version X/xml-roundtrip Y/yaml-roundtrip a/ascii-output arg== argjson== args c/compact-output csv-auto-parse? \
    csv-separator= debug-node-info e/exit-status expression= f/front-matter= from-file=< h/help header-preprocess \
    i/in-place/inplace j/tojson jsonargs lua-globals lua-prefix= lua-suffix= lua-unquoted n/null-input o/output-format= \
    p/input-format= properties-array-brackets properties-separator= r/raw-output rawfile==< s/slurp/split-exp security-disable-env-ops \
    security-disable-file-ops shell-key-separator= slurpfile==< string-interpolation? tab toml-output t/toml-roundtrip tsv-auto-parse? \
    unwrapScalar? v/verbose w/width= x/xml-output xml-attribute-prefix= xml-content-name= xml-directive-name= \
    xml-force-list= xml-item-depth= xml-keep-namespace? xml-proc-inst-prefix= xml-raw-token? xml-skip-directives \
    xml-skip-proc-inst xml-strict-mode y/yaml-output";

/// Two programs have this name; where they differ, both readings count.
fn yq(words: &[Word]) -> Meaning {
    let line = parse(words, YQ, Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `yq` has options that write and run"));
    }
    if line.has("s") {
        meaning.opaque(Pin::Everything, "`yq -s` may write files by names it makes up");
    }
    let reaches = |word: &Word| {
        word.literal().is_none_or(|text| {
            text.contains("load")
                || text.contains("import")
                || text.contains("include")
                || text.contains("system")
        })
    };
    if line.operands.iter().take(2).chain(line.operands.first()).any(|(_, word)| reaches(word))
        && line.words().take(2).any(reaches)
    {
        meaning.opaque(Pin::Everything, "`yq` may read other files, or run a program");
    }
    meaning.uses(&line, "yq");
    let is_named = matches!(line.operand(0).and_then(Word::literal), Some("eval" | "e" | "ea" | "eval-all"));
    let own = usize::from(is_named) + usize::from(!line.has("from-file expression"));
    for path in line.words().skip(own) {
        meaning.reads(path);
        if line.has("i") {
            meaning.writes(path, false);
        }
    }
    // A file may stand where its expression usually does.
    if let Some(path) = line.operand(own.saturating_sub(1)).filter(|_| line.operands.len() <= own) {
        meaning.reads(path);
        if line.has("i") {
            meaning.writes(path, false);
        }
    }
    meaning
}

const PANDOC: &str = "A/include-after-body=< B/include-before-body=< C/citeproc D/print-default-template= F/filter=! H/include-in-header=< \
    L/lua-filter=! M/metadata= N/number-sections T/title-prefix= V/variable= abbreviations=< ascii bibliography=< c/css= \
    citation-abbreviations=< columns= csl=< d/defaults=< data-dir= default-image-extension= dpi= e/email-obfuscation= \
    embed-resources epub-cover-image=< epub-embed-font=< epub-metadata=< epub-subdirectory= extract-media=> \
    f/r/from/read= fail-if-warnings file-scope h/help highlight-style= html-q-tags i/incremental id-prefix= \
    indented-code-classes= katex? list-extensions? list-highlight-languages list-highlight-styles list-input-formats \
    list-output-formats log=> markdown-headings= mathjax? mathml metadata-file=< number-offset= o/output=> p/preserve-tabs \
    pdf-engine=! pdf-engine-opt=! quiet reference-doc=< reference-links reference-location= request-header= \
    resource-path= s/standalone sandbox? section-divs self-contained shift-heading-level-by= slide-level= \
    split-level= strip-comments syntax-definition=< t/w/to/write= tab-stop= table-of-contents/toc template=< \
    toc-depth= top-level-division= track-changes= trace v/version verbose webtex? wrap=";

fn pandoc(words: &[Word]) -> Meaning {
    let line = parse(words, PANDOC, Order::Anywhere);
    let mut meaning = Meaning::default();
    let is_script =
        |word: &Word| word.literal().is_none_or(|text| text.contains('/') || text.ends_with(".lua"));
    let makes_pdf = |word: &Word| word.literal().is_none_or(|text| text.ends_with(".pdf"));
    if line.unsure.is_some()
        || line.has("d data-dir")
        || line.values("f").chain(line.values("t")).any(is_script)
        || line.values("o").any(makes_pdf)
    {
        meaning.opaque(Pin::Everything, "`pandoc` may be told to run filters and other programs");
    }
    meaning.uses(&line, "pandoc");
    line.words().for_each(|path| meaning.reads(path));
    meaning
}

const PSQL: &str = "? 1/single-transaction A/no-align a/echo-all b/echo-errors C c/command= csv d/dbname= E/echo-hidden e/echo-queries \
    F/field-separator= f/file=< H/html h/host= L/log-file=> l/list n/no-readline o/output=> P/pset= p/port= q/quiet \
    R/record-separator= S/single-line s/single-step T/table-attr= t/tuples-only U/username= V/version v/set/variable= \
    W/password w/no-password X/no-psqlrc x/expanded 0/record-separator-zero z/field-separator-zero help?";

/// `-c` and `-f` are given to the database; what begins with a backslash is for the shell of `psql`.
fn psql(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, PSQL, Order::Anywhere);
    let mut meaning = Meaning::default();
    meaning.uses(&line, "psql");
    let looks = |word: &Word| {
        let Some(text) = word.literal() else { return false };
        let lower = text.trim_start().to_lowercase();
        let is_list = lower.starts_with("\\d") || lower == "\\l" || lower == "\\conninfo";
        is_list && !lower[1..].contains(['\\', '`', '|', '\n'])
            || (lower.starts_with("select ") || lower.starts_with("explain ") || lower.starts_with("show "))
                && !lower.contains(['\\', '`', ';'])
                && ![
                    "into",
                    "pg_read",
                    "pg_ls",
                    "lo_",
                    "copy",
                    "pg_execute",
                    "analyze",
                    "dblink",
                    "pg_stat_file",
                ]
                .iter()
                .any(|word| lower.contains(word))
    };
    let trimmed = |word: &Word| match word.literal() {
        Some(text) => Word::Literal(text.trim_end().trim_end_matches(';').to_owned()),
        None => word.clone(),
    };
    let is_quiet = line.unsure.is_none()
        && (line.has("l") || line.has("c"))
        && !line.has("f L o v P")
        && line.values("c").all(|code| looks(&trimmed(code)));
    if !is_quiet {
        meaning.opaque(Pin::Everything, "a database is told what to do, and its shell runs commands");
    }
    meaning
}
