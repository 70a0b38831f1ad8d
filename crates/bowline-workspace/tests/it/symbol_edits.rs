//! Edits of symbols, as data: one file of cases per language in `symbol_edits/`, each with a text before, what is done, and
//! the text after or the refusal.

mod cases;
mod laws;
mod reference;

use bowline_syntax::{Language, parse};
use bowline_testkit::Fixture;
use bowline_workspace::{Edit, Workspace, WorkspaceError};

use self::cases::{Case, Does, Expected};
use super::{open, patient};

/// One file in a workspace, which can be edited over and over.
struct Desk {
    fixture: Fixture,
    workspace: Workspace,
}

impl Desk {
    fn new(name: &str, text: &str) -> Self {
        let fixture = Fixture::new("");
        fixture.write_bytes(name, text.as_bytes());
        let workspace = open(&fixture);
        Self { fixture, workspace }
    }

    /// The text after some edits, all in one draft; or the first refusal.
    async fn edited(&self, name: &str, edits: Vec<Edit>) -> Result<String, String> {
        let told = |error: WorkspaceError| self.fixture.relative(&error.to_string());
        let draft = self.workspace.new_passing_draft(&self.fixture.path(name), "").map_err(told)?;
        for edit in edits {
            self.workspace.edit_draft(&draft, edit, &patient()).await.map_err(told)?;
        }
        let text = draft.patches().into_iter().next().and_then(|patch| patch.text);
        Ok(match text {
            Some(text) => text.to_string(),
            None => std::fs::read_to_string(self.fixture.path(name)).unwrap(),
        })
    }
}

fn edit(name: &str, does: Does, symbol: &str, text: &str) -> Edit {
    let (file, symbol, text) = (name.into(), symbol.to_owned(), text.to_owned());
    match does {
        Does::Whole => Edit::Symbol { file, symbol, new_text: text },
        Does::Body => Edit::Body { file, symbol, new_body: text },
        Does::Before => Edit::Before { file, symbol, code: text },
        Does::After => Edit::After { file, symbol, code: text },
        Does::Delete => Edit::Delete { file, symbol },
    }
}

async fn outcome(case: &Case, before: &str, text: &str) -> Result<String, String> {
    let desk = Desk::new(&case.file, before);
    desk.edited(&case.file, vec![edit(&case.file, case.does, &case.symbol, text)]).await
}

fn faults(file: &str, text: &str) -> usize {
    let language = Language::of_path(file.as_ref()).unwrap();
    parse(language, text, &|| false).unwrap().faults().len()
}

#[tokio::test]
async fn every_case_is_as_written() {
    let mut wrong = String::new();
    for case in cases::all() {
        let found = outcome(&case, &case.before, &case.text).await;
        let name = format!("{}, {}", case.file, case.title);
        match (&case.expected, &found) {
            (Expected::After(expected), Ok(after)) if expected == after => {
                let (before, after) = (faults(&case.file, &case.before), faults(&case.file, after));
                assert!(after <= before, "{name}: {after} faults, {before} before");
            }
            (Expected::Refused(expected), Err(told)) if expected == told => {}
            (expected, found) => {
                let expected = match expected {
                    Expected::After(text) => text.clone(),
                    Expected::Refused(told) => format!("refused: {told}"),
                };
                let found = found.clone().unwrap_or_else(|told| format!("refused: {told}"));
                wrong.push_str(&format!("\n=== {name}\n--- expected\n{expected}\n--- found\n{found}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
