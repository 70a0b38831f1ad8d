//! The workspace with real language servers, which `cargo xtask test` installs. Each language has a small project in
//! `projects/`; every test works on a copy of its own. A server that is missing fails its test.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests make and damage files on purpose, and fail by panicking"
)]

mod clangd;
mod gopls;
mod pyright;
mod rust_analyzer;
mod scope;
mod toolchains;
mod typescript;
mod verdicts;

use std::path::{Path, PathBuf};
use std::time::Duration;

use bowline_code::{Encoding, LineTable, Position, Severity};
use bowline_lsp::known::KNOWN;
use bowline_lsp::{Reach, ServerSpec, environment};
use bowline_workspace::{Found, Options, Patience, References, ServerOptions, Workspace};

/// Cold servers on two busy cores take their time.
const PATIENCE: Duration = Duration::from_secs(180);

/// One language: its server, and what in its project is asked about.
struct Case {
    language: &'static str,
    /// Where `cargo xtask test` says that the server is.
    variable: &'static str,
    project: &'static str,
    /// The file that declares the function which everything uses, and the text before its name.
    library: (&'static str, &'static str),
    /// The file whose line has letters outside ASCII before the use.
    main: &'static str,
    /// What the function is called.
    name: &'static str,
    /// Where it is used, the declaration left out.
    uses: &'static [&'static str],
    /// A wrong line for `main`, and what must be found there.
    mistake: &'static str,
    /// How to break every caller: a text of the library and what to put in its place.
    breaking: (&'static str, &'static str),
    /// A new file with a use.
    newcomer: (&'static str, &'static str),
    /// A file that must name the new one, and how, where the language asks for that.
    named_in: Option<(&'static str, &'static str)>,
}

/// A workspace on a copy of the project.
struct Bench {
    case: Case,
    root: PathBuf,
    workspace: Workspace,
    _directory: tempfile::TempDir,
}

impl Bench {
    fn new(case: Case) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap().join(case.project);
        let from =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real_servers/projects").join(case.project);
        copy(&from, &root);
        if case.project == "cpp" {
            write_compile_commands(&root);
        }
        let program = std::env::var(case.variable).unwrap_or_else(|_| {
            panic!("`{}` is not set: `cargo xtask test` installs the servers and sets it", case.variable)
        });
        let known = KNOWN.iter().find(|known| known.language == case.language).expect("a known language");
        let mut spec = ServerSpec::from_known(known);
        let Reach::Program { args, .. } = spec.reach else { panic!("a program") };
        spec.reach = Reach::Program { program, args };
        spec.asked_for = true;
        let environment = environment::allowed(std::env::vars_os());
        let workspace = Workspace::new(Options::default(), vec![root.clone()], None)
            .unwrap()
            .with_servers(ServerOptions { specs: vec![spec], environment });
        Self { case, root, workspace, _directory: directory }
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.root.join(file)).unwrap()
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.root.join(file), text).unwrap();
    }

    /// The place behind a text in a file.
    fn after(&self, file: &str, before: &str) -> Position {
        let text = self.read(file);
        let at = text.find(before).unwrap_or_else(|| panic!("`{before}` in {file}")) + before.len();
        LineTable::new(&text).position(&text, at, Encoding::Utf16)
    }

    async fn references(&self) -> Found<References> {
        let (file, before) = self.case.library;
        let at = self.after(file, before);
        self.workspace.references(Path::new(file), at, false, &patience()).await.unwrap()
    }

    /// `file:line` of every use, by a server that has seen everything.
    async fn uses(&self) -> Vec<String> {
        let found = self.references().await;
        assert_eq!((found.engine.as_str(), found.indexed, found.note.clone()), ("server", true, None));
        found
            .value
            .places
            .iter()
            .map(|place| format!("{}:{}", place.file.strip_prefix(&self.root).unwrap().display(), place.line))
            .collect()
    }

    /// The errors in a file, with the evidence.
    async fn errors(&self, file: &str) -> Vec<String> {
        let found = self.workspace.diagnostics(&[file.into()], &patience()).await.unwrap();
        let (diagnostics, _) = found.files[0].known.as_ref().unwrap();
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
        errors.map(|found| format!("{}: {}", found.span.start.line, found.message)).collect()
    }
}

