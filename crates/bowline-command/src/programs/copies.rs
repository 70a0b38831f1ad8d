//! `cp`, `mv`, `ln`, `install`: from some places to another.

use std::path::PathBuf;

use super::line::{Line, Order, parse};
use super::meaning::{below, last_part};
use super::table::{Kind, Row};
use super::{Alias, Meaning};
use crate::{Access, Creates, Filter, Source, Word};

pub(super) const ROWS: &[Row] = &[
    ("cp gcp", Kind::Does(cp)),
    ("mv gmv", Kind::Does(mv)),
    ("ln gln link", Kind::Does(ln)),
    ("install ginstall", Kind::Does(install)),
    ("ditto pax", Kind::Hidden("it copies whole trees")),
];

const CP: &str = "a/archive attributes-only b backup? copy-contents d debug f/force H i/interactive \
    keep-directory-symlink L/dereference l/link N n/no-clobber no-preserve= P/no-dereference p parents path \
    preserve? R/r/recursive reflink? remove-destination S/suffix= s/symbolic-link sparse= \
    strip-trailing-slashes T/no-target-directory t/target-directory= u update? v/verbose X x/one-file-system \
    Z c context? help version";

fn cp(words: &[Word]) -> Meaning {
    let (mut meaning, line) = begin(words, CP);
    let Some((sources, target)) = ends(&line, &mut meaning) else { return meaning };
    let is_deep = line.has("R a");
    let filter = Filter { follows_links: line.has("L H"), ..Filter::default() };
    for source in &sources {
        read(source, is_deep, &filter, &mut meaning);
        // A link to it is another name for it, by which it can be written unseen.
        if line.has("l s") {
            meaning.changes(source, is_deep, Creates::Nothing);
            let (target, source) = (target.clone(), source.clone());
            meaning.aliases.push(Alias { is_relative: false, name: target, leads: source });
        }
    }
    let keeps_path = line.has("parents path");
    let way = Way { is_deep, keeps_path, filter, backups: backups(&line), ..Way::default() };
    way.arrive(&sources, &target, &mut meaning);
    meaning
}

fn mv(words: &[Word]) -> Meaning {
    let (mut meaning, line) = begin(
        words,
        "b backup? debug exchange f/force h i/interactive n/no-clobber no-copy S/suffix= \
            strip-trailing-slashes T/no-target-directory t/target-directory= u update? v/verbose Z/context \
            help version",
    );
    let Some((sources, target)) = ends(&line, &mut meaning) else { return meaning };
    for source in &sources {
        // By its new name it can be read unseen.
        read(source, true, &Filter::default(), &mut meaning);
        meaning.removes(source, true);
    }
    if line.has("exchange") {
        read(&target, true, &Filter::default(), &mut meaning);
        meaning.writes(&target, true);
        sources.iter().for_each(|source| meaning.writes(source, true));
    }
    let way = Way { is_deep: true, backups: backups(&line), ..Way::default() };
    way.arrive(&sources, &target, &mut meaning);
    meaning
}

fn ln(words: &[Word]) -> Meaning {
    let (mut meaning, line) = begin(
        words,
        "b backup? d/F/directory f/force h i/interactive L/logical n/no-dereference P/physical r/relative \
            S/suffix= s/symbolic T/no-target-directory t/target-directory= v/verbose w x help version",
    );
    let here = || Word::Literal(".".to_owned());
    let (sources, target) = match ends(&line, &mut meaning) {
        Some(ends) => ends,
        // `ln dir/file` makes `file`.
        None => match line.operand(0) {
            Some(source) => (vec![source.clone()], here()),
            None => return meaning,
        },
    };
    // What a symbolic link holds is meant from where it stands.
    let is_symbolic = line.has("s");
    let is_relative = is_symbolic && !line.has("r");
    for source in &sources {
        for place in places_of(source, &target, is_relative) {
            read(&place, is_symbolic, &Filter::default(), &mut meaning);
            meaning.changes(&place, is_symbolic, Creates::Nothing);
        }
        let (name, leads) = (target.clone(), source.clone());
        meaning.aliases.push(Alias { is_relative, name, leads });
    }
    let way = Way { is_link: true, backups: backups(&line), ..Way::default() };
    way.arrive(&sources, &target, &mut meaning);
    meaning
}

/// Where a link leads whose target is written as `source`: it may stand at `target`, or below it.
fn places_of(source: &Word, target: &Word, is_relative: bool) -> Vec<Word> {
    let (Some(path), Some(target), true) = (source.literal(), target.literal(), is_relative) else {
        return vec![source.clone()];
    };
    if path.starts_with('/') {
        return vec![source.clone()];
    }
    let beside = target.trim_end_matches('/').rsplit_once('/').map_or("", |(directory, _)| directory);
    let mut places = vec![Word::Literal(below(beside, path))];
    if target != "." {
        places.push(Word::Literal(plain(&below(target, path))));
    }
    places
}

