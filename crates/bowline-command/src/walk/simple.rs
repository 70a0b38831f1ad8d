//! Simple commands: what runs, what it touches, where what follows runs.

use std::path::Path;

use super::parser::{Assignment, assignment};
use super::reading::Shells;
use super::redirect::connection;
use super::resolve::Resolved;
use super::syntax::{Piece, Raw, Simple};
use super::walker::{Stdin, Values, Walker};
use crate::programs::names::{MARK, Marks};
use crate::programs::{self, Meaning, environment, patch};
use crate::{Access, Bare, Command, Core, Filter, Word};

/// Commands that are guessed for one that is written.
const MOST_GUESSES: usize = 16;

/// Builtins whose commands run in this very shell.
const RUN_HERE: &[&str] = &[
    "eval",
    "trap",
    ".",
    "source",
    "command",
    "builtin",
    "exec",
    "mapfile",
    "readarray",
    "time",
    "noglob",
    "nocorrect",
    "-",
];

impl Walker {
    pub(super) fn simple(&mut self, simple: &Simple) {
        let first = simple.words.first().and_then(Raw::bare);
        let taker = simple.words.iter().filter_map(Raw::bare).find(|word| environment::takes_all(word));
        for raw in &simple.assignments {
            self.pieces(&raw.pieces);
            if let Some(Assignment { name, value, is_added }) = assignment(raw) {
                let is_element = raw.pieces.iter().any(|piece| matches!(piece, Piece::Subscript(_)));
                if is_element {
                    self.arrays.insert(name.to_owned());
                }
                // For one `read` alone, it says where to cut the line.
                if let Some(taker) = taker
                    && !environment::is_plain(name, super::arithmetic::literal(&value).as_deref())
                {
                    self.doubt(format!("`{taker}` may run what `{name}` says"));
                }
                let directories = python_path(name, &value, first, simple);
                if let Some(directories) = directories {
                    for directory in directories {
                        self.touch(Access::Execute, &Word::Literal(directory), false, &Filter::default());
                    }
                } else if name != "IFS" || !matches!(first, Some("read" | "mapfile" | "readarray")) {
                    self.assign_pieces(name, &value);
                }
                if is_added || is_element {
                    self.variables.entry(name.to_owned()).or_default().is_unknown = true;
                }
                // Before a command, it is for that command alone, and for nothing in its words.
                if simple.words.is_empty() {
                    self.sure(name);
                }
            }
        }
        let mut words: Vec<Resolved> = Vec::new();
        for raw in &simple.words {
            let resolved = if words.is_empty() { self.resolve_program(raw) } else { self.resolve(raw) };
            words.extend(resolved);
        }
        if simple.words.is_empty() && simple.redirects.is_empty() {
            return;
        }
        let before = self.shell.clone();
        let stdin = self.redirects(&simple.redirects);
        let program = words.first().and_then(|first| first.word.literal());
        if program == Some("exec") && !simple.redirects.is_empty() && words.len() == 1 {
            self.doubt("`exec` changes where everything after it reads or writes");
        }
        if let Some(first) = words.first() {
            let mut own = stdin.clone().unwrap_or_else(|| inherited(&self.shell.stdin));
            // `IFS=` takes nothing away from a name.
            if own.is_pipe() && simple.assignments.iter().any(|raw| raw.text != "IFS=") {
                own = Stdin::Pipe;
            }
            // An unquoted word that is empty is no word: the next one may be the program.
            let skips = matches!(&first.word, Word::Unknown { splits: true, .. });
            let guesses = self.guesses_of(&words);
            let tried = tried(&words);
            // If every value of every argument is tried, the words as they stand say nothing more.
            let unknown = words.iter().filter(|resolved| resolved.word.literal().is_none()).count();
            let is_open = program.is_none() || tried.len() < unknown || guesses.is_empty();
            let before = std::mem::replace(&mut self.tried, tried);
            if is_open {
                self.run(words.iter().map(|resolved| resolved.word.clone()).collect(), &own);
            }
            self.tried = before;
            let assigned = self.shell.assigned.clone();
            if is_open && skips && words.len() > 1 {
                let rest = words[1..].iter().map(|resolved| resolved.word.clone()).collect();
                self.again(|walker| walker.run(rest, &own));
            }
            for guess in guesses {
                self.again(|walker| walker.run(guess, &own));
            }
            // Only one of them runs.
            self.shell.assigned = assigned;
        }
        // Expansions run before the command does: where it goes is not where they are.
        let after = std::mem::replace(&mut self.shell, before);
        for raw in &simple.words {
            self.pieces(&raw.pieces);
        }
        self.shell = after;
    }

