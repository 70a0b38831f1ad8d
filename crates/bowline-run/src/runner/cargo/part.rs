//! Which tests a part of a package means: a target of cargo's, and names for the harness inside it.

use std::ffi::OsString;
use std::path::Path;

use crate::folder::Folder;
use crate::project::{Project, Target};

/// So many modules of one file are thought of.
const MOST_MODULES: usize = 32;

/// What marks tests that are several: each has a name of its own below the one that is written.
const SEVERAL: [&str; 4] = ["#[rstest", "#[case", "#[values", "#[test_case"];

pub(super) fn words(project: &Project<'_>, target: &Target) -> Vec<OsString> {
    let inside = target.path.strip_prefix(project.dir).unwrap_or(Path::new(""));
    let parts: Vec<&str> = inside.iter().filter_map(|part| part.to_str()).collect();
    let stem = |name: &str| name.strip_suffix(".rs").unwrap_or(name).to_owned();
    // The place of a file says its module, where it lies as cargo expects it.
    let (mut words, modules): (Vec<OsString>, Option<&[&str]>) = match parts.as_slice() {
        ["src", "lib.rs"] => (vec!["--lib".into()], Some(&[])),
        ["src", "main.rs"] => (vec!["--bins".into()], Some(&[])),
        ["src", "bin", name, rest @ ..] => (vec![format!("--bin={}", stem(name)).into()], Some(rest)),
        ["tests", name, rest @ ..] => (vec![format!("--test={}", stem(name)).into()], Some(rest)),
        ["examples", name, rest @ ..] => (vec![format!("--example={}", stem(name)).into()], Some(rest)),
        ["benches", name, rest @ ..] => (vec![format!("--bench={}", stem(name)).into()], Some(rest)),
        ["src", rest @ ..] => (Vec::new(), Some(rest)),
        _ => (Vec::new(), None),
    };
    let modules = modules.map(|names| {
        let names = names.iter().map(|name| stem(name));
        names.filter(|name| !matches!(name.as_str(), "mod" | "main")).collect::<Vec<_>>().join("::")
    });
    let filters = match (&target.test, modules) {
        (Some(test), modules) => {
            let name = target.path.file_name().and_then(|name| name.to_str()).filter(|_| !target.is_dir);
            let text = name.and_then(|name| Folder::new(target.dir()).text(name));
            modules
                .zip(text)
                .and_then(|(modules, text)| exactly(test, &modules, &text))
                .unwrap_or_else(|| vec![test.clone()])
        }
        (None, Some(modules)) if !modules.is_empty() => vec![format!("{modules}::")],
        (None, _) => Vec::new(),
    };
    if !filters.is_empty() {
        words.push("--".into());
        words.extend(filters.into_iter().map(OsString::from));
    }
    words
}

/// All names that a test of this file can have in full, so that none runs whose name only begins so. `None` if the file
/// does not say: a macro wrote the test, or it is in another file of the module.
fn exactly(test: &str, modules: &str, text: &str) -> Option<Vec<String>> {
    let name = test.rsplit("::").next().unwrap_or(test);
    if !has_function(text, name) || SEVERAL.iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let mut names = vec!["--exact".to_owned()];
    // As the harness itself calls it.
    if test.contains("::") && !modules.is_empty() {
        names.push(test.to_owned());
    }
    for inner in std::iter::once(String::new()).chain(inner_modules(text)) {
        let parts = [modules, &inner, test];
        names.push(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("::"));
    }
    Some(names)
}

fn has_function(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices("fn ").any(|(at, word)| {
        let rest = text[at + word.len()..].trim_start().strip_prefix(name);
        rest.is_some_and(|rest| !rest.starts_with(part)) && !text[..at].ends_with(part)
    })
}

/// The modules that are written out in the file, each with those around it: less indented ones.
fn inner_modules(text: &str) -> Vec<String> {
    let mut around: Vec<(usize, &str)> = Vec::new();
    let mut found = Vec::new();
    for line in text.lines() {
        let Some(name) = module(line) else { continue };
        let indent = line.len() - line.trim_start().len();
        around.retain(|(outer, _)| *outer < indent);
        around.push((indent, name));
        found.push(around.iter().map(|(_, name)| *name).collect::<Vec<_>>().join("::"));
        if found.len() == MOST_MODULES {
            break;
        }
    }
    found
}

/// `#[cfg(test)] pub(crate) mod tests {`
fn module(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (before, rest) = line.split_once("mod ")?;
    let name = rest.split('{').next().filter(|name| name.len() < rest.len())?.trim();
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (plain && !before.starts_with("//") && (before.is_empty() || before.ends_with(' '))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
fn add() {}
// mod not {
#[cfg(test)]
mod tests {
    #[test] fn sp() {}
    mod deep {
        #[test]
        fn sp2() {}
    }
    pub(crate) mod wide { fn adds() {} }
}
#[cfg(test)] mod more {
    fn other() {}
}
mod elsewhere;
";

    #[test]
    fn every_full_name_a_test_of_the_file_can_have() {
        assert_eq!(inner_modules(TEXT), ["tests", "tests::deep", "tests::wide", "more"]);
        assert_eq!(
            exactly("sp", "", TEXT).unwrap(),
            ["--exact", "sp", "tests::sp", "tests::deep::sp", "tests::wide::sp", "more::sp"]
        );
        assert_eq!(
            exactly("tests::sp", "foo::bar", "mod tests {\n    fn sp() {}\n}\n").unwrap(),
            ["--exact", "tests::sp", "foo::bar::tests::sp", "foo::bar::tests::tests::sp"]
        );
    }

    #[test]
    fn what_the_file_does_not_say_is_not_made_exact() {
        assert_eq!(exactly("s", "", TEXT), None, "only the beginning of a name");
        assert_eq!(exactly("made", "", "make_tests!(made);"), None);
        assert_eq!(exactly("t", "", "#[rstest]\n#[case(1)]\nfn t() {}\n"), None, "`t::case_1` is meant");
    }
}
