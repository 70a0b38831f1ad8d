//! What is asked about a project, as calls of tools; what the answers say; and whether that is right.

use serde_json::{Value, json};

use crate::mcp::Answer;
use crate::projects::{Place, Project, Replica};

/// In the order in which they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Hover,
    Definition,
    References,
    Symbols,
    /// The file has changed since it was last asked about.
    Diagnostics,
    /// With what the compiler finds, for the server that has one run beside it.
    Checked,
    TypeDefinition,
    Implementation,
    Declaration,
    Highlights,
    Completions,
    SignatureHelp,
    PrepareRename,
    InlayHints,
    SemanticTokens,
    Formatting,
}

pub(crate) const QUESTIONS: [Question; 5] =
    [Question::Hover, Question::Definition, Question::References, Question::Symbols, Question::Diagnostics];

/// Those that a tool answers with a single request to the server, and that change nothing.
pub(crate) const REQUESTS: [Question; 14] = [
    Question::Definition,
    Question::TypeDefinition,
    Question::Implementation,
    Question::Declaration,
    Question::References,
    Question::Highlights,
    Question::Hover,
    Question::Completions,
    Question::SignatureHelp,
    Question::PrepareRename,
    Question::InlayHints,
    Question::SemanticTokens,
    Question::Symbols,
    Question::Formatting,
];

impl Question {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hover => "hover",
            Self::Definition => "definition",
            Self::References => "references",
            Self::Symbols => "symbols",
            Self::Diagnostics => "diagnostics",
            Self::Checked => "with cargo check",
            Self::TypeDefinition => "type definition",
            Self::Implementation => "implementation",
            Self::Declaration => "declaration",
            Self::Highlights => "highlights",
            Self::Completions => "completions",
            Self::SignatureHelp => "signature help",
            Self::PrepareRename => "prepare rename",
            Self::InlayHints => "inlay hints",
            Self::SemanticTokens => "semantic tokens",
            Self::Formatting => "formatting",
        }
    }
}

/// What an answer says, whoever gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Given {
    Text(String),
    /// Each as `file:line`, the file below the project.
    Places(Vec<String>),
    /// How many errors a file has.
    Errors(usize),
    /// How many of whatever was asked for.
    Items(usize),
    Refused(String),
}

/// Where a question is asked.
pub(crate) fn place(copy: &Replica, question: Question) -> &Place {
    match question {
        Question::References | Question::Symbols => &copy.declaration,
        Question::Implementation => &copy.interface,
        Question::TypeDefinition | Question::Highlights | Question::SignatureHelp => &copy.argument,
        Question::Completions => &copy.member,
        _ => &copy.usage,
    }
}

/// The tool that answers a question, and what it is to be told.
pub(crate) fn call(copy: &Replica, question: Question) -> (&'static str, Value) {
    let place = place(copy, question);
    let at = || json!({ "file_path": place.file, "line": place.line, "column": place.column });
    let whole = || {
        json!({
            "file_path": place.file, "start_line": 1, "start_column": 1,
            "end_line": copy.usage_lines + 1, "end_column": 1,
        })
    };
    match question {
        Question::Hover => ("inspect_symbol", at()),
        Question::Definition => ("go_to_definition", at()),
        Question::TypeDefinition => ("go_to_type_definition", at()),
        Question::Implementation => ("go_to_implementation", at()),
        Question::Declaration => ("go_to_declaration", at()),
        Question::References => ("find_references", at()),
        Question::Highlights => ("get_document_highlights", at()),
        Question::Completions => ("get_completions", at()),
        Question::SignatureHelp => ("get_signature_help", at()),
        Question::PrepareRename => ("prepare_rename", at()),
        Question::InlayHints => ("get_inlay_hints", whole()),
        Question::SemanticTokens => ("get_semantic_tokens", whole()),
        Question::Symbols => ("list_symbols", json!({ "file_path": place.file })),
        Question::Formatting => ("format_document", json!({ "file_path": place.file })),
        Question::Diagnostics | Question::Checked => ("get_diagnostics", json!({ "file_path": copy.main() })),
    }
}

