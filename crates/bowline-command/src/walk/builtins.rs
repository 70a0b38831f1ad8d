//! Builtins of the shell that change what the rest of the text means, or look into variables by name.

use super::walker::{Stdin, Walker};
use crate::Word;

/// What `set` may switch without changing what text means.
const SET_LETTERS: &str = "euxvfCETb";
const SET_NAMES: &[&str] = &[
    "errexit",
    "nounset",
    "xtrace",
    "verbose",
    "noglob",
    "noclobber",
    "errtrace",
    "functrace",
    "notify",
    "pipefail",
];

/// What `shopt` may switch without changing what text means.
const SHOPT_NAMES: &[&str] = &["failglob", "globstar", "inherit_errexit", "checkwinsize", "globskipdots"];

/// Words of zsh that run what follows them, or change how text is read. For bash they are programs that do not exist.
const OF_ZSH: &[&str] = &[
    "-",
    "repeat",
    "foreach",
    "noglob",
    "nocorrect",
    "setopt",
    "unsetopt",
    "emulate",
    "zmodload",
    "autoload",
    "functions",
    "zcompile",
    "bindkey",
    "zle",
    "sched",
    "vared",
    "zformat",
    "zparseopts",
    "zstyle",
    "print",
];

impl Walker {
    pub(super) fn builtin(&mut self, program: &str, arguments: &[Word]) {
        match program {
            "alias" if arguments.iter().any(|word| !is_literal_without(word, "=")) => {
                self.doubt("an alias changes what commands mean");
            }
            "unalias" | "enable" | "compgen" | "complete" | "bind" | "fc" | "history" => {
                self.doubt(format!("`{program}` changes what commands mean"));
            }
            "hash" if !arguments.iter().all(|word| matches!(word.literal(), Some("-r" | "-l"))) => {
                self.doubt("`hash` changes what commands mean");
            }
            "jobs" if arguments.first().and_then(Word::literal).is_some_and(|flag| flag.contains('x')) => {
                self.run(arguments[1..].to_vec(), &Stdin::Unknown);
            }
            _ if OF_ZSH.contains(&program) || program.starts_with('=') => {
                self.doubt(format!(
                    "`{program}` runs its words, or changes what commands mean, in some shells"
                ));
            }
            "shopt" => self.shopt(arguments),
            "set" => self.set(arguments),
            "declare" | "typeset" | "local" | "export" | "readonly" => self.declaration(program, arguments),
            "let" => self.expressions(arguments),
            "read" | "mapfile" | "readarray" | "getopts" | "unset" | "wait" => self.names(program, arguments),
            "printf" => self.printf(arguments),
            "test" | "[" => self.old_test(arguments),
            _ => {}
        }
    }

    /// `nullglob` takes away words that are patterns, so that `grep --include=*.rs` reads everything; with `dotglob` a star means
    /// hidden names as well.
    fn shopt(&mut self, arguments: &[Word]) {
        let is_harmless = arguments.iter().all(|word| {
            word.literal().is_some_and(|text| {
                matches!(text, "-s" | "-u" | "-q" | "-p" | "-qs" | "-sq") || SHOPT_NAMES.contains(&text)
            })
        });
        if !is_harmless {
            self.doubt("`shopt` changes how text is read");
        }
    }

