//! Interpreters: code in an argument, in a file, or on the standard input.

use super::Meaning;
use super::line::{Line, Order, parse};
use super::project::{asks, run_module};
use super::table::{Kind, Row};
use crate::{Core, Pin, Word};

/// A program that runs the code of a language.
pub(super) struct Interpreter {
    /// Options before the script. One that is not listed means that everything must be spelt.
    pub(super) options: &'static str,
    /// Options whose value says what runs, as a file does: `python -m`, `java -jar`.
    pub(super) names: &'static str,
    /// With one of these it only looks at its files.
    pub(super) checks: &'static str,
}

const fn runs(options: &'static str, names: &'static str, checks: &'static str) -> Kind {
    Kind::Interprets(Interpreter { options, names, checks })
}

pub(super) const ROWS: &[Row] = &[
    (
        "python pythonw pypy micropython",
        runs("B b d E I O P q s S u v W= X= m= V/version help", "m", "V version"),
    ),
    (
        "node nodejs",
        runs(
            "c/check v/version no-warnings trace-warnings trace-deprecation throw-deprecation \
                no-deprecation enable-source-maps max-old-space-size= stack-trace-limit= \
                unhandled-rejections= experimental-strip-types experimental-vm-modules preserve-symlinks \
                trace-uncaught watch watch-path= watch-preserve-output test test-only test-name-pattern= \
                test-skip-pattern= test-concurrency= test-timeout= test-shard= test-force-exit test-reporter= \
                test-reporter-destination= experimental-test-coverage experimental-default-type= \
                input-type= experimental-test-module-mocks expose-gc pending-deprecation no-experimental-strip-types \
                experimental-transform-types disable-warning= test-coverage-include= test-coverage-exclude=",
            "",
            "c v",
        ),
    ),
    ("ruby jruby truffleruby", runs("w W? d v c E= U y", "", "c")),
    ("perl", runs("w W t T u U X v", "", "v")),
    ("php php-cgi", runs("n q l/syntax-check f/file= v/version i/info m/modules", "f", "l v i m")),
    ("lua luajit texlua", runs("v W E", "", "")),
    ("tclsh wish expect jimsh", runs("f=", "f", "")),
    (
        "Rscript",
        runs("vanilla no-environ no-site-file no-init-file verbose default-packages= version", "", "version"),
    ),
    (
        "julia",
        runs(
            "project? t/threads= p/procs= O? q/quiet startup-file= color= v/version compile= check-bounds= \
                depwarn= history-file=",
            "",
            "v",
        ),
    ),
    (
        "java",
        runs(
            "-cp/-classpath/class-path= -jar= -ea -esa -server -client -version version",
            "-jar",
            "-version version",
        ),
    ),
    ("scala kotlin groovy clojure clj", runs("-cp/-classpath=", "", "")),
    ("osascript", runs("l= s=", "", "")),
    (
        "guile racket csi chibi-scheme gosh sbcl clisp ecl ccl chez scheme gforth ocaml runghc runhaskell \
            swipl gprolog erl escript iex elixir raku rakudo perl6 pike gst squirrel wren janet fennel hy \
            bpython ipython ipython3 ptpython jython bsh jshell ts-node tsx esno swc-node zx coffee \
            livescript babel-node vite-node",
        runs("", "", ""),
    ),
    (
        "R octave matlab scilab sage maxima gp gnuplot m4 gm4 dc gdb lldb dtrace bpftrace stap systemtap",
        Kind::Hidden("it runs the code it is given"),
    ),
    ("pwsh powershell cmd wscript cscript mshta rundll32", Kind::Hidden("it runs code of another shell")),
    (
        "mysql mariadb mysqlsh mongo mongosh redis-cli sqlcmd sqlplus isql duckdb clickhouse-client cqlsh",
        Kind::Hidden("it runs what it is told, commands of the shell among it"),
    ),
    (
        "ed red ex vi vim vim.tiny vim.basic vim.nox vimdiff view rview rvim gvim nvim emacs emacsclient \
            nano pico rnano joe jed micro helix hx kak ne mg zile code cursor subl atom",
        Kind::Hidden("an editor runs and writes what it is told"),
    ),
    (
        "pdftex pdflatex latex tex xelatex lualatex luatex latexmk context",
        Kind::Hidden("its files may run commands"),
    ),
    (
        "wasmtime wasmer mono wine wine64 qemu qemu-system-x86_64 appimage-run flatpak snap",
        Kind::Hidden("it runs another program"),
    ),
];

