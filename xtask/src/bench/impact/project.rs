//! The generated project: one library, and some hundred files that call it. The same on every machine.
//!
//! Every function calls one function of the library, so that a caller is one place and one name, and nothing is open
//! to interpretation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

/// Functions of the library.
pub(super) const FUNCTIONS: usize = 50;
/// With the library and the file that says what the project is, three hundred.
const CALLING_FILES: usize = 298;
const PACKAGES: usize = 30;
/// Functions in each calling file.
const CALLS: usize = 5;
/// What comes of it.
pub(super) const CALLS_IN_TESTS: usize = 290;
pub(super) const CALLS_OUTSIDE: usize = 1200;

pub(super) struct Language {
    pub(super) name: &'static str,
    pub(super) server: &'static str,
    pub(super) variable: &'static str,
    arguments: &'static [&'static str],
    library: &'static str,
    /// The file that makes it a project.
    manifest: (&'static str, &'static str),
    function: fn(usize) -> String,
    library_text: fn(&[String]) -> String,
    /// Where a calling file is, and what is in it before its functions.
    file: fn(&Calling) -> (PathBuf, String),
    caller: fn(&Calling, usize, &str) -> (String, String),
}

/// One file that calls the library.
pub(super) struct Calling {
    package: usize,
    number: usize,
    is_test: bool,
}

pub(super) const LANGUAGES: [Language; 3] = [
    Language {
        name: "go",
        server: "gopls",
        variable: "BOWLINE_SERVER_GOPLS",
        arguments: &[],
        library: "lib/lib.go",
        manifest: ("go.mod", "module example.com/reach\n\ngo 1.22\n"),
        function: |number| format!("Fathom{number:02}"),
        library_text: |functions| {
            let each = |name: &String| {
                format!(
                    "\n// {name} is one of many.\nfunc {name}(depth int) int {{\n\treturn depth + {}\n}}\n",
                    name.len()
                )
            };
            format!(
                "// Package lib is what all others call.\npackage lib\n{}",
                functions.iter().map(each).collect::<String>()
            )
        },
        file: |calling| {
            let Calling { package, number, is_test } = calling;
            let ending = if *is_test { "_test" } else { "" };
            let testing = if *is_test { "\t\"testing\"\n\n" } else { "" };
            (
                format!("p{package:02}/f{number:02}{ending}.go").into(),
                format!("package p{package:02}\n\nimport (\n{testing}\t\"example.com/reach/lib\"\n)\n"),
            )
        },
        caller: |calling, call, function| {
            let Calling { package, number, is_test } = calling;
            if *is_test {
                let name = format!("TestP{package:02}F{number:02}C{call}");
                let text = format!(
                    "\nfunc {name}(t *testing.T) {{\n\tif lib.{function}(1) == 0 {{\n\t\tt.Fatal(\"shallow\")\n\t}}\n}}\n"
                );
                (name, text)
            } else {
                let name = format!("SoundF{number:02}C{call}");
                let text =
                    format!("\nfunc {name}(depth int) int {{\n\treturn lib.{function}(depth) * 2\n}}\n");
                (name, text)
            }
        },
    },
    Language {
        name: "python",
        server: "pyright",
        variable: "BOWLINE_SERVER_PYRIGHT",
        arguments: &["--stdio"],
        library: "lib.py",
        manifest: ("pyrightconfig.json", "{}\n"),
        function: |number| format!("fathom{number:02}"),
        library_text: |functions| {
            let each = |name: &String| {
                format!(
                    "\n\ndef {name}(depth: int) -> int:\n    \"\"\"One of many.\"\"\"\n    return depth + {}\n",
                    name.len()
                )
            };
            format!("\"\"\"What all others call.\"\"\"\n{}", functions.iter().map(each).collect::<String>())
        },
        file: |calling| {
            let Calling { package, number, is_test } = calling;
            let beginning = if *is_test { "test_" } else { "" };
            (format!("p{package:02}/{beginning}f{number:02}.py").into(), "import lib\n".into())
        },
        caller: |calling, call, function| {
            let Calling { package, number, is_test } = calling;
            let (name, body) = if *is_test {
                (format!("test_p{package:02}_f{number:02}_c{call}"), format!("assert lib.{function}(1)"))
            } else {
                (format!("sound_f{number:02}_c{call}"), format!("return lib.{function}(2) * 2"))
            };
            let text = format!("\n\ndef {name}():\n    {body}\n");
            (name, text)
        },
    },
    Language {
        name: "typescript",
        server: "typescript",
        variable: "BOWLINE_SERVER_TYPESCRIPT",
        arguments: &["--stdio"],
        library: "src/lib.ts",
        manifest: (
            "tsconfig.json",
            "{ \"compilerOptions\": { \"strict\": true, \"module\": \"ESNext\", \"moduleResolution\": \"Bundler\", \"noEmit\": true, \"types\": [] }, \"include\": [\"src\"] }\n",
        ),
        function: |number| format!("fathom{number:02}"),
        library_text: |functions| {
            let each = |name: &String| {
                format!(
                    "\n/** One of many. */\nexport function {name}(depth: number): number {{\n  return depth + {};\n}}\n",
                    name.len()
                )
            };
            functions.iter().map(each).collect()
        },
        file: |calling| {
            let Calling { package, number, is_test } = calling;
            let ending = if *is_test { ".test" } else { "" };
            (
                format!("src/p{package:02}/f{number:02}{ending}.ts").into(),
                "import * as lib from \"../lib\";\n".into(),
            )
        },
        caller: |calling, call, function| {
            let Calling { package, number, is_test } = calling;
            let name = if *is_test {
                format!("testP{package:02}F{number:02}C{call}")
            } else {
                format!("soundF{number:02}C{call}")
            };
            let text = format!(
                "\nexport function {name}(depth: number): number {{\n  return lib.{function}(depth) * 2;\n}}\n"
            );
            (name, text)
        },
    },
];

