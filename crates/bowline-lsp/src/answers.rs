//! What servers answer, made into our words, in one place: one location or many or links, symbols flat or nested,
//! marked strings or markup. An element that makes no sense is left out and counted; the others are kept.

mod edits;
mod hierarchy;
mod reading;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{
    Diagnostic, Encoding, LineTable, Location, Position, Related, Severity, Span, Symbol, SymbolKind, uri,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

pub use edits::Renamable;
pub use hierarchy::{Call, HierarchyItem};
pub(crate) use reading::Legend;
pub use reading::{Completions, Highlight, InlayHint, Token};

/// Symbols deeper in each other than this stay side by side. Nobody writes such code, and a list that says so would
/// exhaust the stack of whoever walks the tree.
const DEEPEST: usize = 100;

/// Lends the text of files that an answer speaks of. Only needed where the server does not count as we do.
pub trait Lender: Send + Sync {
    fn text(&self, path: &Path) -> Option<Arc<str>>;
}

/// Turns the positions of one answer around. Made for one answer, so that each file is read once.
pub(crate) struct Reader<'a> {
    encoding: Encoding,
    lender: &'a dyn Lender,
    texts: HashMap<PathBuf, Option<(Arc<str>, LineTable)>>,
    /// Elements that made no sense.
    pub(crate) dropped: usize,
}

/// A symbol somewhere, as a search for symbols finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSymbol {
    pub name: String,
    pub kind: SymbolKind,
    pub container: Option<String>,
    pub location: Location,
}

