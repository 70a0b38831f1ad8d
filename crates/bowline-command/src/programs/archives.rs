//! `tar` and its like: one file made of many, and many of one.

use super::Meaning;
use super::line::{Line, Order, parse};
use super::meaning::{below, last_part};
use super::table::{Kind, Row};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("tar gtar bsdtar", Kind::Does(tar)),
    ("zip", Kind::Does(zip)),
    ("unzip", Kind::Does(unzip)),
    ("zipinfo", Kind::Harmless),
    ("7z 7za 7zr 7zz rar unrar", Kind::Does(seven)),
    ("ar gar", Kind::Does(ar)),
    ("cpio star afio shar unshar", Kind::Hidden("which files it writes is said by an archive or a list")),
    ("jar", Kind::Hidden("which files it writes is said by an archive")),
];

const TAR: &str = "A/catenate/concatenate c/create d/diff/compare delete r/append t/list test-label u/update x/extract/get \
    a/auto-compress B/read-full-records b/blocking-factor= C/directory= f/file= F/info-script/new-volume-script= G/incremental g/listed-incremental= H/format= h/dereference I/use-compress-program= i/ignore-zeros J/xz j/bzip2 K/starting-file= k/keep-old-files L/tape-length= l/check-links lzip lzma lzop M/multi-volume m/touch N/newer/after-date= n/seek O/to-stdout o/no-same-owner P/absolute-names p/preserve-permissions/same-permissions R/block-number S/sparse s/preserve-order/same-order T/files-from= U/unlink-first V/label= v/verbose W/verify w/interactive/confirmation X/exclude-from= Z/compress z/gzip zstd \
    acls anchored atime-preserve? backup? checkpoint? checkpoint-action= clamp-mtime exclude= exclude-backups exclude-caches exclude-ignore= exclude-tag= exclude-vcs exclude-vcs-ignores force-local full-time group= group-map= hard-dereference help ignore-case ignore-command-error ignore-failed-read index-file= keep-directory-symlink keep-newer-files level= mode= mtime= newer-mtime= no-acls no-anchored no-auto-compress no-ignore-case no-null no-overwrite-dir no-recursion no-same-permissions no-selinux no-unquote no-verbatim-files-from no-wildcards no-xattrs null numeric-owner occurrence? old-archive one-file-system one-top-level? overwrite overwrite-dir owner= owner-map= pax-option= posix quoting-style= recursion recursive-unlink remove-files restrict rmt-command= rsh-command= same-owner selinux show-defaults show-omitted-dirs show-transformed-names skip-old-files sort= sparse-version= strip-components= suffix= totals? to-command= transform/xform= unquote utc verbatim-files-from version volno-file= warning= wildcards wildcards-match-slash xattrs xattrs-exclude= xattrs-include=";

/// Options that run a program, and whether it is given to a shell.
const TAR_RUNS: &[(&str, bool)] =
    &[("F", true), ("I", false), ("rsh-command", false), ("rmt-command", false), ("to-command", true)];

fn tar(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let Some(words) = unbundled(words) else {
        meaning.unreadable("what `tar` does cannot be told");
        return meaning;
    };
    let line = parse(&words, TAR, Order::Anywhere);
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `tar` has options that run and write"));
    }
    for (name, is_shell) in TAR_RUNS {
        for program in line.values(name) {
            let split = |text: &str| {
                text.split_ascii_whitespace().map(|word| Word::Literal(word.to_owned())).collect()
            };
            match program.literal() {
                Some(text) if !is_shell => meaning.runs.push(split(text)),
                _ => meaning.shell.push(program.clone()),
            }
            meaning.opaque(Pin::Everything, "`tar` was told to run a program");
        }
    }
    for action in line.values("checkpoint-action") {
        match action.literal() {
            Some(text) if text.starts_with("exec=") => {
                meaning.shell.push(action.after("exec=".len()));
                meaning.opaque(Pin::Everything, "`tar` was told to run a program");
            }
            Some(_) => {}
            None => meaning.unreadable("what `tar` does on the way is known only when it runs"),
        }
    }
    if line.has("T") {
        meaning.opaque(Pin::Everything, "the list of files may hold options of `tar`");
    }
    for name in ["g", "index-file", "volno-file"] {
        line.values(name).for_each(|path| meaning.writes(path, false));
    }
    archive(&line, &mut meaning);
    meaning
}

