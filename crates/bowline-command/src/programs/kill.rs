//! Ending processes: never the gate's own.

use super::Meaning;
use super::line::{Order, parse};
use super::table::{Kind, Row};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("kill", Kind::Does(kill)),
    ("pkill skill", Kind::Does(pkill)),
    ("killall gkillall", Kind::Does(killall)),
    ("killall5 xkill", Kind::Does(all)),
    ("fuser", Kind::Does(fuser)),
    ("taskkill", Kind::Hidden("it ends processes")),
];

/// How a gate may show in a list of processes.
const GATES: &[&str] = &[
    "bowline",
    "bowline serve",
    "bowline gate check",
    "bowline gate explain",
    "bowline hook",
    "bowline mcp",
    "bowline call",
    "/usr/local/bin/bowline serve",
    "/usr/bin/bowline serve",
    "/home/u/.cargo/bin/bowline serve --stdio",
    "/home/u/.local/bin/bowline serve",
    "/opt/homebrew/bin/bowline gate",
    "target/debug/bowline serve",
    "target/release/bowline serve",
    "bowline serve --config bowline.toml",
];

const WHY: &str = "it would end the gate";

fn forbidden() -> Meaning {
    Meaning { forbidden: Some(WHY.to_owned()), ..Meaning::default() }
}

fn all(_: &[Word]) -> Meaning {
    forbidden()
}

fn kill(words: &[Word]) -> Meaning {
    let mut at = 1;
    let mut meaning = Meaning::default();
    match words.get(1).and_then(Word::literal) {
        Some("-l" | "-L" | "--list" | "--table" | "--help" | "--version") => return meaning,
        Some("-s" | "-n" | "--signal") => at = 3,
        Some("-0") => return meaning,
        // `kill -1 5` sends a signal; `kill -1` alone means everybody, or nobody.
        Some(text) if text.starts_with('-') && text != "--" && words.len() > 2 => at = 2,
        _ => {}
    }
    if words.get(at).and_then(Word::literal) == Some("--") {
        at += 1;
    }
    for word in words.get(at..).unwrap_or_default() {
        match word.literal() {
            Some("-1") => meaning.forbidden = Some(WHY.to_owned()),
            Some(text) if text.starts_with('%') => {}
            Some(text) if text.parse::<i64>().is_ok_and(|number| number != 0) => {
                meaning.opaque(Pin::Everything, format!("which process `{text}` is, the text does not say"));
            }
            _ => {
                meaning
                    .unreadable(format!("which process `{}` is, is known only when it runs", word.shown()));
            }
        }
    }
    meaning
}

fn pkill(words: &[Word]) -> Meaning {
    let signals = |word: &&Word| {
        word.literal().is_some_and(|text| {
            let name = text.trim_start_matches("-SIG").trim_start_matches('-');
            text.starts_with('-')
                && name.len() > 1
                && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
        })
    };
    let words: Vec<Word> = words.iter().filter(|word| !signals(word)).cloned().collect();
    let line = parse(
        &words,
        "# signal= e/echo a f/full i/ignore-case x/exact n/newest o/oldest c/count l q/queue= g/pgroup= \
            G/group= P/parent= s/session= t/terminal= u/euid= U/uid= r/runstates= O/older= A I \
            S/require-handler H F/pidfile= L/logpidfile ns= nslist= cgroup= env= v/inverse h/help \
            V/version",
        Order::Anywhere,
    );
    if line.has("h V") {
        return Meaning::default();
    }
    let mut meaning = Meaning::default();
    if line.has("v") || (line.operands.is_empty() && !line.has("P F")) {
        return forbidden();
    }
    if line.has("P F") || line.unsure.is_some() {
        meaning.unreadable("which processes end is known only when it runs");
    }
    let is_full = line.has("f");
    for pattern in line.words() {
        match pattern.literal() {
            Some(pattern) if may_match_gate(pattern, is_full) => meaning.forbidden = Some(WHY.to_owned()),
            Some(_) => {}
            None => meaning.unreadable("which processes end is known only when it runs"),
        }
    }
    meaning
}

fn killall(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "# e/exact I/ignore-case g/process-group i/interactive l/list q/quiet r/regexp s/signal= u/user= \
            v/verbose w/wait n/ns= o/older-than= y/younger-than= V/version Z/context= d m c= t= K I L T E \
            P Q U A B C D F G H J M N O R S W X Y z a b",
        Order::Anywhere,
    );
    if line.has("l V") {
        return Meaning::default();
    }
    let mut meaning = Meaning::default();
    if line.operands.is_empty() {
        return forbidden();
    }
    for name in line.words() {
        match name.literal() {
            Some(name)
                if name.to_lowercase().contains("bowline")
                    || (line.has("r m") && may_match_gate(name, false)) =>
            {
                meaning.forbidden = Some(WHY.to_owned());
            }
            Some(_) => {}
            None => meaning.unreadable("which processes end is known only when it runs"),
        }
    }
    meaning
}

fn fuser(words: &[Word]) -> Meaning {
    let kills = words[1..].iter().any(|word| {
        word.literal().is_none_or(|text| text.starts_with("-") && (text.contains('k') || text.contains('K')))
    });
    if kills { Meaning::code(Pin::Everything, "it ends whoever uses a file") } else { Meaning::default() }
}

/// A pattern may match if the letters it insists on stand there in its order. Too much is taken for a match, and never too
/// little.
fn may_match_gate(pattern: &str, is_full: bool) -> bool {
    let gates = if is_full { GATES } else { &GATES[..1] };
    let pattern = pattern.to_lowercase();
    // What a group or a repetition leaves out may be anything.
    if pattern.contains(")?") || pattern.contains(")*") || pattern.contains("){") {
        return true;
    }
    pattern.split('|').any(|one| {
        let runs = literal_runs(one);
        gates.iter().any(|gate| {
            let mut rest = *gate;
            runs.iter().all(|run| match rest.find(run.as_str()) {
                Some(at) => {
                    rest = &rest[at + run.len()..];
                    true
                }
                None => false,
            })
        })
    })
}

/// The letters that a regular expression insists on, in pieces.
fn literal_runs(pattern: &str) -> Vec<String> {
    let mut runs = vec![String::new()];
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_optional = matches!(letters.peek(), Some('*' | '?' | '{'));
        match letter {
            '[' => {
                // The first of them may be the bracket itself.
                let mut is_first = true;
                for inside in letters.by_ref() {
                    if inside == ']' && !is_first {
                        break;
                    }
                    is_first = is_first && inside == '^';
                }
                runs.push(String::new());
            }
            '\\' => {
                let next = letters.next();
                match next.filter(|next| {
                    next.is_ascii_punctuation() && !matches!(letters.peek(), Some('*' | '?' | '{'))
                }) {
                    Some(next) => runs.last_mut().map(|run| run.push(next)).unwrap_or_default(),
                    None => runs.push(String::new()),
                }
            }
            '{' => {
                letters.by_ref().find(|&letter| letter == '}');
                runs.push(String::new());
            }
            '.' | '*' | '+' | '?' | '(' | ')' | '^' | '$' => runs.push(String::new()),
            _ if is_optional => runs.push(String::new()),
            _ => {
                if let Some(run) = runs.last_mut() {
                    run.push(letter);
                }
            }
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}