    /// Runs a program with these words, of which the first may be unknown.
    pub(super) fn run(&mut self, words: Vec<Word>, stdin: &Stdin) {
        self.spend(words.len());
        self.depth += 1;
        if !words.is_empty() && self.may_go_on(words.len()) {
            self.run_deeper(words, stdin);
        }
        self.depth -= 1;
    }

    fn run_deeper(&mut self, words: Vec<Word>, stdin: &Stdin) {
        let program = match &words[0] {
            Word::Literal(program) => program.clone(),
            Word::Unknown { text, .. } => {
                self.doubt(format!("which program `{text}` is, is known only when it runs"));
                self.script.commands.push(Command { words, core: None, is_wrapper: false, pin: None });
                return;
            }
        };
        if self.shells == Shells::Posix && is_no_program(&program) {
            return;
        }
        self.bare_patterns(&words);
        let words = self.told(words);
        let meaning = programs::meaning(&words);
        self.script.commands.push(Command {
            words: words.iter().map(Word::unmarked).collect(),
            core: meaning
                .core
                .clone()
                .map(|core| Core { words: core.words.iter().map(Word::unmarked).collect(), ..core }),
            is_wrapper: meaning.is_wrapper,
            pin: meaning.pin,
        });
        if !self.read_names(&words, stdin) {
            self.builtin(&program, &words[1..]);
        }
        self.follow(&program, &words, meaning, stdin);
        self.call(&program, &words[1..]);
    }

    /// Patterns that may stand for names that begin with a dash.
    fn bare_patterns(&mut self, words: &[Word]) {
        let before_dashes = words.iter().skip(1).take_while(|word| word.literal() != Some("--"));
        for pattern in before_dashes.filter_map(Word::bare_pattern) {
            if self.shell.places.is_lost {
                self.doubt(format!("`{pattern}` may stand for options"));
            }
            let directories = self.shell.places.paths(Path::new("."));
            let pattern = match Marks::read(pattern).0 {
                "**" => "*",
                pattern => pattern,
            };
            let bare = Bare { directories, pattern: pattern.to_owned() };
            if !self.script.bare.contains(&bare) {
                self.script.bare.push(bare);
            }
        }
    }

    fn follow(&mut self, program: &str, words: &[Word], meaning: Meaning, stdin: &Stdin) {
        for doubt in meaning.doubts {
            self.note(doubt);
        }
        self.script.forbidden.extend(meaning.forbidden);
        let here = self.shell.places.clone();
        let moves_shell = matches!(program, "cd" | "pushd" | "popd" | "chdir");
        match &meaning.moves_to {
            Some(Word::Literal(target)) if target.is_empty() => {}
            Some(Word::Literal(target)) if moves_shell => {
                let moved = self.moved(target);
                self.shell.places.merge(&moved);
                self.arrived = Some(moved);
            }
            Some(Word::Literal(target)) => self.shell.places = self.moved(target),
            // Each of its values is tried.
            Some(Word::Unknown { text, .. }) if moves_shell && self.tried.contains(text) => {}
            Some(Word::Unknown { .. }) => self.shell.places.is_lost = true,
            None => {}
        }
        for touched in &meaning.touches {
            self.touch(touched.access, &touched.path, touched.is_deep, &touched.filter);
        }
        for alias in &meaning.aliases {
            self.aliases.add(alias, &self.shell.places);
        }
        for touched in meaning.unless_piped.iter().filter(|_| !stdin.is_pipe()) {
            self.touch(touched.access, &touched.path, touched.is_deep, &touched.filter);
        }
        let runs = |walker: &mut Self| {
            let before = meaning.found.map(|found| walker.found.replace(found));
            // Some give another input to what they run.
            let given = if *stdin == Stdin::Pipe { &Stdin::Unknown } else { stdin };
            for run in meaning.runs {
                walker.run_given(words, run, given);
            }
            if let Some(before) = before {
                walker.found = before;
            }
            let around = walker.shells;
            walker.shells = around.within(program);
            for code in &meaning.shell {
                walker.nested(code.literal(), "a word that is known only when it runs");
            }
            if meaning.shell_from_stdin {
                match stdin {
                    Stdin::Nothing => {}
                    Stdin::Text(text) => {
                        walker.nested(text.as_deref(), "a text that is known only when it runs");
                    }
                    Stdin::Unknown | Stdin::Pipe | Stdin::Names(_) => {
                        walker.doubt(format!("`{program}` runs what it reads from its standard input"));
                    }
                }
            }
            walker.shells = around;
        };
        // What another process does with its directory is its own affair.
        if RUN_HERE.contains(&program) {
            let assigned = (program == "trap").then(|| self.shell.assigned.clone());
            runs(self);
            self.shell.assigned = assigned.unwrap_or_else(|| std::mem::take(&mut self.shell.assigned));
        } else {
            self.apart(runs);
        }
        if meaning.patch_from_stdin {
            self.patch(stdin);
        }
        if meaning.moves_to.is_some() && !moves_shell {
            self.shell.places = here;
        }
    }

