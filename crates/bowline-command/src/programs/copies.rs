//! `cp`, `mv`, `ln`, `install`: from some places to another.

use super::Meaning;
use super::line::{Line, Order, parse};
use super::meaning::{below, last_part};
use super::table::{Kind, Row};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("cp gcp", Kind::Does(cp)),
    ("mv gmv", Kind::Does(mv)),
    ("ln gln link", Kind::Does(ln)),
    ("install ginstall", Kind::Does(install)),
    ("ditto pax", Kind::Hidden("it copies whole trees")),
];

const CP: &str = "a/archive attributes-only b backup? copy-contents d debug f/force i/interactive H l/link \
    L/dereference n/no-clobber P/no-dereference p preserve? no-preserve= parents R/r/recursive reflink? \
    remove-destination sparse= strip-trailing-slashes s/symbolic-link S/suffix= t/target-directory= \
    T/no-target-directory u update? v/verbose x/one-file-system Z context? keep-directory-symlink c X N \
    help version";

fn cp(words: &[Word]) -> Meaning {
    let (mut meaning, line) = begin(words, CP);
    let Some((sources, target)) = ends(&line, &mut meaning) else { return meaning };
    let is_deep = line.has("R a parents");
    for source in &sources {
        // A link to it is another name for it, by which it can be written unseen.
        if line.has("l s") {
            meaning.writes(source, is_deep);
        } else if is_deep {
            meaning.reads_below(source);
        } else {
            meaning.reads(source);
        }
    }
    arrive(&sources, &target, is_deep, &mut meaning);
    meaning
}

fn mv(words: &[Word]) -> Meaning {
    let (mut meaning, line) = begin(
        words,
        "b backup? debug exchange f/force i/interactive n/no-clobber no-copy strip-trailing-slashes \
            S/suffix= t/target-directory= T/no-target-directory u update? v/verbose Z/context h help \
            version",
    );
    let Some((sources, target)) = ends(&line, &mut meaning) else { return meaning };
    sources.iter().for_each(|source| meaning.removes(source, true));
    arrive(&sources, &target, true, &mut meaning);
    meaning
}

fn ln(words: &[Word]) -> Meaning {
    let (mut meaning, line) = begin(
        words,
        "b backup? d/F/directory f/force i/interactive L/logical n/no-dereference P/physical r/relative \
            s/symbolic S/suffix= t/target-directory= T/no-target-directory v/verbose h w help version",
    );
    let is_symbolic = line.has("s");
    let Some((sources, target)) = ends(&line, &mut meaning) else {
        // `ln dir/file` makes `file`.
        if let Some(source) = line.operand(0) {
            another_name(source, ".", is_symbolic, &mut meaning);
            arrive(std::slice::from_ref(source), &Word::Literal(".".to_owned()), false, &mut meaning);
        }
        return meaning;
    };
    for source in &sources {
        let directory = target
            .literal()
            .and_then(|target| target.rsplit_once('/'))
            .map_or(".", |(directory, _)| directory);
        another_name(source, directory, is_symbolic, &mut meaning);
        if let (true, Some(target), Some(path)) =
            (is_symbolic, target.literal(), source.literal().filter(|path| !path.starts_with('/')))
        {
            meaning.writes_at(below(target, path), true);
        }
    }
    arrive(&sources, &target, false, &mut meaning);
    meaning
}

/// Whoever may make a second name for a file may write it by that name: within one command line nobody would see it again.
/// A symbolic link is read from where it stands.
fn another_name(source: &Word, directory: &str, is_symbolic: bool, meaning: &mut Meaning) {
    match source.literal() {
        Some(path) if is_symbolic && !path.starts_with('/') && directory != "." => {
            meaning.writes_at(below(directory, path), true);
        }
        _ => meaning.writes(source, is_symbolic),
    }
}

fn install(words: &[Word]) -> Meaning {
    let (mut meaning, line) = begin(
        words,
        "b backup? c C/compare d/directory D debug g/group= m/mode= o/owner= p/preserve-timestamps s/strip \
            strip-program= S/suffix= t/target-directory= T/no-target-directory v/verbose Z context? \
            preserve-context help version",
    );
    if line.has("strip-program") {
        meaning.runs.extend(line.values("strip-program").map(|program| vec![program.clone()]));
        meaning.opaque(Pin::Everything, "`install` was told to run a program");
    }
    if line.has("d") {
        line.words().for_each(|path| meaning.writes(path, false));
        return meaning;
    }
    let Some((sources, target)) = ends(&line, &mut meaning) else { return meaning };
    sources.iter().for_each(|source| meaning.reads(source));
    arrive(&sources, &target, false, &mut meaning);
    meaning
}

fn begin(words: &[Word], options: &'static str) -> (Meaning, Line) {
    let line = parse(words, options, Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `{}` writes cannot be told", words[0].shown()));
    }
    if line.values("S").any(|suffix| suffix.literal().is_none_or(|suffix| suffix.contains('/'))) {
        meaning.unreadable("where the copies of overwritten files go cannot be told");
    }
    (meaning, line)
}

/// What comes from where, and where it goes.
fn ends(line: &Line, meaning: &mut Meaning) -> Option<(Vec<Word>, Word)> {
    let mut operands: Vec<Word> = line.words().cloned().collect();
    if let Some(directory) = line.values("t").next_back() {
        return Some((operands, directory.clone()));
    }
    let target = operands.pop()?;
    if operands.is_empty() {
        if target.literal().is_none() {
            meaning.unreadable(format!("where `{}` leads is known only when it runs", target.shown()));
        }
        return None;
    }
    Some((operands, target))
}

/// The target may be a directory: then the files arrive below it, by their own names.
fn arrive(sources: &[Word], target: &Word, is_deep: bool, meaning: &mut Meaning) {
    let is_directory = target
        .literal()
        .is_some_and(|target| target == "." || target.ends_with("/.") || target.ends_with(".."));
    if !is_directory {
        meaning.writes(target, is_deep);
    }
    let Some(directory) = target.literal() else { return };
    for source in sources {
        match source {
            Word::Literal(path) => {
                let name = last_part(path);
                if name != "." && name != ".." && !name.is_empty() {
                    meaning.writes_at(below(directory, name), is_deep);
                } else if is_directory {
                    meaning.writes(target, is_deep);
                }
            }
            Word::Unknown { text, .. } => meaning.unreadable(format!(
                "by which names `{text}` arrives in `{directory}` is known only when it runs"
            )),
        }
    }
}
