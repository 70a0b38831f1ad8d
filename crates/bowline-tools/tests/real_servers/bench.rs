//! A copy of a project, bowline's tools on it, the witness beside them, and what was seen of each tool so far.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_call::{
    AnyAnswer, CallContext, CallId, Caller, ConversationId, Gatekeeper, Intent, Registry, ToolError, Turn,
};
use bowline_code::Engine;
use bowline_tools::{House, chosen};
use bowline_workspace::servers::KNOWN;
use bowline_workspace::{Options, Reach, ServerOptions, ServerSpec, Workspace, Writer};
use serde_json::{Value, json};

use super::Case;
use super::raw::{Habits, Raw, path, uri};

const PROJECTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../bowline-workspace/tests/real_servers/projects");
const PATIENCE: Duration = Duration::from_secs(170);

/// A place in a file, by the text around it: `@@` stands before it.
pub(crate) type Mark = (&'static str, &'static str);

/// A place, counted from 1 in UTF-16 units.
#[derive(Debug, Clone)]
pub(crate) struct At {
    pub(crate) file: PathBuf,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl At {
    pub(crate) fn arguments(&self) -> Value {
        json!({"file_path": self.file, "line": self.line, "column": self.column})
    }
}

pub(crate) struct Bench {
    pub(crate) case: Case,
    pub(crate) root: PathBuf,
    pub(crate) consumer: PathBuf,
    pub(crate) raw: Raw,
    /// The witness in the other repository.
    pub(crate) other: Raw,
    pub(crate) workspace: Arc<Workspace>,
    registry: Registry,
    cells: BTreeMap<&'static str, String>,
    failures: Vec<String>,
    began: Instant,
    _directory: tempfile::TempDir,
}

/// Lets everything pass: what a call may do is tested elsewhere.
struct Open;

impl Gatekeeper for Open {
    fn judge<'a>(
        &'a self,
        _intent: &'a Intent,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<Turn, ToolError>> + Send + 'a>> {
        Box::pin(std::future::ready(Ok(Arc::new(()) as Turn)))
    }
}

impl Bench {
    pub(crate) fn new(case: Case) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let above = directory.path().canonicalize().unwrap();
        let root = above.join(case.project);
        copy(&Path::new(PROJECTS).join(case.project), &root);
        for (file, text) in case.extra {
            write(&root.join(file), text);
        }
        for (file, line) in case.appended {
            let before = std::fs::read_to_string(root.join(file)).unwrap();
            write(&root.join(file), &format!("{before}{line}"));
        }
        let consumer = above.join("consumer");
        for (file, text) in case.consumer {
            write(&consumer.join(file), text);
        }
        if case.project == "cpp" {
            write_compile_commands(&root, &cpp_files(&root), "-I.");
            write_compile_commands(&consumer, &cpp_files(&consumer), "-I../cpp");
        }
        commit(&root);
        let (file, from, to) = case.changed;
        let before = std::fs::read_to_string(root.join(file)).unwrap();
        assert!(before.contains(from), "`{from}` in {file}");
        write(&root.join(file), &before.replacen(from, to, 1));

        let known = KNOWN.iter().find(|known| known.language == case.language).expect("a known language");
        assert_eq!(
            known.initialization_options(),
            (case.options)(),
            "the witness is to be set in the same way"
        );
        let mut spec = ServerSpec::from_known(known);
        spec.reach = Reach::Program {
            program: program(&case),
            args: known.args.iter().map(|arg| (*arg).to_owned()).collect(),
        };
        spec.asked_for = true;
        let environment = std::env::vars_os().collect();
        let workspace = Workspace::new(Options::default(), vec![root.clone(), consumer.clone()], None)
            .unwrap()
            .with_servers(ServerOptions { specs: vec![spec], environment })
            .with_writer(Writer::new(vec![root.clone(), consumer.clone()], above.join("writes")));
        let workspace = Arc::new(workspace);
        let house = House {
            workspace: Arc::clone(&workspace),
            path: OsString::new(),
            log_level: None,
            run_logs: None,
            skills: None,
        };
        // Those that one language adds, too.
        let registry = Registry::new(chosen(&house, Vec::new(), None).unwrap().0).unwrap();
        let raw = Raw::start(habits(&case), &root);
        let other = Raw::start(habits(&case), &consumer);
        Self {
            case,
            root,
            consumer,
            raw,
            other,
            workspace,
            registry,
            cells: BTreeMap::new(),
            failures: Vec::new(),
            began: Instant::now(),
            _directory: directory,
        }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<AnyAnswer, ToolError> {
        let prepared = self.registry.get(tool).expect("a tool of that name").prepare(arguments)?;
        prepared.intent();
        let deadline = Some(Instant::now() + PATIENCE);
        let cx = CallContext::new(
            CallId::fresh(),
            ConversationId::fresh(),
            Caller::default(),
            deadline,
            Arc::new(Open),
        );
        prepared.run(&cx).await
    }

