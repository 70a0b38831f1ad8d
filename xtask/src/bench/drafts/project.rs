//! The generated project: libraries, each with files that call it. The same on every machine.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// How much of everything there is.
#[derive(Debug, Clone, Copy)]
pub(in crate::bench) struct Shape {
    pub(in crate::bench) libraries: usize,
    /// Files that call each library.
    pub(in crate::bench) users: usize,
    /// Of each library, and of each file that calls it.
    pub(in crate::bench) functions: usize,
}

const USUAL: Shape = Shape { libraries: 10, users: 14, functions: 5 };
/// The library that is edited, if there are so many.
const EDITED: usize = 3;

pub(in crate::bench) struct Language {
    pub(in crate::bench) name: &'static str,
    pub(in crate::bench) server: &'static str,
    pub(in crate::bench) variable: &'static str,
    arguments: &'static [&'static str],
    /// Everything but the files that are compared: what makes it a project.
    frame: fn(&Path, Shape) -> Vec<(String, String)>,
    /// Where a library is declared, and where its functions have their bodies.
    library: fn(usize, Shape) -> Vec<(String, String)>,
    user: fn(usize, usize, Shape) -> (String, String),
    /// Whether a body may tell its users something: then they are looked at whatever is edited.
    is_open: bool,
    /// What stands once in the last file of a library, and what is as good in its place, and what is not.
    pub(in crate::bench) body: [&'static str; 3],
    /// What stands once in the first file of a library, and what breaks all who call it.
    pub(in crate::bench) signature: [&'static str; 2],
}

pub(in crate::bench) const LANGUAGES: [Language; 5] = [
    Language {
        name: "go",
        server: "gopls",
        variable: "BOWLINE_SERVER_GOPLS",
        arguments: &[],
        frame: |_, _| vec![("go.mod".into(), "module example.com/drafts\n\ngo 1.22\n".into())],
        library: |number, shape| {
            let function = |call| {
                format!(
                    "\n// Fathom{call} is one of many.\nfunc Fathom{call}(depth int) int {{\n\treturn depth + {call}\n}}\n"
                )
            };
            let text = format!("// Package lib{number:02} is called.\npackage lib{number:02}\n");
            vec![(format!("lib{number:02}/lib.go"), text + &all(shape, function))]
        },
        user: |library, number, shape| {
            let function = |call| {
                format!(
                    "\nfunc SoundF{number:02}C{call}(depth int) int {{\n\treturn lib{library:02}.Fathom{call}(depth) * 2\n}}\n"
                )
            };
            let package = format!("use{library:02}{}", if number % 2 == 0 { "a" } else { "b" });
            let text = format!("package {package}\n\nimport \"example.com/drafts/lib{library:02}\"\n");
            (format!("{package}/f{number:02}.go"), text + &all(shape, function))
        },
        is_open: false,
        body: ["depth + 0", "depth + 9", "\"deep\""],
        signature: ["Fathom0(depth int)", "Fathom0(depth int, more int)"],
    },
    Language {
        name: "python",
        server: "pyright",
        variable: "BOWLINE_SERVER_PYRIGHT",
        arguments: &["--stdio"],
        frame: |_, _| vec![("pyrightconfig.json".into(), "{}\n".into())],
        library: |number, shape| {
            let function = |call| {
                format!(
                    "\n\ndef fathom{call}(depth: int) -> int:\n    \"\"\"One of many.\"\"\"\n    return depth + {call}\n"
                )
            };
            vec![(
                format!("lib{number:02}.py"),
                format!("\"\"\"It is called.\"\"\"\n{}", all(shape, function)),
            )]
        },
        user: |library, number, shape| {
            let function = |call| {
                format!(
                    "\n\ndef sound{call}(depth: int) -> int:\n    return lib{library:02}.fathom{call}(depth) * 2\n"
                )
            };
            let text = format!("import lib{library:02}\n");
            (format!("use{library:02}/f{number:02}.py"), text + &all(shape, function))
        },
        is_open: true,
        body: ["depth + 0", "depth + 9", "\"deep\""],
        signature: ["fathom0(depth: int)", "fathom0(depth: int, more: int)"],
    },
    Language {
        name: "typescript",
        server: "typescript",
        variable: "BOWLINE_SERVER_TYPESCRIPT",
        arguments: &["--stdio"],
        frame: |_, _| {
            let settings = "{ \"compilerOptions\": { \"strict\": true, \"module\": \"ESNext\", \"moduleResolution\": \"Bundler\", \"noEmit\": true, \"types\": [] }, \"include\": [\"src\"] }\n";
            vec![("tsconfig.json".into(), settings.into())]
        },
        library: |number, shape| {
            let function = |call| {
                format!(
                    "\n/** One of many. */\nexport function fathom{call}(depth: number): number {{\n  return depth + {call};\n}}\n"
                )
            };
            vec![(format!("src/lib{number:02}.ts"), all(shape, function))]
        },
        user: |library, number, shape| {
            let function = |call| {
                format!(
                    "\nexport function sound{call}(depth: number): number {{\n  return lib.fathom{call}(depth) * 2;\n}}\n"
                )
            };
            let text = format!("import * as lib from \"../lib{library:02}\";\n");
            (format!("src/use{library:02}/f{number:02}.ts"), text + &all(shape, function))
        },
        is_open: false,
        body: ["depth + 0", "depth + 9", "\"deep\""],
        signature: ["fathom0(depth: number)", "fathom0(depth: number, more: number)"],
    },
    Language {
        name: "cpp",
        server: "clangd",
        variable: "BOWLINE_SERVER_CLANGD",
        // Without it, nobody sees an edit of a header before it is saved.
        arguments: &["--use-dirty-headers"],
        frame: |root, shape| {
            vec![("compile_commands.json".into(), compile_commands(root, shape).to_string())]
        },
        library: |number, shape| {
            let declared = all(shape, |call| format!("int fathom{call}(int depth);\n"));
            let defined = all(shape, |call| {
                format!("\nint fathom{call}(int depth) {{\n  return depth + {call};\n}}\n")
            });
            vec![
                (
                    format!("lib{number:02}.hpp"),
                    format!("#pragma once\n\nnamespace lib{number:02} {{\n{declared}}}\n"),
                ),
                (
                    format!("lib{number:02}.cpp"),
                    format!("#include \"lib{number:02}.hpp\"\n\nnamespace lib{number:02} {{\n{defined}}}\n"),
                ),
            ]
        },
        user: |library, number, shape| {
            let function = |call| {
                format!(
                    "\nint sound{call}_{library}_{number}(int depth) {{\n  return lib{library:02}::fathom{call}(depth) * 2;\n}}\n"
                )
            };
            let text = format!("#include \"lib{library:02}.hpp\"\n");
            (cpp_user(library, number), text + &all(shape, function))
        },
        is_open: false,
        body: ["depth + 0", "depth + 9", "\"deep\""],
        signature: ["fathom0(int depth)", "fathom0(int depth, int more)"],
    },
    Language {
        name: "rust",
        server: "rust-analyzer",
        variable: "BOWLINE_SERVER_RUST_ANALYZER",
        arguments: &[],
        frame: |_, shape| {
            let package =
                "[package]\nname = \"drafts\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
            let modules = (0..shape.libraries)
                .map(|number| format!("pub mod lib{number:02};\npub mod use{number:02};\n"));
            let mut frame = vec![
                ("Cargo.toml".to_owned(), package.to_owned()),
                ("src/lib.rs".to_owned(), modules.collect()),
            ];
            for library in 0..shape.libraries {
                let users = (0..shape.users).map(|number| format!("pub mod f{number:02};\n"));
                frame.push((format!("src/use{library:02}.rs"), users.collect()));
            }
            frame
        },
        library: |number, shape| {
            let function = |call| {
                format!(
                    "\n/// One of many.\npub fn fathom{call}(depth: i64) -> i64 {{\n    depth + {call}\n}}\n"
                )
            };
            vec![(format!("src/lib{number:02}.rs"), all(shape, function))]
        },
        user: |library, number, shape| {
            let function = |call| {
                format!(
                    "\npub fn sound{call}(depth: i64) -> i64 {{\n    lib{library:02}::fathom{call}(depth) * 2\n}}\n"
                )
            };
            let text = format!("use crate::lib{library:02};\n");
            (format!("src/use{library:02}/f{number:02}.rs"), text + &all(shape, function))
        },
        is_open: false,
        body: ["depth + 0", "depth + 9", "\"deep\""],
        signature: ["fathom0(depth: i64)", "fathom0(depth: i64, more: i64)"],
    },
];

fn all(shape: Shape, function: impl Fn(usize) -> String) -> String {
    (0..shape.functions).map(function).collect()
}

fn cpp_user(library: usize, number: usize) -> String {
    format!("use{library:02}/f{number:02}.cpp")
}

fn compile_commands(root: &Path, shape: Shape) -> Value {
    let users = (0..shape.libraries)
        .flat_map(|library| (0..shape.users).map(move |number| cpp_user(library, number)));
    let files = (0..shape.libraries).map(|number| format!("lib{number:02}.cpp")).chain(users);
    let command = |file: String| {
        let arguments = ["clang++", "-std=c++17", "-Wall", "-I.", &file];
        json!({ "directory": root, "file": file, "arguments": arguments })
    };
    files.map(command).collect()
}

/// What is edited, and what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bench) enum Kind {
    /// Nothing is wrong with it. Whoever calls every edit dangerous is found out.
    Harmless,
    /// A body that does not fit its type.
    Mistake,
    /// A parameter more; all who call it are in other files.
    Signature,
}

