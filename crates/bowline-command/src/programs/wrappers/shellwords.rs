//! Programs that give their words to a shell: `watch`, `entr -s`, `hyperfine`.

use super::doubt_options;
use crate::Word;
use crate::programs::Meaning;
use crate::programs::line::{Order, parse};
use crate::programs::meaning::joined;

pub(super) fn watch(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "b/beep c/color C/no-color d/differences? e/errexit g/chgexit q/equexit= n/interval= p/precise \
            r/no-rerun t/no-title w/no-wrap x/exec f/follow s/shotsdir= h/help v/version",
        Order::First,
    );
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    let command: Vec<Word> = line.words().cloned().collect();
    if command.is_empty() {
        return meaning;
    }
    if line.has("x") {
        meaning.runs.push(command);
        return meaning;
    }
    shell(&command, &mut meaning);
    meaning
}

pub(super) fn entr(words: &[Word]) -> Meaning {
    let line = parse(words, "a c d n p r s x z", Order::First);
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    let command: Vec<Word> = line.words().cloned().collect();
    if line.has("s") {
        shell(&command, &mut meaning);
    } else if !command.is_empty() {
        let fill = |word: Word| {
            if word.literal() == Some("/_") { Word::filled("", "<a file>", false) } else { word }
        };
        meaning.runs.push(command.into_iter().map(fill).collect());
    }
    meaning
}

/// Every operand is a command line of its own.
pub(super) fn each_operand(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "w/warmup= m/min-runs= M/max-runs= r/runs= p/prepare= s/setup= c/cleanup= i/ignore-failure N \
            show-output u/time-unit= style= n/names= k/kill-others raw export-json= export-csv= \
            export-markdown= output= command-name=",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    for name in ["export-json", "export-csv", "export-markdown", "output"] {
        line.values(name)
            .filter(|value| !matches!(value.literal(), Some("null" | "pipe" | "inherit")))
            .for_each(|path| meaning.writes(path, false));
    }
    meaning.shell =
        ["p", "s", "c"].iter().flat_map(|name| line.values(name)).chain(line.words()).cloned().collect();
    // `-s` and `-n` mean other things to the two of them; both readings are taken.
    meaning
}

fn shell(command: &[Word], meaning: &mut Meaning) {
    match joined(command) {
        Some(code) => meaning.shell.push(code),
        None => meaning.unreadable("the command is known only when it runs"),
    }
}
