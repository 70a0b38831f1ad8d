//! Large projects: servers are limited to what is worked on, and nothing of the project is touched for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bowline_code::{Encoding, LineTable, Severity};
use bowline_lsp::known::KNOWN;
use bowline_lsp::{Reach, ServerSpec, environment};
use bowline_workspace::{Options, ScopeWish, Scoped, ServerOptions, Workspace};

use super::patience;

/// A generated project: twelve packages of fifty files. Each file of every package uses `greet` of the first.
struct Large {
    language: &'static str,
    root: PathBuf,
    workspace: Workspace,
    before: BTreeMap<PathBuf, Vec<u8>>,
    _directory: tempfile::TempDir,
}

const PACKAGES: usize = 12;
const FILES: usize = 50;

impl Large {
    fn new(language: &'static str, variable: &str, files: &[(&str, &str)]) -> Self {
        Self::with(Options::default(), language, variable, files)
    }

    fn with(options: Options, language: &'static str, variable: &str, files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap().join("project");
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for package in 0..PACKAGES {
            for number in 0..FILES {
                let (name, text) =
                    if language == "python" { python(package, number) } else { typescript(package, number) };
                write(&name, &text);
            }
        }
        for (name, text) in files {
            write(name, text);
        }
        let program = std::env::var(variable).unwrap_or_else(|_| panic!("`{variable}` is not set"));
        let known = KNOWN.iter().find(|known| known.language == language).expect("a known language");
        let mut spec = ServerSpec::from_known(known);
        let Reach::Program { args, .. } = spec.reach else { panic!("a program") };
        spec.reach = Reach::Program { program, args };
        spec.asked_for = true;
        let environment = environment::allowed(std::env::vars_os());
        let workspace = Workspace::new(options, vec![root.clone()], None)
            .unwrap()
            .with_servers(ServerOptions { specs: vec![spec], environment });
        let before = bytes(&root);
        Self { language, root, workspace, before, _directory: directory }
    }

    /// Where `greet` is used according to the server, by package, and whether that is all, and what was noted.
    async fn uses(&self, file: &str, name: &str) -> (BTreeMap<String, usize>, bool, Option<String>) {
        let text = std::fs::read_to_string(self.root.join(file)).unwrap();
        let at = LineTable::new(&text).position(&text, text.find(name).unwrap(), Encoding::Utf16);
        let found = self.workspace.references(Path::new(file), at, true, &patience()).await.unwrap();
        assert_eq!(found.engine.as_str(), "server");
        let mut packages = BTreeMap::new();
        for place in &found.value.places {
            let relative = place.file.strip_prefix(&self.root).unwrap();
            let package = relative.components().find_map(|part| {
                part.as_os_str().to_str().filter(|name| name.starts_with("pkg")).map(str::to_owned)
            });
            *packages.entry(package.unwrap_or_default()).or_default() += 1;
        }
        (packages, found.indexed, found.note)
    }

    async fn opened(&self, file: &str) -> Option<Scoped> {
        self.workspace.opened(Path::new(file), &patience()).await.unwrap()
    }

    async fn wish(&self, wish: &str) -> Option<Vec<String>> {
        let wish = ScopeWish::parse(wish);
        let scoped = self.workspace.set_scope(self.language, &self.root, &wish, &patience()).await.unwrap();
        scoped.map(|scoped| scoped.places)
    }

    fn assert_untouched(&self) {
        let now = bytes(&self.root);
        assert_eq!(now.keys().collect::<Vec<_>>(), self.before.keys().collect::<Vec<_>>());
        assert!(now == self.before, "a file of the project has changed");
    }

    fn kill(&self) {
        let pid = self.workspace.server_statuses()[0].pid.unwrap();
        let killed = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
        assert!(killed.success());
    }

    async fn errors(&self, file: &str) -> Vec<String> {
        let found = self.workspace.diagnostics(&[file.into()], &patience()).await.unwrap();
        let (diagnostics, _) = found.files[0].known.as_ref().unwrap();
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
        errors.map(|found| found.message.clone()).collect()
    }
}

fn python(package: usize, number: usize) -> (String, String) {
    let name = match number {
        0 => format!("pkg{package}/__init__.py"),
        _ => format!("pkg{package}/m{number}.py"),
    };
    let text = match (package, number) {
        (_, 0) => String::new(),
        (0, 1) => "def greet() -> int:\n    return 1\n".to_owned(),
        (0, 2) => "def lonely() -> int:\n    return 2\n\n\nanswer = lonely()\n".to_owned(),
        _ => format!("from pkg0.m1 import greet\n\n\ndef f{number}() -> int:\n    return greet()\n"),
    };
    (name, text)
}

