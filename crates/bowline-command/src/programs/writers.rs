//! Programs that write the files they are given.

use super::Meaning;
use super::line::{Order, parse};
use super::meaning::below;
use super::table::{Kind, Row};
use crate::{Creates, Pin, Word};

/// A program of which every operand is written.
pub(super) struct Writer {
    /// All its options: one that is not listed is a doubt.
    pub(super) options: &'static str,
    /// Operands before the files, such as a mode; none of them if one of these options is given.
    pub(super) own: usize,
    pub(super) unless: &'static str,
    /// Options that make it mean everything below as well.
    pub(super) deep: &'static str,
    /// It makes no new files: a pattern that matches nothing is the name of no file.
    pub(super) makes_none: bool,
    /// With one of these options it writes nothing.
    pub(super) dry: &'static str,
}

pub(super) const PLAIN: Writer =
    Writer { options: "", own: 0, unless: "", deep: "", makes_none: false, dry: "" };

const fn writes(options: &'static str) -> Kind {
    Kind::Writes(Writer { options, ..PLAIN })
}

const fn changes(options: &'static str, deep: &'static str) -> Kind {
    Kind::Writes(Writer { options, deep, makes_none: true, ..PLAIN })
}

pub(super) const ROWS: &[Row] = &[
    ("tee gtee", writes("a/append i/ignore-interrupts p output-error? help version")),
    ("sponge", writes("a")),
    ("pee", Kind::Hidden("it runs its words in a shell")),
    (
        "rm grm",
        changes(
            "d/dir f/force I i interactive? no-preserve-root one-file-system P preserve-root? \
                r/R/recursive v/verbose W x help version",
            "r",
        ),
    ),
    ("unlink", changes("help version", "")),
    ("rmdir grmdir", Kind::Does(rmdir)),
    ("trash trash-put rmtrash gio-trash", changes("d/directory F f/force I i r/R/recursive s v/verbose", "")),
    (
        "shred gshred",
        changes(
            "f/force n/iterations= random-source=< remove? s/size= u v/verbose x/exact z/zero help version",
            "",
        ),
    ),
    ("truncate gtruncate", writes("c/no-create o/io-blocks r/reference= s/size= help version")),
    (
        "touch gtouch",
        writes("A= a c/no-create d/date= f h/no-dereference m r/reference= t= time= help version"),
    ),
    (
        "fallocate",
        writes(
            "c/collapse-range d/dig-holes i/insert-range l/length= n/keep-size o/offset= p/punch-hole \
                v/verbose x/posix z/zero-range h/help V/version",
        ),
    ),
    ("mkdir gmkdir", writes("m/mode= p/parents v/verbose Z context? help version")),
    ("mkfifo gmkfifo", writes("m/mode= Z context? help version")),
    // The type and the numbers that follow the name are no files.
    ("mknod gmknod", writes("m/mode= Z context? help version")),
    ("mktemp gmktemp", Kind::Does(mktemp)),
    (
        "chown chgrp gchown gchgrp",
        Kind::Writes(Writer {
            options: "c/changes dereference f/silent/quiet from= H h/no-dereference L n no-preserve-root P \
                preserve-root R/recursive reference= v/verbose x help version",
            own: 1,
            unless: "reference",
            deep: "R",
            makes_none: true,
            ..PLAIN
        }),
    ),
    ("setfattr", Kind::Does(setfattr)),
    ("chflags chcon setfacl chattr xattr", Kind::Does(attributes)),
    ("chmod gchmod", Kind::Does(chmod)),
    ("dos2unix unix2dos mac2unix unix2mac", Kind::Does(line_ends)),
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
            self.change(path, is_deep, &mut meaning);
        }
        meaning
    }

    fn change(&self, path: &Word, is_deep: bool, meaning: &mut Meaning) {
        meaning.changes(path, is_deep, Creates::Nothing);
        // Where a pattern matches no file, it is itself the name of one.
        if let (Word::Unknown { text, .. }, false, Some(_)) = (path, self.makes_none, path.pattern()) {
            meaning.writes_at(text, false);
        }
    }
}

/// With `-p`, directories above go too if nothing else is in them.
fn rmdir(words: &[Word]) -> Meaning {
    let line = parse(words, "ignore-fail-on-non-empty p/parents v/verbose help version", Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `rmdir` removes cannot be told"));
    }
    for path in line.words() {
        meaning.removes(path, false);
        let mut above = path.literal().filter(|_| line.has("p")).map(|text| text.trim_end_matches('/'));
        while let Some((directory, _)) = above.and_then(|text| text.rsplit_once('/')) {
            meaning.removes(&Word::Literal(directory.to_owned()), false);
            above = Some(directory.trim_end_matches('/'));
        }
    }
    meaning
}

