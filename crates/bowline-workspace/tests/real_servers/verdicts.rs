//! What is said of drafts is what the compilers say. Each language has a table of edits of one project, which has one
//! error from the start. Each edit is evaluated as a draft; then it is written into a copy of the project, and the
//! compiler runs there.

mod compilers;
mod cpp;
mod go;
mod python;
mod reference;
mod rust;
mod typescript;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bowline_code::uri;
use bowline_lsp::known::KNOWN;
use bowline_lsp::{Reach, ServerSpec, environment};
use bowline_testkit::Fixture;
use bowline_workspace::{
    Confidence, Draft, Edit, Evaluation, Extent, Options, Patch, Proposal, ServerOptions, ToRename, Workspace,
};

use super::{copy, patience};
use compilers::{Compiler, Compiling, Errors};

/// The edits of one project.
struct Table {
    /// As its section in the reference page is called.
    title: &'static str,
    language: &'static str,
    /// By their languages, and where `cargo xtask test` says that they are.
    servers: &'static [(&'static str, &'static str)],
    /// As [`Fixture`] reads it.
    project: &'static str,
    /// Those of its files that have the line ends of Windows.
    crlf: &'static [&'static str],
    compiler: Compiler,
    rows: &'static [Row],
    /// Of so many edits nothing may be known.
    not_known: usize,
}

/// An edit, and what the compiler makes of it.
struct Row {
    name: &'static str,
    changes: &'static [Change],
    expected: Expected,
}

enum Change {
    /// In a file, instead of a text that stands there once.
    Text(&'static str, &'static str, &'static str),
    New(&'static str, &'static str),
    Removed(&'static str),
    /// By the server: what stands in a file behind a text.
    Renamed(&'static str, &'static str, &'static str),
}

#[derive(Debug, Clone, Copy)]
enum Expected {
    Accepted,
    /// One of the new errors is in this file.
    Breaks(&'static str),
}

use Change::{New, Removed, Renamed, Text};
use Expected::{Accepted, Breaks};

/// What was said of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Safe,
    Breaks,
    NotKnown,
}

impl Said {
    fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Breaks => "breaks",
            Self::NotKnown => "not known",
        }
    }
}

/// A project with its servers.
struct House {
    fixture: Fixture,
    workspace: std::sync::Arc<Workspace>,
    /// What the servers say of every file that is edited, as it is on disk.
    at_rest: BTreeMap<PathBuf, Vec<String>>,
}

impl House {
    async fn new(table: &Table) -> Self {
        let fixture = Fixture::new(table.project);
        for file in table.crlf {
            let text = std::fs::read_to_string(fixture.path(file)).unwrap();
            fixture.write_bytes(file, text.replace('\n', "\r\n").as_bytes());
        }
        compilers::prepare(table.language, fixture.root());
        let specs = table.servers.iter().map(|(language, variable)| spec(language, variable)).collect();
        let environment = environment::allowed(std::env::vars_os());
        let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None)
            .unwrap()
            .with_servers(ServerOptions { specs, environment });
        let workspace = std::sync::Arc::new(workspace);
        let mut house = Self { fixture, workspace, at_rest: BTreeMap::new() };
        let edited = table.rows.iter().flat_map(|row| row.changes).filter_map(|change| match change {
            Text(file, ..) | Renamed(file, ..) => Some(house.fixture.path(file)),
            Removed(_) | New(..) => None,
        });
        for path in edited.filter(|path| path.exists()).collect::<std::collections::BTreeSet<_>>() {
            let said = house.problems(&path).await;
            house.at_rest.insert(path, said);
        }
        house
    }

    async fn problems(&self, path: &Path) -> Vec<String> {
        let found = self.workspace.diagnostics(&[path.to_owned()], &patience()).await.unwrap();
        match &found.files[0].known {
            Ok((diagnostics, _)) => {
                diagnostics.iter().map(|found| format!("{:?}: {}", found.span.start, found.message)).collect()
            }
            Err(why) => vec![format!("not known: {why}")],
        }
    }

    async fn draft(&self, table: &Table, row: &Row) -> Draft {
        let draft = self.workspace.new_draft(self.fixture.root(), table.language).unwrap();
        for change in row.changes {
            let edit = self.edit(change);
            let edited = self.workspace.edit_draft(&draft, edit, &patience()).await;
            edited.unwrap_or_else(|error| panic!("{}: {error}", row.name));
        }
        draft
    }