    /// The answer of a server, which must come.
    pub(crate) async fn answer(&mut self, tool: &'static str, arguments: Value) -> Value {
        match self.call(tool, arguments).await {
            Ok(answer) => {
                if !matches!(answer.engine, None | Some(Engine::Server)) {
                    self.fail(tool, &format!("answered by {:?}: {:?}", answer.engine, answer.hint));
                }
                answer.payload
            }
            Err(error) => {
                self.fail(tool, &error.text());
                Value::Null
            }
        }
    }

    pub(crate) fn at(&self, (file, pattern): Mark) -> At {
        let file = self.root.join(file);
        let text = std::fs::read_to_string(&file).unwrap();
        let before = pattern.find("@@").expect("a mark");
        let places: Vec<usize> =
            text.match_indices(&pattern.replace("@@", "")).map(|(at, _)| at + before).collect();
        let [at] = places.as_slice() else { panic!("`{pattern}` is {} times in {file:?}", places.len()) };
        let line = text[..*at].matches('\n').count() + 1;
        let begin = text[..*at].rfind('\n').map_or(0, |at| at + 1);
        let column = text[begin..*at].encode_utf16().count() + 1;
        At { file, line: u32::try_from(line).unwrap(), column: u32::try_from(column).unwrap() }
    }

    /// The parameters of a raw question about a place, whose file is opened first.
    pub(crate) fn place(&mut self, at: &At) -> Value {
        self.raw.open(&at.file);
        let position = self.raw.point(&at.file, (at.line, at.column));
        json!({"textDocument": {"uri": uri(&at.file)}, "position": position})
    }

    /// From the first character of a file to behind its last line.
    pub(crate) fn whole(&mut self, file: &Path) -> Value {
        self.raw.open(file);
        let lines = std::fs::read_to_string(file).unwrap().matches('\n').count();
        json!({
            "textDocument": {"uri": uri(file)},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}},
        })
    }

    /// Below the directory that holds all of this.
    pub(crate) fn short(&self, file: &Path) -> String {
        file.strip_prefix(self.root.parent().unwrap()).unwrap_or(file).display().to_string()
    }

    /// Raw locations or links.
    pub(crate) fn raw_places(&self, answer: &Value) -> Vec<String> {
        let one = |place: &Value| {
            let (uri, range) = match place.get("targetUri") {
                Some(uri) => (uri, &place["targetSelectionRange"]),
                None => (&place["uri"], &place["range"]),
            };
            let file = path(uri.as_str().unwrap());
            format!("{}:{}", self.short(&file), self.raw.range(&file, range))
        };
        sorted(list(answer).iter().map(one))
    }

    /// Our locations.
    pub(crate) fn our_places(&self, answer: &Value) -> Vec<String> {
        let one = |place: &Value| {
            let number = |key: &str| place[key].as_u64().unwrap();
            format!(
                "{}:{}:{}-{}:{}",
                self.short(Path::new(place["file"].as_str().unwrap())),
                number("line"),
                number("column"),
                number("end_line"),
                number("end_column")
            )
        };
        sorted(list(answer).iter().map(one))
    }

    /// `file:line` of what has a file and a line.
    pub(crate) fn our_lines(&self, answer: &Value) -> Vec<String> {
        let one = |place: &Value| {
            format!("{}:{}", self.short(Path::new(place["file"].as_str().unwrap())), place["line"])
        };
        sorted(list(answer).iter().map(one))
    }

    /// Raw places where the name at a place is used, in its own repository and in the other, as the server of each says.
    pub(crate) fn raw_references(&mut self, at: &At, include_declaration: bool) -> Value {
        let mut params = self.place(at);
        params["context"] = json!({"includeDeclaration": include_declaration});
        let mut found = list(&self.raw.ask("textDocument/references", &params));
        self.other.open(&self.consumer.join(self.case.consumer_file));
        self.other.open(&at.file);
        params["position"] = self.other.point(&at.file, (at.line, at.column));
        let theirs = list(&self.other.ask("textDocument/references", &params));
        let in_consumer =
            |one: &Value| one["uri"].as_str().is_some_and(|uri| path(uri).starts_with(&self.consumer));
        found.extend(theirs.into_iter().filter(in_consumer));
        Value::Array(found)
    }

    /// Both sides must be the same, and not empty.
    pub(crate) fn same(&mut self, tool: &'static str, what: &str, ours: &[String], raw: &[String]) {
        self.equal(tool);
        if raw.is_empty() {
            self.fail(tool, &format!("{what}: the raw query found nothing, ours {ours:?}"));
        } else if ours != raw {
            let only = |left: &[String], right: &[String]| -> Vec<String> {
                left.iter().filter(|one| !right.contains(one)).cloned().collect()
            };
            let (here, there) = (only(ours, raw), only(raw, ours));
            self.fail(
                tool,
                &format!(
                    "{what}: {} of ours, {} raw\n  only ours: {here:#?}\n  only raw: {there:#?}",
                    ours.len(),
                    raw.len()
                ),
            );
        }
    }

    /// Something else that must hold.
    pub(crate) fn check(&mut self, tool: &'static str, what: &str, holds: bool) {
        if !holds {
            self.fail(tool, what);
        }
    }

    pub(crate) fn equal(&mut self, tool: &'static str) {
        self.cells.entry(tool).or_insert_with(|| "=".to_owned());
    }

    /// The tools whose cells begin so.
    pub(crate) fn seen(&self, beginning: &str) -> Vec<String> {
        let cells = self.cells.iter().filter(|(_, cell)| cell.starts_with(beginning));
        cells.map(|(tool, _)| (*tool).to_owned()).collect()
    }

    /// Why a cell is empty, or what is done instead.
    pub(crate) fn cell(&mut self, tool: &'static str, words: impl Into<String>) {
        self.cells.insert(tool, words.into());
    }

    /// A server that does not offer this: the tool must say so, and name it.
    pub(crate) async fn lacking(&mut self, tool: &'static str, key: &str, arguments: Value) {
        match self.call(tool, arguments).await {
            Err(ToolError::Unsupported { message, .. }) if message.contains(self.case.name) => {}
            Err(error) => self.fail(tool, &format!("unsupported was due: {}", error.text())),
            Ok(answer) => self.fail(tool, &format!("unsupported was due: {}", answer.payload)),
        }
        self.cell(tool, format!("not offered (`{key}`)"));
    }

    pub(crate) fn fail(&mut self, tool: &str, what: &str) {
        self.failures.push(format!("{} {tool}: {what}", self.case.column));
    }

    pub(crate) fn time(&self, what: &str) {
        println!("{:>5.1} s  {} {what}", self.began.elapsed().as_secs_f32(), self.case.column);
    }

    /// Nothing may differ, no tool may be missing, and the table must say what was seen.
    pub(crate) async fn end(self) {
        self.workspace.stop_servers().await;
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
        for tool in self.registry.specs() {
            let name = tool.name.as_str();
            let is_seen = self.cells.contains_key(name) || super::table::WITHOUT.contains(&name);
            assert!(is_seen, "{name}: compare it with a raw query, or put it into `table::WITHOUT`");
        }
        super::table::settle(self.case.column, &self.cells);
    }
}

