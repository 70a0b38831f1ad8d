//! What the shell does itself: moving about, setting variables, changing how it reads.

use super::line::{Order, parse};
use super::table::{Kind, Row};
use super::{Meaning, environment};
use crate::Word;

pub(super) const ROWS: &[Row] = &[
    (
        ": true false break continue return exit shift times umask ulimit jobs bg fg disown suspend logout \
            dirs caller unalias type help",
        Kind::Harmless,
    ),
    ("cd chdir pushd", Kind::Does(cd)),
    ("popd", Kind::Does(popd)),
    ("export declare typeset local readonly", Kind::Does(declare)),
    ("alias", Kind::Does(alias)),
    ("enable", Kind::Does(enable)),
    ("hash", Kind::Does(hash)),
    ("shopt", Kind::Does(shopt)),
    ("set", Kind::Does(set)),
    ("read", Kind::Does(read)),
    ("mapfile readarray", Kind::Does(mapfile)),
    ("unset getopts wait", Kind::Does(names)),
    ("printf", Kind::Does(printf)),
    ("test [", Kind::Does(test)),
    ("let", Kind::Does(arithmetic)),
    ("compgen complete compopt bind", Kind::Does(complete)),
    ("history", Kind::Does(history)),
    ("fc", Kind::Does(fc)),
    (
        "autoload zmodload emulate zle sched functions setopt unsetopt abbr function",
        Kind::Unreadable("it changes what the shell does"),
    ),
];

/// Words of the shell that start no program and touch no file: what they change is the shell itself, and the walk follows that.
/// They stand in front of everything, and need no entry of their own.
const OWN: &str = ": true false break continue exit return shift wait test [ let local declare typeset readonly export set read \
    cd pushd popd pwd echo printf type";

pub(super) fn is_own(name: &str) -> bool {
    OWN.split_ascii_whitespace().any(|own| own == name)
}

fn cd(words: &[Word]) -> Meaning {
    let line = parse(words, "L P e @ n", Order::First);
    let to = match line.operand(0) {
        // The directory before, one of the stack, or home: the text does not say.
        None => Word::filled("", "~", false),
        Some(word) if word.literal().is_some_and(|text| text == "-" || text.starts_with('+')) => {
            Word::filled("", word.shown(), false)
        }
        Some(word) => word.clone(),
    };
    // `pushd -1` turns the stack.
    let to = if line.unsure.is_some() { Word::filled("", to.shown(), false) } else { to };
    Meaning { moves_to: Some(to), ..Meaning::default() }
}

fn popd(_: &[Word]) -> Meaning {
    Meaning { moves_to: Some(Word::filled("", "popd", false)), ..Meaning::default() }
}

/// A name that bash would look into: `a[$(date)]` runs `date`; so does a variable that decides what runs.
fn name(word: &Word, meaning: &mut Meaning) {
    let name = word.start().split(['=', '+']).next().unwrap_or_default();
    let is_whole = word.literal().is_some() || word.start().contains('=');
    if !is_whole || name.contains('[') || word.is_loose() {
        meaning.unreadable(format!(
            "which variable `{}` is, or what its subscript runs, cannot be told",
            word.shown()
        ));
    } else if environment::decides(name) {
        meaning.unreadable(format!("`{name}` decides what runs"));
    }
}

fn declare(words: &[Word]) -> Meaning {
    let line = parse(words, "a A f F g i I l n p r t u x", Order::First);
    let mut meaning = Meaning::default();
    let is_export = words[0].literal() == Some("export");
    if let Some(why) = &line.unsure {
        meaning.unreadable(why.clone());
    } else if line.has("i") || (line.has("n") && !is_export) || (line.has("f") && is_export) {
        meaning.unreadable(format!("`{}` gives names a second meaning", words[0].shown()));
    }
    if !line.has("f F p") {
        // Without a value nothing changes but who sees it.
        line.words()
            .filter(|word| word.literal().is_none_or(|text| text.contains(['=', '['])))
            .for_each(|word| name(word, &mut meaning));
    }
    meaning
}

fn alias(words: &[Word]) -> Meaning {
    let sets = words[1..].iter().any(|word| word.literal().is_none_or(|text| text.contains('=')));
    if sets {
        Meaning::doubtful("an alias changes what the commands after it mean")
    } else {
        Meaning::default()
    }
}

fn enable(words: &[Word]) -> Meaning {
    let is_shown = words[1..].iter().all(|word| matches!(word.literal(), Some("-a" | "-p" | "-s")));
    if is_shown {
        Meaning::default()
    } else {
        Meaning::doubtful("it changes which commands are the shell's own")
    }
}

fn hash(words: &[Word]) -> Meaning {
    let line = parse(words, "d l r t", Order::First);
    if line.unsure.is_some() {
        Meaning::doubtful("it may say where a program is")
    } else {
        Meaning::default()
    }
}

/// Options that change what a pattern matches, or when the shell ends, and not how a line is read.
const HARMLESS_SHOPTS: &[&str] = &[
    "nullglob",
    "failglob",
    "dotglob",
    "globstar",
    "nocaseglob",
    "nocasematch",
    "inherit_errexit",
    "lastpipe",
    "pipefail",
    "checkwinsize",
    "histappend",
    "errexit",
    "nounset",
    "xtrace",
    "noclobber",
    "noglob",
];

