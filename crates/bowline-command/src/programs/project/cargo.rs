//! cargo: each subcommand with its own options, and what `--` hands on to the tests or to the compiler.

use super::delegate::{self, Inner};
use super::options::Dialect;
use super::runner::{After, Operands, PLAIN, Project, Spelt, Sub, here, told_apart};
use super::touches::runs_at;
use crate::programs::Meaning;
use crate::{Pin, Word};

/// What every subcommand that builds something takes.
macro_rules! build {
    ($own:literal) => {
        concat!(
            "p/package~ workspace exclude= all lib bins bin~ examples example~ tests test~ benches bench~ \
                all-targets F/features= all-features no-default-features r/release profile=% target~% \
                target-dir=>> unit-graph manifest-path=@ ignore-rust-version lockfile-path=> timings? h/help \
                compile-time-deps artifact-dir=>> out-dir=>> no-fail-fast ",
            $own
        )
    };
}

/// Options of the test programs that rustc builds.
const TESTS: &str = "include-ignored ignored force-run-in-process exclude-should-panic test bench list \
    logfile=> nocapture no-capture test-threads= skip= q/quiet exact color= format= show-output report-time \
    ensure-time shuffle shuffle-seed= h/help fail-fast";

/// Which lints count. Every other option of rustc may name a program, or a file that is written.
const LINTS: &str = "W/warn= A/allow= D/deny= F/forbid= cap-lints= force-warn=";

const RUSTFMT: &str = "check color= edition= style-edition= q/quiet v/verbose l/files-with-diff config= \
    config-path=< emit= unstable-features skip-children error-on-unformatted file-lines= h/help V/version";

const MANIFEST: &str = "manifest-path=@ lockfile-path=> h/help";

const BUILD: Sub = Sub { options: build!(""), operands: Operands::None, ..PLAIN };
const TELLS: Sub = Sub { spelt: Spelt::Nothing, ..PLAIN };
const CHANGES: Sub = Sub { spelt: Spelt::Sub, ..PLAIN };

