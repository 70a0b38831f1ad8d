//! `zip` and `unzip`.

use crate::programs::Meaning;
use crate::programs::line::{Order, parse};
use crate::programs::meaning::{below, last_part};
use crate::{Access, Filter, Pin, Word};

const ZIP: &str = "# -ic -FS/--filesync -FI/--fifo -FF/--fixfix -MM/--must-match -RE -TT/--unzip-command=! -UN/--unicode= \
    -db -dc -dd -dg -ds= -du -dv -fd -fz -h2 -la -lf=> -li -ll -mm -nw -sb -sc -sd -sf -so -sp -su -sU -sv \
    -tt/--before-date= -wl -ws -z- @/names-stdin A/adjust-sfx b/temp-path=> c/entry-comments D/no-dir-entries \
    d/delete dot-size= e/encrypt F/fix f/freshen g/grow h help i/include? j/junk-paths J/junk-sfx k/DOS-names \
    L/license l/to-crlf log-append logfile-path=> log-info m/move n/suffixes= O/output-file/out=> o/latest-time \
    P/password= p/paths q/quiet R/recurse-patterns r/recurse-paths S s/split-size= T/test t/from-date= U/copy-entries \
    u/update V v/verbose version w x/exclude? X/strip-extra y/symlinks Z/compression-method= z/archive-comment";

pub(super) fn zip(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    // After these, words are patterns up to the next option.
    let is_list = |word: &Word| {
        let text = word.start();
        text.starts_with("--in")
            || text.starts_with("--exc")
            || (text.starts_with('-') && !text.starts_with("--") && text.contains(['x', 'i']))
    };
    let list = words.iter().skip(1).position(is_list).map_or(words.len(), |at| at + 1);
    let line = parse(&words[..list], ZIP, Order::Anywhere);
    let after = &words[list..];
    // Letters stand together, and two of them may be another option than each alone.
    let is_double = |word: &Word| {
        let text = word.start();
        text.starts_with('-')
            && text != "-TT"
            && text != "-lf"
            && (text.contains("TT") || text.contains("lf"))
    };
    let is_late = |word: &Word| {
        let text = word.start();
        (word.literal().is_none() && word.may_be_option())
            || (text.starts_with('-')
                && (text.contains(['T', 'm', 'O', 'b', '@', 'l', 'R', 'd', 'U']) || text.starts_with("--"))
                && !is_list(word))
    };
    if line.unsure.is_some() || words[1..].iter().any(is_double) || after.iter().any(is_late) {
        meaning.opaque(Pin::Everything, "`zip` may be told to run programs and remove files");
    }
    if line.has("@")
        || after.iter().chain(&words[..list]).any(|word| word.start().contains('@') && is_list(word))
    {
        meaning.opaque(Pin::Everything, "which files are packed is said by a list");
    }
    meaning.uses(&line, "zip");
    // Names get an ending, if they have none.
    for (name, end) in [("O", ".zip"), ("-lf", ".log"), ("logfile-path", ".log")] {
        for path in line.values(name).filter_map(Word::literal) {
            meaning.writes_at(path, false);
            meaning.writes_at(format!("{path}{end}"), false);
        }
    }
    let follows_links = !line.has("y");
    let mut read = |path: &Word| {
        meaning.touch(Access::Read, path, true, Filter { follows_links, ..Filter::default() });
    };
    if line.has("R") {
        read(&Word::Literal(".".to_owned()));
    }
    line.words().skip(1).filter(|_| !line.has("d U R")).for_each(&mut read);
    let Some(target) = line.operand(0) else {
        if !after.is_empty() {
            meaning.unreadable("which archive `zip` makes cannot be told");
        }
        return meaning;
    };
    if target.literal() != Some("-") {
        meaning.reads(target);
        let is_shown = line.has("-sf -su -sU");
        if !is_shown {
            meaning.writes(target, false);
        }
        if let Some(name) = target.literal().filter(|target| !last_part(target).contains('.')) {
            meaning.writes_at(format!("{name}.zip"), false);
        }
    }
    for path in line.words().skip(1).filter(|_| line.has("m")) {
        meaning.removes(path, true);
    }
    meaning
}

const UNZIP: &str =
    "# -^ -: -UU A a B b C c D d= E F f h -hh I= i J j K L l M N n O= o P= p q S s T t U u V v W X Y Z z";

pub(super) fn unzip(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    // What follows `-x` is not unpacked.
    let cut =
        words.iter().skip(1).position(|word| word.literal() == Some("-x")).map_or(words.len(), |at| at + 1);
    let (front, back) = words.split_at(cut);
    let mut front = front.to_vec();
    // `-d` may follow it.
    if let Some(at) = back.iter().position(|word| word.start().starts_with("-d")) {
        front.extend(back[at..].iter().cloned());
    } else if back.iter().any(Word::may_be_option) && back.iter().skip(1).any(Word::may_be_option) {
        meaning.unreadable("where `unzip` writes cannot be told");
    }
    let line = parse(&front, UNZIP, Order::Anywhere);
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: where `unzip` writes cannot be told"));
    }
    let Some(file) = line.operand(0) else { return meaning };
    meaning.reads(file);
    if let Some(name) = file.literal().filter(|name| !last_part(name).contains('.')) {
        meaning.reads(&Word::Literal(format!("{name}.zip")));
    }
    if line.has("T") {
        meaning.writes(file, false);
    }
    if line.has("l t v Z z p c h -hh") {
        return meaning;
    }
    if line.has("-:") {
        meaning.unreadable("an archive may put its files anywhere");
    }
    let here = Word::Literal(".".to_owned());
    let directory = line.values("d").next_back().unwrap_or(&here);
    let members: Vec<&Word> = line.words().skip(1).collect();
    let is_name = |word: &&Word| word.literal().is_some_and(|text| !text.contains(['*', '?', '[', '\\']));
    match directory.literal() {
        Some(directory) if !members.is_empty() && members.iter().all(is_name) && !line.has("L U a") => {
            for member in members.iter().filter_map(|member| member.literal()) {
                let name = if line.has("j") { last_part(member) } else { member };
                meaning.writes_at(below(directory, name.trim_start_matches('/')), false);
            }
        }
        _ => meaning.writes(directory, true),
    }
    meaning
}
