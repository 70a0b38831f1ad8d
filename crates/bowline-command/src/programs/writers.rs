//! Programs that write the files they are given.

use super::Meaning;
use super::line::{Order, parse};
use super::meaning::last_part;
use super::table::{Kind, Row};
use crate::Word;

/// A program of which every operand is written.
pub(super) struct Writer {
    /// All its options: one that is not listed is a doubt.
    pub(super) options: &'static str,
    /// Operands before the files, such as a mode; none of them if one of these options is given.
    pub(super) own: usize,
    pub(super) unless: &'static str,
    /// Options that make it mean everything below as well.
    pub(super) deep: &'static str,
    /// It takes names away, and does not follow them.
    pub(super) removes: bool,
    /// With one of these options it writes nothing.
    pub(super) dry: &'static str,
}

pub(super) const PLAIN: Writer =
    Writer { options: "", own: 0, unless: "", deep: "", removes: false, dry: "" };

const fn writes(options: &'static str) -> Kind {
    Kind::Writes(Writer { options, ..PLAIN })
}

const fn after_one(options: &'static str, unless: &'static str, deep: &'static str) -> Kind {
    Kind::Writes(Writer { options, own: 1, unless, deep, ..PLAIN })
}

pub(super) const ROWS: &[Row] = &[
    ("tee gtee", writes("a/append i/ignore-interrupts p output-error? help version")),
    ("sponge", writes("a")),
    ("pee", Kind::Hidden("it runs its words in a shell")),
    (
        "rm grm",
        Kind::Writes(Writer {
            options: "d/dir f/force i I interactive? r/R/recursive v/verbose one-file-system \
                preserve-root? no-preserve-root P W x help version",
            deep: "r",
            removes: true,
            ..PLAIN
        }),
    ),
    ("unlink", Kind::Writes(Writer { options: "help version", removes: true, ..PLAIN })),
    (
        "rmdir",
        Kind::Writes(Writer {
            options: "p/parents v/verbose ignore-fail-on-non-empty",
            removes: true,
            ..PLAIN
        }),
    ),
    (
        "trash trash-put rmtrash gio-trash",
        Kind::Writes(Writer { options: "r/R f v i d F", deep: "", removes: true, ..PLAIN }),
    ),
    ("shred", writes("f/force n/iterations= random-source= s/size= u remove? v/verbose x/exact z/zero")),
    ("truncate", writes("c/no-create o/io-blocks r/reference= s/size=")),
    ("touch gtouch", writes("a c/no-create d/date= f h/no-dereference m r/reference= t= time= A=")),
    (
        "fallocate",
        writes(
            "c/collapse-range d/dig-holes i/insert-range l/length= n/keep-size o/offset= p/punch-hole \
                v/verbose x/posix z/zero-range",
        ),
    ),
    ("mkdir gmkdir", writes("m/mode= p/parents v/verbose Z context?")),
    ("mkfifo", writes("m/mode= Z context?")),
    ("mknod", writes("m/mode= Z context?")),
    (
        "mktemp",
        Kind::Writes(Writer {
            options: "d/directory u/dry-run q/quiet p/tmpdir? t suffix= V",
            dry: "u",
            ..PLAIN
        }),
    ),
    (
        "chown chgrp gchown",
        after_one(
            "c/changes f/silent/quiet v/verbose R/recursive dereference h/no-dereference from= reference= \
                preserve-root no-preserve-root H L P x n",
            "reference",
            "R",
        ),
    ),
    ("setfattr", writes("n/name= v/value= x/remove= h/no-dereference restore=")),
    ("chflags chcon setfacl chattr xattr", Kind::Does(attributes)),
    ("chmod gchmod", Kind::Does(chmod)),
    (
        "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 unlz4 compress uncompress brotli \
            pigz unpigz pbzip2 lzop pixz",
        Kind::Does(compress),
    ),
    (
        "dos2unix unix2dos mac2unix",
        writes("c/convmode= f/force k/keepdate q/quiet s/safe o/oldfile ascii iso b/keep-bom r/remove-bom"),
    ),
    ("sgdisk wipefs blkdiscard", Kind::Hidden("it writes to disks")),
    ("rename prename file-rename mmv vidir", Kind::Hidden("it moves files by rules")),
];

