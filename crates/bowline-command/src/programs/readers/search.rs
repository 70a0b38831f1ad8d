//! Programs that search: `grep` and `rg` and their like. Which files they open below a directory stands in a filter.

use super::super::line::{Line, Order, parse};
use super::super::meaning::last_part;
use super::super::table::{Kind, Row};
use super::super::{Meaning, Touched};
use super::options_of;
use crate::{Access, Filter, Word};

pub(in super::super) const ROWS: &[Row] = &[
    ("grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep ggrep", Kind::Does(grep)),
    ("rgrep", Kind::Does(rgrep)),
    ("rg", Kind::Does(rg)),
    ("ag", Kind::Does(ag)),
    ("ack", Kind::Does(ack)),
];

const GREP: &str = "E/extended-regexp F/fixed-strings G/basic-regexp P/perl-regexp e/regexp= f/file=< \
    i/y/ignore-case no-ignore-case w/word-regexp x/line-regexp z null-data Z/null s/no-messages v/invert-match \
    V/version help m/max-count= b/byte-offset n/line-number line-buffered H/with-filename h/no-filename label= \
    o/only-matching q/quiet/silent binary-files= a/text I d/directories= D/devices= r/recursive \
    R/dereference-recursive include= exclude= exclude-from=< exclude-dir= include-dir= L/files-without-match \
    l/files-with-matches c/count T/initial-tab B/before-context= A/after-context= C/context= group-separator= \
    no-group-separator color? colour? U/binary u/unix-byte-offsets O p S J M decompress mmap # \
    X=";

fn rgrep(words: &[Word]) -> Meaning {
    let mut words = words.to_vec();
    words.insert(1, Word::Literal("-r".to_owned()));
    grep(&words)
}

fn grep(words: &[Word]) -> Meaning {
    let line = parse(words, GREP, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, false, &mut meaning);
    // A word that is not known may be `-r`; what is not known of `-d` may be `recurse`.
    let may_recurse = |word: &Word| word.literal().is_none_or(|text| "recurse".starts_with(text));
    let is_deep = line.has("r R") || line.values("d").any(may_recurse);
    let may_be_deep = is_deep || line.loose.is_some();
    let filter = Filter {
        follows_links: line.has("R S") || line.loose.is_some(),
        may_be_fewer: !is_deep,
        ..if line.unsure.is_none() { only_and_except(&line) } else { Filter::default() }
    };
    let own = if line.has("e f") || line.unsure.is_some() { 0 } else { 1 };
    let files: Vec<&Word> = line.files(own).collect();
    // A word that was taken for a file may be the pattern; those that unpack give `grep` no files.
    let is_unpacked = !last_part(words[0].shown()).starts_with(['g', 'e', 'f', 'r']);
    if is_deep && (files.is_empty() || line.unsure.is_some() || is_unpacked) {
        meaning.touch(Access::Read, &Word::Literal(".".to_owned()), true, filter.clone());
    }
    for path in files.into_iter().filter(|path| path.literal() != Some("-")) {
        match may_be_deep {
            true => meaning.touch(Access::Read, path, true, filter.clone()),
            false => meaning.reads(path),
        }
    }
    meaning
}

/// `--include`, `--exclude` and `--exclude-dir`, where what they leave out is certain.
fn only_and_except(line: &Line) -> Filter {
    let values = |name| -> Option<Vec<String>> { line.values(name).map(pattern_of).collect() };
    let is_first =
        |given: &&super::super::line::Given| matches!(given.name, "include" | "exclude" | "exclude-from");
    // What no pattern means is searched, unless the first of them includes.
    let first = line.given.iter().find(is_first).map(|given| given.name);
    let only = values("include").filter(|_| first == Some("include")).unwrap_or_default();
    // An `--include` after it may bring a file back.
    let except = if line.has("include") { Vec::new() } else { certain(line, "exclude") };
    let except_directories = if line.has("include-dir") { Vec::new() } else { certain(line, "exclude-dir") };
    Filter { only, except, except_directories, ..Filter::default() }
}

/// The values that are understood. Each of them leaves something out, whatever the others mean.
fn certain(line: &Line, name: &str) -> Vec<String> {
    line.values(name).filter_map(pattern_of).collect()
}

/// The pattern that an option was given. `--include=*.rs` without quotes is itself a pattern for files, of which there are none
/// as a rule; what there is has a name that means less.
fn pattern_of(value: &Word) -> Option<String> {
    match value {
        Word::Literal(text) => simple(text),
        Word::Unknown { start, text, .. } => {
            let (name, pattern) = text.split_once('=')?;
            let is_attached = name.starts_with("--") && pattern.starts_with(start.as_str());
            simple(pattern).filter(|_| is_attached)
        }
    }
}