    fn edit(&self, change: &Change) -> Edit {
        let uri = |file: &str| uri::of(&self.fixture.path(file));
        match change {
            Text(file, old, new) => {
                Edit::Text { file: file.into(), old_text: (*old).into(), new_text: (*new).into() }
            }
            Renamed(file, before, new_name) => {
                let path = self.fixture.path(file);
                let text = std::fs::read_to_string(&path).unwrap();
                let at = text.find(before).unwrap_or_else(|| panic!("`{before}` in {file}")) + before.len();
                let at =
                    bowline_code::LineTable::new(&text).position(&text, at, bowline_code::Encoding::Utf16);
                Edit::Proposed(Proposal::Rename {
                    file: path,
                    what: ToRename::At(at),
                    new_name: (*new_name).into(),
                })
            }
            New(file, text) => {
                let start = serde_json::json!({"line": 0, "character": 0});
                Edit::Workspace(serde_json::json!({"documentChanges": [
                    {"kind": "create", "uri": uri(file)},
                    {"textDocument": {"uri": uri(file), "version": null},
                     "edits": [{"range": {"start": start, "end": start}, "newText": text}]},
                ]}))
            }
            Removed(file) => Edit::Workspace(
                serde_json::json!({"documentChanges": [{"kind": "delete", "uri": uri(file)}]}),
            ),
        }
    }

    /// The servers see nothing of what was drafted.
    async fn check_at_rest(&self, row: &Row, evaluation: &Evaluation) {
        for path in evaluation.examined.iter().map(|file| &file.path) {
            if let Some(said) = self.at_rest.get(path) {
                assert_eq!(self.problems(path).await, *said, "{} after `{}`", self.name(path), row.name);
            }
        }
    }

    fn name(&self, path: &Path) -> String {
        path.strip_prefix(self.fixture.root()).unwrap_or(path).display().to_string()
    }
}

fn spec(language: &str, variable: &str) -> ServerSpec {
    let program = std::env::var(variable).unwrap_or_else(|_| {
        panic!("`{variable}` is not set: `cargo xtask test` installs the servers and sets it")
    });
    let known = KNOWN.iter().find(|known| known.language == language).expect("a known language");
    let mut spec = ServerSpec::from_known(known);
    let Reach::Program { args, .. } = spec.reach else { panic!("a program") };
    spec.reach = Reach::Program { program, args };
    spec.asked_for = true;
    spec
}

