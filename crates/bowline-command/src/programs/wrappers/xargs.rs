//! `xargs` and `parallel`: a command, and arguments that nobody has seen.

use super::doubt_options;
use crate::Word;
use crate::programs::line::{Order, parse};
use crate::programs::{Meaning, environment};

/// Stands for what is read. The brackets keep it from being taken for a pattern of names.
pub(crate) const INPUT: &str = "<what is read>";

pub(in crate::programs) const XARGS: &str = "0/null a/arg-file= d/delimiter= E/eof-string= e/eof? I= i/replace? J= L= l/max-lines? \
    n/max-args= P/max-procs= p/interactive r/no-run-if-empty R= S= s/max-chars= t/verbose x/exit \
    o/open-tty show-limits process-slot-var= help version";

pub(super) fn xargs(words: &[Word]) -> Meaning {
    let line = parse(words, XARGS, Order::First);
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    line.values("a").for_each(|path| meaning.reads(path));
    // It sets this variable to a number for each of the commands that run beside each other.
    for name in line.values("process-slot-var") {
        if name.literal().is_none_or(environment::decides) {
            meaning.unreadable(format!("`{}` decides what runs", name.shown()));
        }
    }
    let mut command: Vec<Word> = line.words().cloned().collect();
    if command.is_empty() {
        return meaning;
    }
    let marks: Vec<&Word> = line
        .given
        .iter()
        .filter(|given| matches!(given.name, "I" | "i" | "J"))
        .filter_map(|given| given.value.as_ref())
        .collect();
    let has_mark = line.has("I i J");
    if marks.iter().any(|mark| mark.literal().is_none()) {
        meaning.unreadable("what `xargs` replaces cannot be told");
    }
    if has_mark {
        let marks: Vec<&str> =
            if marks.is_empty() { vec!["{}"] } else { marks.into_iter().filter_map(Word::literal).collect() };
        for mark in marks.into_iter().filter(|mark| !mark.is_empty()) {
            command.iter_mut().for_each(|word| fill(word, mark, line.has("J")));
        }
    } else {
        command.push(Word::filled("", INPUT, true));
    }
    meaning.runs.push(command);
    meaning
}

/// What stands where the mark stood is not known.
fn fill(word: &mut Word, mark: &str, splits: bool) {
    let known = word.start();
    if let Some(at) = known.find(mark) {
        *word = Word::filled(&known[..at], INPUT, splits);
    } else if word.literal().is_none() && word.shown().contains(mark) {
        *word = Word::filled("", INPUT, splits);
    }
}

const PARALLEL: &str = "0/null C/colsep= I= L/max-lines? N= P/j/jobs/max-procs= X/xargs a/arg-file=< bar block= cat citation \
    color color-failed ctag? d/delimiter= delay= dry-run/dryrun eta fifo files group halt= header= joblog=> k/keep-order \
    l? latest-line line-buffer/lb linebuffer load= m max-args/n= max-chars/s= memfree= minversion= nice= \
    no-notice noswap number-of-cores number-of-cpus number-of-threads p/interactive pipe pipe-part plain plus progress q/quote \
    r/no-run-if-empty recend= recstart= results=> resume resume-failed retries= rpl= seqreplace= shuf silent \
    t/verbose tag tagstring= termseq= timeout= tmpdir=> tmpl= trim= u/ungroup v version help will-cite xapply/link";

/// The command line is put together and given to a shell; arguments are quoted on the way.
pub(super) fn parallel(words: &[Word]) -> Meaning {
    let line = parse(words, PARALLEL, Order::First);
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    meaning.uses(&line, "parallel");
    for path in line.values("results").chain(line.values("tmpdir")) {
        meaning.writes(path, true);
    }
    // Other marks, templates that are code, what is read being handed on.
    if line.has("I rpl seqreplace tmpl pipe pipe-part cat fifo tagstring plus header") {
        meaning.unreadable("what `parallel` replaces cannot be told");
    }
    let mut texts = Vec::new();
    for word in line.words() {
        match word.literal() {
            Some(text) if text.starts_with(":::") => break,
            Some(text) => texts.push(text.replace("{}", "\"$argument\"")),
            None => {
                meaning.unreadable("which commands `parallel` runs is known only when it runs");
                return meaning;
            }
        }
    }
    let code = texts.join(" ");
    if code.contains('{') {
        meaning.unreadable("where `parallel` puts its arguments cannot be told");
    }
    if texts.is_empty() {
        meaning.shell_from_stdin = true;
        if line.operands.len() > texts.len() {
            meaning.unreadable("the arguments of `parallel` are commands");
        }
    } else {
        meaning.shell.push(Word::Literal(format!("{code} \"$argument\"")));
    }
    meaning
}