/// What a server says about a name, for a person to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// Markdown.
    pub text: String,
    pub span: Option<Span>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(encoding: Encoding, lender: &'a dyn Lender) -> Self {
        Self { encoding, lender, texts: HashMap::new(), dropped: 0 }
    }

    /// One location, several, or links: where they lead.
    pub(crate) fn locations(&mut self, answer: &RawValue) -> Result<Vec<Location>, String> {
        let mut locations = Vec::new();
        for element in elements(answer)? {
            match self.location(&tree(element)) {
                Some(location) => locations.push(location),
                None => self.dropped += 1,
            }
        }
        Ok(locations)
    }

    fn location(&mut self, element: &Value) -> Option<Location> {
        let (uri, range) = match element.get("targetUri") {
            Some(uri) => (uri, element.get("targetSelectionRange").or_else(|| element.get("targetRange"))?),
            None => (element.get("uri")?, element.get("range")?),
        };
        let path = uri::to_path(uri.as_str()?)?;
        let span = self.span(&path, &typed(range)?);
        Some(Location::new(path, span))
    }

    pub(crate) fn span(&mut self, path: &Path, range: &lsp_types::Range) -> Span {
        Span::new(self.position(path, &range.start), self.position(path, &range.end))
    }

    fn position(&mut self, path: &Path, at: &lsp_types::Position) -> Position {
        let written = Position::new(at.line.saturating_add(1), at.character.saturating_add(1));
        if self.encoding == Encoding::Utf16 {
            return written;
        }
        let lender = self.lender;
        let text = self.texts.entry(path.to_owned()).or_insert_with(|| {
            let text = lender.text(path)?;
            let lines = LineTable::new(&text);
            Some((text, lines))
        });
        let Some((text, lines)) = text else {
            return written;
        };
        match lines.offset(text, written, self.encoding) {
            Ok(offset) => lines.position(text, offset, Encoding::Utf16),
            // Behind the end of its line, or of the text: the nearest place that there is.
            Err(_) => {
                let line = written.line.min(lines.lines());
                let end = lines.line_bytes(text, line).map_or(text.len(), |bytes| bytes.end);
                lines.position(text, end, Encoding::Utf16)
            }
        }
    }

    /// The symbols of one file as a tree. Flat ones are put into each other by their ranges.
    pub(crate) fn symbols(&mut self, path: &Path, answer: &RawValue) -> Result<Vec<Symbol>, String> {
        let mut symbols = Vec::new();
        let mut flat = false;
        for element in elements(answer)? {
            let element = tree(element);
            flat |= element.get("location").is_some();
            match self.symbol(path, &element) {
                Some(symbol) => symbols.push(symbol),
                None => self.dropped += 1,
            }
        }
        if flat {
            symbols = nested(symbols);
        }
        in_order(&mut symbols);
        Ok(symbols)
    }

    fn symbol(&mut self, path: &Path, element: &Value) -> Option<Symbol> {
        let range = element.get("range").or_else(|| element.pointer("/location/range"))?;
        let selection = element.get("selectionRange").unwrap_or(range);
        let (range, selection) = (typed(range)?, typed(selection)?);
        let children = element.get("children").and_then(Value::as_array);
        let children: Vec<Option<Symbol>> =
            children.into_iter().flatten().map(|child| self.symbol(path, child)).collect();
        self.dropped += children.iter().filter(|child| child.is_none()).count();
        Some(Symbol {
            name: element.get("name")?.as_str()?.to_owned(),
            detail: element
                .get("detail")
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
                .map(str::to_owned),
            kind: kind(element)?,
            range: self.span(path, &range),
            selection: self.span(path, &selection),
            children: children.into_iter().flatten().collect(),
        })
    }

    /// Symbols of the whole workspace.
    pub(crate) fn found_symbols(&mut self, answer: &RawValue) -> Result<Vec<FoundSymbol>, String> {
        let mut found = Vec::new();
        for element in elements(answer)? {
            match self.found_symbol(&tree(element)) {
                Some(symbol) => found.push(symbol),
                None => self.dropped += 1,
            }
        }
        Ok(found)
    }

    fn found_symbol(&mut self, element: &Value) -> Option<FoundSymbol> {
        let location = element.get("location")?;
        let path = uri::to_path(location.get("uri")?.as_str()?)?;
        let start = Position::new(1, 1);
        let span = match location.get("range") {
            Some(range) => self.span(&path, &typed(range)?),
            // Only the file is known until the server is asked again.
            None => Span::new(start, start),
        };
        let container = element.get("containerName").and_then(Value::as_str).filter(|name| !name.is_empty());
        Some(FoundSymbol {
            name: element.get("name")?.as_str()?.to_owned(),
            kind: kind(element)?,
            container: container.map(str::to_owned),
            location: Location::new(path, span),
        })
    }

    /// A file is not clean because what was said about it cannot be read: then it is an error.
    pub(crate) fn diagnostics(&mut self, path: &Path, list: &RawValue) -> Result<Vec<Diagnostic>, String> {
        let mut diagnostics = Vec::new();
        let elements = elements(list)?;
        for element in &elements {
            let read = serde_json::from_str(element.get()).ok();
            match read.or_else(|| typed(&essence(&tree(element)))) {
                Some(diagnostic) => diagnostics.push(self.diagnostic(path, diagnostic)),
                None => self.dropped += 1,
            }
        }
        if diagnostics.is_empty() && !elements.is_empty() {
            return Err(format!("none of {} diagnostics makes sense", elements.len()));
        }
        Ok(diagnostics)
    }

    fn diagnostic(&mut self, path: &Path, diagnostic: lsp_types::Diagnostic) -> Diagnostic {
        let related = diagnostic.related_information.into_iter().flatten().filter_map(|related| {
            let path = uri::to_path(&related.location.uri.0)?;
            let span = self.span(&path, &related.location.range);
            Some(Related { location: Location::new(path, span), message: related.message })
        });
        let related = related.collect();
        Diagnostic {
            span: self.span(path, &diagnostic.range),
            severity: match diagnostic.severity {
                Some(lsp_types::DiagnosticSeverity::Warning) => Severity::Warning,
                Some(lsp_types::DiagnosticSeverity::Information) => Severity::Information,
                Some(lsp_types::DiagnosticSeverity::Hint) => Severity::Hint,
                // Left to the client by the protocol: what nobody calls harmless is not.
                Some(lsp_types::DiagnosticSeverity::Error | lsp_types::DiagnosticSeverity::Custom(_))
                | None => Severity::Error,
            },
            code: diagnostic.code.map(|code| match code {
                lsp_types::Code::Int(number) => number.to_string(),
                lsp_types::Code::String(text) => text,
            }),
            source: diagnostic.source,
            message: match diagnostic.message {
                lsp_types::Message::String(text) => text,
                lsp_types::Message::MarkupContent(markup) => markup.value,
            },
            related,
        }
    }

    /// `None`: there is nothing to say.
    pub(crate) fn hover(&mut self, path: &Path, answer: &RawValue) -> Result<Option<Hover>, String> {
        let answer: Value = serde_json::from_str(answer.get()).map_err(|error| error.to_string())?;
        if answer.is_null() {
            return Ok(None);
        }
        let contents = answer.get("contents").ok_or("a hover without contents")?;
        let text = marked(contents);
        let span = answer.get("range").and_then(typed).map(|range| self.span(path, &range));
        Ok((!text.trim().is_empty()).then_some(Hover { text, span }))
    }
}

