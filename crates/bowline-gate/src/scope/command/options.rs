//! Options as a set: `rm -rf` is `rm -r x --force` as well.
//!
//! Entries that ask or deny mean a command wherever its options stand and however they are spelt. Entries that allow do not
//! come here: they mean the words that they say.

use std::collections::HashMap;
use std::sync::LazyLock;

use bowline_command::Word;

use super::known::{ALIASES, GROUPS, KNOWN, Known, LEADING};
use super::{Match, beginning, last_part};

/// More readings of one pattern are not tried.
const MAX_VALUES: usize = 4;
/// A longer word after one dash is one name, where nothing is known of the program.
const MAX_CLUSTER: usize = 4;

/// A pattern, by what it needs of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Needs {
    program: String,
    readings: Vec<Reading>,
}

/// One way to read a pattern: the word after an option may be its value or not.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    options: Vec<(String, Option<String>)>,
    operands: Vec<String>,
}

/// The words of a command, taken apart.
#[derive(Debug)]
pub(crate) struct Taken<'a> {
    words: &'a [Word],
    options: Vec<Given<'a>>,
    operands: Vec<Operand>,
    /// Some word may be any option.
    is_loose: bool,
    is_known: bool,
}

#[derive(Debug)]
struct Given<'a> {
    name: String,
    value: Option<Word>,
    /// The rest of its cluster, where nothing is known of the program: it may be a value.
    rest: &'a str,
    /// The word that may be its value.
    next: Option<usize>,
    is_long: bool,
}

#[derive(Debug)]
struct Operand {
    at: usize,
    /// It follows an option of which nothing is known.
    may_be_value: bool,
}

/// What a word after one dash is, where nothing is known of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dash {
    Letters,
    Name,
    /// Of a command both count.
    Either,
}

/// What is known of one program.
#[derive(Debug, Default)]
struct Row {
    names: HashMap<&'static str, (Vec<&'static str>, bool)>,
    subcommands: HashMap<&'static str, Row>,
    aliases: HashMap<&'static str, &'static str>,
    group: Option<&'static str>,
    is_whole: bool,
}

static ROWS: LazyLock<HashMap<&'static str, Row>> = LazyLock::new(|| {
    let mut rows: HashMap<&str, Row> = HashMap::new();
    for Known { programs, subcommands, options, is_whole } in KNOWN {
        for program in programs.split(' ') {
            let row = rows.entry(program).or_default();
            row.is_whole = *is_whole;
            if subcommands.is_empty() {
                row.add(options);
            }
            for subcommand in subcommands.split(' ').filter(|name| !name.is_empty()) {
                row.subcommands.entry(subcommand).or_default().add(options);
            }
        }
    }
    for (program, names) in ALIASES {
        let first = names.split(' ').next().unwrap_or_default();
        rows.entry(program).or_default().aliases.extend(names.split(' ').map(|name| (name, first)));
    }
    for (program, group) in GROUPS {
        rows.entry(program).or_default().group = Some(group);
    }
    rows
});

impl Row {
    fn add(&mut self, options: &'static str) {
        for option in options.split(' ').filter(|option| !option.is_empty()) {
            let (option, meant) =
                option.split_once(':').map_or((option, None), |(option, meant)| (option, Some(meant)));
            let takes = option.ends_with('=');
            let names: Vec<&str> = option.trim_end_matches(['=', '?']).split('/').collect();
            // The longest name stands for all of them.
            let longest = names.iter().copied().max_by_key(|name| name.len()).unwrap_or_default();
            let meant: Vec<&str> = meant.map_or_else(|| vec![longest], |meant| meant.split(',').collect());
            for name in names {
                self.names.insert(name, (meant.clone(), takes));
            }
        }
    }
}

/// Whether there is a row for it.
pub(crate) fn is_known_program(name: &str) -> bool {
    ROWS.contains_key(name)
}

/// What a name means, of the subcommand first.
#[derive(Clone, Copy)]
struct Table {
    program: Option<&'static Row>,
    subcommand: Option<&'static Row>,
}

impl Table {
    fn of(words: &[Word]) -> Self {
        let program = words.first().map_or("", beginning);
        Self { program: ROWS.get(last_part(program)), subcommand: None }
    }