/// A pattern for one name that means the same to everybody who reads it.
pub(in super::super) fn simple(pattern: &str) -> Option<String> {
    let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
    let is_plain = |letter: char| letter.is_alphanumeric() || "*?._-+@,~ ".contains(letter);
    (!pattern.is_empty() && !pattern.contains("**") && pattern.chars().all(is_plain))
        .then(|| pattern.to_owned())
}

const RG: &str = "e/regexp= f/file=< A/after-context= B/before-context= C/context= g/glob= iglob= t/type= \
    T/type-not= m/max-count= M/max-columns= d/max-depth/maxdepth= j/threads= r/replace= E/encoding= \
    color= colors= sort= sortr= sort-files engine= ignore-file=< max-filesize= path-separator= field-match-separator= \
    field-context-separator= context-separator= no-context-separator type-add= type-clear= generate= dfa-size-limit= \
    regex-size-limit= pre=! no-pre pre-glob= hostname-bin=! hyperlink-format= i/ignore-case S/smart-case \
    s/case-sensitive F/fixed-strings no-fixed-strings w/word-regexp x/line-regexp v/invert-match no-invert-match \
    n/line-number N/no-line-number l/files-with-matches files-without-match c/count count-matches o/only-matching \
    q/quiet H/with-filename I/no-filename a/text no-text z/search-zip no-search-zip u/unrestricted U/multiline \
    no-multiline multiline-dotall no-multiline-dotall P/pcre2 no-pcre2 pcre2-version p/pretty L/follow no-follow \
    0/null ./hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent no-ignore-dot \
    no-ignore-global no-ignore-exclude no-ignore-files no-ignore-messages no-messages ignore ignore-vcs \
    ignore-parent ignore-dot ignore-global ignore-exclude ignore-files ignore-messages messages no-config \
    no-heading heading column no-column vimgrep json no-json stats no-stats files type-list trim no-trim \
    one-file-system no-one-file-system passthru passthrough line-buffered no-line-buffered block-buffered \
    no-block-buffered debug trace crlf no-crlf null-data b/byte-offset no-byte-offset auto-hybrid-regex \
    no-auto-hybrid-regex include-zero no-include-zero stop-on-nonmatch unicode pcre2-unicode no-pcre2-unicode \
    glob-case-insensitive no-glob-case-insensitive ignore-file-case-insensitive no-ignore-file-case-insensitive \
    max-columns-preview no-max-columns-preview require-git no-require-git binary no-binary mmap no-mmap no-unicode \
    no-encoding V/version h/help";