pub(super) const KINDS: [Kind; 3] = [Kind::Harmless, Kind::Mistake, Kind::Signature];

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Harmless => "harmless",
            Self::Mistake => "error in a body",
            Self::Signature => "new parameter",
        }
    }
}

/// One edit of one file.
pub(in crate::bench) struct Edit {
    pub(super) kind: Kind,
    pub(in crate::bench) file: PathBuf,
    pub(in crate::bench) before: String,
    pub(super) after: String,
    /// From 1: where the old text is.
    pub(in crate::bench) line: usize,
    pub(in crate::bench) columns: (usize, usize),
    new_text: &'static str,
    /// Other files that can tell. All but those of the library are broken by a new parameter.
    pub(in crate::bench) others: Vec<PathBuf>,
    /// So many errors at least, each in a file of its own.
    pub(super) breaks: usize,
}

impl Edit {
    /// As both programs are asked about it.
    pub(super) fn arguments(&self, project: &Generated) -> Value {
        json!({
            "workspace_root": project.root, "language": project.language.name, "file_path": self.file,
            "start_line": self.line, "start_column": self.columns.0,
            "end_line": self.line, "end_column": self.columns.1, "new_text": self.new_text,
        })
    }

    pub(super) fn is_safe(&self) -> bool {
        self.kind == Kind::Harmless
    }
}