fn habits(case: &Case) -> Habits {
    let known = KNOWN.iter().find(|known| known.language == case.language).expect("a known language");
    Habits {
        language: case.language,
        program: program(case),
        args: known.args,
        options: (case.options)(),
        ready: case.ready,
        findings: case.findings,
        settles_by_publishing: case.language == "cpp",
    }
}

fn program(case: &Case) -> String {
    std::env::var(case.variable).unwrap_or_else(|_| {
        panic!("`{}` is not set: `cargo xtask test` installs the servers and sets it", case.variable)
    })
}

pub(crate) fn sorted(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut items: Vec<String> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// One or many or nothing.
pub(crate) fn list(answer: &Value) -> Vec<Value> {
    match answer {
        Value::Null => Vec::new(),
        Value::Array(items) => items.clone(),
        one => vec![one.clone()],
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
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

fn cpp_files(root: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for directory in [root.to_owned(), root.join("odd names")] {
        for entry in directory.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "cpp") {
                files.push(path.strip_prefix(root).unwrap().display().to_string());
            }
        }
    }
    files.sort();
    files
}

/// clangd indexes what is named here. The paths are those of the copy, so it cannot be kept with the project.
fn write_compile_commands(root: &Path, files: &[String], include: &str) {
    let command = |file: &String| {
        let arguments = ["clang++", "-std=c++17", "-Wall", "-Wextra", include, file];
        json!({"directory": root, "file": file, "arguments": arguments})
    };
    let commands: Vec<Value> = files.iter().map(command).collect();
    write(&root.join("compile_commands.json"), &json!(commands).to_string());
}

/// What servers and compilers leave behind is nobody's change.
fn commit(root: &Path) {
    write(&root.join(".gitignore"), "/target/\n/.cache/\n");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
        let done = Command::new("git").args(identity).args(arguments).current_dir(root).output().unwrap();
        assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "all"]);
}