const CARGO: Project = Project {
    dialect: Dialect::Exact,
    cuts_names: false,
    harmless: "v/verbose q/quiet color= message-format= offline locked frozen j/jobs= keep-going \
        future-incompat-report",
    options: "config=! Z=! C=^ V/version list explain= h/help",
    subs: &[
        Sub { names: "build|b", ..BUILD },
        Sub { names: "check|c", ..BUILD },
        Sub { names: "doc|d", options: build!("open! no-deps document-private-items"), ..BUILD },
        Sub {
            names: "test|t",
            options: build!("no-run doc"),
            operands: Operands::Plain,
            after: After::Options(TESTS, Operands::Plain),
            ..PLAIN
        },
        Sub {
            names: "bench",
            options: build!("no-run"),
            after: After::Options(TESTS, Operands::Plain),
            ..PLAIN
        },
        Sub { names: "run|r", options: build!(""), operands: Operands::Script, ..PLAIN },
        Sub {
            names: "clippy",
            options: build!(
                "fix allow-dirty allow-staged allow-no-vcs broken-code no-deps explain= W/warn= A/allow= \
                    D/deny= F/forbid= V/version"
            ),
            after: After::Options(LINTS, Operands::None),
            ..BUILD
        },
        Sub {
            names: "fmt",
            options: "all p/package= manifest-path=@ message-format= check version h/help",
            operands: Operands::None,
            after: After::Options(RUSTFMT, Operands::Rewrites("rs")),
            looks: "check",
            ..PLAIN
        },
        Sub {
            names: "rustc rustdoc",
            options: build!("crate-type= print= open! output-format="),
            after: After::Options(LINTS, Operands::None),
            ..BUILD
        },
        Sub {
            names: "fix",
            options: build!("broken-code edition edition-idioms allow-no-vcs allow-dirty allow-staged"),
            ..BUILD
        },
        Sub {
            names: "metadata",
            options: "filter-platform= no-deps format-version= F/features= all-features \
                no-default-features manifest-path=@ lockfile-path=> h/help",
            ..TELLS
        },
        Sub {
            names: "tree",
            options: "e/edges= i/invert~ prune= depth= prefix= no-dedupe d/duplicates charset= f/format= \
                p/package~ workspace exclude= F/features= all-features no-default-features target~% \
                manifest-path=@ lockfile-path=> ignore-rust-version all h/help",
            ..TELLS
        },
        Sub {
            names: "search info locate-project pkgid read-manifest verify-project version",
            options: "limit= index=! registry= workspace p/package~ manifest-path=@ lockfile-path=> h/help",
            ..TELLS
        },
        Sub {
            names: "fetch",
            options: "target= manifest-path=@ lockfile-path=> ignore-rust-version h/help",
            ..PLAIN
        },
        Sub {
            names: "update generate-lockfile",
            options: "p/package~ workspace w aggressive recursive precise= n/dry-run b/breaking \
                target= manifest-path=@ lockfile-path=> ignore-rust-version h/help",
            renews: "Cargo.lock",
            ..PLAIN
        },
        Sub {
            names: "clean",
            options: "p/package~ workspace r/release profile=% target~% target-dir=>> doc n/dry-run \
                manifest-path=@ lockfile-path=> h/help",
            ..PLAIN
        },
        Sub {
            names: "add",
            options: "no-default-features default-features F/features= optional no-optional public \
                no-public rename= n/dry-run manifest-path=> lockfile-path=> p/package~ path=@ base= git=! \
                branch= tag= rev= registry=! dev build target= ignore-rust-version h/help D B",
            makes: "Cargo.toml",
            ..CHANGES
        },
        Sub {
            names: "remove|rm",
            options: "dev build target= p/package~ manifest-path=> lockfile-path=> n/dry-run h/help",
            makes: "Cargo.toml",
            ..CHANGES
        },
        Sub {
            names: "new init",
            options: "vcs= bin lib edition= name= registry= h/help",
            operands: Operands::Makes,
            ..CHANGES
        },
        Sub {
            names: "install",
            options: build!(
                "version= index=! registry=! git=! branch= tag= rev= path=@ root=>> f/force n/dry-run \
                    no-track list debug"
            ),
            spelt: Spelt::Operands,
            ..PLAIN
        },
        Sub {
            names: "uninstall",
            options: "p/package~ bin= root=>> h/help",
            spelt: Spelt::Operands,
            ..PLAIN
        },
        Sub {
            names: "package publish",
            options: build!(
                "l/list no-verify no-metadata allow-dirty n/dry-run exclude-lockfile index=! registry=! \
                    token="
            ),
            ..CHANGES
        },
        Sub {
            names: "vendor",
            options: "s/sync=@ no-delete respect-source-config versioned-dirs",
            operands: Operands::Makes,
            ..CHANGES
        },
        Sub { names: "report", options: MANIFEST, ..CHANGES },
        Sub { names: "nextest+run nextest+list", is_lax: true, options: OTHER, ..PLAIN },
        Sub { names: "nextest llvm-cov hack watch insta", ..OTHER_BY_TWO },
    ],
    other: Sub { is_lax: true, spelt: Spelt::Sub, options: OTHER, ..PLAIN },
    alone: Spelt::Nothing,
};

/// A program of its own, `cargo-X`: what may make it run or write something else.
const OTHER: &str = "manifest-path=@ target-dir=>> config-file=! tool-config-file=! lockfile-path=> root=>> runner=! exec=! \
    x=! s/shell=! archive-file=! workspace-remap=! extract-to=>> output-path=> output-dir=>> path=@ git=!";

const OTHER_BY_TWO: Sub = Sub { is_lax: true, spelt: Spelt::Operand, options: OTHER, ..PLAIN };