pub(in crate::bench) struct Generated {
    pub(in crate::bench) language: &'static Language,
    pub(in crate::bench) root: PathBuf,
    shape: Shape,
}

impl Language {
    pub(super) fn command_line<'a>(&self, program: &'a str) -> impl Iterator<Item = &'a str> {
        std::iter::once(program).chain(self.arguments.iter().copied())
    }

    pub(super) fn arguments(&self) -> &'static [&'static str] {
        self.arguments
    }

    /// As both programs are told of it on their command lines.
    pub(in crate::bench) fn spec(&self, program: &str) -> String {
        format!("{}:{}", self.name, self.command_line(program).collect::<Vec<_>>().join(","))
    }
}

impl Generated {
    pub(super) fn write(language: &'static Language, root: &Path) -> Result<Self> {
        Self::shaped(language, root, USUAL)
    }

    pub(in crate::bench) fn shaped(language: &'static Language, root: &Path, shape: Shape) -> Result<Self> {
        let mut files = (language.frame)(root, shape);
        for library in 0..shape.libraries {
            files.extend((language.library)(library, shape));
            files.extend((0..shape.users).map(|number| (language.user)(library, number, shape)));
        }
        for (file, text) in files {
            let path = root.join(file);
            let folder = path.parent().context("a file is in a folder")?;
            std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text))?;
        }
        Ok(Self { language, root: root.to_owned(), shape })
    }

    pub(in crate::bench) fn edit(&self, kind: Kind) -> Result<Edit> {
        let (language, shape) = (self.language, self.shape);
        let edited = EDITED.min(shape.libraries.saturating_sub(1));
        let library = (language.library)(edited, shape);
        let [body, harmless, wrong] = language.body;
        let [signature, longer] = language.signature;
        let (place, old, new) = match kind {
            Kind::Harmless => (library.last(), body, harmless),
            Kind::Mistake => (library.last(), body, wrong),
            Kind::Signature => (library.first(), signature, longer),
        };
        let (file, before) = place.context("a library has a file")?.clone();
        let at = before.find(old).with_context(|| format!("no `{old}` in {file}"))?;
        let line_start = before[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let column = at - line_start + 1;
        let users = (0..shape.users).map(|number| (language.user)(edited, number, shape).0);
        let own = library.iter().map(|(file, _)| file.clone()).filter(|own| *own != file);
        let reached = own.chain(users).filter(|_| kind == Kind::Signature || language.is_open);
        let others = reached.map(|file| self.root.join(file)).collect();
        Ok(Edit {
            kind,
            file: self.root.join(&file),
            after: before.replacen(old, new, 1),
            line: before[..at].matches('\n').count() + 1,
            columns: (column, column + old.len()),
            new_text: new,
            others,
            breaks: match kind {
                Kind::Harmless => 0,
                Kind::Mistake => 1,
                Kind::Signature => shape.users,
            },
            before,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_where_they_are_said_to_be() {
        let folder = tempfile::tempdir().unwrap();
        for language in &LANGUAGES {
            let project = Generated::write(language, &folder.path().join(language.name)).unwrap();
            for kind in KINDS {
                let edit = project.edit(kind).unwrap();
                let text = std::fs::read_to_string(&edit.file).unwrap();
                assert_eq!(text, edit.before);
                assert_ne!(edit.before, edit.after);
                let line = text.lines().nth(edit.line - 1).unwrap();
                let old = &line[edit.columns.0 - 1..edit.columns.1 - 1];
                assert_eq!(text.matches(old).count(), 1, "{}: {old}", language.name);
                assert!(edit.others.iter().all(|file| file.exists() && *file != edit.file));
                assert_eq!(edit.others.is_empty(), kind != Kind::Signature && !language.is_open);
            }
        }
    }
}
