//! Who calls whom, as `find_callers` and `callers` answer it.

use std::path::PathBuf;

use bowline_call::{Answer, CallContext, ToolError};
use bowline_workspace::{Call, Calls, ConcurrentUse, Ways, Workspace};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Place;
use crate::wire::{WireCaller, WireItem, WireSpan};

pub(crate) const USUAL: usize = 100;

/// What is asked.
pub(crate) struct Asked<'a> {
    pub(crate) at: &'a Place,
    pub(crate) page: &'a Page,
    pub(crate) up: bool,
    pub(crate) down: bool,
    pub(crate) concurrent: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Incoming {
    from: WireItem,
    from_ranges: Vec<WireSpan>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outgoing {
    to: WireItem,
    from_ranges: Vec<WireSpan>,
}

/// A caller that is known by its name alone.
#[derive(Serialize)]
struct ByName {
    from: WireCaller,
}

#[derive(Serialize)]
struct WireConcurrent {
    caller: String,
    pattern: &'static str,
    file: PathBuf,
    line: u32,
}

pub(crate) async fn find(
    workspace: &Workspace,
    asked: Asked<'_>,
    cx: &CallContext,
) -> Result<Answer<Value>, ToolError> {
    let (limit, offset) = asked.page.bounds(USUAL)?;
    let report = reporter(cx);
    let patience = patience(cx, &report);
    let file = asked.at.file();
    let at = asked.at.position(workspace, None, &patience).await?;
    let ways = Ways { up: asked.up, down: asked.down };
    let found = workspace.calls(file, at, ways, &patience).await.map_err(explain)?;
    let mut payload = Map::new();
    let mut put = |key: &str, value: Result<Value, serde_json::Error>| {
        payload.insert(key.to_owned(), value.unwrap_or_default());
    };
    let total = match &found.value {
        Calls::Known(calls) if calls.items.is_empty() => {
            let path = workspace.resolve(file).map_err(explain)?;
            let words =
                format!("No call hierarchy item found at {}:{}:{}", path.display(), at.line, at.column);
            let hint = "put the position on the name of a function, or of one that is called";
            return Ok(answered(&found, Value::String(words), Some(hint.to_owned())));
        }
        Calls::Known(calls) => {
            let items: Vec<WireItem> = calls.items.iter().map(WireItem::from).collect();
            put("items", serde_json::to_value(items));
            let ranges = |call: &Call| call.places.iter().copied().map(WireSpan::from).collect();
            if let Some(up) = &calls.up {
                let incoming = up.iter().skip(offset).take(limit);
                let incoming: Vec<Incoming> = incoming
                    .map(|call| Incoming { from: (&call.item).into(), from_ranges: ranges(call) })
                    .collect();
                put("incoming", serde_json::to_value(incoming));
            }
            if let Some(down) = &calls.down {
                let outgoing = down.iter().skip(offset).take(limit);
                let outgoing: Vec<Outgoing> = outgoing
                    .map(|call| Outgoing { to: (&call.item).into(), from_ranges: ranges(call) })
                    .collect();
                put("outgoing", serde_json::to_value(outgoing));
            }
            [&calls.up, &calls.down].into_iter().flatten().map(Vec::len).max().unwrap_or(0)
        }
        Calls::ByName { callers, total } => {
            put("items", Ok(Value::Array(Vec::new())));
            let page = callers.iter().skip(offset).take(limit);
            let incoming: Vec<ByName> = page.map(|caller| ByName { from: caller.into() }).collect();
            put("incoming", serde_json::to_value(incoming));
            *total
        }
    };
    if asked.concurrent {
        let uses = workspace.concurrent_uses(file, at, &patience).await.map_err(explain)?;
        let uses: Vec<WireConcurrent> = uses.iter().take(limit).map(concurrent).collect();
        put("concurrent_callers", serde_json::to_value(uses));
    }
    let by_name = matches!(found.value, Calls::ByName { .. });
    let shown = total.saturating_sub(offset).min(limit);
    let hint = more(shown, offset, total).unwrap_or_else(|| match (total, by_name) {
        (0, _) => {
            "nothing calls it by that name; find_references also shows where it is passed on".to_owned()
        }
        (_, true) => "found by name; there are no callees without a language server".to_owned(),
        _ => "get_symbol_source shows a caller; blast_radius counts what a change would reach".to_owned(),
    });
    Ok(answered(&found, Value::Object(payload), Some(hint)))
}

fn concurrent(found: &ConcurrentUse) -> WireConcurrent {
    let caller = WireCaller::from(&found.caller);
    WireConcurrent { caller: caller.name, pattern: found.pattern, file: caller.file, line: caller.line }
}