fn typescript(package: usize, number: usize) -> (String, String) {
    let name = match number {
        0 => format!("packages/pkg{package}/package.json"),
        _ => format!("packages/pkg{package}/src/m{number}.ts"),
    };
    let text = match (package, number) {
        (_, 0) => format!("{{\"name\": \"pkg{package}\"}}\n"),
        (0, 1) => "export function greet(): number {\n  return 1;\n}\n".to_owned(),
        (0, 2) => {
            "export function lonely(): number {\n  return 2;\n}\nexport const answer = lonely();\n".to_owned()
        }
        // Visible everywhere, imported by nobody.
        (5, 3) => "export {};\ndeclare global {\n  const everywhere: number;\n}\n".to_owned(),
        (0, 4) => "export const taken: number = everywhere;\n".to_owned(),
        // Used by another name.
        (0, 5) => "export default function hidden(): number {\n  return 3;\n}\n".to_owned(),
        (7, 5) => "import shown from \"../../pkg0/src/m5\";\nexport const got = shown();\n".to_owned(),
        _ => format!(
            "import {{ greet }} from \"../../pkg0/src/m1\";\n\nexport function f{number}(): number {{\n  return greet();\n}}\n"
        ),
    };
    (name, text)
}

fn bytes(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut files, mut waiting) = (BTreeMap::new(), vec![directory.to_owned()]);
    while let Some(directory) = waiting.pop() {
        for entry in directory.read_dir().unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let bytes = std::fs::read(&path).unwrap();
                files.insert(path, bytes);
            }
        }
    }
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn pyright_is_limited_and_nothing_is_left_out() {
    let manifest = "[project]\nname = \"large\"\n";
    let large = Large::new("python", "BOWLINE_SERVER_PYRIGHT", &[("pyproject.toml", manifest)]);

    // A name that only the package holds: the scope is enough, and is known to be.
    let (packages, indexed, note) = large.uses("pkg0/m2.py", "lonely").await;
    assert_eq!((packages, indexed, note), ([("pkg0".to_owned(), 2)].into(), true, None));
    assert_eq!(large.workspace.scope_of(Path::new("pkg0/m2.py")).unwrap().unwrap().places, ["pkg0"]);

    // By hand it leaves out the others, and says so. It moves without a new process.
    let pid = large.workspace.server_statuses()[0].pid;
    assert_eq!(large.wish("pkg0,pkg1").await.unwrap(), ["pkg0", "pkg1"]);
    let (packages, indexed, note) = large.uses("pkg0/m1.py", "greet").await;
    assert_eq!(names(&packages), ["pkg0", "pkg1"]);
    assert!(!indexed);
    assert_eq!(
        note.unwrap(),
        "limited to `pkg0`, `pkg1`: 500 files elsewhere were not looked at; start_lsp with scope \"\" lifts it"
    );
    assert_eq!(large.wish("[\"pkg0\", \"pkg2\"]").await.unwrap(), ["pkg0", "pkg2"]);
    let (packages, indexed, _) = large.uses("pkg0/m1.py", "greet").await;
    assert_eq!((names(&packages), indexed), (vec!["pkg0", "pkg2"], false));
    assert_eq!(large.workspace.server_statuses()[0].pid, pid);

    // Following it is widened by all that use the name, and complete.
    assert_eq!(large.wish("auto").await.unwrap(), ["pkg0"]);
    let (packages, indexed, note) = large.uses("pkg0/m1.py", "greet").await;
    assert_eq!((packages.len(), indexed, note), (PACKAGES, true, None));
    assert_eq!(packages.values().sum::<usize>(), 2 * (PACKAGES * (FILES - 1) - 2) + 1);
    assert_eq!(large.opened("pkg3/m4.py").await.unwrap().places, ["pkg0", "pkg3"]);
    assert_eq!(large.errors("pkg9/m9.py").await, [""; 0], "files elsewhere are understood all the same");

    // Killed, the next one is limited too, and the project is what it was.
    large.assert_untouched();
    large.kill();
    large.assert_untouched();
    let (packages, indexed, _) = large.uses("pkg0/m2.py", "lonely").await;
    assert_eq!((packages, indexed), ([("pkg0".to_owned(), 2)].into(), true));

    assert_eq!(large.wish("").await, None);
    let (packages, indexed, note) = large.uses("pkg0/m1.py", "greet").await;
    assert_eq!((packages.len(), indexed, note), (PACKAGES, true, None));
    large.assert_untouched();
    large.workspace.stop_servers().await;
    large.assert_untouched();
    println!("a large project of Python was limited");
}