/// A new file with a name that was not there. Without a template it stands in the directory for such files.
fn mktemp(words: &[Word]) -> Meaning {
    let line =
        parse(words, "d/directory p= q/quiet suffix= t tmpdir? u/dry-run V help version", Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `mktemp` makes cannot be told"));
    }
    if line.has("u") {
        return meaning;
    }
    let directory = line.values("p").chain(line.values("tmpdir")).next_back();
    let ends: Vec<&Word> = line.values("suffix").collect();
    let in_place = |name: &Word| match (directory, name.literal()) {
        (None, _) => Some(name.clone()),
        (Some(directory), Some(name)) => {
            directory.literal().map(|directory| Word::Literal(below(directory, name)))
        }
        (Some(_), None) => None,
    };
    let unnamed = Word::Literal("tmp.XXXXXXXXXX".to_owned());
    let is_named = !line.operands.is_empty();
    let names = line.words().chain((!is_named && directory.is_some()).then_some(&unnamed));
    for name in names {
        // `-t` puts it where such files are; without a directory that is the system's own.
        if line.has("t tmpdir") && directory.is_none() && name.literal().is_some() {
            continue;
        }
        let Some(path) = in_place(name) else {
            meaning.unreadable("where `mktemp` makes its file is known only when it runs");
            continue;
        };
        match (path.literal(), ends.last().map(|end| end.literal())) {
            (Some(path), Some(Some(end))) => meaning.writes_at(format!("{path}{end}"), false),
            (_, None) => meaning.writes(&path, false),
            _ => meaning.unreadable("which name `mktemp` makes is known only when it runs"),
        }
    }
    meaning
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
        "c/changes dereference f/silent/quiet H h/no-dereference L no-preserve-root P preserve-root \
            R/recursive reference= v/verbose help version",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `chmod` changes cannot be told"));
    }
    let own = usize::from(!has_mode && !line.has("reference"));
    line.words().skip(own).for_each(|path| meaning.changes(path, line.has("R"), Creates::Nothing));
    meaning
}

fn setfattr(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "h/no-dereference n/name= raw restore=< v/value= x/remove= help version",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `setfattr` changes cannot be told"));
    }
    if line.has("restore") {
        meaning.opaque(Pin::Everything, "a list says which files are changed");
    }
    meaning.uses(&line, "setfattr");
    line.words().for_each(|path| meaning.changes(path, false, Creates::Nothing));
    meaning
}

/// Their first words are rules, and dialects differ in how many: every word that may be a path counts.
fn attributes(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let is_deep = words[1..].iter().any(|word| {
        let is_cluster = word.start().starts_with('-') && !word.start().starts_with("--");
        word.start().starts_with("--r") || is_cluster && word.start().contains(['R', 'r'])
    });
    if words[1..].iter().any(|word| word.start().starts_with("--restore") || word.start().starts_with("--re"))
    {
        meaning.opaque(Pin::Everything, "a list says which files are changed");
    }
    for word in &words[1..] {
        match word.literal() {
            // `--set-file=list`, `-M list`: what stands behind is read.
            Some(text) if text.starts_with("--") => {
                if let Some((_, value)) = text.split_once('=') {
                    meaning.reads(&Word::Literal(value.to_owned()));
                }
            }
            Some(text) if text.starts_with(['-', '+', '=']) => {}
            _ => {
                if words[0].shown().ends_with("setfacl") {
                    meaning.reads(word);
                }
                meaning.changes(word, is_deep, Creates::Nothing);
            }
        }
    }
    meaning
}

/// In the mode of new files, every second operand is written; both are counted.
fn line_ends(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "# 7bit add-bom add-eol allow-chown ascii assume-utf16be assume-utf16le b/keep-bom c/convmode= \
            D/display-enc= e F/follow-symlink f/force gb18030 h/help i/info? iso k/keepdate L/license \
            l/newline m n/newfile no-add-eol no-allow-chown o/oldfile p q/quiet R/replace-symlink \
            r/remove-bom S/skip-symlink s/safe u/keep-utf16 ul/assume-utf16le ub/assume-utf16be V/version \
            v/verbose",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what is written cannot be told"));
    }
    for path in line.words() {
        meaning.reads(path);
        if !line.has("i") {
            meaning.writes(path, false);
        }
    }
    meaning
}
