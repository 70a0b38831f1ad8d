//! The workspace, from outside: one helper per question, and tests that only hold a fixture and an answer.
#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests make and damage files on purpose, and fail by panicking"
)]

mod changes;
mod crew;
mod definition;
mod documentation;
mod documents;
mod draft;
mod evaluations;
mod find;
mod freshness;
mod index;
mod patience;
mod recall;
mod references;
mod replace;
mod scope;
mod scripted_store;
mod served;
mod servers;
mod symbol_edits;
mod tests_for;
mod unwalked;
#[cfg(target_os = "linux")]
mod watch;

use bowline_code::Location;
use bowline_testkit::Fixture;
use bowline_workspace::{Definition, Found, Options, Patience, Workspace, WorkspaceError};

fn open(fixture: &Fixture) -> Workspace {
    Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap()
}

fn patient() -> Patience<'static> {
    Patience::default()
}

/// `/file.rs:1:8-13`
fn place(fixture: &Fixture, location: &Location) -> String {
    let end =
        if location.end_line == location.line { String::new() } else { format!("{}:", location.end_line) };
    fixture.relative(&format!(
        "{}:{}:{}-{end}{}",
        location.file.display(),
        location.line,
        location.column,
        location.end_column
    ))
}

fn error(fixture: &Fixture, error: &WorkspaceError) -> String {
    fixture.relative(&format!("error: {error}"))
}

fn marked<T>(found: &Found<T>, text: String) -> String {
    let text = if text.is_empty() { "nothing".to_owned() } else { text };
    if found.indexed { text } else { format!("{text}\nnot all indexed") }
}

fn definitions(fixture: &Fixture, found: &Found<Vec<Definition>>) -> String {
    let write = |definition: &Definition| {
        let place = place(fixture, &definition.location);
        let around = if definition.container.is_empty() {
            String::new()
        } else {
            format!("{}.", definition.container)
        };
        let kind = definition.kind.map_or("local", |kind| kind.name());
        format!("{place} {kind} {around}{}", definition.name)
    };
    marked(found, found.value.iter().map(write).collect::<Vec<_>>().join("\n"))
}

/// Where the name at the cursor is defined.
async fn definition_at_cursor(text: &str) -> String {
    let fixture = Fixture::new(text);
    let (path, at) = fixture.cursor();
    match open(&fixture).definition(&path, at, &patient()).await {
        Ok(found) => definitions(&fixture, &found),
        Err(failed) => error(&fixture, &failed),
    }
}

/// Where the name at the cursor is used.
async fn references_at_cursor(text: &str) -> String {
    let fixture = Fixture::new(text);
    references_in(&fixture, &open(&fixture), false).await
}

async fn references_in(fixture: &Fixture, workspace: &Workspace, include_declaration: bool) -> String {
    let (path, at) = fixture.cursor();
    match workspace.references(&path, at, include_declaration, &patient()).await {
        Ok(found) => {
            let places: Vec<_> = found.value.places.iter().map(|location| place(fixture, location)).collect();
            assert_eq!(places.len(), found.value.total);
            marked(&found, places.join("\n"))
        }
        Err(failed) => error(fixture, &failed),
    }
}

/// The symbols that a query finds, as `file:line name`.
async fn find(fixture: &Fixture, workspace: &Workspace, query: &str) -> String {
    let found = workspace.find_symbols(query, 100, 0, &patient()).await.unwrap();
    let hits = found.value.hits.iter().map(|hit| {
        let path = fixture.relative(&hit.path.display().to_string());
        format!("{path}:{} {}", hit.symbol.selection.start.line, hit.symbol.name)
    });
    marked(&found, hits.collect::<Vec<_>>().join("\n"))
}