fn shopt(words: &[Word]) -> Meaning {
    let line = parse(words, "s u q p o", Order::First);
    let is_harmless = |word: &Word| word.literal().is_some_and(|text| HARMLESS_SHOPTS.contains(&text));
    if line.unsure.is_some() || (line.has("s") && !line.words().all(is_harmless)) {
        return Meaning::doubtful("it changes how the commands after it are read");
    }
    Meaning::default()
}

fn set(words: &[Word]) -> Meaning {
    let line = parse(words, "a b e f h m n o= p t u v x B C E H P T", Order::First);
    let values = [
        "allexport",
        "braceexpand",
        "emacs",
        "errexit",
        "errtrace",
        "functrace",
        "hashall",
        "histexpand",
        "monitor",
        "noclobber",
        "noexec",
        "noglob",
        "nounset",
        "pipefail",
        "verbose",
        "xtrace",
    ];
    let is_known = |word: &Word| word.literal().is_some_and(|text| values.contains(&text));
    if line.unsure.is_some() || !line.values("o").all(is_known) {
        return Meaning::doubtful("it may change how the commands after it are read");
    }
    Meaning::default()
}

fn read(words: &[Word]) -> Meaning {
    let line = parse(words, "a= d= e E i= n= N= p= r s t= u=", Order::First);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(why.clone());
    }
    line.values("a").chain(line.words()).for_each(|word| name(word, &mut meaning));
    meaning
}

fn mapfile(words: &[Word]) -> Meaning {
    let line = parse(words, "d= n= O= s= t u= C= c=", Order::First);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(why.clone());
    }
    if line.has("C") {
        meaning.unreadable("what `-C` runs is put together while it runs");
    }
    line.words().for_each(|word| name(word, &mut meaning));
    meaning
}

/// Its words are names, and a subscript in one of them is looked into.
fn names(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    // `$!` is a number, whatever happened before; another variable may hold `-p` with a name.
    let is_number = |word: &Word| matches!(word.shown(), "$!" | "\"$!\"");
    for word in &words[1..] {
        let is_odd = word.start().contains('[') || (word.literal().is_none() && !is_number(word));
        if is_odd {
            name(&Word::filled("", word.shown(), false), &mut meaning);
        }
    }
    meaning
}

fn printf(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let Some(first) = words.get(1) else { return meaning };
    match first.literal() {
        Some("-v") => {
            if let Some(variable) = words.get(2) {
                name(variable, &mut meaning);
            }
        }
        Some(text) if text.starts_with("-v") => name(&first.after(2), &mut meaning),
        None if first.may_be_option() => meaning
            .unreadable(format!("`{}` may be `-v`: write `printf -- …` or `printf '%s'`", first.shown())),
        _ => {}
    }
    meaning
}

/// `-v` and `-R` take a name, and a subscript in it is looked into.
fn test(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let may_be = |word: &Word| match word {
        Word::Literal(text) => text == "-v" || text == "-R",
        Word::Unknown { start, .. } => "-v".starts_with(start.as_str()) || "-R".starts_with(start.as_str()),
    };
    for pair in words[1..].windows(2) {
        let is_plain = pair[1].literal().is_some_and(|text| !text.contains('['));
        if may_be(&pair[0]) && !is_plain {
            meaning.unreadable(format!("what the subscript in `{}` runs cannot be told", pair[1].shown()));
        }
    }
    if words[1..].iter().any(Word::is_loose) {
        meaning.unreadable("a word that is not quoted may become several: quote it");
    }
    meaning
}

/// Names in arithmetic are looked into again and again, down to subscripts that run commands.
fn arithmetic(words: &[Word]) -> Meaning {
    let is_plain = |word: &Word| {
        word.literal().is_some_and(|text| {
            let value = text.split_once('=').map_or(text, |(_, value)| value);
            let name = text.split_once('=').map_or("x", |(name, _)| name);
            !environment::decides(name)
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
                && value.chars().all(|letter| letter.is_ascii_digit() || "+-*/% ()".contains(letter))
        })
    };
    if words[1..].iter().all(is_plain) {
        Meaning::default()
    } else {
        Meaning::doubtful("arithmetic looks into variables, and into what they hold")
    }
}

fn complete(words: &[Word]) -> Meaning {
    let line = parse(words, "a b c d e f g j k s u v p r A= o= P= S= G= X= D E I l", Order::First);
    if line.unsure.is_some() {
        Meaning::doubtful("it may run a command to complete words")
    } else {
        Meaning::default()
    }
}

fn history(words: &[Word]) -> Meaning {
    let line = parse(words, "c d= a n r w p s", Order::First);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(why.clone());
    }
    if line.has("a w") {
        line.words().for_each(|path| meaning.writes(path, false));
    }
    meaning
}

fn fc(words: &[Word]) -> Meaning {
    let lists = words.get(1).and_then(Word::literal).is_some_and(|text| text.starts_with("-l"));
    if lists { Meaning::default() } else { Meaning::doubtful("it runs commands again that are not shown") }
}