impl Writer {
    pub(super) fn meaning(&self, words: &[Word]) -> Meaning {
        let line = parse(words, self.options, Order::Anywhere);
        let mut meaning = Meaning::default();
        if let Some(why) = &line.unsure {
            meaning.unreadable(format!("{why}: what `{}` writes cannot be told", words[0].shown()));
        }
        meaning.uses(&line, words[0].shown());
        if !self.dry.is_empty() && line.has(self.dry) {
            return meaning;
        }
        let own = if !self.unless.is_empty() && line.has(self.unless) { 0 } else { self.own };
        let is_deep = !self.deep.is_empty() && line.has(self.deep);
        for path in line.words().skip(own) {
            if self.removes { meaning.removes(path, is_deep) } else { meaning.writes(path, is_deep) }
        }
        meaning
    }
}

/// A mode may look like an option: `chmod -x file`.
fn chmod(words: &[Word]) -> Meaning {
    let is_mode = |text: &str| text.chars().all(|letter| "01234567ugoarwxXst=+-,".contains(letter));
    let mut given = Vec::new();
    let mut has_mode = false;
    for word in words {
        match word.literal() {
            Some(text) if text.starts_with('-') && text.len() > 1 && text != "--" && is_mode(text) => {
                has_mode = true;
            }
            _ => given.push(word.clone()),
        }
    }
    let line = parse(
        &given,
        "c/changes f/silent/quiet v/verbose R/recursive reference= preserve-root no-preserve-root \
            dereference h/no-dereference H L P",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `chmod` changes cannot be told"));
    }
    let own = usize::from(!has_mode && !line.has("reference"));
    line.words().skip(own).for_each(|path| meaning.writes(path, line.has("R")));
    meaning
}

/// Their first words are rules, and dialects differ in how many: every word that may be a path counts.
fn attributes(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let is_deep = words.iter().any(|word| {
        word.literal().is_some_and(|text| text.starts_with("-R") || text == "-r" || text == "--recursive")
    });
    for word in
        words[1..].iter().filter(|word| !word.literal().is_some_and(|text| text.starts_with(['-', '+', '='])))
    {
        meaning.writes(word, is_deep);
    }
    meaning
}

/// What programs put at the end of a name, by how they are called.
const ENDINGS: &[(&str, &str)] = &[
    ("gzip pigz", ".gz"),
    ("bzip2 pbzip2", ".bz2"),
    ("xz pixz", ".xz"),
    ("lzma", ".lzma"),
    ("zstd", ".zst"),
    ("lz4", ".lz4"),
    ("compress", ".Z"),
    ("brotli", ".br"),
    ("lzop", ".lzo"),
    ("", ".tgz"),
    ("", ".txz"),
    ("", ".tbz"),
];

/// A file goes, and one with another ending comes.
fn compress(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "# a/ascii b c/stdout/to-stdout d/decompress/uncompress D= e f/force F h/help H i k/keep K l/list \
            L/license m M= n/no-name N/name o= O p= P q/quiet Q= r/recursive R/rsyncable s/small S/suffix= \
            t/test T/threads= v/verbose V/version w z/compress best fast ultra long? adapt rm no-progress \
            check= memory= format= output-dir-flat= output-dir-mirror=",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `{}` writes cannot be told", words[0].shown()));
    }
    line.values("o").for_each(|path| meaning.writes(path, false));
    for name in ["output-dir-flat", "output-dir-mirror"] {
        line.values(name).for_each(|path| meaning.writes(path, true));
    }
    for path in line.words() {
        if line.has("c l t") {
            meaning.reads(path);
            continue;
        }
        meaning.writes(path, line.has("r"));
        let Some(text) = path.literal().filter(|text| *text != "-") else { continue };
        match ENDINGS.iter().find_map(|(_, ending)| text.strip_suffix(ending)) {
            Some(plain) => meaning.writes_at(plain, false),
            None => {
                let program = last_part(words[0].shown());
                let ending = ENDINGS.iter().find(|(names, _)| names.split(' ').any(|name| name == program));
                meaning.writes_at(format!("{text}{}", ending.map_or("", |(_, ending)| ending)), false);
            }
        }
    }
    if line.has("S") {
        meaning.unreadable("which ending the files get cannot be told");
    }
    meaning
}