/// What an answer says. Ours and the peer's have the same form.
pub(crate) fn read(copy: &Replica, question: Question, answer: &Answer) -> Given {
    let refused = || Given::Refused(answer.text().chars().take(200).collect());
    if answer.is_error {
        return refused();
    }
    let count = |value: Option<&Value>| {
        value.and_then(Value::as_array).map_or_else(refused, |items| Given::Items(items.len()))
    };
    let json = answer.json();
    match question {
        Question::Hover | Question::Symbols => Given::Text(answer.text().to_owned()),
        Question::PrepareRename => match json {
            Some(Value::Object(_)) => Given::Items(1),
            _ => refused(),
        },
        Question::Definition
        | Question::TypeDefinition
        | Question::Implementation
        | Question::Declaration
        | Question::References => match json {
            Some(Value::Array(places)) => Given::Places(
                places
                    .iter()
                    .filter_map(|place| Some(copy.short(place["file"].as_str()?, place["line"].as_u64()?)))
                    .collect(),
            ),
            _ => refused(),
        },
        Question::Diagnostics | Question::Checked => match json {
            // By file; beside them stand remarks.
            Some(Value::Object(files)) => {
                let all = files.values().filter_map(Value::as_array).flatten();
                Given::Errors(all.filter(|found| found["severity"] == 1).count())
            }
            _ => refused(),
        },
        Question::Highlights | Question::InlayHints | Question::SemanticTokens | Question::Formatting => {
            // A list that is cut says how many more there are.
            match (count(json.as_ref()), answer.more()) {
                (Given::Items(shown), more) => Given::Items(shown + more),
                (other, _) => other,
            }
        }
        Question::Completions => match json.as_ref().and_then(|found| found["total"].as_u64()) {
            Some(total) => Given::Items(total as usize),
            None => count(json.as_ref().and_then(|found| found.get("items"))),
        },
        Question::SignatureHelp => count(json.as_ref().and_then(|found| found.get("signatures"))),
    }
}

/// What is wrong with an answer about the project as it was copied.
pub(crate) fn fault(project: &Project, question: Question, given: &Given) -> Option<String> {
    match (question, given) {
        (_, Given::Refused(why)) => Some(why.clone()),
        (Question::Hover | Question::Symbols, Given::Text(text)) => {
            (!text.contains(project.name)).then(|| "the name is not in it".into())
        }
        // Its declaration or its body: the files are called alike.
        (Question::Definition, Given::Places(places)) => {
            let (library, _) = project.declaration.0.rsplit_once('.')?;
            (!places.iter().any(|place| place.starts_with(library))).then(|| format!("found {places:?}"))
        }
        (Question::References, Given::Places(places)) => missing(project.uses, places),
        (
            Question::TypeDefinition | Question::Implementation | Question::Declaration,
            Given::Places(places),
        ) => places.is_empty().then(|| "nothing found".into()),
        // The projects are formatted as somebody liked it.
        (Question::Formatting | Question::InlayHints, Given::Items(_)) => None,
        (_, Given::Items(items)) => (*items == 0).then(|| "nothing found".into()),
        (Question::Diagnostics | Question::Checked, Given::Errors(errors)) => {
            (*errors > 0).then(|| format!("{errors} errors where there are none"))
        }
        (_, given) => Some(format!("no answer to this: {given:?}")),
    }
}

/// Which uses were not found.
pub(crate) fn missing(uses: &[&str], found: &[String]) -> Option<String> {
    let absent: Vec<&str> =
        uses.iter().copied().filter(|wanted| !found.iter().any(|place| place == wanted)).collect();
    (!absent.is_empty()).then(|| format!("{} of {} uses found", uses.len() - absent.len(), uses.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projects::PROJECTS;

    #[test]
    fn right_answers_and_wrong_ones() {
        let [go, ..] = &PROJECTS;
        let places = |places: &[&str]| Given::Places(places.iter().map(ToString::to_string).collect());
        assert_eq!(fault(go, Question::References, &places(go.uses)), None);
        assert_eq!(
            fault(go, Question::References, &places(&go.uses[..3])).as_deref(),
            Some("3 of 4 uses found")
        );
        assert_eq!(fault(go, Question::Definition, &places(&["rope/rope.go:17"])), None);
        assert!(fault(go, Question::Definition, &places(&["main.go:17"])).is_some());
        assert!(fault(go, Question::Definition, &places(&[])).is_some());
        assert_eq!(fault(go, Question::Hover, &Given::Text("func Splice".into())), None);
        assert!(fault(go, Question::Hover, &Given::Text(String::new())).is_some());
        assert_eq!(fault(go, Question::Diagnostics, &Given::Errors(0)), None);
        assert!(fault(go, Question::Diagnostics, &Given::Refused("not ready".into())).is_some());
    }

    fn answer(text: &str) -> Answer {
        Answer { is_error: false, texts: vec![text.to_owned()] }
    }

    #[test]
    fn reads_what_tools_answer() {
        let folder = tempfile::tempdir().unwrap();
        let copy = PROJECTS[0].copy_to(folder.path()).unwrap();
        let place = json!([{ "file": copy.root.join("main.go"), "line": 17, "column": 27 }]).to_string();
        assert_eq!(
            read(&copy, Question::References, &answer(&place)),
            Given::Places(vec!["main.go:17".into()])
        );
        let found = r#"{"file:///a":[{"severity":1},{"severity":2}],"engine":"server","indexed":true}"#;
        assert_eq!(read(&copy, Question::Diagnostics, &answer(found)), Given::Errors(1));
        assert!(matches!(read(&copy, Question::References, &answer("what?")), Given::Refused(_)));
        let error = Answer { is_error: true, texts: vec!["not ready".into()] };
        assert_eq!(read(&copy, Question::Hover, &error), Given::Refused("not ready".into()));
    }
}
