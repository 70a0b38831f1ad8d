//! What the options and operands of such a program touch, and which of them mean that all of the command must be spelt.

use super::options::{Given, Parsed, Use};
use super::runner::{Operands, Spelt, Sub, here};
use crate::programs::meaning::last_part;
use crate::programs::{Meaning, Touched};
use crate::{Access, Creates, Filter, Word};

/// What the values of options are used for. Whether all of the command must be spelt.
pub(super) fn uses(meaning: &mut Meaning, given: &[Given]) -> bool {
    let mut is_loud = false;
    for Given { value, usage, .. } in given {
        let text = value.as_ref().and_then(Word::literal);
        match (usage, value) {
            (Use::Plain, _) => {}
            (Use::Loud, _) => is_loud = true,
            (Use::Shell, value) => {
                meaning.shell.extend(value.iter().cloned());
                is_loud = true;
            }
            (Use::Reads, Some(path)) => meaning.reads(path),
            (Use::Writes, Some(path)) => meaning.writes(path, false),
            (Use::WritesBelow, Some(path)) => fills(meaning, path),
            (Use::Executes, Some(path)) => {
                // Some take settings in place of a file that holds them.
                is_loud |= text.is_some_and(|text| text.contains(['{', '=']));
                runs_at(meaning, path);
            }
            (Use::Moves, Some(path)) => {
                is_loud |= meaning.moves_to.is_some();
                meaning.moves_to = Some(path.clone());
            }
            (Use::Name, Some(_)) => {
                is_loud |= text.is_none_or(|text| text.contains(['/', '\\']) || text.contains(".json"));
            }
            (Use::Flags, Some(_)) => is_loud |= !text.is_some_and(are_plain_flags),
            (Use::Property, Some(_)) => is_loud |= !text.is_some_and(is_plain_property),
            (Use::Plugin, Some(_)) => is_loud |= !text.is_some_and(|text| text.starts_with("no:")),
            (Use::Warning, Some(_)) => is_loud |= !text.is_some_and(is_known_warning),
            (Use::Report, Some(report)) => match report.start().split_once(':') {
                Some((format, _)) => fills(meaning, &report.after(format.len() + 1)),
                None => is_loud |= text.is_none(),
            },
            (_, None) => {}
        }
    }
    is_loud
}

/// What is touched by the operands. Whether all of the command must be spelt.
pub(super) fn operand_touches(meaning: &mut Meaning, operands: Operands, parsed: &Parsed, sub: &Sub) -> bool {
    let mut is_loud = false;
    let words = parsed.operands.iter().map(|(_, word)| word);
    let only_looks = (!sub.looks.is_empty() && parsed.has(sub.looks))
        || (!sub.writes_with.is_empty() && !parsed.has(sub.writes_with));
    for (place, word) in words.enumerate() {
        match operands {
            Operands::FromTo if place == 0 => meaning.reads(word),
            Operands::FromTo => meaning.writes(word, false),
            Operands::Makes if only_looks => meaning.reads_below(word),
            Operands::Plain | Operands::Script => {}
            Operands::None => is_loud = true,
            Operands::Targets => is_loud |= word.start().contains('='),
            Operands::Reads => {
                is_loud |= is_list(word);
                meaning.reads_below(word);
            }
            Operands::Rewrites(endings) => {
                is_loud |= is_list(word);
                let only = endings.split(' ').map(|ending| format!("*.{ending}")).collect();
                let filter = Filter { only, creates: Creates::Nothing, ..Filter::default() };
                let access = if only_looks { Access::Read } else { Access::Write };
                meaning.touch(access, word, true, filter);
                // Configuration beside the files counts, and is code.
                if sub.spelt != Spelt::Nothing {
                    runs_at(meaning, word);
                }
            }
            Operands::Makes => meaning.writes(word, true),
            Operands::Runs | Operands::Tests => {
                // Any file that is named is imported, a test or not.
                is_loud |= operands == Operands::Tests && is_other_script(word);
                is_loud |= is_list(word);
                runs_at(meaning, &before(word, &["::", "["]));
            }
            Operands::Packages | Operands::Package => {
                is_loud |=
                    word.start().trim_start_matches('@').contains('@') && operands == Operands::Package;
                let is_path = word.start().starts_with(['.', '/', '~']) || word.literal().is_none();
                if is_path {
                    runs_at(meaning, &before(word, &["/..."]));
                }
            }
        }
    }
    is_loud
}