#[tokio::test(flavor = "multi_thread")]
async fn pyright_follows_the_configuration_of_the_user() {
    let own = "{ \"include\": [\"pkg0\", \"pkg4\"] }\n";
    let large = Large::new("python", "BOWLINE_SERVER_PYRIGHT", &[("pyrightconfig.json", own)]);
    let (packages, _, note) = large.uses("pkg0/m1.py", "greet").await;
    assert_eq!((names(&packages), note), (vec!["pkg0", "pkg4"], None));
    let wish = ScopeWish::parse("pkg1");
    let refused = large.workspace.set_scope("python", &large.root, &wish, &patience()).await.unwrap_err();
    assert!(refused.to_string().contains("`pyrightconfig.json`"), "{refused}");
    large.kill();
    large.assert_untouched();
    println!("a configuration of Python was respected");
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_is_limited_and_nothing_is_left_out() {
    let config = "{\n  // the user's own\n  \"compilerOptions\": { \"strict\": true, \"types\": [], },\n  \"include\": [\"packages\"]\n}\n";
    let manifest = "{ \"private\": true, \"workspaces\": [\"packages/*\"] }\n";
    let files = [("tsconfig.json", config), ("package.json", manifest)];
    let large = Large::new("typescript", "BOWLINE_SERVER_TYPESCRIPT", &files);
    let (m1, m2) = ("packages/pkg0/src/m1.ts", "packages/pkg0/src/m2.ts");

    let (packages, indexed, note) = large.uses(m2, "lonely").await;
    assert_eq!((packages, indexed, note), ([("pkg0".to_owned(), 2)].into(), true, None));
    assert_eq!(large.workspace.scope_of(Path::new(m2)).unwrap().unwrap().places, ["packages/pkg0"]);

    // By hand it leaves out the others, and says so. It moves without a new process.
    let pid = large.workspace.server_statuses()[0].pid;
    assert_eq!(large.wish("packages/pkg0,packages/pkg1").await.unwrap().len(), 2);
    let (packages, indexed, note) = large.uses(m1, "greet").await;
    assert_eq!((names(&packages), indexed), (vec!["pkg0", "pkg1"], false));
    assert!(note.unwrap().starts_with("limited to `packages/pkg0`, `packages/pkg1`: 490 files elsewhere"));
    large.wish("packages/pkg0,packages/pkg2").await;
    let (packages, ..) = large.uses(m1, "greet").await;
    assert_eq!(names(&packages), ["pkg0", "pkg2"]);
    assert_eq!(large.workspace.server_statuses()[0].pid, pid);

    // What is declared for everybody counts, wherever it is; and the user's options do.
    assert_eq!(large.errors("packages/pkg0/src/m4.ts").await, [""; 0]);

    // What may go by another name is not said to be complete.
    assert_eq!(large.wish("auto").await.unwrap(), ["packages/pkg0"]);
    let hidden = "packages/pkg0/src/m5.ts";
    let (packages, indexed, note) = large.uses(hidden, "hidden").await;
    assert_eq!((names(&packages), indexed, note.is_some()), (vec!["pkg0"], false, true));
    // Following it is widened by all that use a name, and complete. Here these are everywhere, so it sees everything.
    let (packages, indexed, note) = large.uses(m1, "greet").await;
    assert_eq!((packages.len(), indexed, note), (PACKAGES, true, None));
    let (packages, indexed, note) = large.uses(hidden, "hidden").await;
    assert_eq!((names(&packages), indexed, note), (vec!["pkg0", "pkg7"], true, None));
    let opened = large.opened("packages/pkg3/src/m4.ts").await.unwrap();
    assert_eq!(opened.places, ["packages/pkg0", "packages/pkg3"]);

    // A file that comes is seen; then the project is what it was.
    let new = large.root.join("packages/pkg0/src/new.ts");
    std::fs::write(&new, "import { lonely } from \"./m2\";\nexport const n = lonely();\n").unwrap();
    let (packages, indexed, _) = large.uses(m2, "lonely").await;
    assert_eq!((packages, indexed), ([("pkg0".to_owned(), 4)].into(), true));
    std::fs::remove_file(new).unwrap();
    large.assert_untouched();
    large.kill();
    large.assert_untouched();
    let (packages, indexed, _) = large.uses(m2, "lonely").await;
    assert_eq!((packages, indexed), ([("pkg0".to_owned(), 2)].into(), true));

    assert_eq!(large.wish("").await, None);
    let (packages, indexed, note) = large.uses(m1, "greet").await;
    assert_eq!((packages.len(), indexed, note), (PACKAGES, true, None));
    large.workspace.stop_servers().await;
    large.assert_untouched();
    println!("a large project of TypeScript was limited");
}

#[tokio::test(flavor = "multi_thread")]
async fn typescript_that_runs_without_a_limit_is_started_again_with_one() {
    let options = Options { selective_indexing: false, ..Options::default() };
    let config =
        "{ \"compilerOptions\": { \"strict\": true, \"types\": [] }, \"include\": [\"packages\"] }\n";
    let large = Large::with(options, "typescript", "BOWLINE_SERVER_TYPESCRIPT", &[("tsconfig.json", config)]);
    let m1 = "packages/pkg0/src/m1.ts";
    let (packages, indexed, note) = large.uses(m1, "greet").await;
    assert_eq!((packages.len(), indexed, note), (PACKAGES, true, None));
    let pid = large.workspace.server_statuses()[0].pid;
    assert_eq!(large.wish("packages/pkg0").await.unwrap(), ["packages/pkg0"]);
    let (packages, indexed, note) = large.uses(m1, "greet").await;
    assert_eq!((names(&packages), indexed, note.is_some()), (vec!["pkg0"], false, true));
    assert_ne!(large.workspace.server_statuses()[0].pid, pid);
    large.assert_untouched();
    println!("a server of TypeScript was limited later");
}

fn names(packages: &BTreeMap<String, usize>) -> Vec<&str> {
    packages.keys().map(String::as_str).collect()
}
