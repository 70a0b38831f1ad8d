//! Highlights, hints, tokens and completions in our words.

use std::path::Path;

use bowline_code::{Position, Span};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Reader, elements, marked, tree, typed};

/// A place where the name is, and how it is used there: 1 as text, 2 read, 3 written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Highlight {
    pub span: Span,
    pub kind: u8,
}

/// What an editor would show at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlayHint {
    pub at: Position,
    pub label: String,
    /// 1 a type, 2 a parameter.
    pub kind: Option<u8>,
    pub tooltip: Option<String>,
    pub padding_left: bool,
    pub padding_right: bool,
}

/// One word of a text, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub span: Span,
    pub kind: String,
    pub modifiers: Vec<String>,
}

/// What the numbers of tokens mean.
#[derive(Debug, Default)]
pub(crate) struct Legend {
    kinds: Vec<String>,
    modifiers: Vec<String>,
}

/// What could be written at a place. Items are as the server wrote them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Completions {
    pub is_incomplete: bool,
    pub items: Vec<Value>,
}

impl Legend {
    pub(crate) fn new(legend: &Value) -> Self {
        let names = |key: &str| Vec::deserialize(&legend[key]).unwrap_or_default();
        Self { kinds: names("tokenTypes"), modifiers: names("tokenModifiers") }
    }

    fn modifiers(&self, bits: u64) -> Vec<String> {
        let set = self.modifiers.iter().enumerate().take(64).filter(|(bit, _)| bits >> bit & 1 == 1);
        set.map(|(_, name)| name.clone()).collect()
    }
}

impl Reader<'_> {
    pub(crate) fn highlights(&mut self, path: &Path, answer: &RawValue) -> Result<Vec<Highlight>, String> {
        let mut found = Vec::new();
        for element in elements(answer)? {
            let element = tree(element);
            match typed(&element["range"]) {
                Some(range) => {
                    let kind = element["kind"].as_u64().and_then(|kind| u8::try_from(kind).ok()).unwrap_or(1);
                    found.push(Highlight { span: self.span(path, &range), kind });
                }
                None => self.dropped += 1,
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    pub(crate) fn inlay_hints(&mut self, path: &Path, answer: &RawValue) -> Result<Vec<InlayHint>, String> {
        let mut hints = Vec::new();
        for element in elements(answer)? {
            let hint = tree(element);
            let (Some(at), Some(label)) = (typed(&hint["position"]), label(&hint["label"])) else {
                self.dropped += 1;
                continue;
            };
            hints.push(InlayHint {
                at: self.position(path, &at),
                label,
                kind: hint["kind"].as_u64().and_then(|kind| u8::try_from(kind).ok()),
                tooltip: Some(marked(&hint["tooltip"])).filter(|text| !text.is_empty()),
                padding_left: hint["paddingLeft"] == true,
                padding_right: hint["paddingRight"] == true,
            });
        }
        hints.sort_by(|left, right| (left.at, &left.label).cmp(&(right.at, &right.label)));
        Ok(hints)
    }

    /// Tokens come as five numbers each, the place counted from the one before.
    pub(crate) fn tokens(
        &mut self,
        path: &Path,
        answer: &RawValue,
        legend: &Legend,
    ) -> Result<Vec<Token>, String> {
        #[derive(Deserialize)]
        struct Tokens {
            data: Vec<u32>,
        }
        let answer: Option<Tokens> =
            serde_json::from_str(answer.get()).map_err(|error| format!("no tokens: {error}"))?;
        let data = answer.map(|tokens| tokens.data).unwrap_or_default();
        let (fives, rest) = data.as_chunks::<5>();
        if !rest.is_empty() {
            return Err(format!("{} numbers are no whole tokens", data.len()));
        }
        let (mut line, mut character) = (0_u32, 0_u32);
        let mut tokens = Vec::with_capacity(fives.len());
        for &[lines, characters, length, kind, modifiers] in fives {
            if lines > 0 {
                character = 0;
            }
            line = line.saturating_add(lines);
            character = character.saturating_add(characters);
            let Some(kind) = usize::try_from(kind).ok().and_then(|kind| legend.kinds.get(kind)) else {
                self.dropped += 1;
                continue;
            };
            let at = |character| lsp_types::Position { line, character };
            let range = lsp_types::Range { start: at(character), end: at(character.saturating_add(length)) };
            tokens.push(Token {
                span: self.span(path, &range),
                kind: kind.clone(),
                modifiers: legend.modifiers(u64::from(modifiers)),
            });
        }
        Ok(tokens)
    }

    /// A list, or a list with a word about it. Edits in the items count as the protocol does.
    pub(crate) fn completions(&mut self, path: &Path, answer: &RawValue) -> Result<Completions, String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct List<'a> {
            #[serde(default)]
            is_incomplete: bool,
            #[serde(borrow)]
            items: Vec<&'a RawValue>,
        }
        let text = answer.get().trim_start();
        let (is_incomplete, items) = if text.starts_with('{') {
            let list: List<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
            (list.is_incomplete, list.items)
        } else {
            (false, elements(answer)?)
        };
        let mut found = Completions { is_incomplete, items: Vec::with_capacity(items.len()) };
        for item in items {
            let mut item = tree(item);
            if item["label"].as_str().is_none_or(str::is_empty) {
                self.dropped += 1;
                continue;
            }
            self.recount(path, &mut item);
            found.items.push(item);
        }
        // As editors sort them: by what the server says, else by what is shown.
        let key = |item: &Value| {
            let label = item["label"].as_str().unwrap_or_default().to_owned();
            (item["sortText"].as_str().unwrap_or(&label).to_owned(), label)
        };
        found.items.sort_by_cached_key(key);
        Ok(found)
    }
}

/// A text, or parts of one.
fn label(label: &Value) -> Option<String> {
    match label {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            Some(parts.iter().filter_map(|part| part["value"].as_str()).collect::<Vec<_>>().concat())
        }
        _ => None,
    }
}