fn rg(words: &[Word]) -> Meaning {
    let line = parse(words, RG, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    if line.has("V h type-list pcre2-version generate") {
        return meaning;
    }
    let own = if line.has("e f files") || line.unsure.is_some() { 0 } else { 1 };
    let filter = if line.unsure.is_some() { Filter::default() } else { of_rg(&line) };
    let files: Vec<&Word> = line.files(own).collect();
    if line.has("files") {
        return meaning;
    }
    search(&mut meaning, &files, &filter);
    meaning
}

/// Without a path it reads its standard input if that is a pipe, and else everything below.
fn search(meaning: &mut Meaning, files: &[&Word], filter: &Filter) {
    if files.is_empty() {
        meaning.unless_piped.push(Touched {
            access: Access::Read,
            path: Word::Literal(".".to_owned()),
            is_deep: true,
            filter: Filter { may_be_fewer: true, ..filter.clone() },
        });
    }
    for path in files.iter().filter(|path| path.literal() != Some("-")) {
        meaning.touch(Access::Read, path, true, filter.clone());
    }
}

/// Types whose files are told by the ends of their names alone.
const TYPES: &[(&str, &[&str])] = &[
    ("rust", &["*.rs"]),
    ("rs", &["*.rs"]),
    ("go", &["*.go"]),
    ("py", &["*.py", "*.pyi"]),
    ("ts", &["*.ts", "*.tsx", "*.cts", "*.mts"]),
    ("js", &["*.js", "*.jsx", "*.vue", "*.cjs", "*.mjs"]),
    ("java", &["*.java", "*.jsp", "*.jspx", "*.properties"]),
    ("css", &["*.css", "*.scss"]),
    ("md", &["*.markdown", "*.md", "*.mdown", "*.mdwn", "*.mkd", "*.mkdn", "*.mdx"]),
];

/// What hides a file is undone by a pattern or a type that asks for it.
fn of_rg(line: &Line) -> Filter {
    let unrestricted = line.given.iter().filter(|given| given.name == "u").count();
    let may_be_any = line.loose.is_some();
    let ignores = |given: &super::super::line::Given| {
        given.name.starts_with("no-ignore")
            && !matches!(given.name, "no-ignore-messages" | "no-ignore-file-case-insensitive")
    };
    let mut filter = Filter {
        skips_hidden: !may_be_any && !line.has(".") && unrestricted < 2,
        skips_ignored: !may_be_any && unrestricted < 1 && !line.given.iter().any(ignores),
        follows_links: may_be_any || line.has("L"),
        ..Filter::default()
    };
    let globs: Vec<Option<&str>> = line.values("g").map(Word::literal).collect();
    let is_asked = line.has("iglob")
        || line.has("glob-case-insensitive") && !globs.is_empty()
        || globs.iter().any(|glob| glob.is_none_or(|glob| !glob.starts_with('!')));
    if is_asked {
        (filter.skips_hidden, filter.skips_ignored) = (false, false);
        let all_simple: Option<Vec<String>> = globs
            .iter()
            .filter(|glob| glob.is_none_or(|glob| !glob.starts_with('!')))
            .map(|glob| glob.filter(|glob| !glob.ends_with('/')).and_then(simple))
            .collect();
        if !line.has("iglob glob-case-insensitive") {
            filter.only = all_simple.unwrap_or_default();
        }
        return filter;
    }
    for glob in globs.into_iter().flatten().filter_map(|glob| glob.strip_prefix('!')) {
        if let Some(name) = simple(glob) {
            filter.except.extend((!glob.ends_with('/')).then(|| name.clone()));
            filter.except_directories.push(name);
        }
    }
    if line.has("t") {
        // A type asks for hidden files that belong to it as well.
        filter.skips_hidden = false;
        let patterns = |value: &Word| {
            let (_, patterns) = TYPES.iter().find(|(name, _)| value.literal() == Some(name))?;
            Some(patterns.iter().map(|&pattern| pattern.to_owned()).collect::<Vec<_>>())
        };
        let known: Option<Vec<Vec<String>>> = line.values("t").map(patterns).collect();
        if !line.has("type-add type-clear") {
            filter.only = known.unwrap_or_default().concat();
        }
    }
    filter
}

const AG: &str = "ackmate A/after? B/before? break nobreak c/count color nocolor color-line-number= color-match= \
    color-path= column nocolumn filename nofilename H/heading noheading l/files-with-matches L/files-without-matches \
    numbers nonumbers o/only-matching passthrough passthru print-long-lines print-all-files stats stats-only \
    vimgrep 0/null/print0 a/all-types D/debug depth= f/follow nofollow F/fixed-strings group nogroup \
    G/file-search-regex= g= hidden h i/ignore-case ignore= ignore-dir= m/max-count= norecurse n r/recurse R \
    one-device p/path-to-ignore=< Q/literal s/case-sensitive S/smart-case search-binary silent t/all-text \
    u/unrestricted U/skip-vcs-ignores v/invert-match w/word-regexp W/width= z/search-zip workers= list-file-types \
    C? context? pager=! nopager parallel affinity noaffinity V/version help multiline nomultiline #";

fn ag(words: &[Word]) -> Meaning {
    let line = parse(words, AG, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    let is_certain = line.unsure.is_none();
    let filter = Filter {
        skips_hidden: is_certain && !line.has("u hidden a t"),
        follows_links: !is_certain || line.has("f"),
        ..Filter::default()
    };
    let own = if line.has("g") || !is_certain || line.has("C A B") { 0 } else { 1 };
    search(&mut meaning, &line.files(own).collect::<Vec<_>>(), &filter);
    meaning
}

const ACK: &str = "i/ignore-case I/no-ignore-case S/smart-case v/invert-match w/word-regexp Q/literal \
    match= and= or= not= l/files-with-matches L/files-without-matches o output= passthru m/max-count= 1 H/with-filename \
    h/no-filename c/count column nocolumn A/after-context= B/before-context= C? context? p/proximate? P print0 s heading \
    noheading break nobreak group nogroup color nocolor colour nocolour color-filename= color-match= color-colno= \
    color-lineno= flush f g sort-files show-types files-from=@ x ignore-directory/ignore-dir= noignore-directory/noignore-dir= \
    ignore-file= r/R/recurse n/no-recurse follow nofollow k/known-types t/type= T= noenv ackrc=^ ignore-ack-defaults \
    create-ackrc dump pager=! nopager filter nofilter env V/version help help-types man cathy thpppt bar underline nounderline";

fn ack(words: &[Word]) -> Meaning {
    let line = parse(words, ACK, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    if line.has("x") {
        meaning.unreadable("which files `ack` reads is said by its standard input");
    }
    let own = if line.has("match f C p") || line.unsure.is_some() { 0 } else { 1 };
    let filter = Filter { follows_links: line.has("follow"), ..Filter::default() };
    search(&mut meaning, &line.files(own).collect::<Vec<_>>(), &filter);
    meaning
}