fn patience() -> Patience<'static> {
    Patience { deadline: Some(std::time::Instant::now() + PATIENCE), ..Patience::default() }
}

/// clangd indexes what is named here. The paths are those of the copy, so it cannot be kept with the project.
fn write_compile_commands(root: &Path) {
    let files = ["main.cpp", "rope.cpp", "rope_test.cpp", "odd names/with #1 100%.cpp"];
    let command = |file: &str| {
        let arguments = ["clang++", "-std=c++17", "-Wall", "-Wextra", "-I.", file];
        serde_json::json!({"directory": root, "file": file, "arguments": arguments})
    };
    let commands: Vec<serde_json::Value> = files.iter().map(|file| command(file)).collect();
    std::fs::write(root.join("compile_commands.json"), serde_json::json!(commands).to_string()).unwrap();
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in from.read_dir().unwrap().flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
}

/// Everything that must hold with any server.
async fn exercise(case: Case) {
    let bench = Bench::new(case);
    let case = &bench.case;

    // Complete at the first answer, however cold.
    assert_eq!(bench.uses().await, case.uses);

    // From behind letters outside ASCII, and outside the BMP.
    let at = bench.after(case.main, "😀\", ");
    let line = bench.read(case.main).lines().nth(at.line as usize - 1).unwrap().to_owned();
    let within = line.find(case.name).unwrap();
    let column = line[..within].encode_utf16().count() + 1;
    let at = Position::new(at.line, u32::try_from(column).unwrap());
    let found = bench.workspace.definition(Path::new(case.main), at, &patience()).await.unwrap();
    let places: Vec<&Path> =
        found.value.iter().map(|found| found.location.file.strip_prefix(&bench.root).unwrap()).collect();
    assert!(
        places.iter().any(|place| place.starts_with(Path::new(case.library.0).parent().unwrap())),
        "{places:?}"
    );
    let hover = bench.workspace.hover(Path::new(case.main), at, &patience()).await.unwrap().value.unwrap();
    assert!(hover.text.contains(case.name), "{}", hover.text);
    let outline = bench.workspace.outline(Path::new(case.library.0), &patience()).await.unwrap();
    assert_eq!(outline.engine.as_str(), "server");
    assert!(!outline.value.symbols.is_empty());

    // Right, wrong, right again, each as the file is.
    let clean = bench.read(case.main);
    assert_eq!(bench.errors(case.main).await, [""; 0]);
    bench.write(case.main, &format!("{clean}{}", case.mistake));
    assert_ne!(bench.errors(case.main).await, [""; 0], "a mistake is found");
    bench.write(case.main, &clean);
    assert_eq!(bench.errors(case.main).await, [""; 0]);

    // What breaks a caller is elsewhere.
    let library = bench.read(case.library.0);
    let broken = library.replacen(case.breaking.0, case.breaking.1, 1);
    assert_ne!(library, broken);
    bench.write(case.library.0, &broken);
    assert_ne!(bench.errors(case.main).await, [""; 0], "a caller of what has changed");
    bench.write(case.library.0, &library);
    assert_eq!(bench.errors(case.main).await, [""; 0]);

    // A file that comes, changes while nobody has it open, and goes.
    bench.write(case.newcomer.0, case.newcomer.1);
    let named_in = case.named_in.map(|(file, line)| (file, line, bench.read(file)));
    if let Some((file, line, before)) = &named_in {
        bench.write(file, &format!("{before}{line}"));
    }
    let with: Vec<String> = bench.uses().await;
    assert!(with.iter().any(|place| place.starts_with(case.newcomer.0)), "{with:?}");
    std::fs::remove_file(bench.root.join(case.newcomer.0)).unwrap();
    if let Some((file, _, before)) = &named_in {
        bench.write(file, before);
    }
    assert_eq!(bench.uses().await, case.uses);

    // Killed, it comes back, and knows as much.
    let pid = bench.workspace.server_statuses()[0].pid.unwrap();
    assert!(std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
    assert_eq!(bench.uses().await, case.uses);
    let pid = bench.workspace.server_statuses()[0].pid.unwrap();
    bench.workspace.stop_servers().await;
    assert!(!bowline_std::process::alive(pid));
    println!("{} answered", case.language);
}
