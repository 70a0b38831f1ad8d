//! `tar`.

use crate::programs::Meaning;
use crate::programs::line::{Line, Order, parse};
use crate::programs::meaning::below;
use crate::{Access, Filter, Pin, Word};

const TAR: &str = "A/catenate/concatenate a/auto-compress absolute-names/P acls add-file=< anchored atime-preserve? \
    B/read-full-records b/blocking-factor= backup? C/directory/cd= c/create check-device checkpoint? \
    checkpoint-action= clamp-mtime d/diff/compare delay-directory-restore delete exclude= exclude-backups \
    exclude-caches exclude-caches-all exclude-caches-under exclude-ignore= exclude-ignore-recursive= exclude-tag= \
    exclude-tag-all= exclude-tag-under= exclude-vcs exclude-vcs-ignores F/info-script/new-volume-script= f/file= \
    force-local full-time G/incremental g/listed-incremental= group= group-map=< H/format= h/dereference \
    hard-dereference hole-detection= I/use-compress-program= i/ignore-zeros ignore-case ignore-command-error \
    ignore-failed-read index-file=> J/xz j/bzip2 K/starting-file= k/keep-old-files keep-directory-symlink \
    keep-newer-files L/tape-length= l/check-links level= lzip lzma lzop M/multi-volume m/touch mode= mtime= N/newer/after-date= \
    n/seek newer-mtime= no-acls no-anchored no-auto-compress no-check-device no-delay-directory-restore \
    no-ignore-case no-ignore-command-error no-null no-overwrite-dir no-quote-chars= no-recursion \
    no-same-permissions no-seek no-selinux no-unquote no-verbatim-files-from no-wildcards \
    no-wildcards-match-slash no-xattrs null numeric-owner O/to-stdout o/no-same-owner occurrence? \
    old-archive/portability one-file-system one-top-level? overwrite overwrite-dir owner= owner-map=< \
    p/preserve-permissions/same-permissions pax-option= posix quote-chars= quoting-style= R/block-number \
    r/append record-size= recursion recursive-unlink remove-files restrict rmt-command= rsh-command= S/sparse \
    s/preserve-order/same-order same-owner selinux show-defaults show-omitted-dirs show-snapshot-field-ranges \
    show-stored-names/show-transformed-names skip-old-files sort= sparse-version= strip-components= suffix= \
    T/files-from=< t/list test-label to-command= totals? transform/xform= U/unlink-first u/update unquote utc V/label= \
    v/verbose verbatim-files-from volno-file=> W/verify w/interactive/confirmation warning= wildcards \
    wildcards-match-slash X/exclude-from=< x/extract/get xattrs xattrs-exclude= xattrs-include= \
    Z/compress/uncompress z/gzip/gunzip/ungzip zstd help usage version";

/// Options that run a program, and whether it is given to a shell.
const RUNS: &[(&str, bool)] =
    &[("F", true), ("I", false), ("rsh-command", false), ("rmt-command", false), ("to-command", true)];

pub(super) fn tar(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let Some(words) = unbundled(words) else {
        meaning.unreadable("what `tar` does cannot be told");
        return meaning;
    };
    let line = parse(&words, TAR, Order::Anywhere);
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `tar` has options that run and write"));
    }
    meaning.uses(&line, "tar");
    for (name, is_shell) in RUNS {
        for program in line.values(name) {
            let split = |text: &str| {
                text.split_ascii_whitespace().map(|word| Word::Literal(word.to_owned())).collect::<Vec<_>>()
            };
            match program.literal().map(split) {
                Some(words) if !is_shell && !words.is_empty() => meaning.runs.push(words),
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
    // The state that it keeps is read and written anew.
    for path in line.values("g") {
        meaning.reads(path);
        meaning.writes(path, false);
    }
    let makes = line.has("c r u A delete");
    for file in line.values("f").filter(|file| file.literal() != Some("-")) {
        if file.start().contains(':') && !line.has("force-local") {
            meaning.opaque(Pin::Everything, "the archive is on another machine");
        }
        if makes {
            meaning.writes(file, false);
        } else {
            meaning.reads(file);
        }
        if line.has("r u A delete") {
            meaning.reads(file);
        }
    }
    if line.has("x") && !line.has("O") {
        unpack(&line, &mut meaning);
    }
    if makes || line.has("d") {
        pack(&line, &mut meaning);
    }
    meaning
}

fn unpack(line: &Line, meaning: &mut Meaning) {
    if line.has("absolute-names transform") {
        meaning.unreadable("where an archive puts its files cannot be told");
    }
    let places = places(line);
    // Members that are named arrive by their names.
    let is_named = !line.operands.is_empty()
        && !line.has("strip-components one-top-level wildcards T xform backup suffix")
        && line
            .words()
            .all(|word| word.literal().is_some_and(|text| !text.starts_with('/') && !text.contains("..")));
    for place in &places {
        match place.literal() {
            Some(place) if is_named => line.words().filter_map(Word::literal).for_each(|name| {
                meaning.writes_at(below(place, name), true);
            }),
            _ => meaning.writes(place, true),
        }
    }
    line.values("one-top-level").for_each(|path| meaning.writes(path, true));
}

fn pack(line: &Line, meaning: &mut Meaning) {
    if line.has("d") && line.operands.is_empty() {
        places(line).iter().for_each(|place| meaning.reads_below(place));
    }
    let filter = left_out(line);
    for place in places(line) {
        for path in line.words() {
            // `@archive` is one whose members are taken.
            let path = match path.literal().and_then(|text| text.strip_prefix('@')) {
                Some(archive) => Word::Literal(archive.to_owned()),
                None => path.clone(),
            };
            let path = match (place.literal(), path.literal()) {
                (Some("."), _) => path.clone(),
                (Some(place), Some(text)) => Word::Literal(below(place, text)),
                (Some(_), None) => path.clone(),
                (None, _) => place.clone(),
            };
            meaning.touch(Access::Read, &path, true, filter.clone());
            if line.has("remove-files") {
                meaning.removes(&path, true);
            }
        }
    }
}

/// Every directory that it goes to. Each is meant from the one before, and options may stand after the files.
fn places(line: &Line) -> Vec<Word> {
    let here = Word::Literal(".".to_owned());
    let directories: Vec<&Word> = line.values("C").collect();
    match directories.as_slice() {
        [] => vec![here],
        [one] => vec![(*one).clone()],
        several => {
            let mut places = vec![here];
            let mut at = Some(String::new());
            for directory in several {
                at = at.zip(directory.literal()).map(|(at, text)| below(&at, text));
                places.push(at.clone().map_or_else(|| (*directory).clone(), Word::Literal));
            }
            places
        }
    }
}

/// Names that `--exclude` leaves out wherever they stand.
fn left_out(line: &Line) -> Filter {
    let mut filter = Filter { follows_links: line.has("h"), ..Filter::default() };
    if line.has("anchored no-wildcards no-wildcards-match-slash wildcards ignore-case") {
        return filter;
    }
    let is_name = |text: &&str| {
        !text.is_empty()
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-*".contains(letter))
    };
    for name in line.values("exclude").filter_map(Word::literal).filter(is_name) {
        filter.except.push(name.to_owned());
        filter.except_directories.push(name.to_owned());
    }
    filter
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