/// Without `..`, as far as names before it can be taken away.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("..", Some(last)) if !matches!(*last, ".." | "" | ".") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn install(words: &[Word]) -> Meaning {
    let (mut meaning, line) = begin(
        words,
        "B= b backup? C/compare c D d/directory debug f= g/group= h= l= M= m/mode= N= o/owner= \
            p/preserve-timestamps preserve-context S/suffix= s/strip strip-program=! T/no-target-directory \
            t/target-directory= U v/verbose Z context? help version",
    );
    meaning.uses(&line, words[0].shown());
    if line.has("d") {
        line.words().for_each(|path| meaning.writes(path, false));
        return meaning;
    }
    let Some((sources, target)) = ends(&line, &mut meaning) else { return meaning };
    sources.iter().for_each(|source| read(source, false, &Filter::default(), &mut meaning));
    if line.has("l M") {
        meaning.unreadable("links and lists of files are not followed");
    }
    Way { backups: backups(&line), ..Way::default() }.arrive(&sources, &target, &mut meaning);
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

/// What is put at the end of the name of a file that would be overwritten.
fn backups(line: &Line) -> Vec<String> {
    if !line.has("b backup S") {
        return Vec::new();
    }
    let own = line.values("S").filter_map(Word::literal).map(str::to_owned);
    own.chain(["~".to_owned(), ".~1~".to_owned()]).collect()
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

fn read(source: &Word, is_deep: bool, filter: &Filter, meaning: &mut Meaning) {
    if source.literal() != Some("") {
        meaning.touch(Access::Read, source, is_deep, filter.clone());
    }
}

/// How files come to a place.
#[derive(Default)]
pub(super) struct Way {
    /// With all that is in them.
    pub(super) is_deep: bool,
    /// What comes is a link, and brings nothing along.
    pub(super) is_link: bool,
    /// By their whole path, and not by its last part.
    pub(super) keeps_path: bool,
    /// Which files of a directory come along.
    pub(super) filter: Filter,
    /// Ends of the names that overwritten files are kept by.
    pub(super) backups: Vec<String>,
}

impl Way {
    /// The target may be a directory: then the files arrive below it, by their own names.
    pub(super) fn arrive(&self, sources: &[Word], target: &Word, meaning: &mut Meaning) {
        let Some(place) = target.literal() else {
            return meaning.writes(target, self.is_deep || target.pattern().is_some());
        };
        let is_directory = place == "." || place.ends_with("/.") || place.ends_with("..");
        let brought: Vec<Source> = sources.iter().flat_map(|source| self.brought(source)).collect();
        if sources.iter().any(|source| source.literal().is_none() && source.pattern().is_none()) {
            // It may bring any name.
            meaning.writes(target, true);
        } else if !is_directory || !brought.is_empty() {
            self.write(place, brought, meaning);
        }
        for path in sources.iter().filter_map(Word::literal) {
            let name = if self.keeps_path { path.trim_start_matches('/') } else { last_part(path) };
            match name {
                "." | ".." | "" => self.write(place, self.brought(&Word::Literal(path.to_owned())), meaning),
                name => {
                    let names = self.brought(&Word::Literal(path.to_owned()));
                    self.write(&below(place, name), names, meaning);
                }
            }
        }
    }

    fn write(&self, path: &str, brought: Vec<Source>, meaning: &mut Meaning) {
        let is_deep = !brought.is_empty();
        let creates = match is_deep {
            true => Creates::NamesBelow(brought),
            false if self.is_link => Creates::Names(Vec::new()),
            false => Creates::Nothing,
        };
        for end in std::iter::once("").chain(self.backups.iter().map(String::as_str)) {
            let path = Word::Literal(format!(
                "{}{end}",
                if end.is_empty() { path } else { path.trim_end_matches('/') }
            ));
            meaning.changes(&path, is_deep, creates.clone());
        }
    }

    /// Names that one source brings along, below its own.
    fn brought(&self, source: &Word) -> Vec<Source> {
        let of = |path: &str, filter: Filter, skips| Source { path: PathBuf::from(path), filter, skips };
        match (source.literal(), source.pattern()) {
            (Some(path), _) if self.is_deep => vec![of(path, self.filter.clone(), 0)],
            (None, Some((directory, parts))) => {
                let count = parts.len();
                let filter = Filter { parts, is_shallow: !self.is_deep, ..self.filter.clone() };
                // Each match arrives in the target by its last name; one alone may become the target itself.
                let mut all =
                    vec![of(&directory, filter.clone(), if self.keeps_path { 0 } else { count - 1 })];
                all.extend(self.is_deep.then(|| of(&directory, filter, count)));
                all
            }
            _ => Vec::new(),
        }
    }
}
