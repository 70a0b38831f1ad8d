//! pytest, the modules that `python -m` runs, and programs that run another one in an environment.

use super::delegate::{self, Inner};
use super::options::Dialect;
use super::runner::{After, Operands, PLAIN, Project, Spelt, Sub, asks, here, told_apart, why};
use super::touches::runs_at;
use crate::programs::Meaning;
use crate::programs::meaning::last_part;
use crate::{Pin, Word};

pub(super) const PYTEST: Project = Project {
    dialect: Dialect::Argparse,
    cuts_names: false,
    harmless: "v/verbose q/quiet verbosity= s capture= tb= color= code-highlight= no-header no-summary \
        no-fold-skipped force-short-summary l/showlocals no-showlocals r/report-chars= \
        disable-warnings/disable-pytest-warnings durations= durations-min= show-capture= full-trace xfail-tb \
        x/exitfirst maxfail= n/numprocesses= timeout= timeout-method= force-sugar",
    options: "k= m= markers strict-config strict-markers strict fixtures/funcargs fixtures-per-test pdb \
        pdbcls=! trace runxfail lf/last-failed ff/failed-first nf/new-first cache-show~ cache-clear \
        lfnf/last-failed-no-failures= sw/stepwise sw-skip/stepwise-skip sw-reset/stepwise-reset pastebin=! \
        junit-xml/junitxml=> junit-prefix/junitprefix= W/pythonwarnings=* max-warnings= collect-only/co pyargs \
        ignore= ignore-glob= deselect= confcutdir=@ noconftest keep-duplicates collect-in-virtualenv \
        continue-on-collection-errors import-mode= doctest-modules! doctest-report= doctest-glob=! \
        doctest-ignore-import-errors doctest-continue-on-failure c/config-file=@ rootdir=@ basetemp=>> \
        V/version h/help p=: disable-plugin-autoload trace-config debug~> o/override-ini=! assert= setup-only \
        setup-show setup-plan log-level= log-format= log-date-format= log-cli-level= log-cli-format= \
        log-cli-date-format= log-file=> log-file-mode= log-file-level= log-file-format= \
        log-file-date-format= log-auto-indent= log-disable= result-log=> report-log=> html=> \
        self-contained-html css=< json-report json-report-file=> cov~ cov-report=+ cov-config=@ \
        cov-append cov-branch no-cov no-cov-on-fail cov-fail-under= cov-context= cov-reset reruns= \
        reruns-delay= asyncio-mode= dist= maxprocesses= tx=! rsyncdir=! d f/looponfail boxed forked \
        random-order random-order-bucket= random-order-seed= randomly-seed= randomly-dont-reorganize \
        snapshot-update benchmark-only benchmark-skip benchmark-disable benchmark-json=> \
        benchmark-storage=! benchmark-sort= benchmark-compare~ benchmark-autosave ds= reuse-db create-db \
        no-migrations nomigrations hypothesis-profile= hypothesis-seed= hypothesis-show-statistics \
        typeguard-packages= session-timeout= only-rerun= headed browser= slowmo= output=>> tracing= video= \
        screenshot= device= base-url= run-slow runslow integration",
    subs: &[],
    other: Sub { operands: Operands::Tests, ..PLAIN },
    alone: Spelt::Program,
};

/// Modules that do something of their own with their words. Every other one is spelt, or is a program that is known.
const MODULES: &[(&str, Project)] = &[
    (
        "unittest",
        module(
            "v/verbose q/quiet locals f/failfast c/catch b/buffer durations=",
            "k= s/start-directory=@ p/pattern= t/top-level-directory=@ h/help",
            Operands::Runs,
        ),
    ),
    (
        "json.tool",
        Project {
            other: Sub { spelt: Spelt::Nothing, operands: Operands::FromTo, ..PLAIN },
            alone: Spelt::Nothing,
            ..module(
                "",
                "sort-keys no-ensure-ascii json-lines indent= tab no-indent compact h/help",
                Operands::Plain,
            )
        },
    ),
    (
        "compileall",
        module("q", "l r= f b d= s= p= x= i=< j= o= e= invalidation-mode= hardlink-dupes", Operands::Makes),
    ),
    // As every module that is imported, it leaves its code in `__pycache__`.
    ("py_compile", module("q/quiet", "", Operands::Reads)),
    (
        "venv",
        module(
            "",
            "system-site-packages symlinks copies clear upgrade without-pip prompt= upgrade-deps without-scm-ignore-files",
            Operands::Makes,
        ),
    ),
    ("ensurepip", module("", "version U/upgrade user default-pip altinstall root=>>", Operands::None)),
    ("http.server", module("", "b/bind= p/protocol= d/directory=! cgi!", Operands::Plain)),
    ("cProfile", PROFILE),
    ("profile", PROFILE),
    (
        "zipfile",
        Project {
            other: ARCHIVE,
            ..module("", "l/list=< t/test=< e/extract=< c/create=> metadata-encoding=", Operands::Makes)
        },
    ),
    (
        "tarfile",
        Project {
            other: ARCHIVE,
            ..module("", "v/verbose l/list=< t/test=< e/extract=< c/create=> filter=", Operands::Makes)
        },
    ),
    ("site", module("", "user-base user-site", Operands::None)),
    ("sysconfig", module("", "", Operands::None)),
    ("platform", module("", "terse nonaliased", Operands::Plain)),
    ("calendar", module("", "t= L= e= w= l= s= m= c= type= locale= encoding=", Operands::Plain)),
    ("timeit", CODE),
    ("trace", CODE),
    ("pdb", CODE),
    ("code", CODE),
    ("runpy", CODE),
];

