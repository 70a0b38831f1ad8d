//! The small projects of the tests with real language servers, one per server, and what is true of them.
//!
//! They say the same in five languages: a function that joins two ropes, and some places that use it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::paths;

/// The folder that has one folder for each.
const FOLDER: &str = "crates/bowline-workspace/tests/real_servers/projects";

pub(crate) struct Project {
    /// Its language, by which the server is asked for; also the name of its folder.
    pub(crate) language: &'static str,
    pub(crate) server: &'static str,
    /// Where [`crate::servers::environment`] says that the server is.
    pub(crate) variable: &'static str,
    pub(crate) arguments: &'static [&'static str],
    /// Where the function is declared: a file, and a text of it with `@@` before the place.
    pub(crate) declaration: (&'static str, &'static str),
    /// Where it is used, likewise. No letter outside ASCII is before it: that is for tests.
    pub(crate) usage: (&'static str, &'static str),
    /// In the file where it is declared: something that has an implementation.
    pub(crate) interface: &'static str,
    /// In the file where it is used: what is read of a rope.
    pub(crate) member: &'static str,
    /// Every use, the declaration left out.
    pub(crate) uses: &'static [&'static str],
    /// What the function is called.
    pub(crate) name: &'static str,
    /// A file that nothing else depends on; it has no errors.
    pub(crate) main: &'static str,
    /// A line that changes nothing.
    pub(crate) comment: &'static str,
    /// An error, when it stands at the end of `main`.
    pub(crate) mistake: &'static str,
    /// A new file, with its use of the function in the last line.
    pub(crate) newcomer: (&'static str, &'static str),
}

pub(crate) const PROJECTS: [Project; 5] = [
    Project {
        language: "go",
        server: "gopls",
        variable: "BOWLINE_SERVER_GOPLS",
        arguments: &[],
        declaration: ("rope/rope.go", "func @@Splice("),
        usage: ("knots/knots.go", "return rope.@@Splice("),
        interface: "type @@Knot ",
        member: "line.@@Metres",
        uses: &["knots/knots.go:16", "knots/with #1 100%.go:7", "main.go:17", "rope/rope_test.go:6"],
        name: "Splice",
        main: "main.go",
        comment: "// It holds.\n",
        mistake: "\nvar wrong int = \"text\"\n",
        newcomer: (
            "knots/new.go",
            "package knots\n\nimport \"example.com/rigging/rope\"\n\nvar made = rope.Splice\n",
        ),
    },
    Project {
        language: "python",
        server: "pyright",
        variable: "BOWLINE_SERVER_PYRIGHT",
        arguments: &["--stdio"],
        declaration: ("rope.py", "def @@splice("),
        usage: ("knots.py", "return @@splice("),
        interface: "class @@Knot(",
        member: "rope.@@metres",
        uses: &[
            "knots.py:3",
            "knots.py:18",
            "main.py:2",
            "main.py:12",
            "odd names/with #1 100%.py:3",
            "odd names/with #1 100%.py:7",
            "test_rope.py:3",
            "test_rope.py:8",
        ],
        name: "splice",
        main: "main.py",
        comment: "# It holds.\n",
        mistake: "\nwrong: int = \"text\"\n",
        newcomer: ("new.py", "from rope import splice\n\nmade = splice\n"),
    },
    Project {
        language: "typescript",
        server: "typescript",
        variable: "BOWLINE_SERVER_TYPESCRIPT",
        arguments: &["--stdio"],
        declaration: ("src/rope.ts", "export function @@splice("),
        usage: ("src/knots.ts", "return @@splice("),
        interface: "interface @@Knot ",
        member: "rope.@@metres",
        uses: &[
            "src/knots.ts:1",
            "src/knots.ts:16",
            "src/main.ts:3",
            "src/main.ts:11",
            "src/odd names/with #1 100%.ts:1",
            "src/odd names/with #1 100%.ts:5",
            "src/rope.test.ts:1",
            "src/rope.test.ts:3",
        ],
        name: "splice",
        main: "src/main.ts",
        comment: "// It holds.\n",
        mistake: "\nexport const wrong: number = \"text\";\n",
        newcomer: ("src/new.ts", "import { splice } from \"./rope\";\n\nexport const made = splice;\n"),
    },
    Project {
        language: "cpp",
        server: "clangd",
        variable: "BOWLINE_SERVER_CLANGD",
        arguments: &[],
        declaration: ("rope.hpp", "\nRope @@splice("),
        usage: ("knots.hpp", "return @@splice("),
        interface: "class @@Knot ",
        member: "rope.@@metres",
        uses: &["knots.hpp:15", "main.cpp:11", "odd names/with #1 100%.cpp:5", "rope_test.cpp:4"],
        name: "splice",
        main: "main.cpp",
        comment: "// It holds.\n",
        mistake: "\nint wrong = \"text\";\n",
        newcomer: ("new.cpp", "#include \"rope.hpp\"\n\nauto made = rigging::splice;\n"),
    },
    Project {
        language: "rust",
        server: "rust-analyzer",
        variable: "BOWLINE_SERVER_RUST_ANALYZER",
        arguments: &[],
        declaration: ("src/rope.rs", "pub fn @@splice("),
        usage: ("src/knots.rs", "    @@splice("),
        interface: "trait @@Knot ",
        member: "rope.@@metres",
        uses: &[
            "src/knots.rs:3",
            "src/knots.rs:20",
            "src/main.rs:2",
            "src/main.rs:11",
            "src/odd names/with #1 100%.rs:3",
            "src/odd names/with #1 100%.rs:7",
            "tests/rope.rs:1",
            "tests/rope.rs:5",
        ],
        name: "splice",
        main: "src/main.rs",
        comment: "// It holds.\n",
        // One that the server finds by itself; most are left to the compiler.
        mistake: "\nfn wrong() -> u32 {\n    \"text\"\n}\n",
        newcomer: ("src/new.rs", "use crate::rope::splice;\n"),
    },
];