    fn get(self, name: &str) -> Option<&'static (Vec<&'static str>, bool)> {
        let rows = [self.subcommand, self.program];
        rows.into_iter().flatten().find_map(|row| row.names.get(name))
    }

    /// What a long name may be short for: programs take `--forc` for `--force`.
    fn abbreviated(self, start: &str) -> Vec<&'static str> {
        let rows = [self.subcommand, self.program];
        let names = rows.into_iter().flatten().flat_map(|row| &row.names);
        let fitting = names.filter(|(name, _)| name.len() > 1 && name.starts_with(start));
        let mut meant: Vec<&str> = fitting.flat_map(|(_, (meant, _))| meant.iter().copied()).collect();
        meant.sort_unstable();
        meant.dedup();
        meant
    }

    fn alias(self, subcommand: &str) -> &str {
        self.program.and_then(|row| row.aliases.get(subcommand)).copied().unwrap_or(subcommand)
    }

    fn is_whole(self) -> bool {
        self.program.is_some_and(|row| row.is_whole)
    }
}

impl<'a> Taken<'a> {
    pub(crate) fn of(words: &'a [Word]) -> Self {
        Self::by(words, Dash::Either)
    }

    fn by(words: &'a [Word], dash: Dash) -> Self {
        let mut table = Table::of(words);
        let is_known = table.program.is_some();
        let program = last_part(words.first().map_or("", beginning));
        let leading = LEADING.iter().find(|(names, _)| names.split(' ').any(|name| name == program));
        let ends = |given: Option<&Given<'_>>| {
            let name = given.map_or("", |given| given.name.as_str());
            leading.is_some_and(|(_, last)| last.split(' ').any(|last| !last.is_empty() && last == name))
        };
        let mut taken = Self { words, options: Vec::new(), operands: Vec::new(), is_loose: false, is_known };
        let (mut at, mut is_ended, mut may_be_value) = (1, false, false);
        while let Some(word) = words.get(at) {
            let was_option = std::mem::take(&mut may_be_value);
            match word {
                Word::Literal(text) if text == "--" && !is_ended => is_ended = is_known,
                Word::Literal(text) if text.len() > 1 && text.starts_with('-') && !is_ended => {
                    let (takes_next, may_take) = taken.option(text, at, table, dash);
                    at += usize::from(takes_next);
                    may_be_value = may_take;
                    is_ended |= ends(taken.options.last());
                }
                Word::Unknown { start, .. } if may_be_option(word, is_known) && !is_ended => {
                    taken.is_loose = true;
                    if start.len() > 1 && start.starts_with('-') {
                        taken.option(start, at, table, dash);
                    } else {
                        taken.operands.push(Operand { at, may_be_value: was_option });
                    }
                }
                _ => {
                    let is_first = !taken.operands.iter().any(|operand| !operand.may_be_value);
                    if is_first
                        && !was_option
                        && let Some(row) = table.program
                    {
                        let name = table.alias(beginning(word));
                        if Some(name) == row.group {
                            at += 1;
                            continue;
                        }
                        table.subcommand = row.subcommands.get(name);
                    }
                    is_ended |= leading.is_some() && !was_option;
                    taken.refspec(beginning(word), table);
                    taken.operands.push(Operand { at, may_be_value: was_option });
                }
            }
            at += 1;
        }
        taken
    }

    /// One word of options. Whether the next word is its value; whether it may be.
    fn option(&mut self, text: &'a str, at: usize, table: Table, dash: Dash) -> (bool, bool) {
        let long = text.strip_prefix("--").or_else(|| text.strip_prefix('-').filter(|_| table.is_whole()));
        if let Some(long) = long.filter(|long| !long.is_empty()) {
            let (name, attached) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            return self.name(name, attached, at, table);
        }
        let cluster = &text[1..];
        if dash == Dash::Name && cluster.len() > 1 && !self.is_known {
            let (name, attached) =
                cluster.split_once('=').map_or((cluster, None), |(name, value)| (name, Some(value)));
            return self.name(name, attached, at, table);
        }
        let is_name = |letter: char| letter.is_ascii_alphanumeric();
        for (place, letter) in cluster.char_indices() {
            let rest = &cluster[place + letter.len_utf8()..];
            let mut buffer = [0; 4];
            let name: &str = letter.encode_utf8(&mut buffer);
            match table.get(name) {
                Some((meant, takes)) => {
                    let next = takes.then(|| match rest {
                        "" => self.words.get(at + 1).cloned(),
                        rest => Some(Word::Literal(rest.to_owned())),
                    });
                    self.given(meant, next.flatten().as_ref(), false);
                    if *takes {
                        return (rest.is_empty(), false);
                    }
                }
                None => {
                    let next = rest.is_empty().then_some(at + 1);
                    let name = name.to_owned();
                    self.options.push(Given { name, value: None, rest, next, is_long: false });
                    // What follows is a value, as in `-j8` and `-n.5`.
                    if !is_name(letter) {
                        break;
                    }
                }
            }
        }
        if dash == Dash::Either && !self.is_known && cluster.len() > 1 {
            let (name, attached) =
                cluster.split_once('=').map_or((cluster, None), |(name, value)| (name, Some(value)));
            self.name(name, attached, at, table);
        }
        (false, !self.is_known)
    }

    fn name(&mut self, name: &str, attached: Option<&str>, at: usize, table: Table) -> (bool, bool) {
        let value = attached.map(|value| Word::Literal(value.to_owned()));
        let is_attached = value.is_some();
        if let Some((meant, takes)) = table.get(name) {
            let takes_next = *takes && !is_attached;
            let value = if takes_next { self.words.get(at + 1).cloned() } else { value };
            self.given(meant, value.as_ref(), true);
            return (takes_next, false);
        }
        let meant = table.abbreviated(name);
        if meant.is_empty() {
            let next = (!is_attached).then_some(at + 1);
            self.options.push(Given { name: name.to_owned(), value, rest: "", next, is_long: true });
        } else {
            self.given(&meant, value.as_ref(), true);
        }
        (false, !is_attached)
    }

    fn given(&mut self, meant: &[&'static str], value: Option<&Word>, is_long: bool) {
        for name in meant {
            let (name, value) = ((*name).to_owned(), value.cloned());
            self.options.push(Given { name, value, rest: "", next: None, is_long });
        }
    }

    /// `git push origin +main` is forced, `git push origin :main` deletes.
    fn refspec(&mut self, operand: &str, table: Table) {
        let is_push = table.subcommand.is_some_and(|row| row.names.contains_key("force-with-lease"));
        match operand.as_bytes().first() {
            Some(b'+') if is_push => self.given(&["force"], None, true),
            Some(b':') if is_push => self.given(&["delete"], None, true),
            _ => {}
        }
    }
}

