//! Which symbol the demo shows: the one asked for, else one that is used.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::session::Session;

/// A symbol of bowline's own source that is worth seeing.
const OURS: &str = "Corridor.permit";
/// How many symbols are tried in a strange tree before any will do.
const TRIED: usize = 40;
/// Function, method and constructor, by their numbers in the protocol.
const CALLABLE: [u64; 3] = [12, 6, 9];

#[derive(Clone)]
pub(super) struct Subject {
    /// By name, as `go_to_symbol` takes it.
    pub(super) path: String,
    pub(super) file: String,
    line: u64,
    column: u64,
}

impl Subject {
    pub(super) async fn choose(session: &Session, asked: Option<&str>) -> anyhow::Result<Self> {
        if let Some(found) = Self::named(session, asked.unwrap_or(OURS)).await? {
            return Ok(found);
        }
        anyhow::ensure!(asked.is_none(), "there is no symbol `{}` here", asked.unwrap_or_default());
        let found = session.call("find_symbol", json!({"query": "", "limit": 1000})).await?.json();
        let symbols: Vec<Self> = found.as_array().into_iter().flatten().filter_map(Self::callable).collect();
        for candidate in symbols.iter().take(TRIED) {
            let uses = session.call("find_references", candidate.at()).await?;
            if !uses.is_error && uses.json().as_array().is_some_and(|uses| uses.len() > 1) {
                return Ok(candidate.clone());
            }
        }
        symbols.into_iter().next().context("there is no source here that bowline can read; try `--root DIR`")
    }

    async fn named(session: &Session, path: &str) -> anyhow::Result<Option<Self>> {
        let found = session.call("go_to_symbol", json!({"symbol_path": path})).await?.json();
        let Some(place) = found.get(0) else {
            return Ok(None);
        };
        Ok(Some(Self {
            path: path.to_owned(),
            file: place["file"].as_str().unwrap_or_default().to_owned(),
            line: place["line"].as_u64().unwrap_or(1),
            column: place["column"].as_u64().unwrap_or(1),
        }))
    }

    fn callable(symbol: &Value) -> Option<Self> {
        let start = &symbol["location"]["range"]["start"];
        let name = symbol["name"].as_str()?;
        let path = match symbol["containerName"].as_str() {
            Some(container) => format!("{container}.{name}"),
            None => name.to_owned(),
        };
        CALLABLE.contains(&symbol["kind"].as_u64()?).then_some(Self {
            path,
            file: symbol["file"].as_str()?.to_owned(),
            line: start["line"].as_u64()?,
            column: start["character"].as_u64()?,
        })
    }

    /// Where it is, as arguments of a tool.
    pub(super) fn at(&self) -> Value {
        json!({"file_path": self.file, "line": self.line, "column": self.column})
    }

    pub(super) fn position(&self) -> Value {
        json!({"line": self.line, "column": self.column})
    }

    /// A call about it, as a person reads it.
    pub(super) fn call(&self, tool: &str, rest: &Value, root: &Path) -> String {
        let file = Path::new(&self.file);
        let file = file.strip_prefix(root).unwrap_or(file).display();
        let rest = rest.as_object().into_iter().flatten();
        let rest: String =
            rest.map(|(key, value)| format!(" {key}={}", value.to_string().trim_matches('"'))).collect();
        format!("{tool} file_path={file}{rest}")
    }
}