/// A project that may be changed at will.
pub(crate) struct Replica {
    pub(crate) project: &'static Project,
    pub(crate) root: PathBuf,
    pub(crate) declaration: Place,
    pub(crate) usage: Place,
    /// How many lines that file has. Some servers refuse a range that goes beyond.
    pub(crate) usage_lines: usize,
    /// What the function is told where it is used.
    pub(crate) argument: Place,
    pub(crate) interface: Place,
    pub(crate) member: Place,
    /// The text of `main` as it was.
    pub(crate) clean: String,
}

/// From 1, as people count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Project {
    /// Copies it into a folder of its own below this one.
    pub(crate) fn copy_to(&'static self, folder: &Path) -> Result<Replica> {
        let root = folder.join(self.language);
        copy(&paths::root().join(FOLDER).join(self.language), &root)
            .with_context(|| format!("cannot copy the {} project", self.language))?;
        if self.language == "cpp" {
            std::fs::write(root.join("compile_commands.json"), compile_commands(&root).to_string())?;
        }
        let usage = place(&root, self.usage)?;
        Ok(Replica {
            project: self,
            declaration: place(&root, self.declaration)?,
            argument: Place { column: usage.column + self.name.len() + "(".len(), ..usage.clone() },
            usage_lines: std::fs::read_to_string(&usage.file)?.lines().count(),
            usage,
            interface: place(&root, (self.declaration.0, self.interface))?,
            member: place(&root, (self.usage.0, self.member))?,
            clean: std::fs::read_to_string(root.join(self.main))?,
            root,
        })
    }

    /// As both programs are told of it on their command lines: `go:/usr/bin/gopls,-v`.
    pub(crate) fn spec(&self, program: &str) -> String {
        let words: Vec<&str> = std::iter::once(program).chain(self.arguments.iter().copied()).collect();
        format!("{}:{}", self.language, words.join(","))
    }
}

impl Replica {
    pub(crate) fn main(&self) -> PathBuf {
        self.root.join(self.project.main)
    }

    /// `file:line`, as uses are written.
    pub(crate) fn short(&self, file: &str, line: u64) -> String {
        let file = Path::new(file);
        format!("{}:{line}", file.strip_prefix(&self.root).unwrap_or(file).display())
    }
}

/// The place that a text with `@@` in it means.
fn place(root: &Path, (file, pattern): (&str, &str)) -> Result<Place> {
    let path = root.join(file);
    let text = std::fs::read_to_string(&path)?;
    let (line, column) = place_in(&text, pattern).with_context(|| format!("no `{pattern}` in {file}"))?;
    Ok(Place { file: path, line, column })
}

fn place_in(text: &str, pattern: &str) -> Option<(usize, usize)> {
    let (before, after) = pattern.split_once("@@")?;
    let at = text.find(&format!("{before}{after}"))? + before.len();
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    Some((text[..at].matches('\n').count() + 1, text[line_start..at].encode_utf16().count() + 1))
}

/// clangd knows the files that are named here. The paths are those of the copy, so it is not kept with the project.
fn compile_commands(root: &Path) -> Value {
    let files = ["main.cpp", "rope.cpp", "rope_test.cpp", "odd names/with #1 100%.cpp"];
    let command = |file: &&str| {
        let arguments = ["clang++", "-std=c++17", "-Wall", "-Wextra", "-I.", file];
        json!({ "directory": root, "file": file, "arguments": arguments })
    };
    files.iter().map(command).collect()
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            std::fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projects_are_as_is_said_here() {
        let folder = tempfile::tempdir().unwrap();
        for project in &PROJECTS {
            let copy = project.copy_to(folder.path()).unwrap();
            for place in project.uses {
                let (file, line) = place.rsplit_once(':').unwrap();
                let text = std::fs::read_to_string(copy.root.join(file)).unwrap();
                let line = text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
                assert!(line.contains(project.name), "{place}: {line}");
            }
            assert!(project.newcomer.1.lines().last().unwrap().contains(project.name));
        }
    }

    #[test]
    fn places_are_counted_from_one_in_utf_16() {
        assert_eq!(place_in("a\n😀 b(c)\n", "b(@@c"), Some((2, 6)));
        assert_eq!(place_in("a", "@@a"), Some((1, 1)));
        assert_eq!(place_in("a", "@@b"), None);
    }
}
