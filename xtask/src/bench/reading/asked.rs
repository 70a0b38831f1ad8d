//! The tools that read, and the request of the server that each is measured beside.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::symbols::Symbol;
use crate::bench::servers::raw::{path, uri};

/// A tool, and what the server is asked for the same.
pub(super) struct Asked {
    pub(super) tool: &'static str,
    pub(super) method: &'static str,
    /// Whether the two answers are the same places.
    pub(super) is_compared: bool,
    /// Whether it is about a whole file: asked once for each.
    pub(super) is_of_file: bool,
}

pub(super) const ASKED: [Asked; 7] = [
    Asked {
        tool: "go_to_definition",
        method: "textDocument/definition",
        is_compared: true,
        is_of_file: false,
    },
    Asked {
        tool: "find_references",
        method: "textDocument/references",
        is_compared: true,
        is_of_file: false,
    },
    Asked {
        tool: "list_symbols",
        method: "textDocument/documentSymbol",
        is_compared: false,
        is_of_file: true,
    },
    Asked { tool: "find_symbol", method: "workspace/symbol", is_compared: false, is_of_file: false },
    Asked { tool: "explore", method: "textDocument/references", is_compared: false, is_of_file: false },
    Asked {
        tool: "get_editing_context",
        method: "textDocument/documentSymbol",
        is_compared: false,
        is_of_file: true,
    },
    Asked {
        tool: "blast_radius",
        method: "textDocument/documentSymbol",
        is_compared: false,
        is_of_file: true,
    },
];

impl Asked {
    pub(super) fn arguments(&self, symbol: &Symbol) -> Value {
        match self.tool {
            "find_symbol" => json!({ "query": symbol.name }),
            "blast_radius" => json!({ "changed_files": [symbol.file] }),
            _ if self.is_of_file => json!({ "file_path": symbol.file }),
            _ => json!({ "file_path": symbol.file, "line": symbol.line + 1, "column": symbol.character + 1 }),
        }
    }

    pub(super) fn params(&self, symbol: &Symbol) -> Value {
        let document = json!({ "uri": uri(&symbol.file) });
        let position = json!({ "line": symbol.line, "character": symbol.character });
        match self.method {
            "workspace/symbol" => json!({ "query": symbol.name }),
            "textDocument/documentSymbol" => json!({ "textDocument": document }),
            "textDocument/references" => json!({
                "textDocument": document, "position": position, "context": { "includeDeclaration": false },
            }),
            _ => json!({ "textDocument": document, "position": position }),
        }
    }
}

/// Lines of files, from one.
pub(super) type Places = BTreeSet<(PathBuf, u64)>;

/// What the server says: locations, or links.
pub(super) fn of_server(result: &Value, root: &Path) -> Places {
    let all = match result {
        Value::Array(all) => all.as_slice(),
        Value::Null => &[],
        one => std::slice::from_ref(one),
    };
    let place = |place: &Value| {
        let file = path(place.get("uri").or_else(|| place.get("targetUri"))?.as_str()?)?;
        let range = place.get("range").or_else(|| place.get("targetSelectionRange"))?;
        Some((file, range["start"]["line"].as_u64()? + 1))
    };
    all.iter().filter_map(place).filter(|(file, _)| file.starts_with(root)).collect()
}

/// What bowline says, in any of its forms: places one by one, or lines by file. None, if it is neither.
pub(super) fn of_ours(answer: &Value, root: &Path) -> Option<Places> {
    let mut places = Places::new();
    let is_read = match answer {
        Value::Array(all) => all.iter().all(|one| read(one, root, &mut places)),
        Value::Object(fields) => match fields.get("references").or_else(|| fields.get("locations")) {
            Some(Value::Array(all)) => all.iter().all(|one| read(one, root, &mut places)),
            Some(Value::Object(files)) => by_file(files, root, &mut places),
            _ => by_file(fields, root, &mut places),
        },
        _ => false,
    };
    places.retain(|(file, _)| file.starts_with(root));
    is_read.then_some(places)
}

fn read(one: &Value, root: &Path, places: &mut Places) -> bool {
    let Some(file) = one["file"].as_str().or_else(|| one["path"].as_str()) else { return false };
    let file = root.join(file);
    if let Some(line) = one["line"].as_u64() {
        places.insert((file, line));
        return true;
    }
    one["lines"].as_array().is_some_and(|all| lines(&file, all, places))
}

/// Keys that are not files are about the answer.
fn by_file(files: &serde_json::Map<String, Value>, root: &Path, places: &mut Places) -> bool {
    let named = files.iter().filter(|(name, _)| root.join(name).is_file());
    let read: Vec<bool> = named
        .map(|(name, all)| all.as_array().is_some_and(|all| lines(&root.join(name), all, places)))
        .collect();
    !read.is_empty() && read.into_iter().all(|is_read| is_read)
}

/// Numbers, objects with one, or `line:column` as text.
fn lines(file: &Path, all: &[Value], places: &mut Places) -> bool {
    all.iter().all(|one| {
        let text = || one.as_str().and_then(|text| text.split(':').next()?.parse().ok());
        let line = one.as_u64().or_else(|| one["line"].as_u64()).or_else(|| one[0].as_u64()).or_else(text);
        line.is_some_and(|line| {
            places.insert((file.to_owned(), line));
            true
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_the_same_in_every_form() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::write(root.join("a.py"), "").unwrap();
        let wanted: Places = [(root.join("a.py"), 3), (root.join("a.py"), 9)].into();
        let range = |line: u64| json!({ "start": { "line": line } });
        let uri = uri(&root.join("a.py"));
        let said = json!([{ "uri": uri, "range": range(2) }, { "targetUri": uri, "targetSelectionRange": range(8) }]);
        assert_eq!(of_server(&said, &root), wanted);
        let full = root.join("a.py");
        for ours in [
            json!([{ "file": full, "line": 3 }, { "file": full, "line": 9 }]),
            json!([{ "file": "a.py", "lines": [3, 9] }]),
            json!({ "a.py": [3, "9:4"], "engine": "server" }),
            json!({ "references": { "a.py": [[3, 1], { "line": 9 }] } }),
        ] {
            assert_eq!(of_ours(&ours, &root), Some(wanted.clone()), "{ours}");
        }
        assert_eq!(of_ours(&json!("nothing"), &root), None);
    }
}