    /// Code in a text that this one holds.
    fn nested(&mut self, code: Option<&str>, otherwise: &str) {
        match code {
            Some(code) => {
                let stdin = std::mem::replace(&mut self.shell.stdin, Stdin::Unknown);
                self.depth += 5;
                self.code(code);
                self.depth -= 5;
                self.shell.stdin = stdin;
            }
            None => self.doubt(format!("shell code is run from {otherwise}")),
        }
    }

    /// A patch that says which files it changes.
    fn patch(&mut self, stdin: &Stdin) {
        let Stdin::Text(Some(text)) = stdin else {
            self.doubt("a patch is applied that is known only when it runs");
            return;
        };
        let Some(files) = patch::files(text) else {
            self.doubt("a patch is applied that names its files in a way that is not known");
            return;
        };
        for file in files {
            self.touch(Access::Write, &Word::Literal(file.to_owned()), false, &Filter::default());
        }
    }

    /// A variable is given this value; `None` if it is not known.
    pub(super) fn assign(&mut self, name: &str, value: Option<&str>) {
        if super::variables::changes_what_runs(name, value) {
            self.doubt(format!("assigning to `{name}` changes what runs"));
        }
        let is_number = value.is_some_and(is_number);
        if !is_number && super::variables::is_reckoned(name) {
            self.doubt(format!("what is assigned to `{name}` is taken for arithmetic"));
        }
        match value {
            Some(text) => self.guess(name, text),
            None => {
                self.variables.entry(name.to_owned()).or_default().is_unknown = true;
            }
        }
        if let Some(values) = self.variables.get_mut(name) {
            values.is_more |= !is_number;
        }
    }

    /// A variable is given a number that is known only when it runs.
    pub(super) fn assign_number(&mut self, name: &str) {
        if super::variables::changes_what_runs(name, None) {
            self.doubt(format!("assigning to `{name}` changes what runs"));
        }
        self.variables.entry(name.to_owned()).or_default().is_unknown = true;
    }

    fn assign_pieces(&mut self, name: &str, value: &[Piece]) {
        if let [Piece::Array(words)] = value {
            self.arrays.insert(name.to_owned());
            self.assign(name, None);
            for word in words {
                for resolved in self.resolve(word) {
                    if let Some(text) = resolved.word.literal() {
                        self.guess(name, text);
                    }
                }
            }
            return;
        }
        let is_counted = matches!(value, [Piece::Arithmetic(_)])
            || matches!(value, [Piece::Param(param)] if super::arithmetic::is_number(param));
        if is_counted {
            return self.assign_number(name);
        }
        // A `~` after a colon is a home as well.
        if value.iter().any(|piece| matches!(piece, Piece::Plain(text) if text.contains(":~"))) {
            return self.assign(name, None);
        }
        let tilde = match value.first() {
            Some(Piece::Plain(plain)) if plain.starts_with('~') => self.tilde(plain, 0, value.len() == 1),
            _ => Some(String::new()),
        };
        let mut pieces: Vec<Piece> = value.to_vec();
        match (tilde, pieces.first_mut()) {
            (None, _) => return self.assign(name, None),
            (Some(home), Some(Piece::Plain(plain))) if !home.is_empty() => *plain = home,
            _ => {}
        }
        if let Some(text) = super::arithmetic::literal(&pieces) {
            return self.assign(name, Some(&text));
        }
        let mut resolved = self.resolve_value(&pieces);
        // What grows each time that it is assigned has no last value.
        let is_own = |piece: &Piece| matches!(piece, Piece::Param(param) if param.name == name);
        resolved.is_complete &= !pieces.iter().any(is_own);
        if let Some(address) = connection(&resolved.word) {
            self.doubt(format!("`{address}` is a connection to another machine"));
        }
        self.assign_resolved(name, &resolved);
        for guess in resolved.guesses.iter().filter(|_| !resolved.is_complete) {
            self.guess(name, &guess.join(" "));
        }
    }

