//! `bowline demo`: what an agent would get, on the source at hand, in one screenful at a time.
//!
//! It is a real conversation: a client of the protocol library at one end of an in-memory pipe, the same surface,
//! corridor, gate and audit trail as always at the other.

mod session;
mod subject;

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use bowline_audit::read::{Filter, Trail};
use clap::Args;
use serde_json::{Value, json};

use self::session::{Reply, Session};
use self::subject::Subject;
use super::audit::describe;
use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::{BAD, BOLD, DIM, GOOD, NAME, line, styled};
use crate::wiring::{Bowline, assemble};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The symbol to show, for example `Corridor.call`. Default: one that is used a lot.
    symbol: Option<String>,
}

pub(crate) fn run(shared: &Shared, arguments: &Arguments) -> anyhow::Result<Ending> {
    let bowline = assemble(shared)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let shown = show(&bowline, arguments.symbol.as_deref()).await;
        bowline.workspace.stop_servers().await;
        shown
    })?;
    Ok(Ending::Well)
}

async fn show(bowline: &Bowline, symbol: Option<&str>) -> anyhow::Result<()> {
    let started = Instant::now();
    let root = bowline.settings.roots.first().context("there is a root")?;
    line(format_args!("{}  a real MCP session on {}\n", styled(BOLD, "bowline demo"), root.display()));
    let session = Session::open(bowline).await?;

    heading(1, "The tools an agent sees", "tools/list");
    let tools = session.tools().await?;
    let bytes = serde_json::to_string(&tools)?.len();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    line(format_args!("    {}", styled(NAME, names.join("  "))));
    line(format_args!("    {} tools in {bytes} bytes, about {} tokens", tools.len(), bytes / 4));

    let subject = Subject::choose(&session, symbol).await?;
    heading(2, "The outline of a file", &subject.call("list_symbols", &json!({"format": "outline"}), root));
    let outline =
        session.call("list_symbols", json!({"file_path": subject.file, "format": "outline"})).await?;
    excerpt(&outline.text, 14);
    saved(&outline);

    heading(3, "Where a symbol is defined", &format!("go_to_symbol symbol_path={}", subject.path));
    places(&session.call("go_to_symbol", json!({"symbol_path": subject.path})).await?, root, 3);

    heading(4, "Who uses it", &subject.call("find_references", &subject.position(), root));
    let references = session.call("find_references", subject.at()).await?;
    places(&references, root, 8);

    heading(5, "Its source, and nothing else", &subject.call("get_symbol_source", &subject.position(), root));
    let source = session.call("get_symbol_source", subject.at()).await?;
    excerpt(source.json()["source"].as_str().unwrap_or_default(), 16);
    saved(&source);

    heading(6, "A call that the gate refuses", "list_symbols file_path=../../../etc/passwd");
    let refused = session.call("list_symbols", json!({"file_path": "../../../etc/passwd"})).await?;
    anyhow::ensure!(
        refused.is_error && refused.text.starts_with("Refused by roots"),
        "the gate let a file outside the root through"
    );
    refusal(&refused);

    session.close().await?;
    bowline.audit.flush().await;
    heading(
        7,
        "What the audit trail remembers",
        &format!("bowline audit tail --conversation {}", bowline.conversation.as_str()),
    );
    let filter = Filter {
        conversation: Some(bowline.conversation.as_str().to_owned()),
        limit: Some(20),
        ..Filter::default()
    };
    for item in Trail::at(&bowline.settings.audit.path).tail(&filter) {
        if let Some(entry) = item.entry() {
            line(format_args!("    {}", describe(&entry.record)));
        }
    }
    let engine = references.engine.as_deref().unwrap_or("unknown");
    line(format_args!(
        "\nAnswered by the {} in {:.1} s. {}",
        styled(BOLD, engine_name(engine)),
        started.elapsed().as_secs_f32(),
        styled(DIM, "Next: `bowline tools`, `bowline call --help`, docs/guide/.")
    ));
    Ok(())
}

fn engine_name(engine: &str) -> &str {
    match engine {
        "syntax" => "embedded syntax engine (no language server is asked)",
        "server" => "language server",
        other => other,
    }
}

fn heading(number: usize, title: &str, call: &str) {
    line(format_args!(
        "\n{} {}  {}",
        styled(BOLD, format_args!("{number}.")),
        styled(BOLD, title),
        styled(DIM, format_args!("▸ {call}"))
    ));
}

fn excerpt(text: &str, most: usize) {
    for shown in text.lines().take(most) {
        line(format_args!("    {shown}"));
    }
    let left = text.lines().count().saturating_sub(most);
    if left > 0 {
        line(styled(DIM, format_args!("    … and {left} more lines")));
    }
}

fn places(reply: &Reply, root: &Path, most: usize) {
    let json = reply.json();
    let all = json.as_array().map(Vec::as_slice).unwrap_or_default();
    for place in all.iter().take(most) {
        let file = place["file"].as_str().unwrap_or_default();
        let shown = Path::new(file).strip_prefix(root).unwrap_or(Path::new(file));
        line(format_args!("    {}:{}:{}", styled(NAME, shown.display()), place["line"], place["column"]));
    }
    if all.len() > most {
        line(styled(DIM, format_args!("    … and {} more", all.len() - most)));
    }
    if let Some(note) = reply.notes.last() {
        line(styled(DIM, format_args!("    {note}")));
    }
}

fn saved(reply: &Reply) {
    let found = reply.notes.iter().find_map(|note| serde_json::from_str::<Value>(note).ok());
    if let Some(savings) = found.as_ref().map(|note| &note["_meta"]["token_savings"]) {
        let (returned, full) = (&savings["tokens_returned"], &savings["tokens_full_file"]);
        line(styled(GOOD, format_args!("    {returned} tokens instead of {full} for the whole file")));
    }
}

fn refusal(reply: &Reply) {
    for shown in reply.text.lines().filter(|text| !text.is_empty() && !text.starts_with('{')) {
        line(format_args!("    {}", styled(BAD, shown)));
    }
}