fn archive(line: &Line, meaning: &mut Meaning) {
    let makes = line.has("c r u A delete");
    for file in line.values("f").filter(|file| file.literal() != Some("-")) {
        if file.start().contains(':') && !line.has("force-local") {
            meaning.opaque(Pin::Everything, "the archive is on another machine");
        }
        if makes { meaning.writes(file, false) } else { meaning.reads(file) }
    }
    let directories: Vec<&Word> = line.values("C").collect();
    if line.has("x") && !line.has("O") {
        if line.has("P transform") {
            meaning.unreadable("where an archive puts its files cannot be told");
        }
        match directories.as_slice() {
            [] => meaning.writes_at(".", true),
            // Each is meant from the one before.
            [one] => meaning.writes(one, true),
            _ => {
                meaning.writes_at(".", true);
                directories.iter().for_each(|path| meaning.writes(path, true));
            }
        }
        line.values("one-top-level").for_each(|path| meaning.writes(path, true));
    }
    if makes {
        let base = directories.first().and_then(|path| path.literal()).unwrap_or_default();
        for path in line.words() {
            let path = path.literal().map_or_else(|| path.clone(), |text| Word::Literal(below(base, text)));
            if line.has("remove-files") { meaning.writes(&path, true) } else { meaning.reads_below(&path) }
        }
    }
}

/// `tar xzf a.tar` is `tar -x -z -f a.tar`: values follow the bundle in the order of their letters.
fn unbundled(words: &[Word]) -> Option<Vec<Word>> {
    let Some(first) = words.get(1) else { return Some(words.to_vec()) };
    let bundle = first.literal()?;
    if bundle.starts_with('-') {
        return Some(words.to_vec());
    }
    let mut flat = vec![words[0].clone()];
    let mut rest = words[2..].iter();
    for letter in bundle.chars() {
        flat.push(Word::Literal(format!("-{letter}")));
        if "bCfFgHIKLNTVX".contains(letter) {
            let value = rest.next()?;
            if value.is_loose() {
                return None;
            }
            flat.push(value.clone());
        }
    }
    flat.extend(rest.cloned());
    Some(flat)
}

fn zip(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "# r/recurse-paths R q/quiet v/verbose j/junk-paths u/update f/freshen d/delete D/no-dir-entries \
            e/encrypt P/password= x/exclude= i/include= n/suffixes= t/from-date= y/symlinks X/no-extra \
            g/grow o/latest-time s/split-size= 9 0 k l L h sf O/output-file= b/temp-path= \
            Z/compression-method= @",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    // `-T -TT cmd` runs a command, `-m` removes what was packed.
    if line.unsure.is_some() {
        meaning.opaque(Pin::Everything, "`zip` may be told to run programs and remove files");
    }
    line.values("O").for_each(|path| meaning.writes(path, false));
    if let Some(target) = line.operand(0) {
        meaning.writes(target, false);
        if let Some(target) = target.literal().filter(|target| !last_part(target).contains('.')) {
            meaning.writes_at(format!("{target}.zip"), false);
        }
    }
    line.words().skip(1).for_each(|path| meaning.reads_below(path));
    meaning
}

fn unzip(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "# l t v Z z p c d= o n q qq j u f a aa b C L P= x= X D K M O= I= T V W s h",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: where `unzip` writes cannot be told"));
    }
    if let Some(file) = line.operand(0) {
        meaning.reads(file);
    }
    if line.has("l t v Z z p c h") || line.operands.is_empty() {
        return meaning;
    }
    match line.values("d").next_back() {
        Some(directory) => meaning.writes(directory, true),
        None => meaning.writes_at(".", true),
    }
    meaning
}

fn seven(words: &[Word]) -> Meaning {
    match words.get(1).and_then(Word::literal) {
        Some("l" | "t" | "i" | "lt" | "lb" | "v" | "vt" | "h") | None => Meaning::default(),
        Some(_) => Meaning::code(Pin::Everything, "which files it writes is said by an archive"),
    }
}

fn ar(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let Some(operation) = words.get(1).and_then(Word::literal) else {
        return Meaning::doubtful("what `ar` does cannot be told");
    };
    let operation = operation.trim_start_matches('-');
    if words
        .iter()
        .any(|word| word.start().starts_with("--") || (word.literal().is_none() && word.may_be_option()))
    {
        meaning.opaque(Pin::Everything, "`ar` may load plugins");
    }
    if operation.contains('x') {
        meaning.writes_at(".", true);
    }
    let archive = words[2..].iter().find(|word| word.literal().is_none_or(|text| text.contains(['.', '/'])));
    if let (Some(archive), true) = (archive, operation.contains(['r', 'q', 'd', 'm', 's'])) {
        meaning.writes(archive, false);
    }
    meaning
}