    /// A variable may hold this text.
    pub(super) fn guess(&mut self, name: &str, text: &str) {
        const MOST_VALUES: usize = 8;
        self.spend(1 + text.len() / 256);
        let is_ours = !text.contains(MARK) || self.globs.contains(text);
        let values: &mut Values = self.variables.entry(name.to_owned()).or_default();
        if !is_ours {
            values.is_unknown = true;
            return;
        }
        if values.texts.iter().any(|held| held == text) {
            return;
        }
        if values.texts.len() < MOST_VALUES {
            values.texts.push(text.to_owned());
        } else {
            values.is_unknown = true;
        }
    }
}

impl Shells {
    /// Which shells run the code that this program is given.
    fn within(self, program: &str) -> Self {
        match program.rsplit('/').next().unwrap_or_default() {
            "bash" | "rbash" => Self::Bash,
            "eval" | "trap" | "." | "source" | "command" | "builtin" | "exec" | "mapfile" | "readarray" => {
                self
            }
            _ => Self::Any,
        }
    }
}

/// Words of bash that are programs to another shell, which does not find them; and what it would make of arithmetic and
/// of the inside of `[[ ]]`. No system has programs of such names.
fn is_no_program(name: &str) -> bool {
    const WORDS: &[&str] = &["[[", "function", "select", "coproc"];
    WORDS.contains(&name)
        || name.starts_with(['-', '+'])
        || name != "[" && name.contains(['=', '[', ']'])
        || name.bytes().all(|byte| byte.is_ascii_digit())
        || (name.ends_with("++") || name.ends_with("--")) && !programs::is_known(name)
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The directories that `PYTHONPATH` names before a test runner, which runs the code of the project anyway: plain names below
/// the working directory.
fn python_path(name: &str, value: &[Piece], first: Option<&str>, simple: &Simple) -> Option<Vec<String>> {
    let word = |at: usize| simple.words.get(at).and_then(Raw::bare);
    let is_runner = match first? {
        "pytest" | "py.test" => true,
        "python" | "python3" => word(1) == Some("-m") && matches!(word(2), Some("pytest" | "unittest")),
        _ => false,
    };
    let text = super::arithmetic::literal(value).filter(|_| is_runner && name == "PYTHONPATH")?;
    let is_below = |directory: &str| {
        !directory.starts_with(['/', '~'])
            && directory.split('/').all(|part| part != "..")
            && directory.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter))
    };
    let whole = |directory: &str| if directory.is_empty() { ".".to_owned() } else { directory.to_owned() };
    text.split(':').all(is_below).then(|| text.split(':').map(whole).collect())
}

/// Standard input that belongs to a group: somebody else may have read a part of it.
fn inherited(stdin: &Stdin) -> Stdin {
    match stdin {
        Stdin::Text(_) => Stdin::Unknown,
        other => other.clone(),
    }
}

/// The words of which every value is tried, if that is so for all values of all words.
fn tried(words: &[Resolved]) -> Vec<String> {
    let count =
        words.iter().map(|resolved| resolved.guesses.len().max(1)).fold(1usize, usize::saturating_mul);
    let unknown = words.iter().filter(|resolved| resolved.is_complete && count <= MOST_GUESSES);
    unknown
        .filter_map(|resolved| match &resolved.word {
            Word::Unknown { text, .. } => Some(text.clone()),
            Word::Literal(_) => None,
        })
        .collect()
}

impl Walker {
    /// The commands that these words would be by what is assigned elsewhere in the text.
    fn guesses_of(&self, words: &[Resolved]) -> Vec<Vec<Word>> {
        if words.iter().all(|resolved| resolved.guesses.is_empty()) {
            return Vec::new();
        }
        let mut made: Vec<Vec<Word>> = vec![Vec::new()];
        for resolved in words {
            if resolved.guesses.is_empty() {
                for words in &mut made {
                    words.push(resolved.word.clone());
                }
                continue;
            }
            let room = (MOST_GUESSES / made.len()).max(1);
            if let [guess, ..] = resolved.guesses.as_slice()
                && resolved.guesses.len().min(room) == 1
            {
                for words in &mut made {
                    words.extend(guess.iter().map(|text| self.guessed(text.clone())));
                }
                continue;
            }
            made = made
                .iter()
                .flat_map(|before| {
                    resolved.guesses.iter().take(room).map(|guess| {
                        let guess = guess.iter().map(|text| self.guessed(text.clone()));
                        before.iter().cloned().chain(guess).collect::<Vec<_>>()
                    })
                })
                .collect();
        }
        made.retain(|words| !words.is_empty());
        made
    }
}