/// Whether it may become an option, by itself or by one of the words it is split into.
fn may_be_option(word: &Word, is_known: bool) -> bool {
    let Word::Unknown { start, text, splits } = word else { return false };
    let is_pattern = text.contains(['*', '?', '[', '{']) && !text.contains(['$', '`', '<', '>', '(']);
    // A file whose name looks like options and has a dot: no program that is known here takes such options.
    if start.is_empty() && is_pattern && is_known && text.contains('.') {
        return false;
    }
    start.is_empty() || start.starts_with('-') || (*splits && !is_pattern)
}

impl Needs {
    /// What these words of a pattern need. The first is the program.
    pub(super) fn of(words: &[String]) -> Option<Self> {
        let (program, _) = words.split_first()?;
        let literals: Vec<Word> = words.iter().cloned().map(Word::Literal).collect();
        let letters = Taken::by(&literals, Dash::Letters);
        let is_long = |word: &String| word.len() > 2 && word.starts_with('-') && !word.starts_with("--");
        let mut readings = Vec::new();
        let too_long = |word: &String| is_long(word) && word.len() > MAX_CLUSTER + 1;
        if letters.is_known || !words.iter().any(too_long) {
            Reading::all(&letters, &mut readings);
        }
        if !letters.is_known && words.iter().any(is_long) {
            Reading::all(&Taken::by(&literals, Dash::Name), &mut readings);
        }
        Some(Self { program: program.clone(), readings })
    }

    /// Whether a command has all of it. `is_whole`: and nothing else.
    pub(super) fn met_by(&self, taken: &Taken<'_>, is_whole: bool) -> Match {
        let program = match taken.words.first() {
            Some(Word::Literal(word)) if *word == self.program || last_part(word) == self.program => {
                Match::Yes
            }
            Some(Word::Unknown { splits: true, start, .. })
                if self.program.starts_with(start.as_str()) || start.contains('/') =>
            {
                return Match::Maybe;
            }
            Some(Word::Unknown { start, .. })
                if self.program.starts_with(start.as_str()) || start.contains('/') =>
            {
                Match::Maybe
            }
            _ => return Match::No,
        };
        let met = self.readings.iter().map(|reading| reading.met_by(taken, is_whole)).max();
        met.unwrap_or(Match::No).min(program)
    }
}