    fn set(&mut self, arguments: &[Word]) {
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            match word.literal() {
                Some("--" | "-") => {
                    let words: Vec<Word> = rest.cloned().collect();
                    self.positional(&words);
                    return;
                }
                Some("-o" | "+o") => self.set_name(rest.next()),
                Some(flags) if flags.starts_with(['-', '+']) && flags.len() > 1 => {
                    let (letters, takes_name) = match flags[1..].strip_suffix('o') {
                        Some(letters) => (letters, true),
                        None => (&flags[1..], false),
                    };
                    if !letters.chars().all(|letter| SET_LETTERS.contains(letter)) {
                        self.doubt("`set` changes how text is read");
                    }
                    if takes_name {
                        self.set_name(rest.next());
                    }
                }
                Some(_) => {
                    let words: Vec<Word> = std::iter::once(word).chain(rest).cloned().collect();
                    self.positional(&words);
                    return;
                }
                None => {
                    self.doubt("`set` is given words that are known only when it runs");
                    return;
                }
            }
        }
    }

    fn set_name(&mut self, name: Option<&Word>) {
        let is_harmless = match name {
            None => true,
            Some(word) => word.literal().is_some_and(|text| SET_NAMES.contains(&text)),
        };
        if !is_harmless {
            self.doubt("`set` changes how text is read");
        }
    }

    /// `export A=b`, `declare -x A`
    fn declaration(&mut self, program: &str, arguments: &[Word]) {
        let is_flag = |word: &&Word| word.literal().is_some_and(|text| text.starts_with(['-', '+']));
        let makes_array = arguments
            .iter()
            .filter(is_flag)
            .any(|word| word.literal().unwrap_or_default().contains(['a', 'A']));
        // Such variables change the letters of what they are given.
        let changes = arguments
            .iter()
            .filter(is_flag)
            .any(|word| word.literal().unwrap_or_default().contains(['u', 'l', 'c']));
        for word in arguments {
            match word {
                Word::Literal(text) if text.starts_with(['-', '+']) => {
                    if text[1..].contains(['i', 'n']) {
                        // `-i` makes every later assignment arithmetic, and `-n` makes it one to another variable.
                        self.doubt(format!("`{program} {text}` changes what assignments mean"));
                    }
                }
                Word::Literal(text) => match text.split_once('=') {
                    Some((name, value)) => {
                        self.declare(name, Some(value), value.starts_with('('), makes_array);
                        if changes || name.ends_with('+') {
                            self.unknown(name.trim_end_matches('+'));
                        }
                    }
                    None => {
                        self.declare_name(text, makes_array);
                        if changes {
                            self.unknown(text);
                        }
                        if !matches!(program, "export" | "readonly") {
                            // In a function it is another variable, which is empty.
                            self.unsure(text);
                        }
                    }
                },
                Word::Unknown { start, text, .. } => match start.split_once('=') {
                    Some((name, value)) => {
                        // `a=(…)` as it stands is read like any other array; in quotes, it is expanded once more.
                        let rest = text.strip_prefix(name).unwrap_or_default();
                        let is_array = rest.starts_with("=(");
                        let may_fill = !is_array && (value.is_empty() || value.starts_with('('));
                        if is_array {
                            self.arrays.insert(name.to_owned());
                        }
                        self.declare(name, None, may_fill, makes_array);
                    }
                    None => self.doubt(format!(
                        "`{program} {text}` assigns to a variable that is known only when it runs"
                    )),
                },
            }
        }
    }

    /// A variable may hold anything.
    fn unknown(&mut self, name: &str) {
        self.variables.entry(name.to_owned()).or_default().is_unknown = true;
    }

    /// `may_fill`: the text may look like an array, which is expanded once more if the variable is one.
    fn declare(&mut self, name: &str, value: Option<&str>, may_fill: bool, makes_array: bool) {
        let name = name.strip_suffix('+').unwrap_or(name);
        if !is_name(name) {
            return self.doubt(format!("`{name}` is assigned to, and is no plain name"));
        }
        self.assign(name, value);
        self.sure(name);
        if makes_array {
            self.arrays.insert(name.to_owned());
        }
        if may_fill {
            self.declared.insert(name.to_owned());
        }
    }

    /// A name without a value: it is marked, and keeps what it holds.
    fn declare_name(&mut self, name: &str, makes_array: bool) {
        if makes_array {
            self.arrays.insert(name.to_owned());
        }
        if !is_name(name) {
            self.doubt(format!("`{name}` is declared, and is no plain name"));
        }
    }

    fn expressions(&mut self, arguments: &[Word]) {
        for word in arguments {
            match word.literal() {
                Some(text) if !text.contains(['[', '$', '`']) => {
                    self.arithmetic(&[super::syntax::Piece::Plain(text.to_owned())]);
                }
                _ => self.doubt("`let` reckons with text that is known only when it runs"),
            }
        }
    }

    /// Builtins that assign to, or look at, variables by name.
    fn names(&mut self, program: &str, arguments: &[Word]) {
        for word in arguments {
            match word.literal() {
                Some(text) if is_name(text) => {
                    if program != "unset" && program != "wait" {
                        // `read -a` and `mapfile` fill arrays.
                        self.arrays.insert(text.to_owned());
                        self.assign(text, None);
                    } else {
                        self.unknown(text);
                        if super::variables::changes_what_runs(text, None) {
                            self.doubt(format!("`{program} {text}` changes what runs"));
                        }
                    }
                }
                Some(text) if text.contains('[') => {
                    self.doubt(format!("`{program}` looks into the subscript of `{text}`"));
                }
                Some(_) => {}
                // A number of a process or of a line is no name, and a quoted prompt is none either.
                None if program == "wait" => {}
                None => self.doubt(format!("`{program}` is given a name that is known only when it runs")),
            }
        }
    }

    fn printf(&mut self, arguments: &[Word]) {
        match arguments.first() {
            Some(Word::Literal(text)) if text.starts_with("-v") => {
                self.doubt("`printf -v` assigns to a variable by name");
                let name =
                    if text.len() > 2 { Some(&text[2..]) } else { arguments.get(1).and_then(Word::literal) };
                if let Some(name) = name.filter(|name| is_name(name)) {
                    self.assign(name, None);
                }
            }
            Some(Word::Unknown { start, .. }) if start.is_empty() || start.starts_with('-') => {
                self.doubt("`printf` is given a format that is known only when it runs");
            }
            _ => {}
        }
    }

    fn old_test(&mut self, arguments: &[Word]) {
        let mut before: Option<&Word> = None;
        for word in arguments {
            let is_after_look = matches!(before.and_then(Word::literal), Some("-v" | "-R"));
            match word {
                Word::Literal(text) if is_after_look && !is_name(text) => {
                    self.doubt("`-v` looks into a variable whose name is no plain name");
                }
                Word::Literal(text) if text.contains('[') && text.contains(['$', '`']) => {
                    self.doubt("a test holds a subscript");
                }
                Word::Unknown { splits: true, .. } => {
                    self.doubt("a test holds an unquoted word that is known only when it runs");
                }
                Word::Unknown { .. } if is_after_look || matches!(before, Some(Word::Unknown { .. })) => {
                    self.doubt("a test may look into a variable whose name is known only when it runs");
                }
                _ => {}
            }
            before = Some(word);
        }
    }
}

fn is_literal_without(word: &Word, part: &str) -> bool {
    word.literal().is_some_and(|text| !text.contains(part))
}

fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
