//! One text, parsed, and the questions that can be asked about it.

use std::{
    fmt,
    ops::ControlFlow,
    sync::{Arc, OnceLock},
};

use bowline_code::{IndexedSymbol, LineTable, Symbol};
use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use crate::{
    Language, SyntaxError,
    outline::{Outline, outline},
    scopes::{Scopes, scopes},
};

/// The largest text that is parsed. Trees are an order of magnitude larger than their text.
pub const MAX_BYTES: usize = 16 << 20;
/// Names around a symbol are listed up to this many bytes.
const LONGEST_CONTAINER: usize = 1000;

/// One text with its tree. What is asked of it is computed once, on first use.
pub struct Parsed {
    language: Language,
    text: Arc<str>,
    lines: LineTable,
    tree: Tree,
    outline: OnceLock<Outline>,
    scopes: OnceLock<Scopes>,
}

/// Reads a text. `cancelled` is asked every few milliseconds at least, and must not panic. A caller who cannot
/// wait answers `true` once its time is over: text made to be slow can take seconds to be given up.
pub fn parse(
    language: Language,
    text: impl Into<Arc<str>>,
    cancelled: &dyn Fn() -> bool,
) -> Result<Parsed, SyntaxError> {
    let text = text.into();
    if text.len() > MAX_BYTES {
        return Err(SyntaxError::TooLarge { bytes: text.len(), most: MAX_BYTES });
    }
    let mut parser = Parser::new();
    parser
        .set_language(&language.compiled().parser)
        .map_err(|error| SyntaxError::Grammar { language: language.id(), reason: error.to_string() })?;
    // Counted, not timed: the same text always gives the same answer. Real files need a tenth of this.
    let mut left = 2_000 + text.len() / 4;
    let mut stopped = None;
    let mut progress = |_: &ParseState| {
        left = left.saturating_sub(1);
        if cancelled() {
            stopped = Some(SyntaxError::Cancelled);
        } else if left == 0 {
            stopped = Some(SyntaxError::TooHard { language: language.id() });
        }
        if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let masked = (language.compiled().ascii && !text.is_ascii()).then(|| mask(&text));
    let bytes = masked.as_deref().unwrap_or(text.as_bytes());
    let mut read = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
    let options = ParseOptions::new().progress_callback(&mut progress);
    let Some(tree) = parser.parse_with_options(&mut read, None, Some(options)) else {
        return Err(stopped.unwrap_or(SyntaxError::Cancelled));
    };
    let lines = LineTable::new(&text);
    Ok(Parsed { language, text, lines, tree, outline: OnceLock::new(), scopes: OnceLock::new() })
}

impl Parsed {
    pub fn language(&self) -> Language {
        self.language
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn lines(&self) -> &LineTable {
        &self.lines
    }

    /// The grammar could not read all of it: answers are right for the parts it could.
    pub fn has_error(&self) -> bool {
        self.tree.root_node().has_error()
    }

    /// The symbols as a tree, in the order of the text. A Rust `impl` is a node of its own here, named as it is
    /// written and of kind `Object`.
    pub fn symbols(&self) -> Vec<Symbol> {
        let Outline { symbols: found, positions, .. } = self.outline();
        let mut inside: Vec<Vec<Symbol>> = found.iter().map(|_| Vec::new()).collect();
        let mut top = Vec::new();
        // Backwards, so that a symbol's children are complete when it is moved into its parent.
        for (index, found) in found.iter().enumerate().rev() {
            let mut children = std::mem::take(&mut inside[index]);
            children.reverse();
            let siblings = found.parent.map_or(&mut top, |parent| &mut inside[parent]);
            siblings.push(Symbol {
                name: found.name.clone(),
                detail: found.detail(&self.text),
                kind: found.kind,
                range: positions.span(&found.range),
                selection: positions.span(&found.selection),
                children,
            });
        }
        top.reverse();
        top
    }

    /// The same symbols without their tree. What stands in an `impl`, has a receiver or is written `A::b` has
    /// that type as its container; an `impl` itself is no symbol.
    pub fn flat_symbols(&self) -> Vec<IndexedSymbol> {
        let Outline { symbols: found, positions, .. } = self.outline();
        let mut paths: Vec<String> = Vec::with_capacity(found.len());
        let mut flat = Vec::with_capacity(found.len());
        for found in found {
            let mut container = found.parent.map_or_else(String::new, |parent| paths[parent].clone());
            if let Some(owner) = &found.owner {
                push_segment(&mut container, owner);
            }
            let mut path = container.clone();
            if !found.stand_in {
                push_segment(&mut path, &found.name);
                flat.push(IndexedSymbol {
                    name: found.name.clone(),
                    kind: found.kind,
                    container,
                    range: positions.span(&found.range),
                    selection: positions.span(&found.selection),
                });
            }
            paths.push(path);
        }
        flat
    }

    /// The hashes of all names that the text is written with, sorted, without duplicates.
    pub fn words(&self) -> Vec<u32> {
        self.outline().words.clone()
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| outline(self.language.compiled(), &self.tree, &self.text, &self.lines))
    }

    pub(crate) fn scopes(&self) -> &Scopes {
        self.scopes.get_or_init(|| scopes(self.language.compiled(), &self.tree, &self.text))
    }
}

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parsed").field("language", &self.language).field("bytes", &self.text.len()).finish()
    }
}

/// The text with every character beyond ASCII as letters of the same length, so that offsets stay true.
fn mask(text: &str) -> Vec<u8> {
    // A byte order mark at the beginning is skipped before the grammar sees it.
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut bytes = text.as_bytes().to_vec();
    bytes[start..].iter_mut().filter(|byte| !byte.is_ascii()).for_each(|byte| *byte = b'x');
    bytes
}

/// Containers are joined by dots, however the language joins them.
fn push_segment(path: &mut String, segment: &str) {
    if path.len() + segment.len() > LONGEST_CONTAINER {
        return;
    }
    // `Foo<T>` and `Foo<U>` contain the same things.
    let plain = segment.split('<').next().unwrap_or(segment);
    let plain = plain.trim_matches([':', '\\', '.', ' ']).replace("::", ".").replace('\\', ".");
    if !path.is_empty() && !plain.is_empty() {
        path.push('.');
    }
    path.push_str(&plain);
}