/// It runs the script that is its first operand.
const PROFILE: Project = Project {
    other: Sub { spelt: Spelt::Operand, operands: Operands::Script, ..PLAIN },
    alone: Spelt::Everything,
    ..module("", "o/outfile=> s/sort= m!", Operands::Script)
};

/// It runs code that is written in its words.
const CODE: Project = Project {
    other: Sub { spelt: Spelt::Everything, ..PLAIN },
    alone: Spelt::Everything,
    ..module("", "", Operands::Plain)
};

/// What it packs is read, where it unpacks is written.
const ARCHIVE: Sub = Sub { spelt: Spelt::Program, operands: Operands::Makes, looks: "c l t", ..PLAIN };

const fn module(harmless: &'static str, options: &'static str, operands: Operands) -> Project {
    Project {
        dialect: Dialect::Argparse,
        cuts_names: false,
        harmless,
        options,
        subs: &[],
        other: Sub { operands, ..PLAIN },
        alone: Spelt::Program,
    }
}

/// Programs that are modules as well, and do the same as such.
const PROGRAMS: &str = "pytest pip mypy ruff black isort flake8 pylint pyright tox nox coverage build pre_commit \
    autopep8 yapf pyflakes bandit poetry pdm uv hatch alembic flask django uvicorn gunicorn celery sphinx mkdocs";

/// `python -m MODULE …`, where the module is named at `at`, with the words that stand before it.
pub(in crate::programs) fn run_module(words: &[Word], at: usize, name: &str) -> Meaning {
    // In `-mpytest`, the name is a part of its word.
    let mut own = words[at..].to_vec();
    own[0] = Word::Literal(name.to_owned());
    let known = MODULES.iter().find(|(module, _)| *module == name);
    let mut found = match known {
        Some((_, runner)) => runner.meaning(&own),
        None if PROGRAMS.split_ascii_whitespace().any(|program| program == name) => {
            crate::programs::meaning(&own)
        }
        None => Meaning::default(),
    };
    // The directory comes first among those that modules are looked for in.
    runs_at(&mut found, &here());
    let pin = |pin: Option<Pin>, name: usize| match pin {
        Some(Pin::Everything) => Pin::Everything,
        Some(Pin::Words(count)) => Pin::Words(name + count),
        None => Pin::Words(name + 1),
    };
    let short = pin(found.pin, 2);
    let long = pin(found.pin, at);
    let rest = match found.core.take() {
        Some(core) => (core.words[1..].to_vec(), pin(core.pin, 2)),
        None => (words[at + 1..].to_vec(), short),
    };
    found.pin = None;
    found.doubts.retain(|doubt| matches!(doubt, crate::Doubt::Unreadable(_)));
    found.opaque(long, format!("`{}` runs the module `{name}`", words[0].shown()));
    let head = [words[0].clone(), Word::Literal("-m".to_owned()), Word::Literal(name.to_owned())];
    let core: Vec<Word> = head.into_iter().chain(rest.0).collect();
    if core != words {
        found.core = Some(crate::Core { words: core, pin: Some(rest.1) });
    }
    found
}