/// The new errors that each edit makes, in a copy of the project that the compiler sees. It works on one edit while the
/// servers are asked about the next.
fn compile_all(table: &Table, root: &Path, edits: std::sync::mpsc::Receiver<Vec<Patch>>) -> Vec<Errors> {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    let there = base.join("project");
    copy(root, &there);
    compilers::prepare(table.language, &there);
    let put = |path: PathBuf, text: Option<&str>| match text {
        Some(text) => {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        None => std::fs::remove_file(path).unwrap(),
    };
    let mut compiling = Compiling::new(table.compiler, base.join("copies"));
    compiling.look_at(&there);
    for patches in edits {
        let place = |patch: &Patch| there.join(patch.path.strip_prefix(root).unwrap());
        patches.iter().for_each(|patch| put(place(patch), patch.text.as_deref()));
        compiling.look_at(&there);
        for patch in &patches {
            put(place(patch), std::fs::read_to_string(&patch.path).ok().as_deref());
        }
    }
    let mut errors = compiling.end().into_iter();
    let before = errors.next().unwrap();
    errors.map(|after| after.new_since(&before)).collect()
}

/// Evaluates every edit, has it compiled, and compares.
async fn compare(table: &'static Table) {
    let began = Instant::now();
    let house = House::new(table).await;
    let (send, receive) = std::sync::mpsc::channel();
    let root = house.fixture.root().to_owned();
    let compiling = std::thread::spawn(move || compile_all(table, &root, receive));
    let mut evaluations = Vec::new();
    for row in table.rows {
        let draft = house.draft(table, row).await;
        let patches = draft.patches();
        assert!(!patches.is_empty(), "`{}` changes nothing", row.name);
        send.send(patches).unwrap();
        let evaluate = async |extent| house.workspace.evaluate_draft(&draft, extent, &patience()).await;
        let mut evaluation = evaluate(Extent::Reached).await.unwrap();
        // The first error is the verdict; the whole list names the file where the compiler finds one.
        let is_named =
            |file: &str| evaluation.introduced.iter().any(|problem| problem.path == house.fixture.path(file));
        if let Breaks(file) = row.expected
            && evaluation.is_decided()
            && !is_named(file)
        {
            evaluation.introduced = evaluate(Extent::Everything).await.unwrap().introduced;
        }
        house.workspace.destroy_draft(draft.id());
        house.check_at_rest(row, &evaluation).await;
        evaluations.push(evaluation);
    }
    drop(send);
    house.workspace.stop_servers().await;
    let compiled = compiling.join().expect("the compiler ran");
    let lines = check(table, &house, &evaluations, &compiled);
    println!("{}: {:.1} s", table.title, began.elapsed().as_secs_f64());
    reference::settle(table.title, &lines);
}

/// That nothing wrong was said, and enough; what was, by line.
fn check(table: &Table, house: &House, evaluations: &[Evaluation], compiled: &[Errors]) -> Vec<String> {
    let (mut lines, mut wrong, mut not_known) = (Vec::new(), Vec::new(), Vec::new());
    for ((row, evaluation), errors) in table.rows.iter().zip(evaluations).zip(compiled) {
        let told = || format!("{}: {}", row.name, told(house, evaluation));
        let said = judge(house, row, evaluation, errors).unwrap_or_else(|why| {
            wrong.push(format!("{}\n  {why}\n  the compiler says {errors:?}", told()));
            if evaluation.is_safe() { Said::Safe } else { Said::Breaks }
        });
        if said == Said::NotKnown {
            not_known.push(told());
        }
        let compiler = if errors.is_empty() { "accepts" } else { "breaks" };
        // The first error ends it, and how much was compared by then depends on who answers first.
        let confidence = if said == Said::Breaks { "–" } else { evaluation.confidence().as_str() };
        let line = format!("| {} | {compiler} | {} | {confidence} |", row.name, said.as_str());
        println!("{line} {} files, {:.1} s", evaluation.examined.len(), evaluation.duration.as_secs_f64());
        lines.push(line);
    }
    println!("{} edits, {} wrong, {} not known", lines.len(), wrong.len(), not_known.len());
    println!("not known:\n{}", not_known.join("\n"));
    assert!(lines.len() >= 16);
    assert!(wrong.is_empty(), "{} verdicts are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(not_known.len() <= table.not_known, "too little is known:\n{}", not_known.join("\n"));
    lines
}

/// What was said of an edit; or what is wrong with it.
fn judge(house: &House, row: &Row, evaluation: &Evaluation, errors: &Errors) -> Result<Said, String> {
    let introduced: Vec<String> =
        evaluation.errors_introduced().map(|problem| house.name(&problem.path)).collect();
    let is_sure = evaluation.confidence() == Confidence::High;
    match row.expected {
        Accepted if !errors.is_empty() => Err("the compiler was expected to accept it".into()),
        Breaks(file) if !errors.is_about(file) => {
            Err(format!("the compiler was expected to find an error in `{file}`"))
        }
        Accepted if evaluation.is_safe() => Ok(Said::Safe),
        // What imports a file that only the draft has looks broken, and the answer says so.
        Accepted if !is_sure && (introduced.is_empty() || row.comes_or_goes()) => Ok(Said::NotKnown),
        Accepted => Err("an edit that the compiler accepts is called broken".into()),
        Breaks(_) if evaluation.is_safe() => Err("an edit that breaks the project is called safe".into()),
        Breaks(_) if introduced.is_empty() && !is_sure => Ok(Said::NotKnown),
        Breaks(_) if introduced.iter().any(|file| errors.is_about(file)) => Ok(Said::Breaks),
        Breaks(_) => Err("the error is not named in the file where the compiler finds it".into()),
    }
}

impl Row {
    /// Files are made or removed by it.
    fn comes_or_goes(&self) -> bool {
        self.changes.iter().any(|change| matches!(change, New(..) | Removed(_)))
    }
}

/// An evaluation, for whoever has to find out.
fn told(house: &House, evaluation: &Evaluation) -> String {
    let introduced: Vec<String> = evaluation
        .introduced
        .iter()
        .map(|problem| {
            let (severity, said) = (problem.diagnostic.severity, &problem.diagnostic.message);
            format!("{}: {severity:?}: {said}", house.name(&problem.path))
        })
        .collect();
    let examined: Vec<String> = evaluation
        .examined
        .iter()
        .map(|file| match &file.known {
            Ok(proof) => format!("{} ({})", house.name(&file.path), proof.as_str()),
            Err(why) => format!("{} ({why})", house.name(&file.path)),
        })
        .collect();
    let (doubts, left_out) = (&evaluation.doubts, evaluation.left_out);
    format!("introduced {introduced:?}; examined {examined:?}; left out {left_out}; doubts {doubts:?}")
}