impl Reading {
    fn all(taken: &Taken<'_>, readings: &mut Vec<Self>) {
        let text = |at: usize| taken.words.get(at).and_then(Word::literal).unwrap_or_default().to_owned();
        let is_operand = |at: &usize| taken.operands.iter().any(|operand| operand.at == *at);
        let mut open: Vec<usize> =
            taken.options.iter().filter_map(|given| given.next).filter(is_operand).collect();
        open.dedup();
        open.truncate(MAX_VALUES);
        for mask in 0..1_usize << open.len() {
            let is_value =
                |at: usize| open.iter().position(|next| *next == at).is_some_and(|bit| mask >> bit & 1 == 1);
            let options = taken.options.iter().map(|given| {
                let value = given.value.as_ref().and_then(Word::literal).map(str::to_owned);
                let next = given.next.filter(|at| is_value(*at)).map(text);
                (given.name.clone(), value.or(next))
            });
            let operands = taken.operands.iter().filter(|operand| !is_value(operand.at));
            let mut operands: Vec<String> = operands.map(|operand| text(operand.at)).collect();
            if let Some(first) = operands.first_mut() {
                *first = Table::of(taken.words).alias(first).to_owned();
            }
            readings.push(Self { options: options.collect(), operands });
        }
    }

    fn met_by(&self, taken: &Taken<'_>, is_whole: bool) -> Match {
        let mut met = Match::Yes;
        let mut used = Vec::new();
        for (name, value) in &self.options {
            let found = taken.has(name, value.as_deref(), &mut used);
            let loosely = if taken.is_loose { Match::Maybe } else { Match::No };
            met = met.min(found.max(loosely));
        }
        let is_wanted = |given: &Given<'_>| self.options.iter().any(|(name, _)| *name == given.name);
        if is_whole && !taken.options.iter().all(is_wanted) {
            return Match::No;
        }
        met.min(self.operands(taken, &used, is_whole))
    }

    /// Whether its operands are the first of the command's, in their order.
    fn operands(&self, taken: &Taken<'_>, used: &[usize], is_whole: bool) -> Match {
        let wanted = self.operands.len();
        let alias = Table::of(taken.words);
        // How well the operands so far are the first so many of those that are wanted.
        let mut best = vec![Match::No; wanted + 1];
        best[0] = Match::Yes;
        for operand in &taken.operands {
            if !is_whole && best[wanted] == Match::Yes {
                break;
            }
            let word = &taken.words[operand.at];
            let mut next = vec![Match::No; wanted + 1];
            let mut take = |at: usize, found: Match| next[at] = next[at].max(found);
            for (at, so_far) in best.iter().copied().enumerate().filter(|(_, found)| *found != Match::No) {
                let skipped = match word {
                    _ if at == wanted && !is_whole => Match::Yes,
                    _ if used.contains(&operand.at) => Match::Yes,
                    _ if operand.may_be_value => Match::Maybe,
                    Word::Unknown { splits: true, .. } => Match::Maybe,
                    _ => Match::No,
                };
                take(at, so_far.min(skipped));
                let Some(pattern) = self.operands.get(at) else { continue };
                match word {
                    Word::Literal(text) if text == pattern || (at == 0 && alias.alias(text) == pattern) => {
                        take(at + 1, so_far);
                    }
                    Word::Unknown { start, splits, .. } if pattern.starts_with(start.as_str()) => {
                        // What is split may become all of them.
                        let last = if *splits { wanted } else { at + 1 };
                        (at + 1..=last).for_each(|at| take(at, so_far.min(Match::Maybe)));
                    }
                    _ => {}
                }
            }
            best = next;
        }
        best[wanted]
    }
}

impl Taken<'_> {
    fn has(&self, name: &str, value: Option<&str>, used: &mut Vec<usize>) -> Match {
        let mut best = Match::No;
        for given in &self.options {
            if given.name != name {
                // `--forc` may be `--force`.
                let is_short = !self.is_known
                    && given.is_long
                    && name.len() > 1
                    && name.starts_with(given.name.as_str());
                best = best.max(if is_short { Match::Maybe } else { Match::No });
                continue;
            }
            let Some(value) = value else { return Match::Yes };
            let next = given.next.and_then(|at| Some((at, self.words.get(at)?)));
            let found = match (&given.value, next) {
                (Some(word), _) => is(word, value),
                (None, _) if given.rest == value => Match::Yes,
                (None, Some((at, word))) => {
                    let found = is(word, value);
                    used.extend((found == Match::Yes).then_some(at));
                    found
                }
                (None, None) => Match::No,
            };
            best = best.max(found);
        }
        best
    }
}

fn is(word: &Word, value: &str) -> Match {
    match word {
        Word::Literal(text) if text == value => Match::Yes,
        Word::Unknown { start, .. } if value.starts_with(start.as_str()) => Match::Maybe,
        _ => Match::No,
    }
}
