//! Programs that look at names, kinds and sizes of files: those that open none of them read nothing.

use super::super::Meaning;
use super::super::line::{Order, parse};
use super::super::table::{Kind, Row};
use super::{PLAIN, Reader, beware, looks, options_of, reads};
use crate::Word;

pub(in super::super) const ROWS: &[Row] = &[
    (
        "ls gls dir vdir",
        looks(
            "a/all A/almost-all author b/escape block-size= B/ignore-backups c C color? d/directory D/dired e f \
                F classify? file-type format= full-time g group-directories-first G/no-group h/human-readable \
                si H/dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? \
                indicator-style= i/inode I/ignore= k/kibibytes l L/dereference m n/numeric-uid-gid N/literal o O \
                p P q/hide-control-chars show-control-chars Q/quote-name quoting-style= r/reverse R/recursive \
                s/size S sort= time= time-style= t T? tabsize= u U v w? width= W x X y Z/context zero % @ 1 help \
                version",
        ),
    ),
    (
        "exa eza lsd",
        looks(
            "1/oneline a/all A B/bytes b/binary color= colour= color-scale? d/list-dirs D/only-dirs f/only-files \
                F/classify? g/group G/grid h/header H/links hyperlink I/ignore-glob= i/inode l/long L/level= \
                m/modified n/numeric R/recurse r/reverse S s/sort= T/tree t? time= time-style= u U x/across \
                X/dereference git git-ignore icons? icon= no-icons group-directories-first w? width= @/extended \
                no-permissions no-filesize no-user no-time total-size depth= blocks= date= size= permission= \
                help version v V",
        ),
    ),
    (
        "stat gstat",
        looks("L/dereference f/file-system cached= c? format= F l n printf= q r s t x terse help version"),
    ),
    (
        "readlink greadlink",
        looks(
            "f/canonicalize e/canonicalize-existing m/canonicalize-missing n/no-newline q/quiet s/silent \
                v/verbose z/zero help version",
        ),
    ),
    (
        "realpath grealpath",
        looks(
            "e/canonicalize-existing E/canonicalize m/canonicalize-missing L/logical P/physical q/quiet \
                relative-to= relative-base= s/strip/no-symlinks z/zero help version",
        ),
    ),
    (
        "du gdu",
        looks(
            "0/null a/all apparent-size A B? block-size= b/bytes c/total D/dereference-args d/max-depth= \
                files0-from=@ g H h/human-readable I= inodes k L/dereference l/count-links m n P/no-dereference r \
                S/separate-dirs si s/summarize t/threshold= time? time-style= X/exclude-from=< exclude= \
                x/one-file-system help version",
        ),
    ),
    (
        "df gdf",
        reads(
            "a/all B/block-size= h/human-readable H/si i/inodes k l/local no-sync output? P/portability sync \
                total t? type= T/print-type x/exclude-type= v help version",
        ),
    ),
    (
        "namei",
        looks("x/mountpoints m/modes o/owners l/long n/nosymlinks v/vertical Z/context h/help V/version"),
    ),
    ("lsattr", looks("R V a d l p v")),
    (
        "getfacl",
        reads(
            "a/access d/default c/omit-header e/all-effective E/no-effective s/skip-base R/recursive L/logical P/physical t/tabular n/numeric p/absolute-names v/version h/help",
        ),
    ),
    (
        "getfattr",
        reads(
            "n/name= d/dump e/encoding= h/no-dereference m/match= absolute-names only-values R/recursive L/logical P/physical version help",
        ),
    ),
    ("file", Kind::Does(file)),
    ("tree", Kind::Does(tree)),
    (
        "dircolors gdircolors",
        reads("b/sh/bourne-shell c/csh/c-shell p/print-database print-ls-colors help version"),
    ),
    ("strings gstrings", Kind::Does(strings)),
    (
        "info pinfo",
        beware(
            "k/apropos= d/directory= f/file=< n/node= w/where o/output=> O/show-options all subnodes h/help version",
        ),
    ),
    (
        "whereis",
        Kind::Reads(Reader {
            options: "b B M m S s f u l g h/help V/version",
            own: super::NO_FILES,
            ..PLAIN
        }),
    ),
];

const FILE: &str = "help v/version m/magic-file= M= z/uncompress Z/uncompress-noreport b/brief \
    c/checking-printout d e/exclude= exclude-quiet= f/files-from=@ F/separator= i/mime I apple extension mime-type \
    mime-encoding k/keep-going l/list L/dereference h/no-dereference n/no-buffer N/no-pad 0/print0 \
    p/preserve-date P/parameter= r/raw s/special-files S/no-sandbox C/compile^";

/// `-m` takes several files, and what it reads there it may show.
fn file(words: &[Word]) -> Meaning {
    let line = parse(words, FILE, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    for magic in line.values("m").chain(line.values("M")) {
        match magic.literal() {
            Some(paths) => {
                let paths = paths.split(':').map(|path| Word::Literal(path.to_owned()));
                paths.for_each(|path| meaning.reads_below(&path));
            }
            None => meaning.reads_below(magic),
        }
    }
    line.words().for_each(|path| meaning.reads(path));
    meaning
}

const TREE: &str = "a d l f x L= P= I= gitignore gitfile=< infofile=< matchdirs metafirst prune info ignore-case \
    filelimit= timefmt= q N Q p u g s h si du D F inodes device v t c U r dirsfirst filesfirst sort= i A S n C X \
    J H= T= nolinks hintro=< houtro=< charset= noreport fromfile fromtabfile fflinks o=> R^ filesfirst opt-toggle \
    hyperlink scheme= authority= compress= help version";

fn tree(words: &[Word]) -> Meaning {
    let line = parse(words, TREE, Order::Anywhere);
    let mut meaning = Meaning::default();
    options_of(&line, words, true, &mut meaning);
    // A letter with a value takes the next word, even if letters follow it.
    let is_joined = |word: &Word| {
        let text = word.start();
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        letters.chars().rev().skip(1).any(|letter| "LPIHTo".contains(letter))
    };
    if let Some(word) = words[1..].iter().find(|word| is_joined(word)) {
        meaning.unreadable(format!("`{}` takes its values from the words that follow", word.shown()));
    }
    // Their content is taken for names of files.
    if line.unsure.is_some() || line.has("fromfile fromtabfile") {
        line.words().for_each(|path| meaning.reads(path));
    }
    meaning
}

const STRINGS: &str = "a/all d/data f/print-file-name n/bytes= t/radix= w/include-all-whitespace o T/target= \
    e/encoding= U/unicode= s/output-separator= h/help v/V/version arch= - #";

fn strings(words: &[Word]) -> Meaning {
    super::binaries::with_lists(words, STRINGS)
}