pub(super) fn meaning(words: &[Word]) -> Meaning {
    let toolchain = words.get(1).filter(|word| word.start().starts_with('+'));
    let mut meaning = match toolchain {
        Some(toolchain) => chosen(words, toolchain),
        None if words.get(1).and_then(Word::literal) == Some("help") => help(words),
        None => CARGO.meaning(words),
    };
    // rustup starts the toolchain that the directory names, whatever is asked of it.
    if meaning.pin.is_none() {
        runs_at(&mut meaning, &here());
    }
    meaning
}

/// `cargo +nightly test`: an installed toolchain changes nothing, a path is a program that anyone may have written.
fn chosen(words: &[Word], toolchain: &Word) -> Meaning {
    let plain: Vec<Word> = words.iter().take(1).chain(&words[2..]).cloned().collect();
    let mut meaning = match plain.get(1).and_then(Word::literal) {
        Some("help") => help(&plain),
        _ => CARGO.meaning(&plain),
    };
    let is_name = |text: &str| is_toolchain(&text[1..]);
    if toolchain.literal().is_some_and(is_name) {
        let short = meaning.pin;
        // The words move on by one.
        if let Some(Pin::Words(count)) = &mut meaning.pin {
            *count += usize::from(*count > 1);
        }
        meaning.core.get_or_insert_with(|| told_apart(plain, short));
        return meaning;
    }
    let after: Vec<Word> = plain.into_iter().chain([toolchain.clone()]).collect();
    meaning.opaque(Pin::Everything, CHOSEN);
    meaning.core = Some(told_apart(after, Some(Pin::Everything)));
    meaning
}

/// `cargo help test` shows a page. Of what is no subcommand of cargo's own, the program itself is asked.
fn help(words: &[Word]) -> Meaning {
    let own = |name: &str| CARGO.subs.iter().any(|sub| !sub.is_lax && sub.usual(name).is_some());
    match words.get(2).map(|word| word.literal()) {
        None => Meaning::default(),
        Some(Some(name)) if own(name) && words.len() == 3 => Meaning::default(),
        Some(Some(_)) if words.len() == 3 => {
            Meaning::code(Pin::Words(3), "`cargo help` asks the program of that name")
        }
        Some(_) => Meaning::code(Pin::Everything, "`cargo help` asks the program of that name"),
    }
}

const RUSTUP: Project = Project {
    dialect: Dialect::Exact,
    cuts_names: false,
    harmless: "v/verbose q/quiet",
    options: "h/help V/version",
    subs: &[
        Sub { names: "show check", options: "v installed", ..TELLS },
        Sub { names: "which", options: "toolchain=%", ..TELLS },
        Sub {
            names: "toolchain+list target+list component+list override+list",
            options: "toolchain=% installed",
            ..TELLS
        },
        Sub { names: "doc", options: "path", ..CHANGES },
        Sub { names: "run", options: "install", spelt: Spelt::Operand, operands: Operands::Script, ..PLAIN },
    ],
    other: Sub { is_lax: true, spelt: Spelt::Operand, options: "path=!", ..PLAIN },
    alone: Spelt::Nothing,
};

/// `rustup run nightly cargo test` is `cargo test` with another toolchain.
pub(super) fn rustup(words: &[Word]) -> Meaning {
    let meaning = RUSTUP.meaning(words);
    let place = RUSTUP.operand(words, 1).filter(|at| words[*at].literal() == Some("run"));
    let chosen = place.and_then(|at| RUSTUP.operand(words, at + 1));
    match chosen {
        Some(at) if words[at].literal().is_some_and(is_toolchain) => {
            let inner = (at + 1 < words.len()).then_some(at + 1);
            delegate::within(words, inner, meaning, Inner::Same)
        }
        Some(_) => {
            let mut meaning = meaning;
            meaning.opaque(Pin::Everything, CHOSEN);
            meaning
        }
        None => meaning,
    }
}

const CHOSEN: &str = "a toolchain is chosen by its path, and its programs run";

/// The name of one that is installed.
fn is_toolchain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_'))
}