impl Language {
    /// As both programs are told of it on their command lines.
    pub(super) fn spec(&self, program: &str) -> String {
        let words: Vec<&str> = std::iter::once(program).chain(self.arguments.iter().copied()).collect();
        format!("{}:{}", self.name, words.join(","))
    }
}

/// Who calls what: the function of the library, the file, the caller.
type Call = (String, PathBuf, String);

pub(super) struct Generated {
    pub(super) root: PathBuf,
    language: &'static Language,
    in_tests: BTreeSet<Call>,
    elsewhere: BTreeSet<Call>,
}

/// What of the truth an answer has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) symbols: usize,
    pub(super) in_tests: usize,
    pub(super) elsewhere: usize,
    /// Callers that are none.
    pub(super) false_ones: usize,
}

impl Found {
    pub(super) fn is_whole(&self) -> bool {
        *self
            == Self { symbols: FUNCTIONS, in_tests: CALLS_IN_TESTS, elsewhere: CALLS_OUTSIDE, false_ones: 0 }
    }
}

impl Generated {
    pub(super) fn write(language: &'static Language, root: &Path) -> Result<Self> {
        let mut generated =
            Self { root: root.to_owned(), language, in_tests: BTreeSet::new(), elsewhere: BTreeSet::new() };
        let functions: Vec<String> = (0..FUNCTIONS).map(language.function).collect();
        generated.put(language.manifest.0.as_ref(), language.manifest.1)?;
        generated.put(language.library.as_ref(), &(language.library_text)(&functions))?;
        for index in 0..CALLING_FILES {
            let number = index / PACKAGES;
            let calling = Calling { package: index % PACKAGES, number, is_test: number % 5 == 4 };
            let (file, mut text) = (language.file)(&calling);
            for call in 0..CALLS {
                let Some(function) = functions.get((index * 7 + call * 11) % FUNCTIONS) else { continue };
                let (caller, lines) = (language.caller)(&calling, call, function);
                text.push_str(&lines);
                let calls = if calling.is_test { &mut generated.in_tests } else { &mut generated.elsewhere };
                calls.insert((function.clone(), file.clone(), caller));
            }
            generated.put(&file, &text)?;
        }
        Ok(generated)
    }

    fn put(&self, file: &Path, text: &str) -> Result<()> {
        let path = self.root.join(file);
        let folder = path.parent().context("a file is in a folder")?;
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text))?;
        Ok(())
    }

    pub(super) fn library(&self) -> PathBuf {
        self.root.join(self.language.library)
    }

    /// What an answer of `blast_radius` has; ours and the peer's have the same form.
    pub(super) fn judge(&self, answer: &Value) -> Found {
        let of = |list: &str| -> BTreeSet<Call> {
            let symbols = answer["affected_symbols"].as_array().into_iter().flatten();
            let pairs = symbols.flat_map(|symbol| {
                let callers = symbol[list].as_array().into_iter().flatten();
                callers.map(move |caller| (symbol, caller))
            });
            pairs
                .filter_map(|(symbol, caller)| {
                    let file = Path::new(caller["file"].as_str()?);
                    let file = file.strip_prefix(&self.root).unwrap_or(file).to_owned();
                    Some((symbol["name"].as_str()?.to_owned(), file, caller["name"].as_str()?.to_owned()))
                })
                .collect()
        };
        let (tests, others) = (of("test_callers"), of("non_test_callers"));
        let right = |found: &BTreeSet<Call>, truth: &BTreeSet<Call>| found.intersection(truth).count();
        let (in_tests, elsewhere) = (right(&tests, &self.in_tests), right(&others, &self.elsewhere));
        Found {
            symbols: answer["changed_symbols"].as_array().map_or(0, Vec::len),
            in_tests,
            elsewhere,
            false_ones: tests.len() + others.len() - in_tests - elsewhere,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_projects_have_three_hundred_files_and_few_callers_of_each_function() {
        let folder = tempfile::tempdir().unwrap();
        for language in &LANGUAGES {
            let project = Generated::write(language, &folder.path().join(language.name)).unwrap();
            let files: BTreeSet<&PathBuf> =
                project.in_tests.iter().chain(&project.elsewhere).map(|(_, file, _)| file).collect();
            assert_eq!(files.len() + 2, 300);
            assert_eq!((project.in_tests.len(), project.elsewhere.len()), (CALLS_IN_TESTS, CALLS_OUTSIDE));
            // More than fifty would be counted and not listed.
            for number in 0..FUNCTIONS {
                let name = (language.function)(number);
                assert!(project.elsewhere.iter().filter(|(function, ..)| *function == name).count() < 50);
            }
        }
    }

    #[test]
    fn what_is_missing_or_false_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let project = Generated::write(&LANGUAGES[0], folder.path()).unwrap();
        let (function, file, caller) = project.elsewhere.first().unwrap();
        let right = json!({ "name": caller, "file": project.root.join(file), "line": 7 });
        let wrong = json!({ "name": "nobody", "file": project.root.join(file), "line": 7 });
        let answer = json!({
            "changed_symbols": [{ "name": function }],
            "affected_symbols": [{ "name": function, "non_test_callers": [right, wrong], "test_callers": null }],
        });
        let found = project.judge(&answer);
        assert_eq!(found, Found { symbols: 1, in_tests: 0, elsewhere: 1, false_ones: 1 });
        assert!(!found.is_whole());
    }
}