const UV: Project = Project {
    dialect: Dialect::Exact,
    cuts_names: false,
    harmless: "q/quiet v/verbose color= offline no-progress native-tls n/no-cache",
    options: "directory=^ project=@ config-file=! cache-dir=>> allow-insecure-host=! no-config V/version h/help",
    subs: &[],
    other: Sub {
        options: "frozen locked no-sync no-dev dev only-dev all-extras extra= group= no-group= only-group= all-groups \
            all-packages package= exact isolated active no-project no-env-file no-editable p/python=% \
            env-file=! m/module! s/script! gui-script with=! with-editable=! with-requirements=! \
            index=! index-url=! default-index=! extra-index-url=! find-links=!",
        spelt: Spelt::Operands,
        operands: Operands::Script,
        ..PLAIN
    },
    alone: Spelt::Nothing,
};

/// What takes no options before the inner program but those that are not known.
const PLAINLY: Project = Project {
    dialect: Dialect::Exact,
    cuts_names: false,
    harmless: "q/quiet v/verbose n/no-interaction no-ansi ansi",
    options: "C/directory=^ P/project=@ h/help",
    subs: &[],
    other: Sub { spelt: Spelt::Operands, operands: Operands::Script, after: After::Free, ..PLAIN },
    alone: Spelt::Nothing,
};

/// `uv run pytest`, `poetry run pytest`: the inner program is the one that an entry speaks of.
fn inner(runner: &Project, words: &[Word], from: usize) -> Meaning {
    let own: Vec<Word> = words[..1].iter().chain(&words[from..]).cloned().collect();
    let place = runner.operand(&own, 1).map(|at| at + from - 1);
    let mut outer = runner.meaning(&own);
    if let Some(Pin::Words(count)) = &mut outer.pin {
        *count += from - 1;
    }
    outer.core = None;
    delegate::within(words, place, outer, Inner::Own)
}

/// uv, poetry, bundle and their like: where their `run` or `exec` stands right after them, what the inner program does counts.
pub(super) fn environment(words: &[Word]) -> Meaning {
    if asks(words) {
        return Meaning::default();
    }
    let name = last_part(words[0].shown());
    let (itself, runner) = match name {
        "uv" => (&UV_ITSELF, &UV),
        "bundle" | "bundler" => (&BUNDLE, &PLAINLY),
        _ => (&POETRY, &PLAINLY),
    };
    let place = itself.operand(words, 1).filter(|at| at + 1 < words.len());
    match place.and_then(|at| Some((at, words[at].literal()?))) {
        Some((at, "run" | "exec")) => {
            let mut meaning = inner(runner, words, at + 1);
            // What stands before counts as well.
            let own = itself.meaning(&words[..=at]);
            meaning.moves_to = meaning.moves_to.or(own.moves_to);
            meaning.touches.extend(own.touches.into_iter().filter(|touched| touched.path != here()));
            if own.pin == Some(Pin::Everything) {
                meaning.opaque(Pin::Everything, why(words));
                let core = meaning.core.take();
                meaning.core = core.map(|core| told_apart(core.words, Some(Pin::Everything)));
            }
            meaning
        }
        _ => itself.meaning(words),
    }
}

const LAX: Sub = Sub { is_lax: true, spelt: Spelt::Sub, ..PLAIN };
const TELLS: Sub = Sub { spelt: Spelt::Nothing, ..LAX };
const BY_TWO: Sub = Sub { spelt: Spelt::Operand, ..LAX };

const UV_ITSELF: Project = Project {
    options: "directory=^ project=@ config-file=! p/python=% with-requirements=! index-url=! default-index=! \
        extra-index-url=! index=! find-links=! target=>> prefix=>> cache-dir=>> o/output-file=> out-dir=>> \
        env-file=! with=! from=!",
    subs: &[Sub { names: "version tree", ..TELLS }, Sub { names: "run pip tool python cache x", ..BY_TWO }],
    other: LAX,
    ..UV
};

const POETRY: Project = Project {
    options: "C/directory=^ P/project=@ p/prefix=! n/name=! manifest-path=@ o/output=> no-interaction no-ansi",
    subs: &[
        Sub { names: "show list info check env-list search version", ..TELLS },
        Sub { names: "run shell env config cache self", ..BY_TWO },
    ],
    other: LAX,
    alone: Spelt::Everything,
    ..PLAINLY
};

const BUNDLE: Project = Project {
    options: "gemfile=! path=>> binstubs~>> shebang=! standalone~",
    subs: &[Sub { names: "list show info outdated check", ..TELLS }, Sub { names: "exec config", ..BY_TWO }],
    other: LAX,
    alone: Spelt::Sub,
    ..PLAINLY
};