/// `error::DeprecationWarning`: a category with a dot in it is imported from its module.
fn is_known_warning(text: &str) -> bool {
    let category = text.split(':').nth(2).unwrap_or_default();
    !category.contains('.') || category.starts_with("pytest.")
}

/// A script that is no test by its name, or one whose name is not known.
fn is_other_script(word: &Word) -> bool {
    let file = before(word, &["::", "["]);
    let name = last_part(file.start());
    if word.literal().is_none() {
        return !name.starts_with("test");
    }
    let stem = name.strip_suffix(".py");
    stem.is_some_and(|stem| !(stem.starts_with("test") || stem.ends_with("_test") || stem == "conftest"))
}

/// A directory for what the program makes. Which names it makes there follows from the sources, and is not asked of a
/// directory that is named for it; where the project itself is named, they may be those of any file.
pub(super) fn fills(meaning: &mut Meaning, path: &Word) {
    let is_named = path.literal().is_some_and(|text| {
        text.split('/').any(|part| !matches!(part, "" | "." | ".."))
            && !text.split('/').any(|part| part == "..")
    });
    let creates = if is_named { Creates::Nothing } else { Creates::Anything };
    if path.literal() != Some("") {
        meaning.touch(Access::Write, path, true, Filter { creates, ..Filter::default() });
    }
}

/// Code runs there. Once is enough.
pub(super) fn runs_at(meaning: &mut Meaning, path: &Word) {
    let is_there = |touched: &Touched| touched.access == Access::Execute && touched.path == *path;
    if !meaning.touches.iter().any(is_there) {
        meaning.executes(path);
    }
}

/// Many programs take more words, options among them, from a file: `@args`.
fn is_list(word: &Word) -> bool {
    word.start().starts_with('@')
}

/// The word up to one of these texts.
fn before(word: &Word, ends: &[&str]) -> Word {
    let Some(text) = word.literal() else { return word.clone() };
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    Word::Literal(text[..end].to_owned())
}

/// `-Dtest=FooTest`, `-DCMAKE_BUILD_TYPE=Debug`: properties that say which tests run, how much is said, or which of the project's own
/// switches are on. Others may name a program.
fn is_plain_property(text: &str) -> bool {
    const PLAIN: &[&str] = &[
        "test",
        "it.test",
        "skipTests",
        "skipITs",
        "maven.test.skip",
        "maven.javadoc.skip",
        "failIfNoTests",
        "surefire.failIfNoSpecifiedTests",
        "style.color",
        "CMAKE_BUILD_TYPE",
        "CMAKE_EXPORT_COMPILE_COMMANDS",
        "CMAKE_CXX_STANDARD",
        "CMAKE_C_STANDARD",
        "CMAKE_COLOR_DIAGNOSTICS",
        "CMAKE_VERBOSE_MAKEFILE",
    ];
    const STARTS: &[&str] = &["BUILD_", "ENABLE_", "WITH_", "USE_"];
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let name = name.split(':').next().unwrap_or_default();
    let is_switch =
        matches!(value.to_ascii_uppercase().as_str(), "ON" | "OFF" | "1" | "0" | "TRUE" | "FALSE");
    PLAIN.contains(&name) || (is_switch && STARTS.iter().any(|start| name.starts_with(start)))
}

/// `make V=1`: how much is told, by a number.
pub(super) fn only_says_how_much(word: &Word) -> bool {
    let set = word.literal().and_then(|text| text.split_once('='));
    set.is_some_and(|(name, value)| {
        matches!(name, "V" | "VERBOSE")
            && value.len() == 1
            && value.starts_with(|it: char| it.is_ascii_digit())
    })
}

/// Flags for a compiler or linker that choose how it works, and no program or file.
fn are_plain_flags(text: &str) -> bool {
    const PLAIN: &[&str] = &["-s", "-w", "-N", "-l", "-m", "-m=2", "-S"];
    let text = text.strip_prefix("all=").unwrap_or(text);
    let mut tokens = text.split_ascii_whitespace();
    while let Some(token) = tokens.next() {
        let is_plain = match token {
            "-X" => tokens.next().is_some_and(|set| set.contains('=')),
            _ => PLAIN.contains(&token) || token.starts_with("-X="),
        };
        if !is_plain {
            return false;
        }
    }
    true
}

/// A file that the repository holds is written, wherever in it the program runs.
pub(super) fn renews(meaning: &mut Meaning, file: &str) {
    let filter = Filter {
        only: vec![file.to_owned()],
        tracked_only: true,
        may_be_fewer: true,
        creates: Creates::Nothing,
        ..Filter::default()
    };
    meaning.touch(Access::Write, &here(), true, filter);
}