/// The elements of a list, read one by one: as a tree, a hundred thousand of them would take hundreds of megabytes.
/// One alone is a list, and nothing is an empty one.
pub(crate) fn elements(answer: &RawValue) -> Result<Vec<&RawValue>, String> {
    let text = answer.get().trim_start();
    match text.as_bytes().first() {
        Some(b'[') => serde_json::from_str(text).map_err(|error| error.to_string()),
        Some(b'{') => Ok(vec![answer]),
        Some(b'n') => Ok(Vec::new()),
        _ => Err(format!("a list was due, not `{}`", bowline_std::text::cut(text, 40))),
    }
}

/// What cannot be read is nothing that makes sense.
fn tree(element: &RawValue) -> Value {
    serde_json::from_str(element.get()).unwrap_or_default()
}

fn typed<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}

/// A diagnostic without what the protocol lets it leave out, where that is not as the protocol has it.
fn essence(element: &Value) -> Value {
    let mut essence = serde_json::Map::new();
    for (key, value) in element.as_object().into_iter().flatten() {
        let fits = match key.as_str() {
            "range" | "message" => true,
            "severity" => value.is_u64(),
            "code" => value.is_i64() || value.is_string(),
            "source" => value.is_string(),
            _ => false,
        };
        if fits {
            essence.insert(key.clone(), value.clone());
        }
    }
    Value::Object(essence)
}

fn kind(element: &Value) -> Option<SymbolKind> {
    let number = element.get("kind")?.as_u64()?;
    // Kinds that the protocol does not know yet are still symbols.
    Some(
        u8::try_from(number)
            .ok()
            .and_then(|number| SymbolKind::try_from(number).ok())
            .unwrap_or(SymbolKind::Variable),
    )
}

/// Text from all the forms that a hover may have.
fn marked(contents: &Value) -> String {
    match contents {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().map(marked).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
        }
        Value::Object(part) => {
            let value = part.get("value").and_then(Value::as_str).unwrap_or_default();
            match part.get("language").and_then(Value::as_str) {
                Some(language) => format!("```{language}\n{value}\n```"),
                None => value.to_owned(),
            }
        }
        _ => String::new(),
    }
}

/// As they stand in the text: some servers sort them by name.
fn in_order(symbols: &mut [Symbol]) {
    symbols.sort_by_key(|symbol| (symbol.range.start, symbol.selection.start));
    for symbol in symbols {
        in_order(&mut symbol.children);
    }
}

/// Symbols within the ranges of others become their children.
fn nested(mut flat: Vec<Symbol>) -> Vec<Symbol> {
    flat.sort_by_key(|symbol| (symbol.range.start, std::cmp::Reverse(symbol.range.end)));
    let mut roots: Vec<Symbol> = Vec::new();
    for symbol in flat {
        place(&mut roots, symbol, 0);
    }
    roots
}

fn place(among: &mut Vec<Symbol>, symbol: Symbol, depth: usize) {
    match among.last_mut() {
        Some(last) if depth < DEEPEST && last.range.end >= symbol.range.end && last.range != symbol.range => {
            place(&mut last.children, symbol, depth + 1);
        }
        _ => among.push(symbol),
    }
}

#[cfg(test)]
mod tests;