/// What is run by this option is a module of Python's.
const MODULE: &str = "m";

/// Settings of Python that neither write nor load anything.
fn is_plain_setting(value: &Word) -> bool {
    const PLAIN: &[&str] =
        &["dev", "utf8", "utf8=1", "utf8=0", "faulthandler", "importtime", "tracemalloc", "no_debug_ranges"];
    value.literal().is_some_and(|value| PLAIN.contains(&value))
}

impl Interpreter {
    pub(super) fn meaning(&self, words: &[Word]) -> Meaning {
        if asks(words) {
            return Meaning::default();
        }
        let program = words[0].shown();
        let mut meaning = Meaning::default();
        // What names the code ends the options: the rest are its arguments.
        let named = self.place_of_name(words);
        let own = named.as_ref().map_or(words.len(), |(at, _)| at + 1);
        let line = parse(&words[..own], self.options, Order::First);
        let module = named.as_ref().filter(|_| self.names == MODULE);
        if let Some((at, name)) = module.and_then(|(at, word)| Some((*at, word.literal()?))) {
            meaning = run_module(words, at, name);
        }
        if line.unsure.is_some() || line.values("X").any(|value| !is_plain_setting(value)) {
            meaning.opaque(Pin::Everything, format!("what `{program}` runs is not read"));
            meaning.core = None;
            return meaning;
        }
        if module.is_some() && meaning.pin.is_some() {
            return meaning;
        }
        if line.has("test") {
            return self.tests(words, &line);
        }
        if !self.checks.is_empty() && line.has(self.checks) && named.is_none() {
            line.words().for_each(|path| meaning.reads(path));
            return meaning;
        }
        match named.or_else(|| line.operands.first().map(|(at, word)| (*at, word.clone()))) {
            Some((_, word)) if matches!(word.literal(), Some("-" | "/dev/stdin" | "/dev/fd/0")) => {
                meaning.opaque(Pin::Everything, format!("`{program}` runs what it is given"));
            }
            Some((at, word)) if word.literal().is_some() => {
                meaning.opaque(Pin::Words(at + 1), format!("`{program}` runs `{}`", word.shown()));
                // A name that is not whole is another file elsewhere.
                if word.start().split('/').all(|part| !part.is_empty() && part != "..") {
                    meaning.executes(&word);
                }
                let is_bare = at > 1 && line.given.iter().all(|given| given.value.is_none());
                meaning.core = is_bare.then(|| Core {
                    words: words[..1].iter().chain(&words[at..]).cloned().collect(),
                    pin: Some(Pin::Words(2)),
                });
            }
            Some((_, word)) => {
                meaning.unreadable(format!("which code `{}` is, is known only when it runs", word.shown()));
            }
            None => meaning.opaque(Pin::Everything, format!("`{program}` runs what it is given")),
        }
        meaning
    }

    /// `node --test`: all tests of the project, or the files that are named.
    fn tests(&self, words: &[Word], line: &Line) -> Meaning {
        const REPORTERS: &[&str] = &["spec", "tap", "dot", "junit", "lcov"];
        let mut meaning = Meaning::default();
        let is_own = |reporter: &Word| reporter.literal().is_some_and(|name| REPORTERS.contains(&name));
        let is_told = words.iter().position(|word| word.literal() == Some("--test"));
        let pin = match is_told {
            Some(at) if line.values("test-reporter").all(is_own) => Pin::Words(at + 1),
            _ => Pin::Everything,
        };
        line.values("test-reporter-destination")
            .filter(|path| !matches!(path.literal(), Some("stdout" | "stderr")))
            .for_each(|path| meaning.writes(path, false));
        meaning.executes(&Word::Literal(".".to_owned()));
        line.words().for_each(|path| meaning.executes(path));
        meaning.opaque(pin, format!("`{}` runs the project's tests", words[0].shown()));
        meaning
    }

    /// The place of the word that names the code, by itself or attached to its option.
    fn place_of_name(&self, words: &[Word]) -> Option<(usize, Word)> {
        // One word more at a time, until the option has its value: that word is the last that is pinned.
        (2..=words.len()).find_map(|end| {
            let line = parse(&words[..end], self.options, Order::First);
            let mut values =
                self.names.split(' ').filter(|name| !name.is_empty()).flat_map(|name| line.values(name));
            values.next().map(|value| (end - 1, value.clone()))
        })
    }
}
